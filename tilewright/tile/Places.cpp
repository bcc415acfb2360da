// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Places.h.

#include "tilewright/tile/Places.h"
#include "tilewright/tile/Attributes.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::tile;

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

/// What a location says in words: that of an operation from bytecode names its byte.
static mlir::StringAttr placeInFile(mlir::Location location) {
  auto fused = llvm::dyn_cast<mlir::FusedLoc>(location);
  return fused ? llvm::dyn_cast_if_present<mlir::StringAttr>(fused.getMetadata())
               : mlir::StringAttr();
}

std::string tile::locationText(mlir::Location location) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (mlir::FileLineColLoc position = sourcePosition(location))
    os << position.getFilename().getValue() << ":" << position.getLine() << ":"
       << position.getColumn();
  else if (mlir::StringAttr place = placeInFile(location))
    os << place.getValue();
  else
    os << location;
  return text;
}
