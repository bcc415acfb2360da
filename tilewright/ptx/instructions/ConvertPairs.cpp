// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversions of two values in one register (PTX ISA, 9.7.9.21): cvt to and from .f16x2, .bf16x2
// and pairs of 8, 6 and 4 bits; and cvt.pack of integers (9.7.9.22). Values pass through f64, which
// represents all of these formats exactly.

#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/instructions/SmallFloat.h"

#include <algorithm>

using namespace tilewright::ptx;

//===-- Execution ---------------------------------------------------------------------------===//

// The upper half of op.mode has the types.
static const SmallFloat &sourceOf(const Op &op) { return partOf(Type(op.mode >> 16 & 0xFF)); }
static const SmallFloat &resultOf(const Op &op) { return partOf(Type(op.mode >> 24)); }

/// The first source goes to the upper half.
static Step runFromSingles(Thread &thread, const Op &op) {
  const SmallFloat &result = resultOf(op);
  const uint64_t upper = encode(thread.get<float>(op.in[0]), result, op.mode);
  const uint64_t lower = encode(thread.get<float>(op.in[1]), result, op.mode);
  thread.put(op.d, upper << result.bits | lower,
             thread.has<float>(op.in[0]) && thread.has<float>(op.in[1]));
  return Step::Next;
}

static Step runFromPair(Thread &thread, const Op &op) {
  const SmallFloat &source = sourceOf(op), &result = resultOf(op);
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

/// Is there a conversion between these pairs (the table of cvt)?
static bool isConversion(Type result, Type source) {
  if (source == Type::F32)
    return true;
  if (result == Type::UE8M0x2 || source == Type::UE8M0x2)
    return result == Type::BF16x2 || source == Type::BF16x2;
  if (source == Type::BF16x2)
    return false;
  return isSmall(result) ? source == Type::F16x2 : result == Type::F16x2 && isSmall(source);
}

static bool takePairRounding(Decoder &decoder, Type result, Type source) {
  const auto rounding = decoder.takeOneOf({"rn", "rz", "rm", "rp"});
  const bool isScale = result == Type::UE8M0x2;
  const bool fits = rounding && (isScale ? *rounding == 1 || *rounding == 3
                                 : isSmall(result) || source != Type::F32 ? *rounding == 0
                                                                          : *rounding <= 1);
  decoder.op.mode |= rounding ? uint32_t(*rounding) : 0;
  return fits ||
         decoder.refuse("'" + decoder.name() + "' is not supported: its rounding does not fit");
}

bool tilewright::ptx::decodeConvertPair(Decoder &decoder) {
  if (decoder.take("rs"))
    return decodeConvertStochastic(decoder);
  Type result, source;
  if (!decoder.expectType(result, pairs) ||
      !decoder.expectType(source, {Type::F32, Type::F16x2, Type::BF16x2, Type::E4M3x2, Type::E5M2x2,
                                   Type::E2M1x2, Type::E2M3x2, Type::E3M2x2, Type::UE8M0x2}) ||
      !takePairRounding(decoder, result, source))
    return false;
  if (!isConversion(result, source))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  if (result != Type::UE8M0x2 && source != Type::UE8M0x2)
    takeFlag(decoder, "relu", mode::relu);
  if (isSmall(result) || source == Type::F32)
    takeFlag(decoder, "satfinite", mode::satFinite);
  if (isSmall(result) && result != Type::UE8M0x2 && !(decoder.op.mode & mode::satFinite))
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

// op.bytes is the number of bits of a packed integer. For fewer than 16 bits, a third operand
// supplies the rest of the register.
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

/// `cvt.pack.sat.s8.s32.b32 d, a, b, c`: a and b become the lowest parts of d, with c above them.
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
