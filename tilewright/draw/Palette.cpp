// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Twelve hues that are distinguishable both pale and dark.

#include "tilewright/draw/Palette.h"

namespace tilewright::draw {

const Color palette[paletteSize] = {
    {"#a6cee3", "#1f4e79", 153}, // blue
    {"#fdbf6f", "#7a4a0f", 215}, // orange
    {"#b2df8a", "#2f5e1e", 150}, // green
    {"#fb9a99", "#7a2a2a", 210}, // red
    {"#cab2d6", "#4b3169", 183}, // purple
    {"#ffff99", "#66611a", 228}, // yellow
    {"#8dd3c7", "#1d5f57", 116}, // teal
    {"#fccde5", "#6e2f55", 225}, // pink
    {"#d9d9d9", "#4a4a4a", 253}, // grey
    {"#e5c494", "#5c4420", 180}, // tan
    {"#b3b3e6", "#35357a", 147}, // periwinkle
    {"#ccebc5", "#2f5540", 194}, // mint
};

} // namespace tilewright::draw
