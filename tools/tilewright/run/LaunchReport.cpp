// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LaunchReport.h.

#include "tools/tilewright/run/LaunchReport.h"
#include "tilewright/numerics/Convert.h"
#include "tilewright/reference/exhaustive/Exhaustive.h"
#include "tilewright/report/Place.h"
#include "tilewright/report/SourceLines.h"

using namespace tilewright;
using namespace tilewright::tools;
using llvm::StringRef;
using reference::Check;
using reference::Finding;
using reference::FindingKind;
using report::jsonText;
namespace json = llvm::json;

//===-- Text --------------------------------------------------------------------------------===//

/// The schedule as its option names it.
static std::string scheduleText(const reference::LaunchOptions &options) {
  return options.schedule == reference::Schedule::Replay ? options.replay.text()
                                                         : nameOf(options.schedule).str();
}

/// `12 other schedules were checked for races`
static std::string predictedText(const reference::Predicted &predicted) {
  std::string text = std::to_string(predicted.schedules) + " other schedule" +
                     (predicted.schedules == 1 ? " was" : "s were") + " checked for races";
  return predicted.limit.empty() ? text : text + " (" + predicted.limit + ")";
}

/// Prints the number of findings, the schedule in which they occurred, and whether other schedules
/// were checked.
static void printSummary(const LaunchReport &report, llvm::raw_ostream &out) {
  int64_t count = report.findingCount();
  out << count << (count == 1 ? " finding" : " findings");
  if (report.exhaustive) {
    out << (report.exhaustive->limit ? " in the explored executions.\n" : " in all executions.\n");
    return;
  }
  if (report.result.predicted) {
    out << "; besides the schedule 'program', " << predictedText(*report.result.predicted) << ".\n";
    return;
  }
  out << " in the schedule '" << scheduleText(report.options) << "'";
  if (report.options.schedule == reference::Schedule::Random)
    out << " with seed " << report.options.seed;
  out << ".";
  // Only running another schedule shows whether it has a race (memory model, 11).
  if (report.options.checks.has(Check::Race))
    out << " Other schedules were not checked for races.";
  out << "\n";
}

/// Printed after a run without findings if tile blocks communicate: other schedules may have races.
static void printNote(const LaunchReport &report, llvm::raw_ostream &out) {
  const std::optional<reference::Predicted> &predicted = report.result.predicted;
  out << "note: the tile blocks synchronise, and "
      << (predicted ? predictedText(*predicted) + "; for more"
                    : "other schedules were not checked for races")
      << ": try --schedule random, or --schedule exhaustive for small kernels\n";
}

/// Prints how to fix the findings: one line per violated rule.
static void printHelp(const LaunchReport &report, llvm::raw_ostream &out) {
  for (const report::Rule &rule : reference::rules())
    if (llvm::any_of(report.result.findings,
                     [&](const Finding &finding) { return finding.rule == &rule; }))
      out << "help: " << rule.id << ": " << rule.help << "\n";
}

void LaunchReport::print(llvm::raw_ostream &out) const {
  report::SourceLines lines(file, text);
  for (const Finding &finding : result.findings) {
    // Unlike a source line, a place in bytecode does not contain the file name.
    if (!reference::sourcePosition(finding.location) && tile::markedPlace(finding.location))
      out << file << ": ";
    lines.print(finding, out);
  }
  printHelp(*this, out);
  if (result.unlistedFindings)
    out << "... and " << result.unlistedFindings << " more\n";
  if (findingCount())
    printSummary(*this, out);
  else if (result.blocksSynchronise)
    printNote(*this, out);
}

std::string LaunchReport::toText() const {
  std::string printed;
  llvm::raw_string_ostream out(printed);
  print(out);
  return printed;
}

//===-- JSON and SARIF ----------------------------------------------------------------------===//

static json::Object toJson(const reference::ExhaustiveResult &result) {
  json::Array outcomes;
  for (const reference::MemoryChange &outcome : result.outcomes) {
    json::Array changes;
    for (const reference::ArrayElement &element : outcome)
      changes.push_back(json::Object{{"array", jsonText(element.array)},
                                     {"array_element", element.index},
                                     {"value", numerics::toString(element.value)}});
    outcomes.push_back(std::move(changes));
  }
  json::Value limit = nullptr;
  if (result.limit)
    limit = *result.limit;
  return json::Object{{"executions", result.executions},
                      {"outcomes", std::move(outcomes)},
                      {"limit", std::move(limit)}};
}

static json::Value toJson(const std::optional<reference::Predicted> &predicted) {
  if (!predicted)
    return nullptr;
  return json::Object{
      {"schedules", predicted->schedules},
      {"limit", predicted->limit.empty() ? json::Value(nullptr) : json::Value(predicted->limit)}};
}

static json::Object runAsJson(const LaunchReport &report) {
  const reference::LaunchOptions &options = report.options;
  json::Array checks;
  for (unsigned i = 0; i < reference::checkCount; ++i)
    if (options.checks.has(Check(i)))
      checks.push_back(nameOf(Check(i)));
  json::Value seed = nullptr;
  if (options.schedule == reference::Schedule::Random)
    seed = options.seed;
  json::Object run{{"kernel", jsonText(report.kernel)},
                   {"grid", json::Array{report.grid.x(), report.grid.y(), report.grid.z()}},
                   {"schedule", scheduleText(options)},
                   {"seed", std::move(seed)},
                   {"mma", nameOf(options.mma)},
                   {"checks", std::move(checks)},
                   {"blocks_synchronise", report.result.blocksSynchronise},
                   {"predicted", toJson(report.result.predicted)}};
  if (report.exhaustive)
    run["exhaustive"] = toJson(*report.exhaustive);
  return run;
}

static json::Object runAsSarif(const LaunchReport &report) {
  json::Object run{{"kernel", jsonText(report.kernel)},
                   {"grid", json::Array{report.grid.x(), report.grid.y(), report.grid.z()}},
                   {"schedule", scheduleText(report.options)},
                   {"blocksSynchronise", report.result.blocksSynchronise}};
  if (report.options.schedule == reference::Schedule::Random)
    run["seed"] = report.options.seed;
  return run;
}

report::Report LaunchReport::toReport() const {
  bool ranToItsEnd = !result.has(FindingKind::Unsupported) && !result.has(FindingKind::StepLimit) &&
                     !result.has(FindingKind::Deadlock);
  return {file,       reference::rules(), result.findings,    result.unlistedFindings,
          exitStatus, ranToItsEnd,        ::runAsJson(*this), ::runAsSarif(*this)};
}
