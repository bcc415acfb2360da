// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles for tileiras with Tilewright's library. For the CPU, this happens in the parent process
// if it has loaded our driver library; otherwise in this process.

#ifndef TILEWRIGHT_TOOLS_CUDA_TILEIRAS_COMPILER_H
#define TILEWRIGHT_TOOLS_CUDA_TILEIRAS_COMPILER_H

#include "tools/cuda/Compile.h"
#include "tools/cuda/tileiras/CommandLine.h"

namespace tilewright::cuda {

/// Reads and verifies a program; for the CPU, also compiles its entries into the compile cache.
Answer compile(const std::string &program, const Options &options);

/// Compiles for a GPU: to a cubin if there is an assembler, else to PTX text.
Answer compileForGpu(const std::string &program, const Options &options, GpuCode &code);

/// Identifies the library that compiles.
support::Result<std::string> buildOfCompiler();

/// Identifies the assembler: `PTX text` if there is none.
support::Result<std::string> buildOfAssembler();

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_TILEIRAS_COMPILER_H
