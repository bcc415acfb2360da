// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a module of LLVM's dialect become machine code? It is translated to LLVM IR for
// one target, improved by a short list of passes (the loops are vectorised and tiled before,
// so that what is left is cleaning up), and given to LLVM's code generator. Floating-point
// operations stay what they are: nothing is contracted or reassociated.

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

/// How much work goes into good code. O2 is the usual: O1 saves half of its passes, O3 is LLVM's
/// full pipeline, O0 translates what it is given.
enum class OptLevel { O0, O1, O2, O3 };

/// What generated code is checked for while it runs.
enum class Sanitizer { None, Address, Thread };

struct CodegenOptions {
  OptLevel level = OptLevel::O2;
  Sanitizer sanitize = Sanitizer::None;
  /// Unwind tables, for whoever walks the stack: debuggers and sanitizers.
  bool unwindTables = false;
};

/// A program as LLVM IR for one target.
class LlvmProgram {
public:
  /// From a module that lowerToLLVM has converted.
  static support::Result<LlvmProgram> translate(mlir::ModuleOp module, const TargetMachine &target,
                                                const CodegenOptions &options = {});

  /// Runs the passes of the level, and those of the sanitizer.
  void optimize();

  /// As LLVM IR, as assembly, as an ELF object. The latter two change the program: call one of
  /// them, once, as the last thing.
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

/// All steps at once, for a module of loops (Lower.h): the object. The module is converted.
support::Result<std::string> compileLoops(mlir::ModuleOp module, const TargetMachine &target,
                                          const CodegenOptions &options = {});

} // namespace tilewright::codegen

#endif // TILEWRIGHT_CODEGEN_CODEGEN_H
