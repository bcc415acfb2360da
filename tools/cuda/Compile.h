// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles a program: for the CPU into the compile cache, which tileiras does itself or has the
// driver library do; or for a GPU, to code.

#ifndef TILEWRIGHT_TOOLS_CUDA_COMPILE_H
#define TILEWRIGHT_TOOLS_CUDA_COMPILE_H

#include "tools/cuda/Api.h"

#include <string>
#include <string_view>

namespace tilewright::cuda {

struct Program {
  std::string_view bytes;
  /// The name in diagnostics.
  std::string name;
  /// 0 to 3, from `-O0` to `-O3`.
  uint32_t optimization = 2;
  bool debugInfo = false;
  /// Verifies only, without compiling: the reference machine needs no code.
  bool verifiesOnly = false;
};

/// The outcome of a compilation.
struct Answer {
  enum Kind : char { Compiled, Invalid, Failed } kind = Compiled;
  /// For standard error. For a program that is invalid or cannot be compiled, it contains all
  /// errors and their positions; otherwise warnings, if there are any.
  std::string text;
};

/// Reads and verifies a program, and compiles its entries for this processor.
Answer compile(const Api &api, const Program &program);

/// A cubin, or PTX text.
struct GpuCode {
  std::string bytes;
  /// A line for each decision of the compiler, if they are wanted.
  std::string remarks;
  /// The name of the kernel; empty if the program has several, of which remarks are not told apart.
  std::string kernel;
};

struct GpuOptions {
  /// As `sm_90`.
  std::string target;
  /// Assemble with ptxas. If false, the code is PTX.
  bool isCubin = false;
  bool remarks = false;
};

/// Reads and verifies a program, and compiles it for a GPU. Sets `code` if it is compiled.
Answer compileForGpu(const Api &api, const Program &program, const GpuOptions &options,
                     GpuCode &code);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_COMPILE_H
