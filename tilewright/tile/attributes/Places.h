// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are places in sources named in messages?

#ifndef TILEWRIGHT_TILE_ATTRIBUTES_PLACES_H
#define TILEWRIGHT_TILE_ATTRIBUTES_PLACES_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include <string>

namespace tilewright::tile {

/// The line that the location leads to; null if it leads to none, as that of an operation from
/// bytecode without debug information.
mlir::FileLineColLoc sourcePosition(mlir::Location location);
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
