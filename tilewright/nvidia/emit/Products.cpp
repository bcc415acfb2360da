// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Products.h.

#include "tilewright/nvidia/emit/Products.h"
#include "tilewright/elementwise/ArithmeticFormats.h"
#include "tilewright/elementwise/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using namespace tilewright::elementwise;
using llvm::SmallVector;
using mlir::Value;
using numerics::Format;
namespace arith = mlir::arith;

static tile::TileType typeOf(Value value) { return llvm::cast<tile::TileType>(value.getType()); }
static Format formatOf(Value value) { return *tile::formatOf(typeOf(value).getElementType()); }

/// The bits of successive slots, from slot 0 on.
static SmallVector<unsigned> lowestBits(int64_t slots) {
  return llvm::to_vector(llvm::seq<unsigned>(0, llvm::Log2_64(slots)));
}

//===-- Operands ------------------------------------------------------------------------------===//

Products::Factor Products::factorOf(tile::MatmulOpInterface op, bool isLhs) {
  Value value = isLhs ? op.getLhs() : op.getRhs();
  auto shape = typeOf(value).getShape();
  size_t rank = shape.size();
  int64_t rows = shape[rank - 2], columns = shape[rank - 1];
  Factor factor{value,
                isLhs,
                rank == 3 ? shape[0] : 1,
                isLhs ? rows : columns,
                isLhs ? columns : rows,
                b.getF32Type(),
                std::nullopt};
  if (llvm::isa<tile::MmaIOp>(op.getOperation()))
    factor.type = b.getI32Type();
  else if (llvm::isa<tile::MmaFScaledOp>(op.getOperation()) || formatOf(op.getAcc()) == Format::F64)
    factor.type = b.getF64Type(); // a scaled element may exceed the range of f32
  return factor;
}

/// The number of elements in shared memory that one access covers, up to 16 bytes.
int64_t Products::widestAccess(const Factor &factor, int64_t along) {
  return std::min(along, 16 / wordBytes(factor.type));
}

/// The scale of each element of the operand, as f32.
Home Products::spreadScales(const Factor &factor, Value scales, int64_t bytes) {
  auto shape = typeOf(factor.tile).getShape(), scaleShape = typeOf(scales).getShape();
  TileLayout layout = tiles.layoutOf(factor.tile);
  Home home = tiles.newHome(b.getF32Type(), layout);
  size_t rank = shape.size();
  int64_t block = factor.k / (factor.isLhs ? scaleShape[rank - 1] : scaleShape[rank - 2]);
  auto number = [&](const Own &own) {
    SmallVector<Value> at = tiles.coordinatesOf(own.index, shape);
    Value &along = factor.isLhs ? at[rank - 1] : at[rank - 2];
    along = b.dividedBy(along, block);
    Value number = b.i32(0);
    for (auto [coordinate, extent] : llvm::zip_equal(at, scaleShape))
      number = b.add(b.times(number, extent), coordinate);
    return number;
  };
  auto receive = [&](const Own &own, Value scale) {
    tiles.write(home, own, widen(b, b.getLoc(), plan.target, formatOf(scales), scale));
  };
  shared.gather(scales, {{layout, number, receive}}, bytes);
  return home;
}

/// An element of an operand in the type in which it is multiplied.
Value Products::elementOf(tile::MatmulOpInterface op, const Factor &factor, const Own &own) {
  Value element = tiles.read(factor.tile, own);
  if (auto integers = llvm::dyn_cast<tile::MmaIOp>(op.getOperation())) {
    tile::Signedness sign =
        factor.isLhs ? integers.getSignednessLhs() : integers.getSignednessRhs();
    if (sign == tile::Signedness::Signed)
      return arith::ExtSIOp::create(b, factor.type, element);
    return arith::ExtUIOp::create(b, factor.type, element);
  }
  if (element.getType().isF64())
    return element;
  Value single = widen(b, b.getLoc(), plan.target, formatOf(factor.tile), element);
  if (!factor.scales)
    return single;
  Value wide = arith::ExtFOp::create(b, factor.type, single);
  Value scale = arith::ExtFOp::create(b, factor.type, tiles.read(*factor.scales, own));
  return arith::MulFOp::create(b, wide, scale);
}

/// Writes the steps of the chunk along k, for all lines: for lhs, the steps of a line are
/// contiguous; for rhs, the lines of a step. Elements that are adjacent both in the thread and
/// there are written together.
void Products::writeSteps(tile::MatmulOpInterface op, const Factor &factor, Value base,
                          Value window, int64_t steps) {
  auto shape = typeOf(factor.tile).getShape();
  TileLayout layout = tiles.layoutOf(factor.tile);
  int64_t along = factor.isLhs ? steps : factor.lines;
  int64_t width = layout.step() == 1 && !isRecomputed(factor.tile)
                      ? std::min(layout.width(), widestAccess(factor, along))
                      : 1;
  b.branch(tiles.isOwner(layout), [&] {
    tiles.forEachTogether(layout, lowestBits(width), [&](llvm::ArrayRef<Own> together) {
      SmallVector<Value> at = tiles.coordinatesOf(together.front().index, shape);
      Value k = factor.isLhs ? at.back() : at[at.size() - 2];
      Value line = factor.isLhs ? at[at.size() - 2] : at.back();
      Value batch = at.size() == 3 ? at[0] : b.i32(0);
      Value isThere = steps == factor.k ? Value() : b.isEqual(b.dividedBy(k, steps), window);
      b.branch(isThere, [&] {
        auto words = llvm::map_to_vector(together, [&](const Own &own) {
          return toWord(b, b.getLoc(), elementOf(op, factor, own));
        });
        b.writeWords(placeOf(factor, base, batch, line, b.modulo(k, steps), steps), words);
      });
    });
  });
}

Value Products::placeOf(const Factor &factor, Value base, Value batch, Value line, Value step,
                        int64_t steps) {
  Value number = factor.isLhs
                     ? b.add(b.times(b.add(b.times(batch, factor.lines), line), steps), step)
                     : b.add(b.times(b.add(b.times(batch, steps), step), factor.lines), line);
  return b.byteOffset(base, b.times(number, wordBytes(factor.type)));
}

//===-- Accumulators --------------------------------------------------------------------------===//

/// round(lhs * rhs + sum)
Value Products::multiplyAdd(Value lhs, Value rhs, Value sum) {
  if (llvm::isa<mlir::IntegerType>(sum.getType()))
    return arith::AddIOp::create(b, sum, arith::MulIOp::create(b, lhs, rhs));
  if (lhs.getType() == sum.getType())
    return mlir::math::FmaOp::create(b, lhs, rhs, sum);
  // The product of two scaled elements is exact in f64, and either so far from or so close to the
  // accumulator that adding in f64 does not affect the rounding to f32.
  Value product = arith::MulFOp::create(b, lhs, rhs);
  Value exact = arith::AddFOp::create(b, arith::ExtFOp::create(b, lhs.getType(), sum), product);
  return arith::TruncFOp::create(b, sum.getType(), exact);
}

/// Adds the steps of the chunk to some accumulators of the thread: line by line of lhs, each with
/// all columns. A line or column that several accumulators need is read once.
SmallVector<Value> Products::addSteps(const Block &block, llvm::ArrayRef<Own> together,
                                      mlir::ValueRange soFar, Value first) {
  const auto &[lhs, rhs, shape, layout, lhsBase, rhsBase, steps] = block;
  int64_t columns = shape.back(), rows = shape[shape.size() - 2];
  int64_t unrolled = widestAccess(lhs, steps);
  int64_t width =
      layout.step() == 1
          ? std::min({layout.width(), widestAccess(rhs, columns), int64_t(together.size())})
          : 1;
  auto read = [&](const Factor &factor, Value base, const Own &own, Value step, int64_t count) {
    SmallVector<Value> at = tiles.coordinatesOf(own.index, shape);
    Value batch = at.size() == 3 ? at[0] : b.i32(0);
    Value line = factor.isLhs ? at[at.size() - 2] : at.back();
    auto words =
        b.readWords(placeOf(factor, base, batch, line, step, steps), wordType(factor.type), count);
    return llvm::map_to_vector(
        words, [&](Value word) { return fromMemory(b, b.getLoc(), word, factor.type); });
  };
  SmallVector<Value> sums(soFar);
  llvm::MapVector<int64_t, SmallVector<Value>> left;        // by line: its steps
  llvm::DenseMap<std::pair<int64_t, int64_t>, Value> right; // by step and column
  for (auto [slot, own] : llvm::enumerate(together)) {
    int64_t index = layout.indexOf(0, slot), column = index % columns;
    int64_t line = index / columns, batch = line / rows;
    SmallVector<Value> &values = left[line];
    if (values.empty())
      values = read(lhs, lhsBase, own, first, unrolled);
    for (int64_t step = 0; step < unrolled; ++step) {
      Value &value = right[{step, batch * columns + column}];
      if (!value) {
        auto some = read(rhs, rhsBase, own, b.add(first, b.i32(step)), width);
        for (auto [number, one] : llvm::enumerate(some))
          right[{step, batch * columns + column + int64_t(number)}] = one;
      }
      sums[slot] =
          multiplyAdd(values[step], right.at({step, batch * columns + column}), sums[slot]);
    }
  }
  return sums;
}

void Products::emit(tile::MatmulOpInterface op) {
  const Exchange &exchange = *plan.exchangeOf(op);
  Factor lhs = factorOf(op, true), rhs = factorOf(op, false);
  if (auto scaled = llvm::dyn_cast<tile::MmaFScaledOp>(op.getOperation())) {
    lhs.scales = spreadScales(lhs, scaled.getLhsScale(), exchange.bytes);
    rhs.scales = spreadScales(rhs, scaled.getRhsScale(), exchange.bytes);
  }
  Value acc = op.getAcc(), result = op->getResult(0);
  TileLayout layout = tiles.layoutOf(result);
  Format format = formatOf(acc);
  bool isNarrow = format == Format::F16 || format == Format::BF16;
  mlir::Type sumType = llvm::isa<tile::MmaFScaledOp>(op.getOperation()) ? b.getF32Type() : lhs.type;
  Home sums = tiles.newHome(sumType, layout);
  tiles.forEachOwn(layout, [&](const Own &own) {
    Value start = tiles.read(acc, own);
    tiles.write(sums, own, isNarrow ? widen(b, b.getLoc(), plan.target, format, start) : start);
  });
  int64_t steps = exchange.window;
  const int64_t most = std::max<int64_t>(1, plan.target.tuning.mostUnrolledElements);
  int64_t together = std::min<int64_t>(layout.slots(), llvm::bit_floor(uint64_t(most)));
  Value thread = tiles.thread;
  b.forEach(0, exchange.windows, [&](Value window) {
    if (exchange.windows > 1)
      tiles.beginAnew(thread);
    // Elements of lhs that are accessed together are steps; rhs has all steps, so they are aligned.
    Value rhsBase = shared.base();
    Value lhsBase =
        b.byteOffset(rhsBase, b.i64(rhs.batches * rhs.lines * steps * wordBytes(rhs.type)));
    b.barrier();
    writeSteps(op, lhs, lhsBase, window, steps);
    writeSteps(op, rhs, rhsBase, window, steps);
    b.barrier();
    Block block{lhs, rhs, typeOf(result).getShape(), layout, lhsBase, rhsBase, steps};
    tiles.forEachTogether(layout, lowestBits(together), [&](llvm::ArrayRef<Own> some) {
      auto before =
          llvm::map_to_vector(some, [&](const Own &own) { return tiles.read(sums, own); });
      int64_t unrolled = widestAccess(lhs, steps);
      auto after = b.carry(0, steps / unrolled, before, [&](Value round, mlir::ValueRange soFar) {
        return addSteps(block, some, soFar, b.times(round, unrolled));
      });
      for (auto [own, sum] : llvm::zip_equal(some, after))
        tiles.write(sums, own, sum);
    });
  });
  if (exchange.windows > 1)
    tiles.beginAnew(thread);
  tiles.forEachOwn(layout, [&](const Own &own) {
    Value sum = tiles.read(sums, own);
    tiles.write(result, own, isNarrow ? narrow(b, b.getLoc(), plan.target, format, sum) : sum);
  });
}
