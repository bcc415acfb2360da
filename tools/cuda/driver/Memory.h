// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocations and memory pools.

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_MEMORY_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_MEMORY_H

#include "tools/cuda/driver/State.h"

#include <functional>
#include <optional>

/// Freed memory is returned to the process at once, so that a pool only counts bytes.
struct CUmemPool_st {
  std::mutex mutex = {};
  /// The flags for reusing freed memory: stored, but without effect.
  int reuse[3] = {1, 1, 1};
  uint64_t releaseThreshold = 0;
  uint64_t used = 0, mostUsed = 0;
};

namespace tilewright::cuda {

inline void *pointerTo(CUdeviceptr address) { return reinterpret_cast<void *>(uintptr_t(address)); }

/// Node memory is owned by the work of a graph node and lives as long; nothing else frees it.
/// Opened memory belongs to another process.
enum class MemoryKind { Device, Host, Node, Opened };

/// Address and size come from a client and are verified. The pool may be null.
CUresult allocate(CUdeviceptr *address, size_t size, MemoryKind kind,
                  std::shared_ptr<CUmemPool_st> pool = nullptr);

/// Register and unregister mapped memory of another process.
void addOpened(CUdeviceptr address, size_t size);
void removeOpened(CUdeviceptr address);

/// Allocates memory for a graph's allocation node. `work`, which does nothing, owns the memory. The
/// contents at the start of a launch are unspecified.
CUresult allocateForNode(CUdeviceptr *address, size_t size, std::function<CUresult()> &work);

/// Whether this is the address of a node's allocation.
bool isOfNode(CUdeviceptr address);

/// The bytes from the address to the end of the allocation or registered memory that contains it.
/// None if there is none.
std::optional<size_t> bytesFrom(CUdeviceptr address);

/// The start of the allocation or registered memory that contains the address.
std::optional<CUdeviceptr> baseOf(CUdeviceptr address);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_MEMORY_H
