// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Logic, shifts and bit fields (PTX ISA, 9.7.1 and 9.7.8).

#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"

#include <bit>

using namespace tilewright::ptx;

namespace {
struct Not {
  template <typename T> static T run(uint32_t, T a) { return T(~a); }
};
struct NotPredicate {
  static uint8_t run(uint32_t, uint8_t a) { return !a; }
};
struct Cnot {
  template <typename T> static T run(uint32_t, T a) { return a == 0; }
};
/// A shift by the width or more yields zeros, or the sign.
struct Shl {
  template <typename T> static T run(uint32_t, T a, uint32_t b) {
    return b < 8 * sizeof(T) ? T(uint64_t(a) << b) : T(0);
  }
};
struct Shr {
  template <typename T> static T run(uint32_t, T a, uint32_t b) {
    return T(a >> std::min<uint32_t>(b, 8 * sizeof(T) - 1) >> (b >= 8 * sizeof(T) ? 1 : 0));
  }
};
/// The modes of shf: .clamp and .wrap.
template <bool isLeft, bool isWrapped> struct Funnel {
  static uint32_t run(uint32_t, uint32_t low, uint32_t high, uint32_t by) {
    by = isWrapped ? by & 31 : std::min(by, 32u);
    const uint64_t both = uint64_t(high) << 32 | low;
    return isLeft ? uint32_t((both << by) >> 32) : uint32_t(both >> by);
  }
};
struct Popc {
  template <typename T> static uint32_t run(uint32_t, T a) { return uint32_t(std::popcount(a)); }
};
struct Clz {
  template <typename T> static uint32_t run(uint32_t, T a) { return uint32_t(std::countl_zero(a)); }
};
struct Brev {
  template <typename T> static T run(uint32_t, T a) {
    T reversed = 0;
    for (unsigned bit = 0; bit < 8 * sizeof(T); ++bit)
      reversed = T(reversed << 1) | T(a >> bit & 1);
    return reversed;
  }
};
/// The highest bit that differs from the sign; as a shift amount, counted from the top.
template <bool isShift> struct Bfind {
  template <typename T> static uint32_t run(uint32_t, T a) {
    using U = std::make_unsigned_t<T>;
    const U bits = U(a < 0 ? ~a : a);
    if (bits == 0)
      return UINT32_MAX;
    const uint32_t place = 8 * sizeof(T) - 1 - uint32_t(std::countl_zero(bits));
    return isShift ? 8 * sizeof(T) - 1 - place : place;
  }
};
/// The manual's loop in closed form: bits beyond the top repeat the sign.
struct Bfe {
  template <typename T> static T run(uint32_t, T a, uint32_t position, uint32_t length) {
    constexpr uint32_t bits = 8 * sizeof(T);
    position &= 0xFF;
    length &= 0xFF;
    using U = std::make_unsigned_t<T>;
    if (length == 0)
      return 0;
    const uint32_t top = std::min(position + length - 1, bits - 1);
    const bool sign = std::is_signed_v<T> && (U(a) >> top & 1);
    U field = position < bits ? U(U(a) >> position) : U(0);
    const uint32_t kept = position < bits ? std::min(length, bits - position) : 0;
    if (kept < bits) {
      const U mask = U((U(1) << kept) - 1);
      field = sign ? U(field | U(~mask)) : U(field & mask);
    }
    return T(field);
  }
};
struct Bfi {
  template <typename T>
  static T run(uint32_t, T field, T into, uint32_t position, uint32_t length) {
    constexpr uint32_t bits = 8 * sizeof(T);
    position &= 0xFF;
    length &= 0xFF;
    if (length == 0 || position >= bits)
      return into;
    const uint32_t count = std::min(length, bits - position);
    const T mask = T((count < bits ? T((T(1) << count) - 1) : T(~T(0))) << position);
    return T((into & ~mask) | (T(field << position) & mask));
  }
};
struct Bmsk {
  template <bool isWrapped> static uint32_t mask(uint32_t a, uint32_t b) {
    if (isWrapped) {
      a &= 31;
      b &= 31;
    }
    if (a >= 32 || b == 0)
      return 0;
    return (b >= 32 ? UINT32_MAX : (1u << b) - 1) << a;
  }
};
struct BmskWrap {
  static uint32_t run(uint32_t, uint32_t a, uint32_t b) { return Bmsk::mask<true>(a, b); }
};
struct BmskClamp {
  static uint32_t run(uint32_t, uint32_t a, uint32_t b) { return Bmsk::mask<false>(a, b); }
};
struct Lop3 {
  static uint32_t run(uint32_t m, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t result = 0;
    for (unsigned row = 0; row < 8; ++row)
      if (m >> mode::own >> row & 1)
        result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
    return result;
  }
};
/// Bits above the width become zero, or copies of its sign.
template <bool isWrapped> struct Szext {
  template <typename T> static T run(uint32_t, T a, uint32_t width) {
    if (!isWrapped && width >= 32)
      return a;
    width &= 31;
    if (width == 0)
      return 0;
    const unsigned unused = 32 - width;
    return T(T(uint32_t(a) << unused) >> unused);
  }
};
/// The position of the |offset|-th set bit from base on, upwards or downwards.
struct Fns {
  static uint32_t run(uint32_t, uint32_t mask, uint32_t base, int32_t offset) {
    const int step = offset < 0 ? -1 : 1;
    int64_t left = offset < 0 ? -int64_t(offset) : int64_t(offset);
    if (offset == 0)
      return base < 32 && (mask >> base & 1) ? base : UINT32_MAX;
    for (int64_t place = base; place >= 0 && place < 32; place += step)
      if ((mask >> place & 1) && --left == 0)
        return uint32_t(place);
    return UINT32_MAX;
  }
};
} // namespace

//===-- Logic, byte by byte -----------------------------------------------------------------===//

// A byte of the result may be defined although only one operand is: 0 & x.
enum class Logic { And, Or, Xor };

template <Logic logic> static Step runLogic(Thread &thread, const Op &op) {
  const uint64_t a = thread.values[op.in[0]], b = thread.values[op.in[1]];
  const uint8_t hasA = thread.defined[op.in[0]], hasB = thread.defined[op.in[1]];
  uint8_t defined = hasA & hasB;
  const uint8_t decides = logic == Logic::And ? 0 : 0xFF;
  if (logic != Logic::Xor && defined != 0xFF)
    for (unsigned byte = 0; byte < 8; ++byte) {
      const bool byA = (hasA >> byte & 1) && uint8_t(a >> (8 * byte)) == decides;
      const bool byB = (hasB >> byte & 1) && uint8_t(b >> (8 * byte)) == decides;
      defined |= uint8_t((byA || byB) << byte);
    }
  thread.values[op.d] = logic == Logic::And ? a & b : logic == Logic::Or ? a | b : a ^ b;
  thread.defined[op.d] = defined;
  return Step::Next;
}

template <Logic logic> static bool decodeLogic(Decoder &decoder) {
  Type type;
  return decoder.expectType(type, {Type::Pred, Type::B16, Type::B32, Type::B64}) &&
         sameOperands(decoder, type, 2) && decoder.finish(runLogic<logic>);
}

static bool decodeNot(Decoder &decoder) {
  Type type;
  if (!decoder.expectType(type, {Type::Pred, Type::B16, Type::B32, Type::B64}) ||
      !sameOperands(decoder, type, 1))
    return false;
  return decoder.finish(type == Type::Pred ? compute<NotPredicate, uint8_t>
                                           : withInteger(type, [](auto tag) -> Handler {
                                               return compute<Not, typename decltype(tag)::type>;
                                             }));
}

static bool decodeCnot(Decoder &decoder) {
  Type type;
  return decoder.expectType(type, {Type::B16, Type::B32, Type::B64}) &&
         sameOperands(decoder, type, 1) &&
         decoder.finish(withInteger(type, [](auto tag) -> Handler {
           return compute<Cnot, typename decltype(tag)::type>;
         }));
}

//===-- Shifts and fields -------------------------------------------------------------------===//

/// A left shift has only untyped forms.
template <typename F> static bool decodeShift(Decoder &decoder) {
  Type type;
  static constexpr Type shiftable[] = {Type::B16, Type::B32, Type::B64, Type::U16, Type::U32,
                                       Type::U64, Type::S16, Type::S32, Type::S64};
  if (!decoder.expectType(type, std::span(shiftable, std::is_same_v<F, Shl> ? 3 : 9)) ||
      !decoder.expectOperands(3) || !decoder.destination(decoder.operand(0), type, decoder.op.d) ||
      !decoder.source(decoder.operand(1), type, decoder.op.in[0]) ||
      !decoder.source(decoder.operand(2), Type::U32, decoder.op.in[1]))
    return false;
  return decoder.finish(withInteger(type, [](auto tag) -> Handler {
    return compute<F, typename decltype(tag)::type, uint32_t>;
  }));
}

static bool decodeFunnel(Decoder &decoder) {
  const bool isLeft = decoder.take("l");
  if (!isLeft && !decoder.take("r"))
    return decoder.refuse("'" + decoder.name() + "' has neither .l nor .r");
  const bool isWrapped = decoder.take("wrap");
  if (!isWrapped && !decoder.take("clamp"))
    return decoder.refuse("'" + decoder.name() + "' has neither .clamp nor .wrap");
  Type type;
  if (!decoder.expectType(type, {Type::B32}) || !sameOperands(decoder, type, 3))
    return false;
  const Handler left = isWrapped ? compute<Funnel<true, true>, uint32_t, uint32_t, uint32_t>
                                 : compute<Funnel<true, false>, uint32_t, uint32_t, uint32_t>;
  const Handler right = isWrapped ? compute<Funnel<false, true>, uint32_t, uint32_t, uint32_t>
                                  : compute<Funnel<false, false>, uint32_t, uint32_t, uint32_t>;
  return decoder.finish(isLeft ? left : right);
}

/// A 32-bit result from an operand of the type.
template <typename F> static bool decodeCount(Decoder &decoder) {
  Type type;
  if (!decoder.expectType(type,
                          {Type::B32, Type::B64, Type::U32, Type::U64, Type::S32, Type::S64}) ||
      !decoder.expectOperands(2) ||
      !decoder.destination(decoder.operand(0), Type::B32, decoder.op.d) ||
      !decoder.source(decoder.operand(1), type, decoder.op.in[0]))
    return false;
  return decoder.finish(withInteger(type, [](auto tag) -> Handler {
    using T = typename decltype(tag)::type;
    if constexpr (sizeof(T) == 2 || (!requires { F::template run<T>(0, T(0)); }))
      return nullptr;
    else
      return compute<F, T>;
  }));
}

template <typename F> static bool decodeUnsignedCount(Decoder &decoder) {
  Type type;
  if (!decoder.expectType(type, {Type::B32, Type::B64}) || !decoder.expectOperands(2) ||
      !decoder.destination(decoder.operand(0), Type::B32, decoder.op.d) ||
      !decoder.source(decoder.operand(1), type, decoder.op.in[0]))
    return false;
  return decoder.finish(type == Type::B32 ? compute<F, uint32_t> : compute<F, uint64_t>);
}

static bool decodeBfind(Decoder &decoder) {
  if (decoder.firstOf({"b32", "b64"}))
    return decoder.refuse("'" + decoder.name() + "' is not supported: its type has no sign");
  return decoder.take("shiftamt") ? decodeCount<Bfind<true>>(decoder)
                                  : decodeCount<Bfind<false>>(decoder);
}

static bool decodeBrev(Decoder &decoder) {
  Type type;
  return decoder.expectType(type, {Type::B32, Type::B64}) && sameOperands(decoder, type, 1) &&
         decoder.finish(type == Type::B32 ? compute<Brev, uint32_t> : compute<Brev, uint64_t>);
}

static bool decodeBfe(Decoder &decoder) {
  Type type;
  if (!decoder.expectType(type, {Type::U32, Type::U64, Type::S32, Type::S64}) ||
      !decoder.expectOperands(4) || !decoder.destination(decoder.operand(0), type, decoder.op.d) ||
      !decoder.source(decoder.operand(1), type, decoder.op.in[0]) ||
      !decoder.source(decoder.operand(2), Type::U32, decoder.op.in[1]) ||
      !decoder.source(decoder.operand(3), Type::U32, decoder.op.in[2]))
    return false;
  return decoder.finish(withInteger(type, [](auto tag) -> Handler {
    return compute<Bfe, typename decltype(tag)::type, uint32_t, uint32_t>;
  }));
}

static bool decodeBfi(Decoder &decoder) {
  Type type;
  if (!decoder.expectType(type, {Type::B32, Type::B64}) || !decoder.expectOperands(5) ||
      !decoder.destination(decoder.operand(0), type, decoder.op.d) ||
      !decoder.source(decoder.operand(1), type, decoder.op.in[0]) ||
      !decoder.source(decoder.operand(2), type, decoder.op.in[1]) ||
      !decoder.source(decoder.operand(3), Type::U32, decoder.op.in[2]) ||
      !decoder.source(decoder.operand(4), Type::U32, decoder.op.in[3]))
    return false;
  return decoder.finish(type == Type::B32 ? compute<Bfi, uint32_t, uint32_t, uint32_t, uint32_t>
                                          : compute<Bfi, uint64_t, uint64_t, uint32_t, uint32_t>);
}

static bool decodeBmsk(Decoder &decoder) {
  const bool isWrapped = decoder.take("wrap");
  if (!isWrapped && !decoder.take("clamp"))
    return decoder.refuse("'" + decoder.name() + "' has neither .clamp nor .wrap");
  Type type;
  return decoder.expectType(type, {Type::B32}) && sameOperands(decoder, type, 2) &&
         decoder.finish(isWrapped ? compute<BmskWrap, uint32_t, uint32_t>
                                  : compute<BmskClamp, uint32_t, uint32_t>);
}

template <bool isWrapped> static bool finishSzext(Decoder &decoder, Type type) {
  return sameOperands(decoder, type, 2) &&
         decoder.finish(type == Type::S32 ? compute<Szext<isWrapped>, int32_t, uint32_t>
                                          : compute<Szext<isWrapped>, uint32_t, uint32_t>);
}

static bool decodeSzext(Decoder &decoder) {
  const auto mode = decoder.takeOneOf({"clamp", "wrap"});
  Type type;
  if (!mode)
    return decoder.refuse("'" + decoder.name() + "' has neither .clamp nor .wrap");
  return decoder.expectType(type, {Type::U32, Type::S32}) &&
         (*mode == 1 ? finishSzext<true>(decoder, type) : finishSzext<false>(decoder, type));
}

static bool decodeFns(Decoder &decoder) {
  Type type;
  return decoder.expectType(type, {Type::B32}) && sameOperands(decoder, type, 3) &&
         decoder.finish(compute<Fns, uint32_t, uint32_t, int32_t>);
}

/// `d|p`: p is true if any bit of the result is set, combined with the predicate q.
template <bool isAnd> static Step runLop3WithPredicate(Thread &thread, const Op &op) {
  const bool q = (thread.get<uint8_t>(op.in[3]) != 0) != (op.offset != 0);
  const bool isDefined = thread.has<uint8_t>(op.in[3]);
  compute<Lop3, uint32_t, uint32_t, uint32_t>(thread, op);
  const bool isAny = thread.get<uint32_t>(op.d) != 0;
  thread.put(op.d2, uint8_t(isAnd ? isAny && q : isAny || q),
             isDefined && thread.has<uint32_t>(op.d));
  return Step::Next;
}

static bool takeLop3Predicates(Decoder &decoder) {
  const Operand &results = decoder.operand(0);
  if (results.kind != OperandKind::Pair)
    return decoder.refuse("'" + decoder.name() + "' needs two results, 'd|p'");
  Operand condition = decoder.operand(5);
  decoder.op.offset = condition.isNegated;
  condition.isNegated = false;
  return decoder.destination(results.parts[1], Type::Pred, decoder.op.d2) &&
         decoder.source(condition, Type::Pred, decoder.op.in[3]);
}

static bool decodeLop3(Decoder &decoder) {
  Type type;
  uint64_t table = 0;
  const auto joins = decoder.takeOneOf({"or", "and"});
  if (!decoder.expectType(type, {Type::B32}) || !decoder.expectOperands(joins ? 6 : 5) ||
      (joins && !takeLop3Predicates(decoder)) ||
      !decoder.destination(joins ? decoder.operand(0).parts[0] : decoder.operand(0), type,
                           decoder.op.d) ||
      !decoder.integer(decoder.operand(4), table))
    return false;
  for (size_t number = 0; number < 3; ++number)
    if (!decoder.source(decoder.operand(number + 1), type, decoder.op.in[number]))
      return false;
  if (table > 0xFF)
    return decoder.refuse("'" + decoder.name() + "': the table has 8 bits, but is " +
                          std::to_string(table));
  decoder.op.mode = uint32_t(table) << mode::own;
  if (joins)
    return decoder.finish(*joins == 1 ? runLop3WithPredicate<true> : runLop3WithPredicate<false>);
  return decoder.finish(compute<Lop3, uint32_t, uint32_t, uint32_t>);
}

//===-- prmt --------------------------------------------------------------------------------===//

/// In the order of the modes below: the bytes of the pair (b, a) that the low bits of c select.
static constexpr uint16_t permutations[6][4] = {
    {0x3210, 0x4321, 0x5432, 0x6543}, // f4e
    {0x5670, 0x6701, 0x7012, 0x0123}, // b4e
    {0x0000, 0x1111, 0x2222, 0x3333}, // rc8
    {0x3210, 0x3211, 0x3222, 0x3333}, // ecl
    {0x0000, 0x1110, 0x2210, 0x3210}, // ecr
    {0x1010, 0x3232, 0x1010, 0x3232}, // rc16
};

static Step runPrmt(Thread &thread, const Op &op) {
  const uint64_t bytes =
      uint64_t(thread.get<uint32_t>(op.in[1])) << 32 | thread.get<uint32_t>(op.in[0]);
  const unsigned has = (thread.defined[op.in[0]] & 0xFu) | (thread.defined[op.in[1]] & 0xFu) << 4;
  uint32_t selector = thread.get<uint32_t>(op.in[2]);
  if (op.mode)
    selector = permutations[op.mode - 1][selector & 3];
  uint32_t result = 0;
  uint8_t defined = 0xF0;
  for (unsigned byte = 0; byte < 4; ++byte) {
    const unsigned choice = selector >> (4 * byte) & 0xF;
    uint8_t value = uint8_t(bytes >> (8 * (choice & 7)));
    if (choice & 8) // replicates its sign bit
      value = uint8_t(int8_t(value) >> 7);
    result |= uint32_t(value) << (8 * byte);
    defined |= uint8_t((has >> (choice & 7) & 1) << byte);
  }
  thread.values[op.d] = result;
  thread.defined[op.d] = thread.has<uint32_t>(op.in[2]) ? defined : 0;
  return Step::Next;
}

static bool decodePrmt(Decoder &decoder) {
  if (const auto found = decoder.takeOneOf({"f4e", "b4e", "rc8", "ecl", "ecr", "rc16"}))
    decoder.op.mode = uint32_t(*found) + 1;
  Type type;
  return decoder.expectType(type, {Type::B32}) && sameOperands(decoder, type, 3) &&
         decoder.finish(runPrmt);
}

std::span<const OpcodeRow> tilewright::ptx::bitOpcodes() {
  static constexpr OpcodeRow rows[] = {
      {"and", decodeLogic<Logic::And>},
      {"or", decodeLogic<Logic::Or>},
      {"xor", decodeLogic<Logic::Xor>},
      {"not", decodeNot},
      {"cnot", decodeCnot},
      {"shl", decodeShift<Shl>},
      {"shr", decodeShift<Shr>},
      {"shf", decodeFunnel},
      {"popc", decodeUnsignedCount<Popc>},
      {"clz", decodeUnsignedCount<Clz>},
      {"brev", decodeBrev},
      {"bfind", decodeBfind},
      {"bfe", decodeBfe},
      {"bfi", decodeBfi},
      {"bmsk", decodeBmsk},
      {"szext", decodeSzext},
      {"fns", decodeFns},
      {"lop3", decodeLop3},
      {"prmt", decodePrmt},
  };
  return rows;
}
