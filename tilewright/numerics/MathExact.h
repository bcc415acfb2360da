// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What if the machine's own functions are not precise enough to tell how a result
// rounds? Then it is computed in more and more bits until an interval around it holds
// no boundary between two roundings. Results on such a boundary, where no number of
// bits would do, are found by arithmetic on integers first.
//
// Only for the sources of this room.

#ifndef TILEWRIGHT_NUMERICS_MATHEXACT_H
#define TILEWRIGHT_NUMERICS_MATHEXACT_H

#include "tilewright/numerics/Element.h"
#include "tilewright/numerics/MathFunction.h"

namespace tilewright::numerics {

/// The function at x (at x and y for pow and atan2), rounded to nearest even to f32 or
/// f64. The arguments are finite and the result is finite, other than zero, and within
/// 2^-20000 to 2^20000 in magnitude.
Element evaluateExactly(MathFunction function, double x, double y, Format to);

} // namespace tilewright::numerics

#endif // TILEWRIGHT_NUMERICS_MATHEXACT_H
