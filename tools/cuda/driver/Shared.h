// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that other processes of the same user can map: blocks in one anonymous file, which a
// process creates for its first block, as large as the machine's memory. Pages of it take no memory
// until they are written. Each block is preceded by a header, which is cleared when the block is
// freed, so that outdated names are detected.
//
// A forked process shares the existing blocks with its parent, which frees them; new blocks come
// from a file of its own.

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_SHARED_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_SHARED_H

#include "tools/cuda/driver/Cuda.h"

#include <compare>

namespace tilewright::cuda {

/// The use of a block.
enum class SharedKind : uint64_t { Memory = 0x6d656d5f6c697774, Event = 0x7665655f6c697774 };

/// A unique ID of a block, across processes.
struct SharedTag {
  uint64_t file, number;
  auto operator<=>(const SharedTag &) const = default;
};

/// The name of a block for other processes: the contents of CUipcMemHandle and CUipcEventHandle.
struct SharedName {
  SharedKind kind;
  SharedTag tag;
  uint64_t offset, size;
  int32_t process, descriptor;
  char reserved[16];
};
static_assert(sizeof(SharedName) == 64);

/// Allocates a block, aligned to 256 bytes. Null if the file cannot be created or is full.
void *allocateShared(size_t size, SharedKind kind);

/// Does nothing for blocks that belong to the parent of a forked process.
void freeShared(void *block);

/// Sets the name if the block was allocated by this process and not freed; otherwise returns false.
bool nameShared(const void *block, SharedName &name);

/// Opens the file of another process's block; the caller closes it. Fails with
/// CUDA_ERROR_INVALID_HANDLE if no block of this kind has the name (any more), and with
/// CUDA_ERROR_INVALID_CONTEXT if the block belongs to this process.
CUresult openShared(const SharedName &name, SharedKind kind, int &descriptor);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_SHARED_H
