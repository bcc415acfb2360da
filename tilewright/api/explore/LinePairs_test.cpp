// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests which lines are put beside each other.

#include "tilewright/api/explore/LinePairs.h"

#include <gtest/gtest.h>

using namespace tilewright::api;
using llvm::StringRef;

namespace {

using Texts = std::vector<StringRef>;
using Pairs = std::vector<LinePair>;
constexpr std::nullopt_t none = std::nullopt;

Pairs paired(const Texts &before, const Texts &after) {
  return pairLines(diffLines(before, after), before, after);
}

TEST(LinePairs, SimilarityCountsSharedWords) {
  EXPECT_EQ(similarityOf("  %a = addf %b", "%a=addf %b"), 1);
  // Of % a = addf % b and % a = mulf % b: 5 of 6 words each.
  EXPECT_DOUBLE_EQ(similarityOf("%a = addf %b", "%a = mulf %b"), 10.0 / 12);
  EXPECT_EQ(similarityOf("x", ""), 0);
}

TEST(LinePairs, AChangedLineIsBesideTheOneThatItReplaces) {
  EXPECT_EQ(paired({"begin", "store %x, %b", "end"},
                   {"begin", "// comment", "%at = offset %x", "store %at, %b", "end"}),
            (Pairs{{0, 0, true}, {none, 1, false}, {none, 2, false}, {1, 3, false}, {2, 4, true}}));
}

TEST(LinePairs, UnlikeLinesFollowEachOther) {
  EXPECT_EQ(paired({"a b c"}, {"x y z"}), (Pairs{{0, none, false}, {none, 0, false}}));
}

TEST(LinePairs, LargeTextsWithoutEqualLinesAreNotCombined) {
  const std::vector<std::string> numbers = [] {
    std::vector<std::string> all;
    for (int i = 0; i < 4000; ++i)
      all.push_back(std::to_string(i));
    return all;
  }();
  const Texts before(numbers.begin(), numbers.begin() + 2000),
      after(numbers.begin() + 2000, numbers.end());
  const Pairs pairs = paired(before, after);
  ASSERT_EQ(pairs.size(), 4000u);
  EXPECT_EQ(pairs.front(), (LinePair{0, none, false}));
  EXPECT_EQ(pairs.back(), (LinePair{none, 1999, false}));
}

} // namespace
