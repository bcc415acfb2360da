// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributes operations that move no data between threads. A thread's part of constants, steps and
// masks follows from its position; broadcasts, transpositions and shape casts only reorder its
// registers (layouts, 3.6.2, 3.6.5, 3.6.6, 3.6.11, 3.6.12, 3.6.15).

#include "tilewright/layout/algebra/Owners.h"
#include "tilewright/layout/distribute/DistributionRules.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::layout;

// --- Values that follow from the position ---------------------------------------------

LogicalResult layout::distribute(arith::ConstantOp constant, ThreadFunction &thread) {
  // Constants with different elements have been moved to memory.
  auto elements = dyn_cast<SplatElementsAttr>(constant.getValue());
  if (!elements)
    return constant.emitOpError(
        "has its elements outside of the program, and cannot be distributed");
  auto part =
      DenseElementsAttr::get(thread.vectorTypeOf(constant), elements.getSplatValue<Attribute>());
  thread.setDistributed(constant,
                        arith::ConstantOp::create(thread.builder, constant.getLoc(), part));
  return success();
}

LogicalResult layout::distribute(vector::StepOp step, ThreadFunction &thread) {
  const Dim dim = thread.layoutOf(step)[0];
  OpBuilder &builder = thread.builder;
  // The elements of a thread at position 0.
  SmallVector<APInt> counts;
  forEachElement({dim.batches, dim.outers, dim.elements}, [&](ArrayRef<int64_t> at) {
    counts.emplace_back(64, indexOf(dim, {.batch = at[0], .outer = at[1], .element = at[2]}));
  });
  VectorType type = thread.vectorTypeOf(step);
  Value own =
      arith::ConstantOp::create(builder, step.getLoc(), DenseElementsAttr::get(type, counts));
  if (dim.subgroups > 1 || dim.threads > 1) {
    Value start = thread.indexAt(thread.attrOf(step), 0, 0);
    Value everywhere = vector::BroadcastOp::create(builder, step.getLoc(), type, start);
    own = arith::AddIOp::create(builder, step.getLoc(), own, everywhere);
  }
  thread.setDistributed(step, own);
  return success();
}

// --- Masks ----------------------------------------------------------------------------

/// How many of the first `bound` elements along a dimension the thread holds: they are the first of
/// its elements, in the order batch, outer, element. The digits of `bound` are those of the first
/// element beyond it. Within the run that contains it, a thread at a lower position holds its part
/// completely, and a thread at a higher position holds none of it.
static Value heldBelow(ThreadFunction &thread, Location loc, const Dim &dim, Value subgroup,
                       Value position, Value bound) {
  OpBuilder &builder = thread.builder;
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, value);
  };
  Value zero = constant(0);
  bound = arith::MaxSIOp::create(builder, loc, bound, zero);
  bound = arith::MinSIOp::create(builder, loc, bound, constant(dim.extent()));
  auto digits = affine::AffineDelinearizeIndexOp::create(
      builder, loc, bound, {dim.batches, dim.outers, dim.threads, dim.elements},
      /*hasOuterBound=*/false);

  auto choose = [&](Value own, Value digit, Value before, Value at, Value behind) -> Value {
    using Predicate = arith::CmpIPredicate;
    own = own ? own : zero;
    Value isBefore = arith::CmpIOp::create(builder, loc, Predicate::slt, own, digit);
    Value isAt = arith::CmpIOp::create(builder, loc, Predicate::eq, own, digit);
    Value rest = arith::SelectOp::create(builder, loc, isAt, at, behind);
    return arith::SelectOp::create(builder, loc, isBefore, before, rest);
  };
  Value runs = linearSum(
      builder, loc, 0,
      {{digits.getResult(1), dim.outers * dim.elements}, {digits.getResult(2), dim.elements}});
  Value oneMore = linearSum(builder, loc, dim.elements, {{runs, 1}});
  Value some = linearSum(builder, loc, 0, {{runs, 1}, {digits.getResult(4), 1}});
  Value inSubgroup = choose(position, digits.getResult(3), oneMore, some, runs);
  return choose(subgroup, digits.getResult(0), constant(dim.perThread()), inSubgroup, zero);
}

/// Converts one dimension per dimension of the whole to the distributed shape.
static Value packed(OpBuilder &builder, Value unpacked, const Layout &layout) {
  if (layout.rank() == 0)
    return unpacked;
  Location loc = unpacked.getLoc();
  auto type = cast<VectorType>(unpacked.getType());
  SmallVector<int64_t> interleaved;
  for (const Dim &dim : layout.dims())
    interleaved.append({dim.batches, dim.outers, dim.elements});
  Value apart = vector::ShapeCastOp::create(
      builder, loc, VectorType::get(interleaved, type.getElementType()), unpacked);
  if (layout.rank() == 1)
    return apart;
  return vector::TransposeOp::create(builder, loc, apart, packingPermutation(layout.rank()));
}

static Value unpacked(OpBuilder &builder, Value distributed, const Layout &layout) {
  if (layout.rank() == 0)
    return distributed;
  Location loc = distributed.getLoc();
  if (layout.rank() > 1)
    distributed =
        vector::TransposeOp::create(builder, loc, distributed, unpackingPermutation(layout.rank()));
  auto type = VectorType::get(distributedUnpackedShape(layout), getElementTypeOrSelf(distributed));
  return vector::ShapeCastOp::create(builder, loc, type, distributed);
}

static LogicalResult distributeMask(Value mask, ArrayRef<OpFoldResult> bounds,
                                    ThreadFunction &thread) {
  OpBuilder &builder = thread.builder;
  Location loc = mask.getLoc();
  Layout layout = thread.layoutOf(mask);
  const ThreadFunction::Position &at = thread.positionIn(thread.attrOf(mask));
  SmallVector<Value> own;
  for (auto [dim, bound, subgroup, position] :
       llvm::zip_equal(layout.dims(), bounds, at.subgroups, at.threads)) {
    if (getConstantIntValue(bound) == dim.extent())
      own.push_back(arith::ConstantIndexOp::create(builder, loc, dim.perThread()));
    else
      own.push_back(heldBelow(thread, loc, dim, subgroup, position,
                              getValueOrCreateConstantIndexOp(builder, loc, bound)));
  }
  auto type = VectorType::get(distributedUnpackedShape(layout), builder.getI1Type());
  Value prefix = vector::CreateMaskOp::create(builder, loc, type, own);
  thread.setDistributed(mask, packed(builder, prefix, layout));
  return success();
}

LogicalResult layout::distribute(vector::CreateMaskOp mask, ThreadFunction &thread) {
  auto bounds = llvm::map_to_vector(
      mask.getOperands(), [&](Value bound) -> OpFoldResult { return thread.distributed(bound); });
  return distributeMask(mask, bounds, thread);
}

LogicalResult layout::distribute(vector::ConstantMaskOp mask, ThreadFunction &thread) {
  Builder builder(mask.getContext());
  if (mask.getVectorType().getRank() == 0) { // all or nothing
    thread.setDistributed(mask, thread.builder.clone(*mask)->getResult(0));
    return success();
  }
  auto bounds = llvm::map_to_vector(mask.getMaskDimSizes(), [&](int64_t size) -> OpFoldResult {
    return builder.getIndexAttr(size);
  });
  return distributeMask(mask, bounds, thread);
}

// --- Reordering -----------------------------------------------------------------------

/// Every thread holds the part of the source from which its part of the result is made. New
/// dimensions come first among batches, outers and elements alike.
LogicalResult layout::distribute(vector::BroadcastOp broadcast, ThreadFunction &thread) {
  OpBuilder &builder = thread.builder;
  Location loc = broadcast.getLoc();
  VectorType type = thread.vectorTypeOf(broadcast);
  Value source = thread.distributed(broadcast.getSource());
  auto from = dyn_cast<VectorType>(broadcast.getSourceType());
  int64_t rank = broadcast.getResultVectorType().getRank();
  int64_t kept = from ? from.getRank() : 0, added = rank - kept;
  if (kept == 0 || added == 0) {
    thread.setDistributed(broadcast, vector::BroadcastOp::create(builder, loc, type, source));
    return success();
  }
  // First all new dimensions, then all existing ones; then regroup them into the three levels.
  SmallVector<int64_t> shape, permutation;
  for (int64_t level = 0; level < 3; ++level)
    llvm::append_range(shape, type.getShape().slice(level * rank, added));
  for (int64_t level = 0; level < 3; ++level)
    llvm::append_range(shape, type.getShape().slice(level * rank + added, kept));
  for (int64_t level = 0; level < 3; ++level) {
    llvm::append_range(permutation, llvm::seq(level * added, (level + 1) * added));
    int64_t first = 3 * added + level * kept;
    llvm::append_range(permutation, llvm::seq(first, first + kept));
  }
  Value repeated = vector::BroadcastOp::create(
      builder, loc, VectorType::get(shape, type.getElementType()), source);
  thread.setDistributed(broadcast,
                        vector::TransposeOp::create(builder, loc, repeated, permutation));
  return success();
}

SmallVector<int64_t> layout::permutationOfDistributed(ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> all;
  for (size_t level = 0; level < 3; ++level)
    for (int64_t dim : permutation)
      all.push_back(level * permutation.size() + dim);
  return all;
}

LogicalResult layout::distribute(vector::TransposeOp transpose, ThreadFunction &thread) {
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  Value source = thread.distributed(transpose.getVector());
  if (permutation.empty())
    thread.setDistributed(transpose, source);
  else
    thread.setDistributed(transpose,
                          vector::TransposeOp::create(thread.builder, transpose.getLoc(), source,
                                                      permutationOfDistributed(permutation)));
  return success();
}

LogicalResult layout::distribute(vector::ShapeCastOp cast, ThreadFunction &thread) {
  OpBuilder &builder = thread.builder;
  Layout layout = thread.layoutOf(cast);
  Value source =
      unpacked(builder, thread.distributed(cast.getSource()), thread.layoutOf(cast.getSource()));
  auto type = VectorType::get(distributedUnpackedShape(layout),
                              cast.getResultVectorType().getElementType());
  if (source.getType() != type)
    source = vector::ShapeCastOp::create(builder, cast.getLoc(), type, source);
  thread.setDistributed(cast, packed(builder, source, layout));
  return success();
}

/// The thread holds all elements along the dimension; they are in order once batches, outers and
/// elements are merged into one dimension.
LogicalResult layout::distribute(vector::ScanOp scan, ThreadFunction &thread) {
  OpBuilder &builder = thread.builder;
  auto own = [&](Value whole) {
    return unpacked(builder, thread.distributed(whole), thread.layoutOf(whole));
  };
  auto scanned = vector::ScanOp::create(builder, scan.getLoc(), scan.getKind(),
                                        own(scan.getSource()), own(scan.getInitialValue()),
                                        scan.getReductionDim(), scan.getInclusive());
  for (auto [whole, result] : llvm::zip_equal(scan.getResults(), scanned.getResults()))
    thread.setDistributed(whole, packed(builder, result, thread.layoutOf(whole)));
  return success();
}

/// Any thread can extract from a vector that all threads hold (layouts, 3.6.16).
LogicalResult layout::distribute(vector::ExtractOp extract, ThreadFunction &thread) {
  if (extract.getSourceVectorType().getRank() != 0)
    return extract.emitOpError("from a vector that is spread over threads cannot be distributed");
  thread.setDistributed(extract,
                        vector::ExtractOp::create(thread.builder, extract.getLoc(),
                                                  thread.distributed(extract.getSource())));
  return success();
}

/// Moves the same elements to other registers, in the same way for all threads.
LogicalResult layout::distribute(ToLayoutOp to, ThreadFunction &thread) {
  OpBuilder &builder = thread.builder;
  Location loc = to.getLoc();
  Value source = thread.distributed(to.getInput());
  Layout from = thread.layoutOf(to.getInput()), target = thread.layoutOf(to);
  if (from == target) {
    thread.setDistributed(to, source);
    return success();
  }
  Workgroup workgroup = thread.shape.workgroup();
  SmallVector<int64_t> order;
  for (int64_t reg = 0; reg < target.registers(); ++reg)
    order.push_back(registerOf(from, elementAt(target, workgroup, /*thread=*/0, reg)));
  auto type = cast<VectorType>(source.getType());
  Value flat = vector::ShapeCastOp::create(
      builder, loc, VectorType::get(type.getNumElements(), type.getElementType()), source);
  if (!isIdentityPermutation(order))
    flat = vector::ShuffleOp::create(builder, loc, flat, flat, order);
  thread.setDistributed(to,
                        vector::ShapeCastOp::create(builder, loc, thread.vectorTypeOf(to), flat));
  return success();
}
