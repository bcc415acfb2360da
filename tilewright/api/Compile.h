// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles a module for a CPU or a GPU to text or bytes: any stage of a compiler, or what follows
// from its last one.

#ifndef TILEWRIGHT_API_COMPILE_H
#define TILEWRIGHT_API_COMPILE_H

#include "tilewright/api/Module.h"

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

struct CodeOptions {
  Stage stage = Stage::Llvm;
  /// `cpu`, `cpu=NAME` or a GPU, `sm_90a`.
  std::string target = "cpu";
  /// 0 to 3.
  int optimization = 2;
  /// For CPUs.
  bool debugInfo = false;

  /// Fails for an unknown target, and for a stage that the target does not have.
  support::Result<void> verify() const;
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
};

/// Fails for options that `verify` refuses, and if the module cannot be compiled.
support::Result<Code> compileTo(const Module &module, const CodeOptions &options);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_COMPILE_H
