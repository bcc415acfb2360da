// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/Finding.h"
#include "tilewright/tile/Attributes.h"
#include "llvm/Support/raw_ostream.h"

using namespace tilewright;
using namespace tilewright::reference;

/// The first position in a file: a location may be a call site, a name or a fusion of
/// several.
static mlir::FileLineColLoc filePosition(mlir::Location location) {
  if (tile::DILocAttr debug = tile::effectiveDebugLoc(location))
    return debug.getSourceLoc();
  mlir::FileLineColLoc found;
  location->walk([&](mlir::Location part) {
    found = llvm::dyn_cast<mlir::FileLineColLoc>(part);
    return found ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return found;
}

std::string reference::locationText(mlir::Location location) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (mlir::FileLineColLoc position = filePosition(location))
    os << position.getFilename().getValue() << ":" << position.getLine() << ":"
       << position.getColumn();
  else
    os << location;
  return text;
}

std::string reference::toString(const Finding &finding) {
  return locationText(finding.location) + ": error: " + finding.message;
}
