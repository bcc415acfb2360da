// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// atan2: the arctangent of the smaller coordinate divided by the larger one, with a reflection for
// each comparison that moved the point into that eighth of the plane.

#include "tilewright/elementwise/MathFormulas.h"
#include "tilewright/elementwise/MathFunctions.h"
#include "tilewright/elementwise/MathTables.h"

using namespace tilewright::elementwise;
using namespace tilewright::elementwise::math;

/// The sign bit, also for zeros and infinities.
static Expression isNegative(const Expression &x) { return less(withSign(x.constant(1), x), 0); }

static Expression angleOfSingles(const Expression &numerator, const Expression &denominator) {
  constexpr double pi = 0x1.921fb54442d18p1;
  Expression y = toF64(magnitude(numerator)), x = toF64(magnitude(denominator));
  Expression steep = less(x, y);
  Expression ratio = select(steep, x, y) / select(steep, y, x);
  ratio = select(equal(x, y), select(greater(x, 0), 1, x), ratio); // 0/0 = 0, Inf/Inf = 1
  Expression z = ratio * ratio;
  Expression angle = ratio * multiplyAdd(z, polynomial(z, tables::arctangentShort), 1);
  angle = select(steep, pi / 2 - angle, angle);
  angle = select(isNegative(denominator), pi - angle, angle);
  return withSign(toF32(angle), numerator);
}

/// The same in f32: k pi/2 plus or minus the arctangent, with pi/2 in two parts.
static Expression narrowAngle(const Expression &numerator, const Expression &denominator) {
  const double *halfPi = tables::halfPiSingle;
  Expression y = magnitude(numerator), x = magnitude(denominator);
  Expression steep = less(x, y), flipped = isNegative(denominator);
  Expression ratio = select(steep, x, y) / select(steep, y, x);
  ratio = select(equal(x, y), select(greater(x, 0), 1, x), ratio); // 0/0 = 0, Inf/Inf = 1
  Expression z = ratio * ratio;
  Expression angle = multiplyAdd(ratio * z, polynomial(z, tables::arctangentSingle), ratio);
  Expression zero = x.constant(0);
  Expression k = select(steep, x.constant(1), select(flipped, x.constant(2), zero));
  Expression rest = multiplyAdd(k, halfPi[1], select(steep ^ flipped, -angle, angle));
  return withSign(multiplyAdd(k, halfPi[0], rest), numerator);
}

/// The arctangent of a quotient, computed in pairs. Above tan(pi/8), the angle from the diagonal is
/// computed instead, by atan(q) = pi/4 + atan((q - 1)/(q + 1)), so that the polynomial is short.
static Expression angleOfDoubles(const Expression &numerator, const Expression &denominator) {
  Expression y = magnitude(numerator), x = magnitude(denominator);
  Expression steep = less(x, y);
  Expression large = select(steep, y, x), small = select(steep, x, y);
  // The scaling avoids sums that overflow and products that are subnormal.
  Expression factor =
      select(greater(large, 0x1p1000), 0x1p-100, select(less(large, 1), 0x1p500, x.constant(1)));
  Expression zero = x.constant(0), same = equal(x, y); // 0/0 = 0 and Inf/Inf = 1
  Expression a = select(same, select(greater(x, 0), 1, zero), small * factor);
  Expression b = select(same, 1, large * factor);

  Expression nearDiagonal = greater(a, b * 0x1.a827999fcef32p-2);
  Pair difference = exactSum(-b, a), sum = exactSum(b, a);
  Pair q =
      divide({select(nearDiagonal, difference.high, a), select(nearDiagonal, difference.low, zero)},
             {select(nearDiagonal, sum.high, b), select(nearDiagonal, sum.low, zero)});
  // The error of a subnormal quotient is unknown.
  Expression low = select(less(magnitude(q.high), 0x1p-900), zero, q.low);
  Expression z = q.high * q.high;
  Expression rest = multiplyAdd(q.high * z, polynomial(z, tables::arctangentDouble), low - z * low);

  // k pi/4, plus or minus the angle.
  Expression k = select(nearDiagonal, 1, zero);
  k = select(steep, 2 - k, k);
  Expression flipped = isNegative(denominator);
  k = select(flipped, 4 - k, k);
  Expression sign = select(steep ^ flipped, -1, x.constant(1));
  const double *eighth = tables::eighthTurnDouble;
  Pair total = exactSum(k * eighth[0], sign * q.high);
  Expression angle = total.high + (total.low + multiplyAdd(sign, rest, k * eighth[1]));
  return withSign(angle, numerator);
}

Expression math::atan2(const Expression &numerator, const Expression &denominator) {
  if (isDouble(numerator))
    return angleOfDoubles(numerator, denominator);
  return prefersF64(numerator) ? angleOfSingles(numerator, denominator)
                               : narrowAngle(numerator, denominator);
}
