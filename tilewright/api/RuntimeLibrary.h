// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where is the shared library that compiled kernels need at run time?

#ifndef TILEWRIGHT_API_RUNTIMELIBRARY_H
#define TILEWRIGHT_API_RUNTIMELIBRARY_H

#include "tilewright/support/Result.h"

#include <filesystem>

namespace tilewright::api {

/// libtilewright-runtime.so, by the name that a program finds it by: beside the file that this code
/// is in, or where libraries lie as seen from programs. Installed files may be moved together.
support::Result<std::filesystem::path> findRuntimeLibrary();

} // namespace tilewright::api

#endif // TILEWRIGHT_API_RUNTIMELIBRARY_H
