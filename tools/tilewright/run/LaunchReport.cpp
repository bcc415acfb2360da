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

/// Prints the number of findings, the schedule in which they occurred, and whether other schedules
/// were checked.
static void printSummary(const LaunchReport &report, llvm::raw_ostream &out) {
  int64_t count = report.findingCount();
  out << count << (count == 1 ? " finding" : " findings");
  if (report.exhaustive) {
    out << (report.exhaustive->limit ? " in the explored executions.\n" : " in all executions.\n");
    return;
  }
  out << " in the schedule '" << nameOf(report.options.schedule) << "'";
  if (report.options.schedule == reference::Schedule::Random)
    out << " with seed " << report.options.seed;
  out << ".";
  // Only running another schedule shows whether it has a race (memory model, 11).
  if (report.options.checks.has(Check::Race))
    out << " Other schedules were not checked for races.";
  out << "\n";
}

/// Printed after a run without findings if tile blocks communicate: other schedules may have races.
static void printNote(llvm::raw_ostream &out) {
  out << "note: the tile blocks synchronise, and other schedules were not checked for races: try "
         "--schedule random, or --schedule exhaustive for small kernels\n";
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
    printNote(out);
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
                   {"schedule", nameOf(options.schedule)},
                   {"seed", std::move(seed)},
                   {"mma", nameOf(options.mma)},
                   {"checks", std::move(checks)},
                   {"blocks_synchronise", report.result.blocksSynchronise}};
  if (report.exhaustive)
    run["exhaustive"] = toJson(*report.exhaustive);
  return run;
}

static json::Object runAsSarif(const LaunchReport &report) {
  json::Object run{{"kernel", jsonText(report.kernel)},
                   {"grid", json::Array{report.grid.x(), report.grid.y(), report.grid.z()}},
                   {"schedule", nameOf(report.options.schedule)},
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
