// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits prefetches for groups, where hardware prefetching does not suffice.

#include "tilewright/cpu/emit/FusionGroups.h"
#include "tilewright/cpu/emit/GroupAccess.h"
#include "tilewright/cpu/emit/RowLoops.h"
#include "tilewright/cpu/plan/FusionGroups.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/Loops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tilewright;
using namespace tilewright::cpu;
using elementwise::wordBytes;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;

/// Prefetches lines of the next row, if rows are cut into parts. Each part then reads runs with
/// gaps between them, which the hardware does not predict. So all data of a row shall be in the L1
/// cache before its first part begins. After the last row, the next tile mostly follows. If each
/// iteration reads what follows the previous one's data, the hardware predicts the row.
void FusionGroups::prefetchNextRow(const FusionGroup &group, const GroupAccess &access,
                                   const LoopFrame &loop) {
  const RowLoop &rows = *loop.rows;
  assert(rows.rows == 1 && "a row that is cut into parts has all registers");
  const int64_t rowDim = rows.dim >= 0 ? rows.dim : group.innerDim - 1;
  if (rowDim < 0)
    return;
  const Position here = positionsOfHeld(b, rows, loop.block).front();
  Value part = b.createOrFold<arith::RemUIOp>(loop.block, b.i64(rows.parts));
  auto minus = [&](Value x, Value y) { return b.createOrFold<arith::SubIOp>(x, y); };
  for (const auto &[member, region] : access.regions) {
    auto load = llvm::dyn_cast<tile::LoadViewOp>(member);
    if (!access.isContiguous || !load || group.isSharedRow(member))
      continue;
    const int64_t wordBytes = elementwise::wordBytes(region.elementType),
                  runBytes = rows.vectors * here.width * wordBytes;
    Value perIteration = parts.hints.bytesToNextIteration(load, region);
    if (!perIteration || mlir::getConstantIntValue(perIteration) != rows.parts * runBytes)
      continue;
    // In iteration k of n, part p reads run `parts * k + p` of this row, and prefetches run `n * p
    // + k` of the next one. The difference is expressed by the number of iterations left, because
    // few registers are free.
    Value ofBlock = minus(b.mul(part, minus(loop.tripCount, b.i64(1))),
                          b.mul(loop.tripCount, b.i64(rows.parts - 1)));
    Value nextRow = b.mul(region.axes[rowDim].stride, b.i64(wordBytes));
    Value ahead = b.add(nextRow, b.mul(ofBlock, b.i64(runBytes)));
    Value address = b.add(parts.views.addressesAt(region, here, Lanes::Contiguous).address, ahead);
    address = b.add(address, b.mul(loop.left, b.i64((rows.parts - 1) * runBytes)));
    parts.hints.prefetchLines(address, runBytes, /*isNear=*/true);
  }
}

/// Prefetches lines of a row that is read sequentially, and of the following rows: the hardware
/// prefetcher stops at the end of each page.
void FusionGroups::prefetchFarAhead(const FusionGroup &group, const GroupAccess &access,
                                    ArrayRef<Position> positions) {
  const int64_t bytesAhead = target.tuning.rowPrefetchBytes;
  for (const auto &[member, region] : access.regions) {
    if (!access.isContiguous || !llvm::isa<tile::LoadViewOp>(member) || group.isSharedRow(member))
      continue;
    const int64_t bytes =
        positions.size() * positions.front().width * wordBytes(region.elementType);
    Value address = parts.views.addressesAt(region, positions.front(), Lanes::Contiguous).address;
    parts.hints.prefetchLines(b.add(address, b.i64(bytesAhead)), bytes, /*isNear=*/true);
  }
}

/// How many rows ahead a gathered row of this size prefetches.
static int64_t rowsAhead(int64_t bytesOfRow, int64_t rows, const Tuning &tuning) {
  assert(rows >= tuning.leastPrefetchedRows && "rows of a short tile fetch none");
  return std::clamp<int64_t>(tuning.gatherPrefetchBytes / bytesOfRow, 1,
                             rows / tuning.leastPrefetchedRows);
}

/// Evaluates the coordinates that tiles supply: those of the current row, and those of the row to
/// prefetch.
void FusionGroups::planRow(GroupAccess &access, const Position &row) {
  access.rowAhead.clear();
  for (const auto &[member, region] : access.regions)
    for (auto [dim, axis] : llvm::enumerate(region.axes)) {
      if (!axis.isSparse())
        continue;
      parts.evaluator.evaluate(axis.sparse, {{row.at[dim]}, 0, 1});
      if (!access.isContiguous || !llvm::isa<tile::LoadViewOp>(member) ||
          axis.tileExtent < target.tuning.leastPrefetchedRows)
        continue;
      GroupAccess::RowAhead &ahead = access.rowAhead[dim];
      if (!ahead.row) {
        int64_t bytes =
            region.shape[lastWideDimension(region.shape)] * wordBytes(region.elementType);
        Value next = b.add(row.at[dim], b.i64(rowsAhead(bytes, axis.tileExtent, target.tuning)));
        Value last = b.i64(axis.tileExtent - 1);
        ahead.row = arith::MinUIOp::create(b, next, last);
        ahead.isInTile = arith::CmpIOp::create(b, arith::CmpIPredicate::ule, next, last);
      }
      parts.evaluator.evaluate(axis.sparse, {{ahead.row}, 0, 1});
    }
}

/// Prefetches the lines of later gathered rows at this position.
void FusionGroups::prefetchRow(const GroupAccess &access, const Position &position) {
  for (const auto &[member, region] : access.regions)
    for (const auto &[dim, ahead] : access.rowAhead) {
      if (!llvm::isa<tile::LoadViewOp>(member) || dim >= region.axes.size() ||
          !region.axes[dim].isSparse())
        continue;
      Position there = position;
      there.at[dim] = ahead.row;
      auto fetch = [&] {
        ValueCache::Scope scope(cache);
        Value address = parts.views.addressesAt(region, there, Lanes::Contiguous).address;
        parts.hints.prefetchLines(address, position.width * wordBytes(region.elementType),
                                  /*isNear=*/true);
      };
      b.branch(ahead.isInTile, fetch, [] {});
    }
}

//===-- Prefetching for the next iteration ----------------------------------------------------===//

static bool isStore(mlir::Operation *member) {
  auto access = llvm::dyn_cast<tile::MemoryAccessOpInterface>(member);
  return access && access.isStore();
}

/// Whether the loop has no time to prefetch, unless it waits for memory.
static bool doesLittleButStore(const InnerLoop &loop) {
  return loop.isLittleWork && llvm::any_of(loop.members, isStore);
}

/// Chooses the inner loop that prefetches the next iteration's data; -1: none. The hardware
/// predicts a single pass over a row. With several passes, it is the first one after the first pass
/// that has time, else the last one. A single pass prefetches, too, if an iteration of a `for`
/// covers parts of several rows, because the next iteration continues all of these rows, unless
/// accumulators of some rows stay in registers.
static int64_t fetchingLoopOf(const FusionGroup &group, ArrayRef<int64_t> passes, bool holdsRows) {
  for (int64_t pass : passes.drop_front(std::min<size_t>(passes.size(), 1)))
    if (!doesLittleButStore(group.loops[pass]))
      return pass;
  bool isOfParts = group.hasSeveralRows() && !holdsRows &&
                   llvm::isa<tile::ForOp>(tile::enclosingNonIf(group.members.front()));
  return passes.size() > 1 || (passes.size() == 1 && isOfParts) ? passes.back() : -1;
}

void FusionGroups::planPrefetch(const FusionGroup &group, GroupAccess &access) {
  access.ahead.clear();
  access.fetchingLoop = -1;
  if (!access.isContiguous)
    return;
  SmallVector<int64_t> passes;
  for (auto [number, loop] : llvm::enumerate(group.loops))
    if (!loop.isOncePerRow)
      passes.push_back(int64_t(number));
  access.fetchingLoop = fetchingLoopOf(group, passes, bool(frame.rowLoopOf(group)));
  if (access.fetchingLoop < 0)
    return;
  int64_t bytesAhead = 0;
  auto add = [&](mlir::Operation *load, mlir::Type element, Value ahead) {
    if (!ahead)
      return;
    access.ahead[load] = ahead;
    bytesAhead += llvm::product_of(group.domain) * wordBytes(element);
  };
  for (const auto &[member, region] : access.regions)
    if (auto load = llvm::dyn_cast<tile::LoadViewOp>(member);
        load && !group.isSharedRow(member)) // it is in a cache after the first row
      add(load, region.elementType, parts.hints.bytesToNextIteration(load, region));
  for (mlir::Operation *member : group.members)
    if (auto load = llvm::dyn_cast<tile::LoadPtrOp>(member);
        load && parts.pointers.isTestedByRows(load))
      add(load, tileTypeOf(load.getResult()).getElementType(),
          parts.hints.bytesToNextIteration(load));
  const bool hasSeveralPasses = passes.size() > 1;
  access.fetchesIfPastCaches =
      hasSeveralPasses && doesLittleButStore(group.loops[access.fetchingLoop]);
  // Data of this iteration that is read again may be evicted from L1: it is in L2, too.
  const Tuning &tuning = target.tuning;
  const bool fits = hasSeveralPasses && tuning.nearPrefetchDenominator * bytesAhead <=
                                            tuning.nearPrefetchNumerator * target.firstCacheBytes;
  access.fetchesNear = fits || access.fetchesIfPastCaches;
}

/// Whether one of the stores is non-temporal, as an i1; null if none may be.
Value FusionGroups::storesPastCaches(const InnerLoop &loop, const GroupAccess &access) {
  Value any;
  for (mlir::Operation *member : loop.members) {
    Value past = access.nonTemporal.lookup(member);
    if (!past)
      past = access.pointerRows.lookup(member).nonTemporal;
    if (past)
      any = any ? b.createOrFold<arith::OrIOp>(any, past) : past;
  }
  return any;
}

/// Prefetches the lines of the next iteration's tiles at this position.
void FusionGroups::prefetchNextAt(const GroupAccess &access, const Position &position) {
  for (const auto &[member, bytes] : access.ahead) {
    Value address;
    mlir::Type element;
    if (auto load = llvm::dyn_cast<tile::LoadPtrOp>(member)) {
      Value row = access.pointerRows.lookup(member).address;
      if (!row)
        continue;
      element = tileTypeOf(load.getResult()).getElementType();
      address = parts.pointers.inRow(row, element, position).address;
    } else {
      const TileRegion &region = access.regions.find(member)->second;
      element = region.elementType;
      address = parts.views.addressesAt(region, position, Lanes::Contiguous).address;
    }
    parts.hints.prefetchLines(b.add(address, bytes), position.width * wordBytes(element),
                              access.fetchesNear);
  }
}

void FusionGroups::prefetchNext(const InnerLoop &loop, const GroupAccess &access,
                                ArrayRef<Position> positions) {
  auto fetch = [&] {
    for (const Position &position : positions)
      prefetchNextAt(access, position);
  };
  if (!access.fetchesIfPastCaches)
    return fetch();
  if (Value waits = storesPastCaches(loop, access))
    b.branch(waits, fetch, [] {});
}
