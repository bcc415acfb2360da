// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Cuda.h. The types, constants and function names are those of the CUDA driver API (NVIDIA's
// reference manual).

#include "tilewright/runtime/Cuda.h"

#include <algorithm>
#include <dlfcn.h>
#include <optional>
#include <type_traits>
#include <vector>

using namespace tilewright;
using namespace tilewright::runtime;
using support::Failure;
using support::Result;

using Status = int;       // CUresult; 0 is success
using Address = uint64_t; // CUdeviceptr

//===-- The library ---------------------------------------------------------------------------===//

struct runtime::CudaDriver {
  void *library = nullptr, *context = nullptr;
  int device = 0;

  Status (*cuInit)(unsigned);
  Status (*cuDeviceGet)(int *, int);
  Status (*cuDeviceGetName)(char *, int, int);
  Status (*cuDeviceGetAttribute)(int *, int, int);
  Status (*cuDevicePrimaryCtxRetain)(void **, int);
  Status (*cuDevicePrimaryCtxRelease)(int);
  Status (*cuCtxPushCurrent)(void *);
  Status (*cuCtxPopCurrent)(void **);
  Status (*cuCtxSynchronize)();
  Status (*cuStreamSynchronize)(void *);
  Status (*cuPointerGetAttribute)(void *, int, Address);
  Status (*cuModuleLoadDataEx)(void **, const void *, unsigned, const int *, void **);
  Status (*cuModuleUnload)(void *);
  Status (*cuModuleGetFunction)(void **, void *, const char *);
  Status (*cuFuncSetAttribute)(void *, int, int);
  Status (*cuMemAlloc)(Address *, size_t);
  Status (*cuMemFree)(Address);
  Status (*cuMemcpyHtoD)(Address, const void *, size_t);
  Status (*cuMemcpyDtoH)(void *, Address, size_t);
  Status (*cuLaunchKernel)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                           unsigned, void *, void **, void **);
  Status (*cuGetErrorName)(Status, const char **);
  Status (*cuGetErrorString)(Status, const char **);

  ~CudaDriver() {
    if (context)
      cuDevicePrimaryCtxRelease(device);
    // The library stays loaded: a driver has threads and signal handlers of its own.
  }

  Result<void> findFunctions();
  /// A failure of `what`, with the driver's error name and text.
  Failure failure(const std::string &what, Status status) const;
};

static constexpr const char *libraryName = "libcuda.so.1";

/// Functions with the suffix _v2 are the ones that take today's types.
Result<void> CudaDriver::findFunctions() {
  std::string missing;
  const auto find = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    if (!function && missing.empty())
      missing = name;
  };
  find(cuInit, "cuInit");
  find(cuDeviceGet, "cuDeviceGet");
  find(cuDeviceGetName, "cuDeviceGetName");
  find(cuDeviceGetAttribute, "cuDeviceGetAttribute");
  find(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
  find(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2");
  find(cuCtxPushCurrent, "cuCtxPushCurrent_v2");
  find(cuCtxPopCurrent, "cuCtxPopCurrent_v2");
  find(cuCtxSynchronize, "cuCtxSynchronize");
  find(cuStreamSynchronize, "cuStreamSynchronize");
  find(cuPointerGetAttribute, "cuPointerGetAttribute");
  find(cuModuleLoadDataEx, "cuModuleLoadDataEx");
  find(cuModuleUnload, "cuModuleUnload");
  find(cuModuleGetFunction, "cuModuleGetFunction");
  find(cuFuncSetAttribute, "cuFuncSetAttribute");
  find(cuMemAlloc, "cuMemAlloc_v2");
  find(cuMemFree, "cuMemFree_v2");
  find(cuMemcpyHtoD, "cuMemcpyHtoD_v2");
  find(cuMemcpyDtoH, "cuMemcpyDtoH_v2");
  find(cuLaunchKernel, "cuLaunchKernel");
  find(cuGetErrorName, "cuGetErrorName");
  find(cuGetErrorString, "cuGetErrorString");
  if (missing.empty())
    return {};
  return Failure{std::string(libraryName) + " has no function " + missing +
                 ": it is too old, or no driver of a GPU"};
}

Failure CudaDriver::failure(const std::string &what, Status status) const {
  const char *name = nullptr, *text = nullptr;
  cuGetErrorName(status, &name);
  cuGetErrorString(status, &text);
  return {what + ": " + (name ? name : "error " + std::to_string(status)) +
          (text ? std::string(": ") + text : "")};
}

//===-- The device ----------------------------------------------------------------------------===//

// Values of CUdevice_attribute.
static constexpr int majorCapability = 75, minorCapability = 76;

Result<CudaDevice> CudaDevice::open() {
  const auto driver = std::make_shared<CudaDriver>();
  driver->library = dlopen(libraryName, RTLD_NOW | RTLD_LOCAL);
  if (!driver->library) {
    const char *why = dlerror();
    return Failure{std::string("there is no driver of an NVIDIA GPU: ") +
                   (why ? why : libraryName)};
  }
  if (Result<void> found = driver->findFunctions(); !found)
    return found.failure();
  if (const Status status = driver->cuInit(0))
    return driver->failure("the driver of the GPU does not start", status);
  if (const Status status = driver->cuDeviceGet(&driver->device, 0))
    return driver->failure("there is no NVIDIA GPU", status);

  CudaDevice device(driver);
  char name[256] = {};
  int major = 0, minor = 0;
  Status status = driver->cuDeviceGetName(name, sizeof name - 1, driver->device);
  if (!status)
    status = driver->cuDeviceGetAttribute(&major, majorCapability, driver->device);
  if (!status)
    status = driver->cuDeviceGetAttribute(&minor, minorCapability, driver->device);
  if (!status)
    status = driver->cuDevicePrimaryCtxRetain(&driver->context, driver->device);
  if (status)
    return driver->failure("the GPU cannot be used", status);
  device.deviceName = name;
  device.deviceCapability = 10 * major + minor;
  return device;
}

Result<CudaContext> CudaDevice::enter() const {
  if (const Status status = driver->cuCtxPushCurrent(driver->context))
    return driver->failure("the GPU cannot be used", status);
  return CudaContext(driver);
}

CudaContext::~CudaContext() {
  void *popped = nullptr;
  if (driver)
    driver->cuCtxPopCurrent(&popped);
}

//===-- Memory --------------------------------------------------------------------------------===//

Result<CudaMemory> CudaDevice::allocate(uint64_t bytes) const {
  Address address = 0;
  // cuMemAlloc refuses zero bytes.
  if (const Status status = driver->cuMemAlloc(&address, std::max<uint64_t>(1, bytes)))
    return driver->failure(std::to_string(bytes) + " bytes of the GPU's memory", status);
  return CudaMemory(driver, address, bytes);
}

CudaMemory::~CudaMemory() {
  if (driver)
    driver->cuMemFree(start);
}

Result<void> CudaMemory::write(std::span<const uint8_t> from) {
  if (from.empty())
    return {};
  if (const Status status = driver->cuMemcpyHtoD(start, from.data(), std::min(bytes, from.size())))
    return driver->failure("copying to the GPU", status);
  return {};
}

Result<void> CudaMemory::read(std::span<uint8_t> to) const {
  if (to.empty())
    return {};
  if (const Status status = driver->cuMemcpyDtoH(to.data(), start, std::min(bytes, to.size())))
    return driver->failure("copying from the GPU", status);
  return {};
}

Result<void> CudaDevice::verify(uint64_t address) const {
  constexpr int isManaged = 8, deviceOrdinal = 9; // of CUpointer_attribute
  int device = driver->device, managed = 0;
  if (driver->cuPointerGetAttribute(&device, deviceOrdinal, address) || device < 0 ||
      device == driver->device)
    return {};
  if (!driver->cuPointerGetAttribute(&managed, isManaged, address) && managed)
    return {};
  return Failure{"the memory is on GPU " + std::to_string(device) +
                 ", but the kernel runs on GPU " + std::to_string(driver->device)};
}

//===-- Kernels -------------------------------------------------------------------------------===//

// Values of CUjit_option.
static constexpr int errorLog = 5, errorLogBytes = 6;

Result<CudaKernel> CudaDevice::load(const std::string &code, const std::string &kernel) const {
  std::vector<char> log(16 * 1024);
  const int options[] = {errorLog, errorLogBytes};
  void *values[] = {log.data(), reinterpret_cast<void *>(log.size() - 1)};
  void *module = nullptr, *function = nullptr;
  if (const Status status = driver->cuModuleLoadDataEx(&module, code.c_str(), 2, options, values)) {
    Failure failed = driver->failure("the driver refuses the code", status);
    if (log.front())
      failed.message += "\n" + std::string(log.data());
    return failed;
  }
  CudaKernel loaded(driver, module, nullptr);
  if (const Status status = driver->cuModuleGetFunction(&function, module, kernel.c_str()))
    return driver->failure("the kernel " + kernel, status);
  loaded.function = function;
  return loaded;
}

CudaKernel::~CudaKernel() {
  if (driver)
    driver->cuModuleUnload(module);
}

/// Errors (CUresult) that a kernel causes: an illegal address, a stack error, an illegal
/// instruction, a misaligned address, an invalid address space or program counter, an exception.
static bool isMisbehaviour(Status status) {
  return status == 700 || (status >= 714 && status <= 719);
}

static constexpr Status assertionFailed = 710;

Result<void> CudaKernel::permitDynamicShared(unsigned bytes) {
  constexpr int mostDynamicShared = 8; // of CUfunction_attribute
  if (const Status status = driver->cuFuncSetAttribute(function, mostDynamicShared, int(bytes)))
    return driver->failure(
        "a kernel with " + std::to_string(bytes) + " bytes of dynamic shared memory", status);
  return {};
}

Result<void> CudaKernel::enqueue(const Grid &grid, unsigned threads, unsigned shared,
                                 std::span<void *> parameters, void *stream) const {
  if (const Status status = driver->cuLaunchKernel(function, unsigned(grid.x()), unsigned(grid.y()),
                                                   unsigned(grid.z()), threads, 1, 1, shared,
                                                   stream, parameters.data(), /*extra=*/nullptr))
    return driver->failure("the launch", status);
  return {};
}

Result<void> CudaDevice::synchronize() const {
  const Status status = driver->cuCtxSynchronize();
  if (!status)
    return {};
  const bool isOfKernel = isMisbehaviour(status) || status == assertionFailed;
  return driver->failure(
      isOfKernel ? "an earlier kernel of this process failed" : "the GPU cannot be used", status);
}

std::optional<CudaFault> CudaDevice::wait() const {
  const Status status = driver->cuStreamSynchronize(nullptr);
  if (!status)
    return std::nullopt;
  return CudaFault{driver->failure("the kernel", status).message, isMisbehaviour(status),
                   status == assertionFailed};
}
