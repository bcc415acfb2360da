// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See RowLoops.h. Each block repeats all iterations, so these must have no side effects: they only
// load, and one group computes the carried tiles row by row.

#include "tilewright/cpu/plan/RowLoops.h"
#include "tilewright/cpu/Target.h"
#include "tilewright/cpu/plan/Placement.h"
#include "tilewright/cpu/plan/Prefetches.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/Effects.h"
#include "tilewright/tile/Loops.h"
#include "tilewright/tile/types/ViewGeometry.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Operation;
using mlir::Value;

/// The carried tiles that change, and the group that computes all of them; no tiles if there is no
/// such group.
static RowLoop tilesOf(tile::ForOp loop, const Placements &placements, const GroupPlan &groups) {
  RowLoop plan;
  mlir::ValueRange next = loop.body()->getTerminator()->getOperands();
  for (auto [carried, value] : llvm::zip_equal(loop.iterArgs(), next)) {
    if (!tileTypeOf(carried) || value == carried)
      continue;
    if (placements.decisionOf(value).reason != Reason::UpdatesCarried)
      return {};
    const FusionGroup *group = groups.groupOf(value.getDefiningOp());
    if (!group || (plan.group && group != plan.group))
      return {};
    plan.group = group;
    auto argument = llvm::cast<mlir::BlockArgument>(carried);
    Value before = loop.getInitValues()[argument.getArgNumber() - 1];
    auto constant = placements.of(before) == Placement::Fused
                        ? before.getDefiningOp<tile::ConstantOp>()
                        : tile::ConstantOp();
    plan.tiles.push_back({argument, value.getDefiningOp(), constant});
  }
  return plan;
}

/// Whether the operation may be repeated: a load that no token or other block orders, or a pure
/// computation.
static bool mayRepeat(Operation &op) {
  if (auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(op))
    return access.isLoad() && !access.isStore() && !access.isAtomic() && access.isWeak();
  if (tile::isAggregate(&op))
    return true;
  return op.getNumRegions() == 0 && tile::onlyComputes(&op) &&
         !llvm::isa<tile::MatmulOpInterface>(op);
}

/// Whether the group is a single loop of loads and updates, over rows of one dimension.
static bool isPlain(const RowLoop &plan) {
  const FusionGroup &group = *plan.group;
  if (group.loops.size() != 1 || group.innerDim < 0)
    return false;
  int64_t wide = llvm::count_if(group.domain, [](int64_t extent) { return extent > 1; });
  return wide <= 2 && llvm::all_of(group.members, [&](Operation *member) {
           return hasContiguousRows(member) ||
                  llvm::any_of(plan.tiles, [&](auto &tile) { return tile.update == member; });
         });
}

/// Whether only the updates read the group's loads.
static bool staysInGroup(const RowLoop &plan, const Placements &placements) {
  return llvm::all_of(plan.group->members, [&](Operation *member) {
    return !llvm::isa<tile::MemoryAccessOpInterface>(member) || plan.group->isSharedRow(member) ||
           placements.of(member->getResult(0)) == Placement::InLoop;
  });
}

/// Vector registers for accumulators.
static int64_t registersFor(const Target &target) {
  const Tuning &tuning = target.tuning;
  return target.vectorBytes == 64 ? tuning.rowRegistersOfAvx512 : tuning.rowRegisters;
}

/// The registers that one vector of each tile takes.
static int64_t registersOf(const RowLoop &plan, const Target &target) {
  int64_t registers = 0;
  for (const RowLoop::Tile &tile : plan.tiles) {
    int64_t word = elementwise::wordBytes(tileTypeOf(tile.carried).getElementType());
    registers += std::max<int64_t>(1, plan.loop().width * word / target.vectorBytes);
  }
  return registers;
}

/// Elements that the iterations compute outside of the group, again for each block.
static int64_t repeatedElements(tile::ForOp loop, const RowLoop &plan,
                                const Placements &placements) {
  int64_t elements = 0;
  for (Operation &op : *loop.body())
    for (Value result : op.getResults())
      if (tileTypeOf(result) && placements.of(result) == Placement::Buffer &&
          !plan.group->contains(&op))
        elements += tileTypeOf(result).getNumElements();
  return elements;
}

//===-- Prefetches ----------------------------------------------------------------------------===//

/// Indices are unsigned, and arithmetic on them wraps around.
static std::optional<uint64_t> constantOf(Value value) {
  if (auto assume = value.getDefiningOp<tile::AssumeOp>())
    return constantOf(assume.getValue());
  auto constant = value.getDefiningOp<tile::ConstantOp>();
  if (!constant)
    return std::nullopt;
  auto values = llvm::cast<mlir::DenseElementsAttr>(constant.getValue());
  return (*values.value_begin<llvm::APInt>()).getZExtValue();
}

/// The change of an index per iteration, if it is known.
static std::optional<uint64_t> constantOf(const analysis::InductionStep &step) {
  using Kind = analysis::InductionStep::Kind;
  if (step.kind == Kind::Zero || step.kind == Kind::One)
    return step.kind == Kind::One;
  if (step.kind == Kind::Value)
    return constantOf(step.value);
  std::optional<uint64_t> first = constantOf(step.operands[0]);
  std::optional<uint64_t> other =
      step.kind == Kind::Sum ? constantOf(step.operands[1]) : constantOf(step.value);
  if (!first || !other)
    return std::nullopt;
  return step.kind == Kind::Sum ? *first + *other : *first * *other;
}

/// The distance in bytes from the tile of an iteration to that of the next one, if it is known.
static std::optional<uint64_t> bytesToNext(tile::LoadViewOp load) {
  std::optional<NextTile> next = nextTileOf(load);
  if (!next)
    return std::nullopt;
  const KnownAxes axes =
      knownAxesOf(llvm::cast<tile::MemoryAccessOpInterface>(load.getOperation()));
  uint64_t elements = 0;
  for (auto [dim, step] : llvm::enumerate(next->steps)) {
    if (step.isZero())
      continue;
    std::optional<uint64_t> count = constantOf(step);
    if (!count || !axes[dim].stride)
      return std::nullopt;
    elements += *count * tile::ruleOf(load.getView().getType(), dim).step * *axes[dim].stride;
  }
  return elements * elementwise::wordBytes(tileTypeOf(load.getTile()).getElementType());
}

/// Whether each iteration reads what follows the data of the previous one.
static bool continues(tile::LoadViewOp load, const RowLoop &plan) {
  const int64_t columns = plan.parts * plan.vectors * plan.loop().width;
  return bytesToNext(load) ==
         columns * elementwise::wordBytes(tileTypeOf(load.getTile()).getElementType());
}

static void choosePrefetch(RowLoop &plan, const Tuning &tuning) {
  if (plan.parts == 1 && plan.rows > 1)
    return;
  if (plan.group->rows == Rows::Apart) {
    plan.prefetch = RowPrefetch::Apart;
    return;
  }
  const bool isFarAhead = plan.parts == 1;
  for (Operation *member : plan.group->members) {
    auto load = llvm::dyn_cast<tile::LoadViewOp>(member);
    if (load && !plan.group->isSharedRow(member) &&
        (isFarAhead || (plan.rowDim() >= 0 && continues(load, plan))))
      plan.prefetched.push_back(member);
  }
  plan.prefetch = isFarAhead                ? RowPrefetch::FarAhead
                  : plan.prefetched.empty() ? RowPrefetch::NoNextRow
                                            : RowPrefetch::NextRow;
  plan.bytesAhead = isFarAhead ? tuning.rowPrefetchBytes : 0;
}

//===-- Blocks --------------------------------------------------------------------------------===//

std::optional<RowLoop> cpu::rowLoopOf(tile::ForOp loop, const Placements &placements,
                                      const GroupPlan &groups, const Target &target) {
  RowLoop plan = tilesOf(loop, placements, groups);
  if (plan.tiles.empty() || !isPlain(plan) || !staysInGroup(plan, placements) ||
      !llvm::all_of(loop.body()->without_terminator(), mayRepeat))
    return std::nullopt;
  int64_t extent = 1;
  for (auto [dim, each] : llvm::enumerate(plan.group->domain))
    if (each > 1 && int64_t(dim) != plan.group->innerDim) {
      plan.dim = dim;
      extent = each;
    }
  const int64_t vectorsPerRow = plan.group->innerExtent() / plan.loop().width;
  auto fits = [&](int64_t rows, int64_t vectors) {
    return rows * vectors * registersOf(plan, target) <= registersFor(target) &&
           rows * vectors * plan.loop().work <= target.tuning.mostLoopWork;
  };
  // Widen the block along a row first: memory is then read in long runs.
  while (plan.vectors < vectorsPerRow && fits(1, 2 * plan.vectors))
    plan.vectors *= 2;
  if (!fits(1, plan.vectors))
    return std::nullopt;
  // One row is read as fast as several, unless rows share what iterations compute.
  const int64_t repeated = repeatedElements(loop, plan, placements);
  if (repeated > 0)
    while (plan.rows < std::min(extent, target.tuning.mostBlockRows) &&
           fits(2 * plan.rows, plan.vectors))
      plan.rows *= 2;
  plan.rowBlocks = extent / plan.rows;
  plan.parts = vectorsPerRow / plan.vectors;
  int64_t elements = plan.rows * plan.vectors * plan.loop().width;
  if (plan.blocks() > 1 && 100 * repeated > target.tuning.mostRepeatedPercent * elements)
    return std::nullopt;
  plan.hasWholeLoop =
      plan.group->rows == Rows::Tested && plan.loop().work <= target.tuning.mostWorkForWholeLoops;
  choosePrefetch(plan, target.tuning);
  return plan;
}
