// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elements of a tensor that an index of a view selects. Each dimension of the tile corresponds
// to one dimension of the tensor, independently of the others. So one rule per dimension is enough,
// and the three kinds of view differ only in these rules (types, 5.2).

#ifndef TILEWRIGHT_TILE_TYPES_VIEWGEOMETRY_H
#define TILEWRIGHT_TILE_TYPES_VIEWGEOMETRY_H

#include "tilewright/tile/types/Types.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

namespace tilewright::tile {

/// Maps a dimension of the tile to the tensor. For the index operand I of the dimension, position j
/// of the tile has the coordinate `I * step + j` along `tensorDim`; in a sparse dimension it has
/// the coordinate `I[j]`. Nothing wraps around, and indices are unsigned.
struct DimensionRule {
  unsigned tensorDim = 0;
  /// The distance between the first coordinates of neighbouring tiles; 1 if the dimension is
  /// sparse.
  int64_t step = 1;
  /// The index operand lists the coordinates of all positions.
  bool isSparse = false;

  /// The extent of the index space along this dimension, for an extent of the tensor along
  /// `tensorDim`.
  uint64_t indexCount(uint64_t tensorExtent) const {
    return llvm::divideCeil(tensorExtent, uint64_t(step));
  }
};

/// The rule for a dimension of the tile.
DimensionRule ruleOf(TileView view, unsigned tileDim);

/// The rules for all dimensions of the tile, in order.
llvm::SmallVector<DimensionRule, 4> rulesOf(TileView view);

/// Whether neighbours along a dimension of the tile may be contiguous in memory. They are not along
/// a sparse dimension, nor if the type has a static stride other than 1; a dynamic stride may be 1.
bool mayBeContiguous(TileView view, unsigned tileDim);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_TYPES_VIEWGEOMETRY_H
