// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of NVIDIA's management interface (NVML) that this `libnvidia-ml.so.1` implements,
// following its public documentation: numbers, layouts and functions.

#ifndef TILEWRIGHT_TOOLS_CUDA_MANAGEMENT_MANAGEMENT_H
#define TILEWRIGHT_TOOLS_CUDA_MANAGEMENT_MANAGEMENT_H

enum nvmlReturn : int {
  NVML_SUCCESS = 0,
  NVML_ERROR_UNINITIALIZED = 1,
  NVML_ERROR_INVALID_ARGUMENT = 2,
  NVML_ERROR_NOT_SUPPORTED = 3,
  NVML_ERROR_NOT_FOUND = 6,
  NVML_ERROR_INSUFFICIENT_SIZE = 7,
  NVML_ERROR_DRIVER_NOT_LOADED = 9,
  NVML_ERROR_UNKNOWN = 999,
};

using nvmlDevice = struct nvmlDevice_st *;

struct nvmlMemory {
  unsigned long long total, free, used;
};

struct nvmlMemory_v2 {
  unsigned version;
  unsigned long long total, reserved, free, used;
};

struct nvmlPciInfo {
  char busIdLegacy[16];
  unsigned domain, bus, device, pciDeviceId, pciSubSystemId;
  char busId[32];
};
static_assert(sizeof(nvmlPciInfo) == 68);

#define TW_NVML_API extern "C" __attribute__((visibility("default")))

TW_NVML_API nvmlReturn nvmlInit_v2();
TW_NVML_API const char *nvmlErrorString(nvmlReturn error);
TW_NVML_API nvmlReturn nvmlSystemGetDriverVersion(char *text, unsigned length);
TW_NVML_API nvmlReturn nvmlSystemGetCudaDriverVersion(int *version);
TW_NVML_API nvmlReturn nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice *device);
TW_NVML_API nvmlReturn nvmlDeviceGetName(nvmlDevice device, char *text, unsigned length);
TW_NVML_API nvmlReturn nvmlDeviceGetUUID(nvmlDevice device, char *text, unsigned length);
TW_NVML_API nvmlReturn nvmlDeviceGetMemoryInfo(nvmlDevice device, nvmlMemory *memory);
TW_NVML_API nvmlReturn nvmlDeviceGetPciInfo_v3(nvmlDevice device, nvmlPciInfo *info);
TW_NVML_API nvmlReturn nvmlDeviceGetCudaComputeCapability(nvmlDevice device, int *major,
                                                          int *minor);

#endif // TILEWRIGHT_TOOLS_CUDA_MANAGEMENT_MANAGEMENT_H
