// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are programs read, and where is compiled code kept? Settings for all modules that are read
// with them; a module copies what it needs.

#ifndef TILEWRIGHT_API_CONTEXT_H
#define TILEWRIGHT_API_CONTEXT_H

#include <filesystem>

namespace tilewright::api {

struct Context {
  /// Programs must also keep the rules that only the prose of the specification states.
  bool strict = false;
  /// Keep compiled kernels in files, and take those that are there.
  bool useCache = true;
  /// The folder of these files, which is made when it is needed. Empty: $TILEWRIGHT_CACHE_DIR,
  /// else $XDG_CACHE_HOME/tilewright, else ~/.cache/tilewright.
  std::filesystem::path cacheFolder = {};
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_CONTEXT_H
