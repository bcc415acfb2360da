// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuses products and sums into `fma`: addf(mulf(a, b), c) becomes fma a, b, c, and subf(mulf(a, b),
// c) becomes fma a, b, negf(c), if the product has no other user and both have the same rounding
// mode and flush_to_zero. The canonical `addf` has its product first, so the pass includes the
// operand swap of `addf` (arithmetic, 6).

#include "tilewright/lower/Passes.h"
#include "tilewright/tile/Ops.h"

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tilewright::lower {
#define GEN_PASS_DEF_FUSEFMA
#include "tilewright/lower/Passes.h.inc"
} // namespace tilewright::lower

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

/// The product on the left-hand side of a sum or difference, if it can be fused; else null.
template <typename Op> static MulFOp fusableProduct(Op op) {
  auto product = op.getLhs().template getDefiningOp<MulFOp>();
  bool fusable = product && product->hasOneUse() &&
                 product.getRoundingMode() == op.getRoundingMode() &&
                 product.getFlushToZero() == op.getFlushToZero();
  return fusable ? product : MulFOp();
}

template <typename Op>
static void replaceByFma(Op op, MulFOp product, Value acc, PatternRewriter &rewriter) {
  rewriter.replaceOpWithNewOp<FmaOp>(op, op.getType(), product.getLhs(), product.getRhs(), acc,
                                     op.getRoundingMode(), op.getFlushToZero());
  rewriter.eraseOp(product);
}

static LogicalResult fuseSum(AddFOp op, PatternRewriter &rewriter) {
  MulFOp product = fusableProduct(op);
  if (!product)
    return failure();
  replaceByFma(op, product, op.getRhs(), rewriter);
  return success();
}

static LogicalResult fuseDifference(SubFOp op, PatternRewriter &rewriter) {
  MulFOp product = fusableProduct(op);
  if (!product)
    return failure();
  Value negated = NegFOp::create(rewriter, op.getLoc(), op.getType(), op.getRhs());
  replaceByFma(op, product, negated, rewriter);
  return success();
}

namespace {
struct FuseFmaPass : tilewright::lower::impl::FuseFmaBase<FuseFmaPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    AddFOp::getCanonicalizationPatterns(patterns, &getContext());
    patterns.add(fuseSum);
    patterns.add(fuseDifference);
    // Only the rewrites above: no folds, no cleanup of regions.
    GreedyRewriteConfig config;
    config.enableFolding(false).enableConstantCSE(false).setRegionSimplificationLevel(
        GreedySimplifyRegionLevel::Disabled);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      signalPassFailure();
  }
};
} // namespace
