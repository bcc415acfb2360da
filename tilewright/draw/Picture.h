// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is a picture? A table of cells that says everything and looks like nothing:
// LayoutPicture.h and ViewPicture.h fill it in, Writers.h shows it as text, as SVG or as
// a page. Tests look at the table, so what is drawn is tested without a pixel.

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

/// One thing to say about a cell. A cell that lies in several tiles has a part for each.
struct Part {
  /// The colour of a part that says nothing.
  static constexpr int noColor = -1;

  std::string label;  ///< Empty: nothing to say.
  std::string detail; ///< Smaller, below the label.
  int color = noColor;
  /// Parts of one group belong together: those of a thread, or of a tile.
  int64_t group = -1;

  bool isEmpty() const { return label.empty(); }
};

/// One element.
struct Cell {
  /// As many as every other cell of the picture has; those that say nothing are empty.
  llvm::SmallVector<Part, 1> parts;
  /// A tile covers it, but it is no element of the tensor.
  bool hatched = false;
  /// It is not there: a gap in the table.
  bool absent = false;
  /// All there is to know, as a sentence.
  std::string hover;
};

/// What a colour, or the hatching, stands for.
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
  /// Text puts labels in brackets, as the type reference does in its tables of tiles.
  bool bracketed = false;

  size_t rows() const { return rowHeads.size(); }
  size_t columns() const { return columnHeads.size(); }
  /// The cell at a place, or null if there is none.
  const Cell *at(size_t row, size_t column) const {
    size_t place = row * columns() + column;
    return place < cells.size() && !cells[place].absent ? &cells[place] : nullptr;
  }
};

} // namespace tilewright::draw

#endif // TILEWRIGHT_DRAW_PICTURE_H
