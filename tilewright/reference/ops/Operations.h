// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How is each operation executed? Every file named here executes the operations of a chapter:
// it has an overload of `execute` for each, and a table of them at its end. Elementwise
// operations have one function between them: what they compute is `evalElement`, in the room
// `tile`. So have operations that only move elements, which say where each comes from.

#ifndef TILEWRIGHT_REFERENCE_OPS_OPERATIONS_H
#define TILEWRIGHT_REFERENCE_OPS_OPERATIONS_H

#include "tilewright/reference/machine/Mark.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::reference {

class TileBlock;
struct TensorView;
using llvm::LogicalResult;

/// Failure: the block cannot go on; a finding says why.
using Execute = LogicalResult (*)(TileBlock &block, mlir::Operation *op);

/// The function among those of a file for this operation; null if the file has none.
Execute elementwiseExecutor(mlir::Operation *op);
Execute shapeExecutor(mlir::Operation *op);
Execute controlFlowExecutor(mlir::Operation *op);
Execute aggregatesExecutor(mlir::Operation *op);
Execute matrixExecutor(mlir::Operation *op);
Execute assumptionsExecutor(mlir::Operation *op);
Execute printExecutor(mlir::Operation *op);
Execute pointerAccessExecutor(mlir::Operation *op);
Execute viewAccessExecutor(mlir::Operation *op);
Execute atomicsExecutor(mlir::Operation *op);

/// For the tables: `execute(block, op)`, with the operation as the first of these that it is.
template <typename... Ops, typename Function> Execute firstOf(mlir::Operation *op, Function) {
  Execute found = nullptr;
  (void)((llvm::isa<Ops>(op) &&
          (found = [](TileBlock &block,
                      mlir::Operation *op) { return Function{}(block, llvm::cast<Ops>(op)); })) ||
         ...);
  return found;
}

// Elementwise.cpp

/// Is it a shift by the width or more?
bool isWideShift(mlir::Operation *op, llvm::ArrayRef<numerics::Element> in);
/// Does it convert a negative number to f8E5M3FNU, which has no sign?
bool losesSign(mlir::Operation *op, llvm::ArrayRef<numerics::Element> in);
/// Could either be true of some operands?
bool mayBeUnspecified(mlir::Operation *op);
/// The mark of what the operation makes of these, which have none.
Mark markMadeBy(tile::ElementwiseOpInterface op, llvm::ArrayRef<numerics::Element> in);

// Assumptions.cpp

/// Reports assumptions about strides that are false where the view uses the stride.
void checkStrideAssumptions(TileBlock &block, tile::MakeTensorViewOp op, const TensorView &view);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_OPS_OPERATIONS_H
