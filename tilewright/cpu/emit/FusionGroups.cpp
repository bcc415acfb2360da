// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a group become loops? A loop over its rows, in it a loop per run that takes a few
// vectors of the row at a time through all steps of the run. Values that only this run reads
// stay in registers. Reductions combine vectors in two to four chains, and in the end the lanes of
// those with each other: an order that depends on the shape alone. Scans take with
// them what they have come to before each vector.
//
// Whether all tiles that a group accesses lie inside of their tensors, with neighbours next to
// each other, is asked once, before the rows; if not, the same loops run under masks.

#include "tilewright/cpu/plan/FusionGroups.h"
#include "tilewright/cpu/Remarks.h"
#include "tilewright/cpu/emit/KernelEmitter.h"
#include "tilewright/elementwise/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace tilewright;
using namespace tilewright::cpu;
using namespace tilewright::elementwise;
using llvm::ArrayRef;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;
namespace cf = mlir::cf;

/// Vectors that are combined independently: an addition takes several cycles, but several can
/// be under way. Where much else is computed per element, fewer hide that.
static int64_t chainCount(const Run &run) { return run.work < 20 ? 4 : 2; }

/// The tiles that its steps access, and whether they are known to be plain vectors.
struct KernelEmitter::GroupAccess {
  Windows windows;
  bool isPlain = true;
  /// How far ahead a load's next tile lies, and the run that fetches it; -1: none.
  llvm::MapVector<mlir::Operation *, Value> ahead;
  int64_t fetchingRun = -1;
  /// The row after the next, for each dimension whose coordinates come from a tile: where it is in
  /// memory, only that tile knows.
  llvm::MapVector<unsigned, Value> rowAhead;
  /// For stores past the caches: if they are to be, an i1.
  llvm::MapVector<mlir::Operation *, Value> around;
};

//===-- Versions ------------------------------------------------------------------------------===//

/// Elements of a row at a time: enough for a cache line of the widest words.
static int64_t laneCount(const Run &run) {
  int64_t bytes = 1;
  for (mlir::Operation *step : run.steps) {
    auto widest = [&](Value value) {
      if (tile::TileType type = tileTypeOf(value))
        bytes = std::max(bytes, wordBytes(type.getElementType()));
    };
    llvm::for_each(step->getOperands(), widest);
    llvm::for_each(step->getResults(), widest);
  }
  return std::clamp<int64_t>(64 / bytes, 16, 64);
}

/// What a version with plain vectors does for the caches. The processor foresees a single pass
/// over rows by itself; with several, the second one fetches what the next turn begins with.
void KernelEmitter::planAccess(const Group &group, GroupAccess &access) {
  access.ahead.clear();
  access.around.clear();
  access.fetchingRun = -1;
  if (!access.isPlain)
    return;
  for (size_t run = 1; run < group.runs.size() && access.fetchingRun < 0; ++run)
    if (!group.runs[run].isOncePerRow)
      access.fetchingRun = run;
  for (const auto &[step, window] : access.windows) {
    if (auto load = llvm::dyn_cast<tile::LoadViewOp>(step)) {
      if (Value bytes = access.fetchingRun < 0 ? Value() : bytesToNextTurn(load, window))
        access.ahead[step] = bytes;
      continue;
    }
    int64_t width = std::min(laneCount(group.runs[group.runOf(step)]), group.rowExtent());
    if (llvm::any_of(window.axes, [](const Axis &axis) { return axis.isSparse(); }))
      continue;
    if (target.vectorBytes == 64 && width * wordBytes(window.elementType) == 64)
      access.around[step] = goesAroundCaches(window);
  }
}

void KernelEmitter::emitGroup(const Group &group) {
  GroupAccess access;
  SmallVector<Value> results; // scalars, which both versions have to hand over
  for (mlir::Operation *step : group.steps) {
    if (auto load = llvm::dyn_cast<tile::LoadViewOp>(step))
      access.windows[step] = windowOf(load.getView().getType(), load.getView(), load.getIndex());
    if (auto store = llvm::dyn_cast<tile::StoreViewOp>(step))
      access.windows[step] = windowOf(store.getView().getType(), store.getView(), store.getIndex());
    if (llvm::isa<tile::ReduceOp>(step))
      for (Value result : step->getResults())
        if (!tileTypeOf(result))
          results.push_back(result);
  }
  access.isPlain = mayBePlain(access.windows);
  Value plain = access.isPlain ? arePlain(access.windows) : Value();
  for (const auto &[step, window] : access.windows)
    remark(step->getLoc(),
           !access.isPlain ? "accessed under masks, or gathered or scattered"
           : plain         ? "accessed by vectors; under masks, or gathered or scattered, where "
                             "its tile is not inside of the tensor with a stride of 1"
                           : "accessed by vectors");
  if (!plain) {
    planAccess(group, access);
    return emitRows(group, access);
  }

  mlir::Block *fast = b.newBlock(), *slow = b.newBlock(),
              *after = b.newBlock(registerTypesOf(results));
  b.jumpIf(plain, fast, slow);
  for (mlir::Block *version : {fast, slow}) {
    b.setInsertionPointToStart(version);
    cache.clear();
    access.isPlain = version == fast;
    planAccess(group, access);
    emitRows(group, access);
    b.jump(after, scalarsOf(results));
  }
  b.setInsertionPointToStart(after);
  cache.clear();
  bindScalars(results, after);
}

//===-- Rows ----------------------------------------------------------------------------------===//

void KernelEmitter::emitRows(const Group &group, GroupAccess &access) {
  fusedLoads = access.windows;
  fusedLoadsArePlain = access.isPlain;
  SmallVector<int64_t> rows(group.domain.begin(), group.domain.end());
  if (group.rowDim >= 0)
    rows[group.rowDim] = 1;
  b.forEach(rows, 1, [&](const Position &row) {
    planRow(access, row);
    for (const Run &run : group.runs) {
      if (run.isOncePerRow)
        emitOncePerRow(group, run.steps.front(), row);
      else
        emitRun(group, run, access, row);
    }
  });
  Value any;
  for (const auto &[step, around] : access.around)
    any = any ? arith::OrIOp::create(b, any, around).getResult() : around;
  if (any)
    b.branch(
        any, [&] { fenceAroundCaches(); }, [] {});
}

/// Coordinates that come from tiles, one for the row, and one for a row to come.
void KernelEmitter::planRow(GroupAccess &access, const Position &row) {
  access.rowAhead.clear();
  for (const auto &[step, window] : access.windows)
    for (auto [dim, axis] : llvm::enumerate(window.axes)) {
      if (!axis.isSparse())
        continue;
      evaluate(axis.sparse, {{row.at[dim]}, 0, 1});
      if (!access.isPlain || !llvm::isa<tile::LoadViewOp>(step) || axis.tileExtent < 4)
        continue;
      Value &ahead = access.rowAhead[dim];
      if (!ahead)
        ahead = arith::MinUIOp::create(b, b.add(row.at[dim], b.i64(2)), b.i64(axis.tileExtent - 1));
      evaluate(axis.sparse, {{ahead}, 0, 1});
    }
}

/// The lines of the gathered rows to come at this position.
void KernelEmitter::prefetchRow(const GroupAccess &access, const Position &position) {
  for (const auto &[step, window] : access.windows)
    for (auto [dim, ahead] : access.rowAhead) {
      if (!llvm::isa<tile::LoadViewOp>(step) || !window.axes[dim].isSparse())
        continue;
      Position there = position;
      there.at[dim] = ahead;
      Value address = reach(window, there, Lanes::Whole).address;
      for (int64_t line = 0; line < position.width * wordBytes(window.elementType); line += 64)
        prefetchLine(b.add(address, b.i64(line)));
    }
}

/// The lines of the next turn's tiles at this position.
void KernelEmitter::prefetchNext(const GroupAccess &access, const Position &position) {
  for (const auto &[step, bytes] : access.ahead) {
    const Window &window = access.windows.find(step)->second;
    Value address = b.add(reach(window, position, Lanes::Whole).address, bytes);
    for (int64_t line = 0; line < position.width * wordBytes(window.elementType); line += 64)
      prefetchLine(b.add(address, b.i64(line)));
  }
}

/// The place of a value with one element per row.
static Position placeOf(const Group &group, const Position &row, tile::TileType type, Value zero) {
  SmallVector<Value> wide;
  for (auto [dim, extent] : llvm::enumerate(group.domain))
    if (extent > 1 && int64_t(dim) != group.rowDim)
      wide.push_back(row.at[dim]);
  Position place;
  size_t next = 0;
  for (int64_t extent : type.getShape())
    place.at.push_back(extent > 1 ? wide[next++] : zero);
  return place;
}

void KernelEmitter::emitOncePerRow(const Group &group, mlir::Operation *step, const Position &row) {
  b.setPlace(step->getLoc());
  Value result = step->getResult(0);
  Position place = placeOf(group, row, tileTypeOf(result), b.i64(0));
  Value value = evaluateOp(step, place);
  cache.insert(result, place, value);
  writeTile(result, place, value);
}

//===-- Runs ----------------------------------------------------------------------------------===//

/// One step on the elements at the position; the operands of a reduction.
SmallVector<Value> KernelEmitter::emitStep(const Group &group, mlir::Operation *step,
                                           const GroupAccess &access, const Position &position) {
  b.setPlace(step->getLoc());
  auto lanesOf = [&](const Window &window) {
    if (access.isPlain)
      return Lanes::Whole;
    return strideOf(window) == 1 ? Lanes::Masked : Lanes::Apart;
  };
  auto define = [&](Value result, Value value) {
    cache.insert(result, position, value);
    if (plan->home(result) == Home::Loop)
      return;
    if (std::optional<unsigned> rowDim = plan->rowOnly(result))
      b.writeWords(bufferAddress(result), tileTypeOf(result).getElementType(), position.at[*rowDim],
                   1, value);
    else
      writeTile(result, position, value);
  };
  if (auto reduce = llvm::dyn_cast<tile::ReduceOp>(step))
    return evaluateAll(reduce.getOperands(), position);
  if (auto load = llvm::dyn_cast<tile::LoadViewOp>(step)) {
    if (plan->home(load.getTile()) == Home::Fused)
      return {}; // by its readers
    const Window &window = access.windows.find(step)->second;
    Value padding = paddingOf(load.getView().getType());
    define(load.getTile(),
           read(reach(window, position, lanesOf(window)), window.elementType,
                padding ? b.splat(padding, position.width) : Value(), position.width));
  } else if (auto store = llvm::dyn_cast<tile::StoreViewOp>(step)) {
    const Window &window = access.windows.find(step)->second;
    Reach to = reach(window, position, lanesOf(window));
    Value value = evaluate(store.getTile(), position);
    if (Value around = access.around.lookup(step)) {
      auto op = mlir::scf::IfOp::create(b, around, /*withElseRegion=*/true);
      mlir::OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(op.thenBlock());
      writeAroundCaches(to, value);
      b.setInsertionPointToStart(op.elseBlock());
      write(to, window.elementType, value);
      return {};
    }
    write(to, window.elementType, value);
  } else if (auto load = llvm::dyn_cast<tile::LoadPtrOp>(step)) {
    define(load.getResult(), readPointers(load, position));
  } else if (auto store = llvm::dyn_cast<tile::StorePtrOp>(step)) {
    writePointers(store, position);
  } else if (auto scan = llvm::dyn_cast<tile::ScanOp>(step)) {
    define(scan.getResult(0), scanLanes(scan, evaluate(scan.getOperands()[0], position)));
  } else {
    define(step->getResult(0), evaluateOp(step, position));
  }
  return {};
}

/// Results of all reductions of a run from accumulators to accumulators.
SmallVector<Value> KernelEmitter::combineAll(const Run &run, ArrayRef<Value> elements,
                                             ArrayRef<Value> accumulators) {
  SmallVector<Value> results;
  for (mlir::Operation *step : run.steps)
    if (auto reduce = llvm::dyn_cast<tile::ReduceOp>(step)) {
      b.setPlace(step->getLoc());
      size_t count = reduce.getNumOperands(), first = results.size();
      llvm::append_range(results, emitBody(reduce.getBody().front(), elements.slice(first, count),
                                           accumulators.slice(first, count)));
    }
  return results;
}

/// The lanes of each value combined: upper halves with lower halves, until there is one.
SmallVector<Value> KernelEmitter::combineLanes(const Run &run, SmallVector<Value> values,
                                               int64_t width) {
  for (; width > 1; width /= 2) {
    auto half = [&](int64_t first) {
      return llvm::map_to_vector(values, [&](Value value) -> Value {
        if (width == 2)
          return mlir::vector::ExtractOp::create(b, value, first);
        return mlir::vector::ExtractStridedSliceOp::create(b, value, {first}, {width / 2}, {1});
      });
    };
    values = combineAll(run, half(width / 2), half(0));
  }
  return values;
}

void KernelEmitter::emitRun(const Group &group, const Run &run, const GroupAccess &access,
                            const Position &row) {
  int64_t extent = group.rowExtent(), width = std::min(laneCount(run), extent);
  bool reduces = llvm::any_of(run.steps, llvm::IsaPred<tile::ReduceOp>);
  // Scans have one chain; of several vectors the first steps can be under way.
  bool scans = run.isReverse().has_value();
  int64_t chains = reduces || scans ? std::min(chainCount(run), extent / width) : 1;
  // The vectors from `first` on through all steps: what the reductions get, chain by chain.
  auto advance = [&](Value first) {
    ValueCache::Scope scope(cache);
    SmallVector<SmallVector<Value>> elements;
    for (int64_t chain = 0; chain < chains; ++chain) {
      Position position = row;
      Value at = b.add(first, b.i64(chain * width));
      if (run.isReverse().value_or(false))
        at = arith::SubIOp::create(b, b.i64(extent - width), at);
      if (group.rowDim >= 0)
        position.at[group.rowDim] = at;
      position.lanes = group.rowDim;
      position.width = width;
      if (&run - group.runs.data() == access.fetchingRun)
        prefetchNext(access, position);
      if (&run == &group.runs.front())
        prefetchRow(access, position);
      SmallVector<Value> &mine = elements.emplace_back();
      for (mlir::Operation *step : run.steps)
        llvm::append_range(mine, emitStep(group, step, access, position));
    }
    return elements;
  };

  int64_t step = chains * width;
  beginScans(run, width);
  SmallVector<Value> state;
  if (reduces)
    for (ArrayRef<Value> elements : advance(b.i64(0)))
      llvm::append_range(state, elements);
  size_t sumCount = state.size(), count = sumCount / chains;
  llvm::append_range(state, llvm::make_second_range(scanned));
  state =
      b.carryFrom(reduces ? step : 0, extent, step, state, [&](Value first, mlir::ValueRange all) {
        for (auto [entry, soFar] : llvm::zip_equal(scanned, all.drop_front(sumCount)))
          entry.second = soFar;
        SmallVector<Value> next, sums(all.take_front(sumCount));
        for (auto [chain, elements] : llvm::enumerate(advance(first)))
          llvm::append_range(
              next, combineAll(run, elements, ArrayRef<Value>(sums).slice(chain * count, count)));
        llvm::append_range(next, llvm::make_second_range(scanned));
        return next;
      });
  if (!reduces)
    return;
  SmallVector<SmallVector<Value>> sums;
  for (int64_t chain = 0; chain < chains; ++chain)
    sums.emplace_back(ArrayRef<Value>(state).slice(chain * count, count));
  for (; chains > 1; chains /= 2)
    for (int64_t chain = 0; chain < chains / 2; ++chain)
      sums[chain] = combineAll(run, sums[chain + chains / 2], sums[chain]);
  SmallVector<Value> results = combineLanes(run, sums.front(), width);
  size_t next = 0;
  for (mlir::Operation *step : run.steps)
    if (auto reduce = llvm::dyn_cast<tile::ReduceOp>(step))
      for (Value result : reduce.getResults()) {
        Value value = results[next++];
        if (tile::TileType type = tileTypeOf(result))
          writeBuffer(bufferAddress(result), type, placeOf(group, row, type, b.i64(0)), value);
        else
          scalars[result] = value;
      }
}
