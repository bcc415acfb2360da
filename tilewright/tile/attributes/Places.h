// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source positions in messages.

#ifndef TILEWRIGHT_TILE_ATTRIBUTES_PLACES_H
#define TILEWRIGHT_TILE_ATTRIBUTES_PLACES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include <optional>
#include <string>

namespace tilewright::tile {

class DILocAttr;

/// A source line, and a column counted from 1. Debug information counts the columns of Python files
/// from 0, like Python's module `ast` (docs/decisions/python-columns.md).
struct SourcePosition {
  llvm::StringRef file;
  unsigned line, column;
};

/// The source position of a location; none if there is none, as for operations from bytecode
/// without debug information. Creates no attributes, so that threads that share a context may call
/// it.
std::optional<SourcePosition> sourcePosition(mlir::Location location);
/// The same as MLIR's own location kind, or an unknown location.
mlir::Location plainLocation(mlir::Location location);
mlir::FileLineColLoc plainLocation(DILocAttr debug);
/// `kernel.py:12:3`. For a location without a line: its mark, or the location as MLIR prints it.
std::string locationText(mlir::Location location);

//===-- Places in files without lines -------------------------------------------------------===//

/// The location of an operation in a file: `place` is `byte 0x1C8, entry @k`. The mark cannot be
/// written in text, and is never printed.
mlir::Location markPlace(mlir::Location location, mlir::StringAttr place);
/// Null if the location is not marked.
mlir::StringAttr markedPlace(mlir::Location location);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_ATTRIBUTES_PLACES_H
