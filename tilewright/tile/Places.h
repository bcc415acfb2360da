// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How are places in sources named in messages?

#ifndef TILEWRIGHT_TILE_PLACES_H
#define TILEWRIGHT_TILE_PLACES_H

#include "mlir/IR/Location.h"
#include <string>

namespace tilewright::tile {

/// The line that the location leads to; null if it leads to none, as that of an operation from
/// bytecode without debug information.
mlir::FileLineColLoc sourcePosition(mlir::Location location);
/// `kernel.py:12:3`; of a location without a line, `byte 0x1C8, entry @k` or what else it says.
std::string locationText(mlir::Location location);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_PLACES_H
