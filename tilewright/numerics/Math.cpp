// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/numerics/Math.h"
#include "tilewright/numerics/Float.h"
#include "tilewright/numerics/MathNearest.h"
#include "tilewright/numerics/Rounding.h"

using namespace tilewright::numerics;

static Element toElement(float value) { return Element::fromFloat(value); }
static Element toElement(double value) { return Element::fromDouble(value); }

template <MathFunction function, typename Wide, typename Narrow>
static Element roundToElement(double x, double y) {
  Element result = toElement(nearest<function, Wide, Narrow>(x, y));
  return result.isNan() ? Element::canonicalNan(result.format) : result;
}

/// The function in the format of x; y is exact.
template <MathFunction function> static Element evaluateAt(Element x, double y) {
  if (x.format == Format::F64)
    return roundToElement<function, long double, double>(x.asDouble(), y);
  Element single = roundToElement<function, double, float>(x.asDouble(), y);
  if (x.format == Format::F32)
    return single;
  assert(x.format == Format::F16 || x.format == Format::BF16);
  return round(single.asFloat(), x.format, RoundingMode::NearestEven, Beyond::Ieee);
}

template <MathFunction function> static Element evaluate(Element x, Element y) {
  assert(x.format == y.format);
  if (anyPoison(x, y))
    return Element::poisoned(x.format);
  return evaluateAt<function>(x, y.asDouble());
}

template <MathFunction function> static Element evaluate(Element x) {
  return evaluate<function>(x, x);
}

Element tilewright::numerics::expF(Element source, RoundingMode rounding) {
  assert(rounding == RoundingMode::Full || rounding == RoundingMode::Approx);
  return evaluate<MathFunction::Exp>(source);
}

Element tilewright::numerics::exp2F(Element source, bool flushToZero) {
  Element result = evaluate<MathFunction::Exp2>(flushToZero ? flush(source) : source);
  return flushToZero ? flush(result) : result;
}

Element tilewright::numerics::logF(Element source) { return evaluate<MathFunction::Log>(source); }
Element tilewright::numerics::log2F(Element source) { return evaluate<MathFunction::Log2>(source); }
Element tilewright::numerics::sinF(Element source) { return evaluate<MathFunction::Sin>(source); }
Element tilewright::numerics::cosF(Element source) { return evaluate<MathFunction::Cos>(source); }
Element tilewright::numerics::tanF(Element source) { return evaluate<MathFunction::Tan>(source); }
Element tilewright::numerics::sinhF(Element source) { return evaluate<MathFunction::Sinh>(source); }
Element tilewright::numerics::coshF(Element source) { return evaluate<MathFunction::Cosh>(source); }

Element tilewright::numerics::tanhF(Element source, RoundingMode rounding) {
  assert(rounding == RoundingMode::Full || rounding == RoundingMode::Approx);
  return evaluate<MathFunction::Tanh>(source);
}

Element tilewright::numerics::rsqrtF(Element source, bool flushToZero) {
  // A reciprocal square root is never subnormal, so no result needs flushing.
  return evaluate<MathFunction::Rsqrt>(flushToZero ? flush(source) : source);
}

Element tilewright::numerics::powF(Element source, Element exponent) {
  return evaluate<MathFunction::Pow>(source, exponent);
}

Element tilewright::numerics::powI(Element source, Element exponent) {
  assert(info(exponent.format).isInteger() && info(exponent.format).bits <= 32);
  if (anyPoison(source, exponent))
    return Element::poisoned(source.format);
  return evaluateAt<MathFunction::Pow>(source, double(exponent.asSigned()));
}

Element tilewright::numerics::atan2F(Element numerator, Element denominator) {
  return evaluate<MathFunction::Atan2>(numerator, denominator);
}
