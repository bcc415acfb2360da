// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device queries: this machine, described as a GPU.

#include "tools/cuda/driver/Budget.h"
#include "tools/cuda/driver/State.h"

#include <cstdio>
#include <cstring>
#include <sched.h>

using namespace tilewright::cuda;

CUresult tilewright::cuda::verifyDevice(CUdevice device, const void *result) {
  if (CUresult error = verifyInitialised())
    return error;
  if (!result)
    return CUDA_ERROR_INVALID_VALUE;
  return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

TW_DRIVER_API CUresult cuDeviceGetCount(int *count) {
  if (CUresult error = verifyDevice(0, count))
    return error;
  *count = 1;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  if (CUresult error = verifyDevice(ordinal, device))
    return error;
  *device = 0;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  if (CUresult error = verifyDevice(device, name))
    return error;
  if (length <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  const twDevice kind = state().settings.device;
  std::snprintf(name, size_t(length), "%s",
                kind == TW_CPU   ? "Tilewright CPU"
                : kind == TW_PTX ? "Tilewright PTX machine"
                                 : "Tilewright reference machine");
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  if (CUresult error = verifyDevice(device, bytes))
    return error;
  *bytes = memoryLimit();
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
  if (CUresult error = verifyDevice(device, uuid))
    return error;
  std::memcpy(uuid->bytes, "tilewright-host\0", sizeof uuid->bytes);
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
  return cuDeviceGetUuid_v2(uuid, device);
}

/// The device is on no bus, but clients identify devices by bus IDs.
static constexpr char busId[] = "0000:00:00.0";

TW_DRIVER_API CUresult cuDeviceGetPCIBusId(char *id, int length, CUdevice device) {
  if (CUresult error = verifyDevice(device, id))
    return error;
  if (length < int(sizeof busId))
    return CUDA_ERROR_INVALID_VALUE;
  std::memcpy(id, busId, sizeof busId);
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id) {
  if (CUresult error = verifyDevice(0, device))
    return error;
  if (!id)
    return CUDA_ERROR_INVALID_VALUE;
  if (std::strcmp(id, busId) != 0)
    return CUDA_ERROR_INVALID_DEVICE;
  *device = 0;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  if (CUresult error = verifyDevice(device, can))
    return error;
  if (CUresult error = verifyDevice(peer, can))
    return error;
  *can = 0; // a device is not a peer of itself
  return CUDA_SUCCESS;
}

//===-- Attributes --------------------------------------------------------------------------===//

static int processorCount() {
  cpu_set_t processors;
  return sched_getaffinity(0, sizeof processors, &processors) == 0 ? CPU_COUNT(&processors) : 1;
}

namespace {
struct AttributeValue {
  int attribute, value;
};
enum { multiprocessorCount = 16, lastAttribute = 147 };
} // namespace

/// Compute capability 10.0, because it supports every Tile IR element type. The attributes about
/// threads, blocks and multiprocessors are those of such a device, because clients compute with
/// them. Attributes missing here are 0: for instance, the device has no textures.
static constexpr AttributeValue attributeValues[] = {
    {1, 1024},       // threads per block
    {2, 1024},       // threads per block along x,
    {3, 1024},       // y
    {4, 64},         // and z
    {5, 0xFFFFFF},   // blocks per grid along x,
    {6, 65535},      // y
    {7, 65535},      // and z
    {8, 49152},      // bytes of shared memory per block
    {9, 65536},      // bytes of constant memory
    {10, 32},        // threads per warp
    {11, INT32_MAX}, // maximum pitch of a copy, in bytes
    {12, 65536},     // registers per block
    {14, 512},       // texture alignment
    {18, 1},         // device memory is host memory
    {19, 1},         // which can be mapped
    {30, 512},       // surface alignment
    {31, 1},         // kernels run concurrently
    {38, 1 << 20},   // bytes of L2 cache
    {39, 2048},      // threads per multiprocessor
    {40, 1},         // copy engines
    {41, 1},         // one address space with the host
    {51, 32},        // texture pitch alignment
    {75, 10},        // compute capability
    {79, 1},         // global memory is cached in L1
    {80, 1},         // and local memory
    {81, 233472},    // bytes of shared memory per multiprocessor
    {82, 65536},     // registers per multiprocessor
    {83, 1},         // managed memory
    {86, 1},         // host atomics are supported natively
    {88, 1},         // pageable host memory can be accessed
    {89, 1},         // managed memory may be accessed concurrently
    {91, 1},         // registered memory has the same address as on the host
    {97, 232448},    // bytes of shared memory per block, on request
    {100, 1},        // uses the host's page tables
    {101, 1},        // the host accesses managed memory directly
    {106, 32},       // blocks per multiprocessor
    {99, 1},         // host memory can be registered
    {111, 1024},     // bytes of shared memory reserved by the driver
    {115, 1},        // memory pools
    {125, 1},        // interprocess events
};

TW_DRIVER_API CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  if (CUresult error = verifyDevice(device, value))
    return error;
  if (attribute <= 0 || attribute > lastAttribute)
    return CUDA_ERROR_INVALID_VALUE;
  *value = attribute == multiprocessorCount ? processorCount() : 0;
  for (const AttributeValue &row : attributeValues)
    if (row.attribute == attribute)
      *value = row.value;
  return CUDA_SUCCESS;
}

/// NVIDIA's own libraries request such undocumented function tables from the driver when they are
/// loaded. None is supported; only the caller gets the error, without a message.
TW_DRIVER_API CUresult cuGetExportTable(const void **table, const void *) {
  if (!table)
    return CUDA_ERROR_INVALID_VALUE;
  *table = nullptr;
  return CUDA_ERROR_NOT_SUPPORTED;
}
