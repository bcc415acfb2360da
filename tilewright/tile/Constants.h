// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known about a value because a constant defines it. In a module body, where order
// carries no meaning, the constant may not be verified yet: nothing is taken for granted.

#ifndef TILEWRIGHT_TILE_CONSTANTS_H
#define TILEWRIGHT_TILE_CONSTANTS_H

#include "tilewright/tile/Ops.h"

namespace tilewright::tile {

/// The literal values of a tile, when it is a constant.
inline mlir::DenseElementsAttr constantElements(mlir::Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  return constant ? llvm::dyn_cast_if_present<mlir::DenseElementsAttr>(
                        mlir::Attribute(constant.getValueAttr()))
                  : mlir::DenseElementsAttr();
}

/// The one value of all elements of a constant integer tile, read as signed.
inline std::optional<int64_t> constantInteger(mlir::Value value) {
  mlir::DenseElementsAttr elements = constantElements(value);
  if (!elements || !elements.isSplat() || !elements.getElementType().isSignlessInteger() ||
      elements.getElementType().getIntOrFloatBitWidth() > 64)
    return std::nullopt;
  return elements.getSplatValue<llvm::APInt>().getSExtValue();
}

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_CONSTANTS_H
