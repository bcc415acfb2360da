// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Report.h.

#include "tilewright/driver/Report.h"
#include "tilewright/bytecode/Reader.h"
#include "tilewright/numerics/Convert.h"
#include "tilewright/reference/Exhaustive.h"

#include "llvm/Support/FormatVariadic.h"

using namespace tilewright;
using namespace tilewright::driver;
using llvm::StringRef;
using reference::Check;
using reference::Finding;
using reference::FindingKind;
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

//===-- What all forms share ----------------------------------------------------------------===//

StringRef driver::nameOf(FindingKind kind) {
  switch (kind) {
  case FindingKind::FailedAssert:
    return "failed-assertion";
  case FindingKind::Misbehaviour:
    return "misbehaviour";
  case FindingKind::UnspecifiedValue:
    return "unspecified-value";
  case FindingKind::Unsupported:
    return "unsupported";
  case FindingKind::StepLimit:
    return "step-limit";
  }
  llvm_unreachable("every kind has a name");
}

SourcePlace driver::placeOf(mlir::Location location, StringRef file) {
  if (mlir::FileLineColLoc position = reference::sourcePosition(location))
    return {position.getFilename().str(), position.getLine(), position.getColumn(), std::nullopt};
  SourcePlace place;
  place.file = file.str();
  StringRef inBytecode = bytecode::placeOf(location);
  uint64_t byte;
  if (inBytecode.consume_front("byte 0x") && !inBytecode.consumeInteger(16, byte))
    place.byte = byte;
  return place;
}

//===-- For people --------------------------------------------------------------------------===//

/// What the findings hold for, and what is not known.
static void printSummary(const Report &report, llvm::raw_ostream &out) {
  int64_t count = report.findingCount();
  out << count << (count == 1 ? " finding" : " findings");
  if (report.exhaustive) {
    out << (report.exhaustive->limit ? " in those executions that were walked.\n"
                                     : " in all executions.\n");
    return;
  }
  out << " in the schedule '" << nameOf(report.options.schedule) << "'";
  if (report.options.schedule == reference::Schedule::Random)
    out << " with seed " << report.options.seed;
  out << ".";
  // Whether another schedule has a race, only running it can tell (memory model, 11).
  if (report.options.checks.has(Check::Race))
    out << " Only this schedule was judged for races; of others nothing is known.";
  out << "\n";
}

/// What to do about it: a line per check that has found something.
static void printHelp(const Report &report, llvm::raw_ostream &out) {
  for (unsigned i = 0; i < reference::checkCount; ++i)
    if (llvm::any_of(report.result.findings,
                     [&](const Finding &finding) { return finding.check == Check(i); }))
      out << "help: " << nameOf(Check(i)) << ": " << helpOf(Check(i)) << "\n";
}

static std::string toText(const Report &report) {
  std::string text;
  llvm::raw_string_ostream out(text);
  for (const Finding &finding : report.result.findings) {
    // A place in bytecode does not name the file as a source line does.
    std::string line = reference::toString(finding);
    StringRef place = bytecode::placeOf(finding.location);
    if (!place.empty() && StringRef(line).starts_with(place))
      out << report.file << ": ";
    out << line << "\n";
  }
  printHelp(report, out);
  if (report.result.unlistedFindings)
    out << "... and " << report.result.unlistedFindings << " more\n";
  if (report.findingCount())
    printSummary(report, out);
  return text;
}

//===-- For programs ------------------------------------------------------------------------===//

std::string driver::jsonText(StringRef bytes) {
  return json::isUTF8(bytes) ? bytes.str() : json::fixUTF8(bytes);
}

static json::Value orNull(StringRef text) {
  return text.empty() ? json::Value(nullptr) : json::Value(jsonText(text));
}

json::Object driver::placeAsJson(const SourcePlace &place) {
  json::Object object{{"file", jsonText(place.file)}};
  if (place.line) {
    object["line"] = place.line;
    object["column"] = place.column;
  } else if (place.byte) {
    object["byte"] = *place.byte;
  }
  return object;
}

static json::Value asJson(const llvm::APSInt &number) {
  if (number.isSigned())
    return number.getSExtValue();
  return number.getZExtValue();
}

static json::Object toJson(const Finding &finding, StringRef file) {
  json::Array related;
  for (const reference::Related &other : finding.related)
    related.push_back(json::Object{{"message", jsonText(other.message)},
                                   {"location", placeAsJson(placeOf(other.location, file))}});
  json::Array iterations;
  for (const reference::Iteration &iteration : finding.iterations) {
    json::Object row{{"location", placeAsJson(placeOf(iteration.loop, file))},
                     {"number", iteration.number},
                     {"induction_value", nullptr}};
    if (iteration.inductionValue)
      row["induction_value"] = asJson(*iteration.inductionValue);
    iterations.push_back(std::move(row));
  }
  json::Object object{{"kind", nameOf(finding.kind)},
                      {"level", levelOf(finding.kind)},
                      {"check", finding.check ? json::Value(nameOf(*finding.check)) : nullptr},
                      {"rule", finding.check ? json::Value(ruleOf(*finding.check)) : nullptr},
                      {"help", finding.check ? json::Value(helpOf(*finding.check)) : nullptr},
                      {"message", jsonText(finding.message)},
                      {"kernel", jsonText(finding.kernel)},
                      {"block", json::Array{finding.block.x, finding.block.y, finding.block.z}},
                      {"operation", orNull(finding.operation)},
                      {"element", orNull(finding.element)},
                      {"array", orNull(finding.array)},
                      {"array_element", nullptr},
                      {"location", placeAsJson(placeOf(finding.location, file))},
                      {"related", std::move(related)},
                      {"iterations", std::move(iterations)}};
  if (finding.arrayElement >= 0)
    object["array_element"] = finding.arrayElement;
  return object;
}

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

static std::string toJson(const Report &report) {
  const reference::LaunchOptions &options = report.options;
  json::Array checks, findings;
  for (unsigned i = 0; i < reference::checkCount; ++i)
    if (options.checks.has(Check(i)))
      checks.push_back(nameOf(Check(i)));
  for (const Finding &finding : report.result.findings)
    findings.push_back(toJson(finding, report.file));
  json::Value seed = nullptr;
  if (options.schedule == reference::Schedule::Random)
    seed = options.seed;
  json::Object object{{"file", jsonText(report.file)},
                      {"kernel", jsonText(report.kernel)},
                      {"grid", json::Array{report.grid.x(), report.grid.y(), report.grid.z()}},
                      {"schedule", nameOf(options.schedule)},
                      {"seed", std::move(seed)},
                      {"mma", nameOf(options.mma)},
                      {"checks", std::move(checks)},
                      {"exit_status", report.exitStatus},
                      {"findings", std::move(findings)},
                      {"unlisted_findings", report.result.unlistedFindings}};
  if (report.exhaustive)
    object["exhaustive"] = toJson(*report.exhaustive);
  return llvm::formatv("{0:2}\n", json::Value(std::move(object)));
}

std::string Report::toString(ReportFormat format) const {
  switch (format) {
  case ReportFormat::Text:
    return toText(*this);
  case ReportFormat::Json:
    return toJson(*this);
  case ReportFormat::Sarif:
    return toSarif(*this);
  }
  llvm_unreachable("every format has a form");
}
