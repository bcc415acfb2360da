// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selects the part of a tile or tensor to draw. A picture has two dimensions, so all others must be
// fixed at a coordinate; a dimension can also be cut to a range. The rest becomes the rows and
// columns of the picture.

#ifndef TILEWRIGHT_DRAW_SECTION_H
#define TILEWRIGHT_DRAW_SECTION_H

#include "tilewright/draw/Picture.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace tilewright::draw {

using Numbers = llvm::SmallVector<int64_t, 8>;

/// The part of one dimension to draw: everything, only `first`, or the range from `first` to `end`
/// (exclusive).
struct Choice {
  std::optional<int64_t> first, end;

  bool isAll() const { return !first; }
  bool isSingle() const { return first && !end; }
};

/// One choice per dimension, or empty for everything.
using Section = llvm::SmallVector<Choice, 4>;

/// Parses `3,*,0:32`: coordinate 3, everything, and the first 32 coordinates.
Result<Section> parseSection(llvm::StringRef text);

/// The coordinates along one dimension: 0 to `extent` - 1, and some beyond it.
struct Span {
  int64_t extent;
  llvm::SmallVector<int64_t, 0> beyond = {}; ///< Ascending, none below `extent`.
};

/// The elements to draw, as rows and columns.
class Sheet {
public:
  /// The maximum number of elements in a picture.
  static constexpr int64_t maxElements = 512 * 512;

  /// Fails for more than two dimensions, too many elements, and choices without elements.
  static Result<Sheet> of(llvm::ArrayRef<Span> spans, const Section &section);

  /// Names the rows and columns of the picture and adds a cell for each element, in order.
  template <typename CellFor> void fill(Picture &picture, CellFor cellFor) const {
    picture.rowHeads = rowHeads;
    picture.columnHeads = columnHeads;
    for (const Numbers &element : elements)
      picture.cells.push_back(cellFor(llvm::ArrayRef<int64_t>(element)));
  }
  /// `[3, *, *]`; empty if everything is drawn.
  const std::string &sectionText() const { return text; }

private:
  void addRows(llvm::ArrayRef<int64_t> rows, llvm::ArrayRef<int64_t> columns,
               llvm::ArrayRef<int64_t> dims, Numbers element);
  void addLine(llvm::ArrayRef<int64_t> coordinates, size_t dim, Numbers element);

  std::vector<std::string> rowHeads, columnHeads;
  std::vector<Numbers> elements; ///< Row by row.
  std::string text;
};

/// `64x16`
std::string shapeText(llvm::ArrayRef<int64_t> shape);
/// `0, 1`
std::string listText(llvm::ArrayRef<int64_t> numbers, llvm::StringRef separator = ", ");

} // namespace tilewright::draw

#endif // TILEWRIGHT_DRAW_SECTION_H
