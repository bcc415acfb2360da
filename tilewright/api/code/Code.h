// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What compiling a module results in: text or bytes, and what a launch must know.

#ifndef TILEWRIGHT_API_CODE_CODE_H
#define TILEWRIGHT_API_CODE_CODE_H

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::api {

/// Only CPUs have loops, assembly and what follows from it; only GPUs have threads, PTX and cubins.
enum class Stage {
  Tile,
  Plan,
  Threads,
  Ptx,
  Cubin, ///< Needs NVIDIA's ptxas.
  Loops,
  Llvm,
  Assembly,
  Object,
  SharedLibrary
};

/// What a launch of a kernel must know.
struct CompiledKernel {
  std::string name;
  /// On a GPU: of a CTA. 0 if it is not decided at this stage, and on CPUs.
  int64_t threads = 0;
  /// On a GPU: static shared memory of a CTA, in bytes.
  int64_t sharedBytes = 0;
};

struct Code {
  /// Text or bytes.
  std::string contents;
  /// In the order of the module.
  std::vector<CompiledKernel> kernels;
  /// A line for each decision, `k.mlir:12:5: remark: ...`, if they were requested.
  std::string remarks = {};
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_CODE_CODE_H
