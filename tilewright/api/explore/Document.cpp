// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Document.h.

#include "tilewright/api/explore/Document.h"
#include "tilewright/api/explore/Cost.h"
#include "tilewright/report/Place.h"
#include "tilewright/report/Report.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::api;
using llvm::StringRef;
using report::jsonText;
namespace json = llvm::json;

static StringRef nameOf(Outcome outcome) {
  switch (outcome) {
  case Outcome::Succeeded:
    return "succeeded";
  case Outcome::Failed:
    return "failed";
  case Outcome::Misbehaved:
    return "misbehaved";
  case Outcome::Cancelled:
    return "cancelled";
  }
  llvm_unreachable("every outcome has a name");
}

void Document::addCoverage(const report::OperationCounts &counts) {
  tile::EntryOp entry = program.entry();
  json::Object coverage =
      report::CoverageReport{counts, entry.getSymName(), entry.getLoc(), program.file()}.asJson();
  operations = std::move(*coverage.getArray("operations"));
  for (const json::Value &value : operations) {
    const json::Object &operation = *value.getAsObject();
    const json::Object &location = *operation.getObject("location");
    const std::optional<int64_t> line = location.getInteger("line");
    if (!line)
      continue; // bytecode without debug information
    LineRow &row = lines[{location.getString("file")->str(), *line}];
    row.executions = std::max(row.executions.value_or(0), *operation.getInteger("count"));
  }
}

void Document::addCounters(const json::Object &all) {
  const int64_t total = *all.getInteger("instructions");
  for (const json::Value &value : *all.getArray("source_lines")) {
    json::Object row = *value.getAsObject();
    const int64_t instructions = *row.getInteger("instructions");
    LineRow &line = lines[{row.getString("file")->str(), *row.getInteger("line")}];
    row.erase("file");
    row.erase("line");
    row["instruction_share"] = total ? double(instructions) / double(total) : 0.0;
    line.counters = std::move(row);
  }
  counters = json::Object(all);
}

/// What findings of a group have in common: all but the block and the elements.
static std::string groupOf(json::Object finding) {
  for (const char *member :
       {"message", "block", "thread", "element", "array_element", "iterations"})
    finding.erase(member);
  for (json::Value &related : *finding.getArray("related"))
    related.getAsObject()->erase("message");
  return llvm::formatv("{0}", json::Value(std::move(finding)));
}

void Document::addFindings(StringRef device, llvm::ArrayRef<report::Finding> launchFindings) {
  for (const report::Finding &finding : launchFindings) {
    const report::SourcePlace place = report::placeOf(finding.location, program.file());
    if (place.line)
      lines[{place.file, place.line}].findings.push_back(int64_t(findings.size()));
    json::Object object = report::findingAsJson(finding, program.file());
    object["device"] = device;
    object["group"] = groups.try_emplace(groupOf(object), int64_t(findings.size())).first->second;
    findings.push_back(std::move(object));
  }
}

static json::Object launchAsJson(Outcome outcome, bool isComplete, int64_t unlistedFindings) {
  return json::Object{{"outcome", nameOf(outcome)},
                      {"complete", isComplete},
                      {"unlisted_findings", unlistedFindings}};
}

void Document::addFailure(StringRef device, StringRef message) {
  devices[device] = json::Object{{"failure", jsonText(message)}};
}

void Document::addPtx(const PtxOutcome &ptx) {
  addFindings("ptx", ptx.result.findings);
  devices["ptx"] =
      launchAsJson(ptx.result.outcome, ptx.isComplete, int64_t(ptx.result.unlistedFindings));
  addCounters(ptx.counters);
}

void Document::addReference(ReferenceOutcome reference) {
  addCoverage(reference.counts);
  addFindings("reference", reference.result.findings);
  devices["reference"] = launchAsJson(outcomeOf(reference.result), reference.isComplete,
                                      reference.result.unlistedFindings);
  members["arrays"] = std::move(reference.arrays);
  members["views"] = std::move(reference.views);
  members["trace"] = std::move(reference.trace);
  members["trace_unlisted"] = reference.unlistedTrace;
}

void Document::addCode(ExploredCode code, const report::OperationCounts &counts,
                       const runtime::Grid &grid) {
  members["cost"] = costAsJson({grid, code, counts, counters.getAsObject()});
  members["remarks"] = std::move(code.remarks);
  members["stages"] = std::move(code.stages);
}

json::Array Document::linesAsJson() {
  json::Array rows;
  for (auto &[place, row] : lines) {
    sources.indexOf(place.first);
    json::Object object{{"file", jsonText(place.first)},
                        {"line", place.second},
                        {"executions", row.executions},
                        {"counters", nullptr},
                        {"findings", std::move(row.findings)}};
    if (row.counters)
      object["counters"] = std::move(*row.counters);
    rows.push_back(std::move(object));
  }
  return rows;
}

json::Object Document::takeMembers(const runtime::Grid &grid, const ExploreOptions &options) {
  tile::EntryOp entry = program.entry();
  members["version"] = 2;
  members["kernel"] = jsonText(entry.getSymName());
  members["grid"] = json::Array{grid.x(), grid.y(), grid.z()};
  members["target"] = options.target;
  members["program"] = programAsJson(program, sources);
  members["devices"] = std::move(devices);
  members["lines"] = linesAsJson();
  members["operations"] = std::move(operations);
  members["findings"] = std::move(findings);
  members["counters"] = std::move(counters);
  // Last, because the other members name files.
  members["sources"] = sources.toJson(options);
  return std::move(members);
}

std::string api::textOfDocument(json::Object members) {
  std::map<std::string, json::Value> sorted;
  for (auto &[name, value] : members)
    sorted.emplace(name.str(), std::move(value));
  std::string text = "{";
  for (const auto &[name, value] : sorted)
    text += llvm::formatv("{0}\n\"{1}\": {2}", text.size() > 1 ? "," : "", name, value);
  return text + "\n}\n";
}
