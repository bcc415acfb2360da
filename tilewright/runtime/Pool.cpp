// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worker must not touch a run that has ended. The gate ensures that: one number that holds
// whether the run is open and how many workers are in it. A worker enters only while the gate is
// open; the caller closes it and returns only when no worker is inside. The data of a run is
// written before the gate opens, so that every worker that has entered sees it.

#include "tilewright/runtime/Pool.h"
#include "tilewright/runtime/Pause.h"
#include "tilewright/runtime/Sanitizers.h"
#include "tilewright/runtime/Threads.h"

#include <algorithm>
#include <pthread.h>
#include <signal.h>
#include <system_error>

using namespace tilewright::runtime;

/// About a tenth of a millisecond: longer than the pause between two launches of a program that
/// does little else, and too short for other processes to notice.
static constexpr int spinRounds = 2000;

//===-- The caller ----------------------------------------------------------------------------===//

static constexpr uint32_t open = 1, oneWorker = 2;

void Pool::runOn(int members, Task task) {
  if (members <= 1 || taken.exchange(true, std::memory_order_acquire))
    return task.call(task.work, 0);

  spawn(members - 1);
  this->task = task;
  this->members = members;
  annotateRelease(&gate);
  gate.store(open, std::memory_order_release);
  round.fetch_add(1, std::memory_order_release);
  round.notify_all();
  task.call(task.work, 0);
  close();
  taken.store(false, std::memory_order_release);
}

/// Closes the gate, and waits for the workers inside.
void Pool::close() {
  uint32_t inside = gate.fetch_and(~open, std::memory_order_acquire) & ~open;
  for (int i = spinLimit.load(std::memory_order_relaxed); inside && i > 0; --i) {
    pauseBriefly();
    inside = gate.load(std::memory_order_acquire);
  }
  while (inside) {
    gate.wait(inside, std::memory_order_acquire);
    inside = gate.load(std::memory_order_acquire);
  }
  annotateAcquire(&gate);
}

/// Starts workers until there are `count`; fewer, if the system has no more threads.
void Pool::spawn(int count) {
  if (int(workers.size()) >= count)
    return;
  // Workers block all signals, which the program's own threads handle, except for those that a
  // worker's own instructions raise: if one of these is blocked, the system ends the process
  // without calling a handler.
  sigset_t others, before;
  sigfillset(&others);
  for (int own : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGSYS})
    sigdelset(&others, own);
  pthread_sigmask(SIG_SETMASK, &others, &before);
  try {
    while (int(workers.size()) < count)
      workers.emplace_back([this, member = int(workers.size()) + 1] { workerLoop(member); });
  } catch (const std::system_error &) {
    // The existing workers do the work.
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  spinLimit = int(workers.size()) < availableThreads() ? spinRounds : 0;
}

//===-- A worker ------------------------------------------------------------------------------===//

void Pool::workerLoop(int member) {
  for (uint32_t seen = 0;;) {
    seen = nextRound(seen);
    if (!enter())
      continue;
    if (hasEnded)
      return exit();
    if (member < members)
      task.call(task.work, member);
    exit();
  }
}

/// Waits for a run that this worker has not seen yet.
uint32_t Pool::nextRound(uint32_t seen) const {
  for (int i = spinLimit.load(std::memory_order_relaxed); i > 0; --i) {
    uint32_t now = round.load(std::memory_order_acquire);
    if (now != seen)
      return now;
    pauseBriefly();
  }
  round.wait(seen, std::memory_order_acquire);
  return round.load(std::memory_order_acquire);
}

bool Pool::enter() {
  uint32_t now = gate.load(std::memory_order_relaxed);
  while (now & open)
    if (gate.compare_exchange_weak(now, now + oneWorker, std::memory_order_acquire,
                                   std::memory_order_relaxed)) {
      annotateAcquire(&gate);
      return true;
    }
  return false;
}

void Pool::exit() {
  annotateRelease(&gate);
  // After the gate was closed, the last worker wakes the caller, who may sleep.
  if (gate.fetch_sub(oneWorker, std::memory_order_release) == oneWorker)
    gate.notify_one();
}

//===-- Construction and destruction ----------------------------------------------------------===//

/// Never destroyed, because workers may use it while the process exits.
static std::atomic<Pool *> sharedPool = nullptr;

Pool &Pool::shared() {
  if (Pool *pool = sharedPool.load(std::memory_order_acquire))
    return *pool;
  // After a fork, the child has the pool's memory but none of its threads.
  static const int registered = pthread_atfork(nullptr, nullptr, [] { sharedPool.store(nullptr); });
  (void)registered;
  auto made = new Pool;
  Pool *found = nullptr;
  if (sharedPool.compare_exchange_strong(found, made, std::memory_order_acq_rel))
    return *made;
  delete made;
  return *found;
}

Pool::~Pool() {
  hasEnded = true;
  gate.store(open, std::memory_order_release);
  round.fetch_add(1, std::memory_order_release);
  round.notify_all();
  for (std::thread &worker : workers)
    worker.join();
}
