// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integer arithmetic (PTX ISA, 9.7.1 and 9.7.2). Results are the mathematical ones, truncated to
// the width.

#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"

#include <limits>
#include <type_traits>

using namespace tilewright::ptx;

template <typename T> using Unsigned = std::make_unsigned_t<T>;
template <typename T>
using Wide = std::conditional_t<
    sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>,
    std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>,
                       std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>>>;

template <typename T> static T wrapAdd(T a, T b) { return T(Unsigned<T>(a) + Unsigned<T>(b)); }

namespace {
struct Add {
  template <typename T> static T run(uint32_t, T a, T b) { return wrapAdd(a, b); }
};
struct Sub {
  template <typename T> static T run(uint32_t, T a, T b) {
    return T(Unsigned<T>(a) - Unsigned<T>(b));
  }
};
struct AddSaturated {
  static int32_t run(uint32_t, int32_t a, int32_t b) {
    const int64_t sum = int64_t(a) + b;
    return int32_t(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX));
  }
};
struct SubSaturated {
  static int32_t run(uint32_t, int32_t a, int32_t b) {
    const int64_t difference = int64_t(a) - b;
    return int32_t(std::clamp<int64_t>(difference, INT32_MIN, INT32_MAX));
  }
};
struct MulLow {
  template <typename T> static T run(uint32_t, T a, T b) { return T(Wide<T>(a) * Wide<T>(b)); }
};
struct MulHigh {
  template <typename T> static T run(uint32_t, T a, T b) {
    return T((Wide<T>(a) * Wide<T>(b)) >> (8 * sizeof(T)));
  }
};
struct MulWide {
  template <typename T> static Wide<T> run(uint32_t, T a, T b) { return Wide<T>(a) * Wide<T>(b); }
};
struct MadLow {
  template <typename T> static T run(uint32_t m, T a, T b, T c) {
    return wrapAdd(MulLow::run(m, a, b), c);
  }
};
struct MadHigh {
  template <typename T> static T run(uint32_t m, T a, T b, T c) {
    return wrapAdd(MulHigh::run(m, a, b), c);
  }
};
struct MadHighSaturated {
  static int32_t run(uint32_t m, int32_t a, int32_t b, int32_t c) {
    return AddSaturated::run(m, MulHigh::run(m, a, b), c);
  }
};
struct MadWide {
  template <typename T> static Wide<T> run(uint32_t m, T a, T b, Wide<T> c) {
    return wrapAdd(MulWide::run(m, a, b), c);
  }
};

/// The value of the lower 24 bits.
template <typename T> static int64_t low24(T value) {
  return std::is_signed_v<T> ? int64_t(uint64_t(value) << 40) >> 40 : int64_t(value & 0xFFFFFF);
}
struct Mul24Low {
  template <typename T> static T run(uint32_t, T a, T b) { return T(low24(a) * low24(b)); }
};
/// Bits 16 to 47 of the product.
struct Mul24High {
  template <typename T> static T run(uint32_t, T a, T b) { return T((low24(a) * low24(b)) >> 16); }
};
struct Mad24Low {
  template <typename T> static T run(uint32_t m, T a, T b, T c) {
    return wrapAdd(Mul24Low::run(m, a, b), c);
  }
};
struct Mad24High {
  template <typename T> static T run(uint32_t m, T a, T b, T c) {
    return wrapAdd(Mul24High::run(m, a, b), c);
  }
};
struct Mad24HighSaturated {
  static int32_t run(uint32_t m, int32_t a, int32_t b, int32_t c) {
    return AddSaturated::run(m, Mul24High::run(m, a, b), c);
  }
};

/// The manual leaves division by zero and its remainder open: all ones, as on GPUs
/// (test/gpu/instructions.py).
struct Div {
  template <typename T> static T run(uint32_t, T a, T b) {
    if (b == 0)
      return T(-1);
    return std::is_signed_v<T> && b == T(-1) ? T(Unsigned<T>(0) - Unsigned<T>(a)) : T(a / b);
  }
};
struct Rem {
  template <typename T> static T run(uint32_t, T a, T b) {
    if (b == 0)
      return T(-1);
    return std::is_signed_v<T> && b == T(-1) ? T(0) : T(a % b);
  }
};
struct Abs {
  template <typename T> static T run(uint32_t, T a) {
    return a < 0 ? T(Unsigned<T>(0) - Unsigned<T>(a)) : a;
  }
};
struct Neg {
  template <typename T> static T run(uint32_t, T a) { return T(Unsigned<T>(0) - Unsigned<T>(a)); }
};
struct Min {
  template <typename T> static T run(uint32_t, T a, T b) { return std::min(a, b); }
};
struct Max {
  template <typename T> static T run(uint32_t, T a, T b) { return std::max(a, b); }
};
struct Relu {
  static int32_t run(int32_t a) { return std::max(a, 0); }
};
struct MinRelu {
  static int32_t run(uint32_t, int32_t a, int32_t b) { return Relu::run(std::min(a, b)); }
};
struct MaxRelu {
  static int32_t run(uint32_t, int32_t a, int32_t b) { return Relu::run(std::max(a, b)); }
};
/// Applies a functor to both halves of a 32-bit register.
template <typename F, typename T> struct Pairs {
  template <typename... A> static uint32_t run(uint32_t m, A... operands) {
    const auto half = [&](unsigned shift) {
      T value = F::run(m, T(uint16_t(operands >> shift))...);
      if (std::is_signed_v<T> && (m & mode::relu))
        value = std::max<T>(value, 0);
      return uint32_t(uint16_t(value)) << shift;
    };
    return half(0) | half(16);
  }
};
struct Sad {
  template <typename T> static T run(uint32_t, T a, T b, T c) {
    const Unsigned<T> difference =
        a < b ? Unsigned<T>(b) - Unsigned<T>(a) : Unsigned<T>(a) - Unsigned<T>(b);
    return T(Unsigned<T>(c) + difference);
  }
};
/// Two mode bits tell which operands are signed.
struct Dp4a {
  static int32_t run(uint32_t m, uint32_t a, uint32_t b, int32_t c) {
    uint32_t sum = uint32_t(c);
    for (unsigned byte = 0; byte < 4; ++byte) {
      const auto part = [&](uint32_t word, uint32_t isSigned) {
        const uint8_t bits = uint8_t(word >> (8 * byte));
        return isSigned ? int32_t(int8_t(bits)) : int32_t(bits);
      };
      sum += uint32_t(part(a, m >> mode::own & 1) * part(b, m >> mode::own & 2));
    }
    return int32_t(sum);
  }
};
/// One more mode bit selects the lower or the upper half of b.
struct Dp2a {
  static int32_t run(uint32_t m, uint32_t a, uint32_t b, int32_t c) {
    uint32_t sum = uint32_t(c);
    for (unsigned half = 0; half < 2; ++half) {
      const uint16_t first = uint16_t(a >> (16 * half));
      const uint8_t second = uint8_t(b >> (8 * half + (m >> mode::own & 4 ? 16 : 0)));
      const int32_t lhs = m >> mode::own & 1 ? int32_t(int16_t(first)) : int32_t(first);
      const int32_t rhs = m >> mode::own & 2 ? int32_t(int8_t(second)) : int32_t(second);
      sum += uint32_t(lhs * rhs);
    }
    return int32_t(sum);
  }
};
} // namespace

//===-- Decoding ----------------------------------------------------------------------------===//

template <typename F, unsigned count> static bool decodeSame(Decoder &decoder) {
  Type type;
  if (!decoder.expectType(type,
                          {Type::U16, Type::U32, Type::U64, Type::S16, Type::S32, Type::S64}) ||
      !sameOperands(decoder, type, count))
    return false;
  return decoder.finish(withInteger(type, [](auto tag) -> Handler {
    return computeSame<F, count, typename decltype(tag)::type>();
  }));
}

static bool hasModifier(const Decoder &decoder, std::initializer_list<std::string_view> modifiers) {
  for (std::string_view modifier : modifiers)
    if (decoder.has(modifier))
      return true;
  return false;
}

static bool isFloatForm(const Decoder &decoder) {
  return hasModifier(decoder, {"f16", "bf16", "f16x2", "bf16x2", "f32", "f64", "f32x2"});
}

template <typename F> static bool decodePairs(Decoder &decoder, bool hasRelu) {
  Type type;
  if (!decoder.expectType(type, {Type::U16x2, Type::S16x2}))
    return false;
  if (hasRelu && type == Type::S16x2)
    takeFlag(decoder, "relu", mode::relu);
  if (!sameOperands(decoder, type, 2))
    return false;
  return decoder.finish(type == Type::S16x2 ? compute<Pairs<F, int16_t>, uint32_t, uint32_t>
                                            : compute<Pairs<F, uint16_t>, uint32_t, uint32_t>);
}

static bool isPairForm(const Decoder &decoder) { return hasModifier(decoder, {"u16x2", "s16x2"}); }

static bool decodeSaturated(Decoder &decoder, Handler handler) {
  Type type;
  return decoder.take("sat") && decoder.expectType(type, {Type::S32}) &&
         sameOperands(decoder, type, 2) && decoder.finish(handler);
}

static bool decodeAdd(Decoder &decoder) {
  if (isFloatForm(decoder))
    return decodeFloatAdd(decoder);
  if (decoder.has("cc"))
    return decodeAddCarry(decoder);
  if (isPairForm(decoder))
    return decodePairs<Add>(decoder, /*hasRelu=*/false);
  if (decoder.has("sat"))
    return decodeSaturated(decoder, compute<AddSaturated, int32_t, int32_t>);
  return decodeSame<Add, 2>(decoder);
}

static bool decodeSub(Decoder &decoder) {
  if (isFloatForm(decoder))
    return decodeFloatSub(decoder);
  if (decoder.has("cc"))
    return decodeSubCarry(decoder);
  if (decoder.has("sat"))
    return decodeSaturated(decoder, compute<SubSaturated, int32_t, int32_t>);
  return decodeSame<Sub, 2>(decoder);
}

template <bool isMad> static bool decodeWide(Decoder &decoder) {
  Type type;
  if (!decoder.expectType(type, {Type::U16, Type::U32, Type::S16, Type::S32}) ||
      !decoder.expectOperands(isMad ? 4 : 3))
    return false;
  const Type wide = bytesOf(type) == 2 ? Type::B32 : Type::B64;
  if (!decoder.destination(decoder.operand(0), wide, decoder.op.d) ||
      !decoder.source(decoder.operand(1), type, decoder.op.in[0]) ||
      !decoder.source(decoder.operand(2), type, decoder.op.in[1]) ||
      (isMad && !decoder.source(decoder.operand(3), wide, decoder.op.in[2])))
    return false;
  return decoder.finish(withInteger(type, [](auto tag) -> Handler {
    using T = typename decltype(tag)::type;
    if constexpr (sizeof(T) == 8)
      return nullptr;
    else if constexpr (isMad)
      return compute<MadWide, T, T, Wide<T>>;
    else
      return compute<MulWide, T, T>;
  }));
}

static bool decodeMul(Decoder &decoder) {
  if (isFloatForm(decoder))
    return decodeFloatMul(decoder);
  if (decoder.take("wide"))
    return decodeWide<false>(decoder);
  if (decoder.take("hi"))
    return decodeSame<MulHigh, 2>(decoder);
  return decoder.take("lo")
             ? decodeSame<MulLow, 2>(decoder)
             : decoder.refuse("'" + decoder.name() + "' has none of .lo, .hi, .wide");
}

static bool decodeMad(Decoder &decoder) {
  if (isFloatForm(decoder))
    return decodeFloatMad(decoder);
  if (decoder.has("cc"))
    return decodeMadCarry(decoder);
  if (decoder.take("wide"))
    return decodeWide<true>(decoder);
  if (decoder.take("hi")) {
    Type type;
    if (decoder.take("sat"))
      return decoder.expectType(type, {Type::S32}) && sameOperands(decoder, type, 3) &&
             decoder.finish(compute<MadHighSaturated, int32_t, int32_t, int32_t>);
    return decodeSame<MadHigh, 3>(decoder);
  }
  return decoder.take("lo")
             ? decodeSame<MadLow, 3>(decoder)
             : decoder.refuse("'" + decoder.name() + "' has none of .lo, .hi, .wide");
}

template <typename Low, typename High, unsigned count> static bool decode24(Decoder &decoder) {
  const bool isHigh = decoder.take("hi");
  if (!isHigh && !decoder.take("lo"))
    return decoder.refuse("'" + decoder.name() + "' has neither .lo nor .hi");
  const bool isSaturated = count == 3 && isHigh && decoder.take("sat");
  Type type;
  if (!decoder.expectType(type, {Type::U32, Type::S32}) || !sameOperands(decoder, type, count))
    return false;
  if (isSaturated)
    return decoder.finish(type == Type::S32 ? compute<Mad24HighSaturated, int32_t, int32_t, int32_t>
                                            : nullptr);
  if (type == Type::S32)
    return decoder.finish(isHigh ? computeSame<High, count, int32_t>()
                                 : computeSame<Low, count, int32_t>());
  return decoder.finish(isHigh ? computeSame<High, count, uint32_t>()
                               : computeSame<Low, count, uint32_t>());
}

static bool decodeDiv(Decoder &decoder) {
  return isFloatForm(decoder) ? decodeFloatDiv(decoder) : decodeSame<Div, 2>(decoder);
}

template <typename F, DecodeFunction decodeFloat> static bool decodeSigned(Decoder &decoder) {
  if (isFloatForm(decoder))
    return decodeFloat(decoder);
  Type type;
  if (!decoder.expectType(type, {Type::S16, Type::S32, Type::S64}) ||
      !sameOperands(decoder, type, 1))
    return false;
  return decoder.finish(type == Type::S16   ? compute<F, int16_t>
                        : type == Type::S32 ? compute<F, int32_t>
                                            : compute<F, int64_t>);
}

template <typename F, typename FRelu, DecodeFunction decodeFloat>
static bool decodeExtreme(Decoder &decoder) {
  if (isFloatForm(decoder))
    return decodeFloat(decoder);
  if (isPairForm(decoder))
    return decodePairs<F>(decoder, /*hasRelu=*/true);
  Type type;
  if (decoder.take("relu"))
    return decoder.expectType(type, {Type::S32}) && sameOperands(decoder, type, 2) &&
           decoder.finish(compute<FRelu, int32_t, int32_t>);
  return decodeSame<F, 2>(decoder);
}

/// Takes `.s32.u32`: the types of the two factors.
static bool decodeDot(Decoder &decoder, Handler handler) {
  Type first, second;
  if (!decoder.expectType(first, {Type::U32, Type::S32}) ||
      !decoder.expectType(second, {Type::U32, Type::S32}) || !sameOperands(decoder, Type::B32, 3))
    return false;
  decoder.op.mode |= (isSigned(first) ? 1u : 0u) << mode::own;
  decoder.op.mode |= (isSigned(second) ? 2u : 0u) << mode::own;
  return decoder.finish(handler);
}

static bool decodeDp4a(Decoder &decoder) {
  return decodeDot(decoder, compute<Dp4a, uint32_t, uint32_t, int32_t>);
}

static bool decodeDp2a(Decoder &decoder) {
  if (decoder.take("hi"))
    decoder.op.mode |= 4u << mode::own;
  else if (!decoder.take("lo"))
    return decoder.refuse("'" + decoder.name() + "' has neither .lo nor .hi");
  return decodeDot(decoder, compute<Dp2a, uint32_t, uint32_t, int32_t>);
}

std::span<const OpcodeRow> tilewright::ptx::integerOpcodes() {
  static constexpr OpcodeRow rows[] = {
      {"add", decodeAdd},
      {"sub", decodeSub},
      {"mul", decodeMul},
      {"mad", decodeMad},
      {"mul24", decode24<Mul24Low, Mul24High, 2>},
      {"mad24", decode24<Mad24Low, Mad24High, 3>},
      {"sad", decodeSame<Sad, 3>},
      {"div", decodeDiv},
      {"rem", decodeSame<Rem, 2>},
      {"abs", decodeSigned<Abs, decodeFloatAbs>},
      {"neg", decodeSigned<Neg, decodeFloatNeg>},
      {"min", decodeExtreme<Min, MinRelu, decodeFloatMin>},
      {"max", decodeExtreme<Max, MaxRelu, decodeFloatMax>},
      {"dp4a", decodeDp4a},
      {"dp2a", decodeDp2a},
  };
  return rows;
}
