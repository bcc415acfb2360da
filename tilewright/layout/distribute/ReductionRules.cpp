// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributes reductions and contractions. A thread reduces the elements that it holds; then its
// lanes are reduced with each other, and all of them get the result, as its layout requires
// (layouts, 3.6.7). Contractions are local to a thread (3.6.9). MaterializeConversions.cpp has
// already split everything beyond that.

#include "tilewright/layout/distribute/DistributionRules.h"
#include "tilewright/layout/distribute/Identity.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::layout;

// --- Among lanes ----------------------------------------------------------------------

static gpu::AllReduceOperation inDialectOfGpu(vector::CombiningKind kind) {
  using From = vector::CombiningKind;
  using To = gpu::AllReduceOperation;
  switch (kind) {
  case From::ADD:
    return To::ADD;
  case From::MUL:
    return To::MUL;
  case From::MINUI:
    return To::MINUI;
  case From::MINSI:
    return To::MINSI;
  case From::MINNUMF:
    return To::MINNUMF;
  case From::MAXUI:
    return To::MAXUI;
  case From::MAXSI:
    return To::MAXSI;
  case From::MAXNUMF:
    return To::MAXNUMF;
  case From::MINIMUMF:
    return To::MINIMUMF;
  case From::MAXIMUMF:
    return To::MAXIMUMF;
  case From::AND:
    return To::AND;
  case From::OR:
    return To::OR;
  case From::XOR:
    return To::XOR;
  }
  llvm_unreachable("a way to combine that is none");
}

/// Reduces over the lanes along a dimension. Only scalars and one-dimensional vectors of
/// fixed-width numbers can be reduced.
static Value reduceLanes(OpBuilder &builder, Location loc, Value value, vector::CombiningKind kind,
                         const Dim &dim) {
  Type type = value.getType();
  auto vector = dyn_cast<VectorType>(type);
  if (vector && vector.getRank() != 1)
    value = vector::ShapeCastOp::create(
        builder, loc, VectorType::get(vector.getNumElements(), vector.getElementType()), value);
  Type flat = value.getType();
  bool isIndex = getElementTypeOrSelf(type).isIndex();
  if (isIndex) {
    Type fixed = builder.getI64Type();
    if (auto flatVector = dyn_cast<VectorType>(flat))
      fixed = flatVector.clone(fixed);
    value = arith::IndexCastOp::create(builder, loc, fixed, value);
  }
  value = gpu::SubgroupReduceOp::create(builder, loc, value, inDialectOfGpu(kind),
                                        /*uniform=*/false, dim.threads, dim.threadStride);
  if (isIndex)
    value = arith::IndexCastOp::create(builder, loc, flat, value);
  if (value.getType() != type)
    value = vector::ShapeCastOp::create(builder, loc, vector, value);
  return value;
}

// --- Reductions -----------------------------------------------------------------------

LogicalResult layout::distribute(vector::MultiDimReductionOp reduction, ThreadFunction &thread) {
  OpBuilder &builder = thread.builder;
  Location loc = reduction.getLoc();
  vector::CombiningKind kind = reduction.getKind();
  Layout source = thread.layoutOf(reduction.getSource());
  SmallVector<bool> reduced = reduction.getReductionMask();

  SmallVector<Dim> lanes;
  for (auto [number, dim] : llvm::enumerate(source.dims())) {
    if (!reduced[number] || dim.threads == 1)
      continue;
    if (!llvm::isPowerOf2_64(dim.threads) || !llvm::isPowerOf2_64(dim.threadStride))
      return reduction.emitOpError("goes along dimension ")
             << number << " over " << dim.threads << " threads at stride " << dim.threadStride
             << ": among lanes both have to be powers of two";
    lanes.push_back(dim);
  }
  SmallVector<bool> own;
  for (int level = 0; level < 3; ++level)
    llvm::append_range(own, reduced);
  Value acc = thread.distributed(reduction.getAcc());
  // The initial value must count once, not in every lane.
  Value start = lanes.empty() ? acc : identityValue(builder, loc, kind, acc.getType());
  Value result = vector::MultiDimReductionOp::create(
      builder, loc, thread.distributed(reduction.getSource()), start, own, kind);
  for (const Dim &dim : lanes)
    result = reduceLanes(builder, loc, result, kind, dim);
  if (!lanes.empty())
    result = vector::makeArithReduction(builder, loc, kind, result, acc);
  thread.setDistributed(reduction.getDest(), result);
  return success();
}

// --- Contractions ---------------------------------------------------------------------

/// Replicates each dimension of the iteration space for batches, outers and elements.
static AffineMap threefold(AffineMap map) {
  unsigned dims = map.getNumDims();
  SmallVector<AffineExpr> results;
  for (unsigned level = 0; level < 3; ++level)
    for (AffineExpr expr : map.getResults())
      results.push_back(expr.shiftDims(dims, level * dims));
  return AffineMap::get(3 * dims, 0, results, map.getContext());
}

LogicalResult layout::distribute(vector::ContractionOp contraction, ThreadFunction &thread) {
  OpBuilder &builder = thread.builder;
  auto maps = llvm::map_to_vector(contraction.getIndexingMapsArray(), threefold);
  SmallVector<Attribute> iterators;
  for (int level = 0; level < 3; ++level)
    llvm::append_range(iterators, contraction.getIteratorTypes());
  Value own = vector::ContractionOp::create(
      builder, contraction.getLoc(), thread.distributed(contraction.getLhs()),
      thread.distributed(contraction.getRhs()), thread.distributed(contraction.getAcc()),
      builder.getAffineMapArrayAttr(maps), builder.getArrayAttr(iterators), contraction.getKind());
  thread.setDistributed(contraction.getResult(), own);
  return success();
}
