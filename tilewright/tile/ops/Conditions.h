// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constant and negated conditions, and the replacement of an `if` by one of its branches.

#ifndef TILEWRIGHT_TILE_OPS_CONDITIONS_H
#define TILEWRIGHT_TILE_OPS_CONDITIONS_H

#include "tilewright/tile/Constants.h"

namespace tilewright::tile {

/// The value of a constant i1 tile whose elements are all equal.
inline std::optional<bool> constantCondition(mlir::Value value) {
  mlir::DenseElementsAttr elements = constantElements(value);
  if (!elements || !elements.isSplat() || !elements.getElementType().isInteger(1))
    return std::nullopt;
  return elements.getSplatValue<bool>();
}

/// c, if the value is `xori c, true`. The constant must be on the right-hand side (arithmetic,
/// 4.8).
inline mlir::Value negatedCondition(mlir::Value value) {
  auto xorOp = value.getDefiningOp<XOrIOp>();
  return xorOp && constantCondition(xorOp.getRhs()) == true ? xorOp.getLhs() : mlir::Value();
}

/// Creates `xori c, true`, the negation that `negatedCondition` recognises.
mlir::Value negate(mlir::Value condition, mlir::Location loc, mlir::RewriterBase &rewriter);

/// Replaces an `if` by the operations of one of its branches; a null branch is an absent else
/// branch. A branch that leaves the `if` replaces the operations after the `if`, too.
void replaceByBranch(IfOp op, mlir::Block *branch, mlir::RewriterBase &rewriter);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_OPS_CONDITIONS_H
