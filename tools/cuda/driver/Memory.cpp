// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory. Device memory is memory of this process: any of its addresses may be passed to a kernel,
// whether it was allocated here or not.

#include "tools/cuda/driver/Memory.h"
#include "tools/cuda/driver/Budget.h"
#include "tools/cuda/driver/Capture.h"
#include "tools/cuda/driver/Shared.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>

using namespace tilewright::cuda;

//===-- Allocations -------------------------------------------------------------------------===//

namespace {
struct Allocation {
  size_t size;
  MemoryKind kind;
  std::shared_ptr<CUctx_st> context;
  std::shared_ptr<CUmemPool_st> pool;
  /// The client's flags, for host memory.
  unsigned flags = 0;
  /// Whether it is a block that other processes can map (Shared.h), rather than from the heap.
  bool isShared = false;
};

struct Allocations {
  std::mutex mutex;
  std::map<CUdeviceptr, Allocation> byAddress;
  /// Host memory that was allocated elsewhere and registered here.
  std::map<CUdeviceptr, Allocation> registered;
};
} // namespace

static Allocations &allocations() {
  static auto *const allocations = new Allocations;
  return *allocations;
}

/// Aligned to 256 bytes, as clients expect from a GPU. Uses shared memory if requested and
/// available, else the heap.
static CUresult allocate(CUdeviceptr *address, size_t size, MemoryKind kind,
                         std::shared_ptr<CUmemPool_st> pool, bool isShareable) {
  if (CUresult error = verifyInitialised())
    return error;
  if (!address || size == 0)
    return CUDA_ERROR_INVALID_VALUE;
  constexpr size_t alignment = 256;
  if (!reserveMemory(size))
    return CUDA_ERROR_OUT_OF_MEMORY;
  void *memory = isShareable ? allocateShared(size, SharedKind::Memory) : nullptr;
  const bool isShared = memory;
  if (!memory)
    memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (!memory) {
    releaseMemory(size);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  *address = reinterpret_cast<uintptr_t>(memory);
  if (pool) {
    std::lock_guard lock(pool->mutex);
    pool->used += size;
    pool->mostUsed = std::max(pool->mostUsed, pool->used);
  }
  std::lock_guard lock(allocations().mutex);
  allocations().byAddress[*address] = {size, kind, currentContext(), std::move(pool), 0, isShared};
  return CUDA_SUCCESS;
}

CUresult tilewright::cuda::allocate(CUdeviceptr *address, size_t size, MemoryKind kind,
                                    std::shared_ptr<CUmemPool_st> pool) {
  return ::allocate(address, size, kind, std::move(pool), false);
}

void tilewright::cuda::addOpened(CUdeviceptr address, size_t size) {
  std::lock_guard lock(allocations().mutex);
  allocations().byAddress[address] = {size, MemoryKind::Opened, currentContext(), nullptr};
}

void tilewright::cuda::removeOpened(CUdeviceptr address) {
  std::lock_guard lock(allocations().mutex);
  allocations().byAddress.erase(address);
}

/// The allocation, or the registered host memory, that contains the address.
static CUresult rangeOf(CUdeviceptr address, CUdeviceptr &base, Allocation &allocation) {
  std::lock_guard lock(allocations().mutex);
  for (const auto *all : {&allocations().byAddress, &allocations().registered}) {
    auto next = all->upper_bound(address);
    if (next == all->begin())
      continue;
    auto found = std::prev(next);
    if (address - found->first >= found->second.size)
      continue;
    base = found->first;
    allocation = found->second;
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

std::optional<size_t> tilewright::cuda::bytesFrom(CUdeviceptr address) {
  CUdeviceptr base;
  Allocation allocation;
  if (rangeOf(address, base, allocation))
    return std::nullopt;
  return allocation.size - (address - base);
}

std::optional<CUdeviceptr> tilewright::cuda::baseOf(CUdeviceptr address) {
  CUdeviceptr base;
  Allocation allocation;
  if (rangeOf(address, base, allocation))
    return std::nullopt;
  return base;
}

/// Does not return pending kernel errors: callers rarely check the result of a free. Does not free
/// memory of graph nodes.
static CUresult release(CUdeviceptr address, MemoryKind kind) {
  if (CUresult error = verifyInitialised())
    return error;
  if (!address)
    return kind == MemoryKind::Host ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  if (kind == MemoryKind::Device && isOfNode(address))
    return CUDA_SUCCESS;
  Allocation freed;
  {
    std::lock_guard lock(allocations().mutex);
    auto found = allocations().byAddress.find(address);
    if (found == allocations().byAddress.end() || found->second.kind != kind)
      return CUDA_ERROR_INVALID_VALUE;
    freed = found->second;
    allocations().byAddress.erase(found);
  }
  if (freed.isShared)
    freeShared(pointerTo(address));
  else
    std::free(pointerTo(address));
  releaseMemory(freed.size);
  if (freed.pool) {
    std::lock_guard lock(freed.pool->mutex);
    freed.pool->used -= freed.size;
  }
  return CUDA_SUCCESS;
}

bool tilewright::cuda::isOfNode(CUdeviceptr address) {
  std::lock_guard lock(allocations().mutex);
  const auto found = allocations().byAddress.find(address);
  return found != allocations().byAddress.end() && found->second.kind == MemoryKind::Node;
}

CUresult tilewright::cuda::allocateForNode(CUdeviceptr *address, size_t size,
                                           std::function<CUresult()> &work) {
  if (CUresult error = allocate(address, size, MemoryKind::Node))
    return error;
  const std::shared_ptr<void> memory(
      pointerTo(*address), [address = *address](void *) { release(address, MemoryKind::Node); });
  work = [memory] { return CUDA_SUCCESS; };
  return CUDA_SUCCESS;
}

/// Verifies that no stream is captured: on a GPU, an allocation may wait for all streams.
static CUresult allocateNow(CUdeviceptr *address, size_t size, MemoryKind kind,
                            bool isShareable = false) {
  if (CUresult error = verifyUncaptured())
    return error;
  return ::allocate(address, size, kind, nullptr, isShareable);
}

TW_DRIVER_API CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t size) {
  return allocateNow(address, size, MemoryKind::Device, true);
}
TW_DRIVER_API CUresult cuMemAllocManaged(CUdeviceptr *address, size_t size, unsigned) {
  return allocateNow(address, size, MemoryKind::Device);
}
/// Rows are aligned as on a GPU.
TW_DRIVER_API CUresult cuMemAllocPitch_v2(CUdeviceptr *address, size_t *pitch, size_t width,
                                          size_t height, unsigned elementSize) {
  constexpr size_t alignment = 512;
  if (!pitch || !width || !height || (elementSize != 4 && elementSize != 8 && elementSize != 16))
    return CUDA_ERROR_INVALID_VALUE;
  if (width > PTRDIFF_MAX - alignment || height > PTRDIFF_MAX / (width + alignment))
    return CUDA_ERROR_OUT_OF_MEMORY;
  const size_t row = (width + alignment - 1) / alignment * alignment;
  if (CUresult error = allocateNow(address, row * height, MemoryKind::Device, true))
    return error;
  *pitch = row;
  return CUDA_SUCCESS;
}
TW_DRIVER_API CUresult cuMemFree_v2(CUdeviceptr address) {
  if (CUresult error = verifyUncaptured())
    return error;
  return release(address, MemoryKind::Device);
}
/// During a capture, only memory that a graph node has allocated can be freed; the node still keeps
/// it.
TW_DRIVER_API CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  bool captured = false;
  if (CUresult error = isCaptured(stream, captured))
    return error;
  if (!captured)
    return release(address, MemoryKind::Device);
  if (!isOfNode(address))
    return CUDA_ERROR_INVALID_VALUE;
  return capture(stream, NodeKind::MemFree, [] { return CUDA_SUCCESS; });
}
TW_DRIVER_API CUresult cuMemHostAlloc(void **memory, size_t size, unsigned flags) {
  CUdeviceptr address;
  if (!memory)
    return CUDA_ERROR_INVALID_VALUE;
  if (CUresult error = allocateNow(&address, size, MemoryKind::Host))
    return error;
  *memory = pointerTo(address);
  std::lock_guard lock(allocations().mutex);
  allocations().byAddress[address].flags = flags;
  return CUDA_SUCCESS;
}
TW_DRIVER_API CUresult cuMemAllocHost_v2(void **memory, size_t size) {
  return cuMemHostAlloc(memory, size, 0);
}
TW_DRIVER_API CUresult cuMemFreeHost(void *memory) {
  return release(reinterpret_cast<uintptr_t>(memory), MemoryKind::Host);
}
TW_DRIVER_API CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *memory, unsigned) {
  if (CUresult error = verifyInitialised())
    return error;
  if (!address || !memory)
    return CUDA_ERROR_INVALID_VALUE;
  *address = reinterpret_cast<uintptr_t>(memory);
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuMemGetInfo_v2(size_t *free, size_t *total) {
  if (CUresult error = verifyInitialised())
    return error;
  if (!free || !total)
    return CUDA_ERROR_INVALID_VALUE;
  *free = memoryLeft();
  *total = memoryLimit();
  return CUDA_SUCCESS;
}

/// Only records the registration: the device can access the memory anyway.
TW_DRIVER_API CUresult cuMemHostRegister_v2(void *memory, size_t size, unsigned flags) {
  constexpr unsigned allFlags = 0xF;
  if (CUresult error = verifyInitialised())
    return error;
  const auto start = reinterpret_cast<uintptr_t>(memory);
  if (!memory || !size || size > UINTPTR_MAX - start || flags > allFlags)
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(allocations().mutex);
  auto &registered = allocations().registered;
  auto next = registered.lower_bound(start + size);
  if (next != registered.begin() && std::prev(next)->first + std::prev(next)->second.size > start)
    return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  registered[start] = {size, MemoryKind::Host, currentContext(), nullptr, flags};
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuMemHostUnregister(void *memory) {
  if (CUresult error = verifyInitialised())
    return error;
  if (!memory)
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(allocations().mutex);
  return allocations().registered.erase(reinterpret_cast<uintptr_t>(memory))
             ? CUDA_SUCCESS
             : CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
}

TW_DRIVER_API CUresult cuMemHostGetFlags(unsigned *flags, void *memory) {
  CUdeviceptr base;
  Allocation allocation;
  if (CUresult error = verifyInitialised())
    return error;
  if (!flags || rangeOf(reinterpret_cast<uintptr_t>(memory), base, allocation) ||
      allocation.kind != MemoryKind::Host)
    return CUDA_ERROR_INVALID_VALUE;
  *flags = allocation.flags;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuMemGetAddressRange_v2(CUdeviceptr *base, size_t *size,
                                               CUdeviceptr address) {
  CUdeviceptr start;
  Allocation allocation;
  if (rangeOf(address, start, allocation))
    return CUDA_ERROR_NOT_FOUND;
  if (base)
    *base = start;
  if (size)
    *size = allocation.size;
  return CUDA_SUCCESS;
}

//===-- Copies ------------------------------------------------------------------------------===//

/// Synchronises first, which may return a pending kernel error.
static CUresult copy(void *to, const void *from, size_t size) {
  if (CUresult error = verifyInitialised())
    return error;
  if (size && (!to || !from))
    return CUDA_ERROR_INVALID_VALUE;
  if (CUresult error = verifyUncaptured())
    return error;
  if (CUresult error = takeError())
    return error;
  std::memmove(to, from, size);
  return CUDA_SUCCESS;
}

static CUresult copyLater(void *to, const void *from, size_t size, CUstream stream) {
  if (CUresult error = verifyStream(stream))
    return error;
  if (size && (!to || !from))
    return CUDA_ERROR_INVALID_VALUE;
  return enqueue(stream, NodeKind::Memcpy, [=] {
    std::memmove(to, from, size);
    return CUDA_SUCCESS;
  });
}

TW_DRIVER_API CUresult cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return copy(pointerTo(to), pointerTo(from), size);
}
TW_DRIVER_API CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t size) {
  return copy(pointerTo(to), from, size);
}
TW_DRIVER_API CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t size) {
  return copy(to, pointerTo(from), size);
}
TW_DRIVER_API CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, size_t size) {
  return copy(pointerTo(to), pointerTo(from), size);
}
TW_DRIVER_API CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size,
                                     CUstream stream) {
  return copyLater(pointerTo(to), pointerTo(from), size, stream);
}
TW_DRIVER_API CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, size_t size,
                                            CUstream stream) {
  return copyLater(pointerTo(to), from, size, stream);
}
TW_DRIVER_API CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t size,
                                            CUstream stream) {
  return copyLater(to, pointerTo(from), size, stream);
}
TW_DRIVER_API CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t size,
                                            CUstream stream) {
  return copyLater(pointerTo(to), pointerTo(from), size, stream);
}

/// The contexts are ignored: there is only one device.
TW_DRIVER_API CUresult cuMemcpyPeer(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext,
                                    size_t size) {
  return copy(pointerTo(to), pointerTo(from), size);
}
TW_DRIVER_API CUresult cuMemcpyPeerAsync(CUdeviceptr to, CUcontext, CUdeviceptr from, CUcontext,
                                         size_t size, CUstream stream) {
  return copyLater(pointerTo(to), pointerTo(from), size, stream);
}

template <typename Word>
static CUresult fill(CUdeviceptr to, Word value, size_t count, CUstream stream = nullptr) {
  if (CUresult error = verifyStream(stream))
    return error;
  if (count && (!to || to % sizeof value))
    return CUDA_ERROR_INVALID_VALUE;
  return enqueue(stream, NodeKind::Memset, [=] {
    std::fill_n(static_cast<Word *>(pointerTo(to)), count, value);
    return CUDA_SUCCESS;
  });
}

TW_DRIVER_API CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t count) {
  return fill(to, value, count);
}
TW_DRIVER_API CUresult cuMemsetD16_v2(CUdeviceptr to, unsigned short value, size_t count) {
  return fill(to, value, count);
}
TW_DRIVER_API CUresult cuMemsetD32_v2(CUdeviceptr to, unsigned value, size_t count) {
  return fill(to, value, count);
}
TW_DRIVER_API CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count,
                                       CUstream stream) {
  return fill(to, value, count, stream);
}
TW_DRIVER_API CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count,
                                        CUstream stream) {
  return fill(to, value, count, stream);
}
TW_DRIVER_API CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count,
                                        CUstream stream) {
  return fill(to, value, count, stream);
}

//===-- Pointer attributes ------------------------------------------------------------------===//

/// Writes an attribute; its type determines the size.
template <typename Answer> static CUresult answer(void *result, Answer value) {
  std::memcpy(result, &value, sizeof value);
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuPointerGetAttribute(void *result, int attribute, CUdeviceptr address) {
  enum {
    context = 1,
    memoryType = 2,
    devicePointer = 3,
    hostPointer = 4,
    isManaged = 8,
    deviceOrdinal = 9,
    isIpcCapable = 10,
    rangeStart = 11,
    rangeSize = 12,
    isMapped = 13,
  };
  if (CUresult error = verifyInitialised())
    return error;
  if (!result)
    return CUDA_ERROR_INVALID_VALUE;
  CUdeviceptr base = 0;
  Allocation allocation = {};
  const CUresult range = rangeOf(address, base, allocation);
  switch (attribute) {
  case context:
    return answer(result, range ? currentContext().get() : allocation.context.get());
  case memoryType:
    return answer<unsigned>(result, !range && allocation.kind == MemoryKind::Host ? 1 : 2);
  case devicePointer:
  case hostPointer:
    return answer(result, address);
  case isManaged:
    return answer<unsigned>(result, 0);
  case isIpcCapable: {
    SharedName name;
    return answer<unsigned>(result, !range && nameShared(pointerTo(base), name));
  }
  case deviceOrdinal:
    return answer<int>(result, 0);
  case isMapped:
    return answer<unsigned>(result, 1);
  case rangeStart:
    return range ? range : answer(result, base);
  case rangeSize:
    return range ? range : answer(result, allocation.size);
  default:
    return notSupported("cuPointerGetAttribute of " + std::to_string(attribute));
  }
}

/// Attributes that do not apply to the address are 0.
TW_DRIVER_API CUresult cuPointerGetAttributes(unsigned count, int *attributes, void **results,
                                              CUdeviceptr address) {
  if (CUresult error = verifyInitialised())
    return error;
  if (!count || !attributes || !results)
    return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < count; ++i) {
    enum { rangeStart = 11, rangeSize = 12 };
    const CUresult error = cuPointerGetAttribute(results[i], attributes[i], address);
    if (error == CUDA_ERROR_INVALID_VALUE && results[i] &&
        (attributes[i] == rangeStart || attributes[i] == rangeSize))
      answer(results[i], uint64_t(0));
    else if (error)
      return error;
  }
  return CUDA_SUCCESS;
}
