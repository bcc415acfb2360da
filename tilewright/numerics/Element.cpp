// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/numerics/Element.h"
#include <bit>
#include <limits>

using namespace tilewright::numerics;

Element Element::fromFloat(float value) { return {std::bit_cast<uint32_t>(value), Format::F32}; }

Element Element::fromDouble(double value) { return {std::bit_cast<uint64_t>(value), Format::F64}; }

float Element::asFloat() const {
  assert(format == Format::F32);
  return std::bit_cast<float>(uint32_t(bits));
}

/// The bits without the sign. As integers they have the order of the values, with NaNs last.
static uint64_t magnitude(Element element) {
  return element.bits & ~info(element.format).signBit();
}

bool Element::isNan() const {
  const FormatInfo &f = info(format);
  return f.hasNan && magnitude(*this) > (f.hasInf ? f.infinity() : f.largest);
}

bool Element::isInf() const {
  const FormatInfo &f = info(format);
  return f.hasInf && magnitude(*this) == f.infinity();
}

/// 2^exponent for exponents of normal f64 numbers.
static double powerOfTwo(int exponent) {
  return std::bit_cast<double>(uint64_t(exponent + 1023) << 52);
}

double Element::asDouble() const {
  const FormatInfo &f = info(format);
  assert(f.isFloat());
  if (format == Format::F64)
    return std::bit_cast<double>(bits);
  if (format == Format::F32)
    return std::bit_cast<float>(uint32_t(bits));
  if (isNan())
    return std::numeric_limits<double>::quiet_NaN();
  double sign = isNegative() ? -1.0 : 1.0;
  if (isInf())
    return sign * std::numeric_limits<double>::infinity();

  uint64_t biased = magnitude(*this) >> f.mantissaBits;
  uint64_t hidden = uint64_t(1) << f.mantissaBits;
  uint64_t mantissa = bits & (hidden - 1);
  if (biased == 0 && f.hasZero)
    return sign * double(mantissa) * powerOfTwo(f.minExponent() - f.mantissaBits);
  return sign * double(hidden | mantissa) * powerOfTwo(int(biased) - f.bias - f.mantissaBits);
}
