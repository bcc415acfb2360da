// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pictures of views: which tensor elements each tile covers (types, 5).

#ifndef TILEWRIGHT_DRAW_VIEWPICTURE_H
#define TILEWRIGHT_DRAW_VIEWPICTURE_H

#include "tilewright/draw/Section.h"
#include "tilewright/tile/types/Types.h"

namespace tilewright::draw {

/// An index of an access: a number, or the list of a sparse dimension.
struct Index {
  Numbers numbers;
  bool isList = false;
};

/// `[5, 1, 7, 3], 0`
Result<llvm::SmallVector<Index, 4>> parseIndices(llvm::StringRef text);

struct ViewChoice {
  /// Extents for the dynamic dimensions of the type, in order.
  Numbers dynamicExtents;
  /// The indices of the tile to draw; without them, all tiles of the view are drawn.
  std::optional<llvm::SmallVector<Index, 4>> indices;
  Section section;
};

/// Without indices, each element lists the tiles that it is in. With indices, each element shows
/// its position in that tile; for a gather/scatter view, only its position along the sparse
/// dimension. Tile elements outside the tensor are hatched.
Result<Picture> drawView(tile::TileView view, const ViewChoice &choice);

} // namespace tilewright::draw

#endif // TILEWRIGHT_DRAW_VIEWPICTURE_H
