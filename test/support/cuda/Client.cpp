// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the driver (Driver.cpp) that cuda-tile calls. It asks for every function that it
// could need at once, by name; those that it calls only for graphs, events and lists of arrays do
// not exist here, and return CUDA_ERROR_NOT_SUPPORTED.

#include <cstdint>
#include <dlfcn.h>
#include <string>

#define EXPORT extern "C" __attribute__((visibility("default"))) int

enum Status : int { Success = 0, InvalidValue = 1, NotSupported = 801 };

extern "C" {
int cuCtxGetCurrent(void **context);
int cuDeviceGet(int *device, int ordinal);
int cuLaunchKernel(void *function, unsigned x, unsigned y, unsigned z, unsigned blockX,
                   unsigned blockY, unsigned blockZ, unsigned shared, void *stream,
                   void **parameters, void **extra);
}

EXPORT cuDriverGetVersion(int *version) {
  *version = 13000;
  return Success;
}

EXPORT cuDeviceGetCount(int *count) {
  int device = 0;
  *count = cuDeviceGet(&device, 0) == Success;
  return Success;
}

EXPORT cuCtxGetDevice(int *device) { return cuDeviceGet(device, 0); }

/// All streams are of the primary context.
EXPORT cuStreamGetCtx(void *, void **context) { return cuCtxGetCurrent(context); }

EXPORT cuStreamGetCtx_v2(void *stream, void **context, void **green) {
  *green = nullptr;
  return cuStreamGetCtx(stream, context);
}

namespace {
/// CUlaunchConfig.
struct LaunchConfig {
  unsigned grid[3], block[3], shared;
  void *stream, *attributes;
  unsigned attributeCount;
};
} // namespace

/// The PTX machine runs clusters as the kernel defines them. Attributes would change the launch.
EXPORT cuLaunchKernelEx(const LaunchConfig *config, void *function, void **parameters,
                        void **extra) {
  if (config->attributeCount)
    return InvalidValue;
  return cuLaunchKernel(function, config->grid[0], config->grid[1], config->grid[2],
                        config->block[0], config->block[1], config->block[2], config->shared,
                        config->stream, parameters, extra);
}

static int notSupported() { return NotSupported; }

/// The function of this library, which a client may have loaded without making its symbols global.
static void *find(const std::string &name) {
  Dl_info info = {};
  dladdr(reinterpret_cast<const void *>(&notSupported), &info);
  static void *const library = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
  return dlsym(library, name.c_str());
}

/// Names have no suffix: it follows from the version that the caller asks for.
EXPORT cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t, int *status) {
  const bool isSecond = std::string(name) != "cuStreamGetCtx" || version >= 12050;
  *function = isSecond ? find(std::string(name) + "_v2") : nullptr;
  if (!*function)
    *function = find(name);
  if (!*function)
    *function = reinterpret_cast<void *>(&notSupported);
  if (status)
    *status = 0; // CU_GET_PROC_ADDRESS_SUCCESS
  return Success;
}
