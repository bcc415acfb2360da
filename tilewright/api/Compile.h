// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles a module for a CPU or a GPU to text or bytes: up to any stage of the compiler, or to a
// shared library.

#ifndef TILEWRIGHT_API_COMPILE_H
#define TILEWRIGHT_API_COMPILE_H

#include "tilewright/api/Module.h"
#include "tilewright/api/code/Code.h"

namespace tilewright::api {

struct CodeOptions {
  Stage stage = Stage::Llvm;
  /// `cpu`, `cpu=NAME`, or a GPU like `sm_90a`.
  std::string target = "cpu";
  /// 0 to 3.
  int optimization = 2;
  /// Emit line information for debuggers. CPUs only.
  bool debugInfo = false;
  /// Collect the compiler's remarks.
  bool remarks = false;

  /// Fails for an unknown target, and for a stage or option that the target does not have.
  support::Result<void> verify() const;
};

/// Fails if `verify` rejects the options, or the module cannot be compiled.
support::Result<Code> compileTo(const Module &module, const CodeOptions &options);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_COMPILE_H
