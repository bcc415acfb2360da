// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer operations. Both readings of an element, signed and unsigned, fit into 128 bits, and so
// do sums and products of two elements. Each operation is therefore computed by its mathematical
// definition in 128 bits and truncated to the width (arithmetic, 3.1).
//
// All operands of an operation have the same format. Poison operands give poison.

#ifndef TILEWRIGHT_NUMERICS_INTEGER_H
#define TILEWRIGHT_NUMERICS_INTEGER_H

#include "tilewright/numerics/Element.h"
#include "tilewright/numerics/Modes.h"

namespace tilewright::numerics {

// The result is poison if the overflow assumption is false.
Element addI(Element lhs, Element rhs, Overflow assumption = Overflow::None);
Element subI(Element lhs, Element rhs, Overflow assumption = Overflow::None);
Element mulI(Element lhs, Element rhs, Overflow assumption = Overflow::None);
/// Shifting by the width or more is unspecified; here it gives 0.
Element shlI(Element lhs, Element rhs, Overflow assumption = Overflow::None);
/// Shifting by the width or more is unspecified; here it fills with zeros or the sign.
Element shrI(Element lhs, Element rhs, Signedness signedness);
Element negI(Element source, Overflow assumption = Overflow::None);

/// The upper half of the unsigned product.
Element mulhU(Element lhs, Element rhs);
/// Poison for a zero divisor and if the quotient is out of range. Rounding is Zero, NegativeInf
/// (also for unsigned, where it equals Zero) or PositiveInf.
Element divI(Element lhs, Element rhs, Signedness signedness,
             RoundingMode rounding = RoundingMode::Zero);
/// The result has the sign of lhs. Poison for a zero divisor; the smallest number by -1 gives 0.
Element remI(Element lhs, Element rhs, Signedness signedness);

Element maxI(Element lhs, Element rhs, Signedness signedness);
Element minI(Element lhs, Element rhs, Signedness signedness);
Element absI(Element source);
Element andI(Element lhs, Element rhs);
Element orI(Element lhs, Element rhs);
Element xorI(Element lhs, Element rhs);
Element cmpI(Predicate predicate, Element lhs, Element rhs, Signedness signedness);

Element extI(Element source, Format to, Signedness signedness);
Element truncI(Element source, Format to, Overflow assumption = Overflow::None);

Element intToPtr(Element source);
Element ptrToInt(Element source);

} // namespace tilewright::numerics

#endif // TILEWRIGHT_NUMERICS_INTEGER_H
