// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a report in the format SARIF 2.1.0: one run of one tool, with the rules of the machine and
// a result for each finding.

#include "tilewright/report/Place.h"
#include "tilewright/report/Report.h"
#include "tilewright/support/Version.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace tilewright;
using namespace tilewright::report;
using llvm::StringRef;
namespace json = llvm::json;

static constexpr StringRef schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json";

static json::Object message(StringRef text) { return json::Object{{"text", jsonText(text)}}; }

//===-- Rules -------------------------------------------------------------------------------===//

static json::Object ruleAsSarif(const Rule &rule) {
  json::Object row{{"id", rule.id}, {"shortDescription", message(rule.summary)}};
  if (!rule.help.empty())
    row["help"] = message(rule.help);
  if (rule.isWarning)
    row["defaultConfiguration"] = json::Object{{"level", "warning"}};
  if (!rule.section.empty())
    row["properties"] = json::Object{{"specification", rule.section}};
  return row;
}

static size_t ruleIndex(const Finding &finding, llvm::ArrayRef<Rule> rules) {
  const auto *rule =
      llvm::find_if(rules, [&](const Rule &rule) { return rule.id == ruleIdOf(finding); });
  assert(rule != rules.end() && "every finding breaks a rule of its report");
  return rule - rules.begin();
}

//===-- Places ------------------------------------------------------------------------------===//

/// A path as a URI reference (RFC 3986); relative paths stay relative.
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
  // Compiler output may lack the column, which counts from 1.
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

static json::Object propertiesOf(const Finding &finding) {
  json::Object properties{{"block", json::Array{finding.block.x, finding.block.y, finding.block.z}},
                          {"operation", jsonText(finding.operation)}};
  if (finding.thread)
    properties["thread"] = *finding.thread;
  if (!finding.program.empty())
    properties["program"] = finding.program;
  if (!finding.schedule.empty())
    properties["schedule"] = finding.schedule;
  if (!finding.element.empty())
    properties["element"] = finding.element;
  if (!finding.array.empty())
    properties["array"] = jsonText(finding.array);
  if (finding.arrayElement >= 0)
    properties["arrayElement"] = finding.arrayElement;
  return properties;
}

static json::Array relatedLocations(const Finding &finding, StringRef file) {
  json::Array related;
  auto add = [&](mlir::Location place, StringRef text) {
    json::Object there = location(place, file);
    there["id"] = int64_t(related.size());
    there["message"] = message(text);
    related.push_back(std::move(there));
  };
  for (const Related &other : finding.related)
    add(other.location, other.message);
  for (const Iteration &iteration : finding.iterations)
    add(iteration.loop, toString(iteration));
  return related;
}

json::Object report::resultAsSarif(const Finding &finding, llvm::ArrayRef<Rule> rules,
                                   StringRef file) {
  json::Object where = location(finding.location, file);
  if (!finding.kernel.empty())
    where["logicalLocations"] =
        json::Array{json::Object{{"name", jsonText(finding.kernel)}, {"kind", "function"}}};
  json::Object result{{"ruleId", ruleIdOf(finding)},
                      {"ruleIndex", int64_t(ruleIndex(finding, rules))},
                      {"level", levelOf(finding.kind)},
                      {"message", message(finding.message)},
                      {"locations", json::Array{std::move(where)}},
                      {"properties", propertiesOf(finding)}};
  if (json::Array related = relatedLocations(finding, file); !related.empty())
    result["relatedLocations"] = std::move(related);
  return result;
}

//===-- The log -----------------------------------------------------------------------------===//

json::Object report::toolAsSarif(llvm::ArrayRef<Rule> rules) {
  json::Array rows;
  for (const Rule &rule : rules)
    rows.push_back(ruleAsSarif(rule));
  json::Object driver{
      {"name", "tilewright"}, {"version", support::version}, {"rules", std::move(rows)}};
  return json::Object{{"driver", std::move(driver)}};
}

std::string report::sarifLog(json::Array runs) {
  json::Object log{{"$schema", schema}, {"version", "2.1.0"}, {"runs", std::move(runs)}};
  return llvm::formatv("{0:2}\n", json::Value(std::move(log)));
}

std::string Report::toSarif() const {
  json::Array results;
  for (const Finding &finding : findings)
    results.push_back(resultAsSarif(finding, rules, file));
  json::Object properties = runAsSarif;
  properties["unlistedFindings"] = unlistedFindings;
  return sarifLog(json::Array{json::Object{
      {"tool", toolAsSarif(rules)},
      {"invocations",
       json::Array{json::Object{{"executionSuccessful", ranToItsEnd}, {"exitCode", exitStatus}}}},
      {"results", std::move(results)},
      {"properties", std::move(properties)}}});
}
