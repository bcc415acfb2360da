// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do the integer operations compute? Both readings of an element fit into 128
// bits together with every sum and product of two of them, so each operation is its
// mathematical definition, computed there and cut to the width (arithmetic, 3.1).
//
// Operands of one operation have one format. Poison in, poison out.

#ifndef TILEWRIGHT_NUMERICS_INTEGER_H
#define TILEWRIGHT_NUMERICS_INTEGER_H

#include "tilewright/numerics/Element.h"
#include "tilewright/numerics/Modes.h"

namespace tilewright::numerics {

// The result is poison if the overflow assumption is false.
Element addI(Element lhs, Element rhs, Overflow promise = Overflow::None);
Element subI(Element lhs, Element rhs, Overflow promise = Overflow::None);
Element mulI(Element lhs, Element rhs, Overflow promise = Overflow::None);
/// Shifting by the width or more is unspecified; here it gives 0.
Element shlI(Element lhs, Element rhs, Overflow promise = Overflow::None);
/// Shifting by the width or more is unspecified; here it fills with zeros or the sign.
Element shrI(Element lhs, Element rhs, Signedness signedness);
Element negI(Element source, Overflow promise = Overflow::None);

/// The upper half of the unsigned product.
Element mulhU(Element lhs, Element rhs);
/// Poison for a zero divisor and for a quotient out of range. Rounding: Zero,
/// NegativeInf (also unsigned, where it equals Zero) or PositiveInf.
Element divI(Element lhs, Element rhs, Signedness signedness,
             RoundingMode rounding = RoundingMode::Zero);
/// Sign of lhs. Poison for a zero divisor; the smallest number by -1 gives 0.
Element remI(Element lhs, Element rhs, Signedness signedness);

Element maxI(Element lhs, Element rhs, Signedness signedness);
Element minI(Element lhs, Element rhs, Signedness signedness);
Element absI(Element source);
Element andI(Element lhs, Element rhs);
Element orI(Element lhs, Element rhs);
Element xorI(Element lhs, Element rhs);
Element cmpI(Predicate predicate, Element lhs, Element rhs, Signedness signedness);

Element extI(Element source, Format to, Signedness signedness);
Element truncI(Element source, Format to, Overflow promise = Overflow::None);

Element intToPtr(Element source);
Element ptrToInt(Element source);

} // namespace tilewright::numerics

#endif // TILEWRIGHT_NUMERICS_INTEGER_H
