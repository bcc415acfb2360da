// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pictures as text, as SVG, and as a page.

#ifndef TILEWRIGHT_DRAW_WRITERS_H
#define TILEWRIGHT_DRAW_WRITERS_H

#include "tilewright/draw/Picture.h"

namespace tilewright::draw {

/// For terminals, with their colours if they have some. Labels are as in the picture;
/// `( )` is in no tile, `/0/` is hatched.
std::string toText(const Picture &picture, bool colored = false);

/// One SVG element that needs nothing else. What is written beside the table can be read
/// on a light and on a dark page; the cells follow the reader's preference.
std::string toSvg(const Picture &picture);

/// A page with the SVG that tells about the cell under the pointer and shows what belongs
/// to it. It needs no other file.
std::string toHtml(const Picture &picture);

/// Where the cells of the SVG are: row `r` begins at `top + r * cellHeight`, and so on.
struct Geometry {
  double left, top, cellWidth, cellHeight;
  double width, height; ///< Of everything.
};
Geometry geometryOf(const Picture &picture);

} // namespace tilewright::draw

#endif // TILEWRIGHT_DRAW_WRITERS_H
