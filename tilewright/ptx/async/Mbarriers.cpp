// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mbarrier instructions (PTX ISA, 9.7.13.15). Without an order, an arrival is .release and a
// wait is .acquire. Without a scope, the scope is the cluster: the manual says the CTA, but
// NVIDIA's libraries rely on arrivals from other CTAs that name no scope.

#include "tilewright/ptx/instructions/Compute.h"
#include "tilewright/ptx/instructions/Opcodes.h"
#include "tilewright/ptx/instructions/memory/MemoryModifiers.h"
#include "tilewright/ptx/instructions/memory/PendingCopies.h"
#include "tilewright/ptx/machine/Mbarrier.h"

using namespace tilewright::ptx;

// op.in[0] is the address, op.in[1] a count, bytes, a state or a parity; op.d the state or the
// predicate. The mode includes the scope.
static constexpr uint32_t isRelaxed = 1u << 8, isDrop = 1u << 9, isIncomplete = 1u << 10,
                          hasBytes = 1u << 11, isParity = 1u << 12, isTest = 1u << 13,
                          isCompletion = 1u << 14;

static MbarrierOrder orderOf(const Op &op) {
  return {Scope(op.mode & scopeBits), (op.mode & isRelaxed) != 0};
}

/// Counts and parities control the instruction, so they must be defined.
static bool isDefined(Thread &thread, const Op &op, uint32_t slot) {
  if (slot == noSlot || thread.has<uint32_t>(slot))
    return true;
  stop(thread, op, Check::Undefined, "an operand of an mbarrier operation is not defined");
  return false;
}

/// The state, opaque in PTX: the phase, and the missing arrivals.
static uint64_t stateOf(const Mbarrier &barrier) { return barrier.phase << 20 | barrier.pending; }

static Step runInit(Thread &thread, const Op &op) {
  if (!isDefined(thread, op, op.in[1]))
    return Step::Stop;
  const Target target = locate(thread, op, op.in[0], 8, 8);
  if (!target)
    return Step::Stop;
  if (target.region->space != Space::Shared) {
    Origin(thread, op)
        .fail(Check::Mbarrier,
              "an mbarrier is in shared memory, and not in " + target.region->name);
    return Step::Stop;
  }
  return initialise(thread, op, target, thread.get<uint32_t>(op.in[1])) ? Step::Next : Step::Stop;
}

static Step runInval(Thread &thread, const Op &op) {
  const MbarrierPlace place = findMbarrier(thread, op, op.in[0], op.space);
  return place && invalidate(thread, op, place) ? Step::Next : Step::Stop;
}

static Step runArrive(Thread &thread, const Op &op) {
  if (!isDefined(thread, op, op.in[1]))
    return Step::Stop;
  const MbarrierPlace place = findMbarrier(thread, op, op.in[0], op.space);
  if (!place)
    return Step::Stop;
  MbarrierArrival arrival;
  arrival.order = orderOf(op);
  arrival.isDrop = op.mode & isDrop;
  arrival.mayComplete = !(op.mode & isIncomplete);
  if (op.in[1] != noSlot && op.mode & hasBytes)
    arrival.bytes = thread.get<uint32_t>(op.in[1]);
  else if (op.in[1] != noSlot)
    arrival.count = thread.get<uint32_t>(op.in[1]);
  const uint64_t state = stateOf(*place.barrier);
  if (!arriveAt(thread, op, place, arrival))
    return Step::Stop;
  if (op.d != noSlot)
    thread.put(op.d, state, true);
  return Step::Next;
}

static Step runBytes(Thread &thread, const Op &op) {
  if (!isDefined(thread, op, op.in[1]))
    return Step::Stop;
  const MbarrierPlace place = findMbarrier(thread, op, op.in[0], op.space);
  if (!place)
    return Step::Stop;
  const int64_t bytes = thread.get<uint32_t>(op.in[1]);
  return expectBytes(thread, op, place, op.mode & isCompletion ? -bytes : bytes) ? Step::Next
                                                                                 : Step::Stop;
}

/// The phase that a wait is for; a state belongs to the current phase or the one before.
static bool phaseToWaitFor(Thread &thread, const Op &op, const Mbarrier &barrier, uint64_t &phase) {
  if (op.mode & isParity) {
    const bool isCurrent = (barrier.phase & 1) == (thread.get<uint32_t>(op.in[1]) & 1);
    phase = isCurrent ? barrier.phase : barrier.phase - 1;
    return true;
  }
  phase = thread.values[op.in[1]] >> 20;
  if (phase == barrier.phase || phase + 1 == barrier.phase)
    return true;
  Origin(thread, op)
      .fail(Check::Mbarrier, "the state is of phase " + std::to_string(phase) +
                                 ", and the mbarrier is in phase " + std::to_string(barrier.phase));
  return false;
}

static Step runWait(Thread &thread, const Op &op) {
  if (!isDefined(thread, op, op.in[1]))
    return Step::Stop;
  const MbarrierPlace place = findMbarrier(thread, op, op.in[0], op.space);
  if (!place)
    return Step::Stop;
  if (place.target.region->cta != thread.cta->name()) {
    stop(thread, op, Check::OutOfBounds,
         "a wait is for an mbarrier of the own CTA, and this one is of another");
    return Step::Stop;
  }
  uint64_t phase = 0;
  if (!phaseToWaitFor(thread, op, *place.barrier, phase))
    return Step::Stop;
  // A test may fail because it comes too early.
  Machine &machine = *thread.machine;
  if (op.mode & isTest && machine.schedule.order == Order::Random && machine.random() & 1)
    thread.isTimedOut = true;
  bool isComplete = false;
  const Step step = waitForPhase(thread, op, place, phase, orderOf(op), isComplete);
  if (step == Step::Next)
    thread.put(op.d, uint8_t(isComplete), true);
  return step;
}

static Step runPending(Thread &thread, const Op &op) {
  thread.put(op.d, uint32_t(thread.values[op.in[0]] & mostArrivals),
             thread.has<uint64_t>(op.in[0]));
  return Step::Next;
}

//===-- cp.async.mbarrier.arrive ------------------------------------------------------------===//

/// The copies that the thread has begun so far arrive at the mbarrier when they are done.
static Step runCopyArrival(Thread &thread, const Op &op) {
  const MbarrierPlace place = findMbarrier(thread, op, op.in[0], op.space);
  if (!place)
    return Step::Stop;
  Mbarrier &barrier = *place.barrier;
  Region &region = *place.target.region;
  if (op.mode == 0) // without .noinc the arrival is expected additionally
    ++barrier.pending;
  Completion completion = beginOperation(region, barrier);
  completion.isCopy = true;
  thread.cta->copyAgents.insert(completion.agent);
  const uint32_t number = ++thread.copyArrivals;
  Operation operation(thread, op, Proxy::Generic);
  for (PendingCopy &copy : thread.copies) {
    if (copy.arrival)
      continue;
    copy.arrival = number;
    copy.agent = completion.agent;
    copy.clock = completion.clock;
    operation.by(copy.site);
    if (!operation.writes({thread.cta->shared.get(), copy.offset}, copy.bytes, completion,
                          Scope::Weak, bytesOf(copy).data()))
      return Step::Stop;
  }
  const uint64_t offset = place.target.offset;
  const Origin origin(thread, op);
  thread.machine->eventQueue.add(*thread.cta->cluster, [=, &thread, &region] {
    std::erase_if(thread.copies, [&](const PendingCopy &copy) {
      const bool isDone = copy.arrival && copy.arrival <= number;
      if (isDone)
        countPending(thread, copy.offset, copy.bytes, -1);
      return isDone;
    });
    endWithArrival(origin, region, offset, completion.clock);
  });
  return Step::Next;
}

bool tilewright::ptx::decodeCopyArrival(Decoder &decoder) {
  if (!decoder.take("arrive"))
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  decoder.op.mode = decoder.take("noinc");
  const bool isShared = decoder.takeOneOf({"shared::cta", "shared"}).has_value();
  return decoder.take("b64") && decoder.expectOperands(1) &&
         decoder.address(decoder.operand(0), isShared ? Space::Shared : Space::Generic, 0) &&
         decoder.finish(runCopyArrival);
}

//===-- Decoding ----------------------------------------------------------------------------===//

/// Takes an order and its scope. The default is not relaxed and has the scope of the cluster, which
/// is the widest, since other threads cannot reach an mbarrier.
static bool takeMbarrierOrder(Decoder &decoder, std::string_view strong) {
  if (decoder.firstOf({"gpu", "sys"}))
    return decoder.refuse("'" + decoder.name() +
                          "' is not supported: the scopes of an mbarrier are .cta and .cluster");
  const bool relaxes = decoder.take("relaxed");
  const bool isNamed = relaxes || decoder.take(strong);
  const Scope scope = takeScope(decoder, Scope::Weak);
  decoder.op.mode |=
      (relaxes ? isRelaxed : 0) | uint32_t(scope == Scope::Weak ? Scope::Cluster : scope);
  return isNamed == (scope != Scope::Weak) ||
         decoder.refuse("'" + decoder.name() +
                        (isNamed ? "' has an order, and no scope" : "' has a scope, and no order"));
}

static Space takeShared(Decoder &decoder, bool mayBeRemote) {
  if (mayBeRemote && decoder.take("shared::cluster"))
    return Space::Cluster;
  return decoder.takeOneOf({"shared::cta", "shared"}) ? Space::Shared : Space::Generic;
}

static bool decodeInit(Decoder &decoder) {
  const Space space = takeShared(decoder, false);
  return decoder.take("b64") && decoder.expectOperands(2) &&
         decoder.address(decoder.operand(0), space, 0) &&
         decoder.source(decoder.operand(1), Type::U32, decoder.op.in[1]) && decoder.finish(runInit);
}

static bool decodeInval(Decoder &decoder) {
  const Space space = takeShared(decoder, false);
  return decoder.take("b64") && decoder.expectOperands(1) &&
         decoder.address(decoder.operand(0), space, 0) && decoder.finish(runInval);
}

/// Decodes an arrival. The state, or `_`, comes first.
static bool decodeArrive(Decoder &decoder, bool drops) {
  uint32_t &mode = decoder.op.mode;
  mode |= drops ? isDrop : 0;
  mode |= decoder.take("expect_tx") ? hasBytes : 0;
  mode |= decoder.take("noComplete") ? isIncomplete : 0;
  // .noComplete allows neither bytes nor arrivals at other CTAs.
  if (mode & isIncomplete &&
      (mode & hasBytes || decoder.firstOf({"relaxed", "cluster", "shared::cluster"})))
    return decoder.refuse("'" + decoder.name() +
                          "' is not supported: .noComplete is alone or "
                          "with .release.cta, for an mbarrier of the own CTA");
  if (!takeMbarrierOrder(decoder, "release"))
    return false;
  const Space space = takeShared(decoder, true);
  const size_t least = mode & (hasBytes | isIncomplete) ? 3 : 2;
  if (!decoder.take("b64") || !decoder.expectOperands(least, 3) ||
      !decoder.address(decoder.operand(1), space, 0))
    return false;
  const bool hasState = decoder.operand(0).kind != OperandKind::Sink;
  if (hasState && space == Space::Cluster)
    return decoder.refuse("'" + decoder.name() + "' has no state: expected '_'");
  if (hasState && !decoder.destination(decoder.operand(0), Type::B64, decoder.op.d))
    return false;
  return (decoder.operandCount() == 2 ||
          decoder.source(decoder.operand(2), Type::U32, decoder.op.in[1])) &&
         decoder.finish(runArrive);
}

static bool decodeBytes(Decoder &decoder, bool completes) {
  if (!takeMbarrierOrder(decoder, "relaxed"))
    return false;
  decoder.op.mode = completes ? isCompletion : 0; // the order of byte counts is always the same
  const Space space = takeShared(decoder, true);
  return decoder.take("b64") && decoder.expectOperands(2) &&
         decoder.address(decoder.operand(0), space, 0) &&
         decoder.source(decoder.operand(1), Type::U32, decoder.op.in[1]) &&
         decoder.finish(runBytes);
}

static bool decodeWait(Decoder &decoder, bool tests) {
  const bool hasParity = decoder.take("parity");
  decoder.op.mode |= (hasParity ? isParity : 0) | (tests ? isTest : 0);
  if (!takeMbarrierOrder(decoder, "acquire"))
    return false;
  const Space space = takeShared(decoder, false);
  uint32_t unused = 0; // the suspend time hint
  return decoder.take("b64") && decoder.expectOperands(3, tests ? 3 : 4) &&
         decoder.destination(decoder.operand(0), Type::Pred, decoder.op.d) &&
         decoder.address(decoder.operand(1), space, 0) &&
         decoder.source(decoder.operand(2), hasParity ? Type::U32 : Type::B64, decoder.op.in[1]) &&
         (decoder.operandCount() == 3 || decoder.source(decoder.operand(3), Type::U32, unused)) &&
         decoder.finish(runWait);
}

static bool decodePending(Decoder &decoder) {
  return decoder.take("b64") && decoder.expectOperands(2) &&
         decoder.destination(decoder.operand(0), Type::U32, decoder.op.d) &&
         decoder.source(decoder.operand(1), Type::B64, decoder.op.in[0]) &&
         decoder.finish(runPending);
}

static bool decodeMbarrier(Decoder &decoder) {
  const auto what = decoder.takeOneOf({"init", "inval", "arrive", "arrive_drop", "expect_tx",
                                       "complete_tx", "test_wait", "try_wait", "pending_count"});
  if (!what)
    return decoder.refuse("'" + decoder.name() + "' is not supported");
  switch (*what) {
  case 0:
    return decodeInit(decoder);
  case 1:
    return decodeInval(decoder);
  case 2:
  case 3:
    return decodeArrive(decoder, *what == 3);
  case 4:
  case 5:
    return decodeBytes(decoder, *what == 5);
  case 6:
  case 7:
    return decodeWait(decoder, *what == 6);
  default:
    return decodePending(decoder);
  }
}

std::span<const OpcodeRow> tilewright::ptx::mbarrierOpcodes() {
  static constexpr OpcodeRow rows[] = {{"mbarrier", decodeMbarrier}};
  return rows;
}
