// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounding of exact values. An operation passes its result as an integer times a power of two, and
// a sticky bit for the part of the value below that integer. All roundings of this room use one
// rounding step. It works for every float format, because the patterns of a format are consecutive
// integers in the order of their values.
//
// Often a result is available as an f64 and the error of that f64. If that f64 is rounded to odd,
// it can be rounded again to any format of 51 bits or less, in any mode, with the same result as
// rounding the exact value: the last bit then acts as a sticky bit and never looks like an exact
// tie.
//
// Internal to this room.

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

/// The result for a value that rounds beyond the largest finite one.
enum class Beyond {
  /// Inf or, in a mode that rounds away from it, the largest value. Formats without Inf: NaN;
  /// formats without NaN: the largest value.
  Ieee,
  Saturate,
};

/// Rounds once, in one of the four IEEE 754 modes or to nearest with ties away from zero. Formats
/// without sign have no negative values: these become NaN.
Element round(ExactValue value, Format to, RoundingMode mode, Beyond beyond);

/// The same for any f64. A NaN becomes the canonical one, or the largest value in a format without
/// NaN; a zero keeps its sign.
Element round(double value, Format to, RoundingMode mode, Beyond beyond);

/// Decomposes a finite number other than zero.
ExactValue takeApart(double value);

/// Rounds the value `rounded` + `error` to odd; `rounded` is that value rounded to nearest. Only
/// the sign of the error matters.
double roundToOdd(double rounded, double error);

} // namespace tilewright::numerics

#endif // TILEWRIGHT_NUMERICS_ROUNDING_H
