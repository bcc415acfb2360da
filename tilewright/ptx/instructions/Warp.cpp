// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp instructions (PTX ISA, 9.7.9.6 and 9.7.13): shfl, vote, match, redux, elect, activemask. The
// lanes of the mask wait for each other, and the last one executes for all.

#include "tilewright/ptx/instructions/FloatArithmetic.h"
#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/machine/Rendezvous.h"

#include <algorithm>
#include <bit>

using namespace tilewright::ptx;

/// Waits for the lanes of the mask, which is the last operand, op.in[3].
static Step waitForMask(Thread &thread, const Op &op) {
  if (!thread.has<uint32_t>(op.in[3])) {
    thread.machine->report(Check::Undefined, thread, op, "the mask of lanes is not defined");
    thread.machine->isStopped = true;
    return Step::Stop;
  }
  return waitForLanes(thread, op, thread.get<uint32_t>(op.in[3]), /*isAligned=*/false);
}

template <typename Visit> static void forLanes(Warp &warp, uint32_t lanes, Visit visit) {
  for (; lanes; lanes &= lanes - 1)
    visit(*warp.threads[size_t(std::countr_zero(lanes))]);
}

//===-- shfl --------------------------------------------------------------------------------===//

enum Shuffle : uint32_t { Up, Down, Butterfly, Index };

/// The lane to read from, and whether it is in range (the manual's formula).
static std::pair<uint32_t, bool> sourceLane(uint32_t kind, uint32_t lane, uint32_t b, uint32_t c) {
  b &= 31;
  const uint32_t clamp = c & 31, segment = c >> 8 & 31;
  const uint32_t last = (lane & segment) | (clamp & ~segment);
  const uint32_t first = lane & segment;
  int32_t source = 0;
  bool inRange = false;
  switch (kind) {
  case Up:
    source = int32_t(lane - b);
    inRange = source >= int32_t(last);
    break;
  case Down:
    source = int32_t(lane + b);
    inRange = source <= int32_t(last);
    break;
  case Butterfly:
    source = int32_t(lane ^ b);
    inRange = source <= int32_t(last);
    break;
  default:
    source = int32_t(first | (b & ~segment));
    inRange = source <= int32_t(last);
  }
  return {inRange ? uint32_t(source) : lane, inRange};
}

static bool shuffle(Warp &warp, uint32_t lanes) {
  // Reads all values before it writes one, because a register may be source and destination.
  uint64_t values[lanesPerWarp];
  uint8_t defined[lanesPerWarp];
  forLanes(warp, lanes, [&](Thread &thread) {
    values[thread.lane] = thread.values[thread.waitOp->in[0]];
    defined[thread.lane] = thread.defined[thread.waitOp->in[0]];
  });
  forLanes(warp, lanes, [&](Thread &thread) {
    const Op &op = *thread.waitOp;
    const auto [source, inRange] = sourceLane(op.mode, thread.lane, thread.get<uint32_t>(op.in[1]),
                                              thread.get<uint32_t>(op.in[2]));
    const bool isActive = lanes >> source & 1;
    const bool isKnown = thread.has<uint32_t>(op.in[1]) && thread.has<uint32_t>(op.in[2]);
    thread.values[op.d] = isActive ? values[source] : 0;
    thread.defined[op.d] = isActive && isKnown ? defined[source] : 0;
    if (op.d2 != noSlot)
      thread.put(op.d2, uint8_t(inRange), isKnown);
  });
  return true;
}

/// Takes `d` or `d|p`.
static bool resultWithPredicate(Decoder &decoder, Type type) {
  const Operand &result = decoder.operand(0);
  if (result.kind != OperandKind::Pair)
    return decoder.destination(result, type, decoder.op.d);
  return decoder.destination(result.parts[0], type, decoder.op.d) &&
         decoder.destination(result.parts[1], Type::Pred, decoder.op.d2);
}

static bool decodeShuffle(Decoder &decoder) {
  Type type;
  if (!decoder.take("sync"))
    return decoder.refuse("'" + decoder.name() + "' is not supported: it has no .sync");
  const auto kind = decoder.takeOneOf({"up", "down", "bfly", "idx"});
  if (!kind)
    return decoder.refuse("'" + decoder.name() + "' has none of .up, .down, .bfly, .idx");
  decoder.op.mode = uint32_t(*kind);
  decoder.op.collective = shuffle;
  return decoder.expectType(type, {Type::B32}) && decoder.expectOperands(5) &&
         resultWithPredicate(decoder, type) &&
         decoder.source(decoder.operand(1), type, decoder.op.in[0]) &&
         decoder.source(decoder.operand(2), type, decoder.op.in[1]) &&
         decoder.source(decoder.operand(3), type, decoder.op.in[2]) &&
         decoder.source(decoder.operand(4), type, decoder.op.in[3]) && decoder.finish(waitForMask);
}

//===-- vote --------------------------------------------------------------------------------===//

enum Vote : uint32_t { All, Any, Uniform, Ballot };

static constexpr uint32_t negatedVote = 1;

static bool vote(Warp &warp, uint32_t lanes) {
  uint32_t ballot = 0;
  bool isDefined = true;
  forLanes(warp, lanes, [&](Thread &thread) {
    const Op &op = *thread.waitOp;
    const bool value = (thread.get<uint8_t>(op.in[0]) != 0) != (op.offset == negatedVote);
    ballot |= uint32_t(value) << thread.lane;
    isDefined &= thread.has<uint8_t>(op.in[0]);
  });
  forLanes(warp, lanes, [&](Thread &thread) {
    const Op &op = *thread.waitOp;
    if (op.mode == Ballot) {
      thread.put(op.d, ballot, isDefined);
      return;
    }
    const bool all = ballot == lanes, none = ballot == 0;
    const bool result = op.mode == All ? all : op.mode == Any ? !none : all || none;
    thread.put(op.d, uint8_t(result), isDefined);
  });
  return true;
}

static bool decodeVote(Decoder &decoder) {
  Type type;
  if (!decoder.take("sync"))
    return decoder.refuse("'" + decoder.name() + "' is not supported: it has no .sync");
  const auto kind = decoder.takeOneOf({"all", "any", "uni", "ballot"});
  if (!kind || !decoder.expectType(type, {*kind == Ballot ? Type::B32 : Type::Pred}) ||
      !decoder.expectOperands(3))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  decoder.op.mode = uint32_t(*kind);
  decoder.op.collective = vote;
  Operand predicate = decoder.operand(1);
  decoder.op.offset = predicate.isNegated ? negatedVote : 0;
  predicate.isNegated = false;
  return decoder.destination(decoder.operand(0), type, decoder.op.d) &&
         decoder.source(predicate, Type::Pred, decoder.op.in[0]) &&
         decoder.source(decoder.operand(2), Type::B32, decoder.op.in[3]) &&
         decoder.finish(waitForMask);
}

//===-- match -------------------------------------------------------------------------------===//

/// The lanes with the same value; for .all the mask if all lanes have it, otherwise 0.
static bool match(Warp &warp, uint32_t lanes) {
  uint32_t same[lanesPerWarp] = {};
  bool isDefined = true;
  forLanes(warp, lanes, [&](Thread &thread) {
    const Op &op = *thread.waitOp;
    isDefined &= op.bytes == 4 ? thread.has<uint32_t>(op.in[0]) : thread.has<uint64_t>(op.in[0]);
    forLanes(warp, lanes, [&](Thread &other) {
      const bool isSame = other.values[other.waitOp->in[0]] == thread.values[op.in[0]];
      same[thread.lane] |= uint32_t(isSame) << other.lane;
    });
  });
  forLanes(warp, lanes, [&](Thread &thread) {
    const Op &op = *thread.waitOp;
    const bool all = same[thread.lane] == lanes;
    thread.put(op.d, op.mode && !all ? 0u : same[thread.lane], isDefined);
    if (op.d2 != noSlot)
      thread.put(op.d2, uint8_t(all), isDefined);
  });
  return true;
}

static bool decodeMatch(Decoder &decoder) {
  Type type;
  const auto kind = decoder.takeOneOf({"any", "all"});
  if (!kind || !decoder.take("sync"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  decoder.op.mode = uint32_t(*kind);
  decoder.op.collective = match;
  if (!decoder.expectType(type, {Type::B32, Type::B64}) || !decoder.expectOperands(3))
    return false;
  decoder.op.bytes = uint8_t(bytesOf(type));
  return resultWithPredicate(decoder, Type::B32) &&
         decoder.source(decoder.operand(1), type, decoder.op.in[0]) &&
         decoder.source(decoder.operand(2), Type::B32, decoder.op.in[3]) &&
         decoder.finish(waitForMask);
}

//===-- redux, elect, activemask ------------------------------------------------------------===//

enum Reduction : uint32_t { Add, Min, Max, And, Or, Xor };
static constexpr uint32_t isSignedReduction = 8;

static uint32_t combine(uint32_t mode, uint32_t a, uint32_t b) {
  const bool isSmaller = mode & isSignedReduction ? int32_t(a) < int32_t(b) : a < b;
  switch (mode & 7) {
  case Add:
    return a + b;
  case Min:
    return isSmaller ? a : b;
  case Max:
    return isSmaller ? b : a;
  case And:
    return a & b;
  case Or:
    return a | b;
  default:
    return a ^ b;
  }
}

static bool reduce(Warp &warp, uint32_t lanes) {
  std::optional<uint32_t> result;
  bool isDefined = true;
  forLanes(warp, lanes, [&](Thread &thread) {
    const Op &op = *thread.waitOp;
    const uint32_t value = thread.get<uint32_t>(op.in[0]);
    result = result ? combine(op.mode, *result, value) : value;
    isDefined &= thread.has<uint32_t>(op.in[0]);
  });
  forLanes(warp, lanes, [&](Thread &thread) { thread.put(thread.waitOp->d, *result, isDefined); });
  return true;
}

/// The minimum or maximum of f32, as for min.f32 and max.f32.
template <bool isMax> static bool reduceFloats(Warp &warp, uint32_t lanes) {
  std::optional<float> result;
  bool isDefined = true;
  forLanes(warp, lanes, [&](Thread &thread) {
    const Op &op = *thread.waitOp;
    const float value = thread.get<float>(op.in[0]);
    result = arithmetic::Extreme<isMax>::run(op.mode, result.value_or(value), value);
    isDefined &= thread.has<float>(op.in[0]);
  });
  forLanes(warp, lanes, [&](Thread &thread) { thread.put(thread.waitOp->d, *result, isDefined); });
  return true;
}

static bool decodeFloatRedux(Decoder &decoder) {
  const auto kind = decoder.takeOneOf({"min", "max"});
  if (!kind || !decoder.take("sync"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  takeFlag(decoder, "abs", mode::magnitude);
  takeFlag(decoder, "NaN", mode::nan);
  decoder.op.collective = *kind == 0 ? reduceFloats<false> : reduceFloats<true>;
  return decoder.take("f32") && decoder.expectOperands(3) &&
         decoder.destination(decoder.operand(0), Type::F32, decoder.op.d) &&
         decoder.source(decoder.operand(1), Type::F32, decoder.op.in[0]) &&
         decoder.source(decoder.operand(2), Type::B32, decoder.op.in[3]) &&
         decoder.finish(waitForMask);
}

static bool decodeRedux(Decoder &decoder) {
  if (decoder.has("f32"))
    return decodeFloatRedux(decoder);
  Type type;
  const auto kind = decoder.takeOneOf({"add", "min", "max", "and", "or", "xor"});
  if (!kind || !decoder.take("sync"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  const bool isLogic = *kind >= And;
  decoder.op.collective = reduce;
  if (!(isLogic ? decoder.expectType(type, {Type::B32})
                : decoder.expectType(type, {Type::U32, Type::S32})))
    return false;
  decoder.op.mode = uint32_t(*kind) | (isSigned(type) ? isSignedReduction : 0);
  return decoder.expectOperands(3) && decoder.destination(decoder.operand(0), type, decoder.op.d) &&
         decoder.source(decoder.operand(1), type, decoder.op.in[0]) &&
         decoder.source(decoder.operand(2), Type::B32, decoder.op.in[3]) &&
         decoder.finish(waitForMask);
}

/// The lowest lane is the leader.
static bool elect(Warp &warp, uint32_t lanes) {
  const uint32_t leader = uint32_t(std::countr_zero(lanes));
  forLanes(warp, lanes, [&](Thread &thread) {
    thread.put(thread.waitOp->d, leader, true);
    thread.put(thread.waitOp->d2, uint8_t(thread.lane == leader), true);
  });
  return true;
}

static bool decodeElect(Decoder &decoder) {
  decoder.op.collective = elect;
  if (!decoder.take("sync") || !decoder.expectOperands(2) ||
      decoder.operand(0).kind != OperandKind::Pair)
    return decoder.refuse("'" + decoder.name() + "' is not supported in this form");
  return resultWithPredicate(decoder, Type::B32) &&
         decoder.source(decoder.operand(1), Type::B32, decoder.op.in[3]) &&
         decoder.finish(waitForMask);
}

static Step runActivemask(Thread &thread, const Op &op) {
  thread.state = State::AtActivemask;
  thread.waitOp = &op;
  return Step::Wait;
}

static bool decodeActivemask(Decoder &decoder) {
  Type type;
  return decoder.expectType(type, {Type::B32}) && decoder.expectOperands(1) &&
         decoder.destination(decoder.operand(0), type, decoder.op.d) &&
         decoder.finish(runActivemask);
}

std::span<const OpcodeRow> tilewright::ptx::warpOpcodes() {
  static constexpr OpcodeRow rows[] = {
      {"shfl", decodeShuffle}, {"vote", decodeVote},   {"match", decodeMatch},
      {"redux", decodeRedux},  {"elect", decodeElect}, {"activemask", decodeActivemask},
  };
  return rows;
}
