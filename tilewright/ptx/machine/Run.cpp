// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The schedule: CTAs begin in order, as many at a time as fit, and their threads take turns.

#include "tilewright/ptx/machine/Apart.h"
#include "tilewright/ptx/machine/Mbarrier.h"
#include "tilewright/ptx/machine/Meet.h"
#include "tilewright/ptx/machine/Stuck.h"
#include "tilewright/ptx/machine/Turn.h"

#include <algorithm>

using namespace tilewright::ptx;

/// Of threads at a time, as on a large device; and about how much memory they may take.
static constexpr uint64_t mostThreads = 32768, mostThreadBytes = uint64_t(1) << 30;

/// How many CTAs may be there at a time; at least one cluster.
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
  /// For the CTAs from `first` to `end`.
  Scheduler(Machine &machine, uint64_t first, uint64_t end)
      : machine(machine), schedule(machine.schedule), isGradual(mayCancelClusters(machine.program)),
        mostCtas(capacityOf(machine)) {
    machine.nextCta = first;
    machine.endCta = end;
  }

  void run();

private:
  /// Lets clusters begin, as many as fit.
  void fill();
  /// The next cluster begins. False if there is none, or no room for it.
  bool beginCluster();
  /// In a kernel that may cancel clusters, when nobody can go on: others may wait for those that
  /// begin. As many as there are, so that a wait without end costs few sweeps.
  bool beginMore();
  /// Where kernels may cancel clusters, those begin bit by bit: does one now?
  bool beginsNow();
  /// Gives turns to threads that are ready; false if there is none.
  bool sweep();
  bool turnOfWarp(Warp &warp);
  bool turnOfThread(Thread &thread, uint32_t quantum);
  /// Asynchronous operations, as the schedule has them.
  void performSome();
  /// What can go on although no thread is ready; false if nothing can.
  bool goOn();
  bool isOver() const {
    return machine.isStopped || machine.steps >= schedule.stepLimit ||
           (machine.apart && machine.apart->haveTalked->load(std::memory_order_relaxed));
  }
  uint64_t draw(uint64_t count) { return machine.random() % count; }

  Machine &machine;
  const Schedule &schedule;
  Ctas ctas;
  bool isGradual;
  size_t mostCtas;
  /// What has to happen at some time does after so many sweeps.
  static constexpr uint64_t patience = 16;
  uint64_t sweeps = 0;
  /// The events at the last time that waits ended without success, and how often there were none
  /// since.
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

bool Scheduler::beginMore() {
  const size_t before = ctas.size();
  while (ctas.size() < 2 * before && beginCluster())
    ;
  return ctas.size() > before;
}

/// Up: one cluster after the other, unless it takes long; down: all at once; at random, in between.
bool Scheduler::beginsNow() {
  if (schedule.order == Order::Up)
    return ++sweeps % patience == 0;
  return schedule.order == Order::Down || draw(4) == 0;
}

bool Scheduler::turnOfThread(Thread &thread, uint32_t quantum) {
  if (thread.state != State::Ready)
    return false;
  const uint64_t left = schedule.stepLimit - machine.steps;
  runThread(thread, uint32_t(std::min<uint64_t>(quantum, left)));
  return true;
}

bool Scheduler::turnOfWarp(Warp &warp) {
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
    ran |= turnOfThread(*warp.threads[lane], quantum);
  }
  if (!isOver())
    settle(warp);
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
    for (size_t turn = 0; turn < warps && !isOver(); ++turn) {
      size_t warp = (start + turn) % warps;
      if (schedule.order == Order::Down)
        warp = warps - 1 - warp;
      ran |= turnOfWarp(cta.warps[warp]);
      if (isRandom && !machine.agenda.isEmpty() && draw(8) == 0)
        machine.agenda.perform(draw(machine.agenda.size()));
    }
  }
  performSome();
  std::erase_if(ctas, [](const auto &cta) {
    return cta->cluster->aliveThreads == 0 && cta->cluster->onTheWay == 0;
  });
  return ran;
}

void Scheduler::performSome() {
  Agenda &agenda = machine.agenda;
  if (schedule.order == Order::Up)
    while (!agenda.isEmpty() && !isOver())
      agenda.perform(0);
  // Threads may ask again and again for what only an asynchronous operation will bring.
  if (schedule.order == Order::Down && !agenda.isEmpty() && ++sweeps % patience == 0 && !isOver())
    agenda.perform(agenda.size() - 1);
}

/// Waits that have waited for long enough end without success (PTX ISA, mbarrier.try_wait). If that
/// happened again and again, and nothing else did, it will be so for ever.
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

bool Scheduler::goOn() {
  Agenda &agenda = machine.agenda;
  if (!agenda.isEmpty()) {
    agenda.perform(schedule.order == Order::Random ? draw(agenda.size()) : agenda.size() - 1);
    return true;
  }
  if (isGradual && beginMore())
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
    if (!sweep() && !ctas.empty() && !isOver() && !isAnyReady(ctas) && !goOn()) {
      reportDeadlock(machine, ctas);
      machine.isStopped = true;
      return;
    }
    fill();
  }
  if (!machine.isStopped && machine.steps >= schedule.stepLimit) {
    reportStepLimit(machine, ctas);
    machine.isStopped = true;
  }
}

void tilewright::ptx::runCtas(Machine &machine, uint64_t first, uint64_t end) {
  Scheduler(machine, first, end).run();
}

/// The barrier of a grid needs memory, which the CUDA runtime would give it.
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
  const bool hasSeveral = machine.ctaCount() > machine.clusterSize();
  const ApartResult result =
      hasSeveral && mayRunApart(machine.program) ? runApart(machine) : ApartResult::Together;
  if (result == ApartResult::InTurn)
    runInTurn(machine);
  else if (result == ApartResult::Together)
    runCtas(machine, 0, machine.ctaCount());
}
