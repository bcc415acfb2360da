// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers control flow to jumps between blocks of the function. Conditions are scalars, which are
// equal in all threads, so threads never diverge here and all reach every barrier.

#ifndef TILEWRIGHT_NVIDIA_EMIT_CONTROLFLOW_H
#define TILEWRIGHT_NVIDIA_EMIT_CONTROLFLOW_H

#include "tilewright/nvidia/emit/DelayedProducts.h"
#include "tilewright/nvidia/emit/TensorProducts.h"

namespace tilewright::nvidia {

class ControlFlow {
public:
  ControlFlow(ThreadBuilder &b, const Plan &plan, Tiles &tiles, Operands &operands,
              TensorProducts &tensor, DelayedProducts &delayed, OperationEmitter &operations)
      : b(b), plan(plan), tiles(tiles), operands(operands), tensor(tensor), delayed(delayed),
        operations(operations) {}

  void emit(tile::IfOp op);
  void emit(tile::ForOp op);
  void emit(tile::LoopOp op);
  void emitTerminator(mlir::Operation *op);

  /// The target of `return`.
  mlir::Block *exit = nullptr;

private:
  struct Branch {
    tile::IfOp op;
    mlir::Block *after;
  };
  /// The targets of `continue` and `break`.
  struct Loop {
    mlir::Operation *op;
    mlir::Block *next, *after;
  };

  void carry(mlir::ValueRange from, mlir::ValueRange to, mlir::Block *block);

  ThreadBuilder &b;
  const Plan &plan;
  Tiles &tiles;
  Operands &operands;
  TensorProducts &tensor;
  DelayedProducts &delayed;
  OperationEmitter &operations;
  llvm::SmallVector<Branch> branches;
  llvm::SmallVector<Loop> loops;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_CONTROLFLOW_H
