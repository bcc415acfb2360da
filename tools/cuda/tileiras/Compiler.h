// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles for tileiras: in the parent process, if it has loaded our driver library, and otherwise
// in this process.

#ifndef TILEWRIGHT_TOOLS_CUDA_TILEIRAS_COMPILER_H
#define TILEWRIGHT_TOOLS_CUDA_TILEIRAS_COMPILER_H

#include "tools/cuda/tileiras/CommandLine.h"

namespace tilewright::cuda {

/// Reads and verifies a program, prints its warnings to standard error, and compiles its entries
/// into the compile cache. A failure contains all errors and their positions.
support::Result<void> compile(const std::string &program, const Options &options);

/// The build ID of the library that compiles.
support::Result<std::string> buildOfCompiler();

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_TILEIRAS_COMPILER_H
