// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiling a program into the cache of compiled kernels, by tileiras or for it.

#ifndef TILEWRIGHT_TOOLS_CUDA_COMPILE_H
#define TILEWRIGHT_TOOLS_CUDA_COMPILE_H

#include "tools/cuda/Api.h"

#include <string>
#include <string_view>

namespace tilewright::cuda {

struct Program {
  std::string_view bytes;
  /// What diagnostics call it.
  std::string name;
  /// 0 to 3, as `-O0` to `-O3`.
  uint32_t optimization = 2;
  bool debugInfo = false;
  /// Compiles nothing: the reference machine needs no code.
  bool verifiesOnly = false;
};

/// Reads and verifies a program, and compiles its entries. Returns what is to be said on standard
/// error, which may be nothing; a failure has all that is wrong, with its places.
support::Result<std::string> compile(const Api &api, const Program &program);

} // namespace tilewright::cuda

#endif // TILEWRIGHT_TOOLS_CUDA_COMPILE_H
