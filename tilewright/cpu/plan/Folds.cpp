// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Folds.h.

#include "tilewright/cpu/plan/Folds.h"
#include "tilewright/analysis/Combiners.h"
#include "tilewright/cpu/Target.h"
#include "tilewright/cpu/plan/FusionGroups.h"
#include "tilewright/cpu/plan/OperationOrder.h"
#include "tilewright/cpu/plan/Operations.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/Loops.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Operation;
using mlir::Value;

//===-- Folds by vectors ----------------------------------------------------------------------===//

/// The identity element of the body, if it is 0 or, as for float sums, -0. The body is a single
/// operation on its element and accumulator, in either order. Four samples distinguish sums, unions
/// and unsigned maxima from the other operations (products, intersections, minima, signed and float
/// maxima), and float sums from those that flush subnormals.
static std::optional<uint64_t> neutralElement(mlir::Block &body) {
  Value result = body.getTerminator()->getOperand(0);
  auto combine = llvm::cast<tile::ElementwiseOpInterface>(result.getDefiningOp());
  numerics::Format format =
      *tile::formatOf(llvm::cast<tile::TileType>(result.getType()).getElementType());
  auto element = [&](uint64_t bits) { return numerics::Element::fromBits(format, bits); };
  uint64_t top = uint64_t(1) << (numerics::info(format).bits - 1);
  auto isNeutral = [&](uint64_t candidate) {
    return llvm::all_of(llvm::ArrayRef<uint64_t>{0, 1, top, top | 1}, [&](uint64_t bits) {
      numerics::Element sum = combine.evalElement({element(bits), element(candidate)});
      return !sum.poison && sum.bits == bits;
    });
  };
  if (isNeutral(0))
    return 0;
  return numerics::info(format).isFloat() && isNeutral(top) ? std::optional(top) : std::nullopt;
}

/// The number of elements in a register: a scan combines these before it adds the prefix.
static int64_t chunkOf(tile::ScanOp op, int64_t width, const Target &target) {
  mlir::Type type = tileTypeOf(op.getOperands()[0]).getElementType();
  int64_t bytes = std::max<int64_t>(target.vectorBytes, target.tuning.leastScanBytes);
  return std::min(width, bytes / elementwise::wordBytes(type));
}

static Fold planMember(Operation *op, const FusionGroup &group, const Target &target) {
  Fold fold{FoldForm::ByVectors, FoldReason::AlongRows, group.loops[group.loopOf(op)].width,
            std::nullopt};
  if (auto scan = llvm::dyn_cast<tile::ScanOp>(op))
    fold.width = chunkOf(scan, fold.width, target);
  mlir::Block &body = op->getRegion(0).front();
  if (analysis::onlyCombiner(body))
    fold.neutral = neutralElement(body);
  return fold;
}

//===-- Folds outside of groups ---------------------------------------------------------------===//

static Fold planAlone(Operation *op, int64_t dim, const Tuning &tuning) {
  auto shape = tileTypeOf(op->getOperand(0)).getShape();
  mlir::Block &body = op->getRegion(0).front();
  Fold fold;
  if (llvm::isa<tile::ReduceOp>(op) && !analysis::isOrderFree(body))
    fold.form = FoldForm::ByTree;
  int64_t lanes = lastWideDimension(shape);
  fold.reason = !analysis::isElementwiseBody(body) ? FoldReason::BodyHasTiles
                : lanes <= dim                     ? FoldReason::OneDimension
                                                   : FoldReason::OtherDimension;
  if (fold.reason == FoldReason::OtherDimension)
    fold.width = std::min(shape[lanes], tuning.tileLanes);
  return fold;
}

Folds cpu::planFolds(const OperationOrder &order, const GroupPlan &groups, const Target &target) {
  Folds folds;
  for (Operation *op : order.operations()) {
    if (!tile::isAggregate(op))
      continue;
    auto reduce = llvm::dyn_cast<tile::ReduceOp>(op);
    int64_t dim = reduce ? reduce.getDim() : llvm::cast<tile::ScanOp>(op).getDim();
    const FusionGroup *group = groups.groupOf(op);
    folds[op] = group ? planMember(op, *group, target) : planAlone(op, dim, target.tuning);
  }
  return folds;
}
