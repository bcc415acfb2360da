// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does control flow? By jumps between blocks of the function. Conditions are scalars, which
// all threads have, so that all of them jump together and meet at every barrier.

#ifndef TILEWRIGHT_NVIDIA_EMIT_CONTROLFLOW_H
#define TILEWRIGHT_NVIDIA_EMIT_CONTROLFLOW_H

#include "tilewright/nvidia/emit/Operands.h"

namespace tilewright::nvidia {

class ControlFlow {
public:
  ControlFlow(ThreadBuilder &b, const Plan &plan, Tiles &tiles, Operands &operands,
              OperationEmitter &operations)
      : b(b), plan(plan), tiles(tiles), operands(operands), operations(operations) {}

  void emit(tile::IfOp op);
  void emit(tile::ForOp op);
  void emit(tile::LoopOp op);
  void emitTerminator(mlir::Operation *op);

  /// Where `return` goes.
  mlir::Block *exit = nullptr;

private:
  struct Branch {
    tile::IfOp op;
    mlir::Block *after;
  };
  /// Where `continue` and `break` go.
  struct Loop {
    mlir::Operation *op;
    mlir::Block *next, *after;
  };

  void carry(mlir::ValueRange from, mlir::ValueRange to, mlir::Block *block);

  ThreadBuilder &b;
  const Plan &plan;
  Tiles &tiles;
  Operands &operands;
  OperationEmitter &operations;
  llvm::SmallVector<Branch> branches;
  llvm::SmallVector<Loop> loops;
};

} // namespace tilewright::nvidia

#endif // TILEWRIGHT_NVIDIA_EMIT_CONTROLFLOW_H
