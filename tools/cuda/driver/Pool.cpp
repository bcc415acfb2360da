// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory pools: allocations come from the memory of the process, and the pool counts them.

#include "tools/cuda/driver/Capture.h"
#include "tools/cuda/driver/Handles.h"
#include "tools/cuda/driver/Memory.h"

#include <cstring>

using namespace tilewright::cuda;
using CUmemoryPool = CUmemPool_st *;
using SharedPool = std::shared_ptr<CUmemPool_st>;

struct CUmemLocation {
  int type, id;
};

struct CUmemPoolProps {
  int allocType;
  int handleTypes;
  CUmemLocation location;
  void *win32SecurityAttributes;
  size_t maxSize;
  unsigned short usage;
  unsigned char reserved[54];
};
static_assert(sizeof(CUmemPoolProps) == 88);

struct CUmemAccessDesc {
  CUmemLocation location;
  int flags;
};

static constexpr int onDevice = 1;

static Handles<CUmemPool_st> &pools() {
  static auto *const pools = new Handles<CUmemPool_st>;
  return *pools;
}

/// The device's default pool, which cannot be destroyed; the current pool is initially this one.
static const SharedPool &defaultPool() {
  static const auto *const pool = [] {
    auto *made = new SharedPool(std::make_shared<CUmemPool_st>());
    pools().add(*made);
    return made;
  }();
  return *pool;
}
static SharedPool &currentPool() {
  static auto *const pool = new SharedPool(defaultPool());
  return *pool;
}

static CUresult find(CUmemoryPool handle, SharedPool &pool) {
  if (CUresult error = verifyInitialised())
    return error;
  pool = pools().find(handle);
  return pool ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

//===-- Pools -------------------------------------------------------------------------------===//

TW_DRIVER_API CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
  if (CUresult error = verifyDevice(device, pool))
    return error;
  *pool = defaultPool().get();
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) {
  if (CUresult error = verifyDevice(device, pool))
    return error;
  std::lock_guard lock(state().mutex);
  *pool = currentPool().get();
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool handle) {
  if (CUresult error = verifyDevice(device, handle))
    return error;
  SharedPool pool;
  if (CUresult error = find(handle, pool))
    return error;
  std::lock_guard lock(state().mutex);
  currentPool() = std::move(pool);
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties) {
  constexpr int pinned = 1;
  if (CUresult error = verifyInitialised())
    return error;
  if (!pool || !properties || properties->allocType != pinned ||
      properties->location.type != onDevice)
    return CUDA_ERROR_INVALID_VALUE;
  if (properties->location.id != 0)
    return CUDA_ERROR_INVALID_DEVICE;
  if (properties->handleTypes)
    return notSupported("cuMemPoolCreate for other processes");
  defaultPool();
  *pool = pools().add(std::make_shared<CUmemPool_st>());
  return CUDA_SUCCESS;
}

/// Existing allocations stay valid. If it was the current pool, the default pool becomes current.
TW_DRIVER_API CUresult cuMemPoolDestroy(CUmemoryPool handle) {
  if (CUresult error = verifyInitialised())
    return error;
  if (handle == defaultPool().get())
    return CUDA_ERROR_INVALID_VALUE;
  SharedPool pool = pools().remove(handle);
  if (!pool)
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(state().mutex);
  if (currentPool() == pool)
    currentPool() = defaultPool();
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuMemPoolTrimTo(CUmemoryPool handle, size_t) {
  SharedPool pool;
  return find(handle, pool);
}

TW_DRIVER_API CUresult cuMemPoolSetAccess(CUmemoryPool handle, const CUmemAccessDesc *accesses,
                                          size_t count) {
  SharedPool pool;
  if (CUresult error = find(handle, pool))
    return error;
  return count && !accesses ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuMemPoolGetAccess(int *flags, CUmemoryPool handle,
                                          CUmemLocation *location) {
  constexpr int readAndWrite = 3;
  SharedPool pool;
  if (CUresult error = find(handle, pool))
    return error;
  if (!flags || !location || location->type != onDevice || location->id != 0)
    return CUDA_ERROR_INVALID_VALUE;
  *flags = readAndWrite;
  return CUDA_SUCCESS;
}

//===-- Attributes --------------------------------------------------------------------------===//

/// The first three attributes are ints, the others have 64 bits.
enum {
  firstReuse = 1,
  lastReuse = 3,
  releaseThreshold = 4,
  reserved = 5,
  mostReserved = 6,
  used = 7,
  mostUsed = 8,
};

TW_DRIVER_API CUresult cuMemPoolGetAttribute(CUmemoryPool handle, int attribute, void *value) {
  SharedPool pool;
  if (CUresult error = find(handle, pool))
    return error;
  if (!value || attribute < firstReuse || attribute > mostUsed)
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(pool->mutex);
  if (attribute <= lastReuse) {
    std::memcpy(value, &pool->reuse[attribute - firstReuse], sizeof(int));
    return CUDA_SUCCESS;
  }
  const uint64_t number = attribute == releaseThreshold                ? pool->releaseThreshold
                          : attribute == reserved || attribute == used ? pool->used
                                                                       : pool->mostUsed;
  std::memcpy(value, &number, sizeof number);
  return CUDA_SUCCESS;
}

/// High-water marks can only be reset.
TW_DRIVER_API CUresult cuMemPoolSetAttribute(CUmemoryPool handle, int attribute,
                                             const void *value) {
  SharedPool pool;
  if (CUresult error = find(handle, pool))
    return error;
  if (!value || attribute < firstReuse || attribute > mostUsed || attribute == reserved ||
      attribute == used)
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(pool->mutex);
  if (attribute <= lastReuse) {
    std::memcpy(&pool->reuse[attribute - firstReuse], value, sizeof(int));
    return CUDA_SUCCESS;
  }
  uint64_t number;
  std::memcpy(&number, value, sizeof number);
  if (attribute == releaseThreshold)
    pool->releaseThreshold = number;
  else if (number)
    return CUDA_ERROR_INVALID_VALUE;
  else
    pool->mostUsed = pool->used;
  return CUDA_SUCCESS;
}

//===-- Allocations -------------------------------------------------------------------------===//

/// During a capture, the memory belongs to the new graph node, not to a pool.
static CUresult allocateIn(CUstream stream, CUdeviceptr *address, size_t size, SharedPool pool) {
  bool captured = false;
  if (CUresult error = isCaptured(stream, captured))
    return error;
  if (!captured)
    return allocate(address, size, MemoryKind::Device, std::move(pool));
  Work work;
  if (CUresult error = allocateForNode(address, size, work))
    return error;
  return capture(stream, NodeKind::MemAlloc, std::move(work));
}

TW_DRIVER_API CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t size,
                                               CUmemoryPool handle, CUstream stream) {
  if (CUresult error = verifyStream(stream))
    return error;
  SharedPool pool;
  if (CUresult error = find(handle, pool))
    return error;
  return allocateIn(stream, address, size, std::move(pool));
}

TW_DRIVER_API CUresult cuMemAllocAsync(CUdeviceptr *address, size_t size, CUstream stream) {
  if (CUresult error = verifyStream(stream))
    return error;
  SharedPool pool;
  {
    std::lock_guard lock(state().mutex);
    pool = currentPool();
  }
  return allocateIn(stream, address, size, std::move(pool));
}
