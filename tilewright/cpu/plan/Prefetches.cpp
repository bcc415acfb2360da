// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Prefetches.h.

#include "tilewright/cpu/plan/Prefetches.h"
#include "tilewright/cpu/Target.h"
#include "tilewright/cpu/plan/FusionGroups.h"
#include "tilewright/cpu/plan/Operations.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/Loops.h"
#include "tilewright/tile/types/ViewGeometry.h"

using namespace tilewright;
using namespace tilewright::cpu;
using elementwise::wordBytes;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::Operation;
using mlir::Value;

//===-- Next tiles ----------------------------------------------------------------------------===//

/// The step of an index or pointer from this iteration of the user's loop to the next, or between
/// tile blocks.
static std::optional<analysis::InductionStep> stepOf(Value index, Operation *user) {
  Operation *around = tile::enclosingNonIf(user);
  if (auto loop = llvm::dyn_cast<tile::ForOp>(around))
    return analysis::stepPerIteration(index, loop);
  return llvm::isa<tile::EntryOp>(around) ? analysis::stepPerBlock(index) : std::nullopt;
}

bool cpu::isNextOfBlock(Operation *load) {
  return llvm::isa<tile::EntryOp>(tile::enclosingNonIf(load));
}

/// The integers or pointers that determine which tile is loaded; none if a tile supplies some.
static SmallVector<Value> indicesOf(Operation *op) {
  if (auto load = llvm::dyn_cast<tile::LoadPtrOp>(op))
    return {load.getSource()};
  auto load = llvm::cast<tile::LoadViewOp>(op);
  for (auto [dim, index] : llvm::enumerate(load.getIndex()))
    if (tile::ruleOf(load.getView().getType(), dim).isSparse)
      return {};
  return llvm::to_vector_of<Value>(load.getIndex());
}

std::optional<NextTile> cpu::nextTileOf(Operation *load) {
  NextTile next{load, {}};
  for (Value index : indicesOf(load)) {
    std::optional<analysis::InductionStep> step = stepOf(index, load);
    if (!step)
      return std::nullopt;
    next.steps.push_back(*step);
  }
  auto isZero = [](const analysis::InductionStep &step) { return step.isZero(); };
  return llvm::all_of(next.steps, isZero) ? std::nullopt : std::optional(next);
}

//===-- The next iteration --------------------------------------------------------------------===//

static bool isStore(Operation *member) {
  auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(member);
  return access && access.isStore();
}

/// Whether the loop has no time to prefetch, unless it waits for memory.
static bool doesLittleButStore(const InnerLoop &loop) {
  return loop.isLittleWork && llvm::any_of(loop.members, isStore);
}

/// Chooses the inner loop that prefetches. With several passes over a row, it is the first one
/// after the first pass that has time, else the last one. A single pass prefetches, too, if an
/// iteration of a `for` covers parts of several rows, because the next iteration continues all of
/// these rows.
static void chooseLoop(GroupPrefetch &prefetch, const FusionGroup &group, ArrayRef<int64_t> passes,
                       const Accesses &accesses) {
  auto choose = [&](int64_t pass, PrefetchReason reason) {
    prefetch.loop = pass;
    prefetch.reason = reason;
  };
  if (passes.empty())
    return;
  for (int64_t pass : passes.drop_front())
    if (!doesLittleButStore(group.loops[pass]))
      return choose(pass, PrefetchReason::LaterPass);
  bool isOfParts =
      group.hasSeveralRows() && llvm::isa<tile::ForOp>(tile::enclosingNonIf(group.members.front()));
  auto mayWait = [&](Operation *member) {
    auto access = accesses.find(member);
    return access != accesses.end() && access->second.nonTemporal.isPossible();
  };
  if (passes.size() > 1 && llvm::any_of(group.loops[passes.back()].members, mayWait))
    choose(passes.back(), PrefetchReason::WaitingPass);
  else if (passes.size() > 1)
    prefetch.reason = PrefetchReason::LittleWork;
  else if (isOfParts)
    choose(passes.back(), PrefetchReason::PartsOfRows);
}

/// The loads whose next tiles are prefetched: those of contiguous rows, except for shared rows,
/// which are in a cache after the first row.
static SmallVector<NextTile, 2> nextTilesOf(const FusionGroup &group, const Accesses &accesses) {
  SmallVector<NextTile, 2> tiles;
  auto add = [&](Operation *load) {
    if (std::optional<NextTile> next = nextTileOf(load))
      tiles.push_back(std::move(*next));
  };
  for (Operation *member : group.members)
    if (llvm::isa<tile::LoadViewOp>(member) && !group.isSharedRow(member))
      add(member);
  for (Operation *member : group.members)
    if (llvm::isa<tile::LoadPtrOp>(member) && accesses.find(member)->second.rowMask)
      add(member);
  return tiles;
}

/// Whether all next tiles fit into L1. Data of this iteration that is read again may be evicted
/// from there: it is in L2, too.
static bool fitInFirstCache(ArrayRef<NextTile> tiles, const Target &target) {
  int64_t bytes = 0;
  for (const NextTile &next : tiles)
    bytes += bufferBytes(tileTypeOf(next.load->getResult(0)));
  return target.tuning.nearPrefetchDenominator * bytes <=
         target.tuning.nearPrefetchNumerator * target.firstCacheBytes;
}

static void chooseTiles(GroupPrefetch &prefetch, const FusionGroup &group, const Accesses &accesses,
                        const Target &target) {
  SmallVector<int64_t> passes;
  for (auto [number, loop] : llvm::enumerate(group.loops))
    if (!loop.isOncePerRow)
      passes.push_back(int64_t(number));
  chooseLoop(prefetch, group, passes, accesses);
  if (prefetch.loop < 0)
    return;
  prefetch.tiles = nextTilesOf(group, accesses);
  if (prefetch.tiles.empty()) {
    prefetch.loop = -1;
    prefetch.reason = PrefetchReason::UnknownTiles;
    return;
  }
  prefetch.isNear = prefetch.reason == PrefetchReason::WaitingPass ||
                    (passes.size() > 1 && fitInFirstCache(prefetch.tiles, target));
}

//===-- Gathered rows -------------------------------------------------------------------------===//

int64_t GroupPrefetch::rowsAheadAlong(unsigned dim) const {
  const Gather *found = llvm::find_if(gathers, [&](const Gather &each) { return each.dim == dim; });
  return found == gathers.end() ? 0 : found->rows;
}

/// Rows are prefetched far enough ahead for memory latency, and near enough for the L1 cache and
/// for most rows of the tile to be prefetched.
static void chooseGathers(GroupPrefetch &prefetch, const FusionGroup &group,
                          const Accesses &accesses, const Tuning &tuning) {
  for (Operation *member : group.viewAccesses()) {
    auto load = llvm::dyn_cast<tile::LoadViewOp>(member);
    if (!load || group.isSharedRow(member))
      continue;
    tile::TileType type = tileTypeOf(load.getTile());
    const int64_t bytes = group.innerExtent() * wordBytes(type.getElementType());
    for (auto [dim, axis] : llvm::enumerate(accesses.find(member)->second.axes)) {
      const int64_t extent = type.getShape()[dim];
      if (axis.isSparse && extent >= tuning.leastPrefetchedRows && !prefetch.rowsAheadAlong(dim))
        prefetch.gathers.push_back(
            {unsigned(dim), std::clamp<int64_t>(tuning.gatherPrefetchBytes / bytes, 1,
                                                extent / tuning.leastPrefetchedRows)});
    }
  }
}

GroupPrefetch cpu::prefetchOf(const FusionGroup &group, bool isRowLoop, const Accesses &accesses,
                              const Target &target) {
  GroupPrefetch prefetch;
  if (isRowLoop || group.rows == Rows::Apart) {
    prefetch.reason = isRowLoop ? PrefetchReason::RowLoop : PrefetchReason::Apart;
    return prefetch;
  }
  chooseTiles(prefetch, group, accesses, target);
  chooseGathers(prefetch, group, accesses, target.tuning);
  return prefetch;
}
