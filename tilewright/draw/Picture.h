// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A picture as a table of cells with complete contents but without appearance. LayoutPicture.h and
// ViewPicture.h fill it in; Writers.h renders it as text, as SVG or as a page. Tests examine the
// table and need no rendering.

#ifndef TILEWRIGHT_DRAW_PICTURE_H
#define TILEWRIGHT_DRAW_PICTURE_H

#include "tilewright/support/Result.h"

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::draw {

using support::Failure;
using support::Result;

/// One label of a cell. A cell that is in several tiles has one part for each.
struct Part {
  /// The colour of an empty part.
  static constexpr int noColor = -1;

  std::string label;  ///< Empty if the part is empty.
  std::string detail; ///< Printed smaller, below the label.
  int color = noColor;
  /// Parts with the same group belong together: those of a thread, or of a tile.
  int64_t group = -1;

  bool isEmpty() const { return label.empty(); }
};

/// The cell of one element.
struct Cell {
  /// All cells of a picture have the same number of parts; unused ones are empty.
  llvm::SmallVector<Part, 1> parts;
  /// A tile covers the cell, but it is outside the tensor.
  bool hatched = false;
  /// The cell does not exist: a gap in the table.
  bool absent = false;
  /// The complete description, as a sentence.
  std::string hover;
};

/// The meaning of a colour, or of the hatching.
struct LegendEntry {
  int color;
  bool hatched;
  std::string label;
};

struct Picture {
  std::string title;
  std::vector<std::string> notes;
  std::vector<std::string> rowHeads, columnHeads;
  /// Row by row. The last row may be short.
  std::vector<Cell> cells;
  std::vector<LegendEntry> legend;
  /// Whether text output puts labels in brackets, like the tables of tiles in the type reference.
  bool bracketed = false;

  size_t rows() const { return rowHeads.size(); }
  size_t columns() const { return columnHeads.size(); }
  /// The cell at this position, or null if there is none.
  const Cell *at(size_t row, size_t column) const {
    size_t place = row * columns() + column;
    return place < cells.size() && !cells[place].absent ? &cells[place] : nullptr;
  }
};

} // namespace tilewright::draw

#endif // TILEWRIGHT_DRAW_PICTURE_H
