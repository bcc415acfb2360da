// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The values of constants. In a module body, where the order of operations has no meaning, a
// constant may not be verified yet: these functions assume nothing about it.

#ifndef TILEWRIGHT_TILE_CONSTANTS_H
#define TILEWRIGHT_TILE_CONSTANTS_H

#include "tilewright/tile/Ops.h"

namespace tilewright::tile {

/// The literal values of a tile; null if it is not a constant.
inline mlir::DenseElementsAttr constantElements(mlir::Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  return constant ? llvm::dyn_cast_if_present<mlir::DenseElementsAttr>(
                        mlir::Attribute(constant.getValueAttr()))
                  : mlir::DenseElementsAttr();
}

/// The value of a constant integer tile whose elements are all equal, as signed.
inline std::optional<int64_t> constantInteger(mlir::Value value) {
  mlir::DenseElementsAttr elements = constantElements(value);
  if (!elements || !elements.isSplat() || !elements.getElementType().isSignlessInteger() ||
      elements.getElementType().getIntOrFloatBitWidth() > 64)
    return std::nullopt;
  return elements.getSplatValue<llvm::APInt>().getSExtValue();
}

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_CONSTANTS_H
