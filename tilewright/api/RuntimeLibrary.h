// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the shared library that compiled kernels need at run time.

#ifndef TILEWRIGHT_API_RUNTIMELIBRARY_H
#define TILEWRIGHT_API_RUNTIMELIBRARY_H

#include "tilewright/support/Result.h"

#include <filesystem>

namespace tilewright::api {

/// The path of libtilewright-runtime.so, with its soname. It is in the folder of the file that
/// contains this code, or in the library folder relative to it, so an installation can be moved.
support::Result<std::filesystem::path> findRuntimeLibrary();

} // namespace tilewright::api

#endif // TILEWRIGHT_API_RUNTIMELIBRARY_H
