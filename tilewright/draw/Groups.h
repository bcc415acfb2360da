// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which parts of a picture can have one label for all of their cells? A tile can, as it is a
// rectangle; the elements of a thread mostly cannot. Pictures whose cells are too small for labels
// of their own have these.

#ifndef TILEWRIGHT_DRAW_GROUPS_H
#define TILEWRIGHT_DRAW_GROUPS_H

#include "tilewright/draw/Picture.h"

namespace tilewright::draw {

/// A rectangle of cells that one group fills on one layer, with one label everywhere.
struct LabeledGroup {
  size_t row, column, rows, columns;
  size_t layer;
  llvm::StringRef label; ///< Of the picture.
};

/// In the order of their first cells.
std::vector<LabeledGroup> labeledGroups(const Picture &picture);

} // namespace tilewright::draw

#endif // TILEWRIGHT_DRAW_GROUPS_H
