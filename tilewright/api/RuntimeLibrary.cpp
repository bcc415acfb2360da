// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RuntimeLibrary.h.

#include "tilewright/api/RuntimeLibrary.h"

#include <dlfcn.h>

using namespace tilewright;
using support::Failure;
using support::Result;
namespace fs = std::filesystem;

/// The file of the program or library that contains this function.
static fs::path ownFile() {
  Dl_info info = {};
  std::error_code error;
  if (!dladdr(reinterpret_cast<const void *>(&api::findRuntimeLibrary), &info) ||
      !fs::path(info.dli_fname).has_parent_path() || !fs::exists(info.dli_fname, error))
    return fs::canonical("/proc/self/exe", error);
  return fs::canonical(info.dli_fname, error);
}

Result<fs::path> api::findRuntimeLibrary() {
  fs::path folder = ownFile().parent_path();
  std::error_code error;
  fs::path libraries = (folder / TILEWRIGHT_LIBRARIES).lexically_normal();
  for (const fs::path &place : {folder, libraries})
    if (fs::path library = place / TILEWRIGHT_RUNTIME; fs::exists(library, error))
      return library;
  return Failure{TILEWRIGHT_RUNTIME " is neither in " + folder.string() + " nor in " +
                 libraries.string()};
}
