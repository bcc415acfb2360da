// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How does a compiled kernel run over a grid? Each thread of the pool has a share of the blocks,
// and takes from others when it has none left (Shares.h); the caller is one of them and starts at
// once. What comes out: text, in the order of the blocks, and the assertions that failed. Once a
// thread has seen a kernel as large, a launch allocates no memory.

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
  /// Including the caller; 0: TILEWRIGHT_THREADS as it was at the first launch, else as many
  /// as can run at a time (Threads.h).
  int threads = 0;
  /// Takes what the kernel prints, from one thread at a time; null: standard output.
  const TextSink *output = nullptr;
  /// For kernels whose blocks wait for one another.
  WaitingLimits waiting = {};
  /// Any thread or signal handler may set it, at any time: the launch then ends soon. Blocks that
  /// run go on to their end, or until they wait for others; no more blocks start. May be null.
  const std::atomic<bool> *cancelled = nullptr;
};

/// Runs the kernel over the grid. Fails if it cannot run, or not to its end. Any thread may
/// launch at any time, also while it takes the text of another launch; but the workers help
/// with one launch at a time, and another one runs on its caller's thread alone.
support::Result<LaunchResult> launch(const twKernel &kernel, const Grid &grid,
                                     std::span<const uint64_t> parameters,
                                     const LaunchOptions &options = {});

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_LAUNCH_H
