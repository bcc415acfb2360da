// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a compiled kernel over a grid. Each thread of the pool has a range of the blocks, and steals
// from others when it has none left (WorkQueue.h). The caller is one of the threads and starts at
// once. A launch yields text, in the order of the blocks, and the assertions that failed. It
// allocates no memory once a thread has run a kernel that needs as large an arena.

#ifndef TILEWRIGHT_RUNTIME_LAUNCH_H
#define TILEWRIGHT_RUNTIME_LAUNCH_H

#include "tilewright/runtime/Grid.h"
#include "tilewright/runtime/Kernel.h"
#include "tilewright/runtime/LaunchResult.h"
#include "tilewright/runtime/Print.h"
#include "tilewright/runtime/Waiting.h"
#include "tilewright/support/Result.h"

#include <atomic>
#include <span>

namespace tilewright::runtime {

struct LaunchOptions {
  /// Including the caller. 0: TILEWRIGHT_THREADS as it was at the first launch, else as many as can
  /// run at a time (Threads.h).
  int threads = 0;
  /// Receives what the kernel prints, from one thread at a time; null: standard output.
  const TextSink *output = nullptr;
  /// For kernels whose blocks wait for one another.
  WaitingLimits waiting = {};
  /// Cancels the launch when set. Any thread or signal handler may set it, at any time. Running
  /// blocks go on until they end or wait for others; no more blocks start. May be null.
  const std::atomic<bool> *cancelled = nullptr;
};

/// Runs the kernel over the grid. Fails if the kernel cannot run, or cannot run to its end. Any
/// thread may launch at any time, also while it receives the text of another launch. But the
/// workers help with only one launch at a time; another one runs on its caller's thread alone.
support::Result<LaunchResult> launch(const twKernel &kernel, const Grid &grid,
                                     std::span<const uint64_t> parameters,
                                     const LaunchOptions &options = {});

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_LAUNCH_H
