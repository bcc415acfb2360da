// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float operations: the IEEE 754 result, rounded once in the given mode, for f16, bf16, f32 and f64
// (arithmetic, 3.3).
//
// All operands of an operation have the same format. Poison operands give poison. Every operation
// that creates a NaN gives the canonical one. Flushing to zero applies to f32 only: subnormal
// operands count as zeros, and a result that is subnormal after rounding becomes zero.

#ifndef TILEWRIGHT_NUMERICS_FLOAT_H
#define TILEWRIGHT_NUMERICS_FLOAT_H

#include "tilewright/numerics/Element.h"
#include "tilewright/numerics/Modes.h"

namespace tilewright::numerics {

Element addF(Element lhs, Element rhs, RoundingMode rounding = RoundingMode::NearestEven,
             bool flushToZero = false);
Element subF(Element lhs, Element rhs, RoundingMode rounding = RoundingMode::NearestEven,
             bool flushToZero = false);
Element mulF(Element lhs, Element rhs, RoundingMode rounding = RoundingMode::NearestEven,
             bool flushToZero = false);
/// Full and Approx (f32) round to nearest; Approx treats huge divisors differently (arithmetic,
/// 4.15).
Element divF(Element lhs, Element rhs, RoundingMode rounding = RoundingMode::NearestEven,
             bool flushToZero = false);
Element fmaF(Element lhs, Element rhs, Element acc,
             RoundingMode rounding = RoundingMode::NearestEven, bool flushToZero = false);
/// Approx (f32) rounds to nearest.
Element sqrtF(Element source, RoundingMode rounding = RoundingMode::NearestEven,
              bool flushToZero = false);
/// C's fmod: exact, with the sign of lhs.
Element remF(Element lhs, Element rhs);

Element maxF(Element lhs, Element rhs, bool propagateNan = false, bool flushToZero = false);
Element minF(Element lhs, Element rhs, bool propagateNan = false, bool flushToZero = false);

/// Operations on the sign bit only: a NaN keeps its pattern.
Element absF(Element source);
Element negF(Element source);
/// Inf and NaN are returned unchanged.
Element ceilF(Element source);
Element floorF(Element source);

Element cmpF(Predicate predicate, Ordering ordering, Element lhs, Element rhs);

/// Replaces a subnormal f32 by a zero of the same sign.
Element flush(Element value);

} // namespace tilewright::numerics

#endif // TILEWRIGHT_NUMERICS_FLOAT_H
