// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The colours of pictures: each twice, for light and for dark pages, and once for
// terminals.

#ifndef TILEWRIGHT_DRAW_PALETTE_H
#define TILEWRIGHT_DRAW_PALETTE_H

#include <cstdint>

namespace tilewright::draw {

/// What is written on a light colour is black, on a dark one white.
struct Color {
  const char *light, *dark;
  int terminal; ///< Of the 256 of a terminal; with black on it.
};

constexpr int paletteSize = 12;
extern const Color palette[paletteSize];

/// Colours that mean something.
enum NamedColor { green = 2, red = 3, yellow = 5, grey = 8 };

/// A colour for each number; any twelve in a row differ.
inline int colorOf(int64_t number) { return number % paletteSize; }

} // namespace tilewright::draw

#endif // TILEWRIGHT_DRAW_PALETTE_H
