// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which angle within an eighth of a turn has the sine of 10^300? The fraction of that
// argument times 2/pi, for which 2/pi must be known to a thousand bits. Few arguments need
// it: code for it is outside of the loops, and branched to where a lane does.
//
// Only for the sources of Math*.

#ifndef TILEWRIGHT_ELEMENTWISE_MATHREDUCE_H
#define TILEWRIGHT_ELEMENTWISE_MATHREDUCE_H

#include "tilewright/elementwise/ArithmeticExpression.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace tilewright::elementwise::math {

/// quadrant * pi/2 + high + low, where |high| <= pi/4 (a little more is allowed) and only the
/// low bits of quadrant count. NaN if it is the angle of an infinity.
struct Angle {
  Expression high, low, quadrant;
};

/// Arguments up to this have their angle found by subtraction.
inline constexpr double hugeAngle = 0x1p20;

/// `values`, but for arguments beyond `hugeAngle` those that `fromAngle` makes of the same types;
/// the angle is in f64, even where the arguments are f32.
llvm::SmallVector<Expression>
whereHuge(const Expression &x, llvm::ArrayRef<Expression> values,
          llvm::function_ref<llvm::SmallVector<Expression>(const Angle &)> fromAngle);

} // namespace tilewright::elementwise::math

#endif // TILEWRIGHT_ELEMENTWISE_MATHREDUCE_H
