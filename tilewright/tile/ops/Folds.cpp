// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do `constant` and `assume` fold to? Constants of arithmetic are not evaluated
// here: canonical text stays what other tools print (operations, 13; arithmetic, 6).
// The pass evaluate-constants does that.

#include "tilewright/tile/Ops.h"

using namespace mlir;
using namespace tilewright::tile;

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

/// The same promise made twice says nothing new (operations, 6.2).
OpFoldResult AssumeOp::fold(FoldAdaptor) {
  auto inner = getValue().getDefiningOp<AssumeOp>();
  return inner && inner != *this && inner.getPredicate() == getPredicate()
             ? OpFoldResult(getValue())
             : OpFoldResult();
}
