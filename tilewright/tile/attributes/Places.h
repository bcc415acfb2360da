// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are places in sources named in messages?

#ifndef TILEWRIGHT_TILE_ATTRIBUTES_PLACES_H
#define TILEWRIGHT_TILE_ATTRIBUTES_PLACES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include <optional>
#include <string>

namespace tilewright::tile {

class DILocAttr;

/// A line of a source, and a column that counts from 1. Debug information has the columns of Python
/// files as Python's module `ast`, from 0 (docs/decisions/python-columns.md).
struct SourcePosition {
  llvm::StringRef file;
  unsigned line, column;
};

/// The line that the location leads to; none for that of an operation from bytecode without debug
/// information. Makes no attribute, so that threads that share a context may ask.
std::optional<SourcePosition> sourcePosition(mlir::Location location);
/// The same as MLIR's own kind of location, or an unknown one.
mlir::Location plainLocation(mlir::Location location);
mlir::FileLineColLoc plainLocation(DILocAttr debug);
/// `kernel.py:12:3`; of a location without a line its mark, or the location as it is printed.
std::string locationText(mlir::Location location);

//===-- Places in files without lines -------------------------------------------------------===//

/// The location of what stands at this place, `byte 0x1C8, entry @k`. No text can spell the
/// mark, and no printer prints it.
mlir::Location markPlace(mlir::Location location, mlir::StringAttr place);
/// Null if the location is not marked.
mlir::StringAttr markedPlace(mlir::Location location);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_ATTRIBUTES_PLACES_H
