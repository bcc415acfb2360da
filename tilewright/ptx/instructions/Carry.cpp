// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic with the carry (PTX ISA, 9.7.2): numbers that take several registers. The condition
// code register is a bit of the thread, which is not kept over calls.

#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"

using namespace tilewright::ptx;

template <typename T, bool isSub, bool isMad, bool isHigh>
static Step runCarry(Thread &thread, const Op &op) {
  const uint64_t a = thread.get<T>(op.in[0]), b = thread.get<T>(op.in[1]);
  unsigned __int128 lhs = a, rhs = b;
  constexpr unsigned bits = 8 * sizeof(T);
  if (isMad) {
    const unsigned __int128 product = lhs * rhs;
    lhs = isHigh ? T(product >> bits) : T(product);
    rhs = thread.get<T>(op.in[2]);
  }
  const unsigned carry = op.mode & mode::carryIn ? thread.carry : 0;
  const unsigned __int128 result = isSub ? lhs - rhs - carry : lhs + rhs + carry;
  bool isDefined = thread.has<T>(op.in[0]) && thread.has<T>(op.in[1]);
  isDefined &= !isMad || thread.has<T>(op.in[2]);
  if (op.mode & mode::carryOut)
    thread.carry = result >> bits & 1;
  thread.put(op.d, T(result), isDefined);
  return Step::Next;
}

template <bool isSub, bool isMad, bool isHigh>
static bool finishCarry(Decoder &decoder, Type type) {
  if (!sameOperands(decoder, type, isMad ? 3 : 2))
    return false;
  return decoder.finish(bytesOf(type) == 4 ? runCarry<uint32_t, isSub, isMad, isHigh>
                                           : runCarry<uint64_t, isSub, isMad, isHigh>);
}

/// `add.cc`, `addc{.cc}`: with or without the carry of the instruction before.
template <bool isSub, bool isIn> static bool decodeCarry(Decoder &decoder) {
  takeFlag(decoder, "cc", mode::carryOut);
  decoder.op.mode |= isIn ? mode::carryIn : 0;
  Type type;
  return decoder.expectType(type, {Type::U32, Type::S32, Type::U64, Type::S64}) &&
         finishCarry<isSub, false, false>(decoder, type);
}

bool tilewright::ptx::decodeAddCarry(Decoder &decoder) {
  return decodeCarry<false, false>(decoder);
}
bool tilewright::ptx::decodeSubCarry(Decoder &decoder) { return decodeCarry<true, false>(decoder); }

/// The sign of the operands decides the upper half of a product.
static bool decodeMadCarryWith(Decoder &decoder, bool isIn) {
  takeFlag(decoder, "cc", mode::carryOut);
  decoder.op.mode |= isIn ? mode::carryIn : 0;
  const bool isHigh = decoder.take("hi");
  if (!isHigh && !decoder.take("lo"))
    return decoder.refuse("'" + decoder.name() + "' has neither .lo nor .hi");
  Type type;
  if (!decoder.expectType(type, {Type::U32, Type::S32, Type::U64, Type::S64}))
    return false;
  if (isHigh && isSigned(type))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  return isHigh ? finishCarry<false, true, true>(decoder, type)
                : finishCarry<false, true, false>(decoder, type);
}

bool tilewright::ptx::decodeMadCarry(Decoder &decoder) {
  return decodeMadCarryWith(decoder, false);
}
static bool decodeMadc(Decoder &decoder) { return decodeMadCarryWith(decoder, true); }

std::span<const OpcodeRow> tilewright::ptx::carryOpcodes() {
  static constexpr OpcodeRow rows[] = {
      {"addc", decodeCarry<false, true>},
      {"subc", decodeCarry<true, true>},
      {"madc", decodeMadc},
  };
  return rows;
}
