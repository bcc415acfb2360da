// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are the findings of a launch on the reference machine reported? To people as lines, with
// what they hold for; to programs as a report::Report.

#ifndef TILEWRIGHT_TOOLS_LAUNCHREPORT_H
#define TILEWRIGHT_TOOLS_LAUNCHREPORT_H

#include "tilewright/reference/machine/Machine.h"
#include "tilewright/report/Report.h"

namespace tilewright::tools {

/// A launch, and what came of it.
struct LaunchReport {
  llvm::StringRef file; ///< That holds the kernel.
  llvm::StringRef text; ///< What it holds; empty for bytecode.
  llvm::StringRef kernel;
  const runtime::Grid &grid;
  const reference::LaunchOptions &options;
  const reference::LaunchResult &result;
  int exitStatus;
  /// Of the exhaustive schedule; else null.
  const reference::ExhaustiveResult *exhaustive = nullptr;

  int64_t findingCount() const { return result.findings.size() + result.unlistedFindings; }
  /// With source lines, in colours if `out` is a terminal.
  void print(llvm::raw_ostream &out) const;
  std::string toText() const;
  report::Report toReport() const;
};

} // namespace tilewright::tools

#endif // TILEWRIGHT_TOOLS_LAUNCHREPORT_H
