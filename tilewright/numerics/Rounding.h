// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How is an exact value rounded? An operation hands over its result as an integer times
// a power of two, and a sticky bit for the part of the value below that integer. There
// is one rounding step in this room, and it works for every float format, because the
// patterns of a format are consecutive integers in the order of their values.
//
// A result is often at hand as an f64 and the error of that f64. Rounded to odd, it
// can be rounded once more to any format of 51 bits or less, in any mode, as if it had
// been exact: the last bit is then sticky, and never the end of an exact tie.
//
// Only for the sources of this room.

#ifndef TILEWRIGHT_NUMERICS_ROUNDING_H
#define TILEWRIGHT_NUMERICS_ROUNDING_H

#include "tilewright/numerics/Element.h"
#include "tilewright/numerics/Modes.h"

namespace tilewright::numerics {

/// (-1)^negative * (significand + something in (0, 1) if sticky) * 2^exponent.
struct ExactValue {
  bool negative;
  /// Not 0.
  uint64_t significand;
  int exponent;
  bool sticky = false;
};

/// What becomes of a value that rounds beyond the largest finite one.
enum class Beyond {
  /// Inf or, in a mode away from it, the largest value. Without Inf: NaN; without
  /// NaN: the largest value.
  Ieee,
  Saturate,
};

/// Rounds once, in one of the four modes of IEEE 754 or to nearest with ties away from zero. A
/// format without sign has no negative values: they become NaN.
Element round(ExactValue value, Format to, RoundingMode mode, Beyond beyond);

/// The same for any f64. A NaN becomes the canonical one, or the largest value of a
/// format without NaN; a zero keeps its sign.
Element round(double value, Format to, RoundingMode mode, Beyond beyond);

/// A finite number other than zero, taken apart.
ExactValue takeApart(double value);

/// The value that is error away from rounded, rounded to odd instead of to nearest.
/// Of the error only the sign counts.
double roundToOdd(double rounded, double error);

} // namespace tilewright::numerics

#endif // TILEWRIGHT_NUMERICS_ROUNDING_H
