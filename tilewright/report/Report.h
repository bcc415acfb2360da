// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What did a run find, for programs to read? One JSON object, or a log in the format SARIF 2.1.0,
// which code hosts and editors show beside the code. Both say the same of a finding: what
// happened, which rule it breaks, and where: in the grid, in the tile, in memory and in the
// source. docs/reports.md describes their members.

#ifndef TILEWRIGHT_REPORT_REPORT_H
#define TILEWRIGHT_REPORT_REPORT_H

#include "tilewright/report/Finding.h"
#include "tilewright/support/Result.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"

namespace tilewright::report {

enum class ReportFormat { Text, Json, Sarif };

/// A report that an option asks for.
struct ReportRequest {
  ReportFormat format;
  /// Empty: on standard error, in place of the text.
  std::string file;

  /// `text`, `json` or `sarif`, and perhaps `=FILE`.
  static support::Result<ReportRequest> parse(llvm::StringRef text);
};

/// A run, and what came of it.
struct Report {
  llvm::StringRef file;       ///< That holds the program.
  llvm::ArrayRef<Rule> rules; ///< Each finding breaks one of these.
  llvm::ArrayRef<Finding> findings;
  /// Findings that were counted, but are not listed.
  int64_t unlistedFindings = 0;
  int exitStatus = 0;
  /// The run was not ended by an operation that is not supported, or by the step limit.
  bool ranToItsEnd = true;
  /// How the program was run: the members of the JSON object that only this machine has, and
  /// the properties of the run in SARIF.
  llvm::json::Object runAsJson = {}, runAsSarif = {};

  std::string toJson() const;
  /// Sarif.cpp.
  std::string toSarif() const;
};

/// A finding as a member of `findings`. `file` holds the program.
llvm::json::Object findingAsJson(const Finding &finding, llvm::StringRef file);

// Parts of a log in SARIF (Sarif.cpp): the tool with its rules, a result, and the whole.
llvm::json::Object toolAsSarif(llvm::ArrayRef<Rule> rules);
llvm::json::Object resultAsSarif(const Finding &finding, llvm::ArrayRef<Rule> rules,
                                 llvm::StringRef file);
std::string sarifLog(llvm::json::Array runs);

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_REPORT_H
