// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variants of an operation are there? The enumerations of the dialect that
// decide how elements are computed; the numbers are the stored ones (arithmetic, 2.3).

#ifndef TILEWRIGHT_NUMERICS_MODES_H
#define TILEWRIGHT_NUMERICS_MODES_H

#include <cstdint>

namespace tilewright::numerics {

enum class RoundingMode : uint32_t {
  NearestEven = 0,
  Zero = 1,
  NegativeInf = 2,
  PositiveInf = 3,
  Approx = 4,
  Full = 5,
  NearestIntToZero = 6,
  /// To nearest, ties to the larger magnitude (`ftof`).
  NearestAway = 7,
};

enum class Signedness : uint32_t { Unsigned = 0, Signed = 1 };

/// What a conversion to an integer gives for a value out of range.
enum class OutOfRange : uint32_t { Undefined = 0, Saturates = 1 };

/// What the program assumes about wrap-around. If the assumption is false, the result is undefined.
enum class Overflow : uint32_t { None = 0, NoSignedWrap = 1, NoUnsignedWrap = 2, NoWrap = 3 };

enum class Predicate : uint32_t {
  Equal = 0,
  NotEqual = 1,
  LessThan = 2,
  LessThanOrEqual = 3,
  GreaterThan = 4,
  GreaterThanOrEqual = 5,
};

enum class Ordering : uint32_t { Unordered = 0, Ordered = 1 };

/// One of the four modes of IEEE 754 that the dialect uses.
constexpr bool isIeee(RoundingMode mode) { return mode <= RoundingMode::PositiveInf; }

/// A mode in which values can be rounded to a format.
constexpr bool isRounding(RoundingMode mode) {
  return isIeee(mode) || mode == RoundingMode::NearestAway;
}

/// Does the predicate hold between two values of an ordered type?
template <typename Value> constexpr bool holds(Predicate predicate, Value lhs, Value rhs) {
  switch (predicate) {
  case Predicate::Equal:
    return lhs == rhs;
  case Predicate::NotEqual:
    return lhs != rhs;
  case Predicate::LessThan:
    return lhs < rhs;
  case Predicate::LessThanOrEqual:
    return lhs <= rhs;
  case Predicate::GreaterThan:
    return lhs > rhs;
  case Predicate::GreaterThanOrEqual:
    break;
  }
  return lhs >= rhs;
}

} // namespace tilewright::numerics

#endif // TILEWRIGHT_NUMERICS_MODES_H
