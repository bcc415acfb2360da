// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps each operation to the function that executes it. Each file named here executes the
// operations of one chapter: it has an overload of `execute` for each operation, and a table of
// them at its end. All elementwise operations share one function, because `evalElement` in the room
// `tile` defines what they compute. The operations that only move elements share one as well; each
// of them only defines where its elements come from.

#ifndef TILEWRIGHT_REFERENCE_OPS_OPERATIONS_H
#define TILEWRIGHT_REFERENCE_OPS_OPERATIONS_H

#include "tilewright/reference/machine/Mark.h"
#include "tilewright/tile/Ops.h"

namespace tilewright::reference {

class TileBlock;
struct TensorView;
using llvm::LogicalResult;

/// Fails if the block cannot continue; a finding gives the reason.
using Execute = LogicalResult (*)(TileBlock &block, mlir::Operation *op);

/// The function in the file for this operation; null if the file has none.
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

/// For the tables: calls `execute(block, op)` with the operation cast to the first matching type.
template <typename... Ops, typename Function> Execute firstOf(mlir::Operation *op, Function) {
  Execute found = nullptr;
  (void)((llvm::isa<Ops>(op) &&
          (found = [](TileBlock &block,
                      mlir::Operation *op) { return Function{}(block, llvm::cast<Ops>(op)); })) ||
         ...);
  return found;
}

// Elementwise.cpp

/// Whether it is a shift by the width or more.
bool isWideShift(mlir::Operation *op, llvm::ArrayRef<numerics::Element> in);
/// Whether it converts a negative number to f8E5M3FNU, which has no sign.
bool losesSign(mlir::Operation *op, llvm::ArrayRef<numerics::Element> in);
/// Whether one of these is possible for some operands.
bool mayBeUnspecified(mlir::Operation *op);
/// The mark of the result for operands without marks.
Mark markMadeBy(tile::ElementwiseOpInterface op, llvm::ArrayRef<numerics::Element> in);

// Assumptions.cpp

/// Reports false assumptions about strides if the view uses the stride.
void checkStrideAssumptions(TileBlock &block, tile::MakeTensorViewOp op, const TensorView &view);

} // namespace tilewright::reference

#endif // TILEWRIGHT_REFERENCE_OPS_OPERATIONS_H
