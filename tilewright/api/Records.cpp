// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Records.h.

#include "tilewright/api/Records.h"
#include "tilewright/reference/machine/Checks.h"
#include "tilewright/report/Diagnostics.h"
#include "tilewright/report/Place.h"
#include "tilewright/tile/attributes/Places.h"

using namespace tilewright;
using namespace tilewright::api;
using llvm::StringRef;

//===-- Places ------------------------------------------------------------------------------===//

/// The number after `byte 0x` at the start of the text.
static std::optional<int64_t> byteOf(StringRef text) {
  uint64_t byte;
  if (!text.consume_front("byte 0x") || text.consumeInteger(16, byte))
    return std::nullopt;
  return int64_t(byte);
}

Place api::placeOf(mlir::Location location, StringRef file) {
  report::SourcePlace known = report::placeOf(location, file);
  Place place{known.file, known.line, known.column};
  if (mlir::StringAttr mark = tile::markedPlace(location))
    place.byte = byteOf(mark.getValue());
  return place;
}

std::string api::textOf(const Place &place) {
  std::string text = place.file;
  if (place.line)
    text += ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
  else if (place.byte)
    text += ": byte " + std::to_string(*place.byte);
  return text;
}

/// Parses `kernel.py:12:3`, the form of assertion places in compiled code. Empty for
/// `loc(unknown)`, the place of an assertion from bytecode without debug information.
static Place placeOf(StringRef text) {
  auto [rest, column] = text.rsplit(':');
  auto [file, line] = rest.rsplit(':');
  Place place;
  if (line.getAsInteger(10, place.line) || column.getAsInteger(10, place.column))
    return {};
  place.file = file.str();
  return place;
}

//===-- Diagnostics -------------------------------------------------------------------------===//

static Severity severityOf(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Error:
    return Severity::Error;
  case mlir::DiagnosticSeverity::Warning:
    return Severity::Warning;
  case mlir::DiagnosticSeverity::Note:
  case mlir::DiagnosticSeverity::Remark:
    return Severity::Remark;
  }
  llvm_unreachable("all severities are listed");
}

DiagnosticRecorder::DiagnosticRecorder(mlir::MLIRContext *context, StringRef file,
                                       std::vector<Diagnostic> *list, Origin origin)
    : ScopedDiagnosticHandler(context), file(file), origin(std::move(origin)) {
  setHandler([this, list](mlir::Diagnostic &diagnostic) {
    if (list) {
      Diagnostic record{severityOf(diagnostic.getSeverity()), placeOf(diagnostic.getLocation()),
                        diagnostic.str()};
      for (mlir::Diagnostic &note : diagnostic.getNotes())
        record.notes.push_back({placeOf(note.getLocation()), note.str()});
      list->push_back(std::move(record));
    }
    return llvm::failure(); // not handled: the next handler prints it
  });
}

Place DiagnosticRecorder::placeOf(mlir::Location location) const {
  // A diagnostic within inlined code is shown at the callee.
  return api::placeOf(report::withoutScopes(origin ? origin(location) : location), file);
}

Diagnostic api::malformed(mlir::Location location, StringRef file, StringRef message) {
  Place place = placeOf(report::withoutScopes(location), file);
  place.byte = byteOf(message);
  return {Severity::Error, place, message.str()};
}

//===-- Findings ----------------------------------------------------------------------------===//

static FindingKind kindOf(report::FindingKind kind) {
  switch (kind) {
  case report::FindingKind::FailedAssert:
    return FindingKind::FailedAssert;
  case report::FindingKind::Misbehaviour:
    return FindingKind::Misbehaviour;
  case report::FindingKind::UnspecifiedValue:
    return FindingKind::UnspecifiedValue;
  case report::FindingKind::SuspiciousValue:
    return FindingKind::SuspiciousValue;
  case report::FindingKind::Unsupported:
    return FindingKind::Unsupported;
  case report::FindingKind::StepLimit:
    return FindingKind::StepLimit;
  case report::FindingKind::Deadlock:
    return FindingKind::Deadlock;
  case report::FindingKind::Difference:
  case report::FindingKind::InvalidProgram:
  case report::FindingKind::SuspiciousProgram:
    break;
  }
  llvm_unreachable("a launch runs one valid program");
}

Finding api::toFinding(const report::Finding &finding, StringRef file) {
  Finding record{kindOf(finding.kind), report::isWarning(finding.kind), finding.message,
                 report::toString(finding), placeOf(finding.location, file)};
  if (record.place.byte && !record.place.line)
    record.text = record.place.file + ": " + record.text; // a text with a line already has it
  if (finding.rule) {
    record.rule = finding.rule->id.str();
    record.section = finding.rule->section.str();
    record.help = finding.rule->help.str();
  }
  record.kernel = finding.kernel;
  record.block = {finding.block.x, finding.block.y, finding.block.z};
  record.operation = finding.operation;
  record.element = finding.element;
  record.array = finding.array;
  if (finding.arrayElement >= 0)
    record.arrayElement = finding.arrayElement;
  record.schedule = finding.schedule;
  for (const report::Related &related : finding.related)
    record.related.push_back({placeOf(related.location, file), related.message});
  for (const report::Iteration &iteration : finding.iterations)
    record.related.push_back({placeOf(iteration.loop, file), report::toString(iteration)});
  return record;
}

Finding api::toFinding(const runtime::FailedAssert &failed, StringRef kernel) {
  std::string text = runtime::toString(failed);
  const report::Rule &rule = reference::ruleOf(reference::Check::Assert);
  Finding record{FindingKind::FailedAssert, rule.isWarning,
                 text.substr(failed.location.size() + StringRef(": error: ").size()), text,
                 ::placeOf(failed.location)};
  record.rule = rule.id.str();
  record.section = rule.section.str();
  record.help = rule.help.str();
  record.kernel = kernel.str();
  record.block = {failed.block.x, failed.block.y, failed.block.z};
  record.element = failed.element;
  return record;
}
