// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on mixed or packed formats: two f32 in a 64-bit register (.f32x2; PTX ISA, 9.7.3), f32
// with 16-bit operands (mixed precision; 9.7.5), and fma.oob (9.7.4), which treats elements outside
// of a tensor as zero.

#include "tilewright/ptx/instructions/FloatArithmetic.h"
#include "tilewright/ptx/instructions/Opcodes.h"

using namespace tilewright;
using namespace tilewright::ptx;
using namespace tilewright::ptx::arithmetic;

namespace {
/// Applies a functor to both halves of a 64-bit register.
template <typename F> struct OnSingles {
  template <typename... A> static uint64_t run(uint32_t m, A... operands) {
    const auto half = [&](unsigned shift) {
      const float value = F::run(m, std::bit_cast<float>(uint32_t(operands >> shift))...);
      return uint64_t(std::bit_cast<uint32_t>(value)) << shift;
    };
    return half(0) | half(32);
  }
};

/// 16-bit operands convert exactly to f32; the result is rounded once.
template <typename H> float widened(H value) { return float(toDouble(value)); }
struct MixedAdd {
  template <typename H> static float run(uint32_t m, H a, float c) {
    return Add::run(m, widened(a), c);
  }
};
struct MixedSub {
  template <typename H> static float run(uint32_t m, H a, float c) {
    return Sub::run(m, widened(a), c);
  }
};
struct MixedFma {
  template <typename H> static float run(uint32_t m, H a, H b, float c) {
    return Fma::run(m, widened(a), widened(b), c);
  }
};

/// The NaN of either sign that a tensor copy fills with, in f16 and bf16 (TensorMap.cpp).
bool isOutOfBounds(uint16_t bits) { return (bits & 0x7FFF) == 0x7FF7; }

/// +0 if a or b is that NaN; separately for each of two values in a register.
struct OutOfBoundsFma {
  template <typename T> static T run(uint32_t m, T a, T b, T c) {
    if constexpr (isPair<T>)
      return onHalves<OutOfBoundsFma>(m, a, b, c);
    else
      return isOutOfBounds(a.bits) || isOutOfBounds(b.bits) ? T{0} : Fma::run(m, a, b, c);
  }
};
} // namespace

static bool isFor(const Decoder &decoder, std::string_view opcode) {
  return decoder.name().starts_with(opcode);
}

//===-- .f32x2 ------------------------------------------------------------------------------===//

static bool decodeSingles(Decoder &decoder) {
  decoder.take("f32x2");
  if (isFor(decoder, "fma") && !expectRounding(decoder))
    return false;
  takeRounding(decoder);
  takeFlag(decoder, "ftz", mode::flush);
  const bool isFma = isFor(decoder, "fma");
  if (!sameOperands(decoder, Type::F32x2, isFma ? 3 : 2))
    return false;
  if (isFma)
    return decoder.finish(compute<OnSingles<Fma>, uint64_t, uint64_t, uint64_t>);
  return decoder.finish(isFor(decoder, "add")   ? compute<OnSingles<Add>, uint64_t, uint64_t>
                        : isFor(decoder, "sub") ? compute<OnSingles<Sub>, uint64_t, uint64_t>
                                                : compute<OnSingles<Mul>, uint64_t, uint64_t>);
}

//===-- Mixed precision ---------------------------------------------------------------------===//

template <typename H> static Handler mixedHandler(const Decoder &decoder) {
  return isFor(decoder, "fma")   ? compute<MixedFma, H, H, float>
         : isFor(decoder, "add") ? compute<MixedAdd, H, float>
         : isFor(decoder, "sub") ? compute<MixedSub, H, float>
                                 : nullptr;
}

/// In `add.f32.f16 d, a, c` only a has 16 bits; in `fma.f32.f16 d, a, b, c` a and b have.
bool tilewright::ptx::decodeMixedArithmetic(Decoder &decoder) {
  if (decoder.has("f32x2"))
    return decodeSingles(decoder);
  Type result, type;
  if (!decoder.expectType(result, {Type::F32}) ||
      !decoder.expectType(type, {Type::F16, Type::BF16}))
    return false;
  if (isFor(decoder, "fma") && !expectRounding(decoder))
    return false;
  takeRounding(decoder);
  takeFlag(decoder, "sat", mode::saturate);
  const size_t count = isFor(decoder, "fma") ? 3 : 2;
  if (!decoder.expectOperands(count + 1) ||
      !decoder.destination(decoder.operand(0), Type::F32, decoder.op.d))
    return false;
  for (size_t number = 0; number < count; ++number)
    if (!decoder.source(decoder.operand(number + 1), number + 1 < count ? type : Type::F32,
                        decoder.op.in[number]))
      return false;
  return decoder.finish(type == Type::F16 ? mixedHandler<Half>(decoder)
                                          : mixedHandler<Brain>(decoder));
}

bool tilewright::ptx::isMixedForm(const Decoder &decoder) {
  return decoder.has("f32x2") ||
         (decoder.has("f32") && (decoder.has("f16") || decoder.has("bf16")));
}

//===-- fma.oob -----------------------------------------------------------------------------===//

bool tilewright::ptx::decodeOutOfBoundsFma(Decoder &decoder) {
  Type type;
  if (!decoder.take("oob") || !decoder.take("rn"))
    return decoder.refuse("'" + decoder.name() + "' has no .rn");
  if (!decoder.expectType(type, {Type::F16, Type::F16x2, Type::BF16, Type::BF16x2}))
    return false;
  takeFlag(decoder, "relu", mode::relu);
  return sameOperands(decoder, type, 3) && decoder.finish(withFloat(type, [](auto tag) -> Handler {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_floating_point_v<T>)
      return nullptr;
    else
      return compute<OutOfBoundsFma, T, T, T>;
  }));
}
