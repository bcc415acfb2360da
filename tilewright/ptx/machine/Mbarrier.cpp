// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Mbarrier.h.

#include "tilewright/ptx/machine/Mbarrier.h"

#include <algorithm>
#include <cstdlib>

using namespace tilewright::ptx;

static std::string placeName(const Region &region, uint64_t offset) {
  const std::string memory = region.describe(offset);
  return "the mbarrier at byte " + std::to_string(offset) + " of " + memory;
}

static void fail(Thread &thread, const Op &op, std::string message,
                 std::vector<RelatedSite> related = {}) {
  Origin(thread, op).fail(Check::Mbarrier, std::move(message), std::move(related));
}

//===-- Look-up -----------------------------------------------------------------------------===//

MbarrierPlace tilewright::ptx::mbarrierAt(Thread &thread, const Op &op, Target target) {
  const auto found = target.region->mbarriers.find(target.offset);
  if (found != target.region->mbarriers.end() && found->second->isLive) {
    found->second->isUsed = true;
    return {target, found->second.get()};
  }
  uint64_t offset = 0;
  const std::string memory = describe(thread, target, offset);
  const bool wasLive = found != target.region->mbarriers.end();
  std::vector<RelatedSite> related;
  if (wasLive)
    related.push_back({found->second->init, "it was initialised here"});
  fail(thread, op,
       std::string("there is no mbarrier at byte ") + std::to_string(offset) + " of " + memory +
           (wasLive ? ": it was invalidated" : ": it was not initialised"),
       std::move(related));
  return {};
}

MbarrierPlace tilewright::ptx::findMbarrier(Thread &thread, const Op &op, uint32_t slot,
                                            Space space) {
  Op access = op;
  access.space = space;
  const Target target = locate(thread, access, slot, 8, 8);
  if (!target)
    return {};
  if (target.region->space != Space::Shared) {
    fail(thread, op, "an mbarrier is in shared memory, and not in " + target.region->name);
    return {};
  }
  return mbarrierAt(thread, op, target);
}

//===-- Init and inval ----------------------------------------------------------------------===//

/// FlashAttention 4 lets all lanes of a warp execute one mbarrier.init.
static bool isRepeatedByLane(const Thread &thread, const Op &op, const Mbarrier &barrier,
                             uint32_t count) {
  return !barrier.isUsed && barrier.init == thread.site(op) && barrier.count == count &&
         std::ranges::all_of(barrier.inits, [&](const Epoch &init) {
           return init.cta == thread.cta->name() && init.thread != thread.number &&
                  init.thread / lanesPerWarp == thread.warp->number;
         });
}

/// Checks the write of an initialisation for races.
static void recordInit(Thread &thread, const Op &op, Target target, Mbarrier &barrier) {
  barrier.inits.push_back(thread.epoch(op, Scope::Weak, /*isAtomic=*/false));
  if (!thread.machine->checks.has(Check::Race))
    return;
  const bool isRepeated = barrier.inits.size() > 1;
  if (const auto conflict = target.region->shadowOf().write(target.offset, 8, barrier.inits.back(),
                                                            {thread.vectorClock.get()}, isRepeated))
    reportRace(thread, op, target, *conflict, /*isWrite=*/true);
}

bool tilewright::ptx::initialise(Thread &thread, const Op &op, Target target, uint32_t count) {
  Region &region = *target.region;
  if (count == 0 || count > mostArrivals) {
    fail(thread, op,
         "an mbarrier expects 1 to " + std::to_string(mostArrivals) + " arrivals, but " +
             std::to_string(count) + " are given");
    return false;
  }
  std::shared_ptr<Mbarrier> &barrier = region.mbarriers[target.offset];
  if (!barrier) {
    barrier = std::make_shared<Mbarrier>();
    Cta &cta = *thread.cta->cluster->ctas[region.cta.rank];
    barrier->agent = cta.addAgent();
    cta.addAgent(); // its fence clock (fenceIndexOf)
  }
  if (barrier->isLive && isRepeatedByLane(thread, op, *barrier, count)) {
    recordInit(thread, op, target, *barrier);
    return true;
  }
  if (barrier->isLive) {
    fail(thread, op,
         placeName(region, target.offset) + " is initialised again, and was not invalidated",
         {{barrier->init, "it was initialised here"}});
    return false;
  }
  if (barrier->inFlight.empty())
    barrier->phase = 0;
  barrier->inits.clear();
  barrier->isUsed = false;
  recordInit(thread, op, target, *barrier);
  barrier->isLive = true;
  barrier->count = barrier->pending = count;
  barrier->bytes = 0;
  barrier->init = thread.site(op);
  barrier->ownClocks.clear();
  barrier->otherClocks.clear();
  region.define(target.offset, 8, 0xFF);
  ++thread.machine->events;
  return true;
}

bool tilewright::ptx::invalidate(Thread &thread, const Op &op, MbarrierPlace place) {
  Mbarrier &barrier = *place.barrier;
  if (!barrier.waiting.empty()) {
    const Thread &waits = *barrier.waiting.front();
    fail(thread, op,
         placeName(*place.target.region, place.target.offset) + " is invalidated while thread " +
             std::to_string(waits.number) + " waits for it",
         {{waits.site(*waits.waitOp), "it waits here"}});
    return false;
  }
  checkUpdate(thread, op, place.target, 8, {});
  barrier.isLive = false;
  place.target.region->define(place.target.offset, 8, 0);
  return true;
}

/// Does the initialisation happen before the thread? fence.mbarrier_init also publishes it to the
/// threads that synchronise at the cluster barrier.
static bool isInitVisible(const Thread &thread, const Epoch &init) {
  if (init.thread == thread.number && init.cta == thread.cta->name())
    return true;
  if (!thread.vectorClock)
    return false;
  if (thread.vectorClock->has(init.cta.number, init.thread, init.clock))
    return true;
  const Cta &cta = *thread.cta->cluster->ctas[init.cta.rank];
  const uint32_t agent = cta.threads[init.thread]->initAgent;
  return agent && thread.vectorClock->has(init.cta.number, agent, init.clock);
}

/// Checks for races: operations on an mbarrier are atomic, its initialisation is not.
static void checkUse(Thread &thread, const Op &op, MbarrierPlace place) {
  if (!thread.machine->checks.has(Check::Race))
    return;
  Shadow &shadow = place.target.region->shadowOf();
  const Epoch epoch = thread.epoch(op, Scope::System, /*isAtomic=*/true);
  const Ordering ordering{thread.vectorClock.get()};
  const auto conflict = shadow.write(place.target.offset, 8, epoch, ordering);
  for (const Epoch &init : place.barrier->inits)
    if (!isInitVisible(thread, init))
      return reportRace(thread, op, place.target, {init, true, place.target.offset},
                        /*isWrite=*/true);
  const auto isInit = [&](const Epoch &init) {
    return conflict->earlier.isSameThread(init) && conflict->earlier.clock == init.clock;
  };
  if (conflict && std::ranges::none_of(place.barrier->inits, isInit))
    reportRace(thread, op, place.target, *conflict, /*isWrite=*/true);
}

//===-- Phases ------------------------------------------------------------------------------===//

/// Publishes the clocks of the arrivals, and the writes of all operations up to the first that is
/// still in flight.
static void completePhase(Region &region, Mbarrier &barrier, uint32_t threads) {
  const auto take = [&](SharedVectorClock &gathered, std::vector<ThreadClock> &clocks) {
    SharedVectorClock all = join(gathered, clocks.empty() ? nullptr : join(clocks, threads));
    gathered = nullptr;
    clocks.clear();
    return all;
  };
  const SharedVectorClock own = take(barrier.ownGathered, barrier.ownClocks);
  const SharedVectorClock other = take(barrier.otherGathered, barrier.otherClocks);
  const uint32_t ended = barrier.inFlight.empty() ? barrier.begun : *barrier.inFlight.begin() - 1;
  const auto publish = [&](const SharedVectorClock &vectorClock) {
    return withClock(vectorClock, region.cta.number, barrier.agent, ended);
  };
  barrier.ctaVectorClock = publish(join(barrier.ctaVectorClock, own));
  barrier.vectorClock = publish(join(join(barrier.vectorClock, own), other));
  barrier.pending = barrier.count;
  ++barrier.phase;
  // The threads execute the wait again.
  for (Thread *thread : barrier.waiting)
    thread->state = State::Ready;
  barrier.waiting.clear();
}

static bool checkBytes(const Origin &origin, const Region &region, uint64_t offset,
                       const Mbarrier &barrier) {
  if (std::abs(barrier.bytes) <= mostBytes)
    return true;
  origin.fail(Check::Mbarrier,
              "the transaction count of " + placeName(region, offset) + " is " +
                  std::to_string(barrier.bytes) + ", and is at most " + std::to_string(mostBytes),
              {{barrier.init, "it was initialised here"}});
  return false;
}

static void completeIfAll(Region &region, Mbarrier &barrier, uint32_t threads) {
  if (barrier.pending == 0 && barrier.bytes == 0)
    completePhase(region, barrier, threads);
}

//===-- Arrivals ----------------------------------------------------------------------------===//

/// Maximum number of arrivals that are kept before they are joined.
static constexpr size_t mostClocks = 4096;

static void publish(Thread &thread, MbarrierPlace place, const MbarrierOrder &order) {
  Mbarrier &barrier = *place.barrier;
  const CtaName owner = place.target.region->cta;
  const bool isOwn = owner == thread.cta->name();
  if (!includes(order.scope, thread.cta->name(), owner))
    return;
  if (!order.isRelaxed) {
    std::vector<ThreadClock> &clocks = isOwn ? barrier.ownClocks : barrier.otherClocks;
    SharedVectorClock &gathered = isOwn ? barrier.ownGathered : barrier.otherGathered;
    clocks.push_back(thread.now());
    if (clocks.size() >= mostClocks) {
      gathered = join(gathered, join(clocks, thread.cta->threadCount()));
      clocks.clear();
    }
    thread.advance();
  } else if (thread.fenced && includes(thread.fenced->scope, thread.cta->name(), owner)) {
    SharedVectorClock &gathered = isOwn ? barrier.ownGathered : barrier.otherGathered;
    gathered = join(gathered, thread.fenced->vectorClock);
  }
}

static bool checkArrival(Thread &thread, const Op &op, MbarrierPlace place,
                         const MbarrierArrival &arrival) {
  const Mbarrier &barrier = *place.barrier;
  const std::string name = placeName(*place.target.region, place.target.offset);
  std::vector<RelatedSite> related = {{barrier.init, "it was initialised here"}};
  if (arrival.count == 0 || arrival.count > mostArrivals) {
    fail(thread, op,
         "an arrival counts 1 to " + std::to_string(mostArrivals) + ", not " +
             std::to_string(arrival.count));
    return false;
  }
  if (arrival.count > barrier.pending) {
    fail(thread, op,
         "more arrivals than " + name + " expects: " + std::to_string(barrier.pending) + " of " +
             std::to_string(barrier.count) + " are missing in phase " +
             std::to_string(barrier.phase) + ", and " + std::to_string(arrival.count) + " arrive",
         std::move(related));
    return false;
  }
  if (!arrival.mayComplete && arrival.count == barrier.pending &&
      barrier.bytes + arrival.bytes == 0) {
    fail(thread, op,
         "an arrival with .noComplete completes phase " + std::to_string(barrier.phase) + " of " +
             name,
         std::move(related));
    return false;
  }
  return true;
}

bool tilewright::ptx::arriveAt(Thread &thread, const Op &op, MbarrierPlace place,
                               const MbarrierArrival &arrival) {
  Mbarrier &barrier = *place.barrier;
  if (!checkArrival(thread, op, place, arrival))
    return false;
  checkUse(thread, op, place);
  publish(thread, place, arrival.order);
  ++thread.machine->events;
  barrier.bytes += arrival.bytes;
  if (!checkBytes(Origin(thread, op), *place.target.region, place.target.offset, barrier))
    return false;
  barrier.pending -= arrival.count;
  if (arrival.isDrop)
    barrier.count -= arrival.count;
  completeIfAll(*place.target.region, barrier, thread.cta->threadCount());
  return true;
}

bool tilewright::ptx::expectBytes(Thread &thread, const Op &op, MbarrierPlace place,
                                  int64_t bytes) {
  Mbarrier &barrier = *place.barrier;
  checkUse(thread, op, place);
  ++thread.machine->events;
  barrier.bytes += bytes;
  if (!checkBytes(Origin(thread, op), *place.target.region, place.target.offset, barrier))
    return false;
  completeIfAll(*place.target.region, barrier, thread.cta->threadCount());
  return true;
}

//===-- Waiting -----------------------------------------------------------------------------===//

static void acquirePhase(Thread &thread, const Mbarrier &barrier, const MbarrierOrder &order) {
  const SharedVectorClock &vectorClock =
      order.scope == Scope::Cta ? barrier.ctaVectorClock : barrier.vectorClock;
  if (order.isRelaxed)
    thread.seen.push_back({thread.cta->name(), order.scope, vectorClock});
  else
    thread.vectorClock = join(thread.vectorClock, vectorClock);
}

Step tilewright::ptx::waitForPhase(Thread &thread, const Op &op, MbarrierPlace place,
                                   uint64_t phase, MbarrierOrder order, bool &isComplete) {
  Mbarrier &barrier = *place.barrier;
  checkUse(thread, op, place);
  isComplete = barrier.phase != phase;
  if (isComplete)
    acquirePhase(thread, barrier, order);
  if (isComplete || thread.isTimedOut) {
    thread.isTimedOut = false;
    return Step::Next;
  }
  thread.state = State::AtMbarrier;
  thread.waitOp = &op;
  thread.waitPhase = phase;
  thread.waitRegion = place.target.region;
  thread.waitOffset = place.target.offset;
  barrier.waiting.push_back(&thread);
  return Step::Wait;
}

std::string tilewright::ptx::describeWait(const Thread &thread) {
  const Region &region = *thread.waitRegion;
  const Mbarrier &barrier = *region.mbarriers.at(thread.waitOffset);
  std::string text = "for phase " + std::to_string(thread.waitPhase) + " of " +
                     placeName(region, thread.waitOffset) + ", where " +
                     std::to_string(barrier.pending) + " of " + std::to_string(barrier.count) +
                     " arrivals are missing";
  if (barrier.bytes > 0)
    text += " and " + std::to_string(barrier.bytes) + " bytes";
  if (barrier.bytes < 0)
    text += ", and " + std::to_string(-barrier.bytes) + " bytes more than expected have come";
  return text;
}

//===-- Asynchronous operations -------------------------------------------------------------===//

Completion tilewright::ptx::beginOperation(const Region &region, Mbarrier &barrier) {
  barrier.inFlight.insert(++barrier.begun);
  return {region.cta, barrier.agent, barrier.begun};
}

/// The mbarrier where an operation ends. None, after a finding, if it was invalidated.
static Mbarrier *endAt(const Origin &origin, Region &region, uint64_t offset, uint32_t clock) {
  Mbarrier &barrier = *region.mbarriers.at(offset);
  barrier.inFlight.erase(clock);
  ++origin.machine->events;
  if (barrier.isLive)
    return &barrier;
  origin.fail(Check::Mbarrier,
              placeName(region, offset) +
                  " was invalidated while this operation was on the way, which completes there",
              {{barrier.init, "it was initialised here"}});
  return nullptr;
}

void tilewright::ptx::endOperation(const Origin &origin, Region &region, uint64_t offset,
                                   uint32_t clock, int64_t bytes) {
  Mbarrier *barrier = endAt(origin, region, offset, clock);
  if (!barrier)
    return;
  barrier->bytes -= bytes;
  if (checkBytes(origin, region, offset, *barrier))
    completeIfAll(region, *barrier, 0);
}

void tilewright::ptx::endWithArrival(const Origin &origin, Region &region, uint64_t offset,
                                     uint32_t clock) {
  Mbarrier *barrier = endAt(origin, region, offset, clock);
  if (!barrier)
    return;
  if (barrier->pending == 0) {
    origin.fail(Check::Mbarrier,
                "more arrivals than " + placeName(region, offset) + " expects in phase " +
                    std::to_string(barrier->phase) + ", by copies that have ended",
                {{barrier->init, "it was initialised here"}});
    return;
  }
  --barrier->pending;
  completeIfAll(region, *barrier, 0);
}
