// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Settings for reading programs and for the compile cache. A module copies the settings that it is
// read with.

#ifndef TILEWRIGHT_API_CONTEXT_H
#define TILEWRIGHT_API_CONTEXT_H

#include <filesystem>

namespace tilewright::api {

struct Context {
  /// Programs must also follow the rules of the specification's prose that the public tools do not
  /// check.
  bool strict = false;
  /// Cache compiled kernels in files.
  bool useCache = true;
  /// The folder of the cache, which is created on first use. Empty: $TILEWRIGHT_CACHE_DIR, else
  /// $XDG_CACHE_HOME/tilewright, else ~/.cache/tilewright.
  std::filesystem::path cacheFolder = {};
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_CONTEXT_H
