// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Correct rounding for results that the C library computes too imprecisely to round. The result is
// computed with increasing precision until an interval around it contains no rounding boundary.
// Results exactly on a boundary, for which no precision suffices, are found first by integer
// arithmetic.
//
// Internal to this room.

#ifndef TILEWRIGHT_NUMERICS_MATHEXACT_H
#define TILEWRIGHT_NUMERICS_MATHEXACT_H

#include "tilewright/numerics/Element.h"
#include "tilewright/numerics/MathFunction.h"

namespace tilewright::numerics {

/// The function at x (at x and y for pow and atan2), rounded to nearest even to f32 or f64. The
/// arguments must be finite, and the result finite, nonzero, and between 2^-20000 and 2^20000 in
/// magnitude.
Element evaluateExactly(MathFunction function, double x, double y, Format to);

} // namespace tilewright::numerics

#endif // TILEWRIGHT_NUMERICS_MATHEXACT_H
