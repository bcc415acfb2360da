// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FusionGroups.h.

#include "tilewright/cpu/emit/FusionGroups.h"
#include "tilewright/cpu/emit/GroupAccess.h"
#include "tilewright/cpu/emit/RowLoops.h"
#include "tilewright/cpu/plan/Plan.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/tile/Loops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;

//===-- Versions ------------------------------------------------------------------------------===//

/// Finds whether stores are non-temporal, and where the next tiles are, in a version with
/// contiguous vectors.
void FusionGroups::evaluateHints(const FusionGroup &group, GroupAccess &access) {
  access.nonTemporal.clear();
  evaluateNextTiles(group, access);
  if (!access.isContiguous)
    return;
  for (const auto &[member, region] : access.regions)
    if (region.access->nonTemporal.isPossible())
      access.nonTemporal[member] = hints.isNonTemporal(region);
}

void FusionGroups::emit(const FusionGroup &group, bool mayBeWhole) {
  GroupAccess access;
  auto rowsOfPointers = pointers.scope(access.pointerRows);
  for (mlir::Operation *member : group.viewAccesses())
    if (auto load = llvm::dyn_cast<tile::LoadViewOp>(member))
      access.regions[member] = views.regionOf(load);
    else
      access.regions[member] = views.regionOf(llvm::cast<tile::StoreViewOp>(member));
  for (mlir::Operation *member : group.members)
    if (auto store = llvm::dyn_cast<tile::StorePtrOp>(member))
      if (const NonTemporal &stores = plan.accessOf(store).nonTemporal; stores.isPossible())
        access.large[member] =
            hints.isLargeLaunch(bufferBytes(tileTypeOf(store.getValue())), stores);
  // Pointers of a single row are tested here; those of several rows are tested row by row.
  Value fast;
  if (!group.hasSeveralRows()) {
    Position row;
    row.at.assign(group.domain.size(), b.i64(0));
    fast = testPointerRows(group, access, row);
  }
  LoopFrame *loop = frame.rowLoopOf(group);
  const std::optional<bool> areWhole = loop ? loop->areWhole : std::nullopt;
  if (!fast && (group.rows != Rows::Tested || !mayBeWhole || areWhole)) {
    access.isContiguous = areWhole.value_or(group.rows == Rows::Contiguous);
    evaluateHints(group, access);
    return emitRows(group, access);
  }

  SmallVector<Value> results; // scalars that both versions pass on
  for (mlir::Operation *member : group.members)
    for (Value result : member->getResults())
      if (!tileTypeOf(result) && !llvm::isa<tile::TokenType>(result.getType()))
        results.push_back(result);
  if (group.rows == Rows::Tested)
    fast = b.conjunction(fast, views.areContiguousInBounds(access.regions));
  SmallVector<mlir::Type> types = emit::Scalars::typesAmong(results);
  SmallVector<Value> held = loop ? SmallVector<Value>(loop->held) : SmallVector<Value>();
  llvm::append_range(types, mlir::ValueRange(held).getTypes());
  mlir::Block *whole = b.newBlock(), *others = b.newBlock(), *after = b.newBlock(types);
  b.jumpIf(fast, whole, others);
  for (mlir::Block *version : {whole, others}) {
    b.setInsertionPointToStart(version);
    ValueCache::FreshScope fresh(cache);
    access.isContiguous =
        group.rows == Rows::Contiguous || (group.rows == Rows::Tested && version == whole);
    if (version == others)
      access.pointerRows.clear();
    evaluateHints(group, access);
    if (loop)
      loop->held.assign(held.begin(), held.end());
    emitRows(group, access);
    SmallVector<Value> given = frame.scalars.among(results);
    if (loop)
      llvm::append_range(given, loop->held);
    b.jump(after, given);
  }
  b.setInsertionPointToStart(after);
  if (loop) // both versions have updated its accumulators
    llvm::copy(after->getArguments().take_back(held.size()), loop->held.begin());
  frame.scalars.bind(results, after);
}

//===-- Rows ----------------------------------------------------------------------------------===//

/// Whether the members' pointers are contiguous and enabled along the whole row, as an i1; records
/// their addresses. Null if no member is tested by rows.
Value FusionGroups::testPointerRows(const FusionGroup &group, GroupAccess &access,
                                    const Position &row) {
  Value areWhole;
  for (mlir::Operation *member : group.members)
    if (pointers.isTestedByRows(member)) {
      b.setPlace(member->getLoc());
      PointerAccess::WholeRow found = pointers.testRow(member, row, group.innerDim);
      Value large = access.large.lookup(member);
      access.pointerRows[member] = {
          found.address, large ? b.conjunction(large, hints.isAligned(found.address)) : Value()};
      areWhole = b.conjunction(areWhole, found.isWhole);
    }
  return areWhole;
}

/// Whether the row's coordinates that tiles supply are inside the tensors, as an i1; null if there
/// are none, or if elements are tested one by one anyway.
Value FusionGroups::testCoordinates(const FusionGroup &group, const GroupAccess &access,
                                    const Position &row) {
  Value areInside;
  for (const auto &[member, region] : access.regions)
    for (auto [dim, axis] : llvm::enumerate(region.axes)) {
      if (!access.isContiguous || !axis.isSparse() || int64_t(dim) == group.innerDim)
        continue;
      b.setPlace(member->getLoc());
      Value coordinate = b.zeroExtended(evaluator.evaluate(axis.sparse, {{row.at[dim]}, 0, 1}));
      areInside = b.conjunction(
          areInside, arith::CmpIOp::create(b, arith::CmpIPredicate::ult, coordinate, axis.extent));
    }
  return areInside;
}

/// Sets whether the row's coordinates are known to be inside.
static void setInside(const FusionGroup &group, GroupAccess &access, bool areInside) {
  for (auto &[member, region] : access.regions)
    for (auto [dim, axis] : llvm::enumerate(region.axes))
      if (axis.isSparse() && int64_t(dim) != group.innerDim)
        axis.fits = areInside;
}

void FusionGroups::emitRow(const FusionGroup &group, GroupAccess &access, const Position &row) {
  ValueCache::Scope scope(cache);
  for (const InnerLoop &loop : group.loops) {
    if (loop.isOncePerRow)
      emitOncePerRow(group, loop.members.front(), row);
    else
      emitInnerLoop(group, loop, access, row);
  }
}

void FusionGroups::emitRows(const FusionGroup &group, GroupAccess &access) {
  auto fusedLoads = loads.scope(access.regions, access.isContiguous);
  if (LoopFrame *loop = frame.rowLoopOf(group))
    return emitHeldRows(group, access, *loop);
  SmallVector<int64_t> rows(group.domain.begin(), group.domain.end());
  if (group.innerDim >= 0)
    rows[group.innerDim] = 1;
  b.forEach(rows, 1, [&](const Position &row) {
    evaluateCoordinates(group, access, row);
    if (!group.hasSeveralRows()) // otherwise scalars would have to leave the versions
      return emitRow(group, access, row);
    Value areInside = testCoordinates(group, access, row);
    Value areWhole = b.conjunction(testPointerRows(group, access, row), areInside);
    if (!areWhole)
      return emitRow(group, access, row);
    b.branch(
        areWhole,
        [&] {
          setInside(group, access, bool(areInside));
          emitRow(group, access, row);
          setInside(group, access, false);
        },
        [&] {
          access.pointerRows.clear();
          emitRow(group, access, row);
        });
  });
  SmallVector<Value> nonTemporal;
  for (const auto *stores : {&access.nonTemporal, &access.large})
    for (const auto &[member, mayBe] : *stores)
      nonTemporal.push_back(mayBe);
  memory.fenceNonTemporal(nonTemporal);
}

/// Emits the members for the block of register-resident accumulators (`held`), fully unrolled.
void FusionGroups::emitHeldRows(const FusionGroup &group, const GroupAccess &access,
                                LoopFrame &loop) {
  ValueCache::Scope scope(cache);
  const RowLoop &rows = *loop.rows;
  SmallVector<Position> positions = positionsOfHeld(b, rows, loop.block);
  if (access.isContiguous && rows.prefetch == RowPrefetch::NextRow)
    prefetchNextRow(access, loop);
  else if (access.isContiguous && rows.prefetch == RowPrefetch::FarAhead)
    prefetchFarAhead(access, rows, positions);
  for (auto [number, position] : llvm::enumerate(positions)) {
    auto held = [&](size_t tile) -> Value & { return loop.held[tile * positions.size() + number]; };
    for (auto [tile, entry] : llvm::enumerate(rows.tiles))
      cache.insert(entry.carried, position, held(tile));
    SmallVector<Value> updated(rows.tiles.size());
    for (mlir::Operation *member : group.members) {
      auto update = llvm::find_if(rows.tiles, [&](auto &tile) { return tile.update == member; });
      if (update == rows.tiles.end()) {
        emitMember(member, access, position);
        continue;
      }
      b.setPlace(member->getLoc());
      updated[update - rows.tiles.begin()] = evaluator.evaluateOp(member, position);
    }
    for (auto [tile, value] : llvm::enumerate(updated))
      held(tile) = value;
  }
}

/// The position of the row's element in a value with one element per row.
static Position placeOf(const FusionGroup &group, const Position &row, tile::TileType type,
                        Value zero) {
  SmallVector<Value> wide;
  for (auto [dim, extent] : llvm::enumerate(group.domain))
    if (extent > 1 && int64_t(dim) != group.innerDim)
      wide.push_back(row.at[dim]);
  Position place;
  size_t next = 0;
  for (int64_t extent : type.getShape())
    place.at.push_back(extent > 1 ? wide[next++] : zero);
  return place;
}

void FusionGroups::emitOncePerRow(const FusionGroup &group, mlir::Operation *member,
                                  const Position &row) {
  b.setPlace(member->getLoc());
  Value result = member->getResult(0);
  if (!tileTypeOf(result)) {
    frame.scalars.define(result, evaluator.evaluateOp(member, Position()));
    return;
  }
  Position place = placeOf(group, row, tileTypeOf(result), b.i64(0));
  Value value = evaluator.evaluateOp(member, place);
  cache.insert(result, place, value);
  buffers.writeTile(result, place, value);
}

//===-- Members -------------------------------------------------------------------------------===//

/// Emits one member other than a scan for the elements at the position; returns the operands of a
/// reduction.
SmallVector<Value> FusionGroups::emitMember(mlir::Operation *member, const GroupAccess &access,
                                            const Position &position) {
  b.setPlace(member->getLoc());
  auto lanesOf = [&](const TileRegion &region) {
    return access.isContiguous ? Lanes::Contiguous : region.access->outside;
  };
  if (auto reduce = llvm::dyn_cast<tile::ReduceOp>(member))
    return evaluator.evaluateAll(reduce.getOperands(), position);
  if (auto load = llvm::dyn_cast<tile::LoadViewOp>(member)) {
    if (plan.placements.of(load.getTile()) == Placement::Fused)
      return {}; // its readers load it
    const TileRegion &region = access.regions.find(member)->second;
    Value padding = views.paddingOf(load.getView().getType());
    define(load.getTile(), position,
           memory.read(views.addressesAt(region, position, lanesOf(region)), region.elementType,
                       padding ? b.splat(padding, position.width) : Value(), position.width));
  } else if (auto store = llvm::dyn_cast<tile::StoreViewOp>(member)) {
    const TileRegion &region = access.regions.find(member)->second;
    AddressSet to = views.addressesAt(region, position, lanesOf(region));
    Value value = evaluator.evaluate(store.getTile(), position);
    memory.writeLines(to, region.elementType, value, access.nonTemporal.lookup(member));
  } else if (auto load = llvm::dyn_cast<tile::LoadPtrOp>(member)) {
    if (plan.placements.of(load.getResult()) == Placement::Fused)
      return {};
    define(load.getResult(), position, pointers.read(load, position));
  } else if (auto store = llvm::dyn_cast<tile::StorePtrOp>(member)) {
    pointers.write(store, position);
  } else {
    define(member->getResult(0), position, evaluator.evaluateOp(member, position));
  }
  return {};
}

void FusionGroups::emitScan(tile::ScanOp scan, const Position &position, Value &prefix) {
  b.setPlace(scan.getLoc());
  Value elements = evaluator.evaluate(scan.getOperands()[0], position);
  define(scan.getResult(0), position, scans.scanLanes(scan, elements, prefix));
}

/// Defines the elements of a member's result at the position.
void FusionGroups::define(Value result, const Position &position, Value value) {
  cache.insert(result, position, value);
  if (plan.placements.of(result) == Placement::InLoop)
    return;
  if (std::optional<unsigned> rowDim = plan.placements.rowOnly(result))
    b.writeWords(buffers.addressOf(result), tileTypeOf(result).getElementType(),
                 position.at[*rowDim], 1, value);
  else
    buffers.writeTile(result, position, value);
}

/// Values that are the same for all elements of a row are computed before the loop over them. LLVM
/// would not hoist all of them: as far as it knows, stores of the loop may alias the loads.
void FusionGroups::evaluateRowValues(const FusionGroup &group, mlir::Operation *reader,
                                     const Position &first, OperationSet &seen) {
  for (Value operand : reader->getOperands()) {
    mlir::Operation *op = operand.getDefiningOp();
    tile::TileType type = tileTypeOf(operand);
    if (!op || !type || type.getShape() != ArrayRef<int64_t>(group.domain) ||
        plan.placements.of(operand) != Placement::Fused || group.contains(op) ||
        !seen.insert(op).second)
      continue;
    auto broadcast = llvm::dyn_cast<tile::BroadcastOp>(op);
    if (broadcast && tileTypeOf(broadcast.getSource()).getShape()[group.innerDim] == 1) {
      b.setPlace(op->getLoc());
      evaluator.evaluate(operand, first);
    } else if (llvm::isa<tile::ElementwiseOpInterface>(op)) {
      evaluateRowValues(group, op, first, seen);
    }
  }
}

/// Emits all members for the vectors from `first` on, one per chain; returns the operands of
/// reductions, chain by chain. A member is emitted for all chains before the next member, as in the
/// program.
SmallVector<SmallVector<Value>>
FusionGroups::emitStep(const FusionGroup &group, const InnerLoop &loop, const GroupAccess &access,
                       const Position &row, Value first, Scans::Prefixes &prefixes) {
  ValueCache::Scope scope(cache);
  SmallVector<Position> positions;
  for (int64_t chain = 0; chain < loop.chains; ++chain) {
    Position &position = positions.emplace_back(row);
    Value at = b.add(first, b.i64(chain * loop.width));
    if (loop.isReverse().value_or(false))
      at = arith::SubIOp::create(b, b.i64(group.innerExtent() - loop.width), at);
    if (group.innerDim >= 0)
      position.at[group.innerDim] = at;
    position.lanes = group.innerDim;
    position.width = loop.width;
    if (&loop == &group.loops.front())
      prefetchRow(group, access, position);
  }
  if (&loop - group.loops.data() == plan.prefetchOf(group).loop && !access.ahead.empty())
    prefetchNext(group, access, positions);
  SmallVector<SmallVector<Value>> elements(loop.chains);
  auto emit = [&](mlir::Operation *member, int64_t chain) {
    if (auto scan = llvm::dyn_cast<tile::ScanOp>(member))
      return emitScan(scan, positions[chain], prefixes[scan]);
    llvm::append_range(elements[chain],
                       reductions.toCombine(member, emitMember(member, access, positions[chain])));
  };
  if (loop.isReverse()) { // a scan's prefix comes from the previous vector
    for (int64_t chain = 0; chain < loop.chains; ++chain)
      for (mlir::Operation *member : loop.members)
        emit(member, chain);
    return elements;
  }
  for (mlir::Operation *member : loop.members)
    b.inTurns(loop.chains, [&](int64_t chain) { emit(member, chain); });
  return elements;
}

void FusionGroups::emitInnerLoop(const FusionGroup &group, const InnerLoop &loop,
                                 const GroupAccess &access, const Position &row) {
  const int64_t extent = group.innerExtent(), step = loop.chains * loop.width;
  const bool reduces = loop.hasReductions();
  if (group.innerDim >= 0) {
    Position first = row;
    first.at[group.innerDim] = b.i64(0);
    OperationSet seen;
    for (mlir::Operation *member : loop.members)
      evaluateRowValues(group, member, first, seen);
  }
  Scans::Prefixes prefixes = scans.identitiesOf(loop);
  SmallVector<Value> state, neutral = reductions.neutralElements(loop);
  const bool beginsWithElements = reduces && neutral.empty();
  if (beginsWithElements) {
    for (ArrayRef<Value> elements : emitStep(group, loop, access, row, b.i64(0), prefixes))
      llvm::append_range(state, elements);
  } else {
    for (int64_t chain = 0; chain < loop.chains; ++chain)
      llvm::append_range(state, neutral);
  }
  size_t sumCount = state.size(), count = sumCount / loop.chains;
  llvm::append_range(state, llvm::make_second_range(prefixes));
  state = b.carryFrom(
      beginsWithElements ? step : 0, extent, step, state, [&](Value first, mlir::ValueRange all) {
        for (auto [scan, prefix] : llvm::zip_equal(prefixes, all.drop_front(sumCount)))
          scan.second = prefix;
        SmallVector<Value> next, sums(all.take_front(sumCount));
        for (auto [chain, elements] :
             llvm::enumerate(emitStep(group, loop, access, row, first, prefixes)))
          llvm::append_range(next,
                             reductions.combine(loop, elements,
                                                ArrayRef<Value>(sums).slice(chain * count, count),
                                                /*areLater=*/!loop.isReverse().value_or(false)));
        llvm::append_range(next, llvm::make_second_range(prefixes));
        return next;
      });
  if (!reduces)
    return;
  SmallVector<Value> results =
      reductions.resultsOf(loop, ArrayRef<Value>(state).take_front(sumCount));
  size_t next = 0;
  for (mlir::Operation *member : loop.members)
    if (auto reduce = llvm::dyn_cast<tile::ReduceOp>(member))
      for (Value result : reduce.getResults()) {
        if (tile::TileType type = tileTypeOf(result))
          buffers.write(buffers.addressOf(result), type, placeOf(group, row, type, b.i64(0)),
                        results[next++]);
        else
          frame.scalars.define(result, results[next++]);
      }
}
