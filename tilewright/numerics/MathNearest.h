// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How is a mathematical function rounded correctly at the price of the C library's?
// By Ziv's test: the library computes in a type wider than the result, and if all values
// within the error of that round alike, the rounding is right. What fails the test is
// computed in more bits (MathExact.h).
//
// Only for the sources of this room.

#ifndef TILEWRIGHT_NUMERICS_MATHNEAREST_H
#define TILEWRIGHT_NUMERICS_MATHNEAREST_H

#include "tilewright/numerics/MathExact.h"
#include <cmath>
#include <limits>

namespace tilewright::numerics {

/// The function in the C library.
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
    // At zeros and infinities every type has the same result. glibc's long double has the wrong
    // one for (-inf)^(-2^63), so it is not asked.
    if (x == 0 || std::isinf(x) || std::isinf(y))
      return std::pow(static_cast<double>(x), static_cast<double>(y));
    return std::pow(x, y);
  case MathFunction::Atan2:
    return std::atan2(x, y);
  }
}

/// The function at x (at x and y), rounded to nearest even to f32 or f64, which Narrow
/// is; a NaN is any. C libraries promise errors of one to three units in the last place;
/// the eight here leave room for others. Where long double is no wider than f64 the test
/// never succeeds, and results are only slower.
template <MathFunction function, typename Wide, typename Narrow>
Narrow nearest(double x, double y) {
  constexpr Format format = sizeof(Narrow) == 4 ? Format::F32 : Format::F64;
  const Wide error = 8 * std::numeric_limits<Wide>::epsilon();
  Wide value = approximate<function, Wide>(x, y);
  // Special values, and results beyond the range even of the wider type.
  if (value == 0 || !std::isfinite(value))
    return Narrow(value);
  Narrow low = Narrow(value - value * error), high = Narrow(value + value * error);
  if (low == high)
    return low;
  return Narrow(evaluateExactly(function, x, y, format).asDouble());
}

} // namespace tilewright::numerics

#endif // TILEWRIGHT_NUMERICS_MATHNEAREST_H
