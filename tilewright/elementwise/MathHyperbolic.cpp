// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sinh, cosh and tanh. With x = n ln 2 + r, e^x = 2^n (C + S) and e^-x = 2^-n (C - S), where C =
// cosh r and S = sinh r are short polynomials: there is no cancellation, neither for small
// arguments, where n = 0, nor for large ones. tanh is (e^2x - 1) / (e^2x + 1), with the numerator
// computed without cancellation. f32 functions are computed in f64; where that is slow, small
// arguments have their own polynomials, and others are far from a cancellation. All functions are
// computed for the magnitude and get the sign of the argument.

#include "tilewright/elementwise/MathFormulas.h"
#include "tilewright/elementwise/MathFunctions.h"
#include "tilewright/elementwise/MathTables.h"

#include <span>

using namespace tilewright::elementwise;
using namespace tilewright::elementwise::math;

namespace {
/// x = n ln 2 + r, where r is an exact difference rounded once.
struct Reduced {
  Whole n;
  Expression difference, r;

  /// The rounding error of r.
  Expression low() const { return multiplyAdd(n.value, -tables::ln2Double[1], difference - r); }
};

struct Hyperbolic {
  Expression sine, cosine;
};
} // namespace

/// x is an f64.
static Reduced reduce(const Expression &x) {
  Whole n = nearestWhole(x, 0x1.71547652b82fep0);
  Expression difference = multiplyAdd(n.value, -tables::ln2Double[0], x);
  return {n, difference, multiplyAdd(n.value, -tables::ln2Double[1], difference)};
}

//===-- sinh and cosh -----------------------------------------------------------------------===//

/// x is a nonnegative f32.
static Hyperbolic hyperbolicOfSingle(const Expression &x) {
  auto [n, difference, r] = reduce(toF64(atMost(x, 100))); // sinh and cosh overflow above
  Expression z = r * r;
  Expression sine = r * multiplyAdd(z, polynomial(z, tables::sinhShort), 1);
  Expression cosine = multiplyAdd(z, polynomial(z, tables::coshShort), 1);
  Expression half = bitsOf(sine.constant(0.5)), shift = n.lowBits << 52;
  Expression up = asFloat(half + shift), down = asFloat(half - shift);
  Expression sum = up + down, gap = up - down;
  return {toF32(multiplyAdd(gap, cosine, sum * sine)), toF32(multiplyAdd(sum, cosine, gap * sine))};
}

/// x is a nonnegative f64.
static Hyperbolic hyperbolicOfDouble(const Expression &x) {
  Reduced reduced = reduce(atMost(x, 711)); // sinh and cosh overflow above
  auto [n, difference, r] = reduced;
  Expression z = r * r;
  Expression sine = r * z * polynomial(z, tables::sinhDouble); // without r
  Expression cosine = z * polynomial(z, tables::coshDouble);   // without 1
  // 2^n/2 and 2^-n/2. If the first is near overflow, the second is negligible, and both are
  // computed for a smaller n.
  constexpr double nearOverflow = 600;
  Expression isLarge = greater(x, nearOverflow);
  Expression shift = select(isLarge, n.lowBits - 64, n.lowBits) << 52;
  Expression half = bitsOf(x.constant(0.5)), low = reduced.low();
  Expression up = asFloat(half + shift), down = asFloat(half - shift);
  Expression sum = up + down, gap = up - down;
  Expression back = select(isLarge, 0x1p64, x.constant(1));
  auto combine = [&](const Expression &a, const Expression &b) {
    // a (1 + cosine) + b (r + low + sine), adding the large terms last.
    Expression small = multiplyAdd(a, cosine, b * (sine + low));
    return (multiplyAdd(b, r, small) + a) * back;
  };
  return {combine(gap, sum), combine(sum, gap)};
}

/// e^x in f32, times 2^power.
static Expression narrowExp(const Expression &x, int64_t power) {
  const double *ln2 = tables::ln2Single;
  Power n = nearestPower(x, 0x1.715476p0);
  Expression r = multiplyAdd(n.exponent, -ln2[0], x); // exact
  r = multiplyAdd(n.exponent, -ln2[1], r);
  Expression rest = multiplyAdd(r * r, polynomial(r, tables::expSingle), r);
  return scaleOnePlus(rest, {n.exponent + double(power), n.twiceBiased + power});
}

/// x + x^3 p(x^2)
static Expression oddPolynomial(const Expression &x, std::span<const double> p) {
  Expression z = x * x;
  return multiplyAdd(x * z, polynomial(z, p), x);
}

/// The same in f32, from e^x / 2 and its reciprocal.
static Hyperbolic narrowHyperbolic(const Expression &x) {
  Expression half = narrowExp(atMost(x, 90), -1); // sinh and cosh overflow above
  Expression other = 0.25 / half;
  return {select(less(x, 1), oddPolynomial(x, tables::sinhSingle), half - other), half + other};
}

static Hyperbolic hyperbolic(const Expression &x) {
  Expression size = magnitude(x);
  if (isDouble(x))
    return hyperbolicOfDouble(size);
  return prefersF64(x) ? hyperbolicOfSingle(size) : narrowHyperbolic(size);
}

Expression math::sinh(const Expression &x) { return withSign(hyperbolic(x).sine, x); }
Expression math::cosh(const Expression &x) { return hyperbolic(x).cosine; }

//===-- tanh --------------------------------------------------------------------------------===//

/// With e^r = 1 + p, e^2x - 1 = 2^n p + (2^n - 1), where the parenthesis is exact.
static Expression tanhOfSingle(const Expression &x) {
  auto [n, difference, r] = reduce(toF64(atMost(x, 20) * 2)); // tanh is 1 from 10 on
  Expression p = multiplyAdd(r * r, polynomial(r, tables::expShort), r);
  Expression power = powerOfTwo(n);
  Expression numerator = multiplyAdd(power, p, power - 1);
  return toF32(numerator / (numerator + 2));
}

/// The same, with numerator and denominator as pairs.
static Expression tanhOfDouble(const Expression &x) {
  Reduced reduced = reduce(atMost(x * 2, 60)); // tanh is 1 from 38 on
  auto [n, difference, r] = reduced;
  Expression power = powerOfTwo(n);
  Expression large = power * r; // exact, like the power itself
  Expression small = power * multiplyAdd(r * r, polynomial(r, tables::expDouble), reduced.low());
  auto plus = [&](double one) -> Pair {
    Pair whole = exactSum(power, x.constant(one));
    Pair sum = exactSum(whole.high, large);
    return exactSum(sum.high, sum.low + (whole.low + small));
  };
  Pair quotient = divide(plus(-1), plus(1));
  return quotient.high + quotient.low;
}

/// In f32: 1 - 2 / (e^2x + 1).
static Expression narrowTanh(const Expression &x) {
  Expression large = 1 - 2 / (narrowExp(atMost(x, 10) * 2, 0) + 1); // tanh is 1 from 10 on
  return select(less(x, 0.625), oddPolynomial(x, tables::tanhSingle), large);
}

Expression math::tanh(const Expression &x) {
  Expression size = magnitude(x);
  if (isDouble(x))
    return withSign(tanhOfDouble(size), x);
  return withSign(prefersF64(x) ? tanhOfSingle(size) : narrowTanh(size), x);
}
