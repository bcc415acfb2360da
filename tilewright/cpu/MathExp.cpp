// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are e^x and 2^x computed? As 2^n times a factor between sqrt(1/2) and sqrt(2), which
// is a polynomial of what remains of x. Arguments are held within the range in which
// results are finite and not zero, and a little beyond it, so that the scaling by 2^n
// makes the infinity, the zero and the rounding of subnormal results.

#include "tilewright/cpu/MathFormulas.h"
#include "tilewright/cpu/MathFunctions.h"
#include "tilewright/cpu/MathTables.h"

using namespace tilewright::cpu;
using namespace tilewright::cpu::math;

Expression math::exp(const Expression &x) {
  bool wide = isDouble(x);
  const double *ln2 = wide ? tables::ln2Double : tables::ln2Single;
  Expression held = wide ? between(-746, x, 710) : between(-104, x, 89);
  Whole n = nearestWhole(held, wide ? 0x1.71547652b82fep0 : 0x1.715476p0);
  Expression r = multiplyAdd(n.value, -ln2[0], held); // exact
  r = multiplyAdd(n.value, -ln2[1], r);
  Expression rest = wide ? polynomial(r, tables::expDouble) : polynomial(r, tables::expSingle);
  return scale(1 + multiplyAdd(r * r, rest, r), n);
}

/// 1 + r (c[0] + c[1] r + ...), for |r| <= 1/2.
static Expression factorOf(const Expression &r, std::span<const double> c) {
  if (r.place().target.hasFma)
    return multiplyAdd(r, polynomial(r, c), 1);
  // Two more roundings, of r c[0], would be too many: what they lose is added at the end.
  Expression large = r * c[0];
  Expression small = productError(r, r.constant(c[0]), large) + r * r * polynomial(r, c.subspan(1));
  Pair sum = exactSum(r.constant(1), large);
  return sum.high + (sum.low + small);
}

Expression math::exp2(const Expression &x) {
  bool wide = isDouble(x);
  Expression held = wide ? between(-1076, x, 1025) : between(-151, x, 129);
  Whole n = nearestWhole(held);
  Expression r = held - n.value; // exact
  return scale(wide ? factorOf(r, tables::exp2Double) : factorOf(r, tables::exp2Single), n);
}
