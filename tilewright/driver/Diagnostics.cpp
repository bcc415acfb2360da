// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Diagnostics.h.

#include "tilewright/driver/Diagnostics.h"
#include "tilewright/driver/Prescan.h"
#include "tilewright/tile/OpTable.h"
#include "tilewright/tile/Ops.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::driver;

Location driver::withoutScopes(Location loc) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](tile::DILocAttr debugLoc) { return debugLoc.getSourceLoc(); });
  return cast<LocationAttr>(replacer.replace(LocationAttr(loc)));
}

/// What the parser cannot know: that a name exists, but needs its prefix here.
static std::string adviceFor(StringRef message) {
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

void SourceDiagnostics::show(Diagnostic &diagnostic) {
  Diagnostic shown(withoutScopes(diagnostic.getLocation()), diagnostic.getSeverity());
  shown << diagnostic.str();
  for (Diagnostic &note : diagnostic.getNotes())
    shown.attachNote(withoutScopes(note.getLocation())) << note.str();
  if (std::string advice = adviceFor(diagnostic.str()); !advice.empty())
    shown.attachNote() << advice;
  emitDiagnostic(shown);
}

LogicalResult driver::verifyHasNoHazard(llvm::SourceMgr &sources, MLIRContext *context) {
  const llvm::MemoryBuffer *text = sources.getMemoryBuffer(sources.getMainFileID());
  std::optional<Hazard> hazard = findHazard(text->getBuffer());
  if (!hazard)
    return success();
  auto [line, column] = sources.getLineAndColumn(llvm::SMLoc::getFromPointer(hazard->place));
  return mlir::emitError(FileLineColLoc::get(context, text->getBufferIdentifier(), line, column))
         << hazard->what;
}
