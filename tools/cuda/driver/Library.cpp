// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Library.h.

#include "tools/cuda/driver/Library.h"
#include "tools/cuda/Container.h"
#include "tools/cuda/driver/SourceNames.h"

using namespace tilewright::cuda;

//===-- Libraries ---------------------------------------------------------------------------===//

TW_DRIVER_API CUresult cuLibraryLoadData(CUlibrary *library, const void *image, int *, void **,
                                         unsigned, int *, void **, unsigned) {
  if (!library || !image)
    return CUDA_ERROR_INVALID_VALUE;
  if (!state().isInitialised)
    return CUDA_ERROR_NOT_INITIALIZED;
  std::optional<Container> container = readContainer(image);
  if (!container || container->optimization > 3)
    return complain(CUDA_ERROR_INVALID_IMAGE,
                    "cuLibraryLoadData: the image was not written by this build of tileiras: a "
                    "client that kept it from another compiler should be given an empty cache");
  auto made = std::make_unique<CUlib_st>();
  made->optimization = twOptimization(TW_O0 + container->optimization);
  made->debugInfo = container->debugInfo;
  twContext *context = twContextCreate();
  twDiagnostics *diagnostics = nullptr;
  const twStatus status =
      twModuleRead(context, container->program.data(), container->program.size(), "<kernel>",
                   &made->module, &diagnostics);
  twContextDestroy(context);
  if (status != TW_SUCCESS)
    complain(CUDA_ERROR_INVALID_IMAGE, twDiagnosticsText(diagnostics));
  twDiagnosticsDestroy(diagnostics);
  if (status != TW_SUCCESS)
    return CUDA_ERROR_INVALID_IMAGE;
  std::lock_guard lock(state().mutex);
  state().libraries.insert(*library = made.release());
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuLibraryUnload(CUlibrary library) {
  {
    std::lock_guard lock(state().mutex);
    if (!state().libraries.erase(library))
      return CUDA_ERROR_INVALID_HANDLE;
  }
  delete library;
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
  for (size_t i = 0; i < twEntryParameterCount(entry); ++i) {
    twParameter parameter = {};
    parameter.size = sizeof parameter;
    twEntryParameter(entry, i, &parameter);
    const bool isPointer = parameter.isPointer != 0;
    kernel.parameters.push_back(
        {isPointer, parameter.element, isPointer ? ~uint64_t(0) : maskOf(parameter.element)});
  }
}

/// For the reference machine: which parameters are an array, and what its author calls it.
static void readSignature(const twEntry *entry, CUkern_st &kernel) {
  kernel.signature = signatureOf(kernel.name);
  if (!kernel.signature)
    return;
  twPlace place = {};
  std::vector<std::string> names;
  if (twEntryPlace(entry, &place) == TW_SUCCESS && place.line > 0)
    names = parameterNamesIn(place.file, size_t(place.line), kernel.signature->function);
  if (names.size() != kernel.signature->argumentCount)
    names.clear(); // the source is another by now
  kernel.knowsNames = !names.empty();
  for (const ArgumentType &type : kernel.signature->arguments)
    kernel.argumentNames.push_back(nameOf(type.path, names));
}

static CUresult compile(CUlibrary library, const twEntry *entry, CUkern_st &kernel) {
  const Settings &settings = state().settings;
  twCompileOptions options = {};
  options.size = sizeof options;
  options.device = settings.device;
  options.optimization = library->optimization;
  options.debugInfo = library->debugInfo;
  options.checks = settings.checks.empty() ? nullptr : settings.checks.c_str();
  twDiagnostics *diagnostics = nullptr;
  const twStatus status = twKernelCompile(entry, &options, &kernel.handle, &diagnostics);
  if (status != TW_SUCCESS)
    complain(CUDA_ERROR_INVALID_IMAGE, twDiagnosticsText(diagnostics));
  twDiagnosticsDestroy(diagnostics);
  if (status != TW_SUCCESS)
    return status == TW_USAGE ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_IMAGE;
  readParameters(entry, kernel);
  if (settings.device == TW_REFERENCE)
    readSignature(entry, kernel);
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
  if (!kernel || !name)
    return CUDA_ERROR_INVALID_VALUE;
  {
    std::lock_guard lock(state().mutex);
    if (!state().libraries.contains(library))
      return CUDA_ERROR_INVALID_HANDLE;
  }
  std::lock_guard lock(library->mutex);
  std::unique_ptr<CUkern_st> &known = library->kernels[name];
  if (!known) {
    const twEntry *entry = twModuleFindEntry(library->module, name);
    if (!entry)
      return CUDA_ERROR_NOT_FOUND;
    auto made = std::make_unique<CUkern_st>(CUkern_st{library, name});
    if (CUresult error = compile(library, entry, *made))
      return error;
    known = std::move(made);
  }
  *kernel = known.get();
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuLibraryGetKernelCount(unsigned *count, CUlibrary library) {
  if (!count || !library)
    return CUDA_ERROR_INVALID_VALUE;
  *count = unsigned(twModuleEntryCount(library->module));
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
  if (!function || !kernel)
    return CUDA_ERROR_INVALID_VALUE;
  *function = kernel;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuKernelGetLibrary(CUlibrary *library, CUkernel kernel) {
  if (!library || !kernel)
    return CUDA_ERROR_INVALID_VALUE;
  *library = kernel->library;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuKernelGetName(const char **name, CUkernel kernel) {
  if (!name || !kernel)
    return CUDA_ERROR_INVALID_VALUE;
  *name = kernel->name.c_str();
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuFuncGetName(const char **name, CUfunction function) {
  return cuKernelGetName(name, function);
}

/// Of what a GPU would give a kernel, there is nothing here: no registers, no shared memory.
TW_DRIVER_API CUresult cuFuncGetAttribute(int *value, int attribute, CUfunction function) {
  enum { maxThreadsPerBlock = 0, ptxVersion = 5, binaryVersion = 6, last = 15 };
  if (!value || !function || attribute < 0 || attribute > last)
    return CUDA_ERROR_INVALID_VALUE;
  *value = attribute == maxThreadsPerBlock                         ? 1
           : attribute == ptxVersion || attribute == binaryVersion ? 100
                                                                   : 0;
  return CUDA_SUCCESS;
}

TW_DRIVER_API CUresult cuKernelGetAttribute(int *value, int attribute, CUkernel kernel, CUdevice) {
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
