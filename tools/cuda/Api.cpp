// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Api.h.

#include "tools/cuda/Api.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <type_traits>

using namespace tilewright;
using namespace tilewright::cuda;
using support::Failure;
using support::Result;
namespace fs = std::filesystem;

fs::path cuda::libraryFile(const fs::path &folder) {
  return (folder / TILEWRIGHT_LIBRARIES / TILEWRIGHT_LIBRARY).lexically_normal();
}

Result<std::string> cuda::buildOf(const fs::path &library) {
  struct stat status{};
  if (::stat(library.c_str(), &status) != 0)
    return Failure{library.string() + ", the library that compiles, is missing"};
  return std::to_string(status.st_size) + "-" + std::to_string(status.st_mtim.tv_sec) + "." +
         std::to_string(status.st_mtim.tv_nsec);
}

Result<Api> cuda::load(const fs::path &library) {
  // Lazily: only few of LLVM's many functions are called.
  void *handle = dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (!handle)
    return Failure{std::string("the library that compiles cannot be loaded: ") + dlerror()};
  Api api;
  const char *missing = nullptr;
  const auto find = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(handle, name));
    if (!function)
      missing = name;
  };
#define FUNCTION(name) find(api.name, #name);
#include "tools/cuda/Api.def"
#undef FUNCTION
  if (missing)
    return Failure{library.string() + " has no " + missing + ": it is of another build"};
  return api;
}
