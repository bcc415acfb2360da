// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sine, cosine and tangent. A multiple of pi or pi/2 is subtracted from the argument, with pi in
// several parts so that the products are exact; a polynomial evaluates the rest. f32 functions are
// computed in f64, which takes no more instructions than compensated f32 arithmetic would. Where
// f64 is slow, only huge arguments use it.

#include "tilewright/elementwise/MathFormulas.h"
#include "tilewright/elementwise/MathFunctions.h"
#include "tilewright/elementwise/MathReduce.h"
#include "tilewright/elementwise/MathTables.h"

using namespace tilewright::elementwise;
using namespace tilewright::elementwise::math;

static Expression isOdd(const Expression &integer) { return !equal(integer & 1, 0); }

//===-- f32 ---------------------------------------------------------------------------------===//

/// The angle in [-pi/2, pi/2] whose sine equals the sine (or cosine) of this angle.
static Expression foldedSine(const Angle &angle, bool cosine) {
  constexpr double halfPi = 0x1.921fb54442d18p0;
  Expression quadrant = cosine ? angle.quadrant + 1 : angle.quadrant;
  Expression folded = select(isOdd(quadrant), halfPi - magnitude(angle.high), angle.high);
  return negatedIfOdd(folded, quadrant >> 1);
}

/// sin x, or cos x = sin(x + pi/2), for an f32. With x = h pi + r, where h is an integer for the
/// sine and a half-integer for the cosine, the result is the sine of r, up to the sign.
static Expression sineOrCosine(const Expression &single, bool cosine) {
  constexpr double perPi = 0x1.45f306dc9c883p-2;
  Expression x = toF64(single);
  Whole n = cosine ? nearestWhole(multiplyAdd(x, perPi, x.constant(-0.5))) : nearestWhole(x, perPi);
  Expression h = cosine ? n.value + 0.5 : n.value;
  Expression r = multiplyAdd(h, -tables::piDouble[0], x);
  r = multiplyAdd(h, -tables::piDouble[1], r);
  r = negatedIfOdd(r, cosine ? n.lowBits + 1 : n.lowBits);
  r = whereHuge(single, {r}, [&](const Angle &angle) -> llvm::SmallVector<Expression> {
    return {foldedSine(angle, cosine)};
  })[0];
  Expression z = r * r;
  return toF32(r * multiplyAdd(z, polynomial(z, tables::sineShort), 1));
}

static Expression tangentOfSingle(const Expression &single) {
  constexpr double perHalfPi = 0x1.45f306dc9c883p-1;
  const double *halfPi = tables::halfPiDouble;
  Expression x = toF64(single);
  Whole n = nearestWhole(x, perHalfPi);
  Expression r = multiplyAdd(n.value, -halfPi[0], x);
  r = multiplyAdd(n.value, -(halfPi[1] + halfPi[2]), r);
  auto angle =
      whereHuge(x, {r, n.lowBits}, [&](const Angle &angle) -> llvm::SmallVector<Expression> {
        return {angle.high, angle.quadrant};
      });
  r = angle[0];
  Expression odd = isOdd(angle[1]);
  Expression z = r * r;
  Expression sine = r * multiplyAdd(z, polynomial(z, tables::sineEighthShort), 1);
  Expression cosine = multiplyAdd(z * z, polynomial(z, tables::cosineEighthShort),
                                  multiplyAdd(z, -0.5, z.constant(1)));
  return toF32(select(odd, -cosine, sine) / select(odd, sine, cosine));
}

//===-- f32 in f32 --------------------------------------------------------------------------===//

/// The angle of an f32, without the low part. The first difference is exact, and the distance of an
/// f32 from the nearest multiple of pi/2 exceeds the rounding errors of the other two.
static Angle narrowAngleOf(const Expression &x) {
  const double *halfPi = tables::halfPiSingle;
  Whole n = nearestWhole(x, 0x1.45f306p-1);
  Expression r = multiplyAdd(n.value, -halfPi[0], x);
  r = multiplyAdd(n.value, -halfPi[1], r);
  r = multiplyAdd(n.value, -halfPi[2], r);
  auto angle =
      whereHuge(x, {r, n.lowBits}, [&](const Angle &angle) -> llvm::SmallVector<Expression> {
        return {toF32(angle.high), unsignedTo(32, angle.quadrant)};
      });
  return {angle[0], x.constant(0), angle[1]};
}

static Expression narrowSineOf(const Expression &r) {
  Expression z = r * r;
  return multiplyAdd(r * z, polynomial(z, tables::sineEighthSingle), r);
}

static Expression narrowCosineOf(const Expression &r) {
  Expression z = r * r;
  Expression rest = multiplyAdd(z, polynomial(z, tables::cosineEighthSingle), -0.5);
  return multiplyAdd(z, rest, 1);
}

static Expression narrowSineOrCosine(const Expression &x, bool cosine) {
  Angle angle = narrowAngleOf(x);
  Expression quadrant = cosine ? angle.quadrant + 1 : angle.quadrant;
  Expression value = select(isOdd(quadrant), narrowCosineOf(angle.high), narrowSineOf(angle.high));
  value = negatedIfOdd(value, quadrant >> 1);
  return cosine ? value : select(equal(x, 0), x, value); // for -0, the terms add up to +0
}

static Expression narrowTangent(const Expression &x) {
  Angle angle = narrowAngleOf(x);
  Expression odd = isOdd(angle.quadrant);
  Expression sine = narrowSineOf(angle.high), cosine = narrowCosineOf(angle.high);
  return select(equal(x, 0), x, select(odd, -cosine, sine) / select(odd, sine, cosine));
}

//===-- f64 ---------------------------------------------------------------------------------===//

/// The angle of an f64. Products with the first parts of pi/2 are exact, and so is the first
/// difference. The next two are computed as pairs, because all digits of the first may cancel.
static Angle angleOf(const Expression &x) {
  constexpr double perHalfPi = 0x1.45f306dc9c883p-1;
  const double *halfPi = tables::halfPiDouble;
  Whole n = nearestWhole(x, perHalfPi);
  Expression exact = multiplyAdd(n.value, -halfPi[0], x);
  Pair first = anySum(exact, n.value * -halfPi[1]);
  Pair second = anySum(first.high, n.value * -halfPi[2]);
  Expression low = multiplyAdd(n.value, -halfPi[3], first.low + second.low);
  Pair sum = exactSum(second.high, low);
  auto angle = whereHuge(x, {sum.high, sum.low, n.lowBits},
                         [&](const Angle &angle) -> llvm::SmallVector<Expression> {
                           return {angle.high, angle.low, angle.quadrant};
                         });
  return {angle[0], angle[1], angle[2]};
}

/// sin(r + low), as a pair.
static Pair sineOf(const Expression &r, const Expression &low) {
  Expression z = r * r;
  Expression small =
      multiplyAdd(r * z, polynomial(z, tables::sineEighthDouble), multiplyAdd(z * -0.5, low, low));
  return exactSum(r, small);
}

/// cos(r + low), as a pair.
static Pair cosineOf(const Expression &r, const Expression &low) {
  Expression z = r * r;
  Expression half = z * 0.5;
  Pair large = exactSum(r.constant(1), -half);
  Expression small = multiplyAdd(z * z, polynomial(z, tables::cosineEighthDouble), -(r * low));
  return exactSum(large.high, large.low + small);
}

static Expression sineOrCosineOfDouble(const Expression &x, bool cosine) {
  Angle angle = angleOf(x);
  Expression quadrant = cosine ? angle.quadrant + 1 : angle.quadrant;
  Expression value = select(isOdd(quadrant), cosineOf(angle.high, angle.low).high,
                            sineOf(angle.high, angle.low).high);
  value = negatedIfOdd(value, quadrant >> 1);
  return cosine ? value : select(equal(x, 0), x, value); // for -0, the terms add up to +0
}

static Expression tangentOfDouble(const Expression &x) {
  Angle angle = angleOf(x);
  Expression odd = isOdd(angle.quadrant);
  Pair sine = sineOf(angle.high, angle.low), cosine = cosineOf(angle.high, angle.low);
  Pair quotient = divide({select(odd, -cosine.high, sine.high), select(odd, -cosine.low, sine.low)},
                         {select(odd, sine.high, cosine.high), select(odd, sine.low, cosine.low)});
  return select(equal(x, 0), x, quotient.high + quotient.low);
}

// ===-- f32 or f64 --------------------------------------------------------------------------===//

static Expression anySineOrCosine(const Expression &x, bool cosine) {
  if (isDouble(x))
    return sineOrCosineOfDouble(x, cosine);
  return prefersF64(x) ? sineOrCosine(x, cosine) : narrowSineOrCosine(x, cosine);
}

Expression math::sin(const Expression &x) { return anySineOrCosine(x, false); }
Expression math::cos(const Expression &x) { return anySineOrCosine(x, true); }
Expression math::tan(const Expression &x) {
  if (isDouble(x))
    return tangentOfDouble(x);
  return prefersF64(x) ? tangentOfSingle(x) : narrowTangent(x);
}
