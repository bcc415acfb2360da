// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Canonicalizes `addf`: moves a product among its operands to the front, where the fusion to `fma`
// looks for it (arithmetic, 6).

#include "tilewright/tile/Ops.h"

using namespace mlir;
using namespace tilewright::tile;

static LogicalResult putProductFirst(AddFOp op, PatternRewriter &rewriter) {
  if (!op.getRhs().getDefiningOp<MulFOp>() || op.getLhs().getDefiningOp<MulFOp>())
    return failure();
  Value lhs = op.getLhs(), rhs = op.getRhs();
  rewriter.modifyOpInPlace(op, [&] {
    op.getLhsMutable().assign(rhs);
    op.getRhsMutable().assign(lhs);
  });
  return success();
}

void AddFOp::getCanonicalizationPatterns(RewritePatternSet &patterns, MLIRContext *) {
  patterns.add(putProductFirst);
}
