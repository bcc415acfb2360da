// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Rendezvous.h.

#include "tilewright/ptx/machine/Rendezvous.h"
#include "tilewright/ptx/async/RegisterCounts.h"
#include "tilewright/ptx/machine/Cluster.h"
#include "tilewright/ptx/machine/TensorMemory.h"
#include "tilewright/ptx/watch/Counters.h"
#include "tilewright/ptx/watch/Reconvergence.h"

#include <algorithm>

using namespace tilewright::ptx;

uint32_t Warp::alive() const {
  uint32_t lanes = 0;
  for (const Thread *thread : threads)
    lanes |= thread->state != State::Exited ? 1u << thread->lane : 0;
  return lanes;
}

static Step endRun(Thread &thread, const Op &op, Check check, std::string message,
                   std::vector<RelatedSite> related = {}) {
  thread.machine->report(check, thread, op, std::move(message), std::move(related));
  thread.machine->isStopped = true;
  return Step::Stop;
}

//===-- Lanes of a warp ---------------------------------------------------------------------===//

static bool areCompatible(const Thread &lhs, const Thread &rhs) {
  return rhs.state == State::InCollective && lhs.waitMask == rhs.waitMask &&
         lhs.waitOp->collective == rhs.waitOp->collective && lhs.waitOp->mode == rhs.waitOp->mode;
}

/// The lanes that execute together with this thread; 0 while some are missing.
static uint32_t arrivedLanes(const Thread &thread) {
  const uint32_t expected = thread.waitMask & thread.warp->alive();
  for (const Thread *other : thread.warp->threads)
    if ((expected >> other->lane & 1) && !areCompatible(thread, *other))
      return 0;
  return expected;
}

/// Tells the counters that all lanes of the warp are at one instruction.
static void noteConvergence(Warp &warp) {
  if (Counters *counters = warp.cta->machine->counters)
    counters->converged(warp);
}

/// Executes the instruction and advances all lanes past it except `last`, which is still executing
/// it.
static bool executeCollective(Thread &thread, uint32_t lanes, const Thread *last) {
  Warp &warp = *thread.warp;
  const bool done = thread.waitOp->collective(warp, lanes);
  if (lanes == warp.alive())
    noteConvergence(warp);
  for (Thread *other : warp.threads)
    if (lanes >> other->lane & 1) {
      other->state = State::Ready;
      if (other != last)
        ++other->pc;
    }
  return done;
}

Step tilewright::ptx::waitForLanes(Thread &thread, const Op &op, uint32_t mask, bool isAligned) {
  if (!(mask >> thread.lane & 1))
    return endRun(thread, op, Check::Collective,
                  "the mask does not have the lane that executes (lane " +
                      std::to_string(thread.lane) + ")");
  if (isAligned)
    for (const Thread *other : thread.warp->threads)
      if (other->state == State::InCollective && other->waitOp->collective == op.collective &&
          other->waitMask == mask && other->waitOp != &op)
        return endRun(thread, op, Check::Collective,
                      "the lanes of the warp execute different instructions",
                      {{other->site(*other->waitOp), "another lane is here"}});
  thread.waitOp = &op;
  thread.waitMask = mask;
  thread.state = State::InCollective;
  const uint32_t lanes = arrivedLanes(thread);
  if (!lanes)
    return Step::Wait;
  return executeCollective(thread, lanes, &thread) ? Step::Next : Step::Stop;
}

Step tilewright::ptx::waitForWarp(Thread &thread, const Op &op) {
  if (thread.warp->alive() != UINT32_MAX)
    return endRun(thread, op, Check::Collective,
                  "all 32 lanes of the warp have to execute this, but some do not exist or have "
                  "ended");
  return waitForLanes(thread, op, UINT32_MAX, /*isAligned=*/true);
}

Step tilewright::ptx::waitForWarpgroup(Thread &thread, const Op &op) {
  Cta &cta = *thread.cta;
  const uint32_t first = thread.warp->number / warpsPerGroup * warpsPerGroup;
  thread.waitOp = &op;
  thread.state = State::InWarpgroup;
  bool isComplete = true;
  for (uint32_t number = first; number < first + warpsPerGroup; ++number) {
    if (number >= cta.warps.size() || cta.warps[number].alive() != UINT32_MAX)
      return endRun(
          thread, op, Check::Collective,
          "all 128 threads of the warpgroup have to execute this, but some do not exist or "
          "have ended");
    for (const Thread *other : cta.warps[number].threads) {
      isComplete &= other->state == State::InWarpgroup;
      if (other->state == State::InWarpgroup && other->waitOp != &op)
        return endRun(thread, op, Check::Collective,
                      "the threads of the warpgroup execute different instructions",
                      {{other->site(*other->waitOp),
                        "thread " + std::to_string(other->number) + " is here"}});
    }
  }
  if (!isComplete)
    return Step::Wait;
  const bool done = op.collective(cta.warps[first], UINT32_MAX);
  for (uint32_t number = first; number < first + warpsPerGroup; ++number)
    for (Thread *other : cta.warps[number].threads) {
      other->state = State::Ready;
      if (other != &thread)
        ++other->pc;
    }
  return done ? Step::Next : Step::Stop;
}

void tilewright::ptx::joinLanes(Warp &warp, uint32_t lanes) {
  std::vector<ThreadClock> clocks;
  for (const Thread *thread : warp.threads)
    if (lanes >> thread->lane & 1)
      clocks.push_back(thread->now());
  const SharedVectorClock vectorClock = join(clocks, uint32_t(warp.cta->threads.size()));
  for (Thread *thread : warp.threads)
    if (lanes >> thread->lane & 1) {
      thread->vectorClock = vectorClock;
      thread->advance();
    }
}

//===-- Barriers ----------------------------------------------------------------------------===//

static std::string barrierName(uint32_t barrier) { return "barrier " + std::to_string(barrier); }

static bool isAligned(const Op &op) { return op.bytes != 0; }

/// A lane that is elsewhere while its warp waits: all lanes must execute an aligned barrier
/// together.
static const Thread *absentLane(const Barrier &barrier) {
  for (const Thread *thread : barrier.waiting)
    for (const Thread *other : thread->warp->threads)
      if (isAligned(*thread->waitOp) && other->state != State::Exited &&
          (other->state != State::AtBarrier || other->waitOp != thread->waitOp))
        return other;
  return nullptr;
}

/// An exited thread that has passed this barrier without executing it. Threads that exit before
/// they would reach a barrier are not waited for, but these have skipped it.
static const Thread *findBypass(Cta &cta, const Thread &waits) {
  Machine &machine = *cta.machine;
  for (const auto &thread : cta.threads) {
    if (thread->state != State::Exited || thread->frames.size() != 1)
      continue;
    const auto [entry, isNew] =
        machine.bypasses.try_emplace({waits.site(*waits.waitOp), thread->site(*thread->waitOp)});
    if (isNew)
      entry->second = isBypassed(*thread->code, waits.pc, thread->pc);
    if (entry->second)
      return thread.get();
  }
  return nullptr;
}

static void checkBypass(Cta &cta, const Barrier &barrier) {
  if (barrier.expected || barrier.waiting.empty() || cta.aliveThreads == cta.threadCount())
    return;
  Thread &waits = *barrier.waiting.front();
  const Thread *absent = waits.frames.size() == 1 ? findBypass(cta, waits) : nullptr;
  if (absent)
    cta.machine->report(Check::DivergentBarrier, waits, *waits.waitOp,
                        "thread " + std::to_string(absent->number) +
                            " has gone past this barrier without it, and has ended",
                        {{absent->site(*absent->waitOp), "where it has ended"}});
}

static void complete(Cta &cta, Barrier &barrier, const Thread *last) {
  checkBypass(cta, barrier);
  const SharedVectorClock vectorClock = join(barrier.clocks, uint32_t(cta.threads.size()));
  const uint32_t votes = barrier.votes, trueVotes = barrier.trueVotes;
  std::vector<Thread *> waiting = std::move(barrier.waiting);
  barrier = {};
  ++cta.machine->events;
  if (Counters *counters = cta.machine->counters; counters && !waiting.empty())
    counters->barrier(waiting.front()->site(*waiting.front()->waitOp));
  for (Thread *thread : waiting)
    if (isAligned(*thread->waitOp))
      noteConvergence(*thread->warp);
  for (Thread *thread : waiting) {
    thread->vectorClock = vectorClock;
    thread->advance();
    thread->state = State::Ready;
    if (thread != last)
      ++thread->pc;
    const Op &op = *thread->waitOp;
    if (op.d == noSlot)
      continue;
    // and, or, popc
    if (op.mode == 2)
      thread->put(op.d, trueVotes, true);
    else
      thread->put(op.d, uint8_t(op.mode == 0 ? trueVotes == votes : trueVotes != 0), true);
  }
}

static bool isComplete(const Cta &cta, const Barrier &barrier) {
  return barrier.arrived > 0 &&
         barrier.arrived >= (barrier.expected ? barrier.expected : cta.aliveThreads);
}

/// Forgets the barriers that all lanes have executed.
static void forgetBarriers(Warp &warp) {
  uint32_t past = UINT32_MAX;
  for (const Thread *thread : warp.threads)
    if (thread->state != State::Exited)
      past = std::min(past, thread->alignedBarriers);
  for (; warp.pastBarriers < past && !warp.barriers.empty(); ++warp.pastBarriers)
    warp.barriers.pop_front();
}

/// All lanes of a warp execute the same aligned barriers, in the same order. Lanes that arrived
/// without waiting may be some barriers ahead.
static Step checkAligned(Thread &thread, const Op &op, uint32_t barrier) {
  Warp &warp = *thread.warp;
  const uint32_t next = thread.alignedBarriers - warp.pastBarriers;
  const Site site = thread.site(op);
  if (next == warp.barriers.size())
    warp.barriers.push_back(site);
  if (warp.barriers[next] != site) {
    const Thread *ahead = *std::ranges::find_if(warp.threads, [&](const Thread *other) {
      return other->alignedBarriers > thread.alignedBarriers;
    });
    return endRun(thread, op, Check::DivergentBarrier,
                  "the threads of a warp reach " + barrierName(barrier) +
                      " in different instructions",
                  {{warp.barriers[next],
                    "thread " + std::to_string(ahead->number) + " of the same warp was here"}});
  }
  ++thread.alignedBarriers;
  forgetBarriers(warp);
  return Step::Next;
}

static Step checkArrival(Thread &thread, const Op &op, const Arrival &arrival) {
  if (arrival.barrier >= barriersPerCta)
    return endRun(thread, op, Check::Collective,
                  barrierName(arrival.barrier) + " does not exist: there are 16");
  if (arrival.expected % lanesPerWarp)
    return endRun(thread, op, Check::Collective,
                  barrierName(arrival.barrier) + " is for " + std::to_string(arrival.expected) +
                      " threads, which is no multiple of the warp size");
  Barrier &barrier = thread.cta->barriers[arrival.barrier];
  if (barrier.arrived && barrier.expected != arrival.expected)
    return endRun(thread, op, Check::Collective,
                  barrierName(arrival.barrier) + " is for " + std::to_string(arrival.expected) +
                      " threads here, and for " + std::to_string(barrier.expected) +
                      " for others that arrived (0: all)");
  return arrival.isAligned ? checkAligned(thread, op, arrival.barrier) : Step::Next;
}

Step tilewright::ptx::arrive(Thread &thread, const Op &op, const Arrival &arrival) {
  if (checkArrival(thread, op, arrival) == Step::Stop)
    return Step::Stop;
  Cta &cta = *thread.cta;
  Barrier &barrier = cta.barriers[arrival.barrier];
  barrier.expected = arrival.expected;
  ++barrier.arrived;
  barrier.clocks.push_back(thread.now());
  barrier.votes += arrival.hasVote;
  barrier.trueVotes += arrival.hasVote && arrival.vote;
  if (arrival.waits) {
    thread.state = State::AtBarrier;
    thread.waitOp = &op;
    thread.waitBarrier = arrival.barrier;
    barrier.waiting.push_back(&thread);
  } else {
    thread.advance();
  }
  if (!isComplete(cta, barrier))
    return arrival.waits ? Step::Wait : Step::Next;
  if (const Thread *absent = absentLane(barrier))
    return endRun(thread, op, Check::DivergentBarrier,
                  "thread " + std::to_string(absent->number) + " of a warp that is at " +
                      barrierName(arrival.barrier) + " is elsewhere");
  complete(cta, barrier, &thread);
  return Step::Next;
}

//===-- Exiting threads, and activemask -----------------------------------------------------===//

void tilewright::ptx::exitThread(Thread &thread, const Op &op) {
  Cta &cta = *thread.cta;
  thread.state = State::Exited;
  thread.waitOp = &op;
  --cta.aliveThreads;
  ++cta.machine->events;
  leaveCluster(thread, op);
  checkLoads(thread);
  if (cta.aliveThreads == 0)
    checkTensorEnd(thread);
  if (thread.warp->alive() == 0) {
    noteConvergence(*thread.warp);
    checkRegisterChanges(*thread.warp);
    wakeForRegisters(cta);
  }
  for (Thread *other : thread.warp->threads)
    if (other->state == State::InCollective)
      if (const uint32_t lanes = arrivedLanes(*other))
        if (!executeCollective(*other, lanes, nullptr))
          return;
  for (Barrier &barrier : cta.barriers)
    if (!barrier.expected && isComplete(cta, barrier)) {
      if (const Thread *absent = absentLane(barrier)) {
        Thread &waits = *barrier.waiting.front();
        endRun(waits, *waits.waitOp, Check::DivergentBarrier,
               "thread " + std::to_string(absent->number) + " of a warp at a barrier is elsewhere");
        return;
      }
      complete(cta, barrier, nullptr);
    }
}

static constexpr unsigned mostTimeSlices = 64;

/// Are both threads at the same instruction, in functions that were called from the same places?
static bool isAtSameInstruction(const Thread &lhs, const Thread &rhs) {
  return lhs.waitOp == rhs.waitOp && lhs.frames.size() == rhs.frames.size() &&
         std::equal(lhs.frames.begin(), lhs.frames.end() - 1, rhs.frames.begin(),
                    [](const Frame &left, const Frame &right) { return left.pc == right.pc; });
}

void tilewright::ptx::releaseActivemask(Warp &warp) {
  const Thread *first = nullptr;
  bool canWait = false;
  uint32_t lanes = 0;
  for (Thread *thread : warp.threads) {
    canWait |= thread->state == State::Ready;
    if (thread->state != State::AtActivemask)
      continue;
    if (!first)
      first = thread;
    if (isAtSameInstruction(*first, *thread))
      lanes |= 1u << thread->lane;
    canWait &= ++thread->waitedTimeSlices < mostTimeSlices;
  }
  if (canWait || !first)
    return;
  const uint32_t result = first->waitOp->d;
  for (Thread *thread : warp.threads)
    if (lanes >> thread->lane & 1) {
      thread->put(result, lanes, true);
      thread->state = State::Ready;
      thread->waitedTimeSlices = 0;
      ++thread->pc;
    }
}
