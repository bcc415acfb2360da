// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions between formats (arithmetic, 4.22 to 4.28). Floats and integers are first converted
// to f32 or f64, exactly or rounded to odd, and then rounded once.

#include "tilewright/elementwise/ArithmeticParts.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

#include <cmath>

using namespace tilewright;
using namespace tilewright::elementwise;
namespace arith = mlir::arith;
using numerics::Format;
using numerics::RoundingMode;

//===-- Float to float ----------------------------------------------------------------------===//

/// Converts an f32 (rounded to odd if it is inexact) to tf32. The bits that tf32 lacks are dropped,
/// or the first of them decides the rounding. A carry into the exponent gives the right result, up
/// to infinity.
static Expression toTF32(const Expression &single, RoundingMode mode) {
  const unsigned dropped = 23 - numerics::info(Format::TF32).mantissaBits;
  const int64_t half = mode == RoundingMode::NearestAway ? int64_t(1) << (dropped - 1) : 0;
  Expression rounded = (bitsOf(single) + half) & ~((int64_t(1) << dropped) - 1);
  int64_t nan = numerics::info(Format::TF32).canonicalNan << dropped;
  return asFloat(select(isNan(single), nan, rounded));
}

/// Whether every value of `from` is a value of `to`, so that nothing has to be rounded.
static bool isExact(Format from, Format to) {
  const numerics::FormatInfo &narrow = numerics::info(from), &wide = numerics::info(to);
  return narrow.mantissaBits <= wide.mantissaBits &&
         narrow.minExponent() - narrow.mantissaBits >= wide.minExponent() - wide.mantissaBits &&
         narrow.maxExponent() <= wide.maxExponent();
}

static Expression emitFloatToFloat(tile::FToFOp op, Operands in) {
  Format from = tile::formatOfTile(op.getFrom()), to = tile::formatOfTile(op.getTo());
  RoundingMode mode = tile::modeOf(op.getRoundingMode());
  bool isNearest = mode == RoundingMode::NearestEven || isExact(from, to);
  if (from == Format::F64 && to == Format::F32 && isNearest)
    return toF32(in[0]);
  Expression single = from == Format::F64 ? oddSingle(in[0]) : widen(from, in[0]);
  if (to == Format::F64)
    return toF64(single);
  if (isNearest || to == Format::F8E8M0FNU)
    return narrow(to, single, isNearest ? RoundingMode::NearestEven : mode);
  if (to == Format::TF32)
    return toTF32(single, mode);
  Expression rounded = roundDirected({to, mode}, from == Format::F64 ? in[0] : toF64(single));
  return to == Format::F32 ? rounded : canonicalWhereNan(to, single, rounded);
}

//===-- Float to integer --------------------------------------------------------------------===//

/// True unless the value is zero; true for NaN (docs/decisions/float-to-i1.md).
static Expression emitFloatToBool(const Expression &value) {
  return compare(FloatPredicate::UNE, value, value.constant(0));
}

/// A signed i1 holds -1 and 0, an unsigned one 0 and 1.
static Expression emitSaturatedBool(tile::Signedness signedness, const Expression &value) {
  return signedness == tile::Signedness::Signed
             ? compare(FloatPredicate::OLE, value, value.constant(-1))
             : compare(FloatPredicate::OGE, value, value.constant(1));
}

/// The truncated number if the value is between the two bounds of the range, which are floats;
/// otherwise the integer at that bound. A NaN gives 0.
static Expression saturated(unsigned bits, bool isSigned, const Expression &value,
                            const Expression &truncated) {
  double upper = std::ldexp(1.0, isSigned ? bits - 1 : bits);
  uint64_t all = bits == 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
  uint64_t least = isSigned ? uint64_t(1) << (bits - 1) : 0;
  Expression low = unsignedTo(bits, truncated);
  Expression number = select(isNan(value), 0, low);
  number = select(less(value, value.constant(upper)) | isNan(value), number, int64_t(all ^ least));
  double lower = isSigned ? -upper : 0.0;
  return select(less(value.constant(lower), value) | isNan(value), number, int64_t(least));
}

/// Processors convert to 32 and 64 bits; a number that fits into fewer bits is in the low ones. The
/// result for a number that does not fit is undefined, but frozen, so that LLVM draws no
/// conclusions from it.
static Expression emitFloatToInt(tile::FToIOp op, Operands in) {
  Format from = tile::formatOfTile(op.getFrom()), to = tile::formatOfTile(op.getTo());
  Expression value = from == Format::F64 ? in[0] : widen(from, in[0]);
  if (to == Format::I1)
    return op.getSaturating() ? emitSaturatedBool(op.getSignedness(), value)
                              : emitFloatToBool(value);
  unsigned bits = numerics::info(to).bits;
  mlir::Type wide = value.intType(std::max(bits, 32u));
  bool isSigned = op.getSignedness() == tile::Signedness::Signed || bits < 32;
  Expression integer =
      isSigned ? value.convert<arith::FPToSIOp>(wide) : value.convert<arith::FPToUIOp>(wide);
  Expression number = integer.apply<mlir::LLVM::FreezeOp>();
  return op.getSaturating()
             ? saturated(bits, op.getSignedness() == tile::Signedness::Signed, value, number)
             : unsignedTo(bits, number);
}

//===-- Integer to float --------------------------------------------------------------------===//

static Expression machineFloat(const Expression &integer, bool isSigned, mlir::Type type) {
  return isSigned ? integer.convert<arith::SIToFPOp>(type) : integer.convert<arith::UIToFPOp>(type);
}

/// A 64-bit integer as two halves that are exact in f64, and the error of their sum.
static Inexact asDouble(const Expression &integer, bool isSigned) {
  Expression upperBits = signedTo(32, integer >> 32), lowerBits = signedTo(32, integer);
  Expression upper = machineFloat(upperBits, isSigned, integer.f64Type()) * 0x1p32;
  Expression lower = machineFloat(lowerBits, false, integer.f64Type());
  Expression sum = upper + lower;
  return {sum, lower - (sum - upper)};
}

/// The f32 that rounds to the same element as the integer.
static Expression asSingle(Format to, const Expression &integer, bool isSigned) {
  if (integer.width() <= 16)
    return machineFloat(integer, isSigned, integer.f32Type());
  if (numerics::info(to).maxExponent() <= 16) {
    // All values from 2^17 on overflow, as 2^17 does.
    const int64_t beyond = 1 << 17;
    Expression upper = integer.constant(beyond), lower = integer.constant(-beyond);
    Expression clamped = isSigned
                             ? integer.apply<arith::MinSIOp>(upper).apply<arith::MaxSIOp>(lower)
                             : integer.apply<arith::MinUIOp>(upper);
    return machineFloat(signedTo(32, clamped), true, integer.f32Type());
  }
  if (integer.width() == 32)
    return oddSingle(machineFloat(integer, isSigned, integer.f64Type()));
  return oddSingle(asDouble(integer, isSigned));
}

static Expression emitIntToFloat(tile::IToFOp op, Operands in) {
  Format to = tile::formatOfTile(op.getTo());
  bool isSigned = op.getSignedness() == tile::Signedness::Signed;
  if (to == Format::F32 || to == Format::F64)
    return machineFloat(in[0], isSigned, to == Format::F32 ? in[0].f32Type() : in[0].f64Type());
  return narrow(to, asSingle(to, in[0], isSigned));
}

//===-- Bits --------------------------------------------------------------------------------===//

/// Only f32 and f64 differ from the integer of their width in register form.
static Expression emitBitcast(tile::BitcastOp op, const Expression &source) {
  mlir::Type type = source.shaped(registerType(op.getType().getElementType()));
  return type == source.type() ? source : source.convert<arith::BitcastOp>(type);
}

static Expression emitExtension(tile::ExtIOp op, const Expression &source) {
  unsigned bits = numerics::info(tile::formatOfTile(op.getTo())).bits;
  return op.getSignedness() == tile::Signedness::Signed ? signedTo(bits, source)
                                                        : unsignedTo(bits, source);
}

static constexpr Cases cases{
    [](tile::FToFOp convert, Operands in) { return emitFloatToFloat(convert, in); },
    [](tile::FToIOp convert, Operands in) { return emitFloatToInt(convert, in); },
    [](tile::IToFOp convert, Operands in) { return emitIntToFloat(convert, in); },
    [](tile::BitcastOp cast, Operands in) { return emitBitcast(cast, in[0]); },
    [](tile::ExtIOp extend, Operands in) { return emitExtension(extend, in[0]); },
    [](tile::TruncIOp truncate, Operands in) {
      return unsignedTo(numerics::info(tile::formatOfTile(truncate.getTo())).bits, in[0]);
    },
    // Pointers are plain addresses in register form, whatever they point to.
    [](tile::IntToPtrOp, Operands in) { return in[0]; },
    [](tile::PtrToIntOp, Operands in) { return in[0]; },
    [](tile::PtrToPtrOp, Operands in) { return in[0]; },
};

using Operations = Chapter<
#define GET_OP_LIST
#include "tilewright/tile/ops/Conversion.cpp.inc"
    >;

std::optional<Expression> elementwise::emitConversion(mlir::Operation *op, Operands in) {
  return Operations::emit(op, in, cases);
}
