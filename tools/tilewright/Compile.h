// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements `tilewright compile`: loads a file, compiles it, and writes an object file, a shared
// library, a C header, or the output of an intermediate stage of the compiler.

#ifndef TILEWRIGHT_TOOLS_COMPILE_H
#define TILEWRIGHT_TOOLS_COMPILE_H

#include "tilewright/api/Load.h"
#include "tilewright/api/code/CompileStage.h"

namespace tilewright::tools {

struct CompileFileOptions {
  std::string file;
  /// "-" is standard output.
  std::string output;
  /// The C header to write; empty for none.
  std::string header;
  api::Stage stage = api::Stage::Object;
  cpu::CompileOptions compile;
  /// Set if the target is a GPU; then `compile` is not used.
  std::optional<nvidia::CompileOptions> gpu;
  /// Whether to print the compiler's remarks, to the same stream as errors.
  bool remarks = false;
  api::LoadOptions load;
};

enum class CompileStatus {
  Succeeded = 0,
  /// The program is invalid, or the compiler does not support it.
  Failed = 1,
  /// A file cannot be read or written.
  Unusable = 2,
};

/// Errors go to `err`. Files are written only if everything was compiled.
CompileStatus compileFile(const CompileFileOptions &options, llvm::raw_ostream &err);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_COMPILE_H
