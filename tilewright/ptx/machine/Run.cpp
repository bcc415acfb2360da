// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The thread schedule: CTAs start in order, as many at a time as fit; their threads run in time
// slices.

#include "tilewright/ptx/machine/Hang.h"
#include "tilewright/ptx/machine/Mbarrier.h"
#include "tilewright/ptx/machine/ParallelCtas.h"
#include "tilewright/ptx/machine/Rendezvous.h"
#include "tilewright/ptx/machine/TimeSlice.h"

#include <algorithm>

using namespace tilewright::ptx;

/// Maximum number of threads at a time, as on a large device, and their approximate memory use.
static constexpr uint64_t mostThreads = 32768, mostThreadBytes = uint64_t(1) << 30;

/// Maximum number of CTAs at a time; at least one cluster.
static size_t capacityOf(const Machine &machine) {
  const auto &block = machine.launch.block;
  const uint64_t threads = uint64_t(block[0]) * block[1] * block[2];
  const Code &code = machine.program.code();
  const uint64_t bytes = sizeof(Thread) + 9 * code.values.size() + firstOffset + code.localBytes;
  return std::max<uint64_t>(machine.clusterSize(),
                            std::min(mostThreads, mostThreadBytes / bytes) / threads);
}

namespace {
class Scheduler {
public:
  /// Runs the CTAs from `first` to `end`.
  Scheduler(Machine &machine, uint64_t first, uint64_t end)
      : machine(machine), schedule(machine.schedule), isGradual(mayCancelClusters(machine.program)),
        mostCtas(capacityOf(machine)) {
    machine.nextCta = first;
    machine.endCta = end;
  }

  void run();

private:
  /// Starts as many clusters as fit.
  void fill();
  /// Starts the next cluster. False if there is none, or no room for it.
  bool beginCluster();
  /// For a kernel that may cancel clusters, when no thread can run: starts more clusters, which
  /// others may be waiting for. Doubles their number, so that a wait without end costs few sweeps.
  bool beginMoreClusters();
  /// For a kernel that may cancel clusters: does the next one begin now?
  bool beginsNow();
  /// Gives each ready thread a time slice; false if there is none.
  bool sweep();
  bool runWarp(Warp &warp);
  bool runThread(Thread &thread, uint32_t quantum);
  /// Runs pending asynchronous operations as the schedule requires.
  void runPendingEvents();
  /// Makes progress when no thread is ready; false if nothing is possible.
  bool makeProgress();
  bool isOver() const {
    return machine.isStopped || machine.isCancelled() || machine.steps >= schedule.stepLimit ||
           (machine.parallel &&
            machine.parallel->haveCommunicated->load(std::memory_order_relaxed));
  }
  uint64_t draw(uint64_t count) { return machine.random() % count; }

  Machine &machine;
  const Schedule &schedule;
  Ctas ctas;
  bool isGradual;
  size_t mostCtas;
  /// Number of sweeps after which a postponed event happens at the latest.
  static constexpr uint64_t mostPostponedSweeps = 16;
  uint64_t sweeps = 0;
  /// The number of events at the last timeout of waits, and how many timeouts followed without a
  /// new event.
  uint64_t eventsAtTimeout = 0;
  unsigned timeouts = 0;
};
} // namespace

bool Scheduler::beginCluster() {
  if (ctas.size() + machine.clusterSize() > mostCtas)
    return false;
  const auto first = machine.takeCluster();
  if (first)
    makeCluster(machine, *first, ctas);
  return first.has_value();
}

void Scheduler::fill() {
  while ((ctas.empty() || !isGradual || beginsNow()) && beginCluster())
    ;
}

bool Scheduler::beginMoreClusters() {
  const size_t before = ctas.size();
  while (ctas.size() < 2 * before && beginCluster())
    ;
  return ctas.size() > before;
}

/// `up` starts one cluster after the other, unless that takes long; `down` starts all at once; a
/// random schedule is in between.
bool Scheduler::beginsNow() {
  if (schedule.order == Order::Up)
    return ++sweeps % mostPostponedSweeps == 0;
  return schedule.order == Order::Down || draw(4) == 0;
}

bool Scheduler::runThread(Thread &thread, uint32_t quantum) {
  if (thread.state != State::Ready)
    return false;
  const uint64_t left = schedule.stepLimit - machine.steps;
  runTimeSlice(thread, uint32_t(std::min<uint64_t>(quantum, left)));
  return true;
}

bool Scheduler::runWarp(Warp &warp) {
  bool ran = false;
  const size_t count = warp.threads.size();
  const size_t start = schedule.order == Order::Random ? draw(count) : 0;
  for (size_t step = 0; step < count && !isOver(); ++step) {
    size_t lane = (start + step) % count;
    if (schedule.order == Order::Down)
      lane = count - 1 - lane;
    const bool isRandom = schedule.order == Order::Random;
    const uint32_t most = schedule.quantum ? schedule.quantum : isRandom ? 64 : 4096;
    const uint32_t quantum = isRandom ? uint32_t(1 + draw(most)) : most;
    ran |= runThread(*warp.threads[lane], quantum);
  }
  if (!isOver())
    releaseActivemask(warp);
  return ran;
}

bool Scheduler::sweep() {
  bool ran = false;
  const bool isRandom = schedule.order == Order::Random;
  for (size_t step = 0, count = ctas.size(); step < count && !isOver(); ++step) {
    size_t number = schedule.order == Order::Down ? count - 1 - step : step;
    if (isRandom)
      number = draw(count);
    Cta &cta = *ctas[number];
    const size_t warps = cta.warps.size();
    const size_t start = isRandom ? draw(warps) : 0;
    for (size_t index = 0; index < warps && !isOver(); ++index) {
      size_t warp = (start + index) % warps;
      if (schedule.order == Order::Down)
        warp = warps - 1 - warp;
      ran |= runWarp(cta.warps[warp]);
      if (isRandom && !machine.eventQueue.isEmpty() && draw(8) == 0)
        machine.eventQueue.run(draw(machine.eventQueue.size()));
    }
  }
  runPendingEvents();
  std::erase_if(ctas, [](const auto &cta) {
    return cta->cluster->aliveThreads == 0 && cta->cluster->inFlight == 0;
  });
  return ran;
}

void Scheduler::runPendingEvents() {
  EventQueue &eventQueue = machine.eventQueue;
  if (schedule.order == Order::Up)
    while (!eventQueue.isEmpty() && !isOver())
      eventQueue.run(0);
  // A thread may poll for something that only an asynchronous operation will write.
  if (schedule.order == Order::Down && !eventQueue.isEmpty() &&
      ++sweeps % mostPostponedSweeps == 0 && !isOver())
    eventQueue.run(eventQueue.size() - 1);
}

/// A wait for an mbarrier may time out (PTX ISA, mbarrier.try_wait). After this many timeouts
/// without any other event, the machine reports a deadlock.
static constexpr unsigned mostTimeouts = 8;

static bool timeOut(const Ctas &ctas) {
  bool isAny = false;
  for (const auto &cta : ctas)
    for (const auto &thread : cta->threads)
      if (thread->state == State::AtMbarrier) {
        isAny = thread->isTimedOut = true;
        thread->state = State::Ready;
        std::erase(thread->waitRegion->mbarriers.at(thread->waitOffset)->waiting, thread.get());
      }
  return isAny;
}

bool Scheduler::makeProgress() {
  EventQueue &eventQueue = machine.eventQueue;
  if (!eventQueue.isEmpty()) {
    eventQueue.run(schedule.order == Order::Random ? draw(eventQueue.size())
                                                   : eventQueue.size() - 1);
    return true;
  }
  if (isGradual && beginMoreClusters())
    return true;
  if (machine.events != eventsAtTimeout)
    timeouts = 0;
  eventsAtTimeout = machine.events;
  return ++timeouts <= mostTimeouts && timeOut(ctas);
}

static bool isAnyReady(const Ctas &ctas) {
  for (const auto &cta : ctas)
    for (const auto &thread : cta->threads)
      if (thread->state == State::Ready || thread->state == State::AtActivemask)
        return true;
  return false;
}

void Scheduler::run() {
  fill();
  while (!ctas.empty() && !isOver()) {
    if (!sweep() && !ctas.empty() && !isOver() && !isAnyReady(ctas) && !makeProgress()) {
      reportDeadlock(machine, ctas);
      machine.isStopped = true;
      return;
    }
    fill();
  }
  machine.isStopped |= machine.isCancelled();
  if (!machine.isStopped && machine.steps >= schedule.stepLimit) {
    reportStepLimit(machine, ctas);
    machine.isStopped = true;
  }
}

void tilewright::ptx::runCtas(Machine &machine, uint64_t first, uint64_t end) {
  Scheduler(machine, first, end).run();
}

/// Allocates the workspace of the grid barrier, which the CUDA runtime provides on a device.
static void makeGridWorkspace(Machine &machine) {
  for (const Code &code : machine.program.codes)
    for (const auto &[slot, special] : code.specials)
      if (special == Special::GridWorkspaceLow && !machine.gridWorkspace) {
        Region &workspace = machine.memory.allocate("the barrier of the grid", Space::Global, 64);
        workspace.defineAll();
        machine.gridWorkspace = workspace.base;
      }
}

void tilewright::ptx::execute(Machine &machine) {
  makeGridWorkspace(machine);
  for (uint64_t cluster : machine.sample)
    if (!machine.isStopped)
      runCtas(machine, cluster * machine.clusterSize(), (cluster + 1) * machine.clusterSize());
  if (!machine.sample.empty())
    return;
  const bool hasSeveral = machine.ctaCount() > machine.clusterSize();
  const ParallelResult result = hasSeveral && canRunInParallel(machine.program)
                                    ? runInParallel(machine)
                                    : ParallelResult::Interleaved;
  if (result == ParallelResult::Sequential)
    runSequentially(machine);
  else if (result == ParallelResult::Interleaved)
    runCtas(machine, 0, machine.ctaCount());
}
