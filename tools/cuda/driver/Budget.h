// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much memory may clients allocate? As much as $TILEWRIGHT_MEMORY says, and without it four
// fifths of what the machine or the control group of the process has. Beyond that an allocation
// fails as on a GPU, before the system runs out of memory and kills the process.

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_BUDGET_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_BUDGET_H

#include <cstddef>
#include <optional>
#include <string_view>

namespace tilewright::cuda {

/// Reads a number of bytes as 1000000, 512K, 64M, 8G or 1T, in powers of 1024. None if it is
/// something else, 0 or too large.
std::optional<size_t> readMemorySize(std::string_view text);

/// Bytes of the device: the most that can be allocated at a time.
size_t memoryLimit();

/// Bytes that can still be allocated: what is left of the limit, or of the machine.
size_t memoryLeft();

/// Counts bytes that somebody allocates. False, and nothing is counted, if less is left of the
/// limit.
bool takeMemory(size_t bytes);
void giveMemory(size_t bytes);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_BUDGET_H
