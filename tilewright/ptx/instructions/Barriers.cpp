// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers of CTAs and warps (PTX ISA, 9.7.13.1 and 9.7.13.2): bar and barrier with .sync, .arrive
// and .red, bar.warp.sync. `bar` is `barrier.aligned`.

#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/machine/Rendezvous.h"

using namespace tilewright::ptx;

// op.in[0] is the barrier, op.in[1] the number of threads, op.in[2] the predicate of .red;
// op.bytes: is it aligned? op.offset: is the predicate negated?
static Step runBarrier(Thread &thread, const Op &op) {
  for (uint32_t slot : {op.in[0], op.in[1], op.in[2]})
    if (slot != noSlot && !(thread.defined[slot] & 1)) {
      thread.machine->report(Check::Undefined, thread, op,
                             "an operand of a barrier is not defined");
      thread.machine->isStopped = true;
      return Step::Stop;
    }
  Arrival arrival{thread.get<uint32_t>(op.in[0]),
                  op.in[1] == noSlot ? 0 : thread.get<uint32_t>(op.in[1])};
  arrival.waits = op.target == 0;
  arrival.isAligned = op.bytes != 0;
  if (op.in[2] != noSlot) {
    arrival.hasVote = true;
    arrival.vote = (thread.get<uint8_t>(op.in[2]) != 0) != (op.offset != 0);
  }
  return arrive(thread, op, arrival);
}

static bool joinWarp(Warp &warp, uint32_t lanes) {
  joinLanes(warp, lanes);
  return true;
}

static Step runWarpBarrier(Thread &thread, const Op &op) {
  return waitForLanes(thread, op, thread.get<uint32_t>(op.in[0]), /*isAligned=*/false);
}

static bool decodeReduction(Decoder &decoder) {
  const auto kind = decoder.takeOneOf({"and", "or", "popc"});
  if (!kind)
    return decoder.refuse("'" + decoder.name() + "' has none of .and, .or, .popc");
  decoder.op.mode = uint32_t(*kind);
  Type type;
  if (!decoder.expectType(type, {*kind == 2 ? Type::U32 : Type::Pred}) ||
      !decoder.expectOperands(3, 4))
    return false;
  const size_t last = decoder.operandCount() - 1;
  Operand predicate = decoder.operand(last);
  decoder.op.offset = predicate.isNegated;
  predicate.isNegated = false;
  return decoder.destination(decoder.operand(0), type, decoder.op.d) &&
         decoder.source(decoder.operand(1), Type::U32, decoder.op.in[0]) &&
         (last == 2 || decoder.source(decoder.operand(2), Type::U32, decoder.op.in[1])) &&
         decoder.source(predicate, Type::Pred, decoder.op.in[2]) && decoder.finish(runBarrier);
}

static bool decodeCtaBarrier(Decoder &decoder, bool isAligned) {
  decoder.take("cta");
  decoder.op.bytes = isAligned || decoder.take("aligned");
  if (decoder.take("red"))
    return decodeReduction(decoder);
  const bool isArrival = decoder.take("arrive");
  if (!isArrival && !decoder.take("sync"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  decoder.op.target = isArrival;
  if (!decoder.expectOperands(isArrival ? 2 : 1, 2) ||
      !decoder.source(decoder.operand(0), Type::U32, decoder.op.in[0]))
    return false;
  if (decoder.operandCount() == 2 &&
      !decoder.source(decoder.operand(1), Type::U32, decoder.op.in[1]))
    return false;
  return decoder.finish(runBarrier);
}

static bool decodeBar(Decoder &decoder) {
  if (!decoder.take("warp"))
    return decodeCtaBarrier(decoder, /*isAligned=*/true);
  decoder.op.collective = joinWarp;
  return decoder.take("sync") && decoder.expectOperands(1) &&
         decoder.source(decoder.operand(0), Type::B32, decoder.op.in[0]) &&
         decoder.finish(runWarpBarrier);
}

static bool decodeBarrier(Decoder &decoder) {
  if (decoder.take("cluster"))
    return decodeClusterBarrier(decoder);
  return decodeCtaBarrier(decoder, /*isAligned=*/false);
}

std::span<const OpcodeRow> tilewright::ptx::barrierOpcodes() {
  static constexpr OpcodeRow rows[] = {{"bar", decodeBar}, {"barrier", decodeBarrier}};
  return rows;
}
