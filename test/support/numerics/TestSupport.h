// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference values for the unit tests: values decoded by the formulas of the specification, and
// results that MPFR rounds to a format. Neither uses the code under test.

#ifndef TILEWRIGHT_TEST_SUPPORT_NUMERICS_TESTSUPPORT_H
#define TILEWRIGHT_TEST_SUPPORT_NUMERICS_TESTSUPPORT_H

#include "tilewright/numerics/Element.h"
#include "tilewright/numerics/Modes.h"
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <initializer_list>
#include <limits>
#include <mpfr.h>
#include <random>
#include <vector>

namespace tilewright::numerics::testing {

/// A rounding grid for MPFR: significant bits, and the exponents of the smallest and largest number
/// written as 0.1xxx * 2^e (arithmetic, 3.2).
struct Grid {
  int precision, smallest, largest;
};

inline Grid gridOf(Format format) {
  switch (format) {
  case Format::F16:
    return {11, -23, 16};
  case Format::BF16:
    return {8, -132, 128};
  case Format::TF32:
    return {11, -135, 128};
  case Format::F32:
    return {24, -148, 128};
  case Format::F64:
    return {53, -1073, 1024};
  default:
    ADD_FAILURE() << "no grid for " << info(format).spelling;
    return {24, -148, 128};
  }
}

inline mpfr_rnd_t toMpfr(RoundingMode mode) {
  switch (mode) {
  case RoundingMode::Zero:
    return MPFR_RNDZ;
  case RoundingMode::NegativeInf:
    return MPFR_RNDD;
  case RoundingMode::PositiveInf:
    return MPFR_RNDU;
  default:
    return MPFR_RNDN;
  }
}

/// Rounds op(result, arguments, mode) to a format, including subnormals.
template <typename Op>
double mpfrResult(Format format, RoundingMode mode, std::initializer_list<double> arguments,
                  Op op) {
  Grid grid = gridOf(format);
  mpfr_t result, in[3];
  mpfr_init2(result, grid.precision);
  int count = 0;
  for (double argument : arguments) {
    mpfr_init2(in[count], 53);
    mpfr_set_d(in[count++], argument, MPFR_RNDN);
  }
  mpfr_set_emin(grid.smallest);
  mpfr_set_emax(grid.largest);
  mpfr_rnd_t rounding = toMpfr(mode);
  int ternary = op(result, in, rounding);
  ternary = mpfr_check_range(result, ternary, rounding);
  mpfr_subnormalize(result, ternary, rounding);
  double value = mpfr_get_d(result, MPFR_RNDN);
  mpfr_set_emin(mpfr_get_emin_min());
  mpfr_set_emax(mpfr_get_emax_max());
  mpfr_clear(result);
  while (count > 0)
    mpfr_clear(in[--count]);
  return value;
}

/// The bits of an f32 or f64 that the test computes.
inline Element single(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return Element::fromBits(Format::F32, bits);
}
inline Element wide(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return Element::fromBits(Format::F64, bits);
}

/// The value by the formula of types, 2.2.
inline double decode(Format format, uint64_t bits) {
  struct Layout {
    int exponent, mantissa, bias;
  };
  Layout layout = {};
  switch (format) {
  case Format::F16:
    layout = {5, 10, 15};
    break;
  case Format::BF16:
    layout = {8, 7, 127};
    break;
  case Format::TF32:
    layout = {8, 10, 127};
    break;
  case Format::F32:
    layout = {8, 23, 127};
    break;
  case Format::F64:
    layout = {11, 52, 1023};
    break;
  case Format::F8E4M3FN:
    layout = {4, 3, 7};
    break;
  case Format::F8E5M2:
    layout = {5, 2, 15};
    break;
  case Format::F4E2M1FN: {
    const double magnitudes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    return std::copysign(magnitudes[bits & 7], bits & 8 ? -1.0 : 1.0);
  }
  case Format::F8E5M3FNU: { // no sign, and only the last pattern is no number
    int exponent = int(bits >> 3);
    double fraction = double(bits & 7) / 8;
    return bits == 0xFF    ? std::nan("")
           : exponent == 0 ? std::ldexp(fraction, -14)
                           : std::ldexp(1 + fraction, exponent - 15);
  }
  case Format::F8E8M0FNU:
    return bits == 0xFF ? std::nan("") : std::ldexp(1.0, int(bits) - 127);
  default:
    ADD_FAILURE() << "not a float";
  }
  int exponent = int(bits >> layout.mantissa) & ((1 << layout.exponent) - 1);
  uint64_t mantissa = bits & ((uint64_t(1) << layout.mantissa) - 1);
  bool negative = bits >> (layout.exponent + layout.mantissa) & 1;
  double fraction = std::ldexp(double(mantissa), -layout.mantissa);
  double value = exponent == 0 ? std::ldexp(fraction, 1 - layout.bias)
                               : std::ldexp(1 + fraction, exponent - layout.bias);
  bool top = exponent == (1 << layout.exponent) - 1;
  if (format == Format::F8E4M3FN)
    value = top && mantissa == 7 ? std::nan("") : value;
  else if (top)
    value = mantissa ? std::nan("") : std::numeric_limits<double>::infinity();
  return negative ? -value : value;
}

/// Whether the element has this value, including the sign of a zero; a NaN must be the canonical
/// one.
inline bool is(Element element, double expected) {
  if (element.poison)
    return false;
  if (std::isnan(expected))
    return element == Element::canonicalNan(element.format);
  double value = decode(element.format, element.bits);
  return value == expected && std::signbit(value) == std::signbit(expected);
}

/// Bit patterns with every exponent equally often, and sometimes a special value.
class Patterns {
public:
  explicit Patterns(Format format, unsigned seed = 1) : format(format), random(seed) {}

  Element next() {
    const FormatInfo &f = info(format);
    uint64_t bits = random() & f.mask();
    uint64_t sign = bits & f.signBit();
    uint64_t one = uint64_t(f.bias) << f.mantissaBits;
    const uint64_t special[] = {0,
                                1,
                                2,
                                3,
                                one,
                                one + 1,
                                one - 1,
                                f.largest,
                                f.largest + 1,
                                f.canonicalNan,
                                uint64_t(1) << f.mantissaBits,
                                (uint64_t(1) << f.mantissaBits) - 1};
    switch (random() % 8) {
    case 0:
      return Element::fromBits(format, sign | special[random() % std::size(special)]);
    case 1: // few mantissa bits: exact results and ties
      return Element::fromBits(format, bits & ~((uint64_t(1) << (f.mantissaBits * 3 / 4)) - 1));
    case 2: // near one: sums whose operands overlap
      if (f.exponentBits < 5)
        return Element::fromBits(format, bits);
      return Element::fromBits(format,
                               sign | (one + (bits & ((uint64_t(8) << f.mantissaBits) - 1)) -
                                       (uint64_t(4) << f.mantissaBits)));
    default:
      return Element::fromBits(format, bits);
    }
  }

private:
  Format format;
  std::mt19937_64 random;
};

/// For the names of parameterised tests.
inline std::string spelling(Format format) { return info(format).spelling; }

inline std::string describe(Element element) {
  char text[64];
  std::snprintf(text, sizeof text, "%s 0x%llx", info(element.format).spelling,
                (unsigned long long)element.bits);
  return element.poison ? std::string(info(element.format).spelling) + " poison" : text;
}

} // namespace tilewright::numerics::testing

#endif // TILEWRIGHT_TEST_SUPPORT_NUMERICS_TESTSUPPORT_H
