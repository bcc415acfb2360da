// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Allocations, and the pools that they may come from.

#ifndef TILEWRIGHT_TOOLS_CUDA_DRIVER_MEMORY_H
#define TILEWRIGHT_TOOLS_CUDA_DRIVER_MEMORY_H

#include "tools/cuda/driver/State.h"

#include <functional>
#include <optional>

/// Memory that is freed goes back to the process at once, so that a pool only counts.
struct CUmemPool_st {
  std::mutex mutex = {};
  /// How freed memory may be used again: kept for who asks.
  int reuse[3] = {1, 1, 1};
  uint64_t releaseThreshold = 0;
  uint64_t used = 0, mostUsed = 0;
};

namespace tilewright::cuda {

inline void *pointerTo(CUdeviceptr address) { return reinterpret_cast<void *>(uintptr_t(address)); }

/// That of a node is freed by nobody else: it lives as long as what the node does. What is opened
/// is another process's.
enum class MemoryKind { Device, Host, Node, Opened };

/// Address and size are a client's, and verified. A pool may be null.
CUresult allocate(CUdeviceptr *address, size_t size, MemoryKind kind,
                  std::shared_ptr<CUmemPool_st> pool = nullptr);

/// Memory of another process that has been mapped, and will be no longer.
void addOpened(CUdeviceptr address, size_t size);
void removeOpened(CUdeviceptr address);

/// Memory of a node that allocates, and what the node does, which is nothing. What the memory holds
/// at the start of a launch is open.
CUresult allocateForNode(CUdeviceptr *address, size_t size, std::function<CUresult()> &work);

/// Whether a node has allocated at this address.
bool isOfNode(CUdeviceptr address);

/// How many bytes there are from the address to the end of the allocation, or of the registered
/// memory, that it lies in. None if it lies in neither.
std::optional<size_t> bytesFrom(CUdeviceptr address);

/// Where that allocation or registered memory begins.
std::optional<CUdeviceptr> baseOf(CUdeviceptr address);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_DRIVER_MEMORY_H
