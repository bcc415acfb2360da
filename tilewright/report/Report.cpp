// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Report.h.

#include "tilewright/report/Report.h"
#include "tilewright/report/Place.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::report;
using llvm::StringRef;
namespace json = llvm::json;

support::Result<ReportRequest> ReportRequest::parse(StringRef text) {
  auto [name, file] = text.split('=');
  if (text.contains('=') && file.empty())
    return support::Failure{"expected a file after '" + text.str() + "'"};
  if (name == "text")
    return ReportRequest{ReportFormat::Text, file.str()};
  if (name == "json")
    return ReportRequest{ReportFormat::Json, file.str()};
  if (name == "sarif")
    return ReportRequest{ReportFormat::Sarif, file.str()};
  return support::Failure{"expected text, json or sarif, but got '" + name.str() + "'"};
}

//===-- JSON --------------------------------------------------------------------------------===//

static json::Value orNull(StringRef text) {
  return text.empty() ? json::Value(nullptr) : json::Value(jsonText(text));
}

static json::Value asJson(const llvm::APSInt &number) {
  if (number.isSigned())
    return number.getSExtValue();
  return number.getZExtValue();
}

static json::Array relatedAsJson(const Finding &finding, StringRef file) {
  json::Array related;
  for (const Related &other : finding.related)
    related.push_back(json::Object{{"message", jsonText(other.message)},
                                   {"location", toJson(placeOf(other.location, file))}});
  return related;
}

static json::Array iterationsAsJson(const Finding &finding, StringRef file) {
  json::Array iterations;
  for (const Iteration &iteration : finding.iterations) {
    json::Object row{{"location", toJson(placeOf(iteration.loop, file))},
                     {"number", iteration.number},
                     {"induction_value", nullptr}};
    if (iteration.inductionValue)
      row["induction_value"] = asJson(*iteration.inductionValue);
    iterations.push_back(std::move(row));
  }
  return iterations;
}

json::Object report::findingAsJson(const Finding &finding, StringRef file) {
  const Rule *rule = finding.rule;
  json::Object object{{"kind", nameOf(finding.kind)},
                      {"level", levelOf(finding.kind)},
                      {"check", rule ? orNull(rule->id) : nullptr},
                      {"rule", rule ? orNull(rule->section) : nullptr},
                      {"help", rule ? orNull(rule->help) : nullptr},
                      {"message", jsonText(finding.message)},
                      {"kernel", jsonText(finding.kernel)},
                      {"block", json::Array{finding.block.x, finding.block.y, finding.block.z}},
                      {"operation", orNull(finding.operation)},
                      {"element", orNull(finding.element)},
                      {"array", orNull(finding.array)},
                      {"array_element", nullptr},
                      {"location", toJson(placeOf(finding.location, file))},
                      {"related", relatedAsJson(finding, file)},
                      {"iterations", iterationsAsJson(finding, file)}};
  if (finding.arrayElement >= 0)
    object["array_element"] = finding.arrayElement;
  if (finding.thread)
    object["thread"] = *finding.thread;
  if (!finding.program.empty())
    object["program"] = finding.program;
  if (!finding.schedule.empty())
    object["schedule"] = finding.schedule;
  return object;
}

std::string Report::toJson() const {
  json::Array listed;
  for (const Finding &finding : findings)
    listed.push_back(findingAsJson(finding, file));
  json::Object object = runAsJson;
  object["file"] = jsonText(file);
  object["exit_status"] = exitStatus;
  object["findings"] = std::move(listed);
  object["unlisted_findings"] = unlistedFindings;
  return llvm::formatv("{0:2}\n", json::Value(std::move(object)));
}
