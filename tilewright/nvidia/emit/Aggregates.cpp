// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Aggregates.h.

#include "tilewright/nvidia/emit/Aggregates.h"
#include "tilewright/elementwise/Elements.h"
#include "tilewright/elementwise/Literals.h"
#include "tilewright/support/Shape.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using namespace tilewright::elementwise;
using llvm::SmallVector;
using mlir::Value;
namespace arith = mlir::arith;

static mlir::Type elementTypeOf(Value value) {
  return llvm::cast<tile::TileType>(value.getType()).getElementType();
}

//===-- The body ------------------------------------------------------------------------------===//

/// Bodies may contain any pure operation (operations, 4.11), except those that Legality refuses.
SmallVector<Value> Aggregates::combine(mlir::Block &body, mlir::ValueRange elements,
                                       mlir::ValueRange accumulators) {
  for (size_t k = 0; k < elements.size(); ++k) {
    tiles.define(body.getArgument(2 * k), elements[k]);
    tiles.define(body.getArgument(2 * k + 1), accumulators[k]);
  }
  for (mlir::Operation &op : body.without_terminator())
    operations.emit(&op);
  return tiles.scalars.among(body.getTerminator()->getOperands());
}

//===-- reduce --------------------------------------------------------------------------------===//

Aggregates::Level Aggregates::newLevel(const Level &like, const TileLayout &layout) {
  Level level;
  for (const Home &home : like)
    level.push_back(tiles.newHome(home.elementType, layout));
  return level;
}

/// The number with this bit replaced.
static Value withBit(ThreadBuilder &b, Value number, unsigned place, int64_t bit) {
  int64_t power = int64_t(1) << place;
  Value above = b.times(b.dividedBy(number, power), 2 * power);
  return b.add(b.add(above, b.modulo(number, power)), b.i32(bit * power));
}

void Aggregates::combineInThread(mlir::Block &body, Level &level, const ReductionStep &step) {
  TileLayout to = step.to();
  unsigned place = step.from.digits[step.bits[0]].bit;
  Level next = newLevel(level, to);
  tiles.forEachOwn(to, [&](const Own &own) {
    SmallVector<Value> earlier, later;
    for (const Home &home : level) {
      earlier.push_back(tiles.read(home, {withBit(b, own.slot, place, 0), {}}));
      later.push_back(tiles.read(home, {withBit(b, own.slot, place, 1), {}}));
    }
    for (auto [home, value] : llvm::zip_equal(next, combine(body, later, earlier)))
      tiles.write(home, own, value);
  });
  level = next;
}

void Aggregates::combineLanes(mlir::Block &body, Level &level, const ReductionStep &step) {
  TileLayout to = step.to();
  int64_t lane = int64_t(1) << step.from.digits[step.bits[0]].bit;
  Value isEarlier = b.isEqual(b.modulo(b.dividedBy(tiles.thread, lane), 2), b.i32(0));
  Level next = newLevel(level, to);
  tiles.forEachOwn(to, [&](const Own &own) {
    SmallVector<Value> earlier, later;
    for (const Home &home : level) {
      Value mine = tiles.read(home, own);
      Value others = fromWord(b, b.getLoc(), b.ofOtherLane(toWord(b, b.getLoc(), mine), lane),
                              home.elementType);
      earlier.push_back(b.select(isEarlier, mine, others));
      later.push_back(b.select(isEarlier, others, mine));
    }
    for (auto [home, value] : llvm::zip_equal(next, combine(body, later, earlier)))
      tiles.write(home, own, value);
  });
  level = next;
}

void Aggregates::combineWarps(mlir::Block &body, Level &level, const ReductionStep &step,
                              int64_t bytes) {
  TileLayout to = step.to();
  int64_t count = int64_t(1) << step.bits.size();
  SmallVector<Level> parts; // for each combination of the bits
  for (int64_t part = 0; part < count; ++part)
    parts.push_back(newLevel(level, to));
  for (auto [operand, home] : llvm::enumerate(level)) {
    auto element = [&, &home = home](const Own &own) { return tiles.read(home, own); };
    SmallVector<std::function<Value(const Own &)>> numbers;
    SmallVector<std::function<void(const Own &, Value)>> receivers;
    for (int64_t part = 0; part < count; ++part) {
      numbers.push_back([&, part](const Own &own) {
        Value number = own.index;
        for (auto [at, bit] : llvm::enumerate(step.bits))
          number = withBit(b, number, bit, (part >> at) & 1);
        return number;
      });
      receivers.push_back([&, part, operand = operand](const Own &own, Value value) {
        tiles.write(parts[part][operand], own, value);
      });
    }
    SmallVector<int> sourceBits;
    for (unsigned bit = 0; bit < step.from.digits.size(); ++bit)
      if (!llvm::is_contained(step.bits, bit))
        sourceBits.push_back(bit);
    SmallVector<Wanted> wanted;
    for (int64_t part = 0; part < count; ++part)
      wanted.push_back({to, numbers[part], receivers[part], nullptr, sourceBits});
    shared.exchange({step.from, home.elementType, element}, wanted, bytes);
  }
  tiles.forEachOwn(to, [&](const Own &own) {
    for (int64_t left = count; left > 1; left /= 2)
      for (int64_t pair = 0; pair < left / 2; ++pair) {
        auto valuesOf = [&](int64_t part) {
          return llvm::map_to_vector(parts[part],
                                     [&](const Home &home) { return tiles.read(home, own); });
        };
        SmallVector<Value> earlier = valuesOf(2 * pair), later = valuesOf(2 * pair + 1);
        for (auto [home, value] : llvm::zip_equal(parts[pair], combine(body, later, earlier)))
          tiles.write(home, own, value);
      }
  });
  level = parts[0];
}

void Aggregates::emit(tile::ReduceOp op) {
  TileLayout layout = layoutOfReduced(plan, op);
  Level level;
  for (Value operand : op.getOperands()) {
    if (!isRecomputed(operand)) {
      level.push_back(tiles.homeOf(operand));
      continue;
    }
    Home home = tiles.newHome(elementTypeOf(operand), layout);
    tiles.forEachOwn(layout,
                     [&](const Own &own) { tiles.write(home, own, tiles.read(operand, own)); });
    level.push_back(home);
  }
  const Exchange *exchange = plan.exchangeOf(op);
  int64_t bytes = exchange ? exchange->bytes : 0;
  mlir::Block &body = op.getBody().front();
  for (const ReductionStep &step : stepsOf(plan, op)) {
    if (step.kind == ReductionStep::InThread)
      combineInThread(body, level, step);
    else if (step.kind == ReductionStep::AcrossLanes)
      combineLanes(body, level, step);
    else
      combineWarps(body, level, step, bytes);
    layout = step.to();
  }
  for (auto [home, result] : llvm::zip_equal(level, op.getResults())) {
    auto element = [&, &home = home](const Own &own) { return tiles.read(home, own); };
    auto receive = [&, result = result](const Own &own, Value value) {
      tiles.write(result, own, value);
    };
    TileLayout wanted = tiles.layoutOf(result);
    if (wanted == layout)
      tiles.forEachOwn(layout, [&](const Own &own) { receive(own, element(own)); });
    else
      shared.exchange({layout, home.elementType, element}, {{wanted, nullptr, receive}}, bytes);
  }
}

//===-- scan ----------------------------------------------------------------------------------===//

/// Scans rows in one chunk of shared memory, each by one thread. A row longer than the chunk
/// continues where the previous chunk ended.
void Aggregates::scanWindow(tile::ScanOp op, Value window, int64_t size,
                            llvm::ArrayRef<Value> bases, llvm::ArrayRef<Home> carried) {
  auto shape = llvm::cast<tile::TileType>(op.getOperands()[0].getType()).getShape();
  int64_t extent = shape[op.getDim()], length = std::min(extent, size), rows = size / length;
  mlir::Block &body = op.getBody().front();
  auto elementType = [&](size_t k) { return elementTypeOf(op.getOperands()[k]); };
  Own only{b.i32(0), b.i32(0)};
  auto bits = llvm::to_vector(llvm::seq<unsigned>(0, llvm::Log2_64(rows)));
  auto rowsOfThreads = TileLayout::blocked(bits, plan.threads, /*width=*/1, plan.target.tuning);
  b.branch(tiles.isOwner(rowsOfThreads), [&] {
    b.forEach(0, rowsOfThreads.slots(), [&](Value slot) {
      Value row = b.add(b.times(slot, plan.threads), tiles.thread);
      Value isFirst =
          length == extent ? Value() : b.isEqual(b.modulo(window, extent / length), b.i32(0));
      SmallVector<Value> sums;
      for (size_t k = 0; k < bases.size(); ++k) {
        Value identity =
            b.constantElement(elementType(k), identityBits(op.getIdentities()[k], elementType(k)));
        sums.push_back(isFirst ? b.select(isFirst, identity, tiles.read(carried[k], only))
                               : identity);
      }
      sums = b.carry(0, length, sums, [&](Value at, mlir::ValueRange soFar) {
        Value number = b.add(b.times(row, length), at);
        SmallVector<Value> elements;
        for (size_t k = 0; k < bases.size(); ++k)
          elements.push_back(b.readWord(bases[k], elementType(k), number));
        SmallVector<Value> next = combine(body, elements, soFar);
        for (size_t k = 0; k < bases.size(); ++k)
          b.writeWord(bases[k], elementType(k), number, next[k]);
        return next;
      });
      if (isFirst)
        for (auto [home, sum] : llvm::zip_equal(carried, sums))
          tiles.write(home, only, sum);
    });
  });
}

void Aggregates::emit(tile::ScanOp op) {
  auto shape = llvm::cast<tile::TileType>(op.getOperands()[0].getType()).getShape();
  int64_t extent = shape[op.getDim()], run = support::strideOf(shape, op.getDim());
  const Exchange &exchange = *plan.exchangeOf(op);
  TileLayout layout = tiles.layoutOf(op.getResults()[0]);
  // Numbers elements in scan order, row by row.
  auto numberOf = [&](const Own &own) {
    Value inner = b.modulo(own.index, run), rest = b.dividedBy(own.index, run);
    Value at = b.modulo(rest, extent), outer = b.dividedBy(rest, extent);
    if (op.getReverse())
      at = arith::SubIOp::create(b, b.i32(extent - 1), at);
    return b.add(b.times(b.add(b.times(outer, run), inner), extent), at);
  };
  SmallVector<Home> carried;
  for (Value operand : op.getOperands())
    carried.push_back(tiles.newHome(elementTypeOf(operand), plan.layoutOf(1)));
  Own only{b.i32(0), b.i32(0)};
  for (const Home &home : carried)
    tiles.write(home, only, b.constantElement(home.elementType, 0));

  b.forEach(0, exchange.windows, [&](Value window) {
    b.barrier();
    SmallVector<Value> bases;
    int64_t offset = 0;
    for (Value operand : op.getOperands()) {
      bases.push_back(b.byteOffset(shared.base(), b.i64(offset)));
      auto element = [&](const Own &own) { return tiles.read(operand, own); };
      shared.writeWindow({layout, elementTypeOf(operand), element, numberOf}, bases.back(), window,
                         exchange.window, exchange.windows);
      offset += llvm::alignTo(exchange.window * wordBytes(elementTypeOf(operand)), 8);
    }
    b.barrier();
    scanWindow(op, window, exchange.window, bases, carried);
    b.barrier();
    tiles.forEachOwn(layout, [&](const Own &own) {
      Value number = numberOf(own);
      Value isThere =
          exchange.windows == 1 ? Value() : b.isEqual(b.dividedBy(number, exchange.window), window);
      b.branch(isThere, [&] {
        for (auto [base, result] : llvm::zip_equal(bases, op.getResults()))
          tiles.write(result, own,
                      b.readWord(base, elementTypeOf(result), b.modulo(number, exchange.window)));
      });
    });
  });
}
