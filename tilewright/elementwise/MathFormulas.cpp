// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See MathFormulas.h.

#include "tilewright/elementwise/MathFormulas.h"
#include "tilewright/elementwise/Instructions.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <cmath>
#include <optional>

using namespace tilewright::elementwise;
using namespace tilewright::elementwise::math;
using mlir::Value;
namespace arith = mlir::arith;

//===-- Notation ----------------------------------------------------------------------------===//

Expression math::shiftRightSigned(const Expression &source, unsigned amount) {
  return source.apply<arith::ShRSIOp>(source.constant(amount));
}

Expression math::withSign(const Expression &magnitude, const Expression &sign) {
  return magnitude.apply<mlir::math::CopySignOp>(sign);
}

Expression math::negatedIfOdd(const Expression &number, const Expression &integer) {
  return asFloat(bitsOf(number) ^ (integer << (number.width() - 1)));
}

Expression math::multiplyAdd(const Expression &a, const Expression &b, const Expression &c) {
  return a.place().capabilities.hasFma ? fusedMultiplyAdd(a, b, c) : a * b + c;
}

Expression math::polynomial(const Expression &x, std::span<const double> c) {
  Expression sum = x.constant(c.back());
  for (size_t power = c.size() - 1; power-- > 0;)
    sum = multiplyAdd(sum, x, c[power]);
  return sum;
}

// ===-- Integers and powers of two ----------------------------------------------------------===//

FloatLayout math::layoutOf(const Expression &x) {
  return isDouble(x) ? FloatLayout{52, 0x1p-1022, 0x1.8p52, 1023}
                     : FloatLayout{23, 0x1p-126, 0x1.8p23, 127};
}

Whole math::nearestWhole(const Expression &x) {
  double rounder = layoutOf(x).rounder;
  Expression sum = x + rounder;
  return {sum - rounder, bitsOf(sum)};
}

Whole math::nearestWhole(const Expression &x, double factor) {
  double rounder = layoutOf(x).rounder;
  Expression sum = multiplyAdd(x, factor, x.constant(rounder));
  return {sum - rounder, bitsOf(sum)};
}

Expression math::powerOfTwo(const Whole &n) {
  Expression one = bitsOf(n.value.constant(1));
  return asFloat((n.lowBits << layoutOf(n.value).mantissaBits) + one);
}

static double twiceBiasedRounder(const Expression &x) {
  FloatLayout layout = layoutOf(x);
  return layout.rounder + 2 * layout.exponentBias;
}

Power math::nearestPower(const Expression &x) {
  double rounder = twiceBiasedRounder(x);
  Expression sum = x + rounder;
  return {sum - rounder, bitsOf(sum)};
}

Power math::nearestPower(const Expression &x, double factor) {
  double rounder = twiceBiasedRounder(x);
  Expression sum = multiplyAdd(x, factor, x.constant(rounder));
  return {sum - rounder, bitsOf(sum)};
}

/// Two powers of two whose product is the given one, which itself may be out of range. The shift
/// removes the rounder's upper bits.
static std::pair<Expression, Expression> factorsOf(const Power &power) {
  int mantissaBits = layoutOf(power.exponent).mantissaBits;
  Expression half = power.twiceBiased >> 1;
  return {asFloat(half << mantissaBits), asFloat((power.twiceBiased - half) << mantissaBits)};
}

Expression math::scale(const Expression &p, const Power &power) {
  if (auto scaled = vectorInstruction("scalef", {p, power.exponent}))
    return *scaled;
  auto [first, second] = factorsOf(power); // p * first is exact
  return p * first * second;
}

Expression math::scaleOnePlus(const Expression &rest, const Power &power) {
  if (!rest.place().capabilities.hasFma)
    return scale(1 + rest, power);
  if (auto scaled = vectorInstruction("scalef", {1 + rest, power.exponent}))
    return *scaled;
  auto [first, second] = factorsOf(power);
  return multiplyAdd(rest, first, first) * second;
}

Expression math::atMost(const Expression &x, double limit) {
  return select(greater(x, limit), limit, x);
}

Expression math::between(double low, const Expression &x, double high) {
  Expression notAbove = atMost(x, high);
  return select(less(notAbove, low), low, notAbove);
}

/// 4/3, in f64 or rounded up to f32.
static double splitPoint(const Expression &x) {
  return isDouble(x) ? 0x1.5555555555555p0 : 0x1.555556p0;
}

/// Works for subnormal numbers, too.
static std::optional<Split> splitByInstruction(const Expression &x) {
  auto exponent = vectorInstruction("getexp", {x});
  if (!exponent)
    return std::nullopt;
  Expression e = *exponent, m = *vectorInstruction("getmant", {x}, /*from 1 to 2*/ 0);
  Expression isLarge = !less(m, splitPoint(x));
  return Split{select(isLarge, e + 1, e), select(isLarge, m * 0.5, m) - 1};
}

static Split splitByPattern(const Expression &x) {
  FloatLayout layout = layoutOf(x);
  // Relative to 2/3, the exponent field changes exactly at the split points.
  Expression start = x.constant(splitPoint(x) / 2);
  Expression exponent = shiftRightSigned(bitsOf(x) - bitsOf(start), layout.mantissaBits);
  Expression significand = asFloat(bitsOf(x) - (exponent << layout.mantissaBits));
  Expression rounder = x.constant(layout.rounder);
  return {asFloat(exponent + bitsOf(rounder)) - rounder, significand - 1};
}

Split math::splitNormal(const Expression &x) {
  std::optional<Split> parts = splitByInstruction(x);
  return parts ? *parts : splitByPattern(x);
}

Split math::split(const Expression &x) {
  if (std::optional<Split> parts = splitByInstruction(x))
    return *parts;
  // A subnormal number has no exponent of its own in its pattern, so scale it up.
  FloatLayout layout = layoutOf(x);
  Expression subnormal = less(x, layout.leastNormal);
  double raise = layout.mantissaBits + 1;
  auto [exponent, fraction] =
      splitByPattern(select(subnormal, x * std::ldexp(1, layout.mantissaBits + 1), x));
  return {exponent - select(subnormal, raise, x.constant(0)), fraction};
}

//===-- Pairs -------------------------------------------------------------------------------===//

Expression math::upperHalf(const Expression &x) {
  int64_t lowBits = isDouble(x) ? 27 : 12;
  return asFloat(bitsOf(x) & -(int64_t(1) << lowBits));
}

Expression math::productError(const Expression &a, const Expression &b, const Expression &product) {
  if (a.place().capabilities.hasFma)
    return fusedMultiplyAdd(a, b, -product);
  Expression a1 = upperHalf(a), b1 = upperHalf(b), a2 = a - a1, b2 = b - b1;
  return a2 * b2 + (a2 * b1 + (a1 * b2 + (a1 * b1 - product)));
}

Pair math::exactSum(const Expression &a, const Expression &b) {
  Expression sum = a + b;
  return {sum, b - (sum - a)};
}

Pair math::anySum(const Expression &a, const Expression &b) {
  Expression sum = a + b;
  Expression ofB = sum - a, ofA = sum - ofB;
  return {sum, (a - ofA) + (b - ofB)};
}

Pair math::divide(const Pair &numerator, const Pair &denominator) {
  Expression reciprocal = 1 / denominator.high;
  Expression quotient = numerator.high * reciprocal;
  Expression tooMuch = productError(quotient, denominator.high, numerator.high);
  Expression left = (numerator.low - quotient * denominator.low) - tooMuch;
  return {quotient, left * reciprocal};
}
