// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/numerics/ExactSum.h"
#include <bit>
#include <cmath>
#include <limits>

using namespace tilewright::numerics;

void ExactSum::addProduct(double lhs, double rhs) {
  bool negative = std::signbit(lhs) != std::signbit(rhs);
  if (!std::isfinite(lhs) || !std::isfinite(rhs)) {
    hasNan |= std::isnan(lhs) || std::isnan(rhs) || lhs == 0 || rhs == 0;
    (negative ? hasNegativeInf : hasPositiveInf) = true;
    return;
  }
  bool isZero = lhs == 0 || rhs == 0;
  onlyNegativeZeros &= isZero && negative;
  if (isZero)
    return;
  ExactValue a = takeApart(lhs), b = takeApart(rhs);
  auto product = static_cast<unsigned __int128>(a.significand) * b.significand;
  int exponent = a.exponent + b.exponent;
  addPart(uint64_t(product), exponent, negative);
  addPart(uint64_t(product >> 64), exponent + 64, negative);
  // Each part adds less than 2^32 to a digit.
  if (++pending == int64_t(1) << 29) {
    carry(digits);
    pending = 0;
  }
}

void ExactSum::addPart(uint64_t part, int exponent, bool negative) {
  unsigned position = exponent - lowestExponent;
  auto shifted = static_cast<unsigned __int128>(part) << position % 32;
  for (unsigned at = position / 32; shifted != 0; ++at, shifted >>= 32) {
    int64_t digit = int64_t(uint32_t(shifted));
    digits[at] += negative ? -digit : digit;
  }
}

/// Propagates carries: leaves digits from 0 to 2^32 - 1, except that the last one keeps the sign.
void ExactSum::carry(Digits &digits) {
  for (int at = 0; at + 1 < digitCount; ++at) {
    digits[at + 1] += digits[at] >> 32;
    digits[at] &= 0xFFFFFFFF;
  }
}

Element ExactSum::round(Format to) const {
  if (hasNan || (hasPositiveInf && hasNegativeInf))
    return Element::canonicalNan(to);
  if (hasPositiveInf || hasNegativeInf) {
    double infinity = std::numeric_limits<double>::infinity();
    return numerics::round(hasNegativeInf ? -infinity : infinity, to, RoundingMode::NearestEven,
                           Beyond::Ieee);
  }

  Digits magnitude = digits;
  carry(magnitude);
  bool negative = magnitude.back() < 0;
  if (negative) {
    for (int64_t &digit : magnitude)
      digit = -digit;
    carry(magnitude);
  }
  int top = digitCount - 1;
  while (top >= 0 && magnitude[top] == 0)
    --top;
  if (top < 0)
    return numerics::round(onlyNegativeZeros ? -0.0 : 0.0, to, RoundingMode::NearestEven,
                           Beyond::Ieee);

  // The leading three digits, the first of which is not 0, have at least 65 bits.
  unsigned __int128 leading = 0;
  bool sticky = false;
  for (int at = top; at >= 0; --at) {
    if (at > top - 3)
      leading |= static_cast<unsigned __int128>(magnitude[at]) << 32 * (at - top + 2);
    else
      sticky |= magnitude[at] != 0;
  }
  int dropped = std::bit_width(uint64_t(leading >> 64));
  uint64_t significand = uint64_t(leading >> dropped);
  sticky |= (leading & ((static_cast<unsigned __int128>(1) << dropped) - 1)) != 0;
  int exponent = (top - 2) * 32 + lowestExponent + dropped;
  return numerics::round({negative, significand, exponent, sticky}, to, RoundingMode::NearestEven,
                         Beyond::Ieee);
}
