// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How do tile blocks that wait for one another all end, on fewer threads than blocks? Each
// runs on a fiber, and whenever it spins it lets the others go on (memory model, 1: a block
// that has started keeps making progress). Blocks start in ascending order; a thread starts
// more of them only when all that it has started wait, twice as many each time, so that the
// work stays proportional to the number of blocks whoever waits for whom.
//
// A kernel whose blocks wait for what never happens never ends, as on any machine. But the
// blocks that have started and not ended are limited, by memory and by number; when the limit
// keeps the next from starting and none ends for long, the launch fails and says so.

#ifndef TILEWRIGHT_RUNTIME_WAITING_H
#define TILEWRIGHT_RUNTIME_WAITING_H

#include "tilewright/runtime/Kernel.h"
#include "tilewright/support/Result.h"

#include <atomic>
#include <chrono>
#include <mutex>

namespace tilewright::runtime {

struct WaitingLimits {
  /// Blocks that have started and not ended, at a time. More than any GPU holds; and two
  /// thirds of the mappings that Linux allows a process, at two for each stack.
  int64_t liveBlocks = 20000;
  /// For how long nothing may end when the limit is reached.
  std::chrono::milliseconds patience{30000};
};

/// The blocks [first, end) of a launch.
class WaitingBlocks {
public:
  WaitingBlocks(const twKernel &kernel, const twLaunch &launch, int64_t first, int64_t end,
                WaitingLimits limits, const std::atomic<bool> *cancelled = nullptr);

  /// Works on them, with all other threads that call this, until none is left to start and
  /// those that this thread has started have ended; or until `cancelled` is set.
  void work();

  /// After all threads have returned: why not all blocks ran to their end.
  support::Result<void> outcome() const;
  /// After all threads have returned: blocks were left out, or not resumed.
  bool wasCancelled() const { return isIncomplete; }

private:
  friend class WaitingWorker;
  friend struct LiveBlock;

  bool isCancelled() const { return cancelled && cancelled->load(std::memory_order_relaxed); }
  bool hasStartedAll() const { return next.load(std::memory_order_relaxed) >= end; }
  void fail(const std::string &why);
  void blockEnded();
  void giveUpIfHopeless();

  const twKernel &kernel;
  const twLaunch &launch;
  const int64_t end;
  const WaitingLimits limits;
  const std::atomic<bool> *const cancelled;

  std::atomic<int64_t> next;
  std::atomic<int64_t> live = 0;
  /// Threads that are at work, and those of them all of whose blocks wait.
  std::atomic<int> present = 0, stalled = 0;
  std::atomic<std::chrono::steady_clock::time_point> lastEnd;

  std::atomic<bool> hasFailed = false, isIncomplete = false;
  std::mutex mutex;
  std::string failure;
};

/// Lets other blocks go on, if the caller is one that runs in WaitingBlocks; else other
/// threads.
void yieldBlock();

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_WAITING_H
