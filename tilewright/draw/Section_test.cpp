// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks which parts of a tile become which rows and columns.

#include "tilewright/draw/Section.h"

#include <gtest/gtest.h>

using namespace tilewright::draw;

namespace {

/// The elements of a sheet in the order in which fill() requests them, and a picture with its
/// heads.
struct Filled {
  Picture picture;
  std::vector<Numbers> elements;
};

Filled fill(const Sheet &sheet) {
  Filled filled;
  sheet.fill(filled.picture, [&](llvm::ArrayRef<int64_t> element) {
    filled.elements.push_back(Numbers(element));
    return Cell();
  });
  return filled;
}

Result<Sheet> sheetOf(std::initializer_list<Span> spans, const char *section) {
  Result<Section> parsed = parseSection(section);
  EXPECT_TRUE(parsed);
  return Sheet::of(std::vector<Span>(spans), *parsed);
}

using Heads = std::vector<std::string>;

} // namespace

TEST(Section, FixesSomeDimensionsAndCutsOthers) {
  Result<Sheet> sheet = sheetOf({{4}, {5}, {6}}, "3, *, 2:4");
  ASSERT_TRUE(sheet);
  Filled filled = fill(*sheet);
  EXPECT_EQ(filled.picture.rowHeads, (Heads{"0", "1", "2", "3", "4"}));
  EXPECT_EQ(filled.picture.columnHeads, (Heads{"2", "3"}));
  ASSERT_EQ(filled.elements.size(), 10u);
  EXPECT_EQ(filled.elements[0], (Numbers{3, 0, 2}));
  EXPECT_EQ(filled.elements[3], (Numbers{3, 1, 3}));
  EXPECT_EQ(sheet->sectionText(), "[3, *, 2:4]");
}

TEST(Section, OneDimensionIsARow) {
  Result<Sheet> sheet = Sheet::of({{4}}, {});
  ASSERT_TRUE(sheet);
  Filled filled = fill(*sheet);
  EXPECT_EQ(filled.picture.rowHeads, (Heads{""}));
  EXPECT_EQ(filled.picture.columnHeads, (Heads{"0", "1", "2", "3"}));
  EXPECT_EQ(sheet->sectionText(), "");
}

TEST(Section, LongRowsAreFolded) {
  Result<Sheet> sheet = Sheet::of({{70}}, {});
  ASSERT_TRUE(sheet);
  Filled filled = fill(*sheet);
  EXPECT_EQ(filled.picture.rowHeads, (Heads{"0", "32", "64"}));
  EXPECT_EQ(filled.picture.columnHeads.size(), 32u);
  EXPECT_EQ(filled.picture.columnHeads[31], "+31");
  EXPECT_NE(filled.picture.at(2, 5), nullptr);
  EXPECT_EQ(filled.picture.at(2, 6), nullptr);
}

TEST(Section, NoDimensionIsOneCell) {
  Result<Sheet> rankZero = Sheet::of({}, {});
  ASSERT_TRUE(rankZero);
  EXPECT_EQ(fill(*rankZero).elements, std::vector<Numbers>(1));
  Result<Sheet> fixed = sheetOf({{4}, {4}}, "1,2");
  ASSERT_TRUE(fixed);
  EXPECT_EQ(fill(*fixed).elements, (std::vector<Numbers>{{1, 2}}));
}

TEST(Section, CoordinatesBeyondTheExtent) {
  Result<Sheet> sheet = Sheet::of({{2, {5, 9}}}, {});
  ASSERT_TRUE(sheet);
  EXPECT_EQ(fill(*sheet).elements, (std::vector<Numbers>{{0}, {1}, {5}, {9}}));
  EXPECT_EQ(fill(*sheetOf({{2, {5, 9}}}, "1:6")).elements, (std::vector<Numbers>{{1}, {5}}));
}

TEST(Section, RefusesWhatIsNoPicture) {
  EXPECT_EQ(Sheet::of({{2}, {2}, {2}, {2}}, {}).failure().message,
            "a picture shows two dimensions, not 4: fix the others with --slice, such as "
            "'0,0,*,*'");
  EXPECT_EQ(Sheet::of({{513}, {512}}, {}).failure().message,
            "a picture has at most 262144 elements: choose a range FIRST:END of some dimension "
            "with --slice");
  EXPECT_TRUE(Sheet::of({{512}, {512}}, {}));
  // The product of these does not fit 64 bits.
  EXPECT_FALSE(Sheet::of({{int64_t(1) << 48}, {int64_t(1) << 48}}, {}));
  EXPECT_EQ(sheetOf({{2}, {2}}, "*").failure().message,
            "the slice has 1 dimensions, but there are 2");
  EXPECT_EQ(sheetOf({{2}, {2}}, "2,*").failure().message,
            "the slice asks for coordinate 2 along dimension 0, which has 2");
  EXPECT_FALSE(sheetOf({{2}, {2}}, "*,0:3"));
}

TEST(Section, RefusesWhatIsNoSection) {
  for (const char *text : {"", "x", "1,", "-1", "3:3", "3:2", ":2", "1:", "1:2:3"})
    EXPECT_FALSE(parseSection(text)) << text;
}
