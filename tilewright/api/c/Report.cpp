// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// twReport: the findings of all launches in a process.

#include "tilewright/api/c/Common.h"

using namespace tilewright;
using namespace tilewright::api::c;
using support::Result;

twReport *twReportCreate(unsigned flags) {
  if (flags & ~unsigned(TW_REPORT_COVERAGE))
    return nullptr;
  api::ReportOptions options;
  options.coverage = flags & TW_REPORT_COVERAGE;
  return new twReport{api::Report(options)};
}

void twReportDestroy(twReport *report) { delete report; }

size_t twReportFindingCount(const twReport *report) {
  return report ? report->report.findingCount() : 0;
}

static std::optional<api::ReportForm> formOf(twReportForm form) {
  switch (form) {
  case TW_REPORT_JSON:
    return api::ReportForm::Json;
  case TW_REPORT_SARIF:
    return api::ReportForm::Sarif;
  case TW_COVERAGE_TEXT:
    return api::ReportForm::CoverageText;
  case TW_COVERAGE_JSON:
    return api::ReportForm::CoverageJson;
  case TW_COVERAGE_LCOV:
    return api::ReportForm::CoverageLcov;
  }
  return std::nullopt;
}

twStatus twReportToText(const twReport *report, twReportForm form, const char *others, char **text,
                        twDiagnostics **diagnostics) {
  if (text)
    *text = nullptr;
  if (!report)
    return wrongUsage("twReportToText: the report is null", diagnostics);
  if (!text)
    return wrongUsage("twReportToText: there is no place for the text", diagnostics);
  const std::optional<api::ReportForm> known = formOf(form);
  if (!known)
    return wrongUsage("twReportToText: there is no form " + std::to_string(unsigned(form)),
                      diagnostics);
  const bool isCoverage = *known != api::ReportForm::Json && *known != api::ReportForm::Sarif;
  if (isCoverage && !report->report.hasCoverage())
    return wrongUsage("twReportToText: the report was created without TW_REPORT_COVERAGE",
                      diagnostics);
  Result<std::string> made = report->report.toText(*known, others ? others : "");
  if (!made)
    return fail(TW_INVALID, "twReportToText: " + made.failure().message, diagnostics);
  api::c::report({}, diagnostics);
  *text = copyOf(*made);
  return TW_SUCCESS;
}
