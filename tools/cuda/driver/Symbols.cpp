// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds driver functions for clients, by name in this library or through cuGetProcAddress. Every
// function of the real driver can be found either way, so that clients can load; unsupported
// functions print their name when called.

#include "tools/cuda/driver/State.h"

#include <cstring>
#include <string_view>

using namespace tilewright::cuda;

#define FUNCTION(name) extern "C" void name();
#include "tools/cuda/driver/Functions.def"
#undef FUNCTION

#define MISSING(name)                                                                              \
  TW_DRIVER_API CUresult name() { return notSupported(#name); }
#include "tools/cuda/driver/Missing.def"
#undef MISSING

TW_DRIVER_API CUresult cuGetProcAddress(const char *name, void **function, int version,
                                        uint64_t flags);
TW_DRIVER_API CUresult cuGetProcAddress_v2(const char *name, void **function, int version,
                                           uint64_t flags, int *status);

namespace {
struct Symbol {
  std::string_view name;
  void *function;
};

struct Since {
  std::string_view form;
  int version;
};
} // namespace

static const Symbol symbols[] = {
#define FUNCTION(name) {#name, reinterpret_cast<void *>(&name)},
#include "tools/cuda/driver/Functions.def"
#undef FUNCTION
#define MISSING(name) {#name, reinterpret_cast<void *>(&name)},
#include "tools/cuda/driver/Missing.def"
#undef MISSING
    {"cuGetProcAddress", reinterpret_cast<void *>(&cuGetProcAddress)},
    {"cuGetProcAddress_v2", reinterpret_cast<void *>(&cuGetProcAddress_v2)},
};

/// The versions from which on a name without suffix means this variant, which has other parameters
/// than older clients expect. Variants not listed have had their meaning since before versions
/// existed.
static constexpr Since sinceVersion[] = {
    {"cuCtxCreate_v3", 11040},
    {"cuCtxCreate_v4", 12050},
    {"cuCtxGetDevice_v2", 13000},
    {"cuCtxSynchronize_v2", 13000},
    {"cuGetProcAddress_v2", 12000},
    {"cuGraphAddDependencies_v2", 12030},
    {"cuGraphAddKernelNode_v2", 12000},
    {"cuGraphAddNode_v2", 12030},
    {"cuGraphExecKernelNodeSetParams_v2", 12000},
    {"cuGraphExecUpdate_v2", 12000},
    {"cuGraphGetEdges_v2", 12030},
    {"cuGraphKernelNodeGetParams_v2", 12000},
    {"cuGraphKernelNodeSetParams_v2", 12000},
    {"cuGraphNodeGetDependencies_v2", 12030},
    {"cuGraphNodeGetDependentNodes_v2", 12030},
    {"cuGraphRemoveDependencies_v2", 12030},
    {"cuMemAdvise_v2", 12020},
    {"cuMemPrefetchAsync_v2", 12020},
    {"cuMemcpy3DBatchAsync_v2", 13000},
    {"cuMemcpyBatchAsync_v2", 13000},
    {"cuStreamGetCaptureInfo_v2", 11030},
    {"cuStreamGetCaptureInfo_v3", 12030},
    {"cuStreamGetCtx_v2", 12050},
    {"cuStreamUpdateCaptureDependencies_v2", 12030},
};

static bool isAvailableIn(std::string_view form, int version) {
  for (const Since &row : sinceVersion)
    if (row.form == form)
      return row.version <= version;
  return true;
}

/// The number of a suffix such as `_v2`; 1 without a suffix, 0 if it is another name.
static int variantNumber(std::string_view form, std::string_view name) {
  if (!form.starts_with(name))
    return 0;
  form.remove_prefix(name.size());
  if (form.empty())
    return 1;
  const bool isNumber = form.size() == 3 && form.starts_with("_v");
  return isNumber ? form[2] - '0' : 0;
}

/// The newest variant of the function for a client of this version. Null if there is none.
static void *find(std::string_view name, int version) {
  // From 12.0 on, this name means another function.
  if (name == "cuGraphInstantiate" && version >= 12000)
    name = "cuGraphInstantiateWithFlags";
  void *found = nullptr;
  int newest = 0;
  for (const Symbol &symbol : symbols)
    if (int number = variantNumber(symbol.name, name);
        number > newest && isAvailableIn(symbol.name, version))
      newest = number, found = symbol.function;
  return found;
}

CUresult cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t,
                             int *status) {
  enum { found = 0, notFound = 1 };
  if (!name || !function)
    return CUDA_ERROR_INVALID_VALUE;
  *function = find(name, version);
  if (status)
    *status = *function ? found : notFound;
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult cuGetProcAddress(const char *name, void **function, int version, uint64_t flags) {
  return cuGetProcAddress_v2(name, function, version, flags, nullptr);
}
