// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver, its device, contexts and errors.

#include "tools/cuda/driver/State.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sched.h>
#include <unistd.h>
#include <vector>

using namespace tilewright::cuda;

State &tilewright::cuda::state() {
  static State *const state = new State;
  return *state;
}

//===-- Errors ------------------------------------------------------------------------------===//

namespace {
struct ErrorText {
  CUresult error;
  const char *name, *text;
};
} // namespace

static constexpr ErrorText errorTexts[] = {
    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
    {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {CUDA_ERROR_DEINITIALIZED, "CUDA_ERROR_DEINITIALIZED", "driver shutting down"},
    {CUDA_ERROR_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {CUDA_ERROR_INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {CUDA_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {CUDA_ERROR_NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS",
     "an illegal memory access was encountered"},
    {CUDA_ERROR_ASSERT, "CUDA_ERROR_ASSERT", "device-side assert triggered"},
    {CUDA_ERROR_MISALIGNED_ADDRESS, "CUDA_ERROR_MISALIGNED_ADDRESS", "misaligned address"},
    {CUDA_ERROR_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {CUDA_ERROR_NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {CUDA_ERROR_UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

static const ErrorText *textOf(CUresult error) {
  for (const ErrorText &row : errorTexts)
    if (row.error == error)
      return &row;
  return nullptr;
}

TW_DRIVER_API CUresult cuGetErrorString(CUresult error, const char **text) {
  const ErrorText *row = textOf(error);
  if (!text)
    return CUDA_ERROR_INVALID_VALUE;
  *text = row ? row->text : nullptr;
  return row ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

TW_DRIVER_API CUresult cuGetErrorName(CUresult error, const char **name) {
  const ErrorText *row = textOf(error);
  if (!name)
    return CUDA_ERROR_INVALID_VALUE;
  *name = row ? row->name : nullptr;
  return row ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult tilewright::cuda::complain(CUresult error, const std::string &what) {
  std::fflush(stdout);
  const bool isEnded = !what.empty() && what.back() == '\n';
  std::fprintf(stderr, "tilewright: libcuda: %s%s", what.c_str(), isEnded ? "" : "\n");
  return error;
}

CUresult tilewright::cuda::notSupported(const char *name) {
  static std::mutex mutex;
  static std::set<std::string> *const known = new std::set<std::string>;
  std::lock_guard lock(mutex);
  if (!known->insert(name).second)
    return CUDA_ERROR_NOT_SUPPORTED;
  return complain(CUDA_ERROR_NOT_SUPPORTED, std::string(name) + " is not supported");
}

void tilewright::cuda::leaveError(CUresult error) {
  int none = CUDA_SUCCESS;
  state().pendingError.compare_exchange_strong(none, error);
}

//===-- The driver --------------------------------------------------------------------------===//

static CUresult readSettings(Settings &settings) {
  if (const char *device = std::getenv("TILEWRIGHT_DEVICE"); device && *device) {
    if (std::strcmp(device, "cpu") != 0 && std::strcmp(device, "reference") != 0)
      return complain(CUDA_ERROR_INVALID_VALUE,
                      std::string("TILEWRIGHT_DEVICE must be cpu or reference, but is '") + device +
                          "'");
    settings.device = std::strcmp(device, "cpu") == 0 ? TW_CPU : TW_REFERENCE;
  }
  if (const char *checks = std::getenv("TILEWRIGHT_CHECK"))
    settings.checks = checks;
  if (!settings.checks.empty() && settings.device == TW_CPU)
    return complain(CUDA_ERROR_INVALID_VALUE,
                    "TILEWRIGHT_CHECK needs TILEWRIGHT_DEVICE=reference: compiled code is not "
                    "checked");
  for (const char *name : {"TILEWRIGHT_REPORT", "TILEWRIGHT_COVERAGE"})
    if (const char *value = std::getenv(name); value && *value)
      return complain(CUDA_ERROR_NOT_SUPPORTED, std::string(name) + " is not supported");
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuInit(unsigned flags) {
  if (flags)
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard lock(state().mutex);
  if (state().isInitialised)
    return CUDA_SUCCESS;
  Settings settings;
  if (CUresult error = readSettings(settings))
    return error;
  state().settings = settings;
  state().isInitialised = true;
  return CUDA_SUCCESS;
}

/// The interface is that of 13.0.
TW_DRIVER_API CUresult cuDriverGetVersion(int *version) {
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  *version = 13000;
  return CUDA_SUCCESS;
}

//===-- The device --------------------------------------------------------------------------===//

static CUresult verify(CUdevice device, const void *result) {
  if (!state().isInitialised)
    return CUDA_ERROR_NOT_INITIALIZED;
  if (!result)
    return CUDA_ERROR_INVALID_VALUE;
  return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

TW_DRIVER_API CUresult cuDeviceGetCount(int *count) {
  if (CUresult error = verify(0, count))
    return error;
  *count = 1;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  if (CUresult error = verify(ordinal, device))
    return error;
  *device = 0;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  if (CUresult error = verify(device, name))
    return error;
  if (length <= 0)
    return CUDA_ERROR_INVALID_VALUE;
  std::snprintf(name, size_t(length), "%s",
                state().settings.device == TW_CPU ? "Tilewright CPU"
                                                  : "Tilewright reference machine");
  return CUDA_SUCCESS;
}

static size_t totalMemory() {
  return size_t(sysconf(_SC_PHYS_PAGES)) * size_t(sysconf(_SC_PAGESIZE));
}

TW_DRIVER_API CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) {
  if (CUresult error = verify(device, bytes))
    return error;
  *bytes = totalMemory();
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
  if (CUresult error = verify(device, uuid))
    return error;
  std::memcpy(uuid->bytes, "tilewright-host\0", sizeof uuid->bytes);
  return CUDA_SUCCESS;
}

static int processorCount() {
  cpu_set_t processors;
  return sched_getaffinity(0, sizeof processors, &processors) == 0 ? CPU_COUNT(&processors) : 1;
}

namespace {
struct AttributeValue {
  int attribute, value;
};
} // namespace

/// Compute capability 10.0, because it takes every element type of Tile IR. What says how threads
/// of a block share a processor is that of such a device, for clients that compute with it.
static constexpr AttributeValue attributeValues[] = {
    {1, 1024},
    {2, 1024},
    {3, 1024},
    {4, 64}, // threads of a block, and along x, y, z
    {5, 0xFFFFFF},
    {6, 65535},
    {7, 65535}, // blocks along x, y, z
    {8, 49152},
    {9, 65536},
    {10, 32},
    {12, 65536}, // shared, constant; warp; registers
    {18, 1},
    {19, 1},
    {31, 1},
    {33, 0},
    {34, 0},
    {39, 2048}, // host memory; PCI
                // address
    {38, 1 << 20},
    {41, 1},
    {50, 0},
    {75, 10},
    {76, 0},
    {81, 233472},
    {82, 65536},
    {83, 1},
    {88, 1},
    {97, 232448},
    {100, 1},
    {106, 32},
    {115, 0},
    {125, 0}, // no memory pools, no events of other processes
};

TW_DRIVER_API CUresult cuDeviceGetAttribute(int *value, int attribute, CUdevice device) {
  if (CUresult error = verify(device, value))
    return error;
  constexpr int multiprocessorCount = 16;
  if (attribute == multiprocessorCount) {
    *value = processorCount();
    return CUDA_SUCCESS;
  }
  for (const AttributeValue &row : attributeValues)
    if (row.attribute == attribute) {
      *value = row.value;
      return CUDA_SUCCESS;
    }
  return notSupported(("cuDeviceGetAttribute of " + std::to_string(attribute)).c_str());
}

//===-- Contexts ----------------------------------------------------------------------------===//

/// The last one is current.
static thread_local std::vector<CUcontext> contextStack;

CUcontext tilewright::cuda::currentContext() {
  return contextStack.empty() ? &state().primary : contextStack.back();
}

static bool isContext(CUcontext context) {
  std::lock_guard lock(state().mutex);
  return state().contexts.contains(context);
}

TW_DRIVER_API CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  if (CUresult error = verify(device, context))
    return error;
  *context = &state().primary;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return verify(device, &device);
}

TW_DRIVER_API CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
  if (CUresult error = verify(device, flags); error || !active)
    return error ? error : CUDA_ERROR_INVALID_VALUE;
  *flags = 0;
  *active = 1;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuCtxCreate_v2(CUcontext *context, unsigned flags, CUdevice device) {
  if (CUresult error = verify(device, context))
    return error;
  auto *made = new CUctx_st{state().nextId++, flags};
  {
    std::lock_guard lock(state().mutex);
    state().contexts.insert(made);
  }
  contextStack.push_back(*context = made);
  return CUDA_SUCCESS;
}

/// `parameters` asks for what only a GPU can share out between contexts.
TW_DRIVER_API CUresult cuCtxCreate_v4(CUcontext *context, void *parameters, unsigned flags,
                                      CUdevice device) {
  if (parameters)
    return notSupported("cuCtxCreate_v4 with parameters");
  return cuCtxCreate_v2(context, flags, device);
}

TW_DRIVER_API CUresult cuCtxDestroy_v2(CUcontext context) {
  if (!isContext(context) || context == &state().primary)
    return CUDA_ERROR_INVALID_CONTEXT;
  std::erase(contextStack, context);
  std::lock_guard lock(state().mutex);
  state().contexts.erase(context);
  // Streams of it may be asked for their context: it stays in memory.
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuCtxGetCurrent(CUcontext *context) {
  if (!state().isInitialised)
    return CUDA_ERROR_NOT_INITIALIZED;
  if (!context)
    return CUDA_ERROR_INVALID_VALUE;
  *context = currentContext();
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuCtxSetCurrent(CUcontext context) {
  if (context && !isContext(context))
    return CUDA_ERROR_INVALID_CONTEXT;
  if (!contextStack.empty())
    contextStack.pop_back();
  if (context)
    contextStack.push_back(context);
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuCtxPushCurrent_v2(CUcontext context) {
  if (!isContext(context))
    return CUDA_ERROR_INVALID_CONTEXT;
  contextStack.push_back(context);
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuCtxPopCurrent_v2(CUcontext *context) {
  if (contextStack.empty())
    return CUDA_ERROR_INVALID_CONTEXT;
  if (context)
    *context = contextStack.back();
  contextStack.pop_back();
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuCtxGetDevice(CUdevice *device) {
  if (!device)
    return CUDA_ERROR_INVALID_VALUE;
  if (!currentContext())
    return CUDA_ERROR_INVALID_CONTEXT;
  *device = 0;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuCtxGetId(CUcontext context, unsigned long long *id) {
  CUcontext asked = context ? context : currentContext();
  if (!id)
    return CUDA_ERROR_INVALID_VALUE;
  if (!asked || !isContext(asked))
    return CUDA_ERROR_INVALID_CONTEXT;
  *id = asked->id;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuCtxGetFlags(unsigned *flags) {
  if (!flags)
    return CUDA_ERROR_INVALID_VALUE;
  if (!currentContext())
    return CUDA_ERROR_INVALID_CONTEXT;
  *flags = currentContext()->flags;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  if (least)
    *least = 0;
  if (greatest)
    *greatest = 0;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuCtxSynchronize() {
  return state().isInitialised ? takeError() : CUDA_ERROR_NOT_INITIALIZED;
}

/// Tables of functions between the driver and NVIDIA's own libraries, which ask for them when they
/// are loaded. They are not documented, and none is here: said to the caller only.
TW_DRIVER_API CUresult cuGetExportTable(const void **table, const void *) {
  if (!table)
    return CUDA_ERROR_INVALID_VALUE;
  *table = nullptr;
  return CUDA_ERROR_NOT_SUPPORTED;
}
