// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads Tilewright's library with dlopen. The library contains LLVM, so that loading it takes 20 ms
// or more, which a program linked with it would spend on every start. tileiras loads it only when
// there is something to compile, and the driver library does so on another thread.

#ifndef TILEWRIGHT_TOOLS_CUDA_API_H
#define TILEWRIGHT_TOOLS_CUDA_API_H

#include "tilewright/api/Tilewright.h"
#include "tilewright/support/Result.h"

#include <filesystem>

namespace tilewright::cuda {

/// Function pointers to the C API.
struct Api {
#define FUNCTION(name) decltype(&::name) name = nullptr;
#include "tools/cuda/Api.def"
#undef FUNCTION
};

/// The path of the library, given the folder `cuda/bin` or `cuda/lib`.
std::filesystem::path libraryFile(const std::filesystem::path &folder);

/// The library's build ID, determined without loading it.
support::Result<std::string> buildOf(const std::filesystem::path &library);

/// The library stays loaded until the process ends.
support::Result<Api> load(const std::filesystem::path &library);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_API_H
