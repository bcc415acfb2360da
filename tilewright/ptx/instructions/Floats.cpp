// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Float arithmetic (PTX ISA, 9.7.3 to 9.7.5); FloatArithmetic.h has the functors that other files
// use, too.

#include "tilewright/ptx/instructions/FloatArithmetic.h"
#include "tilewright/ptx/instructions/Opcodes.h"

using namespace tilewright;
using namespace tilewright::ptx;
using namespace tilewright::ptx::arithmetic;

namespace {
struct Div {
  template <typename T> static T run(uint32_t m, T a, T b) {
    a = flushIf(m, a);
    b = flushIf(m, b);
    if (isNative<T>(m))
      return finished(m, a / b);
    return finished(m, fromElement<T>(numerics::divF(toElement(a), toElement(b), roundingOf(m))));
  }
};
struct Sqrt {
  template <typename T> static T run(uint32_t m, T a) {
    a = flushIf(m, a);
    if (isNative<T>(m))
      return finished(m, std::sqrt(a));
    return finished(m, fromElement<T>(numerics::sqrtF(toElement(a), roundingOf(m))));
  }
};
struct Rcp {
  template <typename T> static T run(uint32_t m, T a) { return Div::run(m, T(1), a); }
};

/// Operations on the sign keep the bits of a NaN; for f32, the manual leaves them open.
struct Abs {
  template <typename T> static T run(uint32_t m, T a) {
    if constexpr (isPair<T>)
      return onHalves<Abs>(m, a);
    else
      return flushIf(m, fromElement<T>(numerics::absF(toElement(a))));
  }
};
struct Neg {
  template <typename T> static T run(uint32_t m, T a) {
    if constexpr (isPair<T>)
      return onHalves<Neg>(m, a);
    else
      return flushIf(m, negated(a));
  }
};

struct CopySign {
  template <typename T> static T run(uint32_t, T a, T b) { return std::copysign(b, a); }
};
/// Tests for a class of numbers (testp).
struct Testp {
  template <typename T> static uint8_t run(uint32_t m, T a) {
    switch (m >> mode::own) {
    case 0:
      return std::isfinite(a);
    case 1:
      return std::isinf(a);
    case 2:
      return !std::isnan(a);
    case 3:
      return std::isnan(a);
    case 4: // zeros count as normal numbers
      return std::isnormal(a) || a == 0;
    default:
      return std::fpclassify(a) == FP_SUBNORMAL;
    }
  }
};
} // namespace

//===-- Decoding ----------------------------------------------------------------------------===//

template <typename F, unsigned count> static Handler floatHandler(Type type) {
  return withFloat(type, [](auto tag) -> Handler {
    return computeSame<F, count, typename decltype(tag)::type>();
  });
}

/// Takes the modifiers that the type allows (the tables of PTX ISA, 9.7.3 to 9.7.5).
static void takeArithmeticModifiers(Decoder &decoder, Type type, bool hasRelu) {
  const bool isSingle = type == Type::F32;
  const bool isHalf = type == Type::F16 || type == Type::F16x2;
  if (isSingle || type == Type::F64)
    takeRounding(decoder);
  else
    decoder.take("rn");
  if (isSingle || isHalf)
    takeFlag(decoder, "ftz", mode::flush);
  if (isSingle || isHalf)
    takeFlag(decoder, "sat", mode::saturate);
  if (hasRelu && !isSingle && type != Type::F64)
    takeFlag(decoder, "relu", mode::relu);
}

template <typename F, unsigned count, bool hasRelu = false>
static bool decodeArithmetic(Decoder &decoder) {
  if (isMixedForm(decoder))
    return decodeMixedArithmetic(decoder);
  Type type;
  if (!decoder.expectType(type,
                          {Type::F16, Type::BF16, Type::F16x2, Type::BF16x2, Type::F32, Type::F64}))
    return false;
  if (count == 3 && !expectRounding(decoder))
    return false;
  takeArithmeticModifiers(decoder, type, hasRelu);
  return sameOperands(decoder, type, count) && decoder.finish(floatHandler<F, count>(type));
}

bool tilewright::ptx::decodeFloatAdd(Decoder &decoder) { return decodeArithmetic<Add, 2>(decoder); }
bool tilewright::ptx::decodeFloatSub(Decoder &decoder) { return decodeArithmetic<Sub, 2>(decoder); }
bool tilewright::ptx::decodeFloatMul(Decoder &decoder) { return decodeArithmetic<Mul, 2>(decoder); }

bool tilewright::ptx::decodeFloatMad(Decoder &decoder) {
  if (decoder.has("f32") || decoder.has("f64"))
    return decodeArithmetic<Fma, 3>(decoder);
  return decoder.refuse("'" + decoder.name() + "' is not supported");
}

/// f32 and f64 with a rounding mode.
template <typename F, unsigned count> static bool decodeRounded(Decoder &decoder) {
  Type type;
  if (!decoder.expectType(type, {Type::F32, Type::F64}))
    return false;
  if (!expectRounding(decoder))
    return false;
  takeRounding(decoder);
  if (type == Type::F32)
    takeFlag(decoder, "ftz", mode::flush);
  if (!sameOperands(decoder, type, count))
    return false;
  return decoder.finish(type == Type::F32 ? computeSame<F, count, float>()
                                          : computeSame<F, count, double>());
}

bool tilewright::ptx::decodeFloatDiv(Decoder &decoder) {
  if (decoder.has("approx") || decoder.has("full"))
    return decodeApproximateDiv(decoder);
  return decodeRounded<Div, 2>(decoder);
}

static bool decodeRcp(Decoder &decoder) {
  return decoder.has("approx") ? decodeApproximateRcp(decoder) : decodeRounded<Rcp, 1>(decoder);
}

static bool decodeSqrt(Decoder &decoder) {
  return decoder.has("approx") ? decodeApproximateSqrt(decoder) : decodeRounded<Sqrt, 1>(decoder);
}

template <typename F, unsigned count> static bool decodeSign(Decoder &decoder) {
  Type type;
  if (!decoder.expectType(type,
                          {Type::F16, Type::BF16, Type::F16x2, Type::BF16x2, Type::F32, Type::F64}))
    return false;
  if (type == Type::F32 || type == Type::F16 || type == Type::F16x2)
    takeFlag(decoder, "ftz", mode::flush);
  return sameOperands(decoder, type, count) && decoder.finish(floatHandler<F, count>(type));
}

bool tilewright::ptx::decodeFloatAbs(Decoder &decoder) { return decodeSign<Abs, 1>(decoder); }
bool tilewright::ptx::decodeFloatNeg(Decoder &decoder) { return decodeSign<Neg, 1>(decoder); }

/// With two operands, .abs requires .xorsign; with three, which only f32 has, it stands alone.
template <bool isMax> static bool decodeFloatExtreme(Decoder &decoder) {
  if (decoder.has("f64"))
    return decodeSign<Extreme<isMax>, 2>(decoder);
  takeFlag(decoder, "NaN", mode::nan);
  const bool hasThree = decoder.has("f32") && decoder.operandCount() == 4;
  takeFlag(decoder, hasThree ? "abs" : "xorsign", hasThree ? mode::magnitude : mode::xorSign);
  if (decoder.op.mode & mode::xorSign && !decoder.take("abs"))
    return decoder.refuse("'" + decoder.name() + "' is not supported: .xorsign without .abs");
  if (!hasThree)
    return decodeSign<Extreme<isMax>, 2>(decoder);
  decoder.take("f32");
  takeFlag(decoder, "ftz", mode::flush);
  return sameOperands(decoder, Type::F32, 3) &&
         decoder.finish(compute<Extreme<isMax>, float, float, float>);
}

bool tilewright::ptx::decodeFloatMin(Decoder &decoder) {
  return decodeFloatExtreme<false>(decoder);
}
bool tilewright::ptx::decodeFloatMax(Decoder &decoder) { return decodeFloatExtreme<true>(decoder); }

static bool decodeCopySign(Decoder &decoder) {
  Type type;
  return decoder.expectType(type, {Type::F32, Type::F64}) && sameOperands(decoder, type, 2) &&
         decoder.finish(type == Type::F32 ? compute<CopySign, float, float>
                                          : compute<CopySign, double, double>);
}

static bool decodeTestp(Decoder &decoder) {
  const auto found =
      decoder.takeOneOf({"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  Type type;
  if (!found)
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  decoder.op.mode = uint32_t(*found) << mode::own;
  return decoder.expectType(type, {Type::F32, Type::F64}) && decoder.expectOperands(2) &&
         decoder.destination(decoder.operand(0), Type::Pred, decoder.op.d) &&
         decoder.source(decoder.operand(1), type, decoder.op.in[0]) &&
         decoder.finish(type == Type::F32 ? compute<Testp, float> : compute<Testp, double>);
}

static bool decodeFma(Decoder &decoder) {
  return decoder.has("oob") ? decodeOutOfBoundsFma(decoder)
                            : decodeArithmetic<Fma, 3, /*hasRelu=*/true>(decoder);
}

std::span<const OpcodeRow> tilewright::ptx::floatOpcodes() {
  static constexpr OpcodeRow rows[] = {
      {"fma", decodeFma},           {"rcp", decodeRcp},     {"sqrt", decodeSqrt},
      {"copysign", decodeCopySign}, {"testp", decodeTestp},
  };
  return rows;
}
