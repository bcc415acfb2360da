// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs tile blocks that wait for one another, on fewer threads than blocks. Each block runs on a
// fiber, and yields to the others whenever it spins, so that every block that has started makes
// progress (memory model, 1). Blocks start in ascending order. A thread starts more blocks only
// when all of its blocks wait, and then doubles their number, so that the work stays proportional
// to the number of blocks, whichever blocks wait for which.
//
// A kernel whose blocks wait for something that never happens never ends, as on any machine. But
// the number of live blocks is limited, also by memory. When the limit keeps the next block from
// starting and no block ends for `timeout`, the launch fails with an error.

#ifndef TILEWRIGHT_RUNTIME_WAITING_H
#define TILEWRIGHT_RUNTIME_WAITING_H

#include "tilewright/runtime/Kernel.h"
#include "tilewright/support/Result.h"

#include <atomic>
#include <chrono>
#include <mutex>

namespace tilewright::runtime {

struct WaitingLimits {
  /// The most live blocks at a time. This is more than any GPU holds, and two thirds of the
  /// mappings that Linux allows a process, at two for each stack.
  int64_t liveBlocks = 20000;
  /// How long to wait for a block to end when the limit is reached, before giving up.
  std::chrono::milliseconds timeout{30000};
};

/// The blocks [first, end) of a launch.
class WaitingBlocks {
public:
  WaitingBlocks(const twKernel &kernel, const twLaunch &launch, int64_t first, int64_t end,
                WaitingLimits limits, const std::atomic<bool> *cancelled = nullptr);

  /// Runs blocks, together with all other threads that call this, until no block is left to start
  /// and those that this thread has started have ended, or until `cancelled` is set.
  void work();

  /// Call after all threads have returned: why some blocks did not run to their end.
  support::Result<void> outcome() const;
  /// Call after all threads have returned: whether blocks were not started, or not resumed.
  bool wasCancelled() const { return isIncomplete; }

private:
  friend class WaitingWorker;
  friend struct LiveBlock;

  bool isCancelled() const { return cancelled && cancelled->load(std::memory_order_relaxed); }
  bool hasStartedAll() const { return next.load(std::memory_order_relaxed) >= end; }
  void fail(const std::string &why);
  void blockEnded();
  void failIfStuck();

  const twKernel &kernel;
  const twLaunch &launch;
  const int64_t end;
  const WaitingLimits limits;
  const std::atomic<bool> *const cancelled;

  std::atomic<int64_t> next;
  std::atomic<int64_t> live = 0;
  /// The threads at work, and those among them whose blocks all wait.
  std::atomic<int> workers = 0, stalled = 0;
  std::atomic<std::chrono::steady_clock::time_point> lastEnd;

  std::atomic<bool> hasFailed = false, isIncomplete = false;
  std::mutex mutex;
  std::string failure;
};

/// Lets other blocks run, if the caller is a block of WaitingBlocks; else other threads.
void yieldBlock();

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_WAITING_H
