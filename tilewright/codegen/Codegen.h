// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles a module of the LLVM dialect to machine code. The module is translated to LLVM IR for
// one target, optimised by a short list of passes (the loops are already vectorised and tiled, so
// that only cleanup is left), and passed to LLVM's code generator. Floating-point operations are
// never contracted or reassociated.

#ifndef TILEWRIGHT_CODEGEN_CODEGEN_H
#define TILEWRIGHT_CODEGEN_CODEGEN_H

#include "tilewright/codegen/TargetMachine.h"
#include "tilewright/support/Result.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>
#include <string>

namespace llvm {
class LLVMContext;
class Module;
class TargetMachine;
} // namespace llvm

namespace tilewright::codegen {

/// Optimisation levels. O2 is the default, O1 runs half of its passes, O3 is LLVM's full pipeline,
/// and O0 runs no optimisation.
enum class OptLevel { O0, O1, O2, O3 };

/// The sanitizer that generated code is instrumented for.
enum class Sanitizer { None, Address, Thread };

struct CodegenOptions {
  OptLevel level = OptLevel::O2;
  Sanitizer sanitize = Sanitizer::None;
  /// Emit unwind tables, which debuggers and sanitizers need to walk the stack.
  bool unwindTables = false;
};

/// A program as LLVM IR for one target.
class LlvmProgram {
public:
  /// Takes a module that lowerToLLVM has converted.
  static support::Result<LlvmProgram> translate(mlir::ModuleOp module, const TargetMachine &target,
                                                const CodegenOptions &options = {});

  /// Runs the passes of the level, and those of the sanitizer.
  void optimize();

  /// The program as LLVM IR, as assembly, as an ELF object. The last two change the program: call
  /// only one of them, once, as the last step.
  std::string text() const;
  support::Result<std::string> assembly();
  support::Result<std::string> object();

  LlvmProgram(LlvmProgram &&);
  LlvmProgram &operator=(LlvmProgram &&) = delete;
  ~LlvmProgram();

private:
  LlvmProgram(CodegenOptions options);

  support::Result<std::string> emit(bool asObject);

  CodegenOptions options;
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;
};

/// Compiles a module of loops (Lower.h) to an ELF object, in all steps. Converts the module in
/// place.
support::Result<std::string> compileLoops(mlir::ModuleOp module, const TargetMachine &target,
                                          const CodegenOptions &options = {});

} // namespace tilewright::codegen

#endif // TILEWRIGHT_CODEGEN_CODEGEN_H
