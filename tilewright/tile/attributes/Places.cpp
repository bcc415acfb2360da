// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Places.h.

#include "tilewright/tile/attributes/Places.h"
#include "tilewright/tile/attributes/Attributes.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::tile;

namespace tilewright::tile {
/// What the opaque locations of marks point to: the place, a StringAttr that the context owns.
struct Mark;
} // namespace tilewright::tile

mlir::FileLineColLoc tile::sourcePosition(mlir::Location location) {
  if (DILocAttr debug = effectiveDebugLoc(location))
    return debug.getSourceLoc();
  // The first: a location may be a call site, a name or a fusion of several.
  mlir::FileLineColLoc found;
  location->walk([&](mlir::Location part) {
    found = llvm::dyn_cast<mlir::FileLineColLoc>(part);
    return found ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return found;
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
  if (mlir::FileLineColLoc position = sourcePosition(location))
    os << position.getFilename().getValue() << ":" << position.getLine() << ":"
       << position.getColumn();
  else if (mlir::StringAttr place = markedPlace(location))
    os << place.getValue();
  else
    os << location;
  return text;
}
