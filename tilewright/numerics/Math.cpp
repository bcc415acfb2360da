// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/numerics/Math.h"
#include "tilewright/numerics/Float.h"
#include "tilewright/numerics/MathExact.h"
#include "tilewright/numerics/Rounding.h"
#include <cmath>
#include <limits>

using namespace tilewright::numerics;

/// The function in the C library, in a type wider than the result.
template <Function function, typename Wide> static Wide approximate(Wide x, Wide y) {
  switch (function) {
  case Function::Exp:
    return std::exp(x);
  case Function::Exp2:
    return std::exp2(x);
  case Function::Log:
    return std::log(x);
  case Function::Log2:
    return std::log2(x);
  case Function::Sin:
    return std::sin(x);
  case Function::Cos:
    return std::cos(x);
  case Function::Tan:
    return std::tan(x);
  case Function::Sinh:
    return std::sinh(x);
  case Function::Cosh:
    return std::cosh(x);
  case Function::Tanh:
    return std::tanh(x);
  case Function::Rsqrt:
    return 1 / std::sqrt(x);
  case Function::Pow:
    return std::pow(x, y);
  case Function::Atan2:
    return std::atan2(x, y);
  }
}

static Element toElement(float value) { return Element::fromFloat(value); }
static Element toElement(double value) { return Element::fromDouble(value); }

/// Ziv's test: a result is known if all values within the error of the approximation
/// round to it. C libraries promise errors of one to three units in the last place; the
/// eight here leave room for others. Where long double is no wider than f64 the test
/// never succeeds, and results are only slower.
template <Function function, typename Wide, typename Narrow>
static Element roundCorrectly(double x, double y) {
  constexpr Format format = sizeof(Narrow) == 4 ? Format::F32 : Format::F64;
  const Wide error = 8 * std::numeric_limits<Wide>::epsilon();
  Wide value = approximate<function, Wide>(x, y);
  if (std::isnan(value))
    return Element::canonicalNan(format);
  // Special values, and results beyond the range even of the wider type.
  if (value == 0 || std::isinf(value))
    return toElement(Narrow(value));
  Narrow low = Narrow(value - value * error), high = Narrow(value + value * error);
  if (low == high)
    return toElement(low);
  return evaluateExactly(function, x, y, format);
}

template <Function function> static Element evaluate(Element x, Element y) {
  assert(x.format == y.format);
  if (anyPoison(x, y))
    return Element::poisoned(x.format);
  if (x.format == Format::F64)
    return roundCorrectly<function, long double, double>(x.asDouble(), y.asDouble());
  Element single = roundCorrectly<function, double, float>(x.asDouble(), y.asDouble());
  if (x.format == Format::F32)
    return single;
  assert(x.format == Format::F16 || x.format == Format::BF16);
  return round(single.asFloat(), x.format, RoundingMode::NearestEven, Beyond::Ieee);
}

template <Function function> static Element evaluate(Element x) { return evaluate<function>(x, x); }

Element tilewright::numerics::expF(Element source, RoundingMode rounding) {
  assert(rounding == RoundingMode::Full || rounding == RoundingMode::Approx);
  return evaluate<Function::Exp>(source);
}

Element tilewright::numerics::exp2F(Element source, bool flushToZero) {
  Element result = evaluate<Function::Exp2>(flushToZero ? flush(source) : source);
  return flushToZero ? flush(result) : result;
}

Element tilewright::numerics::logF(Element source) { return evaluate<Function::Log>(source); }
Element tilewright::numerics::log2F(Element source) { return evaluate<Function::Log2>(source); }
Element tilewright::numerics::sinF(Element source) { return evaluate<Function::Sin>(source); }
Element tilewright::numerics::cosF(Element source) { return evaluate<Function::Cos>(source); }
Element tilewright::numerics::tanF(Element source) { return evaluate<Function::Tan>(source); }
Element tilewright::numerics::sinhF(Element source) { return evaluate<Function::Sinh>(source); }
Element tilewright::numerics::coshF(Element source) { return evaluate<Function::Cosh>(source); }

Element tilewright::numerics::tanhF(Element source, RoundingMode rounding) {
  assert(rounding == RoundingMode::Full || rounding == RoundingMode::Approx);
  return evaluate<Function::Tanh>(source);
}

Element tilewright::numerics::rsqrtF(Element source, bool flushToZero) {
  // The reciprocal of a root is never subnormal, so there is no result to flush.
  return evaluate<Function::Rsqrt>(flushToZero ? flush(source) : source);
}

Element tilewright::numerics::powF(Element source, Element exponent) {
  return evaluate<Function::Pow>(source, exponent);
}

Element tilewright::numerics::atan2F(Element numerator, Element denominator) {
  return evaluate<Function::Atan2>(numerator, denominator);
}
