// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a value's type says about it: tiles of rank 0 are scalars, which compilers keep in
// registers; the elements of other tiles need a place.

#ifndef TILEWRIGHT_TILE_TILEVALUES_H
#define TILEWRIGHT_TILE_TILEVALUES_H

#include "tilewright/tile/Ops.h"

namespace tilewright::tile {

/// The type of a tile value of rank 1 or more; null for scalars, views and tokens.
inline TileType tileTypeOf(mlir::Value value) {
  auto type = llvm::dyn_cast<TileType>(value.getType());
  return type && type.getRank() > 0 ? type : TileType();
}

inline bool isScalar(mlir::Value value) {
  return llvm::isa<TileType>(value.getType()) && !tileTypeOf(value);
}

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_TILEVALUES_H
