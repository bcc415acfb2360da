// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See CheckReport.h. Converts diagnostics to findings, so that the report has the same format as
// other reports. Members about an execution (block, array, element) are omitted, because nothing
// was executed.

#include "tools/tilewright/CheckReport.h"
#include "tilewright/report/Place.h"
#include "tilewright/tile/attributes/Places.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::tools;
using report::Finding;
using report::FindingKind;
namespace json = llvm::json;

static constexpr report::Rule rules[] = {
    {"invalid-program", "the program follows the rules of Tile IR"},
    {"suspicious-program", "optimization hints and padding values are valid", "", "",
     /*isWarning=*/true},
};

static mlir::Location locationOf(const api::Place &place, mlir::MLIRContext *context) {
  mlir::Location location = mlir::UnknownLoc::get(context);
  if (place.line)
    location = mlir::FileLineColLoc::get(context, place.file, place.line, place.column);
  if (!place.byte)
    return location;
  const std::string mark = llvm::formatv("byte 0x{0:X-}", *place.byte);
  return tile::markPlace(location, mlir::StringAttr::get(context, mark));
}

static Finding toFinding(const api::Diagnostic &diagnostic, mlir::MLIRContext *context) {
  const bool isError = diagnostic.severity == api::Severity::Error;
  Finding finding{isError ? FindingKind::InvalidProgram : FindingKind::SuspiciousProgram,
                  locationOf(diagnostic.place, context), diagnostic.message};
  finding.rule = &rules[isError ? 0 : 1];
  for (const api::Note &note : diagnostic.notes)
    finding.related.push_back({locationOf(note.place, context), note.message});
  return finding;
}

void CheckReport::add(llvm::StringRef file, llvm::ArrayRef<api::Diagnostic> diagnostics) {
  files.push_back(file.str());
  for (const api::Diagnostic &diagnostic : diagnostics) {
    const Finding finding = toFinding(diagnostic, &context);
    json::Object object = findingAsJson(finding, file),
                 result = resultAsSarif(finding, rules, file);
    for (const char *member : {"check", "rule", "help", "kernel", "block", "operation", "element",
                               "array", "array_element", "iterations"})
      object.erase(member);
    result.erase("properties");
    findings.push_back(std::move(object));
    results.push_back(std::move(result));
  }
}

json::Object CheckReport::toJson(int exitStatus) const {
  json::Array names;
  for (const std::string &file : files)
    names.push_back(report::jsonText(file));
  return json::Object{{"files", std::move(names)},
                      {"exit_status", exitStatus},
                      {"findings", json::Array(findings)},
                      {"unlisted_findings", 0}};
}

std::string CheckReport::toSarif(int exitStatus) const {
  return report::sarifLog(json::Array{
      json::Object{{"tool", report::toolAsSarif(rules)},
                   {"invocations", json::Array{json::Object{{"executionSuccessful", exitStatus < 2},
                                                            {"exitCode", exitStatus}}}},
                   {"results", json::Array(results)}}});
}

std::string CheckReport::toString(report::ReportFormat format, int exitStatus,
                                  llvm::StringRef text) const {
  switch (format) {
  case report::ReportFormat::Text:
    return text.str();
  case report::ReportFormat::Json:
    return llvm::formatv("{0:2}\n", json::Value(toJson(exitStatus)));
  case report::ReportFormat::Sarif:
    return toSarif(exitStatus);
  }
  llvm_unreachable("every format has a form");
}
