// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks grids: every extent must be in 1..2^24-1 (operations, 3.2), and the number of blocks must
// fit 63 bits.

#include "tilewright/runtime/Grid.h"

#include <charconv>
#include <string>

using namespace tilewright;
using namespace tilewright::runtime;
using support::Failure;
using support::Result;

static Failure outOfRange(int dim, const std::string &extent) {
  return {std::string("grid extent ") + "xyz"[dim] + " must be in 1.." +
          std::to_string(maxGridExtent) + ", but is " + extent};
}

Result<Grid> Grid::create(int64_t x, int64_t y, int64_t z) {
  const int64_t extents[3] = {x, y, z};
  int64_t blocks = 1;
  for (int dim = 0; dim < 3; ++dim) {
    if (extents[dim] < 1 || extents[dim] > maxGridExtent)
      return outOfRange(dim, std::to_string(extents[dim]));
    if (__builtin_mul_overflow(blocks, extents[dim], &blocks))
      return Failure{"grid " + std::to_string(x) + "," + std::to_string(y) + "," +
                     std::to_string(z) + " has more than 2^63 - 1 tile blocks"};
  }
  return Grid(int32_t(x), int32_t(y), int32_t(z));
}

Result<Grid> Grid::parse(std::string_view text) {
  const Failure malformed{"grid must be X, X,Y or X,Y,Z in decimal, but is '" + std::string(text) +
                          "'"};
  int64_t extents[3] = {1, 1, 1};
  const char *const end = text.data() + text.size();
  const char *at = text.data();
  for (int dim = 0;; ++dim) {
    if (dim == 3)
      return malformed;
    const auto [next, code] = std::from_chars(at, end, extents[dim]);
    // A number that does not fit int64 is reported as out of range, like any other that is too
    // large.
    if (code == std::errc::result_out_of_range)
      return outOfRange(dim, std::string(at, next));
    if (code != std::errc())
      return malformed;
    if (next == end)
      return create(extents[0], extents[1], extents[2]);
    if (*next != ',')
      return malformed;
    at = next + 1;
  }
}
