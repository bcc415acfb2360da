// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Explore.h. Both launches start from the same array contents.

#include "tilewright/api/explore/Explore.h"
#include "tilewright/api/explore/Cost.h"
#include "tilewright/api/explore/Runs.h"
#include "tilewright/api/explore/Stages.h"
#include "tilewright/report/Place.h"
#include "tilewright/report/Report.h"

#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace tilewright;
using namespace tilewright::api;
using llvm::StringRef;
using report::jsonText;
using support::Result;
namespace json = llvm::json;

//===-- The document ------------------------------------------------------------------------===//

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

namespace {
/// Everything about one source line.
struct LineRow {
  /// The largest count of the operations on the line; none if it has no operation.
  std::optional<int64_t> executions;
  /// The counters; none if no instruction belongs to the line.
  std::optional<json::Object> counters;
  /// Indices into the findings of the document.
  json::Array findings;
};

class Document {
public:
  explicit Document(const ExploredProgram &program) : sources(program), program(program) {}

  void addCounters(const json::Object &counters);
  void addLaunch(StringRef device, Outcome outcome, llvm::ArrayRef<report::Finding> findings,
                 int64_t unlisted);
  void addFailure(StringRef device, StringRef message);
  void addReference(ReferenceOutcome reference);
  void addStages(ExploredCode code);
  void addCost(const ExploredCode &code, const report::OperationCounts &counts);
  std::string toText(const runtime::Grid &grid, const ExploreOptions &options);

  SourceTable sources;

private:
  void addCoverage(const report::OperationCounts &counts);
  json::Array linesAsJson();

  const ExploredProgram &program;
  std::map<std::pair<std::string, int64_t>, LineRow> lines;
  json::Array findings, operations;
  json::Object devices;
  json::Value counters = nullptr;
  /// Members of the document that are complete.
  json::Object members;
};
} // namespace

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

void Document::addLaunch(StringRef device, Outcome outcome,
                         llvm::ArrayRef<report::Finding> launchFindings, int64_t unlisted) {
  for (const report::Finding &finding : launchFindings) {
    const report::SourcePlace place = report::placeOf(finding.location, program.file());
    if (place.line)
      lines[{place.file, place.line}].findings.push_back(int64_t(findings.size()));
    json::Object object = report::findingAsJson(finding, program.file());
    object["device"] = device;
    findings.push_back(std::move(object));
  }
  devices[device] = json::Object{{"outcome", nameOf(outcome)}, {"unlisted_findings", unlisted}};
}

void Document::addFailure(StringRef device, StringRef message) {
  devices[device] = json::Object{{"failure", jsonText(message)}};
}

void Document::addReference(ReferenceOutcome reference) {
  addCoverage(reference.counts);
  addLaunch("reference", outcomeOf(reference.result), reference.result.findings,
            reference.result.unlistedFindings);
  members["arrays"] = std::move(reference.arrays);
  members["views"] = std::move(reference.views);
  members["trace"] = std::move(reference.trace);
  members["trace_unlisted"] = reference.unlistedTrace;
}

void Document::addCost(const ExploredCode &code, const report::OperationCounts &counts) {
  members["cost"] = costAsJson({code, counts, counters.getAsObject()});
}

void Document::addStages(ExploredCode code) {
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

/// A line for each member: indentation would double the size of a large document.
static std::string membersByLine(json::Object document) {
  std::map<std::string, json::Value> members;
  for (auto &[name, value] : document)
    members.emplace(name.str(), std::move(value));
  std::string text = "{";
  for (const auto &[name, value] : members)
    text += llvm::formatv("{0}\n\"{1}\": {2}", text.size() > 1 ? "," : "", name, value);
  return text + "\n}\n";
}

std::string Document::toText(const runtime::Grid &grid, const ExploreOptions &options) {
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
  return membersByLine(std::move(members));
}

//===-- Exploring ---------------------------------------------------------------------------===//

/// Verifies that the arguments match the parameters, and that the reference machine accepts them.
static Result<void> verify(const Entry &entry, const runtime::Grid &grid,
                           const std::vector<Argument> &arguments) {
  CompileOptions options;
  options.device = Device::Reference;
  const Result<Kernel> kernel = Kernel::compile(entry, options);
  if (!kernel)
    return kernel.failure();
  if (Result<Launch> launch = Launch::create(*kernel, grid, arguments); !launch)
    return launch.failure();
  return {};
}

Result<ExploredKernel> api::exploreKernel(const Entry &entry, const runtime::Grid &grid,
                                          const std::vector<Argument> &arguments,
                                          const ExploreOptions &given) {
  ExploreOptions options = given;
  if (options.target.empty())
    options.target = std::string(nvidia::defaultTarget);
  const Result<nvidia::Target> target = nvidia::Target::named(options.target);
  if (!target)
    return target.failure();
  if (Result<void> verified = verify(entry, grid, arguments); !verified)
    return verified.failure();
  const auto program = ExploredProgram::of(entry);
  if (!program)
    return program.failure();
  const ExploredLaunch launch{**program, grid, arguments};
  Document document(**program);

  Result<ReferenceOutcome> reference = runOnReference(launch);
  if (!reference)
    return reference.failure();
  const Outcome outcome = outcomeOf(reference->result);
  const report::OperationCounts counts = reference->counts;
  document.addReference(*std::move(reference));
  if (const Result<PtxOutcome> ptx = runOnPtx(launch, *target)) {
    document.addLaunch("ptx", ptx->result.outcome, ptx->result.findings,
                       int64_t(ptx->result.unlistedFindings));
    document.addCounters(ptx->counters);
  } else {
    document.addFailure("ptx", ptx.failure().message);
  }
  ExploredCode code = compileStages(**program, *target, document.sources);
  document.addCost(code, counts);
  document.addStages(std::move(code));
  return ExploredKernel{document.toText(grid, options), outcome};
}
