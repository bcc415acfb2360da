// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds debug scopes to programs without debug information, so that bytecode can store source
// positions: MLIR stores positions without a scope, bytecode only within one. Each module gets a
// compile unit, and each entry a subprogram that contains its operations (types, 10.2).

#include "tilewright/lower/Passes.h"
#include "tilewright/tile/Ops.h"

#include "llvm/Support/Path.h"

namespace tilewright::lower {
#define GEN_PASS_DEF_SYNTHESIZEDEBUGINFOSCOPES
#include "tilewright/lower/Passes.h.inc"
} // namespace tilewright::lower

using namespace mlir;
using namespace tilewright;
using namespace tilewright::tile;

/// Whether a location contains a debug location anywhere, even where it has no effect.
static bool hasDebugLocation(Location location) {
  bool found = false;
  location->walk([&](Location part) {
    found |= isa<DILocAttr>(part);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

/// The first position in a file; null if there is none.
static FileLineColLoc filePosition(Location location) {
  FileLineColLoc position;
  location->walk([&](Location part) {
    if (auto range = dyn_cast<FileLineColRange>(part))
      position =
          FileLineColLoc::get(range.getFilename(), range.getStartLine(), range.getStartColumn());
    return position ? WalkResult::interrupt() : WalkResult::advance();
  });
  return position;
}

static DIFileAttr fileOf(FileLineColLoc position, MLIRContext *context) {
  StringRef path = position ? position.getFilename().getValue() : StringRef("<unknown>");
  return DIFileAttr::get(context, StringAttr::get(context, llvm::sys::path::filename(path)),
                         StringAttr::get(context, llvm::sys::path::parent_path(path)));
}

static void placeInSubprogram(EntryOp entry, DICompileUnitAttr unit) {
  if (hasDebugLocation(entry.getLoc()))
    return;
  MLIRContext *context = entry.getContext();
  FileLineColLoc position = filePosition(entry.getLoc());
  DIFileAttr file = position ? fileOf(position, context) : unit.getFile();
  unsigned line = position ? position.getLine() : 1;
  if (!position)
    position = FileLineColLoc::get(file.getName(), line, 0);
  StringAttr name = entry.getSymNameAttr();
  auto subprogram =
      DISubprogramAttr::get(context, file, line, name, name, unit, /*scopeLine=*/line);
  entry->walk([&](Operation *op) {
    FileLineColLoc own = filePosition(op->getLoc());
    op->setLoc(DILocAttr::get(context, own ? own : position, cast<DILocalScopeAttr>(subprogram)));
  });
}

namespace {
struct SynthesizeDebugInfoScopesPass
    : tilewright::lower::impl::SynthesizeDebugInfoScopesBase<SynthesizeDebugInfoScopesPass> {
  void runOnOperation() override {
    getOperation()->walk([](tile::ModuleOp module) {
      MLIRContext *context = module.getContext();
      auto unit = DICompileUnitAttr::get(context, fileOf(filePosition(module.getLoc()), context));
      if (!module.getBody().empty())
        for (auto entry : module.getBody().getOps<EntryOp>())
          placeInSubprogram(entry, unit);
    });
  }
};
} // namespace
