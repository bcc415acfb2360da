// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits prefetches for groups, where hardware prefetching does not suffice.

#include "tilewright/cpu/emit/FusionGroups.h"
#include "tilewright/cpu/emit/GroupAccess.h"
#include "tilewright/cpu/emit/RowLoops.h"
#include "tilewright/cpu/plan/Plan.h"
#include "tilewright/elementwise/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tilewright;
using namespace tilewright::cpu;
using elementwise::wordBytes;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;

/// Prefetches lines of the next row, if rows are cut into parts.
void FusionGroups::prefetchNextRow(const GroupAccess &access, const LoopFrame &loop) {
  const RowLoop &rows = *loop.rows;
  assert(rows.rows == 1 && "a row that is cut into parts has all registers");
  const Position here = positionsOfHeld(b, rows, loop.block).front();
  Value part = b.createOrFold<arith::RemUIOp>(loop.block, b.i64(rows.parts));
  auto minus = [&](Value x, Value y) { return b.createOrFold<arith::SubIOp>(x, y); };
  for (mlir::Operation *load : rows.prefetched) {
    const TileRegion &region = access.regions.find(load)->second;
    const int64_t wordBytes = elementwise::wordBytes(region.elementType),
                  runBytes = rows.vectors * here.width * wordBytes;
    // In iteration k of n, part p reads run `parts * k + p` of this row, and prefetches run `n * p
    // + k` of the next one. The difference is expressed by the number of iterations left, because
    // few registers are free.
    Value ofBlock = minus(b.mul(part, minus(loop.tripCount, b.i64(1))),
                          b.mul(loop.tripCount, b.i64(rows.parts - 1)));
    Value nextRow = b.mul(region.axes[rows.rowDim()].stride, b.i64(wordBytes));
    Value ahead = b.add(nextRow, b.mul(ofBlock, b.i64(runBytes)));
    Value address = b.add(views.addressesAt(region, here, Lanes::Contiguous).address, ahead);
    address = b.add(address, b.mul(loop.left, b.i64((rows.parts - 1) * runBytes)));
    hints.prefetchLines(address, runBytes, /*isNear=*/true);
  }
}

/// Prefetches lines of a row that is read sequentially, and of the following rows.
void FusionGroups::prefetchFarAhead(const GroupAccess &access, const RowLoop &rows,
                                    ArrayRef<Position> positions) {
  for (mlir::Operation *load : rows.prefetched) {
    const TileRegion &region = access.regions.find(load)->second;
    const int64_t bytes =
        positions.size() * positions.front().width * wordBytes(region.elementType);
    Value address = views.addressesAt(region, positions.front(), Lanes::Contiguous).address;
    hints.prefetchLines(b.add(address, b.i64(rows.bytesAhead)), bytes, /*isNear=*/true);
  }
}

/// Evaluates the coordinates that tiles supply: those of the current row, and those of the row to
/// prefetch.
void FusionGroups::evaluateCoordinates(const FusionGroup &group, GroupAccess &access,
                                       const Position &row) {
  access.rowAhead.clear();
  for (const auto &[member, region] : access.regions)
    for (auto [dim, axis] : llvm::enumerate(region.axes)) {
      if (!axis.isSparse())
        continue;
      evaluator.evaluate(axis.sparse, {{row.at[dim]}, 0, 1});
      const int64_t rowsAhead = plan.prefetchOf(group).rowsAheadAlong(dim);
      if (!access.isContiguous || !llvm::isa<tile::LoadViewOp>(member) ||
          group.isSharedRow(member) || rowsAhead == 0)
        continue;
      GroupAccess::RowAhead &ahead = access.rowAhead[dim];
      if (!ahead.row) {
        Value next = b.add(row.at[dim], b.i64(rowsAhead));
        Value last = b.i64(axis.tileExtent - 1);
        ahead.row = arith::MinUIOp::create(b, next, last);
        ahead.isInTile = arith::CmpIOp::create(b, arith::CmpIPredicate::ule, next, last);
      }
      evaluator.evaluate(axis.sparse, {{ahead.row}, 0, 1});
    }
}

/// Prefetches the lines of later gathered rows at this position.
void FusionGroups::prefetchRow(const FusionGroup &group, const GroupAccess &access,
                               const Position &position) {
  for (const auto &[member, region] : access.regions)
    for (const auto &[dim, ahead] : access.rowAhead) {
      if (!llvm::isa<tile::LoadViewOp>(member) || group.isSharedRow(member) ||
          !region.axes[dim].isSparse())
        continue;
      Position there = position;
      there.at[dim] = ahead.row;
      auto fetch = [&] {
        ValueCache::Scope scope(cache);
        Value address = views.addressesAt(region, there, Lanes::Contiguous).address;
        hints.prefetchLines(address, position.width * wordBytes(region.elementType),
                            /*isNear=*/true);
      };
      b.branch(ahead.isInTile, fetch, [] {});
    }
}

//===-- Prefetching for the next iteration ----------------------------------------------------===//

/// Evaluates the distances to the next tiles.
void FusionGroups::evaluateNextTiles(const FusionGroup &group, GroupAccess &access) {
  access.ahead.clear();
  if (!access.isContiguous)
    return;
  for (const NextTile &next : plan.prefetchOf(group).tiles) {
    auto region = access.regions.find(next.load);
    access.ahead[next.load] =
        region == access.regions.end() ? hints.bytesTo(next) : hints.bytesTo(next, region->second);
  }
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
void FusionGroups::prefetchNextAt(const GroupAccess &access, const Position &position,
                                  bool isNear) {
  for (const auto &[member, bytes] : access.ahead) {
    Value address;
    mlir::Type element;
    if (auto load = llvm::dyn_cast<tile::LoadPtrOp>(member)) {
      Value row = access.pointerRows.lookup(member).address;
      if (!row)
        continue;
      element = tileTypeOf(load.getResult()).getElementType();
      address = pointers.inRow(row, element, position).address;
    } else {
      const TileRegion &region = access.regions.find(member)->second;
      element = region.elementType;
      address = views.addressesAt(region, position, Lanes::Contiguous).address;
    }
    hints.prefetchLines(b.add(address, bytes), position.width * wordBytes(element), isNear);
  }
}

void FusionGroups::prefetchNext(const FusionGroup &group, const GroupAccess &access,
                                ArrayRef<Position> positions) {
  const GroupPrefetch &prefetch = plan.prefetchOf(group);
  auto fetch = [&] {
    for (const Position &position : positions)
      prefetchNextAt(access, position, prefetch.isNear);
  };
  if (prefetch.reason != PrefetchReason::WaitingPass)
    return fetch();
  if (Value waits = storesPastCaches(group.loops[prefetch.loop], access))
    b.branch(waits, fetch, [] {});
}
