// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does `tilewright compile` do? It loads a file and writes what a compiler makes of it:
// an object or a shared library for programs that bring no compiler, a header for those in
// C, or any stage on the way for people.

#ifndef TILEWRIGHT_TOOLS_COMPILE_H
#define TILEWRIGHT_TOOLS_COMPILE_H

#include "tilewright/api/Load.h"
#include "tilewright/api/code/CompileStage.h"

namespace tilewright::tools {

struct CompileFileOptions {
  std::string file;
  /// "-" is standard output.
  std::string output;
  /// Empty: none.
  std::string header;
  api::Stage stage = api::Stage::Object;
  cpu::CompileOptions compile;
  /// If it is for a GPU.
  std::optional<nvidia::CompileOptions> gpu;
  /// Tell what was decided, with the complaints.
  bool remarks = false;
  api::LoadOptions load;
};

enum class CompileStatus {
  Succeeded = 0,
  /// The program is invalid, or the compiler cannot do it.
  Failed = 1,
  /// A file that cannot be read or written.
  Unusable = 2,
};

/// Complaints go to `err`. Nothing is written unless all can be compiled.
CompileStatus compileFile(const CompileFileOptions &options, llvm::raw_ostream &err);

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_COMPILE_H
