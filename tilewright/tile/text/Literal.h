// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dense values in `constant` and `global`: <f32: [1.0, 2.0]> (types, 11).

#ifndef TILEWRIGHT_TILE_TEXT_LITERAL_H
#define TILEWRIGHT_TILE_TEXT_LITERAL_H

#include "tilewright/tile/types/Types.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"

namespace tilewright::tile {

/// The number that a constant's value represents; for f8E5M3FNU, the value contains only its bits.
llvm::APFloat numberIn(mlir::Type elementType, const llvm::APFloat &held);

/// `[V : T, ...]`, numbers with their types. MLIR parses and prints all but f8E5M3FNU.
mlir::ParseResult parseNumbers(mlir::OpAsmParser &parser, mlir::ArrayAttr &values);
void printNumbers(mlir::OpAsmPrinter &printer, mlir::ArrayAttr values);

/// `<E: body> : tile<...>`
mlir::ParseResult parseLiteral(mlir::OpAsmParser &parser, mlir::DenseElementsAttr &value);
void printLiteral(mlir::OpAsmPrinter &printer, mlir::DenseElementsAttr value);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_TEXT_LITERAL_H
