// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a client find a function? By its name in this library, or by asking cuGetProcAddress.
// Every function of the real driver is found either way, so that a client can load; one that is not
// implemented says its name when it is called.

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

TW_DRIVER_API CUresult cuGetProcAddress_v2(const char *name, void **function, int version,
                                           uint64_t flags, int *status);

namespace {
struct Symbol {
  std::string_view name;
  void *function;
};
} // namespace

static const Symbol implemented[] = {
#define FUNCTION(name) {#name, reinterpret_cast<void *>(&name)},
#include "tools/cuda/driver/Functions.def"
#undef FUNCTION
    {"cuGetProcAddress_v2", reinterpret_cast<void *>(&cuGetProcAddress_v2)},
};

static const Symbol missing[] = {
#define MISSING(name) {#name, reinterpret_cast<void *>(&name)},
#include "tools/cuda/driver/Missing.def"
#undef MISSING
};

/// `_v2` and the like behind a name; 1 if there is none, 0 if it is another name.
static int versionBehind(std::string_view symbol, std::string_view name) {
  if (!symbol.starts_with(name))
    return 0;
  symbol.remove_prefix(name.size());
  if (symbol.empty())
    return 1;
  const bool isVersion = symbol.size() == 3 && symbol.starts_with("_v");
  return isVersion ? symbol[2] - '0' : 0;
}

/// The newest form of the function: each has had its meaning since before 13.0.
template <size_t count> static void *newest(const Symbol (&symbols)[count], std::string_view name) {
  void *found = nullptr;
  int version = 0;
  for (const Symbol &symbol : symbols)
    if (int number = versionBehind(symbol.name, name); number > version)
      version = number, found = symbol.function;
  return found;
}

/// cuCtxCreate took other parameters before 12.5.
static std::string_view formOf(std::string_view name, int version) {
  if (name != "cuCtxCreate")
    return name;
  return version >= 12050   ? "cuCtxCreate_v4"
         : version >= 11040 ? "cuCtxCreate_v3"
                            : "cuCtxCreate_v2";
}

CUresult cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t,
                             int *status) {
  enum { found = 0, notFound = 1 };
  if (!name || !function)
    return CUDA_ERROR_INVALID_VALUE;
  const std::string_view form = formOf(name, version);
  *function = newest(implemented, form);
  if (!*function)
    *function = newest(missing, form);
  if (status)
    *status = *function ? found : notFound;
  return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
