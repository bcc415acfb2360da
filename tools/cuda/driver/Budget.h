// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits the memory that clients allocate: to $TILEWRIGHT_MEMORY, or else to four fifths of the
// memory of the machine or of the process's control group. Allocations beyond the limit fail as on
// a GPU, before the system runs out of memory and kills the process.

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_BUDGET_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_BUDGET_H

#include <cstddef>
#include <optional>
#include <string_view>

namespace tilewright::cuda {

/// Parses a size in bytes, such as 1000000, 512K, 64M, 8G or 1T (powers of 1024). None if it is
/// malformed, 0 or too large.
std::optional<size_t> readMemorySize(std::string_view text);

/// The device memory in bytes: the limit on allocations that exist at the same time.
size_t memoryLimit();

/// The bytes that can still be allocated: within the limit, and available on the machine.
size_t memoryLeft();

/// Counts an allocation. Returns false, and counts nothing, if it exceeds the limit.
bool reserveMemory(size_t bytes);
void releaseMemory(size_t bytes);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_BUDGET_H
