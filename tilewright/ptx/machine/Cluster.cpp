// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Cluster.h.

#include "tilewright/ptx/machine/Cluster.h"

using namespace tilewright::ptx;

static Step endRun(Thread &thread, const Op &op, Check check, std::string message,
                   std::vector<RelatedSite> related = {}) {
  thread.machine->report(check, thread, op, std::move(message), std::move(related));
  thread.machine->isStopped = true;
  return Step::Stop;
}

//===-- The barrier -------------------------------------------------------------------------===//

/// A thread of the warp that is at another instruction: a warp executes aligned barriers together.
static const Thread *elsewhere(const Thread &thread, const Op &op, bool isArrival) {
  for (const Thread *other : thread.warp->threads) {
    const bool isHere = isArrival ? other->clusterArrivals == thread.clusterArrivals + 1
                                  : other->state == State::AtClusterBarrier &&
                                        other->clusterWaits == thread.clusterWaits;
    if (other != &thread && isHere && (isArrival ? other->clusterOp : other->waitOp) != &op)
      return other;
  }
  return nullptr;
}

static void completeIfAll(Cluster &cluster) {
  ClusterBarrier &barrier = cluster.barrier;
  if (!barrier.arrived || barrier.arrived < cluster.aliveThreads)
    return;
  barrier.arrived = 0;
  ++barrier.phase;
  barrier.vectorClock =
      join(barrier.gathered, join(barrier.clocks, cluster.ctas.front()->threadCount()));
  barrier.gathered = nullptr;
  barrier.clocks.clear();
  // The threads execute the wait again.
  for (Thread *thread : barrier.waiting)
    thread->state = State::Ready;
  barrier.waiting.clear();
}

/// A relaxed arrival publishes only what earlier fences released.
static void publish(Thread &thread, bool releases) {
  ClusterBarrier &barrier = thread.cta->cluster->barrier;
  SharedVectorClock &gathered = barrier.gathered;
  if (releases) {
    barrier.clocks.push_back(thread.now());
    thread.advance();
    return;
  }
  if (thread.fenced && thread.fenced->scope >= Scope::Cluster)
    gathered = join(gathered, thread.fenced->vectorClock);
  gathered = join(gathered, thread.initVectorClock);
}

Step tilewright::ptx::arriveAtCluster(Thread &thread, const Op &op, bool releases, bool isAligned) {
  if (thread.clusterArrivals != thread.clusterWaits)
    return endRun(
        thread, op, Check::Collective,
        "the thread arrives at the barrier of the cluster again, and has not waited since "
        "its last arrival",
        {{thread.site(*thread.clusterOp), "the last arrival"}});
  if (const Thread *other = isAligned ? elsewhere(thread, op, /*isArrival=*/true) : nullptr)
    return endRun(thread, op, Check::DivergentBarrier,
                  "the threads of a warp arrive at the barrier of the cluster in different "
                  "instructions",
                  {{other->site(*other->clusterOp),
                    "thread " + std::to_string(other->number) + " of the same warp arrived here"}});
  publish(thread, releases);
  ++thread.clusterArrivals;
  thread.clusterOp = &op;
  ++thread.machine->events;
  ++thread.cta->cluster->barrier.arrived;
  completeIfAll(*thread.cta->cluster);
  return Step::Next;
}

Step tilewright::ptx::waitForCluster(Thread &thread, const Op &op, bool isAligned) {
  ClusterBarrier &barrier = thread.cta->cluster->barrier;
  if (thread.clusterArrivals == thread.clusterWaits)
    return endRun(thread, op, Check::Collective,
                  "the thread waits for the barrier of the cluster, and has not arrived there");
  if (const Thread *other = isAligned ? elsewhere(thread, op, /*isArrival=*/false) : nullptr)
    return endRun(thread, op, Check::DivergentBarrier,
                  "the threads of a warp wait for the barrier of the cluster in different "
                  "instructions",
                  {{other->site(*other->waitOp),
                    "thread " + std::to_string(other->number) + " of the same warp waits here"}});
  if (barrier.phase < thread.clusterArrivals) {
    thread.state = State::AtClusterBarrier;
    thread.waitOp = &op;
    barrier.waiting.push_back(&thread);
    return Step::Wait;
  }
  thread.vectorClock = join(thread.vectorClock, barrier.vectorClock);
  ++thread.clusterWaits;
  thread.advance();
  return Step::Next;
}

//===-- The end of a thread -----------------------------------------------------------------===//

/// Other CTAs and asynchronous operations must be done with the shared memory of a CTA before it
/// ends, except own bulk stores.
static void checkEnd(Thread &thread, const Op &op) {
  Cta &cta = *thread.cta;
  const Machine &machine = *thread.machine;
  const auto late = cta.shared->shadowOf().findUnobserved(cta.name(), cta.ended.get());
  if (!late)
    return;
  uint64_t offset = late->offset;
  const std::string memory = cta.shared->describe(offset);
  const std::string by = late->earlier.isAsync ? "an asynchronous operation"
                                               : "a thread of " + machine.nameOf(late->earlier.cta);
  thread.machine->report(Check::Race, thread, op,
                         "race: the CTA ends, and nothing orders that after the " +
                             std::string(late->isWrite ? "write" : "read") + " of byte " +
                             std::to_string(offset) + " of its " + memory + " by " + by,
                         {{late->earlier.site, "the access"}}, memory);
}

void tilewright::ptx::leaveCluster(Thread &thread, const Op &op) {
  Cta &cta = *thread.cta;
  Cluster &cluster = *cta.cluster;
  const bool canBeReached = cluster.ctas.size() > 1 || cta.agents > 0;
  if (canBeReached)
    cta.ended = join(cta.ended, join({thread.now()}, cta.threadCount()));
  --cluster.aliveThreads;
  // The thread may have arrived without waiting.
  if (thread.clusterArrivals > cluster.barrier.phase)
    --cluster.barrier.arrived;
  completeIfAll(cluster);
  if (cta.aliveThreads == 0 && canBeReached && thread.machine->checks.has(Check::Race))
    checkEnd(thread, op);
}

//===-- Addresses ---------------------------------------------------------------------------===//

std::optional<uint32_t> tilewright::ptx::rankOf(const Cta &cta, uint64_t address) {
  const uint64_t rank = address >> clusterShift;
  return rank < cta.cluster->ctas.size() ? std::optional(uint32_t(rank)) : std::nullopt;
}

bool tilewright::ptx::hasBegun(const Thread &thread, const Cta &other) {
  return &other == thread.cta || thread.clusterWaits > 0 ||
         (thread.vectorClock && thread.vectorClock->rows.count(other.number));
}
