// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elementwise operations of the dialect math: correctly rounded if `numerics` has the function,
// otherwise computed in f64 by the C library and rounded to the format.

#include "tilewright/simt/Combine.h"
#include "tilewright/simt/Machine.h"
#include "tilewright/simt/Operations.h"

#include "tilewright/numerics/Convert.h"
#include "tilewright/numerics/Float.h"
#include "tilewright/numerics/Integer.h"
#include "tilewright/numerics/Math.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <bit>
#include <cmath>

using namespace mlir;
using namespace tilewright;
using namespace tilewright::simt;
using numerics::Element;
using numerics::Format;
using numerics::Signedness;

using Elements = ArrayRef<Element>;

//===-- Floats ---------------------------------------------------------------------------===//

template <Element (*function)(Element)> static Element exactly(Operation &, Elements in, unsigned) {
  return inOwnFormat([](Elements in) { return function(in[0]); }, in);
}
template <Element (*function)(Element, Element)>
static Element exactly(Operation &, Elements in, unsigned) {
  return inOwnFormat([](Elements in) { return function(in[0], in[1]); }, in);
}

template <double (*function)(double)> static Element inDouble(Operation &, Elements in, unsigned) {
  if (in[0].poison)
    return in[0];
  return convertFloat(Element::fromDouble(function(in[0].asDouble())), in[0].format);
}

static Element exp(Element x) { return numerics::expF(x); }
static Element exp2(Element x) { return numerics::exp2F(x); }
static Element tanh(Element x) { return numerics::tanhF(x); }
static Element rsqrt(Element x) { return numerics::rsqrtF(x); }
static Element sqrt(Element x) { return numerics::sqrtF(x); }

/// Works for all formats.
static Element absoluteFloat(Operation &, Elements in, unsigned) {
  const uint64_t sign = numerics::info(in[0].format).signBit();
  return in[0].poison ? in[0] : Element{in[0].bits & ~sign, in[0].format};
}

static Element copySign(Operation &, Elements in, unsigned) {
  if (numerics::anyPoison(in[0], in[1]))
    return Element::poisoned(in[0].format);
  const uint64_t sign = numerics::info(in[0].format).signBit();
  return {(in[0].bits & ~sign) | (in[1].bits & sign), in[0].format};
}

static Element clamp(Operation &, Elements in, unsigned) {
  using vector::CombiningKind;
  return combine(CombiningKind::MAXIMUMF, combine(CombiningKind::MINIMUMF, in[0], in[2]), in[1]);
}

static Element sineAndCosine(Operation &, Elements in, unsigned result) {
  if (result == 0)
    return inOwnFormat([](Elements in) { return numerics::sinF(in[0]); }, in);
  return inOwnFormat([](Elements in) { return numerics::cosF(in[0]); }, in);
}

static Element powerOfInteger(Operation &, Elements in, unsigned) {
  if (numerics::anyPoison(in[0], in[1]))
    return Element::poisoned(in[0].format);
  const double power = std::pow(in[0].asDouble(), double(in[1].asSigned()));
  return convertFloat(Element::fromDouble(power), in[0].format);
}

template <bool (*question)(double)> static Element asks(Operation &, Elements in, unsigned) {
  return in[0].poison ? Element::poisoned(Format::I1)
                      : Element::boolean(question(in[0].asDouble()));
}
static bool isFinite(double value) { return std::isfinite(value); }
static bool isInfinite(double value) { return std::isinf(value); }
static bool isNan(double value) { return std::isnan(value); }

/// Whether the value is neither zero nor subnormal in its format.
static Element isNormal(Operation &, Elements in, unsigned) {
  if (in[0].poison)
    return Element::poisoned(Format::I1);
  const double magnitude = std::abs(in[0].asDouble());
  const int least = numerics::info(in[0].format).minExponent();
  return Element::boolean(std::isfinite(magnitude) && magnitude >= std::ldexp(1.0, least));
}

//===-- Integers -------------------------------------------------------------------------===//

template <int (*count)(uint64_t)> static Element counts(Operation &, Elements in, unsigned) {
  const int bits = numerics::info(in[0].format).bits;
  return in[0].poison ? in[0] : Element::integer(in[0].format, std::min(count(in[0].bits), bits));
}
static int trailingZeros(uint64_t bits) { return std::countr_zero(bits); }
static int ones(uint64_t bits) { return std::popcount(bits); }

static Element leadingZeros(Operation &, Elements in, unsigned) {
  const int unused = 64 - numerics::info(in[0].format).bits;
  return in[0].poison ? in[0]
                      : Element::integer(in[0].format, std::countl_zero(in[0].bits) - unused);
}

static Element absolute(Operation &, Elements in, unsigned) { return numerics::absI(in[0]); }

/// Computed by squaring. A negative power of a base other than 1 and -1 is 0; of zero it is
/// undefined.
static Element integerPower(Operation &, Elements in, unsigned) {
  Element base = in[0];
  if (numerics::anyPoison(base, in[1]) || (base.bits == 0 && in[1].asSigned() < 0))
    return Element::poisoned(base.format);
  Element result = Element::integer(base.format, 1);
  const int64_t exponent = in[1].asSigned();
  if (exponent < 0 && base.asSigned() != 1 && base.asSigned() != -1)
    return Element::integer(base.format, 0);
  const uint64_t magnitude = exponent < 0 ? 0 - uint64_t(exponent) : exponent;
  for (uint64_t rest = magnitude; rest; rest >>= 1) {
    if (rest & 1)
      result = numerics::mulI(result, base);
    base = numerics::mulI(base, base);
  }
  return result;
}

//===-- The table ------------------------------------------------------------------------===//

static void addTrigonometric(Table &table) {
  using namespace math;
  table.addElementwise<AcosOp>(inDouble<std::acos>);
  table.addElementwise<AcoshOp>(inDouble<std::acosh>);
  table.addElementwise<AsinOp>(inDouble<std::asin>);
  table.addElementwise<AsinhOp>(inDouble<std::asinh>);
  table.addElementwise<AtanOp>(inDouble<std::atan>);
  table.addElementwise<AtanhOp>(inDouble<std::atanh>);
  table.addElementwise<Atan2Op>(exactly<numerics::atan2F>);
  table.addElementwise<SinOp>(exactly<numerics::sinF>);
  table.addElementwise<CosOp>(exactly<numerics::cosF>);
  table.addElementwise<SincosOp>(sineAndCosine);
  table.addElementwise<TanOp>(exactly<numerics::tanF>);
  table.addElementwise<SinhOp>(exactly<numerics::sinhF>);
  table.addElementwise<CoshOp>(exactly<numerics::coshF>);
  table.addElementwise<TanhOp>(exactly<tanh>);
}

static void addExponential(Table &table) {
  using namespace math;
  table.addElementwise<ExpOp>(exactly<exp>);
  table.addElementwise<Exp2Op>(exactly<exp2>);
  table.addElementwise<ExpM1Op>(inDouble<std::expm1>);
  table.addElementwise<LogOp>(exactly<numerics::logF>);
  table.addElementwise<Log2Op>(exactly<numerics::log2F>);
  table.addElementwise<Log10Op>(inDouble<std::log10>);
  table.addElementwise<Log1pOp>(inDouble<std::log1p>);
  table.addElementwise<PowFOp>(exactly<numerics::powF>);
  table.addElementwise<FPowIOp>(powerOfInteger);
  table.addElementwise<SqrtOp>(exactly<sqrt>);
  table.addElementwise<RsqrtOp>(exactly<rsqrt>);
  table.addElementwise<CbrtOp>(inDouble<std::cbrt>);
  table.addElementwise<ErfOp>(inDouble<std::erf>);
  table.addElementwise<ErfcOp>(inDouble<std::erfc>);
}

static void addRounding(Table &table) {
  using namespace math;
  table.addElementwise<CeilOp>(inDouble<std::ceil>);
  table.addElementwise<FloorOp>(inDouble<std::floor>);
  table.addElementwise<RoundOp>(inDouble<std::round>);
  table.addElementwise<RoundEvenOp>(inDouble<std::nearbyint>);
  table.addElementwise<TruncOp>(inDouble<std::trunc>);
}

void simt::addMath(Table &table) {
  using namespace math;
  addTrigonometric(table);
  addExponential(table);
  addRounding(table);
  table.addElementwise<AbsFOp>(absoluteFloat);
  table.addElementwise<CopySignOp>(copySign);
  table.addElementwise<ClampFOp>(clamp);
  table.addElementwise<FmaOp>(
      [](Operation &, Elements in, unsigned) { return fuse(in[0], in[1], in[2]); });
  table.addElementwise<IsFiniteOp>(asks<isFinite>);
  table.addElementwise<IsInfOp>(asks<isInfinite>);
  table.addElementwise<IsNaNOp>(asks<isNan>);
  table.addElementwise<IsNormalOp>(isNormal);
  table.addElementwise<AbsIOp>(absolute);
  table.addElementwise<CountLeadingZerosOp>(leadingZeros);
  table.addElementwise<CountTrailingZerosOp>(counts<trailingZeros>);
  table.addElementwise<CtPopOp>(counts<ones>);
  table.addElementwise<IPowIOp>(integerPower);
}
