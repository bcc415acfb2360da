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
    factor.type = b.getF64Type(); // a scaled element may be outside of the range of f32
  return factor;
}

/// For each element of the operand, its scale as f32.
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

/// An element of an operand in the type that it is multiplied in.
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

/// The steps of the window along k, of all lines: those of a line of lhs side by side, of rhs those
/// of a step.
void Products::writeSteps(tile::MatmulOpInterface op, const Factor &factor, Value base,
                          Value window, int64_t steps) {
  auto shape = typeOf(factor.tile).getShape();
  TileLayout layout = tiles.layoutOf(factor.tile);
  b.branch(tiles.isOwner(layout), [&] {
    tiles.forEachOwn(layout, [&](const Own &own) {
      SmallVector<Value> at = tiles.coordinatesOf(own.index, shape);
      Value k = factor.isLhs ? at.back() : at[at.size() - 2];
      Value line = factor.isLhs ? at[at.size() - 2] : at.back();
      Value batch = at.size() == 3 ? at[0] : b.i32(0);
      Value isThere = steps == factor.k ? Value() : b.isEqual(b.dividedBy(k, steps), window);
      Value step = b.modulo(k, steps);
      Value number = factor.isLhs
                         ? b.add(b.times(b.add(b.times(batch, factor.lines), line), steps), step)
                         : b.add(b.times(b.add(b.times(batch, steps), step), factor.lines), line);
      b.branch(isThere,
               [&] { b.writeWord(base, factor.type, number, elementOf(op, factor, own)); });
    });
  });
}

//===-- Sums ----------------------------------------------------------------------------------===//

/// round(lhs * rhs + sum)
Value Products::multiplyAdd(Value lhs, Value rhs, Value sum) {
  if (llvm::isa<mlir::IntegerType>(sum.getType()))
    return arith::AddIOp::create(b, sum, arith::MulIOp::create(b, lhs, rhs));
  if (lhs.getType() == sum.getType())
    return mlir::math::FmaOp::create(b, lhs, rhs, sum);
  // Scaled elements have so few bits that their product is exact in f64, and so far from the sum
  // or so close to it that adding in f64 does not disturb the rounding to f32.
  Value product = arith::MulFOp::create(b, lhs, rhs);
  Value exact = arith::AddFOp::create(b, arith::ExtFOp::create(b, lhs.getType(), sum), product);
  return arith::TruncFOp::create(b, sum.getType(), exact);
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
  auto shape = typeOf(result).getShape();
  b.forEach(0, exchange.windows, [&](Value window) {
    Value lhsBase = shared.base();
    Value rhsBase =
        b.byteOffset(lhsBase, b.i64(lhs.batches * lhs.lines * steps * wordBytes(lhs.type)));
    b.barrier();
    writeSteps(op, lhs, lhsBase, window, steps);
    writeSteps(op, rhs, rhsBase, window, steps);
    b.barrier();
    tiles.forEachOwn(layout, [&](const Own &own) {
      SmallVector<Value> at = tiles.coordinatesOf(own.index, shape);
      Value batch = at.size() == 3 ? at[0] : b.i32(0);
      Value row = b.times(b.add(b.times(batch, lhs.lines), at[at.size() - 2]), steps);
      Value column = b.add(b.times(batch, steps * rhs.lines), at.back());
      auto sum = b.carry(0, steps, tiles.read(sums, own), [&](Value step, mlir::ValueRange soFar) {
        Value left = b.readWord(lhsBase, lhs.type, b.add(row, step));
        Value right = b.readWord(rhsBase, rhs.type, b.add(column, b.times(step, rhs.lines)));
        return SmallVector<Value>{multiplyAdd(left, right, soFar[0])};
      });
      tiles.write(sums, own, sum[0]);
    });
  });
  tiles.forEachOwn(layout, [&](const Own &own) {
    Value sum = tiles.read(sums, own);
    tiles.write(result, own, isNarrow ? narrow(b, b.getLoc(), plan.target, format, sum) : sum);
  });
}
