// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See BlockScales.h.

#include "tilewright/nvidia/emit/BlockScales.h"
#include "tilewright/elementwise/ArithmeticFormats.h"
#include "tilewright/elementwise/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using mlir::Value;
using numerics::Format;
namespace arith = mlir::arith;

static tile::TileType typeOf(Value value) { return llvm::cast<tile::TileType>(value.getType()); }

static Value scalesOf(tile::MmaFScaledOp op, bool isLhs) {
  return isLhs ? op.getLhsScale() : op.getRhsScale();
}

/// Scales of lhs follow the operands in the memory of exchanges, then those of rhs.
Value BlockScales::baseOf(tile::MmaFScaledOp op, bool isLhs) {
  const int64_t first = plan.exchangeOf(op)->bytes - plan.matrices.find(op)->second.scaleBytes();
  const int64_t offset = first + (isLhs ? 0 : elementCountOf(op.getLhsScale()));
  return b.byteOffset(shared.base(), b.i32(offset));
}

void BlockScales::write(tile::MmaFScaledOp op) {
  b.barrier();
  for (bool isLhs : {true, false}) {
    Value scales = scalesOf(op, isLhs);
    auto element = [&](const Own &own) { return tiles.read(scales, own); };
    const Given given{tiles.layoutOf(scales), typeOf(scales).getElementType(), element};
    shared.writeWindow(given, baseOf(op, isLhs), b.i32(0), elementCountOf(scales), 1);
  }
}

//===-- Powers of two -------------------------------------------------------------------------===//

/// 2^floor((bits - 127) / 2), or rounded up.
static Value rootOf(ThreadBuilder &b, Value bits, bool isRoundedUp) {
  constexpr int64_t bias = 127, mantissaBits = 23, nanBits = 0x7FC00000, nanScale = 0xFF;
  Value exponent = b.dividedBy(b.add(bits, b.i32(bias + isRoundedUp)), 2);
  Value power = b.times(exponent, int64_t(1) << mantissaBits);
  Value number = b.select(b.isEqual(bits, b.i32(nanScale)), b.i32(nanBits), power);
  return arith::BitcastOp::create(b, b.getF32Type(), number);
}

/// The exponents of lhs are rounded down in the first factor, those of rhs in the second one. So
/// products of two factors have exponents from -127 to 127, and are exact.
static BlockScales::Scale powerOfTwo(ThreadBuilder &b, Value word, bool isLhs) {
  Value bits = arith::ExtUIOp::create(b, b.getI32Type(), word);
  return {rootOf(b, bits, !isLhs), rootOf(b, bits, isLhs)};
}

//===-- Scaling -------------------------------------------------------------------------------===//

Value BlockScales::read(tile::MmaFScaledOp op, bool isLhs, Value batch, Value line, Value block) {
  auto shape = typeOf(scalesOf(op, isLhs)).getShape();
  const int64_t rows = shape[shape.size() - 2], columns = shape.back();
  Value row = b.add(b.times(batch, rows), isLhs ? line : block);
  Value number = b.add(b.times(row, columns), isLhs ? block : line);
  return b.readWord(baseOf(op, isLhs), b.getI8Type(), number);
}

BlockScales::Scale BlockScales::read(tile::MmaFScaledOp op, bool isLhs, const Own &own,
                                     Value block) {
  Value scales = scalesOf(op, isLhs);
  const Format format = *tile::formatOf(typeOf(scales).getElementType());
  auto at = tiles.coordinatesOf(own.index, typeOf(op.getResult()).getShape());
  Value batch = at.size() == 3 ? at[0] : b.i32(0);
  Value word = read(op, isLhs, batch, isLhs ? at[at.size() - 2] : at.back(), block);
  if (format == Format::F8E8M0FNU)
    return powerOfTwo(b, word, isLhs);
  return {elementwise::widen(b, b.getLoc(), plan.target, format, word), {}};
}

/// Both products of factors are exact: those of other formats have at most eight bits.
Value BlockScales::multiplyAdd(Value sums, const Scale &lhs, const Scale &rhs, Value accumulator) {
  Value factor = arith::MulFOp::create(b, lhs.first, rhs.first);
  if (lhs.second) {
    sums = arith::MulFOp::create(b, sums, factor);
    factor = arith::MulFOp::create(b, lhs.second, rhs.second);
  }
  return mlir::math::FmaOp::create(b, sums, factor, accumulator);
}
