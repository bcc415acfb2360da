// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which elements of its tensor does an index of a view name? Each dimension of the tile walks
// along one dimension of the tensor, whatever the others do. So a rule per dimension says it all,
// and the three kinds of view differ in these rules only (types, 5.2).

#ifndef TILEWRIGHT_TILE_TYPES_VIEWGEOMETRY_H
#define TILEWRIGHT_TILE_TYPES_VIEWGEOMETRY_H

#include "tilewright/tile/types/Types.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

namespace tilewright::tile {

/// How a dimension of the tile walks over the tensor. For the index operand I of the dimension,
/// position j of the tile has the coordinate `I * step + j` along `tensorDim`; that of a sparse
/// dimension has the coordinate `I[j]`. Nothing wraps, and indices are unsigned.
struct DimensionRule {
  unsigned tensorDim = 0;
  /// From the first coordinate of a tile to that of the next; 1 if the dimension is sparse.
  int64_t step = 1;
  /// The index operand lists the coordinates of all positions.
  bool isSparse = false;

  /// The extent of the index space along this dimension, for that of the tensor along `tensorDim`.
  uint64_t indexCount(uint64_t tensorExtent) const {
    return llvm::divideCeil(tensorExtent, uint64_t(step));
  }
};

/// The rule of a dimension of the tile.
DimensionRule ruleOf(TileView view, unsigned tileDim);

/// The rules of all dimensions of the tile, in their order.
llvm::SmallVector<DimensionRule, 4> rulesOf(TileView view);

/// Whether neighbours along a dimension of the tile may be neighbours in memory. They are not
/// along a sparse dimension, nor if the type says a stride other than 1; a stride that is only
/// known at run time may be 1.
bool mayBeContiguous(TileView view, unsigned tileDim);

} // namespace tilewright::tile

#endif // TILEWRIGHT_TILE_TYPES_VIEWGEOMETRY_H
