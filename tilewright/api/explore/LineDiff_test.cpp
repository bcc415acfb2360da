// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests line diffs: examples by hand, and the length of the common subsequence of random texts,
// which a quadratic table computes independently.

#include "tilewright/api/explore/LineDiff.h"

#include <gtest/gtest.h>
#include <random>

using namespace tilewright::api;
using llvm::StringRef;

namespace {

using Texts = std::vector<StringRef>;

TEST(LineDiff, FindsWhatReplacesWhat) {
  EXPECT_EQ(
      diffLines(Texts{"a", "b", "c"}, Texts{"a", "x", "y", "c"}),
      (std::vector<Hunk>{{true, {0, 1}, {0, 1}}, {false, {1, 1}, {1, 2}}, {true, {2, 1}, {3, 1}}}));
}

TEST(LineDiff, FindsInsertedAndRemovedLines) {
  EXPECT_EQ(diffLines(Texts{"a", "b"}, Texts{"b", "c"}),
            (std::vector<Hunk>{
                {false, {0, 1}, {0, 0}}, {true, {1, 1}, {0, 1}}, {false, {2, 0}, {1, 1}}}));
}

TEST(LineDiff, OfEqualAndEmptyTexts) {
  EXPECT_EQ(diffLines(Texts{"a", "a"}, Texts{"a", "a"}),
            (std::vector<Hunk>{{true, {0, 2}, {0, 2}}}));
  EXPECT_TRUE(diffLines({}, {}).empty());
  EXPECT_EQ(diffLines({}, Texts{"a"}), (std::vector<Hunk>{{false, {0, 0}, {0, 1}}}));
  EXPECT_EQ(diffLines(Texts{"a"}, Texts{"b"}), (std::vector<Hunk>{{false, {0, 1}, {0, 1}}}));
}

/// By the textbook's recurrence.
size_t sharedLength(const Texts &a, const Texts &b) {
  std::vector<std::vector<size_t>> table(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 1; i <= a.size(); ++i)
    for (size_t j = 1; j <= b.size(); ++j)
      table[i][j] = a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1
                                         : std::max(table[i - 1][j], table[i][j - 1]);
  return table[a.size()][b.size()];
}

Texts randomText(std::mt19937 &random) {
  static const StringRef words[] = {"a", "b", "c", "d"};
  Texts text(random() % 12);
  for (StringRef &line : text)
    line = words[random() % 4];
  return text;
}

TEST(LineDiff, MatchesAsManyLinesAsPossible) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 2000; ++trial) {
    const Texts a = randomText(random), b = randomText(random);
    size_t nextBefore = 0, nextAfter = 0, equal = 0;
    for (const auto &[isEqual, before, after] : diffLines(a, b)) {
      ASSERT_EQ(before.first, nextBefore);
      ASSERT_EQ(after.first, nextAfter);
      nextBefore += before.count, nextAfter += after.count;
      if (!isEqual)
        continue;
      ASSERT_EQ(before.count, after.count);
      for (size_t i = 0; i < before.count; ++i)
        ASSERT_EQ(a[before.first + i], b[after.first + i]);
      equal += before.count;
    }
    ASSERT_EQ(nextBefore, a.size());
    ASSERT_EQ(nextAfter, b.size());
    ASSERT_EQ(equal, sharedLength(a, b));
  }
}

} // namespace
