// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that another process of the same user can map: blocks of one anonymous file, which a
// process makes for its first block and which is as large as the memory of the machine. Pages of it
// that nobody has written take no memory. Before every block lies a header; it is gone when the
// block is freed, so that a name that was kept too long is refused.
//
// A fork shares the blocks that there are with the parent, which frees them; new ones come from a
// file of its own.

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_SHARED_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_SHARED_H

#include "tools/cuda/driver/Cuda.h"

#include <compare>

namespace tilewright::cuda {

/// What a block is for.
enum class SharedKind : uint64_t { Memory = 0x6d656d5f6c697774, Event = 0x7665655f6c697774 };

/// No two blocks have the same one, whichever process they are of.
struct SharedTag {
  uint64_t file, number;
  auto operator<=>(const SharedTag &) const = default;
};

/// The name of a block for other processes: what lies in CUipcMemHandle and CUipcEventHandle.
struct SharedName {
  SharedKind kind;
  SharedTag tag;
  uint64_t offset, size;
  int32_t process, descriptor;
  char reserved[16];
};
static_assert(sizeof(SharedName) == 64);

/// A block whose address is a multiple of 256. Null if the file cannot be made, or has no room.
void *allocateShared(size_t size, SharedKind kind);

/// Does nothing to a block of the process that this one was forked from.
void freeShared(void *block);

/// Whether the block was allocated here and is not freed: then its name.
bool nameShared(const void *block, SharedName &name);

/// The file of a block of another process, for the caller to close. Fails with
/// CUDA_ERROR_INVALID_HANDLE if no block of this kind has the name (any longer), and with
/// CUDA_ERROR_INVALID_CONTEXT if it is one of this process.
CUresult openShared(const SharedName &name, SharedKind kind, int &descriptor);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_SHARED_H
