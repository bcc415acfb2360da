// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory. That of the device is memory of this process: every address of it may be passed to a
// kernel, whether it was allocated here or not.

#include "tools/cuda/driver/Stream.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <unistd.h>

using namespace tilewright::cuda;

static void *pointerTo(CUdeviceptr address) { return reinterpret_cast<void *>(uintptr_t(address)); }

//===-- Allocations -------------------------------------------------------------------------===//

namespace {
struct Allocation {
  size_t size;
  bool isHost;
  std::shared_ptr<CUctx_st> context;
};

struct Allocations {
  std::mutex mutex;
  std::map<CUdeviceptr, Allocation> byAddress;
};
} // namespace

static Allocations &allocations() {
  static auto *const allocations = new Allocations;
  return *allocations;
}

/// As clients of a GPU expect: addresses are multiples of 256.
static CUresult allocate(CUdeviceptr *address, size_t size, bool isHost) {
  if (CUresult error = verifyInitialised())
    return error;
  if (!address || size == 0)
    return CUDA_ERROR_INVALID_VALUE;
  constexpr size_t alignment = 256;
  const size_t machine = size_t(sysconf(_SC_PHYS_PAGES)) * size_t(sysconf(_SC_PAGESIZE));
  void *memory =
      size > machine
          ? nullptr
          : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (!memory)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *address = reinterpret_cast<uintptr_t>(memory);
  std::lock_guard lock(allocations().mutex);
  allocations().byAddress[*address] = {size, isHost, currentContext()};
  return CUDA_SUCCESS;
}

/// Tells no error of a kernel: who frees memory seldom looks.
static CUresult release(CUdeviceptr address, bool isHost) {
  if (CUresult error = verifyInitialised())
    return error;
  if (!address)
    return isHost ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  {
    std::lock_guard lock(allocations().mutex);
    auto found = allocations().byAddress.find(address);
    if (found == allocations().byAddress.end() || found->second.isHost != isHost)
      return CUDA_ERROR_INVALID_VALUE;
    allocations().byAddress.erase(found);
  }
  std::free(pointerTo(address));
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t size) {
  return allocate(address, size, /*isHost=*/false);
}
TW_DRIVER_API CUresult cuMemAllocManaged(CUdeviceptr *address, size_t size, unsigned) {
  return allocate(address, size, /*isHost=*/false);
}
TW_DRIVER_API CUresult cuMemAllocAsync(CUdeviceptr *address, size_t size, CUstream stream) {
  if (CUresult error = verifyStream(stream))
    return error;
  return allocate(address, size, /*isHost=*/false);
}
TW_DRIVER_API CUresult cuMemFree_v2(CUdeviceptr address) { return release(address, false); }
TW_DRIVER_API CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  if (CUresult error = verifyStream(stream))
    return error;
  return release(address, /*isHost=*/false);
}
TW_DRIVER_API CUresult cuMemHostAlloc(void **memory, size_t size, unsigned) {
  CUdeviceptr address;
  if (!memory)
    return CUDA_ERROR_INVALID_VALUE;
  if (CUresult error = allocate(&address, size, /*isHost=*/true))
    return error;
  *memory = pointerTo(address);
  return CUDA_SUCCESS;
}
TW_DRIVER_API CUresult cuMemAllocHost_v2(void **memory, size_t size) {
  return cuMemHostAlloc(memory, size, 0);
}
TW_DRIVER_API CUresult cuMemFreeHost(void *memory) {
  return release(reinterpret_cast<uintptr_t>(memory), /*isHost=*/true);
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
  *free = size_t(sysconf(_SC_AVPHYS_PAGES)) * size_t(sysconf(_SC_PAGESIZE));
  *total = size_t(sysconf(_SC_PHYS_PAGES)) * size_t(sysconf(_SC_PAGESIZE));
  return CUDA_SUCCESS;
}

/// The allocation that the address lies in.
static CUresult rangeOf(CUdeviceptr address, CUdeviceptr &base, Allocation &allocation) {
  std::lock_guard lock(allocations().mutex);
  auto next = allocations().byAddress.upper_bound(address);
  if (next == allocations().byAddress.begin())
    return CUDA_ERROR_INVALID_VALUE;
  auto found = std::prev(next);
  if (address - found->first >= found->second.size)
    return CUDA_ERROR_INVALID_VALUE;
  base = found->first;
  allocation = found->second;
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

/// Waits for the device first, which may have an error to tell.
static CUresult copy(void *to, const void *from, size_t size) {
  if (CUresult error = verifyInitialised())
    return error;
  if (size && (!to || !from))
    return CUDA_ERROR_INVALID_VALUE;
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
  std::memmove(to, from, size);
  return CUDA_SUCCESS;
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

template <typename Word>
static CUresult fill(CUdeviceptr to, Word value, size_t count, CUstream stream = nullptr) {
  if (CUresult error = verifyStream(stream))
    return error;
  if (count && (!to || to % sizeof value))
    return CUDA_ERROR_INVALID_VALUE;
  std::fill_n(static_cast<Word *>(pointerTo(to)), count, value);
  return CUDA_SUCCESS;
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

//===-- Questions about an address ----------------------------------------------------------===//

/// The size of the answer is that of the attribute.
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
    return answer<unsigned>(result, allocation.isHost ? 1 : 2);
  case devicePointer:
  case hostPointer:
    return answer(result, address);
  case isManaged:
  case isIpcCapable:
    return answer<unsigned>(result, 0);
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
