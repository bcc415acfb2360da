// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program that launches a compiled kernel needs to know.

#ifndef TILEWRIGHT_CODEGEN_COMPILEDKERNEL_H
#define TILEWRIGHT_CODEGEN_COMPILEDKERNEL_H

#include <cstdint>
#include <string>

namespace tilewright::codegen {

struct CompiledKernel {
  std::string name;
  /// On a GPU, the number of threads of a CTA (`.reqntid`). 0 at stages that do not decide it yet,
  /// and on CPUs.
  int64_t threads = 0;
  /// On a GPU, the CTAs of a tile block, which are a cluster if there are several.
  int64_t ctas = 1;
  /// On a GPU, the shared memory of a CTA in bytes; and the part of it that a launch must request.
  int64_t sharedBytes = 0, dynamicSharedBytes = 0;
};

} // namespace tilewright::codegen

#endif // TILEWRIGHT_CODEGEN_COMPILEDKERNEL_H
