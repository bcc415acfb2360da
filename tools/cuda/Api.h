// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tilewright's library, loaded by hand. It stands on all of LLVM, and the loader works on it for 20
// ms or more: a program that is linked with it would wait for that whatever it is asked. tileiras
// loads it when there is something to compile, and the driver library on another thread.

#ifndef TILEWRIGHT_TOOLS_CUDA_API_H
#define TILEWRIGHT_TOOLS_CUDA_API_H

#include "tilewright/api/Tilewright.h"
#include "tilewright/support/Result.h"

#include <filesystem>

namespace tilewright::cuda {

/// The functions of the C API.
struct Api {
#define FUNCTION(name) decltype(&::name) name = nullptr;
#include "tools/cuda/Api.def"
#undef FUNCTION
};

/// Where the library lies, as seen from `bin` or `lib` of the folder `cuda`.
std::filesystem::path libraryFile(const std::filesystem::path &folder);

/// Names the build of the library, without loading it.
support::Result<std::string> buildOf(const std::filesystem::path &library);

/// It stays loaded until the process ends.
support::Result<Api> load(const std::filesystem::path &library);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_API_H
