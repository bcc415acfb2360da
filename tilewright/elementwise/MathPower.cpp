// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Powers. x^y = 2^(y log2 |x|), with the sign that an odd y gives. The error of the logarithm is
// multiplied by up to a thousand, so the logarithm needs more bits than the result: it is computed
// in f64 for f32, and in pairs for f64 and, where f64 is slow, for f32, too.

#include "tilewright/elementwise/MathFormulas.h"
#include "tilewright/elementwise/MathFunctions.h"
#include "tilewright/elementwise/MathTables.h"

using namespace tilewright::elementwise;
using namespace tilewright::elementwise::math;

//===-- rsqrt -------------------------------------------------------------------------------===//

/// The reciprocal of the rounded square root, corrected by the errors of both roundings: for s =
/// sqrt(x) and r = 1/s, s s - x and s r - 1 are exact. A scalar f32 is computed in f64, which
/// halves the latency that a whole row may wait for.
Expression math::rsqrt(const Expression &x) {
  bool wide = isDouble(x);
  if (!wide && !x.isVector() && prefersF64(x))
    return toF32(1 / squareRoot(toF64(x)));
  // Scale up so that s s - x is not subnormal.
  Expression isSmall = less(x, wide ? 0x1p-900 : 0x1p-80);
  Expression raised = select(isSmall, x * (wide ? 0x1p200 : 0x1p60), x);
  Expression s = squareRoot(raised);
  Expression r = 1 / s;
  Expression excess = productError(s, s, raised) * 0.5 * r * r;
  Expression corrected = multiplyAdd(r, excess - productError(s, r, r.constant(1)), r);
  // For zeros, infinity, negative numbers and NaN, r is already right.
  Expression regular = greater(x, 0) & less(x, infinity);
  Expression result = select(regular, corrected, r);
  return select(isSmall, result * (wide ? 0x1p100 : 0x1p30), result);
}

//===-- pow ---------------------------------------------------------------------------------===//

/// For magnitudes. A sum with 2^52 has no bits for a fraction.
static Expression isInteger(const Expression &y) {
  double noFraction = isDouble(y) ? 0x1p52 : 0x1p23;
  return (!less(y, noFraction)) | equal((y + noFraction) - noFraction, y);
}

/// The power of the magnitude, and the special values of arithmetic, 3.5.
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

/// The power of an f32 magnitude with an f64 exponent: 36 bits of the logarithm are sufficient, and
/// nothing overflows in f64.
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

/// a * b without the product of the low parts.
static Pair multiply(const Pair &a, const Pair &b) {
  Expression product = a.high * b.high;
  Expression error = productError(a.high, b.high, product);
  return {product, error + multiplyAdd(a.high, b.low, a.low * b.high)};
}

static Pair constantPair(const Expression &like, const double (&parts)[2]) {
  return {like.constant(parts[0]), like.constant(parts[1])};
}

/// log2 of a positive number, to 66 bits for an f64 and 35 for an f32. With s = f / (2 + f),
/// log(1+f) = 2 s (1 + w), where w = s^2 (1/3 + s^2 (1/5 + ...)). From 1/5 on, single numbers are
/// precise enough.
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

/// The power of the magnitude, for an exponent of moderate size.
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

/// Clamps the exponent. Beyond 2^65 (2^33 for f32), all results overflow, underflow or are 1; the
/// limit keeps products of parts finite.
static Pair heldExponent(const Expression &y) {
  double limit = isDouble(y) ? 0x1p65 : 0x1p33;
  return {between(-limit, y, limit), y.constant(0)};
}

Expression math::pow(const Expression &x, const Expression &y) {
  bool inPairs = isDouble(x) || !prefersF64(x);
  return withSpecialValues(x, y,
                           inPairs ? powerInPairs(x, heldExponent(y)) : powerOfSingle(x, toF64(y)));
}

/// An i32 as the sum of two floats with the type of x; for f64 the first one suffices.
static Pair exponentFrom(const Expression &n, const Expression &x) {
  auto asFloatOf = [&](const Expression &part) {
    return part.convert<mlir::arith::SIToFPOp>(x.type());
  };
  if (isDouble(x))
    return {asFloatOf(n), x.constant(0)};
  return exactSum(asFloatOf(n & -4096), asFloatOf(n & 4095));
}

/// Every i32 is exact in f64, so no integer is negated or rounded. That a negative power of 0 is an
/// infinity, and one of infinity 0, follows from the logarithms.
Expression math::powInteger(const Expression &x, const Expression &n) {
  bool inPairs = isDouble(x) || !prefersF64(x);
  Expression power = inPairs ? powerInPairs(x, exponentFrom(n, x))
                             : powerOfSingle(x, n.convert<mlir::arith::SIToFPOp>(n.f64Type()));
  Expression result = select(equal(n & 1, 1), withSign(power, x), power);
  result = select(isNan(x), notANumber, result);
  return select(equal(n, 0), 1, result);
}
