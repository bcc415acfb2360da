// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The modes of operations: the dialect's enumerations that decide how elements are computed. The
// numbers are those of the bytecode (arithmetic, 2.3).

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

/// The result of a conversion to an integer if the value is out of range.
enum class OutOfRange : uint32_t { Undefined = 0, Saturates = 1 };

/// The program's assumption about wrap-around. If it is false, the result is undefined.
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

/// Whether it is one of the four IEEE 754 modes that the dialect uses.
constexpr bool isIeee(RoundingMode mode) { return mode <= RoundingMode::PositiveInf; }

/// Whether values can be rounded to a format in this mode.
constexpr bool isRounding(RoundingMode mode) {
  return isIeee(mode) || mode == RoundingMode::NearestAway;
}

/// Whether the predicate holds between two values of an ordered type.
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
