// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are results rounded toward zero, down or up, although processors round to nearest even?
// The nearest value is the result itself or its neighbour, and which of the two follows from
// the sign of the error. That error is at hand: an operation on up to 24 bits is done in f64,
// which shows it as the difference from the nearest value or, where there is none, as the
// error of f64, which is exact arithmetic for so few bits. Operations on f64 have errors that
// are f64 themselves, wherever operands and results keep away from the ends of the range;
// powers of two, which round nothing, bring them there.
//
// Patterns of neighbours are neighbouring integers, past the largest value to infinity and
// through the subnormals to zero, so that nothing is special about the ends.

#include "tilewright/elementwise/ArithmeticParts.h"

using namespace tilewright;
using namespace tilewright::elementwise;
using numerics::Format;
using numerics::RoundingMode;

//===-- To the neighbour --------------------------------------------------------------------===//

/// From the pattern of the nearest value to that of the rounded one. `error` is what the
/// nearest value lacks, by its sign; a NaN (of infinities, which are exact) is no error.
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

/// A result in f64 of an operation on a format of up to 24 bits, rounded to that format.
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

/// The zero of x + -x is +0, but -0 in the mode NegativeInf; that of -0 + -0 is -0.
static Expression withSignOfZero(RoundingMode mode, const Expression &sum, const Expression &a,
                                 const Expression &b) {
  if (mode != RoundingMode::NegativeInf)
    return sum;
  Expression signs = (bitsOf(a) | bitsOf(b)) & int64_t(uint64_t(1) << 63);
  return select(equal(sum, 0), asFloat(signs), sum);
}

/// Dekker's sum of a larger and a smaller number: the error is exact, and that of a sum that
/// overflows an infinity of the right sign.
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

/// a * b of f64. An error that is too small for f64 shows when both are larger.
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

/// The remainder has the sign of what the quotient lacks, but for the sign of the divisor. A
/// small remainder shows when dividend and quotient are larger.
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
  // Exact where the quotient has no more than 24 bits: elsewhere it does not count.
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

//===-- Products and sums in one ------------------------------------------------------------===//

namespace {
/// value = significand * 2^exponent, the significand from 1 to 2, or zero with a very small
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

/// 2^exponent, for exponents of normal numbers.
static Expression powerOfTwo(const Expression &exponent) {
  return asFloat((exponent + 1023) << 52);
}

static Expression clamp(const Expression &value, int64_t least, int64_t most) {
  return value.apply<mlir::arith::MaxSIOp>(value.constant(least))
      .apply<mlir::arith::MinSIOp>(value.constant(most));
}

/// The nearest a * b + c, and a number with the sign of its error (Boldo and Muller, "Exact and
/// approximated error of the FMA"). For numbers far from the ends of the range.
static Inexact fmaWithError(const Expression &a, const Expression &b, const Expression &c) {
  Expression result = fusedMultiplyAdd(a, b, c);
  Expression product = a * b, productRest = fusedMultiplyAdd(a, b, -product);
  Inexact small = twoSum(c, productRest);
  Inexact large = twoSum(product, small.value);
  Expression error = (large.value - result) + large.rest;
  return {result, error + small.rest};
}

/// a * b + c of f64. Where product and summand are so far apart that the smaller one is but a
/// trace in the rounding of the larger, they are moved together as far as that stays true. The
/// sum is then rounded with the range unbounded, and brought to its place by a product in the
/// same mode, which rounds once more if the place is near the ends of the range.
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

  // Beyond these the outcome is the same, and half of them is in the range.
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
