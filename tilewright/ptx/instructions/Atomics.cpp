// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations (PTX ISA, 9.7.13.4 to 9.7.13.7): atom, red, membar, fence. An operation that
// names no order is relaxed, one that names no scope has that of the GPU.

#include "tilewright/ptx/instructions/FloatValue.h"
#include "tilewright/ptx/instructions/MemoryModifiers.h"
#include "tilewright/ptx/instructions/Opcodes.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::ptx;

namespace {
struct Add {
  template <typename T> static T run(T old, T b) {
    if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>)
      return canonical(old + b);
    else if constexpr (isPair<T>)
      return onHalvesOf(old, b);
    else if constexpr (std::is_integral_v<T>)
      return T(std::make_unsigned_t<T>(old) + std::make_unsigned_t<T>(b));
    else
      return fromElement<T>(numerics::addF(toElement(old), toElement(b)));
  }

private:
  template <typename T> static T onHalvesOf(T old, T b) {
    using H = HalfOf<T>;
    const auto half = [&](unsigned shift) {
      return uint32_t(run(H{uint16_t(old.bits >> shift)}, H{uint16_t(b.bits >> shift)}).bits)
             << shift;
    };
    return T{half(0) | half(16)};
  }
};
struct Min {
  template <typename T> static T run(T old, T b) { return std::min(old, b); }
};
struct Max {
  template <typename T> static T run(T old, T b) { return std::max(old, b); }
};
struct And {
  template <typename T> static T run(T old, T b) { return T(old & b); }
};
struct Or {
  template <typename T> static T run(T old, T b) { return T(old | b); }
};
struct Xor {
  template <typename T> static T run(T old, T b) { return T(old ^ b); }
};
struct Exch {
  template <typename T> static T run(T, T b) { return b; }
};
/// To 0 after b.
struct Inc {
  template <typename T> static T run(T old, T b) { return old >= b ? T(0) : T(old + 1); }
};
/// To b after 0.
struct Dec {
  template <typename T> static T run(T old, T b) { return old == 0 || old > b ? b : T(old - 1); }
};
} // namespace

static uint64_t toBits(auto value) {
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <typename T> static T fromBits(uint64_t bits) {
  T value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <typename T> static constexpr uint8_t allBytes = uint8_t((1u << sizeof(T)) - 1);

/// The result is defined if what was there and the operand are; an exchange needs only the latter.
template <typename F, typename T> static Step runAtomic(Thread &thread, const Op &op) {
  const Target target = locate(thread, op, op.in[0], sizeof(T), sizeof(T));
  if (!target)
    return Step::Stop;
  const T operand = thread.get<T>(op.in[1]);
  const bool isDefined = thread.has<T>(op.in[1]);
  const auto old =
      update(thread, op, target, sizeof(T), strengthOf(op.mode), [&](const Loaded &before) {
        const bool needsOld = !std::is_same_v<F, Exch>;
        const bool has = isDefined && (!needsOld || (before.defined & allBytes<T>) == allBytes<T>);
        return Loaded{toBits(F::run(fromBits<T>(before.bits), operand)), uint8_t(has ? 0xFF : 0)};
      });
  if (!old)
    return Step::Stop;
  if (op.d != noSlot)
    thread.put(op.d, fromBits<T>(old->bits), (old->defined & allBytes<T>) == allBytes<T>);
  return Step::Next;
}

template <typename T> static Step runCas(Thread &thread, const Op &op) {
  const Target target = locate(thread, op, op.in[0], sizeof(T), sizeof(T));
  if (!target)
    return Step::Stop;
  const T expected = thread.get<T>(op.in[1]);
  const Loaded desired{thread.values[op.in[2]], thread.defined[op.in[2]]};
  const auto old =
      update(thread, op, target, sizeof(T), strengthOf(op.mode), [&](const Loaded &before) {
        return fromBits<T>(before.bits) == expected ? desired : before;
      });
  if (!old)
    return Step::Stop;
  if (op.d != noSlot)
    thread.put(op.d, fromBits<T>(old->bits), (old->defined & allBytes<T>) == allBytes<T>);
  return Step::Next;
}

//===-- Decoding ----------------------------------------------------------------------------===//

namespace {
struct AtomicRow {
  std::string_view operation;
  Type type;
  Handler handler;
};
} // namespace

static constexpr AtomicRow atomics[] = {
    {"and", Type::B32, runAtomic<And, uint32_t>},
    {"and", Type::B64, runAtomic<And, uint64_t>},
    {"or", Type::B32, runAtomic<Or, uint32_t>},
    {"or", Type::B64, runAtomic<Or, uint64_t>},
    {"xor", Type::B32, runAtomic<Xor, uint32_t>},
    {"xor", Type::B64, runAtomic<Xor, uint64_t>},
    {"exch", Type::B32, runAtomic<Exch, uint32_t>},
    {"exch", Type::B64, runAtomic<Exch, uint64_t>},
    {"cas", Type::B16, runCas<uint16_t>},
    {"cas", Type::B32, runCas<uint32_t>},
    {"cas", Type::B64, runCas<uint64_t>},
    {"inc", Type::U32, runAtomic<Inc, uint32_t>},
    {"dec", Type::U32, runAtomic<Dec, uint32_t>},
    {"add", Type::U32, runAtomic<Add, uint32_t>},
    {"add", Type::S32, runAtomic<Add, int32_t>},
    {"add", Type::U64, runAtomic<Add, uint64_t>},
    {"add", Type::F32, runAtomic<Add, float>},
    {"add", Type::F64, runAtomic<Add, double>},
    {"add", Type::F16, runAtomic<Add, Half>},
    {"add", Type::F16x2, runAtomic<Add, HalfPair>},
    {"add", Type::BF16, runAtomic<Add, Brain>},
    {"add", Type::BF16x2, runAtomic<Add, BrainPair>},
    {"min", Type::U32, runAtomic<Min, uint32_t>},
    {"min", Type::S32, runAtomic<Min, int32_t>},
    {"min", Type::U64, runAtomic<Min, uint64_t>},
    {"min", Type::S64, runAtomic<Min, int64_t>},
    {"max", Type::U32, runAtomic<Max, uint32_t>},
    {"max", Type::S32, runAtomic<Max, int32_t>},
    {"max", Type::U64, runAtomic<Max, uint64_t>},
    {"max", Type::S64, runAtomic<Max, int64_t>},
};

static void takeAtomicOrder(Decoder &decoder) {
  uint32_t &mode = decoder.op.mode;
  mode |= atomic;
  if (decoder.take("acquire"))
    mode |= acquires;
  else if (decoder.take("release"))
    mode |= releases;
  else if (decoder.take("acq_rel"))
    mode |= acquires | releases;
  else
    decoder.take("relaxed");
  mode |= uint32_t(takeScope(decoder, Scope::Gpu));
}

static bool decodeAtomicWith(Decoder &decoder, bool hasResult) {
  const Space space = takeSpace(decoder);
  takeAtomicOrder(decoder);
  const auto operation =
      decoder.takeOneOf({"and", "or", "xor", "exch", "cas", "inc", "dec", "add", "min", "max"});
  decoder.take("noftz");
  const auto type = decoder.takeType();
  const size_t first = hasResult ? 1 : 0;
  if (!operation || !type)
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  static constexpr std::string_view names[] = {"and", "or",  "xor", "exch", "cas",
                                               "inc", "dec", "add", "min",  "max"};
  const bool isCas = names[*operation] == "cas";
  if (!takeCachePolicy(decoder, first + (isCas ? 3 : 2)))
    return false;
  for (const AtomicRow &row : atomics) {
    if (row.operation != names[*operation] || row.type != *type)
      continue;
    return (!hasResult || decoder.destination(decoder.operand(0), *type, decoder.op.d)) &&
           decoder.address(decoder.operand(first), space, 0) &&
           decoder.source(decoder.operand(first + 1), *type, decoder.op.in[1]) &&
           (!isCas || decoder.source(decoder.operand(first + 2), *type, decoder.op.in[2])) &&
           decoder.finish(row.handler);
  }
  return decoder.refuse("'" + decoder.name() + "' is not supported");
}

static bool decodeAtom(Decoder &decoder) { return decodeAtomicWith(decoder, /*hasResult=*/true); }
/// `red.async` and `red` with an mbarrier have modifiers that nobody takes.
static bool decodeRed(Decoder &decoder) { return decodeAtomicWith(decoder, /*hasResult=*/false); }

//===-- Fences ------------------------------------------------------------------------------===//

static Step runFence(Thread &thread, const Op &op) {
  fence(thread, Scope(op.mode & 3));
  return Step::Next;
}

/// All addresses of a place in memory are one here.
static Step runNothing(Thread &, const Op &) { return Step::Next; }

static bool decodeFence(Decoder &decoder) {
  if (decoder.take("proxy") && decoder.take("alias"))
    return decoder.expectOperands(0) && decoder.finish(runNothing);
  if (!decoder.takeOneOf({"sc", "acq_rel"}))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  const Scope scope = takeScope(decoder, Scope::Weak);
  decoder.op.mode = uint32_t(scope);
  if (scope == Scope::Weak)
    return decoder.refuse("'" + decoder.name() + "' has no scope");
  return decoder.expectOperands(0) && decoder.finish(runFence);
}

static bool decodeMembar(Decoder &decoder) {
  static constexpr Scope scopes[] = {Scope::Cta, Scope::Gpu, Scope::System};
  const auto level = decoder.takeOneOf({"cta", "gl", "sys"});
  if (!level)
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  decoder.op.mode = uint32_t(scopes[*level]);
  return decoder.expectOperands(0) && decoder.finish(runFence);
}

std::span<const OpcodeRow> tilewright::ptx::atomicOpcodes() {
  static constexpr OpcodeRow rows[] = {
      {"atom", decodeAtom},
      {"red", decodeRed},
      {"fence", decodeFence},
      {"membar", decodeMembar},
  };
  return rows;
}
