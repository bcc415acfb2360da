// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Grid: the tile blocks that a launch starts, one per point of a grid of up to three dimensions.
// Blocks are numbered with x fastest. The number and the three coordinates name the same block, and
// forEachBlock visits the blocks in the order of their numbers.

#ifndef TILEWRIGHT_RUNTIME_GRID_H
#define TILEWRIGHT_RUNTIME_GRID_H

#include "tilewright/support/Result.h"

#include <cstdint>
#include <string_view>

namespace tilewright::runtime {

/// The largest extent of a grid along any dimension (operations, 3.2).
inline constexpr int64_t maxGridExtent = (int64_t(1) << 24) - 1;

/// One tile block of a launch: its number and its coordinates.
struct Block {
  int64_t number;
  int32_t x, y, z;
};

/// The block with this number in a grid with these extents (x fastest).
template <typename Extent> Block blockOf(const Extent (&extents)[3], int64_t number) {
  const int64_t row = number / extents[0];
  return {number, int32_t(number % extents[0]), int32_t(row % extents[1]),
          int32_t(row / extents[1])};
}

/// The extents of a launch. Each is in 1..maxGridExtent, and the number of blocks fits int64;
/// `create` and `parse` check both.
class Grid {
public:
  static support::Result<Grid> create(int64_t x, int64_t y = 1, int64_t z = 1);
  /// `X`, `X,Y` or `X,Y,Z` in decimal, as on a command line.
  static support::Result<Grid> parse(std::string_view text);

  int32_t x() const { return extents[0]; }
  int32_t y() const { return extents[1]; }
  int32_t z() const { return extents[2]; }
  int64_t blockCount() const { return int64_t(extents[0]) * extents[1] * extents[2]; }

  /// The block with this number, which must be in 0..blockCount()-1.
  Block block(int64_t number) const { return blockOf(extents, number); }

private:
  Grid(int32_t x, int32_t y, int32_t z) : extents{x, y, z} {}

  int32_t extents[3];
};

/// Calls `visit` on every block, in the order of their numbers, until it returns false. Returns
/// whether all blocks were visited.
template <typename Visit> bool forEachBlock(const Grid &grid, Visit &&visit) {
  for (int64_t number = 0, count = grid.blockCount(); number < count; ++number)
    if (!visit(grid.block(number)))
      return false;
  return true;
}

} // namespace tilewright::runtime

#endif // TILEWRIGHT_RUNTIME_GRID_H
