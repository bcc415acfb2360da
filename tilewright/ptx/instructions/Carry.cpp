// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extended-precision arithmetic with carry (PTX ISA, 9.7.2), for numbers in several registers. The
// condition code register is one bit of the thread and is not preserved across calls.

#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"

using namespace tilewright::ptx;

/// The type determines the product; the sum and its carry are computed on bits.
template <typename T, bool isSub, bool isMad, bool isHigh>
static Step runCarry(Thread &thread, const Op &op) {
  using Bits = std::make_unsigned_t<T>;
  using Wide = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  constexpr unsigned bits = 8 * sizeof(T);
  unsigned __int128 lhs = Bits(thread.get<T>(op.in[0])), rhs = Bits(thread.get<T>(op.in[1]));
  if (isMad) {
    const Wide product = Wide(thread.get<T>(op.in[0])) * Wide(thread.get<T>(op.in[1]));
    lhs = isHigh ? Bits(product >> bits) : Bits(product);
    rhs = thread.get<Bits>(op.in[2]);
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
  return decoder.finish(withInteger(type, [](auto tag) -> Handler {
    using T = typename decltype(tag)::type;
    if constexpr (sizeof(T) == 2)
      return nullptr;
    else
      return runCarry<T, isSub, isMad, isHigh>;
  }));
}

/// Decodes `add.cc` and `addc{.cc}`, without or with the carry of the instruction before.
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

/// The signedness of the operands affects only the upper half of a product.
static bool decodeMadCarryWith(Decoder &decoder, bool isIn) {
  takeFlag(decoder, "cc", mode::carryOut);
  decoder.op.mode |= isIn ? mode::carryIn : 0;
  const bool isHigh = decoder.take("hi");
  if (!isHigh && !decoder.take("lo"))
    return decoder.refuse("'" + decoder.name() + "' has neither .lo nor .hi");
  Type type;
  if (!decoder.expectType(type, {Type::U32, Type::S32, Type::U64, Type::S64}))
    return false;
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
