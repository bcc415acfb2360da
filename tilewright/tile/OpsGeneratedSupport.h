// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers for the type rules in operation records.

#ifndef TILEWRIGHT_TILE_OPSGENERATEDSUPPORT_H
#define TILEWRIGHT_TILE_OPSGENERATEDSUPPORT_H

#include "tilewright/tile/types/Types.h"

namespace tilewright::tile {

/// The i1 tile of the same shape; null for a type that is not a tile.
inline mlir::Type i1SameShape(mlir::Type type) {
  auto tile = llvm::dyn_cast_if_present<TileType>(type);
  if (!tile)
    return {};
  return tile.withElementType(mlir::IntegerType::get(type.getContext(), 1));
}

/// The tensor view of a tile view; null for a type that is not a view.
inline mlir::Type tensorViewOf(mlir::Type type) {
  auto view = llvm::dyn_cast_if_present<TileView>(type);
  return view ? mlir::Type(view.getTensorView()) : mlir::Type();
}

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_OPSGENERATEDSUPPORT_H
