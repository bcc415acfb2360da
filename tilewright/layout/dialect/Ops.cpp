// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations that assign layouts to values. They compute nothing: `to_layout` is the identity,
// and so is a pair of opposite bridges (layouts, 2.1 to 2.3).

#include "tilewright/layout/dialect/Ops.h"

using namespace mlir;
using namespace tilewright::layout;

#define GET_OP_CLASSES
#include "tilewright/layout/dialect/Ops.cpp.inc"

// Not folded, even if the input already has that layout: layouts are not part of types, so
// redundancy is visible only in the whole program.
LogicalResult ToLayoutOp::verify() {
  return getLayout().isValidLayout(cast<ShapedType>(getInput().getType()), getLoc());
}

/// Folds a bridge back from `There` to the input of `There`. The verifier requires only equal
/// element types, so the bridge back may have another shape; then nothing is folded.
template <typename There> static OpFoldResult foldBridges(Value crossed, Type back) {
  auto there = crossed.getDefiningOp<There>();
  if (!there || there.getInput().getType() != back)
    return {};
  return there.getInput();
}

OpFoldResult ToSIMDOp::fold(FoldAdaptor) { return foldBridges<ToSIMTOp>(getInput(), getType()); }

OpFoldResult ToSIMTOp::fold(FoldAdaptor) { return foldBridges<ToSIMDOp>(getInput(), getType()); }
