// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions. For f32 and f64 they return the exact value rounded to nearest even; for
// f16 and bf16 they return the f32 result rounded again (arithmetic, 3.4). Special values are those
// of C (arithmetic, 3.5).
//
// The modes Full and Approx are the same here: a correctly rounded result satisfies the bounds of
// both. Poison operands give poison; a NaN that is created is canonical.

#ifndef TILEWRIGHT_NUMERICS_MATH_H
#define TILEWRIGHT_NUMERICS_MATH_H

#include "tilewright/numerics/Element.h"
#include "tilewright/numerics/Modes.h"

namespace tilewright::numerics {

Element expF(Element source, RoundingMode rounding = RoundingMode::Full);
Element exp2F(Element source, bool flushToZero = false);
Element logF(Element source);
Element log2F(Element source);
Element sinF(Element source);
Element cosF(Element source);
Element tanF(Element source);
Element sinhF(Element source);
Element coshF(Element source);
Element tanhF(Element source, RoundingMode rounding = RoundingMode::Full);
Element rsqrtF(Element source, bool flushToZero = false);
Element powF(Element source, Element exponent);
/// A float to the power of an integer, which is read as signed whatever its width. Special values
/// are those of `powF`; x^0 is 1, even if x is NaN.
Element powI(Element source, Element exponent);
/// The angle of the point (y = numerator, x = denominator), as in C's atan2. The dialect names
/// these operands x and y, in this order (arithmetic, 4.19).
Element atan2F(Element numerator, Element denominator);

} // namespace tilewright::numerics

#endif // TILEWRIGHT_NUMERICS_MATH_H
