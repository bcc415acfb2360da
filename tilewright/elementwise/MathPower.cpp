// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are powers computed? x^y = 2^(y log2 |x|), with the sign that an odd y gives. The
// error of the logarithm is multiplied by up to a thousand, so it is computed in more bits
// than the result has: for f32 in f64, for f64 in pairs; for f32 too, where f64 is slow.

#include "tilewright/elementwise/MathFormulas.h"
#include "tilewright/elementwise/MathFunctions.h"
#include "tilewright/elementwise/MathTables.h"

using namespace tilewright::elementwise;
using namespace tilewright::elementwise::math;

//===-- rsqrt -------------------------------------------------------------------------------===//

/// The reciprocal of the rounded root, and a correction by what both roundings left: of
/// s = sqrt(x) and r = 1/s, s s - x and s r - 1 are exact. A single f32, on whose root all of a row
/// may wait, takes half the time in f64.
Expression math::rsqrt(const Expression &x) {
  bool wide = isDouble(x);
  if (!wide && !x.isVector() && prefersF64(x))
    return toF32(1 / squareRoot(toF64(x)));
  // Lest s s - x be subnormal.
  Expression isSmall = less(x, wide ? 0x1p-900 : 0x1p-80);
  Expression raised = select(isSmall, x * (wide ? 0x1p200 : 0x1p60), x);
  Expression s = squareRoot(raised);
  Expression r = 1 / s;
  Expression excess = productError(s, s, raised) * 0.5 * r * r;
  Expression corrected = multiplyAdd(r, excess - productError(s, r, r.constant(1)), r);
  // For zeros, infinity and the rest, r itself is right.
  Expression regular = greater(x, 0) & less(x, infinity);
  Expression result = select(regular, corrected, r);
  return select(isSmall, result * (wide ? 0x1p100 : 0x1p30), result);
}

//===-- pow ---------------------------------------------------------------------------------===//

/// Of magnitudes. 2^52 leaves a sum no bits for a fraction.
static Expression isInteger(const Expression &y) {
  double noFraction = isDouble(y) ? 0x1p52 : 0x1p23;
  return (!less(y, noFraction)) | equal((y + noFraction) - noFraction, y);
}

/// The power of the magnitude, and arithmetic, 3.5 for the rest.
static Expression withSpecialValues(const Expression &x, const Expression &y,
                                    const Expression &power) {
  Expression size = magnitude(y);
  Expression integer = isInteger(size);
  Expression odd = integer & !isInteger(size * 0.5);
  Expression result = select(odd, withSign(power, x), power);
  result = select(equal(magnitude(x), 1) & equal(size, infinity), 1, result);
  Expression undefined = less(x, 0) & greater(x, -infinity) & !integer;
  result = select(undefined | isNan(x) | isNan(y), notANumber, result);
  return select(equal(y, 0) | equal(x, 1), 1, result);
}

/// The power of the magnitude of an f32, to an exponent in f64: 36 bits of the logarithm are
/// enough, and f64 has no overflow to fear.
static Expression powerOfSingle(const Expression &x, const Expression &y) {
  Expression base = toF64(magnitude(x));
  auto [e, f] = splitNormal(base);
  Expression logarithm = multiplyAdd(f, polynomial(f, tables::log2Short), e);
  logarithm = select(equal(base, 0), -infinity, select(less(base, infinity), logarithm, base));
  Expression exponent = between(-151, y * logarithm, 129);
  Whole n = nearestWhole(exponent);
  Expression r = exponent - n.value;
  Expression factor = multiplyAdd(r, polynomial(r, tables::exp2Short), 1);
  return toF32(factor * powerOfTwo(n));
}

/// a * b, but for the product of the low parts.
static Pair multiply(const Pair &a, const Pair &b) {
  Expression product = a.high * b.high;
  Expression error = productError(a.high, b.high, product);
  return {product, error + multiplyAdd(a.high, b.low, a.low * b.high)};
}

static Pair constantPair(const Expression &like, const double (&parts)[2]) {
  return {like.constant(parts[0]), like.constant(parts[1])};
}

/// log2 of a positive number: of an f64 in 66 bits, of an f32 in 35. With s = f / (2 + f),
/// log(1+f) = 2 s (1 + w), where w = s^2 (1/3 + s^2 (1/5 + ...)); in 1/5 and what follows one
/// number is precise enough.
static Pair log2InPairs(const Expression &x) {
  bool wide = isDouble(x);
  std::span<const double> power(tables::logPowerSingle);
  if (wide)
    power = tables::logPowerDouble;
  auto [e, f] = split(x);
  Expression zero = x.constant(0);
  Pair s = divide({f, zero}, exactSum(x.constant(2), f));
  Pair square = multiply(s, s);
  Expression fifths = square.high * polynomial(square.high, power);
  Pair third = constantPair(x, wide ? tables::thirdDouble : tables::thirdSingle);
  Pair inner = exactSum(third.high, fifths + third.low);
  Pair w = multiply(square, inner);
  Pair more = multiply(s, w);
  Pair half = exactSum(s.high, more.high);
  half.low = half.low + (more.low + s.low);
  Pair logarithm =
      multiply(half, constantPair(x, wide ? tables::twoLog2eDouble : tables::twoLog2eSingle));
  Pair sum = exactSum(e, logarithm.high);
  return {sum.high, sum.low + logarithm.low};
}

/// The power of the magnitude, to an exponent of moderate size.
static Expression powerInPairs(const Expression &x, const Pair &y) {
  bool wide = isDouble(x);
  Expression base = magnitude(x);
  Pair logarithm = log2InPairs(base);
  logarithm.high =
      select(equal(base, 0), -infinity, select(less(base, infinity), logarithm.high, base));
  Pair exponent = multiply(y, logarithm);
  Expression high = wide ? between(-1080, exponent.high, 1030) : between(-151, exponent.high, 129);
  Expression low = select(equal(high, exponent.high), exponent.low, 0);
  Power n = nearestPower(high);
  Expression r = (high - n.exponent) + low;
  std::span<const double> c(tables::exp2Single);
  if (wide)
    c = tables::exp2Double;
  return scale(multiplyAdd(r, polynomial(r, c), 1), n);
}

/// Beyond 2^65, of f32 2^33, all results overflow, vanish or are 1, and products of parts stay
/// finite.
static Pair heldExponent(const Expression &y) {
  double limit = isDouble(y) ? 0x1p65 : 0x1p33;
  return {between(-limit, y, limit), y.constant(0)};
}

Expression math::pow(const Expression &x, const Expression &y) {
  bool inPairs = isDouble(x) || !prefersF64(x);
  return withSpecialValues(x, y,
                           inPairs ? powerInPairs(x, heldExponent(y)) : powerOfSingle(x, toF64(y)));
}

/// An i32 as the sum of two floats like x; an f64 alone can be each.
static Pair exponentFrom(const Expression &n, const Expression &x) {
  auto asFloatOf = [&](const Expression &part) {
    return part.convert<mlir::arith::SIToFPOp>(x.type());
  };
  if (isDouble(x))
    return {asFloatOf(n), x.constant(0)};
  return exactSum(asFloatOf(n & -4096), asFloatOf(n & 4095));
}

/// Every i32 is an f64, so that no integer is negated and none is rounded. That 0 to a negative
/// power is an infinity, and an infinity 0, follows from their logarithms.
Expression math::powInteger(const Expression &x, const Expression &n) {
  bool inPairs = isDouble(x) || !prefersF64(x);
  Expression power = inPairs ? powerInPairs(x, exponentFrom(n, x))
                             : powerOfSingle(x, n.convert<mlir::arith::SIToFPOp>(n.f64Type()));
  Expression result = select(equal(n & 1, 1), withSign(power, x), power);
  result = select(isNan(x), notANumber, result);
  return select(equal(n, 0), 1, result);
}
