// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/numerics/Float.h"
#include "tilewright/numerics/Rounding.h"
#include "llvm/ADT/APFloat.h"
#include <bit>
#include <cmath>
#include <limits>

using namespace tilewright::numerics;

//===----------------------------------------------------------------------===//
// Shared steps
//===----------------------------------------------------------------------===//

Element tilewright::numerics::flush(Element value) {
  assert(value.format == Format::F32 && "flush_to_zero is for f32");
  const uint64_t sign = 0x80000000, smallestNormal = 0x00800000;
  bool subnormal = (value.bits & ~sign) < smallestNormal;
  return subnormal ? Element{value.bits & sign, Format::F32, value.poison} : value;
}

static Element flushIf(bool flushToZero, Element value) {
  return flushToZero ? flush(value) : value;
}

static Element canonical(Element value) {
  return value.isNan() ? Element::canonicalNan(value.format) : value;
}

static Element f32(float value) { return canonical(Element::fromFloat(value)); }
static Element f64(double value) { return canonical(Element::fromDouble(value)); }

static bool isBaseFloat(Format format) {
  return format == Format::F16 || format == Format::BF16 || format == Format::F32 ||
         format == Format::F64;
}

static llvm::APFloat toAPFloat(Element value) {
  const FormatInfo &f = info(value.format);
  return llvm::APFloat(semantics(value.format), llvm::APInt(f.bits, value.bits));
}

static llvm::RoundingMode toLLVM(RoundingMode mode) {
  switch (mode) {
  case RoundingMode::Zero:
    return llvm::RoundingMode::TowardZero;
  case RoundingMode::NegativeInf:
    return llvm::RoundingMode::TowardNegative;
  case RoundingMode::PositiveInf:
    return llvm::RoundingMode::TowardPositive;
  default:
    return llvm::RoundingMode::NearestTiesToEven;
  }
}

/// f64 in a directed mode. This is the only case that neither hardware arithmetic nor an f64 that
/// is rounded to odd can compute.
template <typename Op> static Element wide(Element lhs, RoundingMode mode, Op op) {
  llvm::APFloat value = toAPFloat(lhs);
  op(value, toLLVM(mode));
  return canonical({value.bitcastToAPInt().getZExtValue(), Format::F64});
}

//===----------------------------------------------------------------------===//
// Results of operations on up to 24 bits, rounded to odd in f64
//
// All such results are in the normal range of f64: operands are 0 or between 2^-149 and 2^128 in
// magnitude.
//===----------------------------------------------------------------------===//

static double oddSum(double a, double b, RoundingMode mode) {
  double sum = a + b;
  // The sign of x + -x = 0 depends on the mode; that of -0 + -0 does not.
  if (sum == 0 && (std::signbit(a) != std::signbit(b)))
    return mode == RoundingMode::NegativeInf ? -0.0 : 0.0;
  // Knuth's two-sum: the error of an addition is itself an f64.
  double bPart = sum - a, aPart = sum - bPart;
  return roundToOdd(sum, (a - aPart) + (b - bPart));
}

static double oddQuotient(double a, double b) {
  double quotient = a / b;
  if (quotient == 0 || !std::isfinite(quotient))
    return quotient;
  double remainder = std::fma(-quotient, b, a);
  return roundToOdd(quotient, std::signbit(b) ? -remainder : remainder);
}

static double oddRoot(double a) {
  double root = std::sqrt(a);
  if (root == 0 || !std::isfinite(root))
    return root;
  return roundToOdd(root, std::fma(-root, root, a));
}

/// Rounds a result in f64, itself rounded to odd, to the format of the operation.
static Element finish(double odd, Format format, RoundingMode mode, bool flushToZero) {
  return flushIf(flushToZero, round(odd, format, mode, Beyond::Ieee));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Element tilewright::numerics::addF(Element lhs, Element rhs, RoundingMode mode, bool flushToZero) {
  assert(lhs.format == rhs.format && isBaseFloat(lhs.format) && isIeee(mode));
  if (anyPoison(lhs, rhs))
    return Element::poisoned(lhs.format);
  lhs = flushIf(flushToZero, lhs);
  rhs = flushIf(flushToZero, rhs);
  bool nearest = mode == RoundingMode::NearestEven;
  if (lhs.format == Format::F32 && nearest)
    return flushIf(flushToZero, f32(lhs.asFloat() + rhs.asFloat()));
  if (lhs.format == Format::F64 && nearest)
    return f64(lhs.asDouble() + rhs.asDouble());
  if (lhs.format == Format::F64)
    return wide(lhs, mode, [&](auto &value, auto m) { value.add(toAPFloat(rhs), m); });
  return finish(oddSum(lhs.asDouble(), rhs.asDouble(), mode), lhs.format, mode, flushToZero);
}

Element tilewright::numerics::subF(Element lhs, Element rhs, RoundingMode mode, bool flushToZero) {
  return addF(lhs, negF(rhs), mode, flushToZero);
}

Element tilewright::numerics::mulF(Element lhs, Element rhs, RoundingMode mode, bool flushToZero) {
  assert(lhs.format == rhs.format && isBaseFloat(lhs.format) && isIeee(mode));
  if (anyPoison(lhs, rhs))
    return Element::poisoned(lhs.format);
  lhs = flushIf(flushToZero, lhs);
  rhs = flushIf(flushToZero, rhs);
  bool nearest = mode == RoundingMode::NearestEven;
  if (lhs.format == Format::F32 && nearest)
    return flushIf(flushToZero, f32(lhs.asFloat() * rhs.asFloat()));
  if (lhs.format == Format::F64 && nearest)
    return f64(lhs.asDouble() * rhs.asDouble());
  if (lhs.format == Format::F64)
    return wide(lhs, mode, [&](auto &value, auto m) { value.multiply(toAPFloat(rhs), m); });
  // Exact in f64.
  return finish(lhs.asDouble() * rhs.asDouble(), lhs.format, mode, flushToZero);
}

/// Whether the approximate reciprocal of the divisor underflows to zero (arithmetic, 4.15).
static bool reciprocalVanishes(Element divisor) {
  double magnitude = std::fabs(divisor.asDouble());
  return magnitude > 0x1p126 && magnitude < 0x1p128;
}

static Element timesVanished(Element lhs, Element divisor) {
  if (lhs.isNan() || lhs.isInf())
    return Element::canonicalNan(lhs.format);
  bool negative = lhs.isNegative() != divisor.isNegative();
  return f32(negative ? -0.0f : 0.0f);
}

Element tilewright::numerics::divF(Element lhs, Element rhs, RoundingMode mode, bool flushToZero) {
  assert(lhs.format == rhs.format && isBaseFloat(lhs.format));
  assert(isIeee(mode) || (mode <= RoundingMode::Full && lhs.format == Format::F32));
  if (anyPoison(lhs, rhs))
    return Element::poisoned(lhs.format);
  lhs = flushIf(flushToZero, lhs);
  rhs = flushIf(flushToZero, rhs);
  if (mode == RoundingMode::Approx && reciprocalVanishes(rhs))
    return timesVanished(lhs, rhs);
  bool nearest = !isIeee(mode) || mode == RoundingMode::NearestEven;
  if (lhs.format == Format::F32 && nearest)
    return flushIf(flushToZero, f32(lhs.asFloat() / rhs.asFloat()));
  if (lhs.format == Format::F64 && nearest)
    return f64(lhs.asDouble() / rhs.asDouble());
  if (lhs.format == Format::F64)
    return wide(lhs, mode, [&](auto &value, auto m) { value.divide(toAPFloat(rhs), m); });
  return finish(oddQuotient(lhs.asDouble(), rhs.asDouble()), lhs.format, mode, flushToZero);
}

Element tilewright::numerics::fmaF(Element lhs, Element rhs, Element acc, RoundingMode mode,
                                   bool flushToZero) {
  assert(lhs.format == rhs.format && lhs.format == acc.format);
  assert(isBaseFloat(lhs.format) && isIeee(mode));
  if (anyPoison(lhs, rhs, acc))
    return Element::poisoned(lhs.format);
  lhs = flushIf(flushToZero, lhs);
  rhs = flushIf(flushToZero, rhs);
  acc = flushIf(flushToZero, acc);
  bool nearest = mode == RoundingMode::NearestEven;
  if (lhs.format == Format::F32 && nearest)
    return flushIf(flushToZero, f32(std::fma(lhs.asFloat(), rhs.asFloat(), acc.asFloat())));
  if (lhs.format == Format::F64 && nearest)
    return f64(std::fma(lhs.asDouble(), rhs.asDouble(), acc.asDouble()));
  if (lhs.format == Format::F64)
    return wide(lhs, mode, [&](auto &value, auto m) {
      value.fusedMultiplyAdd(toAPFloat(rhs), toAPFloat(acc), m);
    });
  double product = lhs.asDouble() * rhs.asDouble(); // exact
  return finish(oddSum(product, acc.asDouble(), mode), lhs.format, mode, flushToZero);
}

/// The square root of an f64 in any mode. The sign of the remainder, which is exact away from the
/// subnormals, chooses between the neighbours of the nearest result.
static double rootInMode(double a, RoundingMode mode) {
  bool tiny = a < 0x1p-900;
  double scaled = tiny ? a * 0x1p200 : a;
  double root = std::sqrt(scaled);
  if (root == 0 || !std::isfinite(root))
    return root;
  double error = std::fma(-root, root, scaled);
  if (error > 0 && mode == RoundingMode::PositiveInf)
    root = std::nextafter(root, std::numeric_limits<double>::infinity());
  if (error < 0 && (mode == RoundingMode::NegativeInf || mode == RoundingMode::Zero))
    root = std::nextafter(root, 0.0);
  return tiny ? root * 0x1p-100 : root;
}

Element tilewright::numerics::sqrtF(Element source, RoundingMode mode, bool flushToZero) {
  assert(isBaseFloat(source.format));
  assert(isIeee(mode) || (mode == RoundingMode::Approx && source.format == Format::F32));
  if (source.poison)
    return source;
  source = flushIf(flushToZero, source);
  bool nearest = !isIeee(mode) || mode == RoundingMode::NearestEven;
  // A square root is never subnormal, so no result needs flushing.
  if (source.format == Format::F32 && nearest)
    return f32(std::sqrt(source.asFloat()));
  if (source.format == Format::F64)
    return f64(rootInMode(source.asDouble(), mode));
  return finish(oddRoot(source.asDouble()), source.format, mode, false);
}

Element tilewright::numerics::remF(Element lhs, Element rhs) {
  assert(lhs.format == rhs.format && isBaseFloat(lhs.format));
  if (anyPoison(lhs, rhs))
    return Element::poisoned(lhs.format);
  // The result is exact and a multiple of the smaller unit of the operands: nothing is rounded.
  double remainder = std::fmod(lhs.asDouble(), rhs.asDouble());
  return round(remainder, lhs.format, RoundingMode::NearestEven, Beyond::Ieee);
}

//===----------------------------------------------------------------------===//
// Comparison, sign, rounding to integers
//===----------------------------------------------------------------------===//

/// The larger of two numbers if `larger` is set, otherwise the smaller; +0 is greater than -0.
static Element chooseBy(bool larger, Element lhs, Element rhs, bool propagateNan,
                        bool flushToZero) {
  assert(lhs.format == rhs.format && isBaseFloat(lhs.format));
  if (anyPoison(lhs, rhs))
    return Element::poisoned(lhs.format);
  lhs = flushIf(flushToZero, lhs);
  rhs = flushIf(flushToZero, rhs);
  bool bothNan = lhs.isNan() && rhs.isNan();
  if (bothNan || (propagateNan && (lhs.isNan() || rhs.isNan())))
    return Element::canonicalNan(lhs.format);
  if (lhs.isNan() || rhs.isNan())
    return lhs.isNan() ? rhs : lhs;
  double a = lhs.asDouble(), b = rhs.asDouble();
  bool lhsIsLarger = a == b ? rhs.isNegative() : a > b;
  return lhsIsLarger == larger ? lhs : rhs;
}

Element tilewright::numerics::maxF(Element lhs, Element rhs, bool propagateNan, bool flushToZero) {
  return chooseBy(/*larger=*/true, lhs, rhs, propagateNan, flushToZero);
}

Element tilewright::numerics::minF(Element lhs, Element rhs, bool propagateNan, bool flushToZero) {
  return chooseBy(/*larger=*/false, lhs, rhs, propagateNan, flushToZero);
}

Element tilewright::numerics::absF(Element source) {
  assert(isBaseFloat(source.format));
  source.bits &= ~info(source.format).signBit();
  return source;
}

Element tilewright::numerics::negF(Element source) {
  assert(isBaseFloat(source.format));
  if (!source.poison)
    source.bits ^= info(source.format).signBit();
  return source;
}

template <typename Op> static Element toInteger(Element source, Op op) {
  assert(isBaseFloat(source.format));
  if (source.poison || source.isNan())
    return source;
  // Rounding a value of a format to an integer gives a value of the same format.
  return round(op(source.asDouble()), source.format, RoundingMode::NearestEven, Beyond::Ieee);
}

Element tilewright::numerics::ceilF(Element source) {
  return toInteger(source, [](double value) { return std::ceil(value); });
}

Element tilewright::numerics::floorF(Element source) {
  return toInteger(source, [](double value) { return std::floor(value); });
}

Element tilewright::numerics::cmpF(Predicate predicate, Ordering ordering, Element lhs,
                                   Element rhs) {
  assert(lhs.format == rhs.format && isBaseFloat(lhs.format));
  if (anyPoison(lhs, rhs))
    return Element::poisoned(Format::I1);
  if (lhs.isNan() || rhs.isNan())
    return Element::boolean(ordering == Ordering::Unordered);
  return Element::boolean(holds(predicate, lhs.asDouble(), rhs.asDouble()));
}
