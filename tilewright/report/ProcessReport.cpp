// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ProcessReport.h.

#include "tilewright/report/ProcessReport.h"
#include "tilewright/report/Json.h"

#include "llvm/Support/FormatVariadic.h"

#include <chrono>
#include <ctime>
#include <unistd.h>

using namespace tilewright;
using namespace tilewright::report;
using llvm::StringRef;
using support::Failure;
using support::Result;
namespace json = llvm::json;

ProcessId ProcessId::own() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count() % 1000;
  std::tm date = {};
  gmtime_r(&seconds, &date);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &date);
  return {getpid(), llvm::formatv("{0}.{1,0+3}Z", text, milliseconds)};
}

//===-- Findings ----------------------------------------------------------------------------===//

void ProcessReport::add(StringRef file, llvm::ArrayRef<Finding> findings, int64_t unlisted,
                        bool synchronise) {
  constexpr size_t mostRows = 1000;
  ++launches;
  unlistedFindings += unlisted;
  blocksSynchronise |= synchronise;
  for (const Finding &finding : findings) {
    ranToTheirEnd &= finding.kind != FindingKind::Unsupported &&
                     finding.kind != FindingKind::StepLimit &&
                     finding.kind != FindingKind::Deadlock;
    json::Object asJson = findingAsJson(finding, file);
    const std::string key = llvm::formatv("{0}", json::Value(json::Object(asJson)));
    if (auto known = rowOf.find(key); known != rowOf.end()) {
      ++rows[known->second].count;
      continue;
    }
    if (rows.size() == mostRows) {
      ++unlistedFindings;
      continue;
    }
    rowOf[key] = rows.size();
    asJson["launch"] = launches;
    json::Object asSarif = resultAsSarif(finding, rules, file);
    if (json::Object *properties = asSarif.getObject("properties"))
      (*properties)["launch"] = launches;
    rows.push_back({std::move(asJson), std::move(asSarif)});
  }
}

json::Object ProcessReport::processAsJson() const {
  json::Array findings;
  for (const Row &row : rows) {
    findings.push_back(json::Object(row.json));
    (*findings.back().getAsObject())["count"] = row.count;
  }
  return json::Object{{"process", id.number},
                      {"started", id.started},
                      {"launches", launches},
                      {"findings", std::move(findings)},
                      {"unlisted_findings", unlistedFindings},
                      {"blocks_synchronise", blocksSynchronise}};
}

json::Object ProcessReport::runAsSarif() const {
  json::Array results;
  for (const Row &row : rows) {
    results.push_back(json::Object(row.sarif));
    (*results.back().getAsObject())["occurrenceCount"] = row.count;
  }
  json::Object invocation{{"executionSuccessful", ranToTheirEnd},
                          {"processId", id.number},
                          {"startTimeUtc", id.started}};
  return json::Object{{"tool", toolAsSarif(rules)},
                      {"invocations", json::Array{std::move(invocation)}},
                      {"results", std::move(results)},
                      {"properties", json::Object{{"launches", launches},
                                                  {"unlistedFindings", unlistedFindings},
                                                  {"blocksSynchronise", blocksSynchronise}}}};
}

// ===-- Merging with other processes --------------------------------------------------------===//

/// The list with this name in a report; empty if there is no report.
static Result<json::Array> listIn(StringRef report, StringRef name) {
  if (report.empty())
    return json::Array();
  Result<json::Value> parsed = parseJson(report);
  if (!parsed)
    return Failure{"the report of other processes is not JSON: " + parsed.failure().message};
  json::Object *object = parsed->getAsObject();
  json::Array *list = object ? object->getArray(name) : nullptr;
  if (!list)
    return Failure{"the report of other processes has no list '" + name.str() + "'"};
  return std::move(*list);
}

/// Replaces the element for which `isOwn` is true, or appends the element if there is none.
template <typename Predicate>
static void put(json::Array &list, json::Object element, Predicate isOwn) {
  for (json::Value &known : list)
    if (const json::Object *object = known.getAsObject(); object && isOwn(*object)) {
      known = std::move(element);
      return;
    }
  list.push_back(std::move(element));
}

Result<std::string> ProcessReport::toJson(StringRef others) const {
  Result<json::Array> processes = listIn(others, "processes");
  if (!processes)
    return processes.failure();
  put(*processes, processAsJson(), [&](const json::Object &process) {
    return process.getInteger("process") == id.number &&
           process.getString("started") == StringRef(id.started);
  });
  return llvm::formatv("{0:2}\n", json::Value(json::Object{{"processes", std::move(*processes)}}))
      .str();
}

Result<std::string> ProcessReport::toSarif(StringRef others) const {
  Result<json::Array> runs = listIn(others, "runs");
  if (!runs)
    return runs.failure();
  put(*runs, runAsSarif(), [&](const json::Object &run) {
    const json::Array *invocations = run.getArray("invocations");
    const json::Object *invocation =
        invocations && !invocations->empty() ? invocations->front().getAsObject() : nullptr;
    return invocation && invocation->getInteger("processId") == id.number &&
           invocation->getString("startTimeUtc") == StringRef(id.started);
  });
  return sarifLog(std::move(*runs));
}
