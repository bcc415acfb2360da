// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Explore.h. Both launches start from the same array contents: SavedArrays restores them after
// each one.

#include "tilewright/api/explore/Explore.h"
#include "tilewright/nvidia/Target.h"
#include "tilewright/report/Place.h"

#include "llvm/Support/FormatVariadic.h"
#include <map>

using namespace tilewright;
using namespace tilewright::api;
using llvm::StringRef;
using report::jsonText;
using support::Result;
namespace json = llvm::json;

//===-- Launches ----------------------------------------------------------------------------===//

namespace {
/// Restores the contents of all arrays when it is destroyed.
class SavedArrays {
public:
  explicit SavedArrays(const std::vector<Argument> &arguments) {
    for (const Argument &argument : arguments)
      if (const auto *array = std::get_if<Array>(&argument))
        save(*array);
      else if (const auto *multicast = std::get_if<Multicast>(&argument))
        for (const Array &copy : multicast->copies)
          save(copy);
  }
  SavedArrays(const SavedArrays &) = delete;
  SavedArrays &operator=(const SavedArrays &) = delete;
  ~SavedArrays() {
    for (const auto &[memory, bytes] : saved)
      std::copy(bytes.begin(), bytes.end(), memory.begin());
  }

private:
  /// Links form no cycle, because an array holds its targets by value.
  void save(const Array &array) {
    const std::span<uint8_t> memory = array.bytes();
    saved.push_back({memory, {memory.begin(), memory.end()}});
    for (const Link &link : array.links())
      save(link.target);
  }

  std::vector<std::pair<std::span<uint8_t>, std::vector<uint8_t>>> saved;
};
} // namespace

static Result<LaunchResult> launch(const Kernel &kernel, const runtime::Grid &grid,
                                   const std::vector<Argument> &arguments, LaunchOptions options) {
  const SavedArrays saved(arguments);
  options.output = [](std::string_view) {};
  Result<Launch> launch = Launch::create(kernel, grid, arguments, options);
  return launch ? launch->run() : launch.failure();
}

//===-- Findings ----------------------------------------------------------------------------===//

static StringRef nameOf(FindingKind kind) {
  switch (kind) {
  case FindingKind::FailedAssert:
    return "failed-assertion";
  case FindingKind::Misbehaviour:
    return "misbehaviour";
  case FindingKind::UnspecifiedValue:
    return "unspecified-value";
  case FindingKind::SuspiciousValue:
    return "suspicious-value";
  case FindingKind::Unsupported:
    return "unsupported";
  case FindingKind::StepLimit:
    return "step-limit";
  case FindingKind::Deadlock:
    return "deadlock";
  }
  llvm_unreachable("every kind has a name");
}

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

static json::Value textOrNull(StringRef text) {
  return text.empty() ? json::Value(nullptr) : json::Value(jsonText(text));
}

static json::Object toJson(const Place &place) {
  return report::toJson(report::SourcePlace{place.file, place.line, place.column, place.byte});
}

static json::Object toJson(const Finding &finding, StringRef device) {
  json::Array related;
  for (const Note &note : finding.related)
    related.push_back(
        json::Object{{"message", jsonText(note.message)}, {"location", toJson(note.place)}});
  json::Object object{{"device", device},
                      {"kind", nameOf(finding.kind)},
                      {"level", finding.isWarning ? "warning" : "error"},
                      {"check", textOrNull(finding.rule)},
                      {"rule", textOrNull(finding.section)},
                      {"help", textOrNull(finding.help)},
                      {"message", jsonText(finding.message)},
                      {"block", json::Array(finding.block)},
                      {"operation", textOrNull(finding.operation)},
                      {"element", textOrNull(finding.element)},
                      {"array", textOrNull(finding.array)},
                      {"array_element", nullptr},
                      {"location", toJson(finding.place)},
                      {"related", std::move(related)}};
  if (finding.arrayElement)
    object["array_element"] = *finding.arrayElement;
  return object;
}

//===-- The document ------------------------------------------------------------------------===//

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
  void addCoverage(const json::Object &kernel);
  void addCounters(const json::Object &counters);
  void addLaunch(StringRef device, const LaunchResult &result);
  void addFailure(StringRef device, StringRef message);
  std::string toText(const Entry &entry, const runtime::Grid &grid, const ExploreOptions &options);

private:
  json::Array linesAsJson();

  std::map<std::pair<std::string, int64_t>, LineRow> lines;
  json::Array findings, operations;
  json::Object devices;
  json::Value counters = nullptr;
};
} // namespace

void Document::addCoverage(const json::Object &kernel) {
  operations = *kernel.getArray("operations");
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

void Document::addLaunch(StringRef device, const LaunchResult &result) {
  for (const Finding &finding : result.findings) {
    if (finding.place.line)
      lines[{finding.place.file, finding.place.line}].findings.push_back(int64_t(findings.size()));
    findings.push_back(toJson(finding, device));
  }
  devices[device] = json::Object{{"outcome", nameOf(result.outcome)},
                                 {"unlisted_findings", result.unlistedFindings}};
}

void Document::addFailure(StringRef device, StringRef message) {
  devices[device] = json::Object{{"failure", jsonText(message)}};
}

json::Array Document::linesAsJson() {
  json::Array rows;
  for (auto &[place, row] : lines) {
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

std::string Document::toText(const Entry &entry, const runtime::Grid &grid,
                             const ExploreOptions &options) {
  json::Value source = nullptr;
  if (!options.text.empty())
    source = json::Object{{"file", jsonText(options.file)}, {"text", jsonText(options.text)}};
  const json::Object document{{"version", 1},
                              {"kernel", jsonText(entry.name())},
                              {"grid", json::Array{grid.x(), grid.y(), grid.z()}},
                              {"target", options.target},
                              {"source", std::move(source)},
                              {"devices", std::move(devices)},
                              {"lines", linesAsJson()},
                              {"operations", std::move(operations)},
                              {"findings", std::move(findings)},
                              {"counters", std::move(counters)}};
  return llvm::formatv("{0:2}\n", json::Value(json::Object(document))).str();
}

//===-- Exploring ---------------------------------------------------------------------------===//

/// Parses JSON that this library wrote.
static json::Object parsed(StringRef text) {
  return std::move(*llvm::cantFail(json::parse(text)).getAsObject());
}

/// Launches on the reference machine, with coverage.
static Result<Outcome> addReference(Document &document, const Entry &entry,
                                    const runtime::Grid &grid,
                                    const std::vector<Argument> &arguments) {
  CompileOptions options;
  options.device = Device::Reference;
  Result<Kernel> kernel = Kernel::compile(entry, options);
  if (!kernel)
    return kernel.failure();
  LaunchOptions launchOptions;
  launchOptions.report = Report({.coverage = true});
  Result<LaunchResult> result = launch(*kernel, grid, arguments, launchOptions);
  if (!result)
    return result.failure();
  Result<std::string> coverage = launchOptions.report->toText(ReportForm::CoverageJson);
  if (!coverage)
    return coverage.failure();
  document.addCoverage(*parsed(*coverage).getArray("kernels")->front().getAsObject());
  document.addLaunch("reference", *result);
  return result->outcome;
}

/// Launches on the PTX machine, with counters.
static Result<void> addPtx(Document &document, const Entry &entry, const runtime::Grid &grid,
                           const std::vector<Argument> &arguments, const CompileOptions &options) {
  Result<Kernel> kernel = Kernel::compile(entry, options);
  if (!kernel)
    return kernel.failure();
  Result<LaunchResult> result = launch(*kernel, grid, arguments, {});
  if (!result)
    return result.failure();
  document.addLaunch("ptx", *result);
  if (!result->counters.empty())
    document.addCounters(parsed(result->counters));
  return {};
}

Result<ExploredKernel> api::exploreKernel(const Entry &entry, const runtime::Grid &grid,
                                          const std::vector<Argument> &arguments,
                                          const ExploreOptions &given) {
  ExploreOptions options = given;
  if (options.target.empty())
    options.target = std::string(nvidia::defaultTarget);
  CompileOptions compile;
  compile.device = Device::Ptx;
  compile.target = options.target;
  compile.counters = true;
  if (Result<void> verified = compile.verify(); !verified)
    return verified.failure();
  Document document;
  Result<Outcome> outcome = addReference(document, entry, grid, arguments);
  if (!outcome)
    return outcome.failure();
  if (Result<void> ran = addPtx(document, entry, grid, arguments, compile); !ran)
    document.addFailure("ptx", ran.failure().message);
  return ExploredKernel{document.toText(entry, grid, options), *outcome};
}
