// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Logarithms. With x = 2^e (1 + f) and 1 + f between 2/3 and 4/3, log x = e ln 2 + f + rest(f),
// where the rest is of the order of f^2, so that its rounding errors hardly matter. The two large
// terms are added exactly, as a sum and its error.

#include "tilewright/elementwise/MathFormulas.h"
#include "tilewright/elementwise/MathFunctions.h"
#include "tilewright/elementwise/MathTables.h"

using namespace tilewright::elementwise;
using namespace tilewright::elementwise::math;

namespace {
/// log(1+f) - f = factor * more - half, where half is f^2/2, and the product is smaller than half.
struct Rest {
  Expression half, factor, more;

  Expression value() const { return multiplyAdd(factor, more, -half); }
};
} // namespace

static Rest restOf(const Expression &f) {
  Expression square = f * f, half = square * 0.5;
  if (!isDouble(f))
    return {half, square * f, polynomial(f, tables::logSingle)};
  // With s = f / (2 + f), log(1+f) = log((1+s)/(1-s)) = 2s + s R(s^2), where 2s = f - s f and
  // s f = (1 - s) f^2 / 2.
  Expression s = f / (f + 2);
  Expression z = s * s;
  return {half, s, multiplyAdd(z, polynomial(z, tables::logRatioDouble), half)};
}

/// The value for positive numbers, and the special values of arithmetic, 3.5 for all others.
static Expression withSpecialValues(const Expression &x, const Expression &value) {
  // The logarithm of infinity or NaN is the argument itself.
  Expression positive = select(less(x, infinity), value, x);
  Expression otherwise = select(equal(x, 0), -infinity, x.constant(notANumber));
  return select(greater(x, 0) | isNan(x), positive, otherwise);
}

Expression math::log(const Expression &x) {
  const double *ln2 = isDouble(x) ? tables::ln2Double : tables::ln2Single;
  auto [e, f] = split(x);
  Pair sum = exactSum(e * ln2[0], f); // the product is exact, too
  return withSpecialValues(x, sum.high + (multiplyAdd(e, ln2[1], sum.low) + restOf(f).value()));
}

Expression math::log2(const Expression &x) {
  const double *log2e = isDouble(x) ? tables::log2eDouble : tables::log2eSingle;
  auto [e, f] = split(x);
  // The product with the upper half of f is exact.
  Expression high = upperHalf(f), low = f - high;
  Pair sum = exactSum(e, high * log2e[0]);
  Expression small = multiplyAdd(f, log2e[1], multiplyAdd(low, log2e[0], sum.low));
  Expression scaleOfRest = x.constant(isDouble(x) ? 0x1.71547652b82fep0 : 0x1.715476p0);
  // The square is added exactly: two roundings here would exceed the error bound.
  Rest rest = restOf(f);
  Pair total = exactSum(sum.high, -(rest.half * scaleOfRest));
  small = total.low + multiplyAdd(rest.factor * rest.more, scaleOfRest, small);
  return withSpecialValues(x, total.high + small);
}
