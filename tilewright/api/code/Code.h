// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The result of compiling a module: text or bytes, and what is needed to launch its kernels.

#ifndef TILEWRIGHT_API_CODE_CODE_H
#define TILEWRIGHT_API_CODE_CODE_H

#include "tilewright/codegen/CompiledKernel.h"

#include <string>
#include <vector>

namespace tilewright::api {

/// Compiler stages. Only CPUs have Loops, Assembly, Object and SharedLibrary; only GPUs have
/// Threads, Ptx and Cubin.
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

using codegen::CompiledKernel;

struct Code {
  /// Text or binary data.
  std::string contents;
  /// In the order of the module.
  std::vector<CompiledKernel> kernels;
  /// A line for each decision, `k.mlir:12:5: remark: ...`, if remarks were requested.
  std::string remarks = {};
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_CODE_CODE_H
