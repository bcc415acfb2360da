// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds groups that can have a single label for all of their cells. A tile can, because it is a
// rectangle; the elements of a thread usually cannot. Such labels are used in pictures whose cells
// are too small for their own.

#ifndef TILEWRIGHT_DRAW_GROUPS_H
#define TILEWRIGHT_DRAW_GROUPS_H

#include "tilewright/draw/Picture.h"

namespace tilewright::draw {

/// A rectangle of cells that one group fills on one layer, with the same label in each cell.
struct LabeledGroup {
  size_t row, column, rows, columns;
  size_t layer;
  llvm::StringRef label; ///< Refers to the picture.
};

/// In the order of their first cells.
std::vector<LabeledGroup> labeledGroups(const Picture &picture);

} // namespace tilewright::draw

#endif // TILEWRIGHT_DRAW_GROUPS_H
