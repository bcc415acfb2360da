// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Renders pictures as text, as SVG, and as an HTML page.

#ifndef TILEWRIGHT_DRAW_WRITERS_H
#define TILEWRIGHT_DRAW_WRITERS_H

#include "tilewright/draw/Picture.h"

namespace tilewright::draw {

/// For terminals, optionally in colour. Labels are as in the picture; `( )` is an element in no
/// tile, and `/0/` is hatched.
std::string toText(const Picture &picture, bool colored = false);

/// A self-contained SVG element. Text beside the table is readable on light and dark pages; the
/// cells follow the reader's preference.
std::string toSvg(const Picture &picture);

/// A self-contained page with the SVG, which describes the cell under the pointer and highlights
/// its group.
std::string toHtml(const Picture &picture);

/// The position of the cells in the SVG: row `r` begins at `top + r * cellHeight`, and so on.
struct Geometry {
  double left, top, cellWidth, cellHeight;
  double width, height; ///< Size of the whole picture.
};
Geometry geometryOf(const Picture &picture);

} // namespace tilewright::draw

#endif // TILEWRIGHT_DRAW_WRITERS_H
