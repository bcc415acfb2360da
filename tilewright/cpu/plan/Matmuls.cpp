// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Matmuls.h. A product that is added to a loop-carried tile accumulates in place. If the loop's
// result has no other use than a store, the product of the last iteration stores its accumulators
// itself.

#include "tilewright/cpu/plan/Matmuls.h"
#include "tilewright/analysis/Matmuls.h"
#include "tilewright/cpu/plan/Accesses.h"
#include "tilewright/cpu/plan/FusionGroups.h"
#include "tilewright/cpu/plan/Placement.h"
#include "tilewright/tile/Effects.h"
#include "tilewright/tile/Loops.h"

#include "llvm/ADT/SetVector.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Operation;
using mlir::Value;

namespace {
/// Plans one product; its members hold the decisions so far.
class MatmulPlanner {
public:
  MatmulPlanner(Operation *product, const Placements &placements, const GroupPlan &groups,
                const LaunchMemory &memory, const Target &target)
      : product(product), loop(llvm::dyn_cast<tile::ForOp>(product->getParentOp())),
        placements(placements), groups(groups), memory(memory), target(target) {}

  MatmulPlan run() const;

private:
  bool movesAlong(tile::LoadViewOp load, size_t dim) const;
  tile::LoadViewOp loadOf(Value factor) const;
  tile::LoadViewOp loadInTensor(unsigned operand, const MatmulPlan &plan) const;
  void planLoop(MatmulPlan &plan) const;
  int64_t packedElements(const MatmulForm &form) const;
  OperandPrefetch prefetchOf(unsigned operand, const MatmulPlan &plan) const;
  tile::ConstantOp initialAccumulatorOf(mlir::BlockArgument carried) const;
  std::optional<FinalStore> finalStoreOf(mlir::BlockArgument carried) const;
  bool hasNoSideEffects(Operation *from, Operation *last) const;
  bool canBeKnownBefore(Value value, llvm::SetVector<Operation *> &needs) const;

  Operation *product;
  tile::ForOp loop; ///< The loop whose body contains the product; or null.
  const Placements &placements;
  const GroupPlan &groups;
  const LaunchMemory &memory;
  const Target &target;
};
} // namespace

MatmulPlans cpu::planMatmuls(const OperationOrder &order, const Placements &placements,
                             const GroupPlan &groups, const LaunchMemory &memory,
                             const Target &target) {
  MatmulPlans plans;
  for (Operation *op : order.operations())
    if (analysis::isMatmul(op))
      plans[op] = MatmulPlanner(op, placements, groups, memory, target).run();
  return plans;
}

MatmulPlan MatmulPlanner::run() const {
  MatmulPlan plan;
  plan.form = matmulForm(product, target);
  plan.sums = sumsBlockOf(product, plan.form, target);
  plan.rowBlocks = rowBlocksOf(product, plan.form, plan.sums, target.tuning);
  plan.packedElements = packedElements(plan.form);
  for (unsigned operand : {0, 1}) {
    Placement where = placements.of(product->getOperand(operand));
    plan.isInPlace[operand] = canReadInPlace(product, operand, plan.form) &&
                              (where == Placement::Buffer || where == Placement::Constant);
    if (plan.isInPlace[operand])
      continue;
    plan.operandBytes[operand] = operandBytes(product, operand, plan.form);
    plan.loads[operand] = loadsFusedWith(product->getOperand(operand), placements);
  }
  for (unsigned operand : {0, 1}) {
    plan.inTensor[operand] = loadInTensor(operand, plan);
    if (plan.inTensor[operand])
      plan.nextInTensor[operand] = nextTileOf(plan.inTensor[operand]);
  }
  plan.correctionBytes = cpu::correctionBytes(product, plan.form);
  planLoop(plan);
  for (unsigned operand : {0, 1})
    plan.prefetch[operand] = prefetchOf(operand, plan);
  return plan;
}

/// What depends on the loop around the product.
void MatmulPlanner::planLoop(MatmulPlan &plan) const {
  plan.carried = analysis::carriedAccumulator(product);
  if (!loop || !plan.carried)
    return;
  plan.initialAccumulator = initialAccumulatorOf(plan.carried);
  if (tile::hasInnerJumps(loop))
    return;
  if (!plan.isInPlace[0] && !plan.isInPlace[1])
    plan.iterations = iterationsTogether(product, plan.form, bool(plan.inTensor[0]), target);
  plan.finalStore = finalStoreOf(plan.carried);
}

int64_t MatmulPlanner::packedElements(const MatmulForm &form) const {
  int64_t elements = target.tuning.packedWords * form.perWord;
  auto scaled = llvm::dyn_cast<tile::MmaFScaledOp>(product);
  return scaled ? std::min(elements, scaleBlock(scaled, 0)) : elements;
}

/// Whether rows of the tile have one other dimension at most.
static bool isMatrix(Operation *load) {
  llvm::ArrayRef<int64_t> shape = tileTypeOf(load->getResult(0)).getShape();
  int64_t wide = llvm::count_if(shape, [](int64_t extent) { return extent > 1; });
  return wide == 1 || wide == 2;
}

OperandPrefetch MatmulPlanner::prefetchOf(unsigned operand, const MatmulPlan &plan) const {
  using Reason = OperandPrefetchReason;
  const bool hasFewColumns =
      tileTypeOf(product->getOperand(1)).getShape().back() < target.tuning.leastPrefetchedColumns;
  const bool mayBeInTensor =
      plan.inTensor[operand] && (plan.iterations == 1 || plan.nextInTensor[operand]);
  if (plan.isInPlace[operand] || plan.form.usesTiles())
    return {plan.isInPlace[operand] ? Reason::InPlace : Reason::AmxTiles, {}};
  if (mayBeInTensor && hasFewColumns)
    return {Reason::FewColumns, {}};
  OperandPrefetch prefetch{hasFewColumns ? Reason::UnlessCached : Reason::NextTiles, {}};
  for (Operation *load : plan.loads[operand].loads) {
    std::optional<NextTile> next = nextTileOf(load);
    if (next && isMatrix(load) && llvm::isa<tile::ForOp>(load->getParentOp()))
      prefetch.tiles.push_back(std::move(*next));
  }
  if (prefetch.tiles.empty())
    prefetch.reason = Reason::UnknownTiles;
  return prefetch;
}

/// Whether the tile moves along this dimension alone from one iteration of the surrounding loop to
/// the next, by the loop's step. Narrow integers might wrap around, and so might a loop that begins
/// below zero: indices are unsigned (operations, 8.1).
bool MatmulPlanner::movesAlong(tile::LoadViewOp load, size_t dim) const {
  auto isBefore = [&](Value value) {
    return !tile::ForOp(loop)->isAncestor(value.getParentBlock()->getParentOp());
  };
  if (load->getParentOp() != loop)
    return false;
  for (auto [other, index] : llvm::enumerate(load.getIndex()))
    if (other != dim && !isBefore(index))
      return false;
  Value along = load.getIndex()[dim];
  if (llvm::cast<tile::TileType>(along.getType()).getElementType().getIntOrFloatBitWidth() < 32)
    return false;
  while (along != tile::ForOp(loop).inductionVar()) {
    Operation *op = along.getDefiningOp();
    if (auto assume = llvm::dyn_cast_if_present<tile::AssumeOp>(op)) {
      along = assume.getValue();
      continue;
    }
    auto sum = llvm::dyn_cast_if_present<tile::AddIOp>(op);
    if (!sum || isBefore(sum.getLhs()) == isBefore(sum.getRhs()))
      return false;
    along = isBefore(sum.getLhs()) ? sum.getRhs() : sum.getLhs();
  }
  return true;
}

/// The load that defines the operand, except for leading extents of 1; null if it is no load.
tile::LoadViewOp MatmulPlanner::loadOf(Value factor) const {
  auto extents = [](Value tile) {
    return tileTypeOf(tile).getShape().drop_while([](int64_t extent) { return extent == 1; });
  };
  Value tile = factor;
  while (placements.of(tile) == Placement::Fused && extents(tile) == extents(factor)) {
    if (auto load = tile.getDefiningOp<tile::LoadViewOp>())
      return load;
    auto reshape = tile.getDefiningOp<tile::ReshapeOp>();
    if (!reshape || !tileTypeOf(reshape.getSource()))
      break;
    tile = reshape.getSource();
  }
  return {};
}

tile::LoadViewOp MatmulPlanner::loadInTensor(unsigned operand, const MatmulPlan &plan) const {
  if (plan.isInPlace[operand] || plan.loads[operand].rows == Rows::Apart ||
      !wordsAreElements(product, operand, plan.form))
    return {};
  tile::LoadViewOp load = loadOf(product->getOperand(operand));
  if (!load || !memory.unstoredTensorOf(load))
    return {};
  llvm::ArrayRef<int64_t> shape = tileTypeOf(load.getTile()).getShape();
  auto isSparse = [](const KnownAxis &axis) { return axis.isSparse; };
  bool isGathered = llvm::any_of(
      knownAxesOf(llvm::cast<tile::MemoryAccessOpInterface>(load.getOperation())), isSparse);
  if (shape.size() < 2 || shape.back() == 1 || isGathered ||
      (loop && !movesAlong(load, shape.size() - (operand == 0 ? 1 : 2))))
    return {};
  // Rows of rhs are rows of its only panel.
  bool isPanel = shape.back() == plan.sums.columns() && llvm::product_of(shape.drop_back(2)) == 1;
  return operand == 0 || isPanel ? load : tile::LoadViewOp();
}

tile::ConstantOp MatmulPlanner::initialAccumulatorOf(mlir::BlockArgument carried) const {
  Value initial = tile::ForOp(loop).getInitValues()[carried.getArgNumber() - 1];
  return placements.of(initial) == Placement::Fused ? initial.getDefiningOp<tile::ConstantOp>()
                                                    : tile::ConstantOp();
}

//===-- Final stores --------------------------------------------------------------------------===//

/// Whether no operation from `from` to `last` accesses memory or the host; the reader of a fused
/// load counts as its access.
bool MatmulPlanner::hasNoSideEffects(Operation *from, Operation *last) const {
  bool loads = false;
  auto visit = [&](Operation *maker) {
    auto load = llvm::dyn_cast<tile::LoadViewOp>(maker);
    loads |= load && placements.of(load.getTile()) == Placement::Fused;
  };
  for (Operation *op = from; op != last && !loads; op = op->getNextNode()) {
    if (op->getNumRegions() > 0 || !tile::onlyComputes(op))
      return false;
    for (Value operand : llvm::make_filter_range(op->getOperands(), tileTypeOf)) // not a token
      placements.forEachMaker(operand, visit);
  }
  return !loads;
}

/// Whether the value is known before the loop, or can be computed there. Operations later in the
/// text that make scalars and views are added to `needs`; those that make tiles are fused.
bool MatmulPlanner::canBeKnownBefore(Value value, llvm::SetVector<Operation *> &needs) const {
  Operation *op = value.getDefiningOp(), *before = loop;
  bool isBefore = !op || op->getBlock() != before->getBlock() || op->isBeforeInBlock(before);
  Placement where = placements.of(value);
  if (isBefore)
    return where != Placement::InLoop;
  bool isTile = bool(tileTypeOf(value));
  if (op == before || (isTile && where != Placement::Fused && where != Placement::Constant))
    return false;
  for (Value operand : op->getOperands())
    if (!canBeKnownBefore(operand, needs))
      return false;
  if (!isTile)
    needs.insert(op);
  return true;
}

std::optional<FinalStore> MatmulPlanner::finalStoreOf(mlir::BlockArgument carried) const {
  Operation *around = loop;
  Value sums = around->getResult(carried.getArgNumber() - 1);
  std::optional<analysis::Epilogue> epilogue = analysis::epilogueOf(sums);
  if (!epilogue || !hasContiguousRows(epilogue->store) ||
      rowsOf(epilogue->store.getOperation()) == Rows::Apart ||
      !hasNoSideEffects(product->getNextNode(), product->getBlock()->getTerminator()))
    return std::nullopt;
  FinalStore found{epilogue->store, sums, {}};
  llvm::SetVector<Operation *> needs;
  unsigned cost = 0;
  for (Operation *op : epilogue->operations) {
    cost += costOf(op);
    if (placements.of(op->getResult(0)) != Placement::Fused ||
        cost > target.tuning.mostEpilogueCost)
      return std::nullopt;
    for (Value operand : op->getOperands())
      if (operand != sums && !canBeKnownBefore(operand, needs))
        return std::nullopt;
    sums = op->getResult(0);
  }
  const FusionGroup *group = groups.groupOf(found.store);
  bool isAlone = !group || group->members.size() == 1;
  if (!isAlone || !hasNoSideEffects(around->getNextNode(), found.store) ||
      !canBeKnownBefore(found.store.getView(), needs))
    return std::nullopt;
  for (Value index : found.store.getIndex())
    if (!canBeKnownBefore(index, needs))
      return std::nullopt;
  found.needs = needs.takeVector();
  return found;
}
