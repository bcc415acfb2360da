// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folds of `constant` and `assume`. Arithmetic on constants is not evaluated here, because
// canonical text must stay as other tools print it (operations, 13; arithmetic, 6). The pass
// evaluate-constants does that.

#include "tilewright/tile/Ops.h"

using namespace mlir;
using namespace tilewright::tile;

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

/// A repeated assumption is redundant (operations, 6.2).
OpFoldResult AssumeOp::fold(FoldAdaptor) {
  auto inner = getValue().getDefiningOp<AssumeOp>();
  return inner && inner != *this && inner.getPredicate() == getPredicate()
             ? OpFoldResult(getValue())
             : OpFoldResult();
}
