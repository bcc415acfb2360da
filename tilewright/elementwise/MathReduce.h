// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Argument reduction for huge angles (Payne and Hanek): the fraction of x times 2/pi, for which
// 2/pi has to be known to a thousand bits. Few arguments need it, so its code is outside the loops,
// and a branch is taken only if some lane needs it.
//
// Internal to Math*.

#ifndef TILEWRIGHT_ELEMENTWISE_MATHREDUCE_H
#define TILEWRIGHT_ELEMENTWISE_MATHREDUCE_H

#include "tilewright/elementwise/ArithmeticExpression.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace tilewright::elementwise::math {

/// The angle is quadrant * pi/2 + high + low, with |high| <= pi/4 (slightly more is allowed). Only
/// the low bits of quadrant matter. NaN for the angle of an infinity.
struct Angle {
  Expression high, low, quadrant;
};

/// Arguments up to this magnitude are reduced by subtraction.
inline constexpr double hugeAngle = 0x1p20;

/// Returns `values`, replaced by the results of `fromAngle`, which have the same types, for
/// arguments beyond `hugeAngle`. The angle is in f64, even if the arguments are f32.
llvm::SmallVector<Expression>
whereHuge(const Expression &x, llvm::ArrayRef<Expression> values,
          llvm::function_ref<llvm::SmallVector<Expression>(const Angle &)> fromAngle);

} // namespace tilewright::elementwise::math

#endif // TILEWRIGHT_ELEMENTWISE_MATHREDUCE_H
