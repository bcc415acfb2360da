// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See HeldTiles.h.

#include "tilewright/nvidia/plan/HeldTiles.h"
#include "tilewright/nvidia/plan/TileValues.h"
#include "tilewright/tile/Loops.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using mlir::Operation;
using mlir::Value;

//===-- Live ranges ---------------------------------------------------------------------------===//

/// Whether the tile repeats elements of another one, some or all of them.
static bool isRepeated(Value tile) {
  auto moved = tile.getDefiningOp<tile::RearrangementOpInterface>();
  return moved && tileTypeOf(tile) && tileTypeOf(moved.getMoved()) &&
         elementCountOf(tile) > elementCountOf(moved.getMoved());
}

HeldTiles::HeldTiles(tile::EntryOp entry) {
  number(entry);
  for (Value tile : tiles) {
    const void *place = tile.getAsOpaquePointer();
    places.insert(place);
    lives[place] = lifeOf(tile);
  }
  entry->walk<mlir::WalkOrder::PreOrder>([&](Operation *op) { follow(op); });
}

void HeldTiles::number(Operation *op) {
  int64_t first = numbers.size();
  numbers[op] = {first, first};
  auto hold = [&](mlir::ValueRange values) {
    for (Value value : values)
      if (tileTypeOf(value) && !isRepeated(value))
        tiles.push_back(value);
  };
  hold(op->getResults());
  for (mlir::Region &region : op->getRegions())
    for (mlir::Block &block : region) {
      hold(block.getArguments());
      for (Operation &inner : block)
        number(&inner);
    }
  numbers[op].end = numbers.size() - 1;
}

/// Appends the live range in a block, from `begin` to the last reader there. An operation reads its
/// operands when it begins. If a loop reads a value from outside, the value is live until the loop
/// ends. Of two branches, each extends the range to its own last reader, unless there are readers
/// after both.
void HeldTiles::addLife(mlir::Block *block, int64_t begin, llvm::ArrayRef<Operation *> readers,
                        Life &life) const {
  Operation *last = nullptr;
  int64_t end = begin;
  for (Operation *reader : readers)
    if (Operation *inBlock = block->findAncestorOpInBlock(*reader)) {
      const Span &reading = numbers.at(inBlock);
      int64_t until = inBlock == reader ? reading.begin : reading.end;
      if (until >= end) {
        last = inBlock;
        end = until;
      }
    }
  if (!llvm::isa_and_nonnull<tile::IfOp>(last))
    return life.push_back({begin, end});
  life.push_back({begin, numbers.at(last).begin});
  for (mlir::Region &region : last->getRegions())
    for (mlir::Block &branch : region)
      addLife(&branch, numbers.at(&branch.front()).begin, readers, life);
}

HeldTiles::Life HeldTiles::lifeOf(Value tile) const {
  Operation *maker = tile.getDefiningOp();
  int64_t begin =
      maker ? numbers.at(maker).end : numbers.at(tile.getParentBlock()->getParentOp()).begin;
  llvm::SmallVector<Value> read = {tile};
  llvm::SmallVector<Operation *> readers;
  while (!read.empty())
    for (Operation *user : read.pop_back_val().getUsers()) {
      readers.push_back(user);
      llvm::append_range(read, llvm::make_filter_range(user->getResults(), isRepeated));
    }
  Life life;
  addLife(tile.getParentBlock(), begin, readers, life);
  return life;
}

//===-- Coalescing ----------------------------------------------------------------------------===//

/// Coalesces two tiles, unless their live ranges overlap.
void HeldTiles::become(Value before, Value after) {
  auto hasPlace = [](Value tile) {
    return tileTypeOf(tile) && !isRecomputed(tile) && !isRepeated(tile);
  };
  if (!hasPlace(before) || !hasPlace(after))
    return;
  const void *first = placeOf(before), *second = placeOf(after);
  if (first == second)
    return;
  Life all = lives.at(first);
  llvm::append_range(all, lives.at(second));
  llvm::sort(all,
             [](Span a, Span b) { return std::pair(a.begin, a.end) < std::pair(b.begin, b.end); });
  Life joined;
  for (Span span : all) {
    if (!joined.empty() && joined.back().end > span.begin)
      return;
    if (!joined.empty() && joined.back().end == span.begin)
      joined.back().end = span.end;
    else
      joined.push_back(span);
  }
  lives[*places.unionSets(first, second)] = joined;
}

void HeldTiles::becomeAll(mlir::ValueRange before, mlir::ValueRange after) {
  for (auto [from, to] : llvm::zip_equal(before, after))
    become(from, to);
}

/// Coalesces the tiles between which the operation copies or updates elements.
void HeldTiles::follow(Operation *op) {
  if (auto product = llvm::dyn_cast<tile::MatmulOpInterface>(op))
    return become(product.getAcc(), op->getResult(0));
  if (llvm::isa<tile::ElementwiseOpInterface, tile::RearrangementOpInterface, tile::AssumeOp>(op)) {
    Value result = op->getResult(0);
    for (Value operand : llvm::make_filter_range(op->getOperands(), tileTypeOf))
      if (tileTypeOf(result) && elementCountOf(operand) == elementCountOf(result))
        become(operand, result);
    return;
  }
  if (auto loop = llvm::dyn_cast<tile::ForOp>(op))
    return becomeAll(loop.getInitValues(), loop.iterArgs());
  if (auto loop = llvm::dyn_cast<tile::LoopOp>(op))
    return becomeAll(loop.getInitValues(), loop.body()->getArguments());
  if (llvm::isa<tile::YieldOp>(op) && llvm::isa<tile::IfOp>(op->getParentOp()))
    return becomeAll(op->getOperands(), op->getParentOp()->getResults());
  Operation *loop = tile::enclosingNonIf(op);
  if (llvm::isa<tile::BreakOp>(op))
    return becomeAll(op->getOperands(), loop->getResults());
  if (!llvm::isa<tile::ContinueOp>(op))
    return;
  auto counted = llvm::dyn_cast<tile::ForOp>(loop);
  becomeAll(op->getOperands(), counted ? mlir::ValueRange(counted.iterArgs())
                                       : loop->getRegion(0).front().getArguments());
  if (counted) // they are also the loop's results
    becomeAll(op->getOperands(), counted.getResultValues());
}

int64_t HeldTiles::mostAtOnce(llvm::function_ref<int64_t(Value)> sizeOf, Operation *within) const {
  llvm::DenseMap<const void *, int64_t> sizes;
  for (Value tile : tiles) {
    int64_t &size = sizes[placeOf(tile)];
    size = std::max(size, sizeOf(tile));
  }
  llvm::SmallVector<int64_t> changes(numbers.size() + 1, 0);
  for (auto [place, size] : sizes)
    for (const Span &span : lives.at(place)) {
      changes[span.begin] += size;
      changes[span.end + 1] -= size;
    }
  const Span run = numbers.at(within);
  int64_t held = 0, most = 0;
  for (int64_t number = 0; number <= run.end; ++number) {
    held += changes[number];
    if (number >= run.begin)
      most = std::max(most, held);
  }
  return most;
}
