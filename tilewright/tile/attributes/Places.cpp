// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Places.h.

#include "tilewright/tile/attributes/Places.h"
#include "tilewright/tile/attributes/Attributes.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::tile;

namespace tilewright::tile {
/// The type behind the opaque locations of marks: the place, a StringAttr that the context owns.
struct Mark;
} // namespace tilewright::tile

/// Notebook cells are named `<ipython-input-1-0123>`, or like files.
static bool isPython(llvm::StringRef file) { return file.ends_with(".py") || file.ends_with(">"); }

static SourcePosition positionOf(mlir::FileLineColLoc line) {
  return {line.getFilename().getValue(), line.getLine(), line.getColumn()};
}

static SourcePosition positionOf(DILocAttr debug) {
  SourcePosition position = positionOf(debug.getSourceLoc());
  if (isPython(position.file) && position.column < UINT32_MAX)
    ++position.column;
  return position;
}

std::optional<SourcePosition> tile::sourcePosition(mlir::Location location) {
  if (DILocAttr debug = effectiveDebugLoc(location))
    return positionOf(debug);
  // The first position: a location may be a call site, a name or a fusion of several.
  mlir::FileLineColLoc found;
  location->walk([&](mlir::Location part) {
    found = llvm::dyn_cast<mlir::FileLineColLoc>(part);
    return found ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return found ? std::optional(positionOf(found)) : std::nullopt;
}

static mlir::FileLineColLoc locationOf(SourcePosition position, mlir::MLIRContext *context) {
  return mlir::FileLineColLoc::get(context, position.file, position.line, position.column);
}

mlir::FileLineColLoc tile::plainLocation(DILocAttr debug) {
  return locationOf(positionOf(debug), debug.getContext());
}

mlir::Location tile::plainLocation(mlir::Location location) {
  if (std::optional<SourcePosition> position = sourcePosition(location))
    return locationOf(*position, location.getContext());
  return mlir::UnknownLoc::get(location.getContext());
}

mlir::Location tile::markPlace(mlir::Location location, mlir::StringAttr place) {
  return mlir::OpaqueLoc::get(static_cast<const Mark *>(place.getAsOpaquePointer()), location);
}

mlir::StringAttr tile::markedPlace(mlir::Location location) {
  const void *place = mlir::OpaqueLoc::getUnderlyingLocationOrNull<const Mark *>(location);
  return place ? llvm::cast<mlir::StringAttr>(mlir::Attribute::getFromOpaquePointer(place))
               : mlir::StringAttr();
}

std::string tile::locationText(mlir::Location location) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (std::optional<SourcePosition> position = sourcePosition(location))
    os << position->file << ":" << position->line << ":" << position->column;
  else if (mlir::StringAttr place = markedPlace(location))
    os << place.getValue();
  else
    os << location;
  return text;
}
