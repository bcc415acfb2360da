// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks that the debug locations of a kernel are consistent: every operation in an entry must be
// in the entry's own subprogram (types, 10).

#include "tilewright/tile/attributes/DebugInfo.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

//===-- Attributes ------------------------------------------------------------------===//

bool DILocalScopeAttr::classof(Attribute attr) {
  return isa<DILexicalBlockAttr, DISubprogramAttr>(attr);
}

DISubprogramAttr DILocalScopeAttr::getSubprogram() {
  Attribute scope = *this;
  while (auto block = dyn_cast<DILexicalBlockAttr>(scope))
    scope = block.getScope();
  return cast<DISubprogramAttr>(scope);
}

/// `<loc("k.py":6:9) in #scope>`
Attribute DILocAttr::parse(AsmParser &parser, Type) {
  LocationAttr position;
  DILocalScopeAttr scope;
  if (parser.parseLess())
    return {};
  SMLoc positionLoc = parser.getCurrentLocation();
  if (parser.parseAttribute(position))
    return {};
  auto fileLineCol = dyn_cast<FileLineColLoc>(position);
  if (!fileLineCol) {
    parser.emitError(positionLoc) << "expected a file:line:column location, got " << position;
    return {};
  }
  if (parser.parseKeyword("in") || parser.parseAttribute(scope) || parser.parseGreater())
    return {};
  return DILocAttr::get(parser.getContext(), fileLineCol, scope);
}

void DILocAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printer.printAttribute(getSourceLoc());
  printer << " in ";
  printer.printAttribute(getScope());
  printer << ">";
}

DILocAttr tile::effectiveDebugLoc(Location loc) {
  // Depth first. Locations are shared, so each is searched only once.
  SmallVector<LocationAttr> pending = {loc};
  llvm::SmallPtrSet<const void *, 8> seen;
  while (!pending.empty()) {
    LocationAttr next = pending.pop_back_val();
    if (auto debugLoc = dyn_cast<DILocAttr>(next))
      return debugLoc;
    if (!seen.insert(next.getAsOpaquePointer()).second)
      continue;
    llvm::TypeSwitch<LocationAttr>(next)
        .Case([&](CallSiteLoc site) { pending.push_back(site.getCaller()); })
        .Case([&](NameLoc name) { pending.push_back(name.getChildLoc()); })
        .Case([&](OpaqueLoc opaque) { pending.push_back(opaque.getFallbackLocation()); })
        .Case([&](FusedLoc fused) {
          for (Location part : llvm::reverse(fused.getLocations()))
            pending.push_back(part);
        });
  }
  return {};
}

//===-- Rules (the numbers are those of types, 10.2) --------------------------------------===//

/// Rules 1, 2 and 6: the location of the entry itself.
static LogicalResult verifyEntryLocation(EntryOp entry, DILocAttr debugLoc) {
  if (isa<CallSiteLoc>(entry.getLoc()))
    return entry.emitOpError() << "invalid function debug info location: "
                               << LocationAttr(entry.getLoc())
                               << ". Function location must not be a CallSiteLoc.";
  if (!debugLoc)
    return success();
  auto subprogram = dyn_cast<DISubprogramAttr>(debugLoc.getScope());
  if (!subprogram)
    return entry.emitOpError() << "invalid function debug info scope: " << debugLoc.getScope()
                               << ". Function location must have cuda_tile.di_subprogram debug "
                                  "info scope.";
  if (subprogram.getLinkageName() != entry.getSymNameAttr())
    return entry.emitOpError() << "invalid function debug info scope: " << subprogram
                               << ". Function name \"" << entry.getSymName()
                               << "\" does not match subprogram scope linkage name "
                               << subprogram.getLinkageName() << ".";
  return success();
}

/// Rules 3 and 4: the location of an operation in the entry.
static LogicalResult verifyInnerLocation(Operation *op, DISubprogramAttr expected) {
  DILocAttr debugLoc = effectiveDebugLoc(op->getLoc());
  if (!debugLoc)
    return success();
  if (!expected)
    return op->emitOpError() << "invalid operation debug info scope: " << debugLoc.getScope()
                             << ". Operation has debug info scope, but function debug info scope "
                                "is undefined.";
  if (debugLoc.getScope().getSubprogram() != expected)
    return op->emitOpError() << "invalid operation debug info scope: " << debugLoc.getScope()
                             << ". Operation debug info scope does not match function debug info "
                                "scope: "
                             << expected << ".";
  return success();
}

LogicalResult tile::verifyDebugInfo(EntryOp entry) {
  DILocAttr debugLoc = effectiveDebugLoc(entry.getLoc());
  if (failed(verifyEntryLocation(entry, debugLoc)))
    return failure();
  DISubprogramAttr subprogram = debugLoc ? debugLoc.getScope().getSubprogram() : nullptr;
  WalkResult result = entry.getBody().walk(
      [&](Operation *op) { return WalkResult(verifyInnerLocation(op, subprogram)); });
  return failure(result.wasInterrupted());
}

LogicalResult tile::verifyDebugInfo(tile::ModuleOp module) {
  for (Operation &op : module.getBody().getOps())
    if (!isa<EntryOp>(op))
      if (DILocAttr debugLoc = effectiveDebugLoc(op.getLoc()))
        return op.emitOpError() << "invalid operation debug info scope: " << debugLoc.getScope()
                                << ". Global variables must not have scope.";
  return success();
}
