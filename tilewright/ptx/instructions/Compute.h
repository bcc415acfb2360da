// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns a functor into the handler of an instruction. A functor `F` has `run(mode, a, b ...)`;
// compute<F, A, B> reads operands of these types and writes the result, which is defined if all
// operands are. withType and its variants choose the C++ type for a PTX type.

#ifndef TILEWRIGHT_PTX_INSTRUCTIONS_COMPUTE_H
#define TILEWRIGHT_PTX_INSTRUCTIONS_COMPUTE_H

#include "tilewright/numerics/Modes.h"
#include "tilewright/ptx/code/Decoder.h"
#include "tilewright/ptx/machine/Thread.h"

#include <utility>

namespace tilewright::ptx {

namespace mode {
/// numerics::RoundingMode, in the lowest bits.
inline constexpr uint32_t rounding = 0x7;
inline constexpr uint32_t flush = 0x10;
inline constexpr uint32_t saturate = 0x20;
inline constexpr uint32_t nan = 0x40;
inline constexpr uint32_t relu = 0x80;
inline constexpr uint32_t xorSign = 0x100;
/// To nearest, ties away from zero.
inline constexpr uint32_t tiesAway = 0x200;
inline constexpr uint32_t carryIn = 0x400;
inline constexpr uint32_t carryOut = 0x800;
/// Use the absolute values of the operands.
inline constexpr uint32_t magnitude = 0x1000;
/// First bit for flags that belong to one family of instructions.
inline constexpr uint32_t own = 16;
} // namespace mode

/// The bits of a 16-bit float.
struct Half {
  uint16_t bits;
};
struct Brain {
  uint16_t bits;
};
struct HalfPair {
  uint32_t bits;
};
struct BrainPair {
  uint32_t bits;
};

template <typename F, typename... A> Step compute(Thread &thread, const Op &op) {
  [&]<size_t... I>(std::index_sequence<I...>) {
    const bool isDefined = (thread.has<A>(op.in[I]) && ...);
    thread.put(op.d, F::run(op.mode, thread.get<A>(op.in[I])...), isDefined);
  }(std::index_sequence_for<A...>());
  return Step::Next;
}

template <typename T> struct TypeTag {
  using type = T;
};

/// Calls `visit` with the TypeTag of an integer type; returns a handler, or none for other types.
template <typename Visit> Handler withInteger(Type type, Visit visit) {
  switch (type) {
  case Type::U16:
  case Type::B16:
    return visit(TypeTag<uint16_t>());
  case Type::S16:
    return visit(TypeTag<int16_t>());
  case Type::U32:
  case Type::B32:
    return visit(TypeTag<uint32_t>());
  case Type::S32:
    return visit(TypeTag<int32_t>());
  case Type::U64:
  case Type::B64:
    return visit(TypeTag<uint64_t>());
  case Type::S64:
    return visit(TypeTag<int64_t>());
  default:
    return nullptr;
  }
}

template <typename Visit> Handler withFloat(Type type, Visit visit) {
  switch (type) {
  case Type::F16:
    return visit(TypeTag<Half>());
  case Type::BF16:
    return visit(TypeTag<Brain>());
  case Type::F16x2:
    return visit(TypeTag<HalfPair>());
  case Type::BF16x2:
    return visit(TypeTag<BrainPair>());
  case Type::F32:
    return visit(TypeTag<float>());
  case Type::F64:
    return visit(TypeTag<double>());
  default:
    return nullptr;
  }
}

/// A handler for `count` operands `T` and a destination `T`.
template <typename F, unsigned count, typename T> constexpr Handler computeSame() {
  if constexpr (count == 1)
    return compute<F, T>;
  else if constexpr (count == 2)
    return compute<F, T, T>;
  else
    return compute<F, T, T, T>;
}

/// Decodes a destination and `count` sources, all of one type.
inline bool sameOperands(Decoder &decoder, Type type, size_t count) {
  if (!decoder.expectOperands(count + 1) ||
      !decoder.destination(decoder.operand(0), type, decoder.op.d))
    return false;
  for (size_t number = 0; number < count; ++number)
    if (!decoder.source(decoder.operand(number + 1), type, decoder.op.in[number]))
      return false;
  return true;
}

/// Takes `.rn`, `.rz`, `.rm` or `.rp`; the default is to nearest even.
inline void takeRounding(Decoder &decoder) {
  if (const auto found = decoder.takeOneOf({"rn", "rz", "rm", "rp"}))
    decoder.op.mode |= uint32_t(*found);
}
static_assert(uint32_t(numerics::RoundingMode::Zero) == 1 &&
              uint32_t(numerics::RoundingMode::NegativeInf) == 2 &&
              uint32_t(numerics::RoundingMode::PositiveInf) == 3);

/// For instructions without a default rounding mode.
inline bool expectRounding(Decoder &decoder) {
  return decoder.firstOf({"rn", "rz", "rm", "rp"}) ||
         decoder.refuse("'" + decoder.name() + "' has no rounding mode");
}

inline void takeFlag(Decoder &decoder, std::string_view modifier, uint32_t flag) {
  if (decoder.take(modifier))
    decoder.op.mode |= flag;
}

} // namespace tilewright::ptx

#endif // TILEWRIGHT_PTX_INSTRUCTIONS_COMPUTE_H
