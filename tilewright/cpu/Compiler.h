// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a program become code for a CPU? In stages, each of which can be looked at:
//
//     tile    Tile IR, simplified        plan     which value lives where
//     loops   upstream dialects          llvm     LLVM IR, optimised
//     asm     for the target             obj      an ELF object
//
// The object has, for each entry, what Exports.h describes. It is the same for running at
// once and for a file, and it is all that the cache keeps.

#ifndef TILEWRIGHT_CPU_COMPILER_H
#define TILEWRIGHT_CPU_COMPILER_H

#include "tilewright/codegen/Cache.h"
#include "tilewright/codegen/Codegen.h"
#include "tilewright/codegen/Jit.h"
#include "tilewright/cpu/Target.h"
#include "tilewright/runtime/Kernel.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::cpu {

struct CompileOptions {
  Target target;
  codegen::OptLevel level = codegen::OptLevel::O2;
  codegen::Sanitizer sanitize = codegen::Sanitizer::None;
  /// Lines for debuggers, and tables to unwind the stack.
  bool debugInfo = false;
  /// k_launch and k_blocks for callers in C.
  bool launchers = false;
};

enum class Stage { Tile, Plan, Loops, Llvm, Assembly, Object };

/// The program at a stage: text, or the bytes of an object. The module has been verified and
/// is not changed.
support::Result<std::string> compileTo(Stage stage, tile::ModuleOp module,
                                       const CompileOptions &options);

/// The object, from the cache if it has been compiled before, unless somebody wants remarks about
/// that (Remarks.h); `cache` may be null.
support::Result<std::string> compile(tile::ModuleOp module, const CompileOptions &options,
                                     const codegen::Cache *cache);

/// A compiled program in this process.
class CompiledProgram {
public:
  /// `object` is for this machine, from `compile`.
  static support::Result<CompiledProgram> load(std::string_view object, bool forDebugger = false);

  /// The entry of this name, for as long as the program lives.
  support::Result<const twKernel *> kernel(std::string_view entry) const;

private:
  explicit CompiledProgram(codegen::LoadedCode code) : code(std::move(code)) {}

  codegen::LoadedCode code;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_COMPILER_H
