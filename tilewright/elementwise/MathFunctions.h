// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declares the expansion of each mathematical function, by file; Math.cpp selects one.
//
// Internal to Math*.

#ifndef TILEWRIGHT_ELEMENTWISE_MATHFUNCTIONS_H
#define TILEWRIGHT_ELEMENTWISE_MATHFUNCTIONS_H

#include "tilewright/elementwise/ArithmeticExpression.h"

namespace tilewright::elementwise::math {

// MathExp.cpp
Expression exp(const Expression &x);
Expression exp2(const Expression &x);

// MathLog.cpp
Expression log(const Expression &x);
Expression log2(const Expression &x);

// MathHyperbolic.cpp
Expression sinh(const Expression &x);
Expression cosh(const Expression &x);
Expression tanh(const Expression &x);

// MathTrigonometric.cpp
Expression sin(const Expression &x);
Expression cos(const Expression &x);
Expression tan(const Expression &x);

// MathPower.cpp
Expression rsqrt(const Expression &x);
Expression pow(const Expression &base, const Expression &exponent);
Expression powInteger(const Expression &base, const Expression &exponent);

// MathAngle.cpp
Expression atan2(const Expression &numerator, const Expression &denominator);

} // namespace tilewright::elementwise::math

#endif // TILEWRIGHT_ELEMENTWISE_MATHFUNCTIONS_H
