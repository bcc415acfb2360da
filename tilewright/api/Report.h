// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What did all launches of a process find, and what of their kernels never ran? A Report collects
// it from launches on the reference machine that are told to add to it.

#ifndef TILEWRIGHT_API_REPORT_H
#define TILEWRIGHT_API_REPORT_H

#include "tilewright/support/Result.h"

#include <memory>
#include <string>
#include <string_view>

namespace tilewright::api {

enum class ReportForm { Json, Sarif, CoverageText, CoverageJson, CoverageLcov };

struct ReportOptions {
  /// Count the operations that run.
  bool coverage = false;
};

/// Copies share the report. Any thread may use it at any time.
class Report {
public:
  explicit Report(const ReportOptions &options = {});

  bool hasCoverage() const;

  /// How many different findings are listed.
  size_t findingCount() const;

  /// As docs/reports.md describes it. `others` is what other processes wrote in this form, or
  /// empty; the text keeps it, but for what this process wrote itself before (as JSON or SARIF).
  /// Fails if that is no such text.
  support::Result<std::string> toText(ReportForm form, std::string_view others = {}) const;

private:
  friend class Executable;
  std::shared_ptr<struct ReportState> state;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_REPORT_H
