// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Approximate instructions (PTX ISA, 9.7.3). The manual gives error bounds; here results round
// correctly, which is within all bounds, but need not match the bits of a device. Special values
// and subnormals are exactly as the manual specifies.

#include "tilewright/numerics/Math.h"
#include "tilewright/ptx/instructions/FloatValue.h"
#include "tilewright/ptx/instructions/Opcodes.h"

using namespace tilewright;
using namespace tilewright::ptx;
using numerics::Element;

template <Element (*function)(Element)> static float through(float a) {
  return fromElement<float>(function(toElement(a)));
}
static Element exp2(Element a) { return numerics::exp2F(a); }
static Element tanh(Element a) { return numerics::tanhF(a); }
static Element rsqrt(Element a) { return numerics::rsqrtF(a); }

namespace {
/// For |b| in (2^126, 2^128) the reciprocal is flushed, so the quotient is 0 (div.approx).
struct DivApprox {
  static float run(uint32_t m, float a, float b) {
    a = flushIf(m, a);
    b = flushIf(m, b);
    const float size = std::fabs(b);
    if (size > 0x1p126f && std::isfinite(b) && !std::isnan(a))
      return std::isinf(a) ? canonicalNan<float>()
                           : std::copysign(0.0f, std::signbit(a) == std::signbit(b) ? 1.0f : -1.0f);
    return finished(m, a / b);
  }
};
struct DivFull {
  static float run(uint32_t m, float a, float b) {
    return finished(m, flushIf(m, a) / flushIf(m, b));
  }
};
struct Rcp {
  static float run(uint32_t m, float a) { return finished(m, 1.0f / flushIf(m, a)); }
};
struct Sqrt {
  static float run(uint32_t m, float a) { return finished(m, std::sqrt(flushIf(m, a))); }
};
struct Rsqrt {
  static float run(uint32_t m, float a) { return finished(m, through<rsqrt>(flushIf(m, a))); }
};
struct Sin {
  static float run(uint32_t m, float a) {
    return finished(m, through<numerics::sinF>(flushIf(m, a)));
  }
};
struct Cos {
  static float run(uint32_t m, float a) {
    return finished(m, through<numerics::cosF>(flushIf(m, a)));
  }
};
struct Lg2 {
  static float run(uint32_t m, float a) {
    return finished(m, through<numerics::log2F>(flushIf(m, a)));
  }
};
struct Ex2 {
  template <typename T> static T run(uint32_t m, T a) {
    if constexpr (isPair<T>)
      return onHalves<Ex2>(m, a);
    else
      return finished(m, fromElement<T>(exp2(toElement(flushIf(m, a)))));
  }
};
struct Tanh {
  template <typename T> static T run(uint32_t m, T a) {
    if constexpr (isPair<T>)
      return onHalves<Tanh>(m, a);
    else
      return canonical(fromElement<T>(tanh(toElement(a))));
  }
};
/// Only the upper halves of operand and result are used (rcp.approx.ftz.f64).
struct UpperHalf {
  static double of(double value) {
    return std::bit_cast<double>(std::bit_cast<uint64_t>(value) & 0xFFFFFFFF00000000);
  }
  static double flushedOf(double value) {
    return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0, value) : value;
  }
};
struct RcpDouble {
  static double run(uint32_t, double a) {
    a = UpperHalf::flushedOf(UpperHalf::of(a));
    return std::isnan(a) ? canonicalNan<double>() : UpperHalf::of(UpperHalf::flushedOf(1.0 / a));
  }
};
struct RsqrtDouble {
  static double run(uint32_t m, double a) {
    if (m & mode::flush)
      a = UpperHalf::flushedOf(UpperHalf::of(a));
    const double root = fromElement<double>(rsqrt(toElement(a)));
    return m & mode::flush ? UpperHalf::of(canonical(root)) : canonical(root);
  }
};
} // namespace

template <typename F, unsigned count> static bool decodeSingle(Decoder &decoder) {
  takeFlag(decoder, "ftz", mode::flush);
  Type type;
  return decoder.expectType(type, {Type::F32}) && sameOperands(decoder, type, count) &&
         decoder.finish(computeSame<F, count, float>());
}

template <typename F> static bool decodeApprox(Decoder &decoder) {
  if (!decoder.take("approx"))
    return decoder.refuse("'" + decoder.name() + "' is not supported: it has no .approx");
  return decodeSingle<F, 1>(decoder);
}

bool tilewright::ptx::decodeApproximateDiv(Decoder &decoder) {
  return decoder.take("full") ? decodeSingle<DivFull, 2>(decoder)
                              : decoder.take("approx") && decodeSingle<DivApprox, 2>(decoder);
}

bool tilewright::ptx::decodeApproximateSqrt(Decoder &decoder) {
  return decodeApprox<Sqrt>(decoder);
}

bool tilewright::ptx::decodeApproximateRcp(Decoder &decoder) {
  if (!decoder.has("f64"))
    return decodeApprox<Rcp>(decoder);
  Type type;
  if (!decoder.take("approx") || !decoder.take("ftz"))
    return decoder.refuse("'" + decoder.name() + "' is not supported: it has no .ftz");
  return decoder.expectType(type, {Type::F64}) && sameOperands(decoder, type, 1) &&
         decoder.finish(compute<RcpDouble, double>);
}

static bool decodeRsqrt(Decoder &decoder) {
  if (!decoder.has("f64"))
    return decodeApprox<Rsqrt>(decoder);
  Type type;
  if (!decoder.take("approx"))
    return decoder.refuse("'" + decoder.name() + "' is not supported: it has no .approx");
  takeFlag(decoder, "ftz", mode::flush);
  return decoder.expectType(type, {Type::F64}) && sameOperands(decoder, type, 1) &&
         decoder.finish(compute<RsqrtDouble, double>);
}

/// f32 and 16-bit formats. Of ex2, the f32 form may flush and the bf16 form must name .ftz; others
/// never flush.
template <typename F> static bool decodeWithHalves(Decoder &decoder) {
  if (!decoder.take("approx"))
    return decoder.refuse("'" + decoder.name() + "' is not supported: it has no .approx");
  Type type;
  if (!decoder.expectType(type, {Type::F32, Type::F16, Type::F16x2, Type::BF16, Type::BF16x2}))
    return false;
  const bool isBrain = type == Type::BF16 || type == Type::BF16x2;
  if (std::is_same_v<F, Ex2> && (isBrain || type == Type::F32))
    takeFlag(decoder, "ftz", mode::flush);
  if (std::is_same_v<F, Ex2> && isBrain && !(decoder.op.mode & mode::flush))
    return decoder.refuse("'" + decoder.name() + "' is not supported: it has no .ftz");
  if (!sameOperands(decoder, type, 1))
    return false;
  return decoder.finish(withFloat(type, [](auto tag) -> Handler {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, double>)
      return nullptr;
    else
      return compute<F, T>;
  }));
}

std::span<const OpcodeRow> tilewright::ptx::approximateOpcodes() {
  static constexpr OpcodeRow rows[] = {
      {"rsqrt", decodeRsqrt},     {"sin", decodeApprox<Sin>},     {"cos", decodeApprox<Cos>},
      {"lg2", decodeApprox<Lg2>}, {"ex2", decodeWithHalves<Ex2>}, {"tanh", decodeWithHalves<Tanh>},
  };
  return rows;
}
