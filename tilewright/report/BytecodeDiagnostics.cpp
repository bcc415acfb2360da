// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See BytecodeDiagnostics.h.

#include "tilewright/report/BytecodeDiagnostics.h"
#include "tilewright/report/Diagnostics.h"
#include "tilewright/tile/attributes/Places.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::report;

BytecodeDiagnostics::BytecodeDiagnostics(StringRef file, MLIRContext *context, raw_ostream &out)
    : ScopedDiagnosticHandler(context), file(file), out(out) {
  setHandler([this](Diagnostic &diagnostic) {
    show(diagnostic);
    for (Diagnostic &note : diagnostic.getNotes())
      show(note);
  });
}

static StringRef wordFor(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return "note";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Remark:
    return "remark";
  }
  llvm_unreachable("all severities are listed");
}

static std::string textOf(FileLineColLoc line) {
  return (line.getFilename().strref() + ":" + Twine(line.getLine()) + ":" + Twine(line.getColumn()))
      .str();
}

/// Innermost first: the location in the callee, followed by the call sites.
static void collectSourceLines(Location loc, SmallVectorImpl<FileLineColLoc> &lines) {
  llvm::TypeSwitch<LocationAttr>(loc)
      .Case([&](FileLineColLoc line) { lines.push_back(line); })
      .Case([&](OpaqueLoc marked) { collectSourceLines(marked.getFallbackLocation(), lines); })
      .Case([&](NameLoc name) { collectSourceLines(name.getChildLoc(), lines); })
      .Case([&](CallSiteLoc call) {
        collectSourceLines(call.getCallee(), lines);
        collectSourceLines(call.getCaller(), lines);
      })
      .Case([&](FusedLoc fused) {
        for (Location part : fused.getLocations())
          collectSourceLines(part, lines);
      });
}

/// The source line comes first, as in other diagnostics, because authors look for it.
void BytecodeDiagnostics::show(Diagnostic &diagnostic) {
  StringAttr mark = tile::markedPlace(diagnostic.getLocation());
  std::string inFile = file + (mark ? (": " + mark.getValue()).str() : "");
  SmallVector<FileLineColLoc> lines;
  collectSourceLines(withoutScopes(diagnostic.getLocation()), lines);
  out << (lines.empty() ? inFile : textOf(lines.front())) << ": "
      << wordFor(diagnostic.getSeverity()) << ": " << diagnostic.str() << "\n";
  if (lines.empty())
    return;
  for (FileLineColLoc line : llvm::drop_begin(lines))
    out << "  called from " << textOf(line) << "\n";
  out << "  in " << inFile << "\n";
}
