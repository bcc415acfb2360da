// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Renders a small picture with every feature as text, SVG and page. test/draw/ checks with a parser
// that the latter two are well-formed.

#include "tilewright/draw/Groups.h"
#include "tilewright/draw/Writers.h"

#include <gtest/gtest.h>

using namespace tilewright::draw;

namespace {

Cell cell(std::initializer_list<Part> parts, bool hatched = false) {
  Cell cell;
  cell.parts = parts;
  cell.hatched = hatched;
  cell.hover = "a < b & </script>";
  return cell;
}

/// Two layers: layer 0 covers the first two elements, layer 1 the second and one outside; the third
/// element is in no tile, and the last position of the table is empty.
Picture small() {
  Picture picture;
  picture.title = "a<b> & c";
  picture.notes = {"a note"};
  picture.rowHeads = {"0", "10"};
  picture.columnHeads = {"0", "1", "2"};
  Part none, zero{"0", "", 0, 0}, one{"1", "", 1, 1};
  picture.cells = {cell({zero, none}), cell({zero, one}), cell({none, none}),
                   cell({none, one}, /*hatched=*/true), cell({none, none})};
  picture.cells.back().absent = true;
  picture.legend = {{Part::noColor, true, "outside"}};
  picture.bracketed = true;
  return picture;
}

size_t count(const std::string &text, const std::string &word) {
  size_t found = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++found;
  return found;
}

} // namespace

TEST(Writers, Text) {
  EXPECT_EQ(toText(small()), "a<b> & c\n"
                             "a note\n"
                             "\n"
                             "     0   1   2\n"
                             " 0 (0) (0) ( )\n"
                             "       (1)\n"
                             "10\n"
                             "   /1/\n"
                             "\n"
                             "/ / outside\n");
}

TEST(Writers, TextWithDetails) {
  Picture picture;
  picture.rowHeads = {""};
  picture.columnHeads = {"0", "1"};
  picture.cells = {cell({{"7", "3", 0, 7}}), cell({{"7→12", "0", 0, 7}})};
  picture.legend = {{0, false, "moves"}};
  EXPECT_EQ(toText(picture), "\n\n     0      1\n   7:3 7→12:0\n\n  - moves\n");
}

TEST(Writers, ColoredText) {
  std::string text = toText(small(), /*colored=*/true);
  EXPECT_EQ(count(text, "\x1b[38;5;16;48;5;153m"), 2u);
  EXPECT_EQ(count(text, "\x1b[38;5;16;48;5;215m"), 2u);
  EXPECT_EQ(count(text, "\x1b[0m"), 4u);
}

TEST(Writers, Svg) {
  std::string svg = toSvg(small());
  EXPECT_NE(svg.find("<title>a&lt;b&gt; &amp; c</title>"), std::string::npos);
  // Two neighbours with the same colour become one rectangle.
  EXPECT_EQ(count(svg, "<rect class='f0'"), 1u);
  EXPECT_EQ(count(svg, "<rect class='f1'"), 2u);
  EXPECT_EQ(count(svg, "<rect fill='url(#hatch)'"), 2u); // the cell and the legend
  EXPECT_EQ(count(svg, ">1</tspan>"), 3u);               // a head and two labels
  EXPECT_NE(svg.find("prefers-color-scheme:dark"), std::string::npos);
}

/// Tiles of `tileRows` x `tileColumns` elements, labelled by tile.
static Picture tiled(size_t rows, size_t columns, size_t tileRows, size_t tileColumns) {
  Picture picture;
  for (size_t row = 0; row < rows; ++row)
    picture.rowHeads.push_back(std::to_string(row));
  for (size_t column = 0; column < columns; ++column)
    picture.columnHeads.push_back(std::to_string(column));
  for (size_t row = 0; row < rows; ++row)
    for (size_t column = 0; column < columns; ++column) {
      const int64_t tile = int64_t(row / tileRows * (columns / tileColumns) + column / tileColumns);
      picture.cells.push_back(cell({{"t" + std::to_string(tile), "", int(tile % 12), tile}}));
    }
  return picture;
}

TEST(Writers, GroupsWithOneLabelAreRectangles) {
  Picture picture = tiled(4, 4, 2, 4);
  std::vector<LabeledGroup> groups = labeledGroups(picture);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[1].label, "t1");
  EXPECT_EQ(groups[1].row, 2u);
  EXPECT_EQ(groups[1].column, 0u);
  EXPECT_EQ(groups[1].rows, 2u);
  EXPECT_EQ(groups[1].columns, 4u);
  picture.cells[5].parts[0].label = "other"; // in t0, which then has two labels
  picture.cells[15].absent = true;           // t1 is then not a rectangle
  EXPECT_TRUE(labeledGroups(picture).empty());
}

/// Labels for each of 100 x 100 elements would be unreadable. Each tile has one label instead, and
/// heads are shown where there is room.
TEST(Writers, LargePicturesAreCompact) {
  std::string svg = toSvg(tiled(100, 100, 20, 50));
  EXPECT_EQ(count(svg, "<text class='l'"), 10u);
  EXPECT_EQ(count(svg, "class='d'"), 0u);
  EXPECT_EQ(count(svg, ">t9</text>"), 1u);
  EXPECT_EQ(count(svg, "<tspan"), 50u); // 0, 2, ..., 98: "99" needs 15.4 of 16 pixels
  EXPECT_NE(svg.find("too many elements for a label each"), std::string::npos);
  EXPECT_LT(svg.size(), 40000u);
  // Tiles that are too small for a label get none.
  EXPECT_EQ(count(toSvg(tiled(100, 100, 1, 1)), "<text class='l'"), 0u);
  EXPECT_EQ(count(toSvg(tiled(64, 64, 1, 1)), "<text class='l'"), 64u);
}

/// A picture embedded in a page does not affect the rest of the page: all of its rules are scoped.
TEST(Writers, SvgStylesItselfOnly) {
  std::string svg = toSvg(small());
  size_t begin = svg.find("<style>") + 7, end = svg.find("</style>");
  std::string rules = svg.substr(begin, end - begin);
  EXPECT_NE(svg.find("class='tw'"), std::string::npos);
  EXPECT_EQ(rules.rfind(".tw{font:", 0), 0u);
  EXPECT_NE(rules.find("}.tw .t,.tw .n,.tw .h{fill:#7a7a7a}"), std::string::npos);
  EXPECT_NE(rules.find("(prefers-color-scheme:dark){.tw .l{"), std::string::npos);
  EXPECT_NE(rules.find("stroke-opacity:.35;"), std::string::npos);
  for (std::string before : {"}", ",", "{"})
    EXPECT_EQ(count(rules, before + "."), count(rules, before + ".tw ")) << before;
}

TEST(Writers, PageLoadsNothingAndEndsNoScriptEarly) {
  std::string page = toHtml(small());
  EXPECT_EQ(count(page, "</script>"), 1u);
  EXPECT_NE(page.find("a \\u003c b & \\u003c/script>"), std::string::npos);
  EXPECT_EQ(count(page, "http"), 1u); // the name of SVG
  EXPECT_EQ(count(page, "null"), 1u); // the absent cell
}
