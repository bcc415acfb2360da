// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which steps do most mathematical functions share? Taking a number apart into an integer
// and a rest, a polynomial, a power of two; and arithmetic that keeps what a rounding
// loses: the error of a product or a sum, as a second number.
//
// Expressions are f32 or f64 here. Only for the sources of Math*.

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
/// Of an f32: whether it is better computed with in f64.
inline bool prefersF64(const Expression &x) { return x.place().capabilities.hasFastF64; }

// Like less: false for NaN.
inline Expression greater(const Expression &lhs, const Expression &rhs) { return less(rhs, lhs); }
template <Number T> Expression greater(const Expression &lhs, T rhs) {
  return less(lhs.constant(rhs), lhs);
}
/// Keeps the sign of an integer.
Expression shiftRightSigned(const Expression &source, unsigned amount);
/// The magnitude of one and the sign of another.
Expression withSign(const Expression &magnitude, const Expression &sign);
/// The number if the integer is even, else its negation.
Expression negatedIfOdd(const Expression &number, const Expression &integer);

/// a * b + c, rounded once where the processor can, else twice.
Expression multiplyAdd(const Expression &a, const Expression &b, const Expression &c);
template <Number T> Expression multiplyAdd(const Expression &a, T b, const Expression &c) {
  return multiplyAdd(a, a.constant(b), c);
}
template <Number T> Expression multiplyAdd(const Expression &a, const Expression &b, T c) {
  return multiplyAdd(a, b, a.constant(c));
}

/// c[0] + c[1] x + c[2] x^2 + ...
Expression polynomial(const Expression &x, std::span<const double> c);

//===-- Whole numbers and powers of two -----------------------------------------------------===//

struct FloatLayout {
  int mantissaBits;
  double leastNormal;
  /// 1.5 times 2^mantissaBits: added to a number that is small beside it, it leaves no room
  /// for a fraction, and the low bits of the sum are the integer nearest to that number.
  double rounder;
  int exponentBias;
};
FloatLayout layoutOf(const Expression &x);

/// The integer nearest to a number, as a float and in the low bits of an integer, whose other
/// bits mean nothing.
struct Whole {
  Expression value, lowBits;
};
/// That nearest to x, or to x * factor, of at most 2^(mantissaBits - 2).
Whole nearestWhole(const Expression &x);
Whole nearestWhole(const Expression &x, double factor);

/// 2^n, within the range of normal numbers.
Expression powerOfTwo(const Whole &n);

/// A power of two, by its exponent: as a float; and with twice the bias of exponents added to it,
/// in the low bits of an integer, whose other bits are those of `FloatLayout::rounder`. Of an
/// exponent so biased each half is that of a normal number.
struct Power {
  Expression exponent, twiceBiased;
};
/// That whose exponent is nearest to x, or to x * factor, and at most twice the range of exponents.
Power nearestPower(const Expression &x);
Power nearestPower(const Expression &x, double factor);

/// p times a power of two, rounded once, for p near 1.
Expression scale(const Expression &p, const Power &power);
/// 1 + rest, which is near 1 and rounded, times a power of two, rounded once.
Expression scaleOnePlus(const Expression &rest, const Power &power);

// NaN stays.
Expression atMost(const Expression &x, double limit);
Expression between(double low, const Expression &x, double high);

/// x = 2^exponent * (1 + fraction), with 1 + fraction between 2/3 and 4/3, for x
/// above zero; else anything.
struct Split {
  Expression exponent, fraction;
};
Split split(const Expression &x);
/// Of an x that is not subnormal.
Split splitNormal(const Expression &x);

//===-- Pairs -------------------------------------------------------------------------------===//

/// high + low: a number in twice the bits.
struct Pair {
  Expression high, low;
};

/// With half of the bits: products of two of these are exact.
Expression upperHalf(const Expression &x);

/// a * b - product, exactly, where product is a * b rounded, or a number as close, and nothing
/// overflows or vanishes.
Expression productError(const Expression &a, const Expression &b, const Expression &product);

/// a + b, exactly, where a is zero or the larger.
Pair exactSum(const Expression &a, const Expression &b);

/// a + b, exactly, whichever is the larger.
Pair anySum(const Expression &a, const Expression &b);

/// The quotient, to nearly twice the bits.
Pair divide(const Pair &numerator, const Pair &denominator);

} // namespace tilewright::elementwise::math

#endif // TILEWRIGHT_ELEMENTWISE_MATHFORMULAS_H
