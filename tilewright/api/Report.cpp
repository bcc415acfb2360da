// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Report.h.

#include "tilewright/api/Report.h"
#include "tilewright/api/ReportState.h"
#include "tilewright/report/Json.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::api;
using llvm::StringRef;
using support::Failure;
using support::Result;
namespace json = llvm::json;

Report::Report(const ReportOptions &options)
    : state(std::make_shared<ReportState>(options.coverage)) {}

bool Report::hasCoverage() const { return state->hasCoverage; }

size_t Report::findingCount() const {
  std::lock_guard lock(state->mutex);
  return state->findings.size();
}

//===-- Coverage ----------------------------------------------------------------------------===//

/// Calls `call` with the coverage of each launched kernel.
template <typename Callback> static void forEachKernel(ReportState &state, Callback call) {
  for (const auto &[key, coverage] : state.coverage) {
    tile::EntryOp entry = coverage.entry;
    call(report::CoverageReport{coverage.counts, coverage.name, entry.getLoc(), coverage.file});
  }
}

static Result<std::string> coverageAsJson(ReportState &state, StringRef others) {
  json::Array kernels;
  if (!others.empty()) {
    Result<json::Value> parsed = report::parseJson(others);
    if (!parsed)
      return Failure{"the coverage of other processes is not JSON: " + parsed.failure().message};
    json::Object *object = parsed->getAsObject();
    json::Array *list = object ? object->getArray("kernels") : nullptr;
    if (!list)
      return Failure{"the coverage of other processes has no list 'kernels'"};
    kernels = std::move(*list);
  }
  forEachKernel(state,
                [&](const report::CoverageReport &kernel) { kernels.push_back(kernel.asJson()); });
  return llvm::formatv("{0:2}\n", json::Value(json::Object{{"kernels", std::move(kernels)}})).str();
}

//===-- Writing a report --------------------------------------------------------------------===//

Result<std::string> Report::toText(ReportForm form, std::string_view others) const {
  std::lock_guard lock(state->mutex);
  if (form == ReportForm::Json)
    return state->findings.toJson(others);
  if (form == ReportForm::Sarif)
    return state->findings.toSarif(others);
  if (!state->hasCoverage)
    return Failure{"the report was made without coverage"};
  if (form == ReportForm::CoverageJson)
    return coverageAsJson(*state, others);
  std::string text(others);
  forEachKernel(*state, [&](const report::CoverageReport &kernel) {
    text += form == ReportForm::CoverageLcov ? kernel.toLcov() : kernel.toText();
  });
  return text;
}
