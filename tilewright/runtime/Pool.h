// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread pool for launches. Waking a worker may take longer than a small kernel runs, so the
// caller does not wait until workers are awake: it starts to work itself. Workers that wake up
// before the work is done join the run; it ends when the caller and all workers in it have
// returned. An idle worker spins briefly, in case another run follows, then sleeps.

#ifndef TILEWRIGHT_RUNTIME_POOL_H
#define TILEWRIGHT_RUNTIME_POOL_H

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace tilewright::runtime {

class Pool {
public:
  /// The pool of this process. After a fork, the child gets a new one.
  static Pool &shared();

  Pool() = default;
  /// No thread may be in `run`.
  ~Pool();
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;

  /// Calls `work(member)` on this thread as member 0, and possibly on workers as members 1 to
  /// `members` - 1. Returns when all calls have returned. `work` must distribute the work itself,
  /// because a worker may call it late, more than once, or not at all. For example, workers help
  /// with one run at a time: if another thread is in `run`, or this is a call from inside `work`,
  /// the caller works alone. `work` must not throw.
  template <typename Work> void run(int members, Work &work) {
    runOn(members, {[](void *work, int member) { (*static_cast<Work *>(work))(member); }, &work});
  }

private:
  struct Task {
    void (*call)(void *work, int member);
    void *work;
  };

  void runOn(int members, Task task);
  void spawn(int workers);
  void workerLoop(int member);
  uint32_t nextRound(uint32_t round) const;
  bool enter();
  void exit();
  void close();

  /// A lock, held by the thread in `run`; guards the members below.
  std::atomic<bool> taken = false;
  std::vector<std::thread> workers;
  Task task = {};
  int members = 0;
  bool hasEnded = false;
  /// How often a waiting thread polls before it sleeps; 0 if there are more threads than
  /// processors.
  std::atomic<int> spinLimit = 0;

  /// The number of runs so far; workers wait for it to change.
  alignas(64) std::atomic<uint32_t> round = 0;
  /// Lowest bit: whether workers may enter the run. Other bits: the number of workers in it.
  alignas(64) std::atomic<uint32_t> gate = 0;
};

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_POOL_H
