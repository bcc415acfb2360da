// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See SmallFloat.h.

#include "tilewright/ptx/instructions/SmallFloat.h"
#include "tilewright/ptx/instructions/matrix/Element.h"

using namespace tilewright;
using namespace tilewright::ptx;
using numerics::Element;
using numerics::Format;
using numerics::RoundingMode;

const SmallFloat &tilewright::ptx::partOf(Type type) {
  static constexpr SmallFloat half{16, 5, 10, Format::F16}, brain{16, 8, 7, Format::BF16},
      e4m3{8, 4, 3, Format::F8E4M3FN}, e5m2{8, 5, 2, Format::F8E5M2},
      e2m1{4, 2, 1, Format::F4E2M1FN}, ue8m0{8, 8, 0, Format::F8E8M0FNU};
  // The 6-bit formats have neither infinities nor NaNs.
  static constexpr SmallFloat e2m3{8, 2, 3, std::nullopt}, e3m2{8, 3, 2, std::nullopt};
  switch (type) {
  case Type::F16x2:
    return half;
  case Type::BF16x2:
    return brain;
  case Type::E4M3x2:
  case Type::E4M3x4:
    return e4m3;
  case Type::E5M2x2:
  case Type::E5M2x4:
    return e5m2;
  case Type::E2M1x2:
  case Type::E2M1x4:
    return e2m1;
  case Type::E2M3x2:
  case Type::E2M3x4:
    return e2m3;
  case Type::E3M2x2:
  case Type::E3M2x4:
    return e3m2;
  default:
    return ue8m0;
  }
}

Type tilewright::ptx::registerOf(Type type) {
  const unsigned bytes = bytesOf(type);
  return bytes == 1 ? Type::B8 : bytes == 2 ? Type::B16 : Type::B32;
}

double tilewright::ptx::decode(uint64_t bits, const SmallFloat &part) {
  return part.format ? Element{bits & numerics::info(*part.format).mask(), *part.format}.asDouble()
                     : floatOfSmall(bits, part.exponentBits, part.mantissaBits);
}

static uint64_t largestOf(const SmallFloat &part) {
  return part.format ? numerics::info(*part.format).largest
                     : (uint64_t(1) << (part.exponentBits + part.mantissaBits)) - 1;
}

static uint64_t signOf(double value, const SmallFloat &part) {
  return uint64_t(std::signbit(value)) << (part.exponentBits + part.mantissaBits);
}

/// The magnitude in units of the last place, counted from the bit pattern `first`: a whole number n
/// of units has the pattern `first` + n.
static double stepsOf(double size, const SmallFloat &part, uint64_t &first) {
  const int bias = (1 << (part.exponentBits - 1)) - 1;
  const int exponent = std::max(size == 0 ? 1 - bias : std::ilogb(size), 1 - bias);
  first = uint64_t(exponent + bias - 1) << part.mantissaBits;
  return std::ldexp(size, part.mantissaBits - exponent);
}

/// Encodes a 6-bit format, to nearest even; larger values become the largest number.
static uint64_t encodeWithoutFormat(double value, const SmallFloat &part) {
  const uint64_t largest = largestOf(part);
  const double size = std::fabs(value);
  if (std::isnan(value))
    return largest;
  if (size >= decode(largest, part))
    return signOf(value, part) | largest;
  uint64_t first = 0;
  const uint64_t steps = uint64_t(std::nearbyint(stepsOf(size, part, first)));
  return signOf(value, part) | (first + steps);
}

/// .relu turns negative numbers and -0 into +0.
static double afterRelu(double value, uint32_t m) {
  return (m & mode::relu) && value <= 0 ? 0.0 : value;
}

uint64_t tilewright::ptx::encode(double value, const SmallFloat &part, uint32_t m) {
  value = afterRelu(value, m);
  if (!part.format)
    return encodeWithoutFormat(value, part);
  const numerics::FormatInfo &format = numerics::info(*part.format);
  if (std::isnan(value))
    return format.hasNan ? format.canonicalNan : format.largest;
  const Element result = numerics::floatToFloat(Element::fromDouble(value), *part.format,
                                                RoundingMode(m & mode::rounding));
  if ((m & mode::satFinite) && result.isInf())
    return format.largest | (std::signbit(value) ? format.signBit() : 0);
  // For ue8m0, numerics returns the largest number for values beyond it.
  if (!(m & mode::satFinite) && *part.format == Format::F8E8M0FNU && std::fabs(value) > 0x1p127)
    return format.canonicalNan;
  return result.bits;
}

uint64_t tilewright::ptx::encodeStochastic(double value, const SmallFloat &part, uint32_t m,
                                           uint32_t random, unsigned randomBits) {
  value = afterRelu(value, m);
  if (std::isnan(value) || std::isinf(value))
    return encode(value, part, m);
  uint64_t first = 0;
  const double steps = stepsOf(std::fabs(value), part, first), whole = std::floor(steps);
  const double behind = std::floor(std::ldexp(steps - whole, int(randomBits)));
  const bool hasCarry = behind + random >= std::ldexp(1.0, int(randomBits));
  // For f16 and bf16, the pattern after the largest number is the infinity.
  const uint64_t largest = largestOf(part), most = m & mode::satFinite ? largest : largest + 1;
  return signOf(value, part) | std::min(first + uint64_t(whole) + hasCarry, most);
}
