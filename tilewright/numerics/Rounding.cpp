// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/numerics/Rounding.h"
#include <algorithm>
#include <bit>
#include <cmath>

using namespace tilewright::numerics;

namespace {
/// The distance from a value down to its lower neighbour, in units of the destination.
enum class Rest { None, BelowHalf, Half, AboveHalf };
} // namespace

/// Whether the magnitude is rounded up, to the neighbour farther from zero.
static bool roundsAway(RoundingMode mode, bool negative, Rest rest, bool lowerIsOdd) {
  if (rest == Rest::None)
    return false;
  switch (mode) {
  case RoundingMode::NearestEven:
    return rest == Rest::AboveHalf || (rest == Rest::Half && lowerIsOdd);
  case RoundingMode::NearestAway:
    return rest == Rest::AboveHalf || rest == Rest::Half;
  case RoundingMode::NegativeInf:
    return negative;
  case RoundingMode::PositiveInf:
    return !negative;
  default:
    assert(mode == RoundingMode::Zero && "a mode that rounds");
    return false;
  }
}

/// The value of the low bits of a significand whose top bit is set; dropped >= 1.
static Rest restOf(uint64_t significand, int dropped, bool sticky) {
  if (dropped > 64)
    return Rest::BelowHalf;
  uint64_t rest = dropped == 64 ? significand : significand << (64 - dropped);
  const uint64_t half = uint64_t(1) << 63;
  if (rest == half)
    return sticky ? Rest::AboveHalf : Rest::Half;
  if (rest == 0 && !sticky)
    return Rest::None;
  return rest < half ? Rest::BelowHalf : Rest::AboveHalf;
}

static uint64_t overflow(const FormatInfo &f, RoundingMode mode, bool negative, Beyond beyond) {
  bool towardZero = mode == RoundingMode::Zero ||
                    (mode == RoundingMode::NegativeInf && !negative) ||
                    (mode == RoundingMode::PositiveInf && negative);
  if (beyond == Beyond::Saturate || towardZero)
    return f.largest;
  if (f.hasInf)
    return f.infinity();
  return f.hasNan ? f.canonicalNan : f.largest;
}

/// The pattern, without sign, of a value between 0 and the overflow threshold. Values above the
/// largest finite one get the patterns after it, as if the format continued.
static uint64_t roundMagnitude(const FormatInfo &f, ExactValue value, RoundingMode mode) {
  int leading = std::countl_zero(value.significand);
  uint64_t significand = value.significand << leading;
  int exponent = value.exponent - leading + 63; // the value is 1.xxx * 2^exponent
  if (exponent > f.maxExponent())
    return f.largest + 1;
  if (exponent < f.minExponent() && !f.hasZero)
    return 0;

  // The unit of the destination near this value, and the number of bits below it.
  int unitExponent = std::max(exponent, f.minExponent()) - f.mantissaBits;
  int dropped = unitExponent - (exponent - 63);
  uint64_t kept = dropped < 64 ? significand >> dropped : 0;
  Rest rest = restOf(significand, dropped, value.sticky);
  kept += roundsAway(mode, value.negative, rest, kept & 1);

  // For normal numbers, `kept` includes the hidden bit, which adds one to the exponent field.
  uint64_t exponentField = std::max(exponent, f.minExponent()) - f.minExponent();
  uint64_t pattern = (exponentField << f.mantissaBits) + kept;
  return f.hasZero ? pattern : pattern - 1;
}

Element tilewright::numerics::round(ExactValue value, Format to, RoundingMode mode, Beyond beyond) {
  assert(value.significand != 0);
  const FormatInfo &f = info(to);
  if (value.negative && !f.hasSign)
    return Element::canonicalNan(to);
  uint64_t pattern = roundMagnitude(f, value, mode);
  if (pattern > f.largest)
    pattern = overflow(f, mode, value.negative, beyond);
  return Element::fromBits(to, pattern | (value.negative ? f.signBit() : 0));
}

ExactValue tilewright::numerics::takeApart(double value) {
  uint64_t bits = std::bit_cast<uint64_t>(value);
  uint64_t mantissa = bits & ((uint64_t(1) << 52) - 1);
  int biased = int(bits >> 52) & 0x7FF;
  bool negative = bits >> 63;
  if (biased == 0)
    return {negative, mantissa, -1074};
  return {negative, mantissa | (uint64_t(1) << 52), biased - 1075};
}

Element tilewright::numerics::round(double value, Format to, RoundingMode mode, Beyond beyond) {
  const FormatInfo &f = info(to);
  uint64_t sign = std::signbit(value) ? f.signBit() : 0;
  if (std::isnan(value))
    return Element::fromBits(to, f.hasNan ? f.canonicalNan : f.largest);
  if (value == 0)
    return Element::fromBits(to, sign);
  if (to == Format::F64)
    return Element::fromDouble(value);
  if (to == Format::F32 && mode == RoundingMode::NearestEven && beyond == Beyond::Ieee)
    return Element::fromFloat(float(value));
  if (!std::isinf(value))
    return round(takeApart(value), to, mode, beyond);
  // An infinity is not an overflow: no mode makes it finite.
  return Element::fromBits(to, sign | overflow(f, RoundingMode::NearestEven, false, beyond));
}

double tilewright::numerics::roundToOdd(double rounded, double error) {
  if (error == 0 || std::isnan(error) || !std::isfinite(rounded))
    return rounded;
  uint64_t bits = std::bit_cast<uint64_t>(rounded);
  if (bits & 1)
    return rounded;
  bool outward = std::signbit(error) == std::signbit(rounded);
  return std::bit_cast<double>(outward ? bits + 1 : bits - 1);
}
