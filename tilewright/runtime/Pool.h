// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who helps with a launch? Threads that are kept from launch to launch. Waking one may take
// longer than a small kernel runs, so the caller never waits for help to arrive: it begins to
// work itself, and the run is over when the work is done and everybody who came has left. A
// worker that finds nothing to do looks out for the next run for a moment, then sleeps.

#ifndef TILEWRIGHT_RUNTIME_POOL_H
#define TILEWRIGHT_RUNTIME_POOL_H

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace tilewright::runtime {

class Pool {
public:
  /// The pool of this process. After a fork the child has one of its own.
  static Pool &shared();

  Pool() = default;
  /// Nobody may be in `run`.
  ~Pool();
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;

  /// Calls `work(member)` on this thread, as member 0, and maybe on workers, as members 1 to
  /// `members` - 1. Returns when all calls have. Work is to be shared out by `work` itself:
  /// workers may come late, more than once, or not at all, as when they are busy with the run
  /// of another thread, or of an outer call. `work` must not throw.
  template <typename Work> void run(int members, Work &work) {
    runOn(members, {[](void *work, int member) { (*static_cast<Work *>(work))(member); }, &work});
  }

private:
  struct Task {
    void (*call)(void *work, int member);
    void *work;
  };

  void runOn(int members, Task task);
  void hire(int workers);
  void serve(int member);
  uint32_t nextRound(uint32_t round) const;
  bool enter();
  void leave();
  void close();

  /// Somebody is in `run`, and has what follows to themselves.
  std::atomic<bool> taken = false;
  std::vector<std::thread> workers;
  Task task = {};
  int members = 0;
  bool hasEnded = false;
  /// How often to look before sleeping: not at all if there are more threads than processors.
  std::atomic<int> patience = 0;

  /// Counts the runs: the workers wait for it to change.
  alignas(64) std::atomic<uint32_t> round = 0;
  /// Whether workers may enter the run (the lowest bit), and twice the number of those in it.
  alignas(64) std::atomic<uint32_t> gate = 0;
};

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_POOL_H
