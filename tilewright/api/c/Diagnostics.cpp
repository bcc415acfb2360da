// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// twDiagnostics: the diagnostics about a program, as text and one by one.

#include "tilewright/api/c/Common.h"

using namespace tilewright;
using namespace tilewright::api::c;

static twSeverity severityOf(api::Severity severity) {
  switch (severity) {
  case api::Severity::Error:
    return TW_ERROR;
  case api::Severity::Warning:
    return TW_WARNING;
  case api::Severity::Remark:
    return TW_REMARK;
  }
  llvm_unreachable("all severities are listed");
}

const char *twDiagnosticsText(const twDiagnostics *diagnostics) {
  return diagnostics ? diagnostics->all.text.c_str() : "";
}

size_t twDiagnosticsCount(const twDiagnostics *diagnostics) {
  return diagnostics ? diagnostics->all.list.size() : 0;
}

twStatus twDiagnosticsGet(const twDiagnostics *diagnostics, size_t index,
                          twDiagnostic *diagnostic) {
  if (!diagnostic || index >= twDiagnosticsCount(diagnostics))
    return TW_USAGE;
  const api::Diagnostic &found = diagnostics->all.list[index];
  return fillStruct(diagnostic,
                    {0, severityOf(found.severity), placeOf(found.place), found.message.c_str()});
}

void twDiagnosticsDestroy(twDiagnostics *diagnostics) { delete diagnostics; }
