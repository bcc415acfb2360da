// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of layouts, 3.3.1: for each operation, the result layouts that follow from an operand's
// layout, and the operand layouts that the results require. Operations without an entry impose
// nothing.

#include "tilewright/layout/propagate/PropagateLayouts.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright::layout;

using Layouts = SmallVector<LaidOut>;
using RequiredLayouts = SmallVector<RequiredLayout>;
using Attr = VectorLayoutInterface;

static SmallVector<bool> flags(size_t size, llvm::function_ref<bool(size_t)> flagged) {
  SmallVector<bool> list;
  for (size_t index = 0; index < size; ++index)
    list.push_back(flagged(index));
  return list;
}

// --- Forward --------------------------------------------------------------------------

static Layouts fromContraction(vector::ContractionOp op, OpOperand &operand, Attr layout,
                               LayoutLookup known) {
  if (operand.get() == op.getAcc())
    return {{op.getResult(), layout}};
  Attr lhs = known(op.getLhs()), rhs = known(op.getRhs());
  if (!lhs || !rhs)
    return {};
  SmallVector<AffineMap, 4> maps = op.getIndexingMapsArray();
  return {{op.getResult(), layout.getRecombinedLayout({lhs, rhs}, {maps[0], maps[1]}, maps[2])}};
}

static Layouts fromScan(vector::ScanOp op, OpOperand &operand, Attr layout) {
  if (operand.get() == op.getInitialValue())
    return {{op.getAccumulatedValue(), layout}};
  Attr rest =
      layout.project(flags(layout.getRank(), [&](size_t d) { return d == op.getReductionDim(); }));
  return {{op.getDest(), layout}, {op.getAccumulatedValue(), rest}};
}

/// The loop-carried values of an initial or yielded value: an argument and a result.
static Layouts carried(scf::ForOp loop, unsigned number, Attr layout) {
  return {{loop.getRegionIterArg(number), layout}, {loop.getResult(number), layout}};
}

static Layouts fromYield(Operation *parent, unsigned number, Attr layout) {
  if (auto loop = dyn_cast<scf::ForOp>(parent))
    return carried(loop, number, layout);
  if (isa<scf::IfOp, vector::MaskOp>(parent))
    return {{parent->getResult(number), layout}};
  return {};
}

Layouts tilewright::layout::layoutsFrom(OpOperand &operand, Attr layout, LayoutLookup known) {
  Operation *op = operand.getOwner();
  if (OpTrait::hasElementwiseMappableTraits(op))
    return llvm::map_to_vector(op->getResults(),
                               [&](Value result) { return LaidOut{result, layout}; });
  return llvm::TypeSwitch<Operation *, Layouts>(op)
      .Case([&](vector::TransposeOp transpose) {
        return Layouts{{transpose.getResult(), layout.permute(transpose.getPermutation())}};
      })
      .Case([&](vector::ShapeCastOp cast) {
        return Layouts{{cast.getResult(), layout.reshape(cast.getResultVectorType().getShape())}};
      })
      .Case([&](vector::MultiDimReductionOp reduction) {
        bool source = operand.get() == reduction.getSource();
        return Layouts{
            {reduction.getDest(), source ? layout.project(reduction.getReductionMask()) : layout}};
      })
      .Case([&](vector::ContractionOp contraction) {
        return fromContraction(contraction, operand, layout, known);
      })
      .Case([&](vector::GatherOp gather) { return Layouts{{gather.getResult(), layout}}; })
      .Case([&](vector::ScanOp scan) { return fromScan(scan, operand, layout); })
      .Case([&](scf::ForOp loop) {
        return carried(loop, operand.getOperandNumber() - loop.getNumControlOperands(), layout);
      })
      .Case<scf::YieldOp, vector::YieldOp>([&](Operation *yield) {
        return fromYield(yield->getParentOp(), operand.getOperandNumber(), layout);
      })
      .Default(Layouts());
}

// --- Backward -------------------------------------------------------------------------

/// A mask or a slice has the dimensions of memory that the map uses, in memory order.
static Attr inOrderOfMemory(Attr vector, AffineMap permutation) {
  // Vectors as elements have no mask.
  if (!vector || permutation.getNumResults() != vector.getRank())
    return {};
  return vector.apply(inversePermutation(compressUnusedDims(permutation)));
}

static RequiredLayouts forOperand(OpOperand &operand, Attr layout) { return {{&operand, layout}}; }

/// The mask of a read or a write, if there is one.
static RequiredLayouts forMask(MutableOperandRange mask, AffineMap map, Attr vector) {
  if (mask.empty())
    return {};
  return forOperand(mask[0], inOrderOfMemory(vector, map));
}

/// Every thread holds the elements that it needs: leading dimensions are new, and along a stretched
/// dimension every thread holds the single element.
static RequiredLayouts forBroadcast(vector::BroadcastOp op, Attr result) {
  auto from = dyn_cast<VectorType>(op.getSourceType());
  if (!from)
    return {};
  VectorType to = op.getResultVectorType();
  SmallVector<AffineExpr> dims;
  for (int64_t dim = 0, leading = to.getRank() - from.getRank(); dim < from.getRank(); ++dim) {
    bool stretched = from.getDimSize(dim) != to.getDimSize(leading + dim);
    dims.push_back(stretched ? getAffineConstantExpr(0, op.getContext())
                             : getAffineDimExpr(leading + dim, op.getContext()));
  }
  return forOperand(op.getSourceMutable(),
                    result.apply(AffineMap::get(to.getRank(), 0, dims, op.getContext())));
}

static RequiredLayouts forGather(TransferGatherOp op, Attr result) {
  AffineMap permutation = op.getPermutationMap();
  // The slice has all dimensions of the source; those that no map result names have one element.
  SmallVector<AffineExpr> dims(permutation.getNumDims(), getAffineConstantExpr(0, op.getContext()));
  for (auto [position, expr] : llvm::enumerate(permutation.getResults()))
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      dims[dim.getPosition()] = getAffineDimExpr(position, op.getContext());
  Attr slice = result.apply(AffineMap::get(result.getRank(), 0, dims, op.getContext()));
  RequiredLayouts required = forMask(op.getMaskMutable(), permutation, result);
  MutableOperandRange indexVecs = op.getIndexVecsMutable();
  for (auto [number, map] : llvm::enumerate(op.getIndexedMapValues()))
    required.push_back({&indexVecs[number], slice.apply(map)});
  return required;
}

static RequiredLayouts forScan(vector::ScanOp op, Attr dest) {
  SmallVector<bool> along =
      flags(dest.getRank(), [&](size_t d) { return d == op.getReductionDim(); });
  return {{&op.getSourceMutable(), dest}, {&op.getInitialValueMutable(), dest.project(along)}};
}

/// The layout of the iteration space of a masked operation.
static Attr layoutOfMask(Operation *masked, LayoutLookup layoutOf) {
  return llvm::TypeSwitch<Operation *, Attr>(masked)
      .Case([&](vector::MultiDimReductionOp op) { return layoutOf(op.getSource()); })
      .Case([&](vector::TransferReadOp op) {
        return inOrderOfMemory(layoutOf(op.getVector()), op.getPermutationMap());
      })
      .Case([&](vector::TransferWriteOp op) {
        return inOrderOfMemory(layoutOf(op.getValueToStore()), op.getPermutationMap());
      })
      .Case([&](vector::ContractionOp op) {
        Attr lhs = layoutOf(op.getLhs()), rhs = layoutOf(op.getRhs());
        if (!lhs || !rhs)
          return Attr();
        SmallVector<AffineMap, 4> maps = op.getIndexingMapsArray();
        AffineMap all = AffineMap::getMultiDimIdentityMap(maps[0].getNumDims(), op.getContext());
        return lhs.getRecombinedLayout({lhs, rhs}, {maps[0], maps[1]}, all);
      })
      .Case([&](vector::GatherOp op) { return layoutOf(op.getResult()); })
      .Default(Attr());
}

/// A mask may be empty. The passthru value has the layout of the result.
static RequiredLayouts forMaskAround(vector::MaskOp mask, LayoutLookup layoutOf) {
  RequiredLayouts required;
  if (Operation *masked = mask.getMaskableOp())
    required.push_back({&mask.getMaskMutable(), layoutOfMask(masked, layoutOf)});
  if (mask.getPassthru())
    required.push_back({&mask.getPassthruMutable()[0], layoutOf(mask->getResult(0))});
  return required;
}

/// Requires the result's layout for every vector operand.
static RequiredLayouts forAllVectors(Operation *op, Attr layout) {
  RequiredLayouts required;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<VectorType>(operand.get().getType()))
      required.push_back({&operand, layout});
  return required;
}

/// The rules for operations with a result that has a layout.
static RequiredLayouts forResult(Operation *op, Attr result) {
  if (OpTrait::hasElementwiseMappableTraits(op))
    return forAllVectors(op, result);
  return llvm::TypeSwitch<Operation *, RequiredLayouts>(op)
      .Case([&](vector::TransferReadOp read) {
        return forMask(read.getMaskMutable(), read.getPermutationMap(), result);
      })
      .Case([&](vector::BroadcastOp broadcast) { return forBroadcast(broadcast, result); })
      .Case([&](vector::TransposeOp transpose) {
        return forOperand(transpose.getVectorMutable(),
                          result.permute(invertPermutationVector(transpose.getPermutation())));
      })
      .Case([&](vector::ShapeCastOp cast) {
        return forOperand(cast.getSourceMutable(),
                          result.reshape(cast.getSourceVectorType().getShape()));
      })
      .Case([&](vector::MultiDimReductionOp reduction) {
        return forOperand(reduction.getAccMutable(), result);
      })
      .Case([&](vector::ContractionOp contraction) {
        return forOperand(contraction.getAccMutable(), result);
      })
      .Case([&](vector::GatherOp gather) { return forAllVectors(gather, result); })
      .Case([&](TransferGatherOp gather) { return forGather(gather, result); })
      .Case([&](vector::ScanOp scan) { return forScan(scan, result); })
      .Default(RequiredLayouts());
}

RequiredLayouts tilewright::layout::requiredLayouts(Operation *op, LayoutLookup layoutOf) {
  if (auto to = dyn_cast<ToLayoutOp>(op)) {
    if (to.getSharedMemoryConversion())
      return {};
    return forOperand(to.getInputMutable(), to.getLayout());
  }
  if (auto write = dyn_cast<vector::TransferWriteOp>(op))
    return forMask(write.getMaskMutable(), write.getPermutationMap(),
                   layoutOf(write.getValueToStore()));
  if (auto mask = dyn_cast<vector::MaskOp>(op))
    return forMaskAround(mask, layoutOf);
  if (op->getNumResults() == 0)
    return {};
  Attr result = layoutOf(op->getResult(0));
  return result ? forResult(op, result) : RequiredLayouts();
}
