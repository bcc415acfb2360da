// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stochastic rounding (PTX ISA, 9.7.9.21): `cvt.rs` of two or four f32 values, with random bits in
// a register. Bits of each value in the destination and of its random bits:
//
//   .f16x2: a has bits 28 to 16 of them, b has 12 to 0; .bf16x2: a has 31 to 16, b has 15 to 0
//   .e4m3x4 and the others of 8 bits: a and b have bits 31 to 16, e and f have 15 to 0
//   .e2m1x4: a and b have bits 31 to 24 and 15 to 8, e and f have 23 to 16 and 7 to 0
//
// The manual does not specify the order of the two bytes of .e2m1x4; here the upper one comes
// first.

#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/instructions/SmallFloat.h"

using namespace tilewright::ptx;

static Type resultOf(const Op &op) { return Type(op.mode >> 24); }

/// The random bits of value `number`; the last value has the lowest bits of the result.
static uint32_t randomOf(Type result, uint32_t random, size_t number) {
  const bool isUpper = number < (bytesOf(result) == 4 && partOf(result).bits == 16 ? 1 : 2);
  if (result == Type::E2M1x4) {
    const uint32_t shifted = random >> (isUpper ? 8 : 0);
    return (shifted >> 8 & 0xFF00) | (shifted & 0xFF);
  }
  const uint32_t half = isUpper ? random >> 16 : random & 0xFFFF;
  return result == Type::F16x2 ? half & 0x1FFF : half;
}

static Step runStochastic(Thread &thread, const Op &op) {
  const Type result = resultOf(op);
  const SmallFloat &part = partOf(result);
  const uint32_t random = thread.get<uint32_t>(op.in[0]);
  bool isDefined = thread.has<uint32_t>(op.in[0]);
  uint64_t all = 0;
  for (uint32_t number = 0; number < op.list.count; ++number) {
    const uint32_t slot = thread.code->slots[op.list.first + number];
    isDefined &= thread.has<float>(slot);
    all = all << part.bits |
          encodeStochastic(thread.get<float>(slot), part, op.mode, randomOf(result, random, number),
                           result == Type::F16x2 ? 13 : 16);
  }
  thread.put(op.d, all, isDefined);
  return Step::Next;
}

/// Decodes `cvt.rs.f16x2.f32 d, a, b, rbits` and `cvt.rs.satfinite.e4m3x4.f32 d, {a, b, e, f},
/// rbits`.
bool tilewright::ptx::decodeConvertStochastic(Decoder &decoder) {
  Type result, source;
  if (!decoder.expectType(result, {Type::F16x2, Type::BF16x2, Type::E4M3x4, Type::E5M2x4,
                                   Type::E2M1x4, Type::E2M3x4, Type::E3M2x4}) ||
      !decoder.expectType(source, {Type::F32}))
    return false;
  const bool isPair = result == Type::F16x2 || result == Type::BF16x2;
  takeFlag(decoder, "relu", mode::relu);
  takeFlag(decoder, "satfinite", mode::satFinite);
  if (!isPair && !(decoder.op.mode & mode::satFinite))
    return decoder.refuse("'" + decoder.name() + "' has no .satfinite");
  decoder.op.mode |= uint32_t(result) << 24;
  if (!decoder.expectOperands(isPair ? 4 : 3) ||
      !decoder.destination(decoder.operand(0), registerOf(result), decoder.op.d))
    return false;
  if (isPair) {
    std::vector<uint32_t> slots(2);
    if (!decoder.source(decoder.operand(1), Type::F32, slots[0]) ||
        !decoder.source(decoder.operand(2), Type::F32, slots[1]))
      return false;
    decoder.op.list = decoder.addList(slots);
  } else if (!decoder.sources(decoder.operand(1), Type::F32, 4, decoder.op.list)) {
    return false;
  }
  return decoder.source(decoder.operand(isPair ? 3 : 2), Type::B32, decoder.op.in[0]) &&
         decoder.finish(runStochastic);
}
