// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are sinh, cosh and tanh computed? With x = n ln 2 + r, e^x = 2^n (C + S) and
// e^-x = 2^-n (C - S), where C = cosh r and S = sinh r are short polynomials: no term is
// lost to another for small arguments, where n = 0, nor for large ones. For f32 all is in
// f64. Magnitudes are computed; the sign of the argument is put on them.

#include "tilewright/cpu/MathFormulas.h"
#include "tilewright/cpu/MathFunctions.h"
#include "tilewright/cpu/MathTables.h"

#include <span>

using namespace tilewright::cpu;
using namespace tilewright::cpu::math;

namespace {
/// x = n ln 2 + high + low.
struct Reduced {
  Whole n;
  Expression high, low;
};

/// Both functions, up to the overflow of either.
struct Hyperbolic {
  Expression sine, cosine;
};
} // namespace

/// x is an f64.
static Reduced reduce(const Expression &x) {
  Whole n = nearestWhole(x, 0x1.71547652b82fep0);
  Expression exact = multiplyAdd(n.value, -tables::ln2Double[0], x);
  Expression high = multiplyAdd(n.value, -tables::ln2Double[1], exact);
  Expression low = multiplyAdd(n.value, -tables::ln2Double[1], exact - high);
  return {n, high, low};
}

/// x is an f64, at least zero and at most so large that both functions overflow.
static Hyperbolic hyperbolic(const Expression &x, std::span<const double> sinhTable,
                             std::span<const double> coshTable) {
  auto [n, r, low] = reduce(x);
  Expression z = r * r;
  Expression sine = r * z * polynomial(z, sinhTable); // without r
  Expression cosine = z * polynomial(z, coshTable);   // without 1
  // 2^n/2 and 2^-n/2. Where the one is near overflow the other is nothing beside it, and both
  // are taken for a smaller n.
  constexpr double nearOverflow = 600;
  Expression isLarge = greater(x, nearOverflow);
  Expression shift = select(isLarge, n.lowBits - 64, n.lowBits) << 52;
  Expression half = bitsOf(x.constant(0.5));
  Expression up = asFloat(half + shift), down = asFloat(half - shift);
  Expression sum = up + down, difference = up - down;
  Expression back = select(isLarge, 0x1p64, x.constant(1));
  auto combine = [&](const Expression &a, const Expression &b) {
    // a (1 + cosine) + b (r + low + sine), the large terms last.
    Expression small = multiplyAdd(a, cosine, b * (sine + low));
    return (multiplyAdd(b, r, small) + a) * back;
  };
  return {combine(difference, sum), combine(sum, difference)};
}

static Hyperbolic hyperbolic(const Expression &x) {
  if (isDouble(x))
    return hyperbolic(atMost(magnitude(x), 711), tables::sinhDouble, tables::coshDouble);
  return hyperbolic(atMost(toF64(magnitude(x)), 100), tables::sinhShort, tables::coshShort);
}

static Expression rounded(const Expression &value, const Expression &like) {
  return isDouble(like) ? value : toF32(value);
}

Expression math::sinh(const Expression &x) { return withSign(rounded(hyperbolic(x).sine, x), x); }

Expression math::cosh(const Expression &x) { return rounded(hyperbolic(x).cosine, x); }

/// (e^2x - 1) / (e^2x + 1), numerator and denominator as pairs.
static Expression tanhOfDouble(const Expression &x) {
  auto [n, r, low] = reduce(atMost(magnitude(x), 30) * 2);
  Expression power = powerOfTwo(n);
  Expression large = power * r; // exact, as the power itself
  Expression small = power * multiplyAdd(r * r, polynomial(r, tables::expDouble), low);
  auto plus = [&](double one) -> Pair {
    Pair sum = exactSum(power + one, large);
    return exactSum(sum.high, sum.low + small);
  };
  Pair quotient = divide(plus(-1), plus(1));
  return withSign(quotient.high + quotient.low, x);
}

Expression math::tanh(const Expression &x) {
  if (isDouble(x))
    return tanhOfDouble(x);
  Hyperbolic h = hyperbolic(atMost(toF64(magnitude(x)), 20), tables::sinhShort, tables::coshShort);
  return withSign(toF32(h.sine / h.cosine), x);
}
