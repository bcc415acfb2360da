// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of two values in one register (PTX ISA, 9.7.9.21): cvt to and from .f16x2, .bf16x2
// and the pairs of 8, 6 and 4 bits; and cvt.pack of integers (9.7.9.22). Values pass through f64,
// which holds all of these formats.

#include "tilewright/ptx/instructions/FloatValue.h"
#include "tilewright/ptx/instructions/Opcodes.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::ptx;
using numerics::Element;
using numerics::Format;
using numerics::RoundingMode;

//===-- Formats -----------------------------------------------------------------------------===//

namespace {
/// One of the two values: how many bits it takes, and its format, or how it is made of them.
struct Small {
  Type pair;
  unsigned bits;
  std::optional<Format> format;
  int exponentBits = 0, mantissaBits = 0;
};
} // namespace

/// The formats of 6 bits have neither infinities nor NaNs.
static constexpr Small halves[] = {
    {Type::F16x2, 16, Format::F16},        {Type::BF16x2, 16, Format::BF16},
    {Type::E4M3x2, 8, Format::F8E4M3FN},   {Type::E5M2x2, 8, Format::F8E5M2},
    {Type::E2M1x2, 4, Format::F4E2M1FN},   {Type::UE8M0x2, 8, Format::F8E8M0FNU},
    {Type::E2M3x2, 8, std::nullopt, 2, 3}, {Type::E3M2x2, 8, std::nullopt, 3, 2},
};

static const Small *halfOf(Type pair) {
  for (const Small &half : halves)
    if (half.pair == pair)
      return &half;
  return nullptr;
}

/// A number of 6 bits, to nearest even; beyond the largest, the largest.
static uint64_t encodeSmall(double value, const Small &half) {
  const int bias = (1 << (half.exponentBits - 1)) - 1;
  const uint64_t largest = (uint64_t(1) << (half.exponentBits + half.mantissaBits)) - 1;
  const uint64_t sign = std::signbit(value) ? largest + 1 : 0;
  const double size = std::fabs(value);
  if (size >= std::ldexp(1.0, (1 << half.exponentBits) - bias))
    return sign | largest;
  // Patterns count the steps of this size, from the first number of this exponent on.
  const int exponent = std::max(size == 0 ? 1 - bias : std::ilogb(size), 1 - bias);
  const uint64_t steps = uint64_t(std::nearbyint(std::ldexp(size, half.mantissaBits - exponent)));
  return sign | std::min(largest, steps + (uint64_t(exponent + bias - 1) << half.mantissaBits));
}

static double decodeSmall(uint64_t bits, const Small &half) {
  const int bias = (1 << (half.exponentBits - 1)) - 1;
  const int exponent = int(bits >> half.mantissaBits & ((1u << half.exponentBits) - 1));
  const uint64_t mantissa = bits & ((1u << half.mantissaBits) - 1);
  const uint64_t hidden = exponent ? uint64_t(1) << half.mantissaBits : 0;
  const double size =
      std::ldexp(double(hidden | mantissa), std::max(exponent, 1) - bias - half.mantissaBits);
  return bits >> (half.exponentBits + half.mantissaBits) & 1 ? -size : size;
}

static double decode(uint64_t bits, const Small &half) {
  return half.format ? Element{bits & numerics::info(*half.format).mask(), *half.format}.asDouble()
                     : decodeSmall(bits, half);
}

static constexpr uint32_t satFinite = 0x2000;

/// A NaN stays one; where there is none, it becomes the largest number. Beyond the largest, there
/// is an infinity, or a NaN, or with .satfinite the largest.
static uint64_t encode(double value, const Small &half, uint32_t m) {
  if ((m & mode::relu) && value < 0)
    value = 0;
  if ((m & mode::relu) && value == 0)
    value = 0; // no sign
  if (!half.format)
    return std::isnan(value) ? encodeSmall(HUGE_VAL, half) : encodeSmall(value, half);
  const numerics::FormatInfo &format = numerics::info(*half.format);
  if (std::isnan(value))
    return format.hasNan ? format.canonicalNan : format.largest;
  const Element result = numerics::floatToFloat(Element::fromDouble(value), *half.format,
                                                RoundingMode(m & mode::rounding));
  if ((m & satFinite) && result.isInf())
    return format.largest | (std::signbit(value) ? format.signBit() : 0);
  // Of ue8m0: numerics gives the largest for what is beyond it.
  if (!(m & satFinite) && *half.format == Format::F8E8M0FNU && std::fabs(value) > 0x1p127)
    return format.canonicalNan;
  return result.bits;
}

//===-- Execution ---------------------------------------------------------------------------===//

// Bits of the mode: the types in the upper half.
static const Small &sourceOf(const Op &op) { return *halfOf(Type(op.mode >> 16 & 0xFF)); }
static const Small &resultOf(const Op &op) { return *halfOf(Type(op.mode >> 24)); }

/// The first source goes to the upper half.
static Step runFromSingles(Thread &thread, const Op &op) {
  const Small &result = resultOf(op);
  const uint64_t upper = encode(thread.get<float>(op.in[0]), result, op.mode);
  const uint64_t lower = encode(thread.get<float>(op.in[1]), result, op.mode);
  thread.put(op.d, upper << result.bits | lower,
             thread.has<float>(op.in[0]) && thread.has<float>(op.in[1]));
  return Step::Next;
}

static Step runFromPair(Thread &thread, const Op &op) {
  const Small &source = sourceOf(op), &result = resultOf(op);
  const uint64_t both = thread.values[op.in[0]];
  const uint64_t mask = (uint64_t(1) << source.bits) - 1;
  const uint8_t needed = uint8_t((1u << op.bytes) - 1);
  const uint64_t upper = encode(decode(both >> source.bits & mask, source), result, op.mode);
  const uint64_t lower = encode(decode(both & mask, source), result, op.mode);
  thread.put(op.d, upper << result.bits | lower, (thread.defined[op.in[0]] & needed) == needed);
  return Step::Next;
}

//===-- Decoding ----------------------------------------------------------------------------===//

static constexpr std::initializer_list<Type> pairs = {Type::F16x2,  Type::BF16x2, Type::E4M3x2,
                                                      Type::E5M2x2, Type::E2M1x2, Type::E2M3x2,
                                                      Type::E3M2x2, Type::UE8M0x2};

static bool isSmall(Type type) { return type != Type::F16x2 && type != Type::BF16x2; }

static Type registerOf(Type pair) {
  const unsigned bytes = bytesOf(pair);
  return bytes == 1 ? Type::B8 : bytes == 2 ? Type::B16 : Type::B32;
}

/// Which pairs there are (the table of cvt)?
static bool isConversion(Type result, Type source) {
  if (source == Type::F32)
    return true;
  if (result == Type::UE8M0x2 || source == Type::UE8M0x2)
    return result == Type::BF16x2 || source == Type::BF16x2;
  if (source == Type::BF16x2)
    return false;
  return isSmall(result) ? source == Type::F16x2 : result == Type::F16x2 && isSmall(source);
}

static bool takePairRounding(Decoder &decoder, Type result) {
  const auto rounding = decoder.takeOneOf({"rn", "rz", "rm", "rp"});
  const bool isScale = result == Type::UE8M0x2;
  const bool fits = rounding && (isScale           ? *rounding == 1 || *rounding == 3
                                 : isSmall(result) ? *rounding == 0
                                                   : *rounding <= 1);
  decoder.op.mode |= rounding ? uint32_t(*rounding) : 0;
  return fits ||
         decoder.refuse("'" + decoder.name() + "' is not supported: its rounding does not fit");
}

bool tilewright::ptx::decodeConvertPair(Decoder &decoder) {
  Type result, source;
  if (!decoder.expectType(result, pairs) ||
      !decoder.expectType(source, {Type::F32, Type::F16x2, Type::BF16x2, Type::E4M3x2, Type::E5M2x2,
                                   Type::E2M1x2, Type::E2M3x2, Type::E3M2x2, Type::UE8M0x2}) ||
      !takePairRounding(decoder, result))
    return false;
  if (!isConversion(result, source))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  if (result != Type::UE8M0x2 && source != Type::UE8M0x2)
    takeFlag(decoder, "relu", mode::relu);
  takeFlag(decoder, "satfinite", satFinite);
  if (isSmall(result) && result != Type::UE8M0x2 && !(decoder.op.mode & satFinite))
    return decoder.refuse("'" + decoder.name() + "' has no .satfinite");
  decoder.op.mode |= uint32_t(source) << 16 | uint32_t(result) << 24;
  decoder.op.bytes = uint8_t(bytesOf(source));
  const bool isSingle = source == Type::F32;
  return decoder.expectOperands(isSingle ? 3 : 2) &&
         decoder.destination(decoder.operand(0), registerOf(result), decoder.op.d) &&
         decoder.source(decoder.operand(1), isSingle ? Type::F32 : registerOf(source),
                        decoder.op.in[0]) &&
         (!isSingle || decoder.source(decoder.operand(2), Type::F32, decoder.op.in[1])) &&
         decoder.finish(isSingle ? runFromSingles : runFromPair);
}

//===-- cvt.pack ----------------------------------------------------------------------------===//

// op.bytes is the number of bits of a packed integer; of what is below a 16-bit pair, the rest of
// the register comes from a third operand.
static constexpr uint32_t isSignedResult = 1u << mode::own, isSignedSource = 2u << mode::own;

static Step runPack(Thread &thread, const Op &op) {
  const unsigned bits = op.bytes;
  const int64_t largest = (int64_t(1) << (op.mode & isSignedResult ? bits - 1 : bits)) - 1;
  const int64_t smallest = op.mode & isSignedResult ? -largest - 1 : 0;
  const auto part = [&](uint32_t slot) {
    const uint32_t word = thread.get<uint32_t>(slot);
    const int64_t value = op.mode & isSignedSource ? int64_t(int32_t(word)) : int64_t(word);
    return uint64_t(std::clamp(value, smallest, largest)) & ((uint64_t(1) << bits) - 1);
  };
  const bool hasThird = op.in[2] != noSlot;
  uint64_t result = part(op.in[0]) << bits | part(op.in[1]);
  bool isDefined = thread.has<uint32_t>(op.in[0]) && thread.has<uint32_t>(op.in[1]);
  if (hasThird) {
    result |= uint64_t(thread.get<uint32_t>(op.in[2])) << (2 * bits);
    isDefined &= thread.has<uint32_t>(op.in[2]);
  }
  thread.put(op.d, uint32_t(result), isDefined);
  return Step::Next;
}

/// `cvt.pack.sat.s8.s32.b32 d, a, b, c`: a and b become the lowest parts of d, above them is c.
bool tilewright::ptx::decodeConvertPack(Decoder &decoder) {
  Type result, source, third;
  if (!decoder.take("sat") ||
      !decoder.expectType(result, {Type::U16, Type::S16, Type::U8, Type::S8, Type::U4, Type::S4,
                                   Type::U2, Type::S2}) ||
      !decoder.expectType(source, {Type::S32}))
    return false;
  const bool isWide = bytesOf(result) == 2;
  if (!isWide && !decoder.expectType(third, {Type::B32}))
    return false;
  const bool isCrumb = result == Type::U2 || result == Type::S2;
  const bool isNibble = result == Type::U4 || result == Type::S4;
  decoder.op.bytes = isWide ? 16 : isCrumb ? 2 : isNibble ? 4 : 8;
  decoder.op.mode =
      (isSigned(result) ? isSignedResult : 0) | (isSigned(source) ? isSignedSource : 0);
  return decoder.expectOperands(isWide ? 3 : 4) &&
         decoder.destination(decoder.operand(0), Type::U32, decoder.op.d) &&
         decoder.source(decoder.operand(1), source, decoder.op.in[0]) &&
         decoder.source(decoder.operand(2), source, decoder.op.in[1]) &&
         (isWide || decoder.source(decoder.operand(3), Type::B32, decoder.op.in[2])) &&
         decoder.finish(runPack);
}
