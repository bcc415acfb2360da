// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/runtime/Grid.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

using namespace tilewright::runtime;

static std::string refusal(const char *text) {
  auto grid = Grid::parse(text);
  return grid ? "" : grid.failure().message;
}

TEST(Grid, VisitsBlocksWithXFastest) {
  auto grid = Grid::create(2, 3, 2);
  ASSERT_TRUE(grid);
  std::vector<std::string> visited;
  EXPECT_TRUE(forEachBlock(*grid, [&](Block block) {
    EXPECT_EQ(block.number, int64_t(visited.size()));
    visited.push_back(std::to_string(block.x) + std::to_string(block.y) + std::to_string(block.z));
    return true;
  }));
  EXPECT_EQ(visited, (std::vector<std::string>{"000", "100", "010", "110", "020", "120", "001",
                                               "101", "011", "111", "021", "121"}));
}

TEST(Grid, StopsWhenVisitorReturnsFalse) {
  auto grid = Grid::create(100);
  ASSERT_TRUE(grid);
  int visits = 0;
  EXPECT_FALSE(forEachBlock(*grid, [&](Block block) {
    ++visits;
    return block.x < 4;
  }));
  EXPECT_EQ(visits, 5);
}

TEST(Grid, ParsesOneToThreeExtents) {
  auto one = Grid::parse("7"), two = Grid::parse("7,8"), three = Grid::parse("7,8,9");
  ASSERT_TRUE(one && two && three);
  EXPECT_EQ(one->blockCount(), 7);
  EXPECT_EQ(two->blockCount(), 56);
  EXPECT_EQ(three->blockCount(), 504);
  EXPECT_EQ(three->z(), 9);
}

// Each extent is at most 2^24 - 1 = 16777215 (operations, 3.2).
TEST(Grid, AcceptsLargestExtent) {
  auto grid = Grid::parse("16777215,16777215");
  ASSERT_TRUE(grid);
  EXPECT_EQ(grid->blockCount(), 281474943156225); // (2^24 - 1)^2
  const Block last = grid->block(grid->blockCount() - 1);
  EXPECT_EQ(last.x, 16777214);
  EXPECT_EQ(last.y, 16777214);
  EXPECT_EQ(last.z, 0);
}

TEST(Grid, RejectsExtentsOutOfRange) {
  EXPECT_EQ(refusal("0"), "grid extent x must be in 1..16777215, but is 0");
  EXPECT_EQ(refusal("1,-3"), "grid extent y must be in 1..16777215, but is -3");
  EXPECT_EQ(refusal("1,1,16777216"), "grid extent z must be in 1..16777215, but is 16777216");
  EXPECT_EQ(refusal("99999999999999999999"),
            "grid extent x must be in 1..16777215, but is 99999999999999999999");
  EXPECT_EQ(refusal("16777215,16777215,16777215"),
            "grid 16777215,16777215,16777215 has more than 2^63 - 1 tile blocks");
}

TEST(Grid, RejectsMalformedText) {
  for (const char *text : {"", ",", "1,", "1,,2", "1,2,3,4", "1 2", "1x2", " 1", "+1", "1.5", "a"})
    EXPECT_EQ(refusal(text),
              std::string("grid must be X, X,Y or X,Y,Z in decimal, but is '") + text + "'");
}
