// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pictures of views: which elements of a tensor does each tile cover (types, 5)?

#ifndef TILEWRIGHT_DRAW_VIEWPICTURE_H
#define TILEWRIGHT_DRAW_VIEWPICTURE_H

#include "tilewright/draw/Section.h"
#include "tilewright/tile/types/Types.h"

namespace tilewright::draw {

/// The indices of one access: a number each, or the list of a sparse dimension.
struct Index {
  Numbers numbers;
  bool isList = false;
};

/// `[5, 1, 7, 3], 0`
Result<llvm::SmallVector<Index, 4>> parseIndices(llvm::StringRef text);

struct ViewChoice {
  /// Those that the type leaves open, in order.
  Numbers dynamicExtents;
  /// One tile; without, all tiles of the view.
  std::optional<llvm::SmallVector<Index, 4>> indices;
  Section section;
};

/// Without indices, each element names the tiles that it is in. With indices, each element
/// names its place in that one tile; for a gather/scatter view, its place along the sparse
/// dimension only. Elements of a tile outside of the tensor are hatched.
Result<Picture> drawView(tile::TileView view, const ViewChoice &choice);

} // namespace tilewright::draw

#endif // TILEWRIGHT_DRAW_VIEWPICTURE_H
