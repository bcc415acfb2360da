// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Building blocks of the mathematical functions: splitting a number into an integer and a rest,
// polynomials, powers of two; and arithmetic that keeps the rounding error of a product or a sum as
// a second number.
//
// Expressions are f32 or f64 here. Internal to Math*.

#ifndef TILEWRIGHT_ELEMENTWISE_MATHFORMULAS_H
#define TILEWRIGHT_ELEMENTWISE_MATHFORMULAS_H

#include "tilewright/elementwise/ArithmeticExpression.h"

#include <limits>
#include <span>

namespace tilewright::elementwise::math {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

//===-- Notation ----------------------------------------------------------------------------===//

template <Number T> Expression operator+(T lhs, const Expression &rhs) {
  return rhs.constant(lhs) + rhs;
}
template <Number T> Expression operator-(T lhs, const Expression &rhs) {
  return rhs.constant(lhs) - rhs;
}
template <Number T> Expression operator/(T lhs, const Expression &rhs) {
  return rhs.constant(lhs) / rhs;
}

inline bool isDouble(const Expression &x) { return x.width() == 64; }
/// Whether an f32 function is better computed in f64.
inline bool prefersF64(const Expression &x) { return x.place().capabilities.hasFastF64; }

// Like less, false for NaN.
inline Expression greater(const Expression &lhs, const Expression &rhs) { return less(rhs, lhs); }
template <Number T> Expression greater(const Expression &lhs, T rhs) {
  return less(lhs.constant(rhs), lhs);
}
/// Arithmetic right shift.
Expression shiftRightSigned(const Expression &source, unsigned amount);
/// The magnitude of `magnitude` with the sign of `sign`.
Expression withSign(const Expression &magnitude, const Expression &sign);
/// The number if the integer is even, or else its negation.
Expression negatedIfOdd(const Expression &number, const Expression &integer);

/// a * b + c, rounded once if the target has FMA, otherwise twice.
Expression multiplyAdd(const Expression &a, const Expression &b, const Expression &c);
template <Number T> Expression multiplyAdd(const Expression &a, T b, const Expression &c) {
  return multiplyAdd(a, a.constant(b), c);
}
template <Number T> Expression multiplyAdd(const Expression &a, const Expression &b, T c) {
  return multiplyAdd(a, b, a.constant(c));
}

/// c[0] + c[1] x + c[2] x^2 + ...
Expression polynomial(const Expression &x, std::span<const double> c);

// ===-- Integers and powers of two ----------------------------------------------------------===//

struct FloatLayout {
  int mantissaBits;
  double leastNormal;
  /// 1.5 times 2^mantissaBits. Adding a smaller number to it rounds that number to the nearest
  /// integer, which is then in the low bits of the sum.
  double rounder;
  int exponentBias;
};
FloatLayout layoutOf(const Expression &x);

/// The integer nearest to a number, as a float and in the low bits of an integer, whose other bits
/// are arbitrary.
struct Whole {
  Expression value, lowBits;
};
/// The integer nearest to x, or to x * factor; its magnitude is at most 2^(mantissaBits - 2).
Whole nearestWhole(const Expression &x);
Whole nearestWhole(const Expression &x, double factor);

/// 2^n, which must be a normal number.
Expression powerOfTwo(const Whole &n);

/// A power of two, represented by its exponent: as a float, and in the low bits of an integer with
/// twice the exponent bias added. The other bits of the integer are those of
/// `FloatLayout::rounder`. Both halves of such a biased exponent are exponents of normal numbers.
struct Power {
  Expression exponent, twiceBiased;
};
/// The power with the exponent nearest to x, or to x * factor; at most twice the exponent range.
Power nearestPower(const Expression &x);
Power nearestPower(const Expression &x, double factor);

/// p times a power of two, rounded once. p is near 1.
Expression scale(const Expression &p, const Power &power);
/// 1 + rest, which is near 1 and rounded, times a power of two, rounded once.
Expression scaleOnePlus(const Expression &rest, const Power &power);

// A NaN stays a NaN.
Expression atMost(const Expression &x, double limit);
Expression between(double low, const Expression &x, double high);

/// x = 2^exponent * (1 + fraction), with 1 + fraction between 2/3 and 4/3, for positive x.
/// Arbitrary for other x.
struct Split {
  Expression exponent, fraction;
};
Split split(const Expression &x);
/// The same for an x that is not subnormal.
Split splitNormal(const Expression &x);

//===-- Pairs -------------------------------------------------------------------------------===//

/// The unevaluated sum high + low: a number with twice the precision.
struct Pair {
  Expression high, low;
};

/// Rounds down to half of the bits: products of two such numbers are exact.
Expression upperHalf(const Expression &x);

/// a * b - product, exactly, if product is a * b rounded, or a number as close to it, and nothing
/// overflows or underflows.
Expression productError(const Expression &a, const Expression &b, const Expression &product);

/// a + b, exactly, if a is zero or has the larger magnitude.
Pair exactSum(const Expression &a, const Expression &b);

/// a + b, exactly, in any order of magnitudes.
Pair anySum(const Expression &a, const Expression &b);

/// The quotient with nearly twice the precision.
Pair divide(const Pair &numerator, const Pair &denominator);

} // namespace tilewright::elementwise::math

#endif // TILEWRIGHT_ELEMENTWISE_MATHFORMULAS_H
