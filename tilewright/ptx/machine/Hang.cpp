// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Hang.h.

#include "tilewright/ptx/machine/Hang.h"
#include "tilewright/ptx/async/RegisterCounts.h"
#include "tilewright/ptx/machine/Mbarrier.h"
#include "tilewright/ptx/machine/TensorMemory.h"

using namespace tilewright::ptx;

static constexpr size_t mostRelated = 8;

static std::string describeWaitOf(const Thread &thread) {
  if (thread.state == State::AtBarrier) {
    const Barrier &barrier = thread.cta->barriers[thread.waitBarrier];
    const uint32_t expected = barrier.expected ? barrier.expected : thread.cta->aliveThreads;
    return "at barrier " + std::to_string(thread.waitBarrier) + ", where " +
           std::to_string(barrier.arrived) + " of " + std::to_string(expected) +
           " threads have arrived";
  }
  switch (thread.state) {
  case State::AtClusterBarrier: {
    const Cluster &cluster = *thread.cta->cluster;
    return "at the barrier of the cluster, where " + std::to_string(cluster.barrier.arrived) +
           " of " + std::to_string(cluster.aliveThreads) + " threads have arrived";
  }
  case State::AtMbarrier:
    return describeWait(thread);
  case State::InWarpgroup:
    return "for the other warps of its warpgroup";
  case State::AtRegisters:
    return describeRegisterWait(thread);
  case State::AtTensorColumns:
    return describeColumnWait(thread);
  default:
    return "for other lanes of its mask";
  }
}

/// How well the wait of a thread explains what is missing.
static int priorityOf(const Thread &thread) {
  const bool isForResource =
      thread.state == State::AtRegisters || thread.state == State::AtTensorColumns;
  return isForResource ? 2 : thread.state == State::AtMbarrier ? 1 : 0;
}

void tilewright::ptx::reportDeadlock(Machine &machine, const Ctas &ctas) {
  const Thread *first = nullptr;
  std::map<Site, std::pair<const Thread *, uint64_t>> waiting;
  bool isDivergent = false;
  for (const auto &cta : ctas)
    for (const auto &thread : cta->threads) {
      if (thread->state == State::Exited)
        continue;
      if (!first || priorityOf(*thread) > priorityOf(*first))
        first = thread.get();
      auto &[example, count] = waiting[thread->site(*thread->waitOp)];
      example = example ? example : thread.get();
      ++count;
      // Do lanes of one warp wait in different places, one of them at a barrier?
      for (const Thread *other : thread->warp->threads)
        isDivergent |= thread->state == State::AtBarrier && other->state != State::Exited &&
                       other->waitOp != thread->waitOp;
    }
  if (!first)
    return;
  std::vector<RelatedSite> related;
  for (const auto &[site, entry] : waiting)
    if (site != first->site(*first->waitOp) && related.size() < mostRelated)
      related.push_back({site, std::to_string(entry.second) + " threads wait here, thread " +
                                   std::to_string(entry.first->number) + " " +
                                   describeWaitOf(*entry.first)});
  const uint64_t here = waiting[first->site(*first->waitOp)].second;
  machine.report(isDivergent ? Check::DivergentBarrier : Check::Deadlock, *first, *first->waitOp,
                 "no thread can go on: " + std::to_string(here) + " wait here, this one " +
                     describeWaitOf(*first),
                 std::move(related));
}

/// The thread that has executed most: it probably polls for something that never happens.
static const Thread *busiest(const Ctas &ctas) {
  const Thread *most = nullptr;
  for (const auto &cta : ctas)
    for (const auto &thread : cta->threads)
      if (thread->state != State::Exited && (!most || thread->steps > most->steps))
        most = thread.get();
  return most;
}

static Site placeOf(const Thread &thread) { return thread.site(thread.code->ops[thread.pc]); }

/// The positions of all remaining threads except those at `here`.
static std::vector<RelatedSite> sitesExcept(Site here, const Ctas &ctas) {
  std::map<Site, std::pair<const Thread *, uint64_t>> places;
  for (const auto &cta : ctas)
    for (const auto &thread : cta->threads)
      if (thread->state != State::Exited && placeOf(*thread) != here) {
        auto &[example, count] = places[placeOf(*thread)];
        example = example ? example : thread.get();
        ++count;
      }
  std::vector<RelatedSite> related;
  for (const auto &[site, entry] : places) {
    const auto &[thread, count] = entry;
    if (related.size() < mostRelated)
      related.push_back({site, std::to_string(count) + " threads are here, one is thread " +
                                   std::to_string(thread->number) + " of " +
                                   thread->machine->nameOf(thread->cta->name())});
  }
  return related;
}

void tilewright::ptx::reportStepLimit(Machine &machine, const Ctas &ctas) {
  const Thread *thread = busiest(ctas);
  if (!thread)
    return;
  machine.report(Check::StepLimit, *thread, thread->code->ops[thread->pc],
                 "the threads have executed " + std::to_string(machine.steps) + " instructions, " +
                     std::to_string(thread->steps) + " of them this one, and have not ended",
                 sitesExcept(placeOf(*thread), ctas));
}
