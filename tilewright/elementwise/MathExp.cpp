// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// exp and exp2: 2^n times a factor between sqrt(1/2) and sqrt(2), which is a polynomial of the
// reduced argument. Arguments are clamped to slightly more than the range in which results are
// finite and nonzero, so that scaling by 2^n produces infinity, zero and rounded subnormals.

#include "tilewright/elementwise/MathFormulas.h"
#include "tilewright/elementwise/MathFunctions.h"
#include "tilewright/elementwise/MathTables.h"

using namespace tilewright::elementwise;
using namespace tilewright::elementwise::math;

Expression math::exp(const Expression &x) {
  bool wide = isDouble(x);
  const double *ln2 = wide ? tables::ln2Double : tables::ln2Single;
  Expression held = wide ? between(-746, x, 710) : between(-104, x, 89);
  Power n = nearestPower(held, wide ? 0x1.71547652b82fep0 : 0x1.715476p0);
  Expression r = multiplyAdd(n.exponent, -ln2[0], held); // exact
  r = multiplyAdd(n.exponent, -ln2[1], r);
  Expression rest = wide ? polynomial(r, tables::expDouble) : polynomial(r, tables::expSingle);
  if (x.place().capabilities.hasFma)
    return scaleOnePlus(multiplyAdd(r * r, rest, r), n);
  // Without FMA, one additional rounding would exceed the error bound: compensate the rounding of 1
  // + r.
  Pair sum = exactSum(x.constant(1), r);
  return scale(sum.high + (sum.low + r * r * rest), n);
}

Expression math::exp2(const Expression &x) {
  bool wide = isDouble(x);
  Expression held = wide ? between(-1076, x, 1025) : between(-151, x, 129);
  Power n = nearestPower(held);
  Expression r = held - n.exponent; // exact
  std::span<const double> c(tables::exp2Single);
  if (wide)
    c = tables::exp2Double;
  if (x.place().capabilities.hasFma)
    return scale(multiplyAdd(r, polynomial(r, c), 1), n);
  // Likewise, and compensate the rounding of r c[0], too.
  Expression large = r * c[0];
  Expression small = productError(r, r.constant(c[0]), large) + r * r * polynomial(r, c.subspan(1));
  Pair sum = exactSum(r.constant(1), large);
  return scale(sum.high + (sum.low + small), n);
}
