// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simplifies gathers. If an index vector only repeats, transposes or counts, the maps express that
// instead, and a gather without index vectors becomes a read (layouts, 2.5.7). The conditions of
// each rewrite ensure that it reads the same elements.

#include "tilewright/layout/dialect/Ops.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/AffineExpr.h"

using namespace mlir;
using namespace tilewright::layout;

namespace {

/// An index vector of a gather, with its map and its source dimension.
struct GatheredDim {
  unsigned number;
  unsigned dim;
  Value indexVec;
  AffineMap map;
};

} // namespace

static SmallVector<GatheredDim> gatheredDims(TransferGatherOp op) {
  SmallVector<GatheredDim> list;
  for (auto [number, dim, indexVec, map] :
       llvm::enumerate(op.getGatheredDims(), op.getIndexVecs(), op.getIndexedMapValues()))
    list.push_back({static_cast<unsigned>(number), dim, indexVec, map});
  return list;
}

static AffineMap withResults(AffineMap map, ArrayRef<AffineExpr> results) {
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(), results, map.getContext());
}

static void replaceIndexVec(TransferGatherOp op, const GatheredDim &gathered, Value indexVec,
                            AffineMap map) {
  SmallVector<AffineMap> maps = op.getIndexedMapValues();
  maps[gathered.number] = map;
  op.getIndexVecsMutable()[gathered.number].set(indexVec);
  op.setIndexedMapsAttr(Builder(op.getContext()).getAffineMapArrayAttr(maps));
}

/// Makes a dimension contiguous: the position along it counts again.
static void makeContiguous(TransferGatherOp op, const GatheredDim &gathered) {
  SmallVector<AffineMap> maps = op.getIndexedMapValues();
  maps.erase(maps.begin() + gathered.number);
  auto indexed = llvm::to_vector(op.getIndexed().getAsValueRange<BoolAttr>());
  indexed[gathered.dim] = false;
  Builder builder(op.getContext());
  op.getIndexVecsMutable().erase(gathered.number);
  op.setIndexedMapsAttr(builder.getAffineMapArrayAttr(maps));
  op.setIndexedAttr(builder.getBoolArrayAttr(SmallVector<bool>(indexed)));
}

// --- Folds ----------------------------------------------------------------------------

/// Folds a broadcast along leading dimensions: the map drops them. If the broadcast stretches a
/// dimension or starts with a scalar, there is no vector to use instead.
static bool foldBroadcast(TransferGatherOp op, const GatheredDim &gathered) {
  auto broadcast = gathered.indexVec.getDefiningOp<vector::BroadcastOp>();
  auto from = broadcast ? dyn_cast<VectorType>(broadcast.getSourceType()) : VectorType();
  if (!from)
    return false;
  VectorType to = broadcast.getResultVectorType();
  size_t rank = from.getRank();
  if (to.getShape().take_back(rank) != from.getShape() ||
      to.getScalableDims().take_back(rank) != from.getScalableDims())
    return false;
  replaceIndexVec(op, gathered, broadcast.getSource(),
                  withResults(gathered.map, gathered.map.getResults().take_back(rank)));
  return true;
}

/// Folds a transposition: dimension `i` of its result is dimension `permutation[i]` of its operand.
static bool foldTranspose(TransferGatherOp op, const GatheredDim &gathered) {
  auto transpose = gathered.indexVec.getDefiningOp<vector::TransposeOp>();
  if (!transpose)
    return false;
  SmallVector<AffineExpr> results(gathered.map.getNumResults());
  for (auto [position, source] : llvm::enumerate(transpose.getPermutation()))
    results[source] = gathered.map.getResult(position);
  replaceIndexVec(op, gathered, transpose.getVector(), withResults(gathered.map, results));
  return true;
}

/// An index vector that counts along its own dimension is a contiguous access. Along another
/// dimension it is not.
static bool foldStep(TransferGatherOp op, const GatheredDim &gathered) {
  if (!gathered.indexVec.getDefiningOp<vector::StepOp>() || gathered.map.getNumResults() != 1 ||
      gathered.map.getResult(0) != getAffineDimExpr(gathered.dim, op.getContext()))
    return false;
  makeContiguous(op, gathered);
  return true;
}

OpFoldResult TransferGatherOp::fold(FoldAdaptor) {
  for (const GatheredDim &gathered : gatheredDims(*this))
    if (foldBroadcast(*this, gathered) || foldTranspose(*this, gathered) ||
        foldStep(*this, gathered))
      return getVector();
  return {};
}

// --- Patterns -------------------------------------------------------------------------

namespace {

/// A single index can be added to the base index, provided that the slice has a single position
/// along the dimension; otherwise that position would be added, too.
struct SingleElement : OpRewritePattern<TransferGatherOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransferGatherOp op, PatternRewriter &rewriter) const override {
    SmallVector<int64_t> slice = op.getSliceShape();
    for (const GatheredDim &gathered : gatheredDims(op)) {
      auto type = cast<VectorType>(gathered.indexVec.getType());
      if (slice[gathered.dim] != 1 || type.isScalable() || type.getNumElements() != 1)
        continue;
      moveToIndices(op, gathered, rewriter);
      return success();
    }
    return failure();
  }

private:
  static void moveToIndices(TransferGatherOp op, const GatheredDim &gathered,
                            PatternRewriter &rewriter) {
    Location loc = op.getLoc();
    SmallVector<int64_t> origin(cast<VectorType>(gathered.indexVec.getType()).getRank(), 0);
    Value single = vector::ExtractOp::create(rewriter, loc, gathered.indexVec, origin);
    AffineExpr base, offset;
    bindDims(op.getContext(), base, offset);
    Value index = affine::makeComposedAffineApply(
        rewriter, loc, base + offset,
        {OpFoldResult(op.getIndices()[gathered.dim]), OpFoldResult(single)});
    rewriter.modifyOpInPlace(op, [&] {
      op.getIndicesMutable()[gathered.dim].set(index);
      makeContiguous(op, gathered);
    });
  }
};

/// A gather without index vectors is a read.
struct Contiguous : OpRewritePattern<TransferGatherOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(TransferGatherOp op, PatternRewriter &rewriter) const override {
    if (!op.getIndexVecs().empty())
      return failure();
    rewriter.replaceOpWithNewOp<vector::TransferReadOp>(
        op, op.getVectorType(), op.getSource(), op.getIndices(), op.getPermutationMapAttr(),
        op.getPadding(), op.getMask(), op.getInBoundsAttr());
    return success();
  }
};

} // namespace

void TransferGatherOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                                   MLIRContext *context) {
  patterns.add<SingleElement, Contiguous>(context);
}
