// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `libnvidia-ml.so.1`: answers GPU monitoring queries (pynvml, nvidia-smi) about the one device of
// our libcuda.so.1. Queries that have no answer without a GPU (temperature, power, clocks,
// utilisation) return NVML_ERROR_NOT_SUPPORTED.

#include "tools/cuda/management/Management.h"

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

extern "C" {
int cuInit(unsigned flags);
int cuDriverGetVersion(int *version);
int cuDeviceGetName(char *name, int length, int device);
int cuDeviceGetUuid_v2(unsigned char *uuid, int device);
int cuDeviceGetAttribute(int *value, int attribute, int device);
int cuDeviceGetPCIBusId(char *id, int length, int device);
int cuMemGetInfo_v2(size_t *free, size_t *total);
}

/// The newest driver whose interface libcuda.so.1 implements. Clients compare versions.
static constexpr std::string_view driverVersion = "580.00", ownVersion = "13.580.00";

static std::atomic<int> users = 0;
static char theDevice;
static const auto device0 = reinterpret_cast<nvmlDevice>(&theDevice);

static nvmlReturn verify(const void *result) {
  if (users <= 0)
    return NVML_ERROR_UNINITIALIZED;
  return result ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}
static nvmlReturn verify(nvmlDevice device, const void *result) {
  if (const nvmlReturn error = verify(result))
    return error;
  return device == device0 ? NVML_SUCCESS : NVML_ERROR_INVALID_ARGUMENT;
}

static nvmlReturn write(std::string_view from, char *text, unsigned length) {
  if (from.size() >= length)
    return NVML_ERROR_INSUFFICIENT_SIZE;
  std::memcpy(text, from.data(), from.size());
  text[from.size()] = '\0';
  return NVML_SUCCESS;
}

//===-- The library -------------------------------------------------------------------------===//

TW_NVML_API nvmlReturn nvmlInitWithFlags(unsigned) {
  if (cuInit(0))
    return NVML_ERROR_DRIVER_NOT_LOADED;
  ++users;
  return NVML_SUCCESS;
}
nvmlReturn nvmlInit_v2() { return nvmlInitWithFlags(0); }
TW_NVML_API nvmlReturn nvmlInit() { return nvmlInit_v2(); }

TW_NVML_API nvmlReturn nvmlShutdown() {
  if (users <= 0)
    return NVML_ERROR_UNINITIALIZED;
  --users;
  return NVML_SUCCESS;
}

const char *nvmlErrorString(nvmlReturn error) {
  switch (error) {
  case NVML_SUCCESS:
    return "Success";
  case NVML_ERROR_UNINITIALIZED:
    return "Uninitialized";
  case NVML_ERROR_INVALID_ARGUMENT:
    return "Invalid Argument";
  case NVML_ERROR_NOT_SUPPORTED:
    return "Not Supported";
  case NVML_ERROR_NOT_FOUND:
    return "Not Found";
  case NVML_ERROR_INSUFFICIENT_SIZE:
    return "Insufficient Size";
  case NVML_ERROR_DRIVER_NOT_LOADED:
    return "Driver Not Loaded";
  default:
    return "Unknown Error";
  }
}

nvmlReturn nvmlSystemGetDriverVersion(char *text, unsigned length) {
  const nvmlReturn error = verify(text);
  return error ? error : write(driverVersion, text, length);
}
TW_NVML_API nvmlReturn nvmlSystemGetNVMLVersion(char *text, unsigned length) {
  const nvmlReturn error = verify(text);
  return error ? error : write(ownVersion, text, length);
}
nvmlReturn nvmlSystemGetCudaDriverVersion(int *version) {
  const nvmlReturn error = verify(version);
  if (error)
    return error;
  return cuDriverGetVersion(version) ? NVML_ERROR_UNKNOWN : NVML_SUCCESS;
}
TW_NVML_API nvmlReturn nvmlSystemGetCudaDriverVersion_v2(int *version) {
  return nvmlSystemGetCudaDriverVersion(version);
}

//===-- The device --------------------------------------------------------------------------===//

TW_NVML_API nvmlReturn nvmlDeviceGetCount_v2(unsigned *count) {
  if (const nvmlReturn error = verify(count))
    return error;
  *count = 1;
  return NVML_SUCCESS;
}
TW_NVML_API nvmlReturn nvmlDeviceGetCount(unsigned *count) { return nvmlDeviceGetCount_v2(count); }

nvmlReturn nvmlDeviceGetHandleByIndex_v2(unsigned index, nvmlDevice *device) {
  if (const nvmlReturn error = verify(device))
    return error;
  if (index != 0)
    return NVML_ERROR_INVALID_ARGUMENT;
  *device = device0;
  return NVML_SUCCESS;
}
TW_NVML_API nvmlReturn nvmlDeviceGetHandleByIndex(unsigned index, nvmlDevice *device) {
  return nvmlDeviceGetHandleByIndex_v2(index, device);
}

nvmlReturn nvmlDeviceGetName(nvmlDevice device, char *text, unsigned length) {
  if (const nvmlReturn error = verify(device, text))
    return error;
  char name[96];
  if (cuDeviceGetName(name, sizeof name, 0))
    return NVML_ERROR_UNKNOWN;
  return write(name, text, length);
}

nvmlReturn nvmlDeviceGetUUID(nvmlDevice device, char *text, unsigned length) {
  if (const nvmlReturn error = verify(device, text))
    return error;
  unsigned char bytes[16];
  if (cuDeviceGetUuid_v2(bytes, 0))
    return NVML_ERROR_UNKNOWN;
  std::string uuid = "GPU";
  for (unsigned i = 0; i < sizeof bytes; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", bytes[i]);
    uuid += std::string(i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "") + digits;
  }
  return write(uuid, text, length);
}

TW_NVML_API nvmlReturn nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice *device) {
  if (const nvmlReturn error = verify(device))
    return error;
  char own[64];
  if (const nvmlReturn error = nvmlDeviceGetUUID(device0, own, sizeof own))
    return error;
  if (!uuid || std::strcmp(uuid, own) != 0)
    return uuid ? NVML_ERROR_NOT_FOUND : NVML_ERROR_INVALID_ARGUMENT;
  *device = device0;
  return NVML_SUCCESS;
}

TW_NVML_API nvmlReturn nvmlDeviceGetIndex(nvmlDevice device, unsigned *index) {
  if (const nvmlReturn error = verify(device, index))
    return error;
  *index = 0;
  return NVML_SUCCESS;
}
TW_NVML_API nvmlReturn nvmlDeviceGetMinorNumber(nvmlDevice device, unsigned *number) {
  return nvmlDeviceGetIndex(device, number);
}

nvmlReturn nvmlDeviceGetMemoryInfo(nvmlDevice device, nvmlMemory *memory) {
  if (const nvmlReturn error = verify(device, memory))
    return error;
  size_t free, total;
  if (cuMemGetInfo_v2(&free, &total))
    return NVML_ERROR_UNKNOWN;
  *memory = {total, free, total - free};
  return NVML_SUCCESS;
}

/// The client sets the version field, which encodes the size of the structure.
TW_NVML_API nvmlReturn nvmlDeviceGetMemoryInfo_v2(nvmlDevice device, nvmlMemory_v2 *memory) {
  if (const nvmlReturn error = verify(device, memory))
    return error;
  if (memory->version != (sizeof *memory | 2 << 24))
    return NVML_ERROR_INVALID_ARGUMENT;
  nvmlMemory found;
  if (const nvmlReturn error = nvmlDeviceGetMemoryInfo(device, &found))
    return error;
  *memory = {memory->version, found.total, 0, found.free, found.used};
  return NVML_SUCCESS;
}

nvmlReturn nvmlDeviceGetCudaComputeCapability(nvmlDevice device, int *major, int *minor) {
  constexpr int majorAttribute = 75, minorAttribute = 76;
  if (const nvmlReturn error = verify(device, major ? minor : nullptr))
    return error;
  return cuDeviceGetAttribute(major, majorAttribute, 0) ||
                 cuDeviceGetAttribute(minor, minorAttribute, 0)
             ? NVML_ERROR_UNKNOWN
             : NVML_SUCCESS;
}

/// The device is on no bus: all numbers are 0.
nvmlReturn nvmlDeviceGetPciInfo_v3(nvmlDevice device, nvmlPciInfo *info) {
  if (const nvmlReturn error = verify(device, info))
    return error;
  *info = {};
  if (cuDeviceGetPCIBusId(info->busIdLegacy, sizeof info->busIdLegacy, 0))
    return NVML_ERROR_UNKNOWN;
  std::snprintf(info->busId, sizeof info->busId, "0000%s", info->busIdLegacy);
  return NVML_SUCCESS;
}

TW_NVML_API nvmlReturn nvmlDeviceGetHandleByPciBusId_v2(const char *id, nvmlDevice *device) {
  if (const nvmlReturn error = verify(device))
    return error;
  nvmlPciInfo own;
  if (const nvmlReturn error = nvmlDeviceGetPciInfo_v3(device0, &own))
    return error;
  if (!id || (std::strcmp(id, own.busId) != 0 && std::strcmp(id, own.busIdLegacy) != 0))
    return id ? NVML_ERROR_NOT_FOUND : NVML_ERROR_INVALID_ARGUMENT;
  *device = device0;
  return NVML_SUCCESS;
}

/// Users of the device are not tracked.
#define NO_PROCESSES(name)                                                                         \
  TW_NVML_API nvmlReturn name(nvmlDevice device, unsigned *count, void *) {                        \
    const nvmlReturn error = verify(device, count);                                                \
    if (!error)                                                                                    \
      *count = 0;                                                                                  \
    return error;                                                                                  \
  }
NO_PROCESSES(nvmlDeviceGetComputeRunningProcesses_v3)
NO_PROCESSES(nvmlDeviceGetGraphicsRunningProcesses_v3)

/// Properties that CPUs do not have, or that are not known per kernel.
#define NOT_SUPPORTED(name)                                                                        \
  TW_NVML_API nvmlReturn name(nvmlDevice device) {                                                 \
    const nvmlReturn error = verify(device, &theDevice);                                           \
    return error ? error : NVML_ERROR_NOT_SUPPORTED;                                               \
  }
NOT_SUPPORTED(nvmlDeviceGetClockInfo)
NOT_SUPPORTED(nvmlDeviceGetCurrentClocksThrottleReasons)
NOT_SUPPORTED(nvmlDeviceGetEnforcedPowerLimit)
NOT_SUPPORTED(nvmlDeviceGetFanSpeed)
NOT_SUPPORTED(nvmlDeviceGetMaxClockInfo)
NOT_SUPPORTED(nvmlDeviceGetPerformanceState)
NOT_SUPPORTED(nvmlDeviceGetPersistenceMode)
NOT_SUPPORTED(nvmlDeviceGetPowerManagementLimit)
NOT_SUPPORTED(nvmlDeviceGetPowerUsage)
NOT_SUPPORTED(nvmlDeviceGetTemperature)
NOT_SUPPORTED(nvmlDeviceGetTotalEnergyConsumption)
NOT_SUPPORTED(nvmlDeviceGetUtilizationRates)
