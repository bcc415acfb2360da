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

HeldTiles::HeldTiles(tile::EntryOp entry) {
  number(entry->getRegion(0).front());
  for (Value tile : tiles) {
    lives[tile] = lifeOf(tile);
    places.insert(tile.getAsOpaquePointer());
  }
  entry->walk([&](Operation *op) { follow(op); });
}

void HeldTiles::number(mlir::Block &block) {
  llvm::append_range(tiles, llvm::make_filter_range(block.getArguments(), tileTypeOf));
  for (Operation &op : block) {
    int64_t first = numbers.size();
    numbers[&op] = {first, first};
    llvm::append_range(tiles, llvm::make_filter_range(op.getResults(), tileTypeOf));
    for (mlir::Region &region : op.getRegions())
      for (mlir::Block &inner : region)
        number(inner);
    numbers[&op].end = numbers.size() - 1;
  }
}

HeldTiles::Span HeldTiles::lifeOf(Value tile) const {
  Operation *from =
      tile.getDefiningOp() ? tile.getDefiningOp() : tile.getParentBlock()->getParentOp();
  Span life{numbers.at(from).begin, numbers.at(from).begin};
  for (Operation *user : tile.getUsers()) {
    Operation *inBlock = tile.getParentBlock()->findAncestorOpInBlock(*user);
    life.end = std::max(life.end, numbers.at(inBlock).end);
  }
  return life;
}

/// Whether nobody reads the tile after this operation, in whose block it is made.
bool HeldTiles::isLastUse(Value tile, Operation *op) const {
  return tile.getParentBlock() == op->getBlock() && lives.at(tile).end == numbers.at(op).end;
}

void HeldTiles::become(Value before, Value after) {
  if (tileTypeOf(after) && !isRecomputed(before) && before != after)
    places.unionSets(before.getAsOpaquePointer(), after.getAsOpaquePointer());
}

void HeldTiles::becomeAll(mlir::ValueRange before, mlir::ValueRange after) {
  for (auto [from, to] : llvm::zip_equal(before, after))
    become(from, to);
}

/// A tile that has each element of another one several times, and needs no registers of its own.
static Value repeatedIn(Value tile) {
  auto moved = tile.getDefiningOp<tile::RearrangementOpInterface>();
  bool isRepeated = moved && tileTypeOf(moved.getMoved()) &&
                    elementCountOf(tile) > elementCountOf(moved.getMoved());
  return isRepeated ? moved.getMoved() : Value();
}

/// What the operation makes of its tiles.
void HeldTiles::follow(Operation *op) {
  auto product = llvm::dyn_cast<tile::MatmulOpInterface>(op);
  if (product && isLastUse(product.getAcc(), op))
    return become(product.getAcc(), op->getResult(0));
  if (llvm::isa<tile::ElementwiseOpInterface, tile::RearrangementOpInterface>(op)) {
    if (Value repeated = repeatedIn(op->getResult(0)))
      return become(repeated, op->getResult(0));
    for (Value operand : llvm::make_filter_range(op->getOperands(), tileTypeOf))
      if (tileTypeOf(op->getResult(0)) && isLastUse(operand, op) && !isRecomputed(operand) &&
          elementCountOf(operand) == elementCountOf(op->getResult(0)))
        return become(operand, op->getResult(0));
    return;
  }
  auto begin = [&](mlir::ValueRange initial, mlir::ValueRange carried) {
    for (auto [from, to] : llvm::zip_equal(initial, carried))
      if (tileTypeOf(from) && isLastUse(from, op))
        become(from, to);
  };
  if (auto loop = llvm::dyn_cast<tile::ForOp>(op)) {
    begin(loop.getInitValues(), loop.iterArgs());
    return becomeAll(loop.iterArgs(), loop.getResultValues());
  }
  if (auto loop = llvm::dyn_cast<tile::LoopOp>(op))
    return begin(loop.getInitValues(), loop.body()->getArguments());
  if (llvm::isa<tile::YieldOp>(op) && llvm::isa<tile::IfOp>(op->getParentOp()))
    return becomeAll(op->getOperands(), op->getParentOp()->getResults());
  Operation *loop = tile::enclosingNonIf(op);
  if (llvm::isa<tile::BreakOp>(op))
    return becomeAll(op->getOperands(), loop->getResults());
  if (llvm::isa<tile::ContinueOp>(op)) {
    mlir::ValueRange carried = loop->getRegion(0).front().getArguments();
    becomeAll(op->getOperands(), llvm::isa<tile::ForOp>(loop) ? carried.drop_front() : carried);
  }
}

int64_t HeldTiles::mostAtOnce(llvm::function_ref<int64_t(Value)> sizeOf) const {
  struct Place {
    Span span;
    int64_t size;
  };
  llvm::DenseMap<const void *, Place> taken;
  for (Value tile : tiles) {
    Span life = lives.at(tile);
    const void *place = places.getLeaderValue(tile.getAsOpaquePointer());
    auto &[span, size] = taken.try_emplace(place, Place{life, 0}).first->second;
    span = {std::min(span.begin, life.begin), std::max(span.end, life.end)};
    if (!repeatedIn(tile))
      size = std::max(size, sizeOf(tile));
  }
  llvm::SmallVector<int64_t> changes(numbers.size() + 1, 0);
  for (auto &[place, use] : taken) {
    changes[use.span.begin] += use.size;
    changes[use.span.end + 1] -= use.size;
  }
  int64_t held = 0, most = 0;
  for (int64_t change : changes)
    most = std::max(most, held += change);
  return most;
}
