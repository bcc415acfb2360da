// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations (PTX ISA, 9.7.13.4 to 9.7.13.7): atom, red, membar, fence. Without a memory
// order, an operation is relaxed; without a scope, it has GPU scope.

#include "tilewright/ptx/instructions/FloatValue.h"
#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/instructions/memory/MemoryModifiers.h"

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
/// Minimum or maximum; for floats as `min` and `max`.
template <bool isMax> struct Extreme {
  template <typename T> static T run(T old, T b) {
    if constexpr (isPair<T>) {
      using H = HalfOf<T>;
      const auto half = [&](unsigned shift) {
        return uint32_t(run(H{uint16_t(old.bits >> shift)}, H{uint16_t(b.bits >> shift)}).bits)
               << shift;
      };
      return T{half(0) | half(16)};
    } else if constexpr (std::is_integral_v<T>) {
      return isMax ? std::max(old, b) : std::min(old, b);
    } else {
      return fromElement<T>(isMax ? numerics::maxF(toElement(old), toElement(b))
                                  : numerics::minF(toElement(old), toElement(b)));
    }
  }
};
using Min = Extreme<false>;
using Max = Extreme<true>;
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
/// Increments; b is followed by 0.
struct Inc {
  template <typename T> static T run(T old, T b) { return old >= b ? T(0) : T(old + 1); }
};
/// Decrements; 0 is followed by b.
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

/// atom.add.f32 flushes subnormal operands and results in global memory, but not in shared memory.
template <typename F, typename T> static T apply(T old, T b, const Region &region) {
  if constexpr (std::is_same_v<F, Add> && std::is_same_v<T, float>)
    if (region.space == Space::Global)
      return flushed(F::run(flushed(old), flushed(b)));
  return F::run(old, b);
}

/// The result is defined if the old value and the operand are; for an exchange, if the operand is.
template <typename F, typename T>
static std::optional<Loaded> updateElement(Thread &thread, const Op &op, Target target,
                                           uint32_t slot) {
  const T operand = thread.get<T>(slot);
  const bool isDefined = thread.has<T>(slot), needsOld = !std::is_same_v<F, Exch>;
  checkValue(thread, op, target, sizeof(T), needsOld && !isDefined ? 0 : thread.defined[slot]);
  return update(thread, op, target, sizeof(T), strengthOf(op.mode), [&](const Loaded &before) {
    const bool has = isDefined && (!needsOld || (before.defined & allBytes<T>) == allBytes<T>);
    return Loaded{toBits(apply<F>(fromBits<T>(before.bits), operand, *target.region)),
                  uint8_t(has ? 0xFF : 0)};
  });
}

template <typename F, typename T> static Step runAtomic(Thread &thread, const Op &op) {
  const Target target = locate(thread, op, op.in[0], sizeof(T), sizeof(T));
  if (!target)
    return Step::Stop;
  const auto old = updateElement<F, T>(thread, op, target, op.in[1]);
  if (!old)
    return Step::Stop;
  if (op.d != noSlot)
    thread.put(op.d, fromBits<T>(old->bits), (old->defined & allBytes<T>) == allBytes<T>);
  return Step::Next;
}

/// `.v2.f32` and other vectors: each element is a separate atomic operation. op.list has the
/// results, op.list2 the operands.
template <typename F, typename T> static Step runAtomicVector(Thread &thread, const Op &op) {
  const unsigned bytes = unsigned(sizeof(T)) * op.list2.count;
  const Target target = locate(thread, op, op.in[0], bytes, bytes);
  if (!target)
    return Step::Stop;
  uint64_t before[8];
  uint8_t defined[8];
  for (uint32_t part = 0; part < op.list2.count; ++part) {
    const Target element{target.region, target.offset + part * sizeof(T)};
    const auto old =
        updateElement<F, T>(thread, op, element, thread.code->slots[op.list2.first + part]);
    if (!old)
      return Step::Stop;
    before[part] = old->bits;
    defined[part] = old->defined;
  }
  for (uint32_t part = 0; part < op.list.count; ++part)
    thread.put(thread.code->slots[op.list.first + part], fromBits<T>(before[part]),
               (defined[part] & allBytes<T>) == allBytes<T>);
  return Step::Next;
}
template <typename T> static Step runCas(Thread &thread, const Op &op) {
  const Target target = locate(thread, op, op.in[0], sizeof(T), sizeof(T));
  if (!target)
    return Step::Stop;
  const T expected = thread.get<T>(op.in[1]);
  const bool isKnown = thread.has<T>(op.in[1]);
  const Loaded desired{thread.values[op.in[2]], thread.defined[op.in[2]]};
  const auto old =
      update(thread, op, target, sizeof(T), strengthOf(op.mode), [&](const Loaded &before) {
        const bool isEqual = fromBits<T>(before.bits) == expected;
        if (isEqual || !isKnown)
          checkValue(thread, op, target, sizeof(T), isKnown ? desired.defined : 0);
        const Loaded after = isEqual ? desired : before;
        return Loaded{after.bits, uint8_t(isKnown ? after.defined : 0)};
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

/// Vectors of floats in global memory: type and maximum number of elements.
static constexpr struct {
  std::string_view operation;
  Type type;
  size_t most;
  Handler handler;
} vectorAtomics[] = {
    {"add", Type::F32, 4, runAtomicVector<Add, float>},
    {"add", Type::F16, 8, runAtomicVector<Add, Half>},
    {"add", Type::BF16, 8, runAtomicVector<Add, Brain>},
    {"add", Type::F16x2, 4, runAtomicVector<Add, HalfPair>},
    {"add", Type::BF16x2, 4, runAtomicVector<Add, BrainPair>},
    {"min", Type::F16, 8, runAtomicVector<Min, Half>},
    {"min", Type::BF16, 8, runAtomicVector<Min, Brain>},
    {"min", Type::F16x2, 4, runAtomicVector<Min, HalfPair>},
    {"min", Type::BF16x2, 4, runAtomicVector<Min, BrainPair>},
    {"max", Type::F16, 8, runAtomicVector<Max, Half>},
    {"max", Type::BF16, 8, runAtomicVector<Max, Brain>},
    {"max", Type::F16x2, 4, runAtomicVector<Max, HalfPair>},
    {"max", Type::BF16x2, 4, runAtomicVector<Max, BrainPair>},
};

static bool decodeAtomicVector(Decoder &decoder, bool hasResult, Space space,
                               std::string_view operation, Type type, size_t count) {
  const size_t first = hasResult ? 1 : 0;
  for (const auto &row : vectorAtomics)
    if (row.operation == operation && row.type == type && count <= row.most)
      return (!hasResult ||
              decoder.destinations(decoder.operand(0), type, count, decoder.op.list)) &&
             decoder.address(decoder.operand(first), space, 0) &&
             decoder.sources(decoder.operand(first + 1), type, count, decoder.op.list2) &&
             decoder.finish(row.handler);
  return decoder.refuse("'" + decoder.name() + "' is not supported");
}

/// An operation without a result does not acquire.
static void takeAtomicOrder(Decoder &decoder, bool hasResult) {
  uint32_t &mode = decoder.op.mode;
  mode |= atomic;
  if (hasResult && decoder.take("acquire"))
    mode |= acquires;
  else if (decoder.take("release"))
    mode |= releases;
  else if (hasResult && decoder.take("acq_rel"))
    mode |= acquires | releases;
  else
    decoder.take("relaxed");
  mode |= uint32_t(takeScope(decoder, Scope::Gpu));
}

static std::vector<Type> atomicTypes(std::string_view operation, bool isVector) {
  std::vector<Type> types;
  for (const AtomicRow &row : atomics)
    if (!isVector && row.operation == operation)
      types.push_back(row.type);
  for (const auto &row : vectorAtomics)
    if (isVector && row.operation == operation)
      types.push_back(row.type);
  return types;
}

static bool decodeAtomicWith(Decoder &decoder, bool hasResult) {
  const Space space = takeSpace(decoder);
  takeAtomicOrder(decoder, hasResult);
  if (hasResult && decoder.has("b128"))
    return decodeWideAtomic(decoder, space);
  const auto operation =
      decoder.takeOneOf({"and", "or", "xor", "exch", "cas", "inc", "dec", "add", "min", "max"});
  const bool needsNoFlush = decoder.firstOf({"f16", "f16x2", "bf16", "bf16x2"}) &&
                            !decoder.name().starts_with("multimem");
  if (needsNoFlush && !decoder.take("noftz"))
    return decoder.refuse("'" + decoder.name() + "' has no .noftz");
  const auto vector = decoder.takeOneOf({"v2", "v4", "v8"});
  const size_t first = hasResult ? 1 : 0;
  static constexpr std::string_view names[] = {"and", "or",  "xor", "exch", "cas",
                                               "inc", "dec", "add", "min",  "max"};
  Type type;
  const bool isReduction = operation && names[*operation] != "exch" && names[*operation] != "cas";
  if (!operation || (!hasResult && !isReduction))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  if (!decoder.expectType(type, atomicTypes(names[*operation], vector.has_value())))
    return false;
  const bool isCas = names[*operation] == "cas";
  if (!takeCachePolicy(decoder, first + (isCas ? 3 : 2)))
    return false;
  if (vector)
    return decodeAtomicVector(decoder, hasResult, space, names[*operation], type,
                              size_t(2) << *vector);
  for (const AtomicRow &row : atomics) {
    if (row.operation != names[*operation] || row.type != type)
      continue;
    return (!hasResult || decoder.destination(decoder.operand(0), type, decoder.op.d)) &&
           decoder.address(decoder.operand(first), space, 0) &&
           decoder.source(decoder.operand(first + 1), type, decoder.op.in[1]) &&
           (!isCas || decoder.source(decoder.operand(first + 2), type, decoder.op.in[2])) &&
           decoder.finish(row.handler);
  }
  return decoder.refuse("'" + decoder.name() + "' is not supported");
}

static bool decodeAtom(Decoder &decoder) { return decodeAtomicWith(decoder, /*hasResult=*/true); }
bool tilewright::ptx::decodePlainReduction(Decoder &decoder) {
  return decodeAtomicWith(decoder, /*hasResult=*/false);
}

static bool decodeRed(Decoder &decoder) {
  return decoder.take("async") ? decodeAsyncReduction(decoder)
                               : decodeAtomicWith(decoder, /*hasResult=*/false);
}

//===-- Fences ------------------------------------------------------------------------------===//

static Step runFence(Thread &thread, const Op &op) {
  fence(thread, Scope(op.mode & scopeBits));
  return Step::Next;
}

/// The default order is .acq_rel.
static bool decodeFence(Decoder &decoder) {
  if (!decoder.takeOneOf({"sc", "acq_rel"}) && (decoder.firstOf({"acquire", "release"}) ||
                                                !decoder.firstOf({"cta", "cluster", "gpu", "sys"})))
    return decodeOtherFence(decoder);
  const Scope scope = takeScope(decoder, Scope::Weak);
  decoder.op.mode = uint32_t(scope);
  if (scope == Scope::Weak)
    return decoder.refuse("'" + decoder.name() + "' has no scope");
  return decoder.expectOperands(0) && decoder.finish(runFence);
}

static bool decodeMembar(Decoder &decoder) {
  if (decoder.has("proxy"))
    return decodeOtherFence(decoder);
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
