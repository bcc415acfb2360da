// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Library.h.

#include "tools/cuda/driver/Library.h"
#include "tools/cuda/Container.h"
#include "tools/cuda/driver/Handles.h"
#include "tools/cuda/driver/SourceNames.h"

#include <cstring>

using namespace tilewright::cuda;
using SharedLibrary = std::shared_ptr<CUlib_st>;

static Handles<CUlib_st> &libraries() {
  static auto *const libraries = new Handles<CUlib_st>;
  return *libraries;
}

static Handles<CUkern_st> &kernels() {
  static auto *const kernels = new Handles<CUkern_st>;
  return *kernels;
}

SharedKernel tilewright::cuda::findKernel(CUkernel handle) { return kernels().find(handle); }

//===-- Libraries ---------------------------------------------------------------------------===//

/// Reads and verifies the program. Prints a message on failure.
static CUresult read(const Container &container, CUlib_st &library) {
  twContext *context = api().twContextCreate();
  twDiagnostics *diagnostics = nullptr;
  const twStatus status =
      api().twModuleRead(context, container.program.data(), container.program.size(), "<kernel>",
                         &library.module, &diagnostics);
  api().twContextDestroy(context);
  if (status != TW_SUCCESS)
    reportError(CUDA_ERROR_INVALID_IMAGE, api().twDiagnosticsText(diagnostics));
  api().twDiagnosticsDestroy(diagnostics);
  return status == TW_SUCCESS ? CUDA_SUCCESS : CUDA_ERROR_INVALID_IMAGE;
}

/// The error for an image that is not a container of this build.
static CUresult refuse(const void *image) {
  // strncmp stops at the first byte that differs.
  if (std::strncmp(static_cast<const char *>(image), "\177ELF", 4) == 0)
    return reportError(
        CUDA_ERROR_INVALID_IMAGE,
        "cuLibraryLoadData: the image is code for a GPU, by another compiler than "
        "Tilewright's tileiras. If the package nvidia-cuda-tileiras is installed, start "
        "the script with `tilewright exec` and without Python's options -I, -E and -S");
  return reportError(CUDA_ERROR_INVALID_IMAGE,
                     "cuLibraryLoadData: the image was not written by this build of tileiras: a "
                     "client that kept it from another compiler should be given an empty cache");
}

TW_DRIVER_API CUresult cuLibraryLoadData(CUlibrary *library, const void *image, int *, void **,
                                         unsigned, int *, void **, unsigned) {
  if (CUresult error = verifyInitialised())
    return error;
  if (!library || !image)
    return CUDA_ERROR_INVALID_VALUE;
  std::optional<Container> container = readContainer(image);
  if (!container || container->optimization > 3)
    return refuse(image);
  if (!findApi())
    return CUDA_ERROR_UNKNOWN;
  auto made = std::make_shared<CUlib_st>();
  made->optimization = twOptimization(TW_O0 + container->optimization);
  made->debugInfo = container->debugInfo;
  if (CUresult error = read(*container, *made))
    return error;
  *library = libraries().add(std::move(made));
  return CUDA_SUCCESS;
}

/// Running kernels of the library finish.
TW_DRIVER_API CUresult cuLibraryUnload(CUlibrary library) {
  SharedLibrary found = libraries().remove(library);
  if (!found)
    return CUDA_ERROR_INVALID_HANDLE;
  std::lock_guard lock(found->mutex);
  for (const auto &[name, kernel] : found->kernels)
    kernels().remove(kernel.get());
  return CUDA_SUCCESS;
}

//===-- Kernels -----------------------------------------------------------------------------===//

static uint64_t maskOf(twElementType element) {
  switch (element) {
  case TW_I1:
    return 1;
  case TW_I8:
  case TW_F8E4M3FN:
  case TW_F8E5M2:
  case TW_F8E8M0FNU:
  case TW_F8E5M3FNU:
    return 0xFF;
  case TW_F4E2M1FN:
    return 0xF;
  case TW_I16:
  case TW_F16:
  case TW_BF16:
    return 0xFFFF;
  case TW_I32:
  case TW_F32:
  case TW_TF32:
    return 0xFFFFFFFF;
  default:
    return ~uint64_t(0);
  }
}

static void readParameters(const twEntry *entry, CUkern_st &kernel) {
  for (size_t i = 0; i < api().twEntryParameterCount(entry); ++i) {
    twParameter parameter = {};
    parameter.size = sizeof parameter;
    api().twEntryParameter(entry, i, &parameter);
    const bool isPointer = parameter.isPointer != 0;
    kernel.parameters.push_back(
        {isPointer, parameter.element, isPointer ? ~uint64_t(0) : maskOf(parameter.element)});
  }
}

/// For the reference machine: groups parameters into arrays, and finds their names in the source.
static void readSignature(const twEntry *entry, CUkern_st &kernel) {
  kernel.signature = signatureOf(kernel.name);
  if (!kernel.signature)
    return;
  twPlace place = {};
  std::vector<std::string> names;
  if (api().twEntryPlace(entry, &place) == TW_SUCCESS && place.line > 0)
    names = parameterNamesIn(place.file, size_t(place.line), kernel.signature->function);
  if (names.size() != kernel.signature->argumentCount)
    names.clear(); // the source file has changed
  kernel.hasNames = !names.empty();
  for (const ArgumentType &type : kernel.signature->arguments)
    kernel.argumentNames.push_back(nameOf(type.path, names));
}

static CUresult compile(const CUlib_st &library, const twEntry *entry, CUkern_st &kernel) {
  const Settings &settings = state().settings;
  twCompileOptions options = {};
  options.size = sizeof options;
  options.device = settings.device;
  options.optimization = library.optimization;
  options.debugInfo = library.debugInfo;
  options.checks = settings.checks.empty() ? nullptr : settings.checks.c_str();
  options.maxSteps = settings.maxSteps;
  twDiagnostics *diagnostics = nullptr;
  const twStatus status = api().twKernelCompile(entry, &options, &kernel.handle, &diagnostics);
  if (status != TW_SUCCESS)
    reportError(CUDA_ERROR_INVALID_IMAGE, api().twDiagnosticsText(diagnostics));
  api().twDiagnosticsDestroy(diagnostics);
  if (status != TW_SUCCESS)
    return status == TW_USAGE ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_IMAGE;
  readParameters(entry, kernel);
  if (settings.device != TW_CPU)
    readSignature(entry, kernel);
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
  if (!kernel || !name)
    return CUDA_ERROR_INVALID_VALUE;
  SharedLibrary found = libraries().find(library);
  if (!found)
    return CUDA_ERROR_INVALID_HANDLE;
  std::lock_guard lock(found->mutex);
  if (auto known = found->kernels.find(name); known != found->kernels.end()) {
    *kernel = known->second.get();
    return CUDA_SUCCESS;
  }
  const twEntry *entry = api().twModuleFindEntry(found->module, name);
  if (!entry)
    return CUDA_ERROR_NOT_FOUND;
  auto made = std::make_shared<CUkern_st>(library, name);
  if (CUresult error = compile(*found, entry, *made))
    return error;
  found->kernels.emplace(name, made);
  *kernel = kernels().add(std::move(made));
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuLibraryGetKernelCount(unsigned *count, CUlibrary library) {
  if (!count)
    return CUDA_ERROR_INVALID_VALUE;
  SharedLibrary found = libraries().find(library);
  if (!found)
    return CUDA_ERROR_INVALID_HANDLE;
  *count = unsigned(api().twModuleEntryCount(found->module));
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
  if (!function)
    return CUDA_ERROR_INVALID_VALUE;
  if (!findKernel(kernel))
    return CUDA_ERROR_INVALID_HANDLE;
  *function = kernel;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel) {
  if (!library)
    return CUDA_ERROR_INVALID_VALUE;
  SharedKernel found = findKernel(kernel);
  if (!found)
    return CUDA_ERROR_INVALID_HANDLE;
  *library = found->library;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuFuncGetModule(CUmodule *module, CUfunction function) {
  return cuKernelGetLibrary(module, function);
}

/// The name is valid until the library is unloaded.
TW_DRIVER_API CUresult cuKernelGetName(const char **name, CUkernel kernel) {
  if (!name)
    return CUDA_ERROR_INVALID_VALUE;
  SharedKernel found = findKernel(kernel);
  if (!found)
    return CUDA_ERROR_INVALID_HANDLE;
  *name = found->name.c_str();
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuFuncGetName(const char **name, CUfunction function) {
  return cuKernelGetName(name, function);
}

/// Kernels use no GPU resources such as registers or shared memory, so most attributes are 0.
TW_DRIVER_API CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function) {
  enum { maxThreadsPerBlock = 0, ptxVersion = 5, binaryVersion = 6, last = 15 };
  if (!value || attribute < 0 || attribute > last)
    return CUDA_ERROR_INVALID_VALUE;
  if (!findKernel(function))
    return CUDA_ERROR_INVALID_HANDLE;
  *value = attribute == maxThreadsPerBlock                         ? 1
           : attribute == ptxVersion || attribute == binaryVersion ? 100
                                                                   : 0;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuKernelGetAttribute(int *value, int attribute, CUkernel kernel,
                                            CUdevice device) {
  if (CUresult error = verifyDevice(device, value))
    return error;
  return cuFuncGetAttribute(value, attribute, kernel);
}

//===-- Modules -----------------------------------------------------------------------------===//

TW_DRIVER_API CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  return cuLibraryLoadData(module, image, nullptr, nullptr, 0, nullptr, nullptr, 0);
}

TW_DRIVER_API CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned, int *,
                                          void **) {
  return cuModuleLoadData(module, image);
}

TW_DRIVER_API CUresult cuModuleUnload(CUmodule module) { return cuLibraryUnload(module); }

TW_DRIVER_API CUresult cuModuleGetFunction(CUfunction *function, CUmodule module,
                                           const char *name) {
  return cuLibraryGetKernel(function, module, name);
}
