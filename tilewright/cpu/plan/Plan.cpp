// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Plan.h.

#include "tilewright/cpu/plan/Plan.h"
#include "tilewright/analysis/MemoryOrder.h"
#include "tilewright/cpu/Target.h"
#include "tilewright/cpu/plan/FactorSlots.h"
#include "tilewright/tile/Loops.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Operation;
using mlir::Value;

/// A permutation with a buffer is transposed by vector shuffles. If it needs its source in
/// memory, but the source is not there, its form becomes `Blocks`.
static llvm::DenseMap<Operation *, Transpose>
planTransposes(const OperationOrder &order, const Placements &placements, const Target &target) {
  llvm::DenseMap<Operation *, Transpose> transposes;
  for (Operation *op : order.operations()) {
    std::optional<Transpose> found = transposeOf(op, target.tuning);
    if (!found || placements.of(op->getResult(0)) != Placement::Buffer)
      continue;
    if (found->form == Transpose::Form::Separate && !placements.isRowMajor(op->getOperand(0)))
      found->form = Transpose::Form::Blocks;
    found->lanes = lanesOf(llvm::cast<tile::PermuteOp>(op), *found, target);
    found->loads = loadsFusedWith(op->getOperand(0), placements);
    transposes[op] = *found;
  }
  return transposes;
}

static std::vector<LoopPlan> planLoops(const OperationOrder &order, const Placements &placements,
                                       const GroupPlan &groups, const Target &target) {
  std::vector<LoopPlan> loops;
  for (Operation *op : order.operations()) {
    if (!tile::isLoop(op))
      continue;
    LoopPlan plan{op};
    for (Value argument : op->getRegion(0).front().getArguments())
      if (tile::TileType type = tileTypeOf(argument)) {
        ++plan.carriedTiles;
        plan.carriedBytes += bufferBytes(type);
      }
    if (auto loop = llvm::dyn_cast<tile::LoopOp>(op))
      plan.poll = analysis::firstPollIn(loop);
    if (auto loop = llvm::dyn_cast<tile::ForOp>(op))
      plan.rows = rowLoopOf(loop, placements, groups, target);
    loops.push_back(plan);
  }
  return loops;
}

static std::vector<GroupPrefetch> planPrefetches(const GroupPlan &groups,
                                                 llvm::ArrayRef<LoopPlan> loops,
                                                 const Accesses &accesses, const Target &target) {
  std::vector<GroupPrefetch> prefetches;
  for (const FusionGroup &group : groups.all()) {
    bool isRowLoop = llvm::any_of(
        loops, [&](const LoopPlan &loop) { return loop.rows && loop.rows->group == &group; });
    prefetches.push_back(prefetchOf(group, isRowLoop, accesses, target));
  }
  return prefetches;
}

/// Where a product performs a store, its group only stores rows that are not contiguous.
static void leaveStoresToProducts(Accesses &accesses, const GroupPlan &groups,
                                  const llvm::MapVector<Operation *, MatmulPlan> &matmuls) {
  for (const auto &[product, matmul] : matmuls) {
    if (!matmul.finalStore)
      continue;
    Operation *store = matmul.finalStore->store;
    const FusionGroup *group = groups.groupOf(store);
    if (group && group->rows == Rows::Tested)
      accesses.find(store)->second.nonTemporal = {NonTemporalReason::ByProduct};
  }
}

Plan::Plan(tile::EntryOp entry, const Target &target)
    : entry(entry), order(entry), networks(order, target),
      placements(placeValues(order, networks, target.tuning)),
      groups(order, networks, placements, target), tileLanes(target.tuning.tileLanes),
      memory(entry) {
  placeInGroups(placements, groups, networks, target);
  transposes = planTransposes(order, placements, target);
  matmuls = planMatmuls(order, placements, groups, memory, target);
  columnsInTurn = shareFactors(matmuls, memory, placements, target.tuning);
  loops = planLoops(order, placements, groups, target);
  accesses = planAccesses(order, placements, groups, target);
  leaveStoresToProducts(accesses, groups, matmuls);
  prefetches = planPrefetches(groups, loops, accesses, target);
  folds = planFolds(order, groups, target);
  arena = planArena(order, networks, placements, groups, matmuls, folds);
}

const Transpose *Plan::transposeOf(Operation *op) const {
  auto found = transposes.find(op);
  return found == transposes.end() ? nullptr : &found->second;
}

const GroupPrefetch &Plan::prefetchOf(const FusionGroup &group) const {
  return prefetches[&group - groups.all().data()];
}

const LoopPlan &Plan::loopOf(Operation *op) const {
  return *llvm::find_if(loops, [&](const LoopPlan &plan) { return plan.loop == op; });
}

tile::ConstantOp Plan::initialConstant(mlir::BlockArgument argument) const {
  if (const std::optional<RowLoop> &rows = loopOf(argument.getOwner()->getParentOp()).rows)
    for (const RowLoop::Tile &tile : rows->tiles)
      if (tile.carried == argument)
        return tile.initial;
  if (!argument.hasOneUse())
    return {};
  auto found = matmuls.find(*argument.user_begin());
  return found != matmuls.end() && found->second.carried == argument
             ? found->second.initialAccumulator
             : tile::ConstantOp();
}

bool Plan::mayWait() const {
  return llvm::any_of(loops, [](const LoopPlan &loop) { return loop.poll != nullptr; });
}

bool Plan::usesAmx() const {
  return llvm::any_of(matmuls, [](const auto &entry) { return entry.second.form.usesTiles(); });
}

bool Plan::sharesFactors() const {
  return llvm::any_of(
      matmuls, [](const auto &entry) { return entry.second.shared[0] || entry.second.shared[1]; });
}
