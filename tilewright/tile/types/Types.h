// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of the dialect (types, 4 to 6).

#ifndef TILEWRIGHT_TILE_TYPES_TYPES_H
#define TILEWRIGHT_TILE_TYPES_TYPES_H

#include "tilewright/numerics/Format.h"
#include "tilewright/tile/attributes/Attributes.h"

#include "mlir/IR/BuiltinTypes.h"

namespace tilewright::tile {

class TensorViewType;
class TileType;

/// The format of a number, i4 or pointer type; none for any other type.
std::optional<numerics::Format> formatOf(mlir::Type elementType);

/// The builtin type of a number format or i4.
mlir::Type typeOf(numerics::Format format, mlir::MLIRContext *context);

/// Whether memory can hold elements of this type: a Number (types, 2.8).
bool isNumber(mlir::Type type);

/// The short form: `tile<4xf32>` where MLIR would write `!cuda_tile.tile<4xf32>` (types, 3).
mlir::ParseResult parseShortType(mlir::AsmParser &parser, mlir::Type &type);
void printShortType(mlir::AsmPrinter &printer, mlir::Type type);

} // namespace tilewright::tile

#include "tilewright/tile/types/TypeInterfaces.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tilewright/tile/types/Types.h.inc"

#endif // TILEWRIGHT_TILE_TYPES_TYPES_H
