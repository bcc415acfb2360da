// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers vector.mask (layouts, 3.6.11). Transfers and gathers have a mask operand. A reduction uses
// the identity where the mask is false. The mask of a contraction covers its iteration space; a
// mask with separate bounds for each dimension is split into a mask for each operand and one for
// the result, which keeps its initial value beyond the bounds.
//
// One-dimensional reductions become multi-dimensional ones, so that later steps handle only one
// kind.

#include "tilewright/layout/dialect/Ops.h"
#include "tilewright/layout/distribute/Distribute.h"
#include "tilewright/layout/distribute/Identity.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::layout;

// --- Transfers ------------------------------------------------------------------------

/// A mask has the dimension order of the memory, and the vector that of the map.
static FailureOr<Value> inOrderOfVector(OpBuilder &builder, vector::TransferReadOp read,
                                        Value mask) {
  AffineMap map = compressUnusedDims(read.getPermutationMap());
  if (!map.isPermutation())
    return read.emitOpError("in a mask with passthru repeats elements along a dimension: its "
                            "permutation map must be a permutation, not ")
           << AffineMapAttr::get(read.getPermutationMap());
  if (map.isIdentity())
    return mask;
  auto permutation = llvm::map_to_vector(map.getResults(), [](AffineExpr expr) -> int64_t {
    return cast<AffineDimExpr>(expr).getPosition();
  });
  return Value(vector::TransposeOp::create(builder, read.getLoc(), mask, permutation));
}

static FailureOr<Value> lower(OpBuilder &builder, vector::TransferReadOp read, Value mask,
                              Value passthru) {
  read.getMaskMutable().assign(mask);
  if (!passthru)
    return Value(read.getVector());
  FailureOr<Value> condition = inOrderOfVector(builder, read, mask);
  if (failed(condition))
    return failure();
  return Value(
      arith::SelectOp::create(builder, read.getLoc(), *condition, read.getVector(), passthru));
}

// --- Contractions ---------------------------------------------------------------------

/// The bounds of a mask that is the product of one range from 0 for each dimension.
static std::optional<SmallVector<OpFoldResult>> boundsOf(Value mask) {
  if (auto create = mask.getDefiningOp<vector::CreateMaskOp>())
    return SmallVector<OpFoldResult>(create.getOperands());
  Builder builder(mask.getContext());
  if (auto constant = mask.getDefiningOp<vector::ConstantMaskOp>())
    return llvm::map_to_vector(constant.getMaskDimSizes(), [&](int64_t size) -> OpFoldResult {
      return builder.getIndexAttr(size);
    });
  return std::nullopt;
}

static Value select(OpBuilder &builder, Value whole, AffineMap map, ArrayRef<OpFoldResult> bounds,
                    Value otherwise) {
  Location loc = whole.getLoc();
  auto type = cast<VectorType>(whole.getType());
  auto own = llvm::map_to_vector(map.getResults(), [&](AffineExpr expr) {
    return bounds[cast<AffineDimExpr>(expr).getPosition()];
  });
  Value mask = vector::CreateMaskOp::create(builder, loc, type.clone(builder.getI1Type()), own);
  return arith::SelectOp::create(builder, loc, mask, whole, otherwise);
}

static FailureOr<Value> lower(OpBuilder &builder, vector::ContractionOp contraction, Value mask) {
  std::optional<SmallVector<OpFoldResult>> bounds = boundsOf(mask);
  if (!bounds)
    return contraction.emitOpError("is masked by something else than vector.create_mask or "
                                   "vector.constant_mask, which cannot be distributed");
  SmallVector<AffineMap, 4> maps = contraction.getIndexingMapsArray();
  // The combined value is the product. Masking it needs a value that makes the product the
  // identity; 0 does so for sums only.
  if (contraction.getKind() != vector::CombiningKind::ADD)
    return contraction.emitOpError("is masked and no sum, which cannot be distributed");
  auto masked = [&](Value operand, AffineMap map) {
    Value zero = arith::ConstantOp::create(builder, operand.getLoc(),
                                           builder.getZeroAttr(operand.getType()));
    return select(builder, operand, map, *bounds, zero);
  };
  builder.setInsertionPoint(contraction);
  contraction.getLhsMutable().assign(masked(contraction.getLhs(), maps[0]));
  contraction.getRhsMutable().assign(masked(contraction.getRhs(), maps[1]));
  builder.setInsertionPointAfter(contraction);
  if (!isa<VectorType>(contraction.getResultType()))
    return contraction.getResult();
  return select(builder, contraction.getResult(), maps[2], *bounds, contraction.getAcc());
}

// --- Reductions -----------------------------------------------------------------------

static Value orIdentity(OpBuilder &builder, Value source, vector::CombiningKind kind, Value mask) {
  Value identity = identityValue(builder, source.getLoc(), kind, source.getType());
  return arith::SelectOp::create(builder, source.getLoc(), mask, source, identity);
}

static void reduceLikeSeveral(vector::ReductionOp reduction) {
  OpBuilder builder(reduction);
  Location loc = reduction.getLoc();
  Value acc = reduction.getAcc();
  if (!acc)
    acc = identityValue(builder, loc, reduction.getKind(), reduction.getType());
  auto several = vector::MultiDimReductionOp::create(builder, loc, reduction.getVector(), acc,
                                                     ArrayRef<bool>{true}, reduction.getKind());
  reduction.replaceAllUsesWith(several.getDest());
  reduction.erase();
}

// --- The step -------------------------------------------------------------------------

/// The result of the lowered operation, or null if it has none.
static FailureOr<Value> lower(OpBuilder &builder, Operation *op, vector::MaskOp around) {
  Value mask = around.getMask();
  using Taken = FailureOr<Value>;
  return llvm::TypeSwitch<Operation *, Taken>(op)
      .Case([&](vector::TransferReadOp read) {
        return lower(builder, read, mask, around.getPassthru());
      })
      .Case([&](vector::TransferWriteOp write) {
        write.getMaskMutable().assign(mask);
        return Taken(write->getNumResults() ? write.getResult() : Value()); // a write to a tensor
      })
      .Case([&](vector::GatherOp gather) {
        builder.setInsertionPoint(gather);
        Value both = arith::AndIOp::create(builder, op->getLoc(), mask, gather.getMask());
        gather.getMaskMutable().assign(both);
        return Taken(gather.getResult());
      })
      .Case<vector::MultiDimReductionOp, vector::ReductionOp>([&](auto reduction) {
        builder.setInsertionPoint(reduction);
        Value source = reduction->getOperand(0);
        reduction->setOperand(0, orIdentity(builder, source, reduction.getKind(), mask));
        return Taken(reduction->getResult(0));
      })
      .Case([&](vector::ContractionOp contraction) { return lower(builder, contraction, mask); })
      .Default([](Operation *other) -> Taken {
        return other->emitOpError("in a mask cannot be distributed");
      });
}

/// A mask without operation selects between the yielded and the passthru value.
static LogicalResult lowerAroundNothing(vector::MaskOp mask) {
  OpBuilder builder(mask);
  auto yield = cast<vector::YieldOp>(mask.getMaskBlock()->getTerminator());
  SmallVector<Value> values(yield.getOperands());
  Type type = mask.getPassthru() ? mask.getPassthru().getType() : Type();
  if (auto vector = dyn_cast_if_present<VectorType>(type);
      type && (!vector || vector.clone(builder.getI1Type()) != mask.getMask().getType()))
    return mask.emitOpError("around nothing cannot be distributed: it has a ")
           << mask.getMask().getType() << " for a " << type;
  for (Value &value : values)
    if (mask.getPassthru())
      value = arith::SelectOp::create(builder, mask.getLoc(), mask.getMask(), value,
                                      mask.getPassthru());
  mask->replaceAllUsesWith(values);
  mask.erase();
  return success();
}

static LogicalResult lower(vector::MaskOp mask) {
  Operation *op = mask.getMaskableOp();
  if (!op)
    return lowerAroundNothing(mask);
  op->moveBefore(mask);
  OpBuilder builder(mask);
  FailureOr<Value> taken = lower(builder, op, mask);
  if (failed(taken))
    return failure();
  if (mask->getNumResults() == 1)
    mask->getResult(0).replaceAllUsesWith(*taken);
  mask.erase();
  return success();
}

/// Called before operands are wrapped; afterwards the `to_layout` may be several operations away.
static LogicalResult noteMmaKind(vector::ContractionOp contraction) {
  Attribute kind = contraction->getDiscardableAttr(mmaKindName);
  for (Value operand : contraction->getOperands()) {
    auto to = operand.getDefiningOp<ToLayoutOp>();
    if (!to || !to.getMmaKindAttr())
      continue;
    if (kind && kind != to.getMmaKindAttr())
      return contraction.emitOpError("operands have mma_kind ")
             << kind << " and " << to.getMmaKindAttr() << ", but an instruction has one";
    kind = to.getMmaKindAttr();
  }
  if (kind)
    contraction->setDiscardableAttr(mmaKindName, kind);
  return success();
}

LogicalResult layout::lowerMasks(func::FuncOp function) {
  SmallVector<vector::MaskOp> masks;
  WalkResult noted = function.walk([&](Operation *op) {
    if (auto mask = dyn_cast<vector::MaskOp>(op))
      masks.push_back(mask);
    auto contraction = dyn_cast<vector::ContractionOp>(op);
    bool failed = contraction && mlir::failed(noteMmaKind(contraction));
    return failed ? WalkResult::interrupt() : WalkResult::advance();
  });
  if (noted.wasInterrupted())
    return failure();
  for (vector::MaskOp mask : masks)
    if (failed(lower(mask)))
      return failure();
  function.walk([](vector::ReductionOp reduction) { reduceLikeSeveral(reduction); });
  return success();
}
