// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The colours of pictures: each one in a version for light pages, for dark pages, and for
// terminals.

#ifndef TILEWRIGHT_DRAW_PALETTE_H
#define TILEWRIGHT_DRAW_PALETTE_H

#include <cstdint>

namespace tilewright::draw {

/// Text is black on the light version and white on the dark one.
struct Color {
  const char *light, *dark;
  int terminal; ///< Index into the 256 terminal colours, for black text.
};

constexpr int paletteSize = 12;
extern const Color palette[paletteSize];

/// Colours with a meaning.
enum NamedColor { green = 2, red = 3, yellow = 5, grey = 8 };

/// A colour for each number; any twelve consecutive numbers have different colours.
inline int colorOf(int64_t number) { return number % paletteSize; }

} // namespace tilewright::draw

#endif // TILEWRIGHT_DRAW_PALETTE_H
