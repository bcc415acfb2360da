// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Combiners.h.

#include "tilewright/analysis/Combiners.h"

using namespace tilewright;
using mlir::Operation;
using mlir::Value;

static bool isScalar(Value value) {
  auto type = llvm::dyn_cast<tile::TileType>(value.getType());
  return !type || type.getRank() == 0;
}

bool analysis::isElementwiseBody(mlir::Block &body) {
  return llvm::all_of(body.without_terminator(), [](mlir::Operation &op) {
    return llvm::isa<tile::ElementwiseOpInterface, tile::ConstantOp>(op) &&
           isScalar(op.getResult(0));
  });
}

/// Whether the operation has two operands, the `k`-th element and the `k`-th accumulator in either
/// order.
static bool combinesThese(Operation *op, mlir::Block &body, size_t k) {
  Value element = body.getArgument(2 * k), accumulator = body.getArgument(2 * k + 1);
  if (op->getNumOperands() != 2)
    return false;
  Value lhs = op->getOperand(0), rhs = op->getOperand(1);
  return (lhs == element && rhs == accumulator) || (lhs == accumulator && rhs == element);
}

bool analysis::isOrderFree(mlir::Block &body) {
  for (auto [k, yielded] : llvm::enumerate(body.getTerminator()->getOperands())) {
    Operation *op = yielded.getDefiningOp();
    if (!op || op->getBlock() != &body)
      return false;
    mlir::Type type = llvm::cast<tile::TileType>(yielded.getType()).getElementType();
    bool isWideSum = llvm::isa<tile::AddFOp>(op) && (type.isF32() || type.isF64());
    bool hasNoOrder = isWideSum || op->hasTrait<tile::CombinesInAnyOrder>();
    if (!hasNoOrder || !combinesThese(op, body, k))
      return false;
  }
  return true;
}

Operation *analysis::onlyCombiner(mlir::Block &body) {
  Operation *op = &body.front(), *terminator = body.getTerminator();
  bool isOnlyOne = body.getNumArguments() == 2 && op->getNextNode() == terminator &&
                   op->getNumResults() == 1 && terminator->getOperand(0) == op->getResult(0);
  return isOnlyOne && combinesThese(op, body, 0) ? op : nullptr;
}
