// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known about a condition, and what becomes of an `if` whose condition is.

#ifndef TILEWRIGHT_TILE_OPS_CONDITIONS_H
#define TILEWRIGHT_TILE_OPS_CONDITIONS_H

#include "tilewright/tile/Constants.h"

namespace tilewright::tile {

/// The one value of all elements of a constant i1 tile.
inline std::optional<bool> constantCondition(mlir::Value value) {
  mlir::DenseElementsAttr elements = constantElements(value);
  if (!elements || !elements.isSplat() || !elements.getElementType().isInteger(1))
    return std::nullopt;
  return elements.getSplatValue<bool>();
}

/// c, when the value is `xori c, true`. The constant counts on the right side only
/// (arithmetic, 4.8).
inline mlir::Value negatedCondition(mlir::Value value) {
  auto xorOp = value.getDefiningOp<XOrIOp>();
  return xorOp && constantCondition(xorOp.getRhs()) == true ? xorOp.getLhs() : mlir::Value();
}

/// `xori c, true`: the negation that `negatedCondition` sees.
mlir::Value negate(mlir::Value condition, mlir::Location loc, mlir::RewriterBase &rewriter);

/// Replaces an `if` by the operations of one of its branches; null stands for the else
/// branch that was not written. A branch that leaves takes what follows the `if` with it.
void replaceByBranch(IfOp op, mlir::Block *branch, mlir::RewriterBase &rewriter);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_OPS_CONDITIONS_H
