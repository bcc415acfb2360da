// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports the findings of a launch on the reference machine: as text, which includes the schedules
// that the findings apply to, or as a machine-readable report::Report.

#ifndef TILEWRIGHT_TOOLS_LAUNCHREPORT_H
#define TILEWRIGHT_TOOLS_LAUNCHREPORT_H

#include "tilewright/reference/machine/Machine.h"
#include "tilewright/report/Report.h"

namespace tilewright::tools {

/// A launch and its result.
struct LaunchReport {
  llvm::StringRef file; ///< The name of the file with the kernel.
  llvm::StringRef text; ///< The contents of the file; empty for bytecode.
  llvm::StringRef kernel;
  const runtime::Grid &grid;
  const reference::LaunchOptions &options;
  const reference::LaunchResult &result;
  int exitStatus;
  /// The result of the exhaustive schedule; null for other schedules.
  const reference::ExhaustiveResult *exhaustive = nullptr;

  int64_t findingCount() const { return result.findings.size() + result.unlistedFindings; }
  /// Prints the findings with their source lines, in colours if `out` is a terminal.
  void print(llvm::raw_ostream &out) const;
  std::string toText() const;
  report::Report toReport() const;
};

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_LAUNCHREPORT_H
