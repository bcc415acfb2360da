// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Correctly rounded mathematical functions at about the cost of the C library's, by Ziv's test: the
// library computes in a type wider than the result, and if all values within its error round to the
// same result, the rounding is correct. Results that fail the test are computed with more bits
// (MathExact.h).
//
// Internal to this room.

#ifndef TILEWRIGHT_NUMERICS_MATHNEAREST_H
#define TILEWRIGHT_NUMERICS_MATHNEAREST_H

#include "tilewright/numerics/MathExact.h"
#include <cmath>
#include <limits>

namespace tilewright::numerics {

/// Computes the function with the C library.
template <MathFunction function, typename Wide> Wide approximate(Wide x, Wide y) {
  switch (function) {
  case MathFunction::Exp:
    return std::exp(x);
  case MathFunction::Exp2:
    return std::exp2(x);
  case MathFunction::Log:
    return std::log(x);
  case MathFunction::Log2:
    return std::log2(x);
  case MathFunction::Sin:
    return std::sin(x);
  case MathFunction::Cos:
    return std::cos(x);
  case MathFunction::Tan:
    return std::tan(x);
  case MathFunction::Sinh:
    return std::sinh(x);
  case MathFunction::Cosh:
    return std::cosh(x);
  case MathFunction::Tanh:
    return std::tanh(x);
  case MathFunction::Rsqrt:
    return 1 / std::sqrt(x);
  case MathFunction::Pow:
    // At zeros and infinities the result is the same in every type. glibc's long double version is
    // wrong for (-inf)^(-2^63), so the double version is used.
    if (x == 0 || std::isinf(x) || std::isinf(y))
      return std::pow(static_cast<double>(x), static_cast<double>(y));
    return std::pow(x, y);
  case MathFunction::Atan2:
    return std::atan2(x, y);
  }
}

/// The function at x (at x and y), rounded to nearest even to Narrow, which is f32 or f64; a NaN is
/// any NaN. C libraries document errors of one to three units in the last place; a bound of eight
/// leaves room for others. If long double is no wider than f64, the test never succeeds, which only
/// makes results slower.
template <MathFunction function, typename Wide, typename Narrow>
Narrow nearest(double x, double y) {
  constexpr Format format = sizeof(Narrow) == 4 ? Format::F32 : Format::F64;
  const Wide error = 8 * std::numeric_limits<Wide>::epsilon();
  Wide value = approximate<function, Wide>(x, y);
  // Special values, and results outside the range even of the wider type.
  if (value == 0 || !std::isfinite(value))
    return Narrow(value);
  Narrow low = Narrow(value - value * error), high = Narrow(value + value * error);
  if (low == high)
    return low;
  return Narrow(evaluateExactly(function, x, y, format).asDouble());
}

} // namespace tilewright::numerics

#endif // TILEWRIGHT_NUMERICS_MATHNEAREST_H
