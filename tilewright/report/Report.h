// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine-readable reports of a run: a JSON object, or a log in the format SARIF 2.1.0, which code
// hosts and editors show beside the code. Both contain for each finding what happened, which rule
// was violated, and where: in the grid, in the tile, in memory and in the source. docs/reports.md
// describes the members.

#ifndef TILEWRIGHT_REPORT_REPORT_H
#define TILEWRIGHT_REPORT_REPORT_H

#include "tilewright/report/Finding.h"
#include "tilewright/support/Result.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"

namespace tilewright::report {

enum class ReportFormat { Text, Json, Sarif };

/// A report requested by a command line option.
struct ReportRequest {
  ReportFormat format;
  /// Empty for standard error, where the report replaces the text.
  std::string file;

  /// Parses `text`, `json` or `sarif`, optionally followed by `=FILE`.
  static support::Result<ReportRequest> parse(llvm::StringRef text);
};

/// A run and its results.
struct Report {
  llvm::StringRef file;       ///< The file that contains the program.
  llvm::ArrayRef<Rule> rules; ///< Each finding violates one of these.
  llvm::ArrayRef<Finding> findings;
  /// The number of findings that were counted but not listed.
  int64_t unlistedFindings = 0;
  int exitStatus = 0;
  /// Whether the run was not ended early, by an unsupported operation or the step limit.
  bool ranToItsEnd = true;
  /// How the program was run: additional members of the JSON object that are specific to the
  /// machine, and the properties of the run in SARIF.
  llvm::json::Object runAsJson = {}, runAsSarif = {};

  std::string toJson() const;
  /// Sarif.cpp.
  std::string toSarif() const;
};

/// A finding as an element of `findings`. `file` contains the program.
llvm::json::Object findingAsJson(const Finding &finding, llvm::StringRef file);

// Parts of a SARIF log (Sarif.cpp): the tool with its rules, a result, and the complete log.
llvm::json::Object toolAsSarif(llvm::ArrayRef<Rule> rules);
llvm::json::Object resultAsSarif(const Finding &finding, llvm::ArrayRef<Rule> rules,
                                 llvm::StringRef file);
std::string sarifLog(llvm::json::Array runs);

} // namespace tilewright::report

#endif // TILEWRIGHT_REPORT_REPORT_H
