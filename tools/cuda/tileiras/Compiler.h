// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who compiles for tileiras? The process that started it, if it has loaded our driver library, and
// otherwise this one.

#ifndef TILEWRIGHT_TOOLS_CUDA_TILEIRAS_COMPILER_H
#define TILEWRIGHT_TOOLS_CUDA_TILEIRAS_COMPILER_H

#include "tools/cuda/tileiras/CommandLine.h"

namespace tilewright::cuda {

/// Reads and verifies a program, says what it warns of on standard error, and compiles its entries
/// into the cache. A failure has all that is to be said, with its places.
support::Result<void> compile(const std::string &program, const Options &options);

/// Names the build of the library that compiles.
support::Result<std::string> buildOfCompiler();

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_TILEIRAS_COMPILER_H
