// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares two versions of a kernel that ran on the same arguments: results, findings, costs by
// source line, and totals.

#ifndef TILEWRIGHT_API_EXPLORE_COMPARE_H
#define TILEWRIGHT_API_EXPLORE_COMPARE_H

#include "tilewright/api/Options.h"
#include "tilewright/api/explore/Program.h"
#include "tilewright/api/explore/Results.h"

namespace tilewright::api {

/// A version of a kernel.
struct ExploredVersion {
  /// The members refer to its strings.
  std::unique_ptr<ExploredProgram> program;
  /// Of its document.
  llvm::json::Object members;
  /// Of the launch on the reference machine. If it was cancelled, there is nothing else.
  Outcome outcome;
  std::vector<ArrayResult> results;
};

/// `compare` of the document of the version `after`. Takes the members of the other document.
llvm::json::Object comparisonOf(ExploredVersion &before, const ExploredVersion &after);

} // namespace tilewright::api

#endif // TILEWRIGHT_API_EXPLORE_COMPARE_H
