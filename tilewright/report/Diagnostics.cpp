// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Diagnostics.h.

#include "tilewright/report/Diagnostics.h"
#include "tilewright/tile/Ops.h"
#include "tilewright/tile/attributes/Places.h"
#include "tilewright/tile/table/OpTable.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::report;

Location report::withoutScopes(Location loc) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](tile::DILocAttr debugLoc) { return tile::plainLocation(debugLoc); });
  return cast<LocationAttr>(replacer.replace(LocationAttr(loc)));
}

/// The dialect that the parser reports as missing; empty if the message is about something else.
static StringRef missingDialect(StringRef message) {
  // Dialect `func' not found for custom op 'func.func'
  if (message.consume_front("Dialect `"))
    return message.contains("' not found") ? message.split("'").first : "";
  // #"gpu"<"..."> : 'none' attribute created with unregistered dialect
  // `!"gpu"<"...">` type created with unregistered dialect
  if (!message.contains("created with unregistered dialect"))
    return "";
  message = message.ltrim("`#!");
  return message.consume_front("\"") ? message.split("\"").first : "";
}

/// Programs over vectors are read by other commands (layout/README.md).
static std::string adviceForDialect(StringRef dialect) {
  static constexpr StringRef ofVectorPrograms[] = {
      "affine", "arith", "func",   "gpu", "iree_vector_ext", "math", "memref",
      "nvgpu",  "scf",   "tensor", "ub",  "vector"};
  if (!llvm::is_contained(ofVectorPrograms, dialect))
    return "";
  return ("'" + dialect +
          "' is not part of Tile IR: programs over vectors are for 'tilewright distribute', "
          "'tilewright simt' and 'tilewright-opt'")
      .str();
}

/// Advice that the parser cannot give: that a name exists but needs its prefix here, or that
/// another command reads such files.
static std::string adviceFor(StringRef message) {
  if (StringRef dialect = missingDialect(message); !dialect.empty())
    return adviceForDialect(dialect);
  auto [before, tried] = message.split("is unknown (tried 'builtin.");
  StringRef mnemonic = tried.split("'").first;
  if (mnemonic.empty() || !tile::findOp(mnemonic))
    return "";
  return ("here it is written with its prefix: 'cuda_tile." + mnemonic + "'").str();
}

SourceDiagnostics::SourceDiagnostics(llvm::SourceMgr &sources, MLIRContext *context,
                                     raw_ostream &out)
    : SourceMgrDiagnosticHandler(sources, context, out) {
  setHandler([this](Diagnostic &diagnostic) { show(diagnostic); });
}

Location SourceDiagnostics::shownPlaceOf(Location location) const {
  return withoutScopes(origin ? origin(location) : location);
}

void SourceDiagnostics::show(Diagnostic &diagnostic) {
  Diagnostic shown(shownPlaceOf(diagnostic.getLocation()), diagnostic.getSeverity());
  shown << diagnostic.str();
  for (Diagnostic &note : diagnostic.getNotes())
    shown.attachNote(shownPlaceOf(note.getLocation())) << note.str();
  if (std::string advice = adviceFor(diagnostic.str()); !advice.empty())
    shown.attachNote() << advice;
  emitDiagnostic(shown);
}
