// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles a program into the compile cache; used by tileiras and by the driver library for
// tileiras.

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

/// Reads and verifies a program, and compiles its entries. Returns the text for standard error,
/// which may be empty; a failure contains all errors and their positions.
support::Result<std::string> compile(const Api &api, const Program &program);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_COMPILE_H
