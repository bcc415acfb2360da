// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How do hundreds of functions of floats compile in little time? Each is expanded where it is used
// as long as there are few; from then on it is a function of the module, and called. The bits are
// the same. A call costs some nanoseconds for sixteen elements, which is little beside the other
// costs of such kernels.

#ifndef TILEWRIGHT_CPU_EMIT_OPERATIONCALLS_H
#define TILEWRIGHT_CPU_EMIT_OPERATIONCALLS_H

#include "tilewright/cpu/Target.h"
#include "tilewright/cpu/emit/LoopBuilder.h"

namespace tilewright::cpu {

class OperationCalls {
public:
  OperationCalls(LoopBuilder &b, mlir::ModuleOp into, const Target &target)
      : b(b), into(into), target(target) {}

  /// What elementwise::emitElementwise gives.
  mlir::Value emit(mlir::Operation *op, mlir::ValueRange in);
  /// The same by a call, however few there are: for code that hardly ever runs.
  mlir::Value call(mlir::Operation *op, mlir::ValueRange in);

private:
  /// The operation, its attributes, and on what it works: as tiles have it, and in registers.
  using Kind = std::tuple<mlir::OperationName, mlir::Attribute, mlir::Type>;
  struct Uses {
    unsigned operations = 0; ///< Those of all expansions so far.
    unsigned longest = 0;    ///< Those of one expansion.
    mlir::LLVM::LLVMFuncOp function;
  };

  Uses &usesOf(mlir::Operation *op, mlir::ValueRange in);
  mlir::LLVM::LLVMFuncOp define(mlir::Operation *op, mlir::ValueRange in);

  LoopBuilder &b;
  mlir::ModuleOp into;
  const Target &target;
  llvm::DenseMap<Kind, Uses> uses;
  unsigned functions = 0;
};

} // namespace tilewright::cpu

#endif // TILEWRIGHT_CPU_EMIT_OPERATIONCALLS_H
