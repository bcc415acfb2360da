// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do the mathematical functions compute? For f32 and f64 the real value rounded
// to nearest even, always; for f16 and bf16 the f32 result rounded once more
// (arithmetic, 3.4). Special values are those of C (arithmetic, 3.5).
//
// The modes Full and Approx name the same function here: a correctly rounded result
// is within the bounds of both. Poison in, poison out; a NaN made is canonical.

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
/// The float to the power of an integer, which is read signed whatever its width. The special
/// values are those of `powF`; x^0 is 1, that of a NaN too.
Element powI(Element source, Element exponent);
/// The angle of the point (y = numerator, x = denominator), as C's atan2. The
/// dialect calls these operands x and y, in this order (arithmetic, 4.19).
Element atan2F(Element numerator, Element denominator);

} // namespace tilewright::numerics

#endif // TILEWRIGHT_NUMERICS_MATH_H
