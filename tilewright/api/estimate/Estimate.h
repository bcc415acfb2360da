// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Estimates what a launch costs on GPUs, without one: the PTX machine runs some of the blocks and
// counts, and the figures of each GPU turn the counts into time (docs/tuning.md).

#ifndef TILEWRIGHT_API_ESTIMATE_ESTIMATE_H
#define TILEWRIGHT_API_ESTIMATE_ESTIMATE_H

#include "tilewright/api/Array.h"
#include "tilewright/api/Entry.h"
#include "tilewright/runtime/Grid.h"

#include <atomic>

namespace tilewright::api {

struct EstimateOptions {
  /// A GPU like `sm_90a`; empty: `sm_90a`.
  std::string target = {};
  /// How many blocks to run, spread over the grid. 0: all.
  int64_t blocks = 4;
  /// As in CompileOptions.
  int64_t maxSteps = 0;
  /// Cancels the launch. Any thread or signal handler may set it at any time. May be null.
  const std::atomic<bool> *cancelled = nullptr;
};

/// The version of the document.
inline constexpr int64_t estimateVersion = 1;

struct KernelEstimate {
  /// The document; empty if it was cancelled.
  std::string json;
  bool isCancelled = false;
};

/// Runs the blocks without checks, and discards what they print. The arrays keep their values.
/// Fails if the options are invalid, the arguments do not match the parameters, the kernel cannot
/// be compiled for the target, or a block does not run to its end: for example, because it waits
/// for a block that does not run.
support::Result<KernelEstimate> estimateKernel(const Entry &entry, const runtime::Grid &grid,
                                               const std::vector<Argument> &arguments,
                                               const EstimateOptions &options = {});

} // namespace tilewright::api

#endif // TILEWRIGHT_API_ESTIMATE_ESTIMATE_H
