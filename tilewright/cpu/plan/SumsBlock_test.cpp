// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests how the rows of a product are divided into blocks.

#include "tilewright/cpu/plan/SumsBlock.h"

#include <gtest/gtest.h>

using namespace tilewright::cpu;

namespace {

/// Each row is in one block, for all tiles.
TEST(SumsBlock, HasEachRowOnce) {
  for (int64_t most : {1, 2, 4, 6, 8, 16})
    for (int64_t m = std::max<int64_t>(most, 4); m <= 1024; m *= 2) {
      if (m % most != 0 && most != 6)
        continue;
      int64_t next = 0;
      for (const RowBlocks &blocks : SumsBlock{most, 2, 8}.rowBlocks(m)) {
        EXPECT_EQ(blocks.first, next);
        EXPECT_GE(blocks.count, 1);
        EXPECT_LE(blocks.rows, most);
        next = blocks.end();
      }
      EXPECT_EQ(next, m) << most;
    }
}

/// As many blocks of six rows as leave a multiple of four.
TEST(SumsBlock, ComesClosestWithSixRows) {
  struct {
    int64_t m, ofSix, ofFour;
  } const expected[] = {{16, 2, 1}, {32, 4, 2}, {64, 10, 1}, {128, 20, 2}, {256, 42, 1}};
  for (auto [m, ofSix, ofFour] : expected) {
    auto blocks = SumsBlock{6, 2, 8}.rowBlocks(m);
    ASSERT_EQ(blocks.size(), 2u) << m;
    EXPECT_EQ(blocks[0].rows, 6);
    EXPECT_EQ(blocks[0].count, ofSix);
    EXPECT_EQ(blocks[1].rows, 4);
    EXPECT_EQ(blocks[1].count, ofFour);
  }
  EXPECT_EQ(SumsBlock({6, 2, 8}).rowBlocks(8).size(), 1u) << "twice four";
}

} // namespace
