// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ArithmeticFormats.h. The parameters of the formats come from the table in `numerics`.

#include "tilewright/elementwise/ArithmeticFormats.h"
#include "tilewright/elementwise/Instructions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cmath>

using namespace tilewright;
using namespace tilewright::elementwise;
using numerics::Format;
using numerics::FormatInfo;
using numerics::RoundingMode;

// The parameters of f32, of which the patterns below are made.
static constexpr unsigned mantissaBits = 23;
static constexpr int bias = 127;
static constexpr uint32_t infinityBits = 0x7F800000, nanBits = 0x7FC00000;

//===-- Reading -----------------------------------------------------------------------------===//

/// Reads a 16-bit pattern with the instruction that reads f16.
static Expression readHalf(const Expression &pattern) {
  mlir::Type half = pattern.shaped(mlir::Float16Type::get(pattern.type().getContext()));
  return pattern.convert<mlir::arith::BitcastOp>(half).convert<mlir::arith::ExtFOp>(
      pattern.f32Type());
}

/// The pattern without its sign, shifted to the exponent and mantissa of f32.
static Expression magnitudeInPlace(const FormatInfo &f, const Expression &pattern) {
  return unsignedTo(32, pattern & f.magnitudeMask()) << (mantissaBits - f.mantissaBits);
}

static Expression withSign(const FormatInfo &f, const Expression &pattern,
                           const Expression &magnitudeBits) {
  Expression sign = unsignedTo(32, pattern & f.signBit()) << (32 - f.bits);
  return asFloat(magnitudeBits | sign);
}

/// Moves the exponent by the difference of the biases. A subnormal gets a hidden bit that it does
/// not have, which is then subtracted. So no step produces a subnormal f32, which is slow on some
/// processors.
static Expression readByParts(const FormatInfo &f, const Expression &pattern) {
  Expression moved = magnitudeInPlace(f, pattern);
  Expression normal = moved + (int64_t(bias - f.bias) << mantissaBits);
  Expression doubled = moved + (int64_t(bias - f.bias + 1) << mantissaBits);
  Expression subnormal = bitsOf(asFloat(doubled) - std::ldexp(1.0, f.minExponent()));
  const int64_t hiddenBit = int64_t(1) << mantissaBits;
  Expression bits = select(lessUnsigned(moved, hiddenBit), subnormal, normal);
  if (f.hasNan) {
    int64_t largest = int64_t(f.largest) << (mantissaBits - f.mantissaBits);
    Expression special = f.hasInf ? moved | int64_t(infinityBits) : moved.constant(nanBits);
    bits = select(lessUnsigned(moved, largest + 1), bits, special);
  }
  return withSign(f, pattern, bits);
}

/// Reads f8E4M3FN with the instruction for f16, which has one more exponent bit. The result is too
/// small by the difference of the biases and is scaled.
static Expression readE4M3ThroughHalf(const FormatInfo &f, const Expression &pattern) {
  Expression wide = unsignedTo(16, pattern);
  Expression half = ((wide & 0x7F) << 7) | ((wide & 0x80) << 8);
  Expression value = readHalf(half) * 256.0;
  return select(isNanPattern(Format::F8E4M3FN, pattern), asFloat(bitsOf(value).constant(nanBits)),
                value);
}

/// 2^(b - 127). The smallest value is a subnormal f32, and 0xFF is NaN.
static Expression readScale(const Expression &pattern) {
  Expression wide = unsignedTo(32, pattern);
  Expression normal = wide << mantissaBits;
  Expression finite = select(equal(wide, 0), uint32_t(1) << (mantissaBits - 1), normal);
  return asFloat(select(equal(wide, 0xFF), nanBits, finite));
}

Expression elementwise::widen(Format format, const Expression &element) {
  const FormatInfo &f = numerics::info(format);
  bool readsHalf = element.place().capabilities.hasF16Conversion;
  switch (format) {
  case Format::F32:
  case Format::TF32:
    return element;
  case Format::BF16:
    return asFloat(unsignedTo(32, element) << 16);
  case Format::F16:
    return readsHalf ? readHalf(element) : readByParts(f, element);
  case Format::F8E5M2:
    // The pattern is the upper half of an f16.
    return readsHalf ? readHalf(unsignedTo(16, element) << 8) : readByParts(f, element);
  case Format::F8E4M3FN:
    return readsHalf ? readE4M3ThroughHalf(f, element) : readByParts(f, element);
  case Format::F4E2M1FN:
  case Format::F8E5M3FNU:
    return readByParts(f, element);
  case Format::F8E8M0FNU:
    return readScale(element);
  default:
    llvm_unreachable("this format has no conversion from or to f32");
  }
}

//===-- Writing -----------------------------------------------------------------------------===//

Expression elementwise::isNanPattern(Format format, const Expression &pattern) {
  const FormatInfo &f = numerics::info(format);
  uint64_t last = f.hasInf ? f.infinity() : f.largest;
  return lessUnsigned(pattern.constant(last), pattern & f.magnitudeMask());
}

Expression elementwise::canonicalWhereNan(Format format, const Expression &source,
                                          const Expression &result) {
  const FormatInfo &f = numerics::info(format);
  return select(isNan(source), f.hasNan ? f.canonicalNan : f.largest, result);
}

/// Rounds to nearest even by dropping low bits of an f32, for formats with the same exponent. A
/// carry into the exponent gives the right result, up to infinity; a NaN may become anything.
static Expression dropBits(const Expression &bits, unsigned dropped) {
  Expression lowest = (bits >> dropped) & 1;
  return bits + lowest + ((int64_t(1) << (dropped - 1)) - 1);
}

static Expression writeTF32(const Expression &single) {
  const unsigned dropped = mantissaBits - numerics::info(Format::TF32).mantissaBits;
  Expression bits = bitsOf(single);
  Expression rounded = dropBits(bits, dropped) & ~((int64_t(1) << dropped) - 1);
  int64_t nan = numerics::info(Format::TF32).canonicalNan << dropped;
  return asFloat(select(isNan(single), nan, rounded));
}

/// Rounds with the instruction for f16 or bf16.
static Expression rounded(Format format, mlir::Type type, const Expression &single) {
  Expression pattern = single.convert<mlir::arith::TruncFOp>(single.shaped(type))
                           .convert<mlir::arith::BitcastOp>(single.intType(16));
  return canonicalWhereNan(format, single, pattern);
}

static Expression writeBF16(const Expression &single) {
  if (single.place().capabilities.hasBf16Rounding)
    return rounded(Format::BF16, mlir::BFloat16Type::get(single.type().getContext()), single);
  auto byIntegers = [&] {
    Expression bits = unsignedTo(16, dropBits(bitsOf(single), 16) >> 16);
    return canonicalWhereNan(Format::BF16, single, bits);
  };
  if (std::optional<Bf16Rounding> most = bf16Rounding(single))
    return unlessRare(most->hasOthers, most->patterns,
                      [&] { return llvm::SmallVector<Expression>{byIntegers()}; })
        .front();
  return byIntegers();
}

static Expression writeHalf(const Expression &single) {
  return rounded(Format::F16, mlir::Float16Type::get(single.type().getContext()), single);
}

/// Patterns of consecutive values are consecutive. So a pattern is the number of its exponent times
/// the patterns per exponent, plus the number of units of that exponent (including the hidden bit).
/// An f32 addition computes the number of units: near a power of two that is larger by the
/// difference of the mantissa widths, the unit of f32 is the unit of the format.
static Expression writeByParts(const FormatInfo &f, const Expression &single) {
  // Clamp to the largest value to saturate, or to the value that the pattern of infinity would
  // have.
  double largest =
      std::ldexp(double((f.largest & ((1u << f.mantissaBits) - 1)) + (1u << f.mantissaBits)),
                 f.maxExponent() - f.mantissaBits);
  double limit = f.bits <= 8 ? largest : std::ldexp(1.0, f.maxExponent() + 1);
  Expression whole = magnitude(single);
  Expression clamped = select(less(whole, limit), whole, limit);

  int64_t smallest = bias + f.minExponent();
  Expression exponent = bitsOf(clamped) >> mantissaBits;
  exponent = select(lessUnsigned(exponent, smallest), smallest, exponent);
  Expression power = (exponent + (mantissaBits - f.mantissaBits)) << mantissaBits;
  Expression units = bitsOf(clamped + asFloat(power)) - power;
  Expression pattern = ((exponent - smallest) << f.mantissaBits) + units;

  unsigned width = f.bits <= 8 ? 8 : 16;
  Expression sign = (bitsOf(single) >> (32 - f.bits)) & f.signBit();
  return canonicalWhereNan(f.format, single, unsignedTo(width, pattern | sign));
}

/// The exponent, plus one if the value is rounded up to the next power of two. Values below 2^-127
/// become 2^-127 (arithmetic, 4.25).
static Expression writeScale(const Expression &single, RoundingMode rounding) {
  assert((rounding == RoundingMode::Zero || rounding == RoundingMode::PositiveInf) &&
         "the modes for f8E8M0FNU");
  Expression bits = bitsOf(magnitude(single)), exponent = bits >> mantissaBits;
  if (rounding == RoundingMode::PositiveInf) {
    const int64_t mantissa = (int64_t(1) << mantissaBits) - 1;
    Expression up = (bits + mantissa) >> mantissaBits;
    // 2^-127, with the pattern 0, lies between zero and the smallest normal f32.
    exponent = select(lessUnsigned(bits, (int64_t(1) << (mantissaBits - 1)) + 1), 0, up);
  }
  const int64_t largest = numerics::info(Format::F8E8M0FNU).largest;
  exponent = select(lessUnsigned(exponent, largest), exponent, largest);
  return canonicalWhereNan(Format::F8E8M0FNU, single, unsignedTo(8, exponent));
}

Expression elementwise::narrow(Format format, const Expression &single, RoundingMode rounding) {
  assert((rounding == RoundingMode::NearestEven || format == Format::F8E8M0FNU) &&
         "directed modes look at the nearest value");
  switch (format) {
  case Format::F32:
    return single;
  case Format::TF32:
    return writeTF32(single);
  case Format::BF16:
    return writeBF16(single);
  case Format::F16:
    if (single.place().capabilities.hasF16Conversion)
      return writeHalf(single);
    return writeByParts(numerics::info(format), single);
  case Format::F8E8M0FNU:
    return writeScale(single, rounding);
  case Format::F8E4M3FN:
  case Format::F8E5M2:
  case Format::F4E2M1FN:
  case Format::F8E5M3FNU:
    return writeByParts(numerics::info(format), single);
  default:
    llvm_unreachable("this format has no conversion from or to f32");
  }
}

Expression elementwise::flushed(const Expression &single) {
  const int64_t smallestNormal = 0x00800000, sign = 0x80000000;
  Expression bits = bitsOf(single);
  return asFloat(select(lessUnsigned(bits & ~sign, smallestNormal), bits & sign, bits));
}

//===-- Rounding to odd ---------------------------------------------------------------------===//

Inexact elementwise::twoSum(const Expression &a, const Expression &b) {
  Expression sum = a + b, bPart = sum - a, aPart = sum - bPart;
  return {sum, (a - aPart) + (b - bPart)};
}

/// `away` is the exact value minus `nearest`.
static Expression toOdd(const Expression &nearest, const Expression &away) {
  Expression bits = bitsOf(nearest);
  // A NaN here comes from an infinity, which is exact.
  Expression inexact = compare(FloatPredicate::ONE, away, away.constant(0));
  Expression even = equal(bits & 1, 0);
  Expression inward = less(away, 0) ^ less(bits, 0);
  Expression neighbour = bits + select(inward, -1, bits.constant(1));
  return asFloat(select(inexact & even, neighbour, bits));
}

Expression elementwise::odd(const Inexact &result) { return toOdd(result.value, result.rest); }

Expression elementwise::oddSingle(const Expression &value) {
  Expression nearest = toF32(value);
  return toOdd(nearest, value - toF64(nearest));
}

Expression elementwise::oddSingle(const Inexact &result) {
  Expression nearest = toF32(result.value);
  Expression away = result.value - toF64(nearest);
  return toOdd(nearest, select(equal(away, 0), result.rest, away));
}

/// Patterns of f16 and bf16 are ordered as integers after the magnitude bits of negative numbers
/// have been inverted; -0 is then below +0.
Expression elementwise::extremeOfHalves(Format format, bool larger, bool propagateNan,
                                        const Expression &a, const Expression &b) {
  auto rank = [](const Expression &pattern) {
    Expression sign = pattern.apply<mlir::arith::ShRSIOp>(pattern.constant(15));
    return pattern ^ (sign & 0x7FFF);
  };
  Expression number = select(less(rank(a), rank(b)), larger ? b : a, larger ? a : b);
  Expression aIsNan = isNanPattern(format, a), bIsNan = isNanPattern(format, b);
  const uint64_t nan = numerics::info(format).canonicalNan;
  if (propagateNan)
    return select(aIsNan | bIsNan, nan, number);
  return select(aIsNan, select(bIsNan, nan, b), select(bIsNan, a, number));
}

// ===-- Entry points for other rooms --------------------------------------------------------===//

mlir::Value elementwise::extremeOfHalves(mlir::OpBuilder &builder, mlir::Location loc,
                                         const Capabilities &capabilities, Format format,
                                         bool larger, mlir::Value a, mlir::Value b) {
  Emitter emitter{builder, loc, capabilities};
  return extremeOfHalves(format, larger, /*propagateNan=*/false, Expression(emitter, a),
                         Expression(emitter, b));
}

mlir::Value elementwise::quieted(mlir::OpBuilder &builder, mlir::Location loc,
                                 const Capabilities &capabilities, mlir::Value x) {
  Emitter emitter{builder, loc, capabilities};
  return quieted(Expression(emitter, x));
}

mlir::Value elementwise::extremeOfQuiet(mlir::OpBuilder &builder, mlir::Location loc,
                                        const Capabilities &capabilities, bool larger,
                                        mlir::Value a, mlir::Value b) {
  Emitter emitter{builder, loc, capabilities};
  return extremeOfQuiet(larger, Expression(emitter, a), Expression(emitter, b));
}

mlir::Value elementwise::widen(mlir::OpBuilder &builder, mlir::Location loc,
                               const Capabilities &capabilities, Format format,
                               mlir::Value element) {
  Emitter emitter{builder, loc, capabilities};
  return widen(format, Expression(emitter, element));
}

mlir::Value elementwise::narrow(mlir::OpBuilder &builder, mlir::Location loc,
                                const Capabilities &capabilities, Format format,
                                mlir::Value single) {
  Emitter emitter{builder, loc, capabilities};
  return narrow(format, Expression(emitter, single));
}
