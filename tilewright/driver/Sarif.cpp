// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What do services that show findings beside the code want to read? SARIF 2.1.0: one run of
// one tool, whose rules are the checks of the reference machine, and a result per finding.

#include "tilewright/driver/Report.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace tilewright;
using namespace tilewright::driver;
using llvm::StringRef;
using reference::Check;
using reference::Finding;
using reference::FindingKind;
namespace json = llvm::json;

static constexpr StringRef schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json";

static json::Object message(StringRef text) { return json::Object{{"text", jsonText(text)}}; }

//===-- Rules -------------------------------------------------------------------------------===//

static json::Object rule(StringRef id, StringRef summary) {
  return json::Object{{"id", id}, {"shortDescription", message(summary)}};
}

/// What a correct program may do (decisions/unspecified-values.md).
static bool isWarning(Check check) { return check == Check::Unspecified || check == Check::Shift; }

/// The checks in their order, then what ends a launch without one.
static json::Array rules() {
  json::Array rules;
  for (unsigned i = 0; i < reference::checkCount; ++i) {
    json::Object row = rule(nameOf(Check(i)), summaryOf(Check(i)));
    row["help"] = message(helpOf(Check(i)));
    if (isWarning(Check(i)))
      row["defaultConfiguration"] = json::Object{{"level", "warning"}};
    row["properties"] = json::Object{{"specification", ruleOf(Check(i))}};
    rules.push_back(std::move(row));
  }
  rules.push_back(rule(nameOf(FindingKind::Unsupported),
                       "the reference machine supports what the kernel does"));
  rules.push_back(rule(nameOf(FindingKind::StepLimit), "the launch ends within its step limit"));
  return rules;
}

static unsigned ruleIndex(const Finding &finding) {
  switch (finding.kind) {
  case FindingKind::FailedAssert:
    return unsigned(Check::Assert);
  case FindingKind::Misbehaviour:
  case FindingKind::UnspecifiedValue:
    return unsigned(*finding.check);
  case FindingKind::Unsupported:
    return reference::checkCount;
  case FindingKind::StepLimit:
    return reference::checkCount + 1;
  }
  llvm_unreachable("every kind has a rule");
}

//===-- Places ------------------------------------------------------------------------------===//

/// A path as a URI reference (RFC 3986); those that are relative stay so.
static std::string uriOf(StringRef path) {
  std::string uri = llvm::sys::path::is_absolute(path) ? "file://" : "";
  for (char c : path)
    if (llvm::isAlnum(c) || StringRef("-._~/").contains(c))
      uri += c;
    else
      uri += llvm::formatv("%{0:X-2}", uint8_t(c));
  return uri;
}

static json::Object location(mlir::Location where, StringRef file) {
  SourcePlace place = placeOf(where, file);
  json::Object physical{{"artifactLocation", json::Object{{"uri", uriOf(place.file)}}}};
  // A file of the compiler may not know the column, which counts from 1.
  json::Object region;
  if (place.line)
    region["startLine"] = place.line;
  else if (place.byte)
    region["byteOffset"] = *place.byte;
  if (place.line && place.column)
    region["startColumn"] = place.column;
  if (!region.empty())
    physical["region"] = std::move(region);
  return json::Object{{"physicalLocation", std::move(physical)}};
}

//===-- Results -----------------------------------------------------------------------------===//

static json::Object result(const Finding &finding, StringRef file, const json::Array &rules) {
  json::Object where = location(finding.location, file);
  where["logicalLocations"] =
      json::Array{json::Object{{"name", jsonText(finding.kernel)}, {"kind", "function"}}};
  json::Object properties{{"block", json::Array{finding.block.x, finding.block.y, finding.block.z}},
                          {"operation", jsonText(finding.operation)}};
  if (!finding.element.empty())
    properties["element"] = finding.element;
  if (!finding.array.empty())
    properties["array"] = jsonText(finding.array);
  if (finding.arrayElement >= 0)
    properties["arrayElement"] = finding.arrayElement;

  unsigned index = ruleIndex(finding);
  json::Object result{{"ruleId", *rules[index].getAsObject()->getString("id")},
                      {"ruleIndex", index},
                      {"level", levelOf(finding.kind)},
                      {"message", message(finding.message)},
                      {"locations", json::Array{std::move(where)}},
                      {"properties", std::move(properties)}};
  json::Array related;
  auto addRelated = [&](mlir::Location place, StringRef text) {
    json::Object there = location(place, file);
    there["id"] = int64_t(related.size());
    there["message"] = message(text);
    related.push_back(std::move(there));
  };
  for (const reference::Related &other : finding.related)
    addRelated(other.location, other.message);
  for (const reference::Iteration &iteration : finding.iterations)
    addRelated(iteration.loop, toString(iteration));
  if (!related.empty())
    result["relatedLocations"] = std::move(related);
  return result;
}

std::string driver::toSarif(const Report &report) {
  json::Array rules = ::rules(), results;
  for (const Finding &finding : report.result.findings)
    results.push_back(result(finding, report.file, rules));
  bool ranToItsEnd =
      !report.result.has(FindingKind::Unsupported) && !report.result.has(FindingKind::StepLimit);
  json::Object properties{{"kernel", jsonText(report.kernel)},
                          {"grid", json::Array{report.grid.x(), report.grid.y(), report.grid.z()}},
                          {"schedule", nameOf(report.options.schedule)},
                          {"unlistedFindings", report.result.unlistedFindings}};
  if (report.options.schedule == reference::Schedule::Random)
    properties["seed"] = report.options.seed;
  json::Object tool{
      {"name", "tilewright"}, {"version", TILEWRIGHT_VERSION}, {"rules", std::move(rules)}};
  json::Object run{{"tool", json::Object{{"driver", std::move(tool)}}},
                   {"invocations", json::Array{json::Object{{"executionSuccessful", ranToItsEnd},
                                                            {"exitCode", report.exitStatus}}}},
                   {"results", std::move(results)},
                   {"properties", std::move(properties)}};
  json::Object log{
      {"$schema", schema}, {"version", "2.1.0"}, {"runs", json::Array{std::move(run)}}};
  return llvm::formatv("{0:2}\n", json::Value(std::move(log)));
}
