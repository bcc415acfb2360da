// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparison and selection (PTX ISA, 9.7.6 and 9.7.7): setp, set, selp, slct.

#include "tilewright/ptx/instructions/FloatValue.h"
#include "tilewright/ptx/instructions/Opcodes.h"

#include <algorithm>

using namespace tilewright;
using namespace tilewright::ptx;

namespace {
/// The outcomes for which a comparison is true: less, equal, greater, unordered.
enum Outcome : uint32_t { Less = 1, Equal = 2, Greater = 4, Unordered = 8 };

struct Comparison {
  std::string_view name;
  uint32_t outcomes;
  bool isForFloats, isForIntegers;
  bool isUnsigned = false;
};
enum class Combine : uint32_t { None, And, Or, Xor };
} // namespace

static constexpr Comparison comparisons[] = {
    {"eq", Equal, true, true},
    {"ne", Less | Greater, true, true},
    {"lt", Less, true, true},
    {"le", Less | Equal, true, true},
    {"gt", Greater, true, true},
    {"ge", Greater | Equal, true, true},
    {"lo", Less, false, true, true},
    {"ls", Less | Equal, false, true, true},
    {"hi", Greater, false, true, true},
    {"hs", Greater | Equal, false, true, true},
    {"equ", Equal | Unordered, true, false},
    {"neu", Less | Greater | Unordered, true, false},
    {"ltu", Less | Unordered, true, false},
    {"leu", Less | Equal | Unordered, true, false},
    {"gtu", Greater | Unordered, true, false},
    {"geu", Greater | Equal | Unordered, true, false},
    {"num", Less | Equal | Greater, true, false},
    {"nan", Unordered, true, false},
};

// Mode bits: 4 for the outcomes, then how the third operand is combined, and whether it is negated.
// For `set`, op.offset has the bits that mean true.
static constexpr uint32_t combineShift = mode::own + 4;
static constexpr uint32_t negateThird = 1u << (mode::own + 6);

template <typename T> static uint32_t compare(uint32_t m, T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    return a < b ? Less : a == b ? Equal : Greater;
  } else {
    const double x = toDouble(flushIf(m, a)), y = toDouble(flushIf(m, b));
    return std::isnan(x) || std::isnan(y) ? Unordered : x < y ? Less : x == y ? Equal : Greater;
  }
}

static bool combine(uint32_t m, bool value, bool third) {
  third ^= (m & negateThird) != 0;
  switch (Combine(m >> combineShift & 3)) {
  case Combine::And:
    return value && third;
  case Combine::Or:
    return value || third;
  case Combine::Xor:
    return value != third;
  case Combine::None:
    break;
  }
  return value;
}

/// The results of the comparison and of its negation, both combined with the third operand.
template <typename T> static Step runSetp(Thread &thread, const Op &op) {
  const uint32_t outcome = compare(op.mode, thread.get<T>(op.in[0]), thread.get<T>(op.in[1]));
  const bool value = (op.mode >> mode::own & 0xF & outcome) != 0;
  bool third = false;
  bool isDefined = thread.has<T>(op.in[0]) && thread.has<T>(op.in[1]);
  if (op.in[2] != noSlot) {
    third = thread.get<uint8_t>(op.in[2]) != 0;
    isDefined &= thread.has<uint8_t>(op.in[2]);
  }
  thread.put(op.d, uint8_t(combine(op.mode, value, third)), isDefined);
  if (op.d2 != noSlot)
    thread.put(op.d2, uint8_t(combine(op.mode, !value, third)), isDefined);
  return Step::Next;
}

namespace {
/// The results of a comparison of both halves of a register.
struct PairOutcome {
  bool halves[2];
  bool isDefined;
};
} // namespace

template <typename T> static PairOutcome comparePair(const Thread &thread, const Op &op) {
  using H = HalfOf<T>;
  const uint32_t a = thread.get<uint32_t>(op.in[0]), b = thread.get<uint32_t>(op.in[1]);
  PairOutcome outcome{{}, thread.has<uint32_t>(op.in[0]) && thread.has<uint32_t>(op.in[1])};
  bool third = false;
  if (op.in[2] != noSlot) {
    third = thread.get<uint8_t>(op.in[2]) != 0;
    outcome.isDefined &= thread.has<uint8_t>(op.in[2]);
  }
  for (unsigned half = 0; half < 2; ++half) {
    const uint32_t found =
        compare(op.mode, H{uint16_t(a >> 16 * half)}, H{uint16_t(b >> 16 * half)});
    outcome.halves[half] = combine(op.mode, (op.mode >> mode::own & 0xF & found) != 0, third);
  }
  return outcome;
}

/// Each half has its own predicate.
template <typename T> static Step runSetpPair(Thread &thread, const Op &op) {
  const PairOutcome outcome = comparePair<T>(thread, op);
  thread.put(op.d, uint8_t(outcome.halves[0]), outcome.isDefined);
  thread.put(op.d2, uint8_t(outcome.halves[1]), outcome.isDefined);
  return Step::Next;
}

template <typename T> static Step runSet(Thread &thread, const Op &op) {
  Op inner = op;
  inner.d2 = noSlot;
  runSetp<T>(thread, inner);
  const bool value = thread.get<uint8_t>(op.d) != 0;
  thread.put(op.d, value ? uint64_t(op.offset) : 0, thread.has<uint8_t>(op.d));
  return Step::Next;
}

template <typename T> static Step runSetPair(Thread &thread, const Op &op) {
  const PairOutcome outcome = comparePair<T>(thread, op);
  uint32_t result = 0;
  for (unsigned half = 0; half < 2; ++half)
    result |= outcome.halves[half] ? uint32_t(op.offset) << (16 * half) : 0;
  thread.put(op.d, result, outcome.isDefined);
  return Step::Next;
}

//===-- Decoding ----------------------------------------------------------------------------===//

static bool isAnyFloat(Type type) { return isFloat(type); }

/// Takes the comparison and the combination that the operand type supports.
static bool takeComparison(Decoder &decoder, Type type) {
  for (const Comparison &row : comparisons) {
    if ((isAnyFloat(type) ? !row.isForFloats : !row.isForIntegers) || !decoder.take(row.name))
      continue;
    const TypeKind kind = info(type).kind;
    const bool isEquality = row.name == "eq" || row.name == "ne";
    if ((kind == TypeKind::Bits && !isEquality) || (row.isUnsigned && kind != TypeKind::Unsigned))
      break;
    decoder.op.mode |= row.outcomes << mode::own;
    if (const auto found = decoder.takeOneOf({"and", "or", "xor"}))
      decoder.op.mode |= uint32_t(*found + 1) << combineShift;
    return true;
  }
  return decoder.refuse("'" + decoder.name() +
                        "' is not supported: it has no comparison that fits"
                        " its type");
}

static bool takeThird(Decoder &decoder, size_t number) {
  if (!(decoder.op.mode >> combineShift & 3))
    return decoder.expectOperands(number);
  if (!decoder.expectOperands(number + 1))
    return false;
  Operand third = decoder.operand(number);
  if (third.isNegated)
    decoder.op.mode |= negateThird;
  third.isNegated = false;
  return decoder.source(third, Type::Pred, decoder.op.in[2]);
}

static Handler comparisonHandler(Type type, bool isSet) {
  if (type == Type::F16x2)
    return isSet ? runSetPair<HalfPair> : runSetpPair<HalfPair>;
  if (type == Type::BF16x2)
    return isSet ? runSetPair<BrainPair> : runSetpPair<BrainPair>;
  const auto single = [isSet](auto tag) -> Handler {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_same_v<T, HalfPair> || std::is_same_v<T, BrainPair>)
      return nullptr;
    else
      return isSet ? runSet<T> : runSetp<T>;
  };
  return isFloat(type) ? withFloat(type, single) : withInteger(type, single);
}

static constexpr std::initializer_list<Type> comparable = {
    Type::B16, Type::B32, Type::B64, Type::U16, Type::U32,  Type::U64,   Type::S16,   Type::S32,
    Type::S64, Type::F32, Type::F64, Type::F16, Type::BF16, Type::F16x2, Type::BF16x2};

/// .ftz exists for single and half precision.
static void takeComparisonFlush(Decoder &decoder, Type type) {
  if (type == Type::F32 || type == Type::F16 || type == Type::F16x2)
    takeFlag(decoder, "ftz", mode::flush);
}

static bool decodeSetp(Decoder &decoder) {
  Type type;
  if (!decoder.expectType(type, comparable))
    return false;
  const bool isPairType = type == Type::F16x2 || type == Type::BF16x2;
  takeComparisonFlush(decoder, type);
  if (!takeComparison(decoder, type) || !takeThird(decoder, 3))
    return false;
  const Operand &results = decoder.operand(0);
  const bool hasTwo = results.kind == OperandKind::Pair;
  if (isPairType && !hasTwo)
    return decoder.refuse("'" + decoder.name() + "' needs two predicates, 'p|q'");
  if (hasTwo && (type == Type::F16 || type == Type::BF16))
    return decoder.refuse("'" + decoder.name() + "' has one predicate, and not 'p|q'");
  return decoder.destination(hasTwo ? results.parts[0] : results, Type::Pred, decoder.op.d) &&
         (!hasTwo || decoder.destination(results.parts[1], Type::Pred, decoder.op.d2)) &&
         decoder.source(decoder.operand(1), type, decoder.op.in[0]) &&
         decoder.source(decoder.operand(2), type, decoder.op.in[1]) &&
         decoder.finish(comparisonHandler(type, /*isSet=*/false));
}

/// The bits that mean true: 1.0, or all ones; for pairs, those of one half.
static uint64_t truthOf(Type result, bool isPair) {
  switch (result) {
  case Type::F32:
    return 0x3F800000;
  case Type::F16:
  case Type::F16x2:
    return 0x3C00;
  case Type::BF16:
  case Type::BF16x2:
    return 0x3F80;
  default:
    return isPair || bytesOf(result) == 2 ? 0xFFFF : 0xFFFFFFFF;
  }
}

/// A pair yields a pair, or the bits of one. Halves yield integers or halves of their own format,
/// and only halves yield 16-bit integers. Forms with a .bf16 result do not flush.
static bool isSetResult(Type result, Type type, bool flushes) {
  const bool isInteger = result == Type::U32 || result == Type::S32;
  const bool isNarrow = result == Type::U16 || result == Type::S16;
  if (type == Type::F16x2 || type == Type::BF16x2)
    return result == type || isInteger;
  if (type == Type::F16 || type == Type::BF16)
    return result == type || isInteger || isNarrow || (result == Type::BF16 && !flushes);
  return isInteger || result == Type::F32 || result == Type::F16 ||
         (result == Type::BF16 && !flushes);
}

static bool decodeSet(Decoder &decoder) {
  Type result, type;
  if (!decoder.expectType(result, {Type::U32, Type::S32, Type::F32, Type::U16, Type::S16, Type::F16,
                                   Type::BF16, Type::F16x2, Type::BF16x2}) ||
      !decoder.expectType(type, comparable))
    return false;
  const bool isPairType = type == Type::F16x2 || type == Type::BF16x2;
  takeComparisonFlush(decoder, type);
  decoder.op.offset = int64_t(truthOf(result, isPairType));
  if (!takeComparison(decoder, type) || !takeThird(decoder, 3))
    return false;
  if (!isSetResult(result, type, decoder.op.mode & mode::flush))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  return decoder.destination(decoder.operand(0), result, decoder.op.d) &&
         decoder.source(decoder.operand(1), type, decoder.op.in[0]) &&
         decoder.source(decoder.operand(2), type, decoder.op.in[1]) &&
         decoder.finish(comparisonHandler(type, /*isSet=*/true));
}

//===-- Selection ---------------------------------------------------------------------------===//

static Step select(Thread &thread, const Op &op, bool first, bool isDefined) {
  const uint32_t chosen = first ? op.in[0] : op.in[1];
  thread.values[op.d] = thread.values[chosen];
  thread.defined[op.d] = isDefined ? thread.defined[chosen] : 0;
  return Step::Next;
}

static Step runSelp(Thread &thread, const Op &op) {
  const bool first = (thread.get<uint8_t>(op.in[2]) != 0) != ((op.mode & negateThird) != 0);
  return select(thread, op, first, thread.has<uint8_t>(op.in[2]));
}

static bool decodeSelp(Decoder &decoder) {
  Type type;
  if (!decoder.expectType(type, {Type::B16, Type::B32, Type::B64, Type::U16, Type::U32, Type::U64,
                                 Type::S16, Type::S32, Type::S64, Type::F32, Type::F64}) ||
      !decoder.expectOperands(4) || !decoder.destination(decoder.operand(0), type, decoder.op.d) ||
      !decoder.source(decoder.operand(1), type, decoder.op.in[0]) ||
      !decoder.source(decoder.operand(2), type, decoder.op.in[1]))
    return false;
  Operand condition = decoder.operand(3);
  if (condition.isNegated)
    decoder.op.mode |= negateThird;
  condition.isNegated = false;
  return decoder.source(condition, Type::Pred, decoder.op.in[2]) && decoder.finish(runSelp);
}

/// Selects by the third operand being non-negative; -0 counts as 0, a NaN as negative.
static Step runSlctInteger(Thread &thread, const Op &op) {
  return select(thread, op, thread.get<int32_t>(op.in[2]) >= 0, thread.has<int32_t>(op.in[2]));
}
static Step runSlctFloat(Thread &thread, const Op &op) {
  return select(thread, op, flushIf(op.mode, thread.get<float>(op.in[2])) >= 0,
                thread.has<float>(op.in[2]));
}

static bool decodeSlct(Decoder &decoder) {
  Type type, condition;
  if (!decoder.has("s32")) // the condition is .f32
    takeFlag(decoder, "ftz", mode::flush);
  return decoder.expectType(type, {Type::B16, Type::B32, Type::B64, Type::U16, Type::U32, Type::U64,
                                   Type::S16, Type::S32, Type::S64, Type::F32, Type::F64}) &&
         decoder.expectType(condition, {Type::S32, Type::F32}) && decoder.expectOperands(4) &&
         decoder.destination(decoder.operand(0), type, decoder.op.d) &&
         decoder.source(decoder.operand(1), type, decoder.op.in[0]) &&
         decoder.source(decoder.operand(2), type, decoder.op.in[1]) &&
         decoder.source(decoder.operand(3), condition, decoder.op.in[2]) &&
         decoder.finish(condition == Type::F32 ? runSlctFloat : runSlctInteger);
}

std::span<const OpcodeRow> tilewright::ptx::compareOpcodes() {
  static constexpr OpcodeRow rows[] = {
      {"setp", decodeSetp},
      {"set", decodeSet},
      {"selp", decodeSelp},
      {"slct", decodeSlct},
  };
  return rows;
}
