// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts diagnostics and findings to the Python records of tilewright/_records.py.

#include "Native.h"

#include <cstring>

using namespace tilewright;
using namespace tilewright::python;

nb::object python::record(const char *name) {
  return nb::module_::import_("tilewright._records").attr(name);
}

/// Kernels may print and contain arbitrary bytes, so invalid UTF-8 is replaced.
static nb::str textOf(const char *text) {
  return nb::steal<nb::str>(PyUnicode_DecodeUTF8(text, Py_ssize_t(strlen(text)), "replace"));
}

static nb::object placeOf(const twPlace &place) {
  return record("Place")(textOf(place.file), place.line, place.column, place.byte);
}

static const char *nameOf(twSeverity severity) {
  switch (severity) {
  case TW_ERROR:
    return "error";
  case TW_WARNING:
    return "warning";
  case TW_REMARK:
    return "remark";
  }
  return "error";
}

static const char *nameOf(twFindingKind kind) {
  switch (kind) {
  case TW_FAILED_ASSERT:
    return "failed assert";
  case TW_MISBEHAVIOUR:
    return "misbehaviour";
  case TW_UNSPECIFIED_VALUE:
    return "unspecified value";
  case TW_SUSPICIOUS_VALUE:
    return "suspicious value";
  case TW_UNSUPPORTED:
    return "unsupported";
  case TW_STEP_LIMIT:
    return "step limit";
  case TW_DEADLOCK:
    return "deadlock";
  }
  return "misbehaviour";
}

static nb::list listOf(const twDiagnostics *diagnostics) {
  nb::list list;
  const nb::object create = record("Diagnostic");
  for (size_t i = 0, count = twDiagnosticsCount(diagnostics); i < count; ++i) {
    twDiagnostic diagnostic = {};
    diagnostic.size = sizeof diagnostic;
    twDiagnosticsGet(diagnostics, i, &diagnostic);
    list.append(
        create(nameOf(diagnostic.severity), textOf(diagnostic.message), placeOf(diagnostic.place)));
  }
  return list;
}

nb::list python::findingsOf(const twLaunchHandle *launch) {
  nb::list list;
  const nb::object create = record("Finding");
  for (size_t i = 0, count = twLaunchFindingCount(launch); i < count; ++i) {
    twFinding finding = {};
    finding.size = sizeof finding;
    twLaunchFinding(launch, i, &finding);
    list.append(create(nameOf(finding.kind), nameOf(finding.severity), textOf(finding.message),
                       textOf(finding.text), placeOf(finding.place), textOf(finding.rule),
                       textOf(finding.section), textOf(finding.help), textOf(finding.kernel),
                       nb::make_tuple(finding.block[0], finding.block[1], finding.block[2]),
                       textOf(finding.operation), textOf(finding.element), textOf(finding.array),
                       finding.arrayElement, textOf(finding.schedule)));
  }
  return list;
}

static nb::object elementOf(const twLaunchHandle *launch, size_t outcome, size_t index) {
  twChangedElement element = {};
  element.size = sizeof element;
  twLaunchOutcomeElement(launch, outcome, index, &element);
  return record("changed_element")(textOf(element.array), element.element, unsigned(element.type),
                                   element.isUndefined != 0, element.bits);
}

nb::object python::explorationOf(const twLaunchHandle *launch) {
  nb::list outcomes;
  for (size_t i = 0, count = twLaunchOutcomeCount(launch); i < count; ++i) {
    nb::list outcome;
    for (size_t j = 0, size = twLaunchOutcomeSize(launch, i); j < size; ++j)
      outcome.append(elementOf(launch, i, j));
    outcomes.append(outcome);
  }
  const char *limit = twLaunchExplorationLimit(launch);
  return record("Exploration")(twLaunchExecutionCount(launch), outcomes,
                               limit ? nb::object(textOf(limit)) : nb::none());
}

nb::object python::recordOf(const twTraceRecord &line) {
  return record("TraceRecord")(placeOf(line.place),
                               nb::make_tuple(line.block[0], line.block[1], line.block[2]),
                               line.thread, textOf(line.operation), textOf(line.text));
}

void python::report(twStatus status, const twDiagnostics *diagnostics, nb::object findings,
                    nb::object exploration) {
  record("report")(int(status), textOf(twDiagnosticsText(diagnostics)), listOf(diagnostics),
                   findings, exploration);
}
