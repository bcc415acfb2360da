// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of a Report: the findings, and the operation counts of each kernel.

#ifndef TILEWRIGHT_API_REPORTSTATE_H
#define TILEWRIGHT_API_REPORTSTATE_H

#include "tilewright/reference/machine/Checks.h"
#include "tilewright/report/CoverageReport.h"
#include "tilewright/report/ProcessReport.h"
#include "tilewright/tile/Ops.h"

#include <memory>
#include <mutex>

namespace tilewright::api {

struct KernelState;

struct KernelCoverage {
  /// Keeps the operations alive that `counts` refers to.
  std::shared_ptr<const KernelState> kernel;
  std::string name, file;
  tile::EntryOp entry;
  report::OperationCounts counts;
};

struct ReportState {
  explicit ReportState(bool hasCoverage) : hasCoverage(hasCoverage) {}

  const bool hasCoverage;
  std::mutex mutex;
  report::ProcessReport findings{reference::rules()};
  llvm::MapVector<const KernelState *, KernelCoverage> coverage;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_REPORTSTATE_H
