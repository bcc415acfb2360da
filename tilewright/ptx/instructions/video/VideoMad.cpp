// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vmad (PTX ISA, 9.7.18.7): a product of register parts plus a third operand, exact before it is
// shifted and saturated. `.po` adds one; so do negated operands, because they are complemented.

#include "tilewright/ptx/instructions/video/VideoParts.h"

#include <algorithm>

using namespace tilewright::ptx;

namespace {
enum VmadMode : uint32_t {
  SignedA = 1,
  SignedB = 2,
  Saturated = 4,
  PlusOne = 8,
  NegatedProduct = 16,
  NegatedThird = 32,
  ShiftBits = 0xF00,
};
} // namespace

static constexpr unsigned shiftAt = 8;

/// As in the manual's pseudo code.
static uint32_t multiplyAdd(uint32_t m, int64_t a, int64_t b, uint32_t c) {
  const bool isSigned = m & (SignedA | SignedB | NegatedProduct | NegatedThird);
  __int128 sum = __int128(a) * b;
  uint32_t third = c;
  const bool addsOne = m & (PlusOne | NegatedProduct | NegatedThird);
  if (!(m & PlusOne) && m & NegatedProduct)
    sum = ~sum;
  else if (!(m & PlusOne) && m & NegatedThird)
    third = ~third;
  sum += isSigned ? __int128(int32_t(third)) : __int128(third);
  sum += addsOne;
  sum >>= m >> shiftAt & 0xF;
  if (m & Saturated)
    sum = isSigned ? std::clamp<__int128>(sum, INT32_MIN, INT32_MAX)
                   : std::clamp<__int128>(sum, 0, UINT32_MAX);
  return uint32_t(sum);
}

// op.offset has the parts of a and b, a byte each: the shift, and in the upper bits the number of
// bytes.
static uint64_t encode(VideoPart part) { return part.shift | uint64_t(part.bits / 8) << 5; }
static VideoPart partAt(const Op &op, unsigned operand) {
  const unsigned byte = unsigned(uint64_t(op.offset) >> (8 * operand) & 0xFF);
  return {byte & 31, (byte >> 5) * 8};
}

static Step runVmad(Thread &thread, const Op &op) {
  const int64_t a = extractPart(thread.get<uint32_t>(op.in[0]), partAt(op, 0), op.mode & SignedA);
  const int64_t b = extractPart(thread.get<uint32_t>(op.in[1]), partAt(op, 1), op.mode & SignedB);
  thread.put(op.d, multiplyAdd(op.mode, a, b, thread.get<uint32_t>(op.in[2])),
             thread.has<uint32_t>(op.in[0]) && thread.has<uint32_t>(op.in[1]) &&
                 thread.has<uint32_t>(op.in[2]));
  return Step::Next;
}

//===-- Decoding ----------------------------------------------------------------------------===//

static bool takeTypes(Decoder &decoder) {
  Type d, a, b;
  if (!decoder.expectType(d, {Type::U32, Type::S32}) ||
      !decoder.expectType(a, {Type::U32, Type::S32}) ||
      !decoder.expectType(b, {Type::U32, Type::S32}))
    return false;
  decoder.op.mode |= (isSigned(a) ? SignedA : 0u) | (isSigned(b) ? SignedB : 0u);
  return true;
}

/// Removes the signs from the operands.
static bool takeSigns(Decoder &decoder, Operand &a, Operand &b, Operand &c) {
  const bool isAny = a.isNegated || b.isNegated || c.isNegated;
  if (isAny && decoder.op.mode & PlusOne)
    return decoder.refuse("'" + decoder.name() + "' has .po, and so no negated operand");
  decoder.op.mode |=
      (a.isNegated != b.isNegated ? NegatedProduct : 0u) | (c.isNegated ? NegatedThird : 0u);
  a.isNegated = b.isNegated = c.isNegated = false;
  return true;
}

static bool decodeVmad(Decoder &decoder) {
  Op &op = decoder.op;
  if (!takeTypes(decoder) || !decoder.expectOperands(4))
    return false;
  takeFlag(decoder, "po", PlusOne);
  takeFlag(decoder, "sat", Saturated);
  if (const auto shift = decoder.takeOneOf({"shr7", "shr15"}))
    op.mode |= (*shift == 0 ? 7u : 15u) << shiftAt;
  Operand a{OperandKind::Sink}, b = a, c = decoder.operand(3);
  VideoPart parts[2];
  if (!takeVideoPart(decoder, decoder.operand(1), a, parts[0]) ||
      !takeVideoPart(decoder, decoder.operand(2), b, parts[1]) || !takeSigns(decoder, a, b, c))
    return false;
  op.offset = int64_t(encode(parts[0]) | encode(parts[1]) << 8);
  return decoder.destination(decoder.operand(0), Type::U32, op.d) &&
         decoder.source(a, Type::U32, op.in[0]) && decoder.source(b, Type::U32, op.in[1]) &&
         decoder.source(c, Type::U32, op.in[2]) && decoder.finish(runVmad);
}

std::span<const OpcodeRow> tilewright::ptx::videoMadOpcodes() {
  static constexpr OpcodeRow rows[] = {{"vmad", decodeVmad}};
  return rows;
}
