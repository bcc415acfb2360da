// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations about layouts of values. They compute nothing: `to_layout` is the
// identity, and so are two bridges in a row (layouts, 2.1 to 2.3).

#include "tilewright/layout/dialect/Ops.h"

using namespace mlir;
using namespace tilewright::layout;

#define GET_OP_CLASSES
#include "tilewright/layout/dialect/Ops.cpp.inc"

// Not folded, even if the input has that layout already: layouts are not part of types,
// and what is redundant shows only in the whole program.
LogicalResult ToLayoutOp::verify() {
  return getLayout().isValidLayout(cast<ShapedType>(getInput().getType()), getLoc());
}

/// What went over the bridge `There` to come back. The verifier asks only for equal
/// elements, so the way back may lead to another shape.
template <typename There> static OpFoldResult foldBridges(Value crossed, Type back) {
  auto there = crossed.getDefiningOp<There>();
  if (!there || there.getInput().getType() != back)
    return {};
  return there.getInput();
}

OpFoldResult ToSIMDOp::fold(FoldAdaptor) { return foldBridges<ToSIMTOp>(getInput(), getType()); }

OpFoldResult ToSIMTOp::fold(FoldAdaptor) { return foldBridges<ToSIMDOp>(getInput(), getType()); }
