// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds compile time for kernels with hundreds of float functions. A function is expanded inline
// while there are few of its kind; from then on, it is outlined into a function of the module, and
// called. Results are bit-identical. A call costs a few nanoseconds for sixteen elements, which is
// little compared to the other costs of such kernels.

#ifndef TILEWRIGHT_CPU_EMIT_OPERATIONCALLS_H
#define TILEWRIGHT_CPU_EMIT_OPERATIONCALLS_H

#include "tilewright/cpu/Target.h"
#include "tilewright/cpu/emit/LoopBuilder.h"

namespace tilewright::cpu {

class OperationCalls {
public:
  OperationCalls(LoopBuilder &b, mlir::ModuleOp into, const Target &target)
      : b(b), into(into), target(target) {}

  /// Returns the result of elementwise::emitElementwise.
  mlir::Value emit(mlir::Operation *op, mlir::ValueRange in);
  /// The same, but always as a call: for code that rarely runs.
  mlir::Value call(mlir::Operation *op, mlir::ValueRange in);

private:
  /// The operation, its attributes, and its types: those of tiles, and those in registers.
  using Kind = std::tuple<mlir::OperationName, mlir::Attribute, mlir::Type>;
  struct Uses {
    unsigned operations = 0; ///< Operations of all expansions so far.
    unsigned longest = 0;    ///< Operations of the longest expansion.
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
