// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The findings of all launches in a process, and which operations of their kernels ran. A Report
// collects them from the launches on the reference machine whose options name it.

#ifndef TILEWRIGHT_API_REPORT_H
#define TILEWRIGHT_API_REPORT_H

#include "tilewright/support/Result.h"

#include <memory>
#include <string>
#include <string_view>

namespace tilewright::api {

enum class ReportForm { Json, Sarif, CoverageText, CoverageJson, CoverageLcov };

struct ReportOptions {
  /// Count how often each operation runs.
  bool coverage = false;
};

/// Copies share the report. Any thread may use it at any time.
class Report {
public:
  explicit Report(const ReportOptions &options = {});

  bool hasCoverage() const;

  /// The number of listed findings, all distinct.
  size_t findingCount() const;

  /// The report in a form that docs/reports.md describes. `others` is empty, or a text of this form
  /// from other processes, which is kept, except what this process wrote before (as JSON or SARIF).
  /// Fails if `others` is not a text of this form.
  support::Result<std::string> toText(ReportForm form, std::string_view others = {}) const;

private:
  friend class Executable;
  std::shared_ptr<struct ReportState> state;
};

} // namespace tilewright::api

#endif // TILEWRIGHT_API_REPORT_H
