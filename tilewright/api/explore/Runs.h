// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches an explored kernel on the reference machine and on the PTX machine. The kernel's output
// is discarded, and the arrays get their contents back.

#ifndef TILEWRIGHT_API_EXPLORE_RUNS_H
#define TILEWRIGHT_API_EXPLORE_RUNS_H

#include "tilewright/api/devices/PtxEntry.h"
#include "tilewright/api/devices/ReferenceRun.h"
#include "tilewright/api/explore/Program.h"
#include "tilewright/api/explore/Results.h"
#include "tilewright/report/CoverageReport.h"

namespace tilewright::api {

/// A launch of an entry.
struct ExploredLaunch {
  const ExploredProgram &program;
  const runtime::Grid &grid;
  /// They match the parameters.
  const std::vector<Argument> &arguments;
  /// Of each machine.
  int64_t maxSteps;
  const std::atomic<bool> *cancelled;
  /// Whether to keep what the launch leaves in the arrays.
  bool keepsResults;
};

struct ReferenceOutcome {
  reference::LaunchResult result;
  /// Whether all tile blocks ran to their ends.
  bool isComplete;
  report::OperationCounts counts;
  /// Members of the document.
  llvm::json::Array arrays, views, trace;
  int64_t unlistedTrace;
  /// If the launch keeps them.
  std::vector<ArrayResult> results;
};
support::Result<ReferenceOutcome> runOnReference(const ExploredLaunch &launch);

struct PtxOutcome {
  PtxRunResult result;
  bool isComplete = false;
  /// As `--counters` writes them.
  llvm::json::Object counters;
};
support::Result<PtxOutcome> runOnPtx(const ExploredLaunch &launch, const nvidia::Target &target);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_RUNS_H
