// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles a module to CPU code, in stages that can each be inspected:
//
//     tile    Tile IR, simplified        plan     which value lives where
//     loops   upstream dialects          llvm     LLVM IR, optimised
//     asm     for the target             obj      an ELF object
//
// For each entry, the object contains what Exports.h describes. The same object serves to run at
// once and to be written to a file, and it is all that the cache stores.

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
  /// Emit line information for debuggers, and unwind tables.
  bool debugInfo = false;
  /// Emit k_launch and k_blocks for C callers.
  bool launchers = false;
};

enum class Stage { Tile, Plan, Loops, Llvm, Assembly, Object };

/// The program at a stage: text, or the bytes of an object. The module must be verified, and is not
/// changed.
support::Result<std::string> compileTo(Stage stage, tile::ModuleOp module,
                                       const CompileOptions &options);

/// The object, from the cache if it was compiled before and no remarks are requested (Remarks.h);
/// `cache` may be null.
support::Result<std::string> compile(tile::ModuleOp module, const CompileOptions &options,
                                     const codegen::Cache *cache);

/// A compiled program, loaded into this process.
class CompiledProgram {
public:
  /// `object` must be compiled for this machine (`compile`).
  static support::Result<CompiledProgram> load(std::string_view object, bool forDebugger = false);

  /// The entry of this name; valid as long as the program lives.
  support::Result<const twKernel *> kernel(std::string_view entry) const;

private:
  explicit CompiledProgram(codegen::LoadedCode code) : code(std::move(code)) {}

  codegen::LoadedCode code;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_COMPILER_H
