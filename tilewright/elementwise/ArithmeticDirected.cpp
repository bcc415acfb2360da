// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounding toward zero, down or up on processors that round to nearest even. The result is the
// nearest value or its neighbour, depending on the sign of the rounding error. Operations on up to
// 24 bits are computed in f64. Their error is the difference from the nearest value or, if that is
// zero, the error of the f64 operation, which is exact to compute for so few bits. Operations on
// f64 have errors that are themselves f64, provided that operands and results are far from the
// limits of the range; scaling by powers of two, which does not round, moves them there.
//
// The patterns of neighbouring values are neighbouring integers, past the largest value to infinity
// and through the subnormals to zero, so the limits need no special treatment.

#include "tilewright/elementwise/ArithmeticParts.h"

using namespace tilewright;
using namespace tilewright::elementwise;
using numerics::Format;
using numerics::RoundingMode;

// ===-- Step to the neighbour ---------------------------------------------------------------===//

/// Maps the pattern of the nearest value to that of the rounded one. `error` has the sign of the
/// exact result minus the nearest value; a NaN (from infinities, which are exact) counts as no
/// error.
static Expression step(const Expression &nearest, const Expression &error, RoundingMode mode) {
  Expression negative = less(nearest, 0);
  Expression tooLarge = less(error, 0), tooSmall = less(error.constant(0), error);
  Expression outward = nearest + 1, inward = nearest - 1;
  switch (mode) {
  case RoundingMode::NegativeInf:
    return select(tooLarge, select(negative, outward, inward), nearest);
  case RoundingMode::PositiveInf:
    return select(tooSmall, select(negative, inward, outward), nearest);
  default:
    assert(mode == RoundingMode::Zero && "a directed mode");
    return select(select(negative, tooSmall, tooLarge), inward, nearest);
  }
}

static Expression stepDouble(const Expression &nearest, const Expression &error,
                             RoundingMode mode) {
  return asFloat(step(bitsOf(nearest), error, mode));
}

/// Rounds a result in f64, of an operation on a format of up to 24 bits, to that format.
static Expression roundTo(const DirectedRounding &rounding, const Inexact &result) {
  Format format = rounding.format;
  Expression nearest = narrow(format, toF32(result.value));
  Expression error = result.value - toF64(widen(format, nearest));
  error = select(equal(error, 0), result.rest, error);
  if (format == Format::F32)
    return asFloat(step(bitsOf(nearest), error, rounding.mode));
  return step(nearest, error, rounding.mode);
}

Expression elementwise::roundDirected(const DirectedRounding &rounding, const Expression &number) {
  return roundTo(rounding, {number, number.constant(0)});
}

static Expression toDouble(Format format, const Expression &element) {
  return format == Format::F64 ? element : toF64(widen(format, element));
}

//===-- Sums --------------------------------------------------------------------------------===//

/// The zero of x + -x is +0, but -0 in the mode NegativeInf; the sum -0 + -0 is always -0.
static Expression withSignOfZero(RoundingMode mode, const Expression &sum, const Expression &a,
                                 const Expression &b) {
  if (mode != RoundingMode::NegativeInf)
    return sum;
  Expression signs = (bitsOf(a) | bitsOf(b)) & int64_t(uint64_t(1) << 63);
  return select(equal(sum, 0), asFloat(signs), sum);
}

/// Dekker's sum of a larger and a smaller number: the error is exact. If the sum overflows, the
/// error is an infinity of the right sign.
static Inexact sumOf(const Expression &a, const Expression &b) {
  Expression swap = less(magnitude(a), magnitude(b));
  Expression large = select(swap, b, a), small = select(swap, a, b);
  Expression sum = large + small;
  return {sum, small - (sum - large)};
}

static Expression sumTo(const DirectedRounding &rounding, const Expression &a,
                        const Expression &b) {
  Inexact sum = sumOf(a, b);
  sum.value = withSignOfZero(rounding.mode, sum.value, a, b);
  return rounding.format == Format::F64 ? stepDouble(sum.value, sum.rest, rounding.mode)
                                        : roundTo(rounding, sum);
}

Expression elementwise::addDirected(const DirectedRounding &rounding, const Expression &lhs,
                                    const Expression &rhs) {
  return sumTo(rounding, toDouble(rounding.format, lhs), toDouble(rounding.format, rhs));
}

//===-- Products ----------------------------------------------------------------------------===//

/// a * b in f64. Scaling both operands up makes errors visible that are too small for f64.
static Expression productTo(RoundingMode mode, const Expression &a, const Expression &b) {
  Expression product = a * b;
  Expression scale = select(less(magnitude(product), 0x1p-900), 0x1p550, product.constant(1));
  Expression error = fusedMultiplyAdd(a * scale, b * scale, -(product * scale * scale));
  return stepDouble(product, error, mode);
}

Expression elementwise::multiplyDirected(const DirectedRounding &rounding, const Expression &lhs,
                                         const Expression &rhs) {
  if (rounding.format == Format::F64)
    return productTo(rounding.mode, lhs, rhs);
  Expression product = toDouble(rounding.format, lhs) * toDouble(rounding.format, rhs);
  return roundTo(rounding, {product, product.constant(0)});
}

//===-- Quotients and roots -----------------------------------------------------------------===//

static Expression withSignOf(const Expression &sign, const Expression &value) {
  return asFloat(bitsOf(value) ^ (bitsOf(sign) & int64_t(uint64_t(1) << 63)));
}

/// The remainder has the sign of the quotient's error, times the sign of the divisor. Scaling
/// dividend and quotient up makes small remainders visible.
static Expression quotientTo(RoundingMode mode, const Expression &a, const Expression &b) {
  Expression quotient = a / b;
  Expression scale = select(less(magnitude(a), 0x1p-900), 0x1p600, a.constant(1));
  Expression remainder = fusedMultiplyAdd(-(quotient * scale), b, a * scale);
  return stepDouble(quotient, withSignOf(b, remainder), mode);
}

Expression elementwise::divideDirected(const DirectedRounding &rounding, const Expression &lhs,
                                       const Expression &rhs) {
  if (rounding.format == Format::F64)
    return quotientTo(rounding.mode, lhs, rhs);
  Expression a = toDouble(rounding.format, lhs), b = toDouble(rounding.format, rhs);
  Expression quotient = a / b;
  // Exact if the quotient has at most 24 bits; otherwise it does not matter.
  return roundTo(rounding, {quotient, withSignOf(b, a - quotient * b)});
}

static Expression rootTo(RoundingMode mode, const Expression &source) {
  Expression tiny = less(source, 0x1p-900);
  Expression scaled = source * select(tiny, 0x1p200, source.constant(1));
  Expression root = squareRoot(scaled);
  Expression rounded = stepDouble(root, fusedMultiplyAdd(-root, root, scaled), mode);
  return rounded * select(tiny, 0x1p-100, source.constant(1));
}

Expression elementwise::rootDirected(const DirectedRounding &rounding, const Expression &source) {
  if (rounding.format == Format::F64)
    return rootTo(rounding.mode, source);
  Expression value = toDouble(rounding.format, source), root = squareRoot(value);
  return roundTo(rounding, {root, value - root * root});
}

// ===-- Fused multiply-add ------------------------------------------------------------------===//

namespace {
/// value = significand * 2^exponent, with the significand in [1, 2), or zero with a very small
/// exponent.
struct Parts {
  Expression significand, exponent;
};
} // namespace

static Parts takeApart(const Expression &value) {
  const int64_t exponentField = int64_t(0x7FF) << 52, ofOne = int64_t(1023) << 52;
  Expression subnormal = less(magnitude(value), 0x1p-1022);
  Expression bits = bitsOf(select(subnormal, value * 0x1p54, value));
  Expression exponent =
      ((bits & exponentField) >> 52) - select(subnormal, 1023 + 54, bits.constant(1023));
  Expression zero = equal(value, 0);
  return {select(zero, value, asFloat((bits & ~exponentField) | ofOne)),
          select(zero, -5000, exponent)};
}

/// 2^exponent for exponents of normal numbers.
static Expression powerOfTwo(const Expression &exponent) {
  return asFloat((exponent + 1023) << 52);
}

static Expression clamp(const Expression &value, int64_t least, int64_t most) {
  return value.apply<mlir::arith::MaxSIOp>(value.constant(least))
      .apply<mlir::arith::MinSIOp>(value.constant(most));
}

/// The nearest value to a * b + c, and a number with the sign of its error (Boldo and Muller,
/// "Exact and approximated error of the FMA"). The operands must be far from the limits of the
/// range.
static Inexact fmaWithError(const Expression &a, const Expression &b, const Expression &c) {
  Expression result = fusedMultiplyAdd(a, b, c);
  Expression product = a * b, productRest = fusedMultiplyAdd(a, b, -product);
  Inexact small = twoSum(c, productRest);
  Inexact large = twoSum(product, small.value);
  Expression error = (large.value - result) + large.rest;
  return {result, error + small.rest};
}

/// a * b + c in f64. If product and summand are so far apart that the smaller one affects only the
/// rounding of the larger, they are first moved closer together, as far as that stays true. The sum
/// is then rounded as if the exponent range were unbounded, and scaled by a product in the same
/// mode, which rounds again if the result is near the limits of the range.
static Expression fmaTo(RoundingMode mode, const Expression &a, const Expression &b,
                        const Expression &c) {
  Parts x = takeApart(a), y = takeApart(b), z = takeApart(c);
  Expression productExponent = x.exponent + y.exponent;
  Expression distance = z.exponent - productExponent;
  Expression near = clamp(distance, -170, 120);
  Expression place =
      select(less(distance.constant(120), distance), z.exponent - 120, productExponent);

  Expression summand = z.significand * powerOfTwo(near);
  Inexact sum = fmaWithError(x.significand, y.significand, summand);
  Expression product = asFloat(bitsOf(x.significand) ^ bitsOf(y.significand));
  Expression value = withSignOfZero(mode, sum.value, product, summand);
  Expression rounded = stepDouble(value, sum.rest, mode);

  // Larger shifts give the same result, and half of the largest shift is in the range of exponents.
  Expression shift = clamp(place, -1300, 1200);
  Expression half = shift.apply<mlir::arith::ShRSIOp>(shift.constant(1));
  Expression result = productTo(mode, rounded * powerOfTwo(half), powerOfTwo(shift - half));

  auto isFinite = [](const Expression &value) {
    Expression infinity = asFloat(bitsOf(value).constant(int64_t(0x7FF) << 52));
    return less(magnitude(value), infinity);
  };
  return select(isFinite(a) & isFinite(b) & isFinite(c), result, fusedMultiplyAdd(a, b, c));
}

Expression elementwise::fmaDirected(const DirectedRounding &rounding, const Expression &lhs,
                                    const Expression &rhs, const Expression &acc) {
  if (rounding.format == Format::F64)
    return fmaTo(rounding.mode, lhs, rhs, acc);
  // The product is exact.
  Expression product = toDouble(rounding.format, lhs) * toDouble(rounding.format, rhs);
  return sumTo(rounding, product, toDouble(rounding.format, acc));
}
