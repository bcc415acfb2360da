// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks view pictures against the tables of the published type reference, verbatim, and against
// the formulas of types, 5.2 for all elements.

#include "tilewright/draw/ViewPicture.h"
#include "tilewright/tile/Dialect.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>
#include <map>
#include <set>

using namespace tilewright;
using namespace tilewright::draw;
using llvm::formatv;
using llvm::StringRef;

namespace {

class ViewPicture : public testing::Test {
protected:
  ViewPicture() { context.loadDialect<tile::TileDialect>(); }

  Result<Picture> draw(StringRef type, ViewChoice choice = {}) {
    auto view = llvm::dyn_cast_if_present<tile::TileView>(
        mlir::parseType(("!cuda_tile." + type).str(), &context));
    EXPECT_TRUE(view) << type.str();
    return drawView(view, choice);
  }

  Result<Picture> drawTile(StringRef type, StringRef indices) {
    ViewChoice choice;
    auto parsed = parseIndices(indices);
    EXPECT_TRUE(parsed) << indices.str();
    choice.indices = *parsed;
    return draw(type, choice);
  }

  std::string refusal(StringRef type, ViewChoice choice = {}) {
    Result<Picture> picture = draw(type, choice);
    EXPECT_FALSE(picture);
    return picture ? "" : picture.failure().message;
  }

  mlir::MLIRContext context;
};

/// The contents of the brackets in each line of a table, without blanks.
std::vector<std::vector<std::string>> wordsOf(StringRef table) {
  std::vector<std::vector<std::string>> lines;
  llvm::SmallVector<StringRef> texts;
  table.split(texts, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef text : texts) {
    auto &line = lines.emplace_back();
    while (text.contains('(')) {
      text = text.split('(').second;
      line.push_back(text.split(')').first.trim().str());
      text = text.split(')').second;
    }
  }
  return lines;
}

/// A table shows the first rows and columns of a picture.
void expectBeginsWith(const Picture &picture, StringRef table) {
  auto lines = wordsOf(table);
  ASSERT_FALSE(lines.empty());
  for (auto [row, line] : llvm::enumerate(lines)) {
    ASSERT_FALSE(line.empty());
    for (auto [column, word] : llvm::enumerate(line)) {
      const Cell *cell = picture.at(row, column);
      ASSERT_TRUE(cell);
      EXPECT_EQ(cell->parts.front().label, word) << row << ", " << column;
    }
  }
}

void expectNote(const Picture &picture, StringRef text) {
  EXPECT_TRUE(llvm::any_of(picture.notes, [&](StringRef note) { return note.contains(text); }))
      << text.str();
}

} // namespace

//===-- The published tables -----------------------------------------------------------===//

TEST_F(ViewPicture, PartitionOfOneDimension) {
  auto picture = draw("partition_view<tile=(2), tensor_view<16xf32, strides=[1]>>");
  ASSERT_TRUE(picture);
  ASSERT_EQ(picture->cells.size(), 16u);
  expectBeginsWith(*picture, "(0) (0) (1) (1) (2) (2) (3) (3) (4) (4) (5) (5) (6) (6) (7) (7)");
  expectNote(*picture, "index space 8");
}

TEST_F(ViewPicture, PartitionOfTwoDimensions) {
  auto picture = draw("partition_view<tile=(4x2), tensor_view<64x16xf32, strides=[16, 1]>>");
  ASSERT_TRUE(picture);
  expectBeginsWith(*picture, R"(
     (0,0) (0,0) (0,1) (0,1) (0,2) (0,2) (0,3) (0,3) (0,4) (0,4) ...
     (0,0) (0,0) (0,1) (0,1) (0,2) (0,2) (0,3) (0,3) (0,4) (0,4) ...
     (0,0) (0,0) (0,1) (0,1) (0,2) (0,2) (0,3) (0,3) (0,4) (0,4) ...
     (0,0) (0,0) (0,1) (0,1) (0,2) (0,2) (0,3) (0,3) (0,4) (0,4) ...
     (1,0) (1,0) (1,1) (1,1) (1,2) (1,2) (1,3) (1,3) (1,4) (1,4) ...
     (1,0) (1,0) (1,1) (1,1) (1,2) (1,2) (1,3) (1,3) (1,4) (1,4) ...
     (1,0) (1,0) (1,1) (1,1) (1,2) (1,2) (1,3) (1,3) (1,4) (1,4) ...
     (1,0) (1,0) (1,1) (1,1) (1,2) (1,2) (1,3) (1,3) (1,4) (1,4) ...
     (2,0) (2,0) (2,1) (2,1) (2,2) (2,2) (2,3) (2,3) (2,4) (2,4) ...)");
  expectNote(*picture, "index space 16x8");
  for (int row = 0; row < 64; ++row)
    for (int column = 0; column < 16; ++column)
      EXPECT_EQ(picture->at(row, column)->parts[0].label,
                formatv("{0},{1}", row / 4, column / 2).str());
}

TEST_F(ViewPicture, PartitionTransposed) {
  auto picture = draw("partition_view<tile=(4x2), tensor_view<64x16xf32, strides=[16, 1]>, "
                      "dim_map=[1, 0]>");
  ASSERT_TRUE(picture);
  expectBeginsWith(*picture, R"(
     (0,0) (0,0) (0,0) (0,0) (1,0) (1,0) (1,0) (1,0) (2,0) (2,0) ...
     (0,0) (0,0) (0,0) (0,0) (1,0) (1,0) (1,0) (1,0) (2,0) (2,0) ...
     (0,1) (0,1) (0,1) (0,1) (1,1) (1,1) (1,1) (1,1) (2,1) (2,1) ...
     (0,1) (0,1) (0,1) (0,1) (1,1) (1,1) (1,1) (1,1) (2,1) (2,1) ...
     (0,2) (0,2) (0,2) (0,2) (1,2) (1,2) (1,2) (1,2) (2,2) (2,2) ...
     (0,2) (0,2) (0,2) (0,2) (1,2) (1,2) (1,2) (1,2) (2,2) (2,2) ...)");
  expectNote(*picture, "index space 4x32");
}

TEST_F(ViewPicture, PartitionPadded) {
  auto picture = draw("partition_view<tile=(1x4), padding_value = nan, "
                      "tensor_view<8x2xf32, strides=[2,1]>>");
  ASSERT_TRUE(picture);
  ASSERT_EQ(picture->columns(), 4u);
  expectBeginsWith(*picture, R"(
     (0,0) (0,0) (0,0) (0,0)
     (1,0) (1,0) (1,0) (1,0)
     (2,0) (2,0) (2,0) (2,0)
     (3,0) (3,0) (3,0) (3,0)
     (4,0) (4,0) (4,0) (4,0))");
  for (int row = 0; row < 8; ++row)
    for (int column = 0; column < 4; ++column)
      EXPECT_EQ(picture->at(row, column)->hatched, column >= 2);
  ASSERT_EQ(picture->legend.size(), 1u);
  EXPECT_EQ(picture->legend[0].label,
            "outside of the tensor: loads give the padding nan, stores leave it out");
}

TEST_F(ViewPicture, StridedAsPartition) {
  auto picture =
      draw("strided_view<tile=(2), traversal_strides=[2], tensor_view<16xf32, strides=[1]>>");
  ASSERT_TRUE(picture);
  expectBeginsWith(*picture, "(0) (0) (1) (1) (2) (2) (3) (3) (4) (4) (5) (5) (6) (6) (7) (7)");
}

TEST_F(ViewPicture, StridedWithGaps) {
  auto picture =
      draw("strided_view<tile=(2), traversal_strides=[3], tensor_view<16xf32, strides=[1]>>");
  ASSERT_TRUE(picture);
  ASSERT_EQ(picture->cells.size(), 17u);
  expectBeginsWith(*picture, "(0) (0) ( ) (1) (1) ( ) (2) (2) ( ) (3) (3) ( ) (4) (4) ( ) (5) (5)");
  EXPECT_FALSE(picture->cells[15].hatched);
  EXPECT_TRUE(picture->cells[16].hatched);
  EXPECT_EQ(picture->cells[2].hover, "[2], at offset 2: in no tile");
  expectNote(*picture, "index space 6");
}

// The second row of the table shows overlapping tiles and begins at the second element.
TEST_F(ViewPicture, StridedOverlap) {
  auto picture =
      draw("strided_view<tile=(2), traversal_strides=[1], tensor_view<8xf32, strides=[1]>>");
  ASSERT_TRUE(picture);
  ASSERT_EQ(picture->cells.size(), 9u);
  auto even = wordsOf("(0) (0) (2) (2) (4) (4) (6) (6) ( )").front();
  auto odd = wordsOf("( ) (1) (1) (3) (3) (5) (5) (7) (7)").front();
  for (int i = 0; i < 9; ++i) {
    ASSERT_EQ(picture->cells[i].parts.size(), 2u);
    EXPECT_EQ(picture->cells[i].parts[0].label, even[i]) << i;
    EXPECT_EQ(picture->cells[i].parts[1].label, odd[i]) << i;
  }
  EXPECT_EQ(picture->cells[1].hover,
            "[1], at offset 1; in tile (0) its element (1); in tile (1) its element (0)");
  EXPECT_TRUE(picture->cells[8].hatched);
  expectNote(*picture, "index space 8");
}

TEST_F(ViewPicture, StridedOfTwoDimensions) {
  auto picture = draw("strided_view<tile=(4x2), traversal_strides=[4,3], "
                      "tensor_view<64x16xf32, strides=[16, 1]>>");
  ASSERT_TRUE(picture);
  expectBeginsWith(*picture, R"(
     (0,0) (0,0) (   ) (0,1) (0,1) (   ) (0,2) (0,2) (   ) (0,3) ...
     (0,0) (0,0) (   ) (0,1) (0,1) (   ) (0,2) (0,2) (   ) (0,3) ...
     (0,0) (0,0) (   ) (0,1) (0,1) (   ) (0,2) (0,2) (   ) (0,3) ...
     (0,0) (0,0) (   ) (0,1) (0,1) (   ) (0,2) (0,2) (   ) (0,3) ...
     (1,0) (1,0) (   ) (1,1) (1,1) (   ) (1,2) (1,2) (   ) (1,3) ...
     (1,0) (1,0) (   ) (1,1) (1,1) (   ) (1,2) (1,2) (   ) (1,3) ...
     (1,0) (1,0) (   ) (1,1) (1,1) (   ) (1,2) (1,2) (   ) (1,3) ...
     (1,0) (1,0) (   ) (1,1) (1,1) (   ) (1,2) (1,2) (   ) (1,3) ...
     (2,0) (2,0) (   ) (2,1) (2,1) (   ) (2,2) (2,2) (   ) (2,3) ...)");
  expectNote(*picture, "index space 16x6");
}

TEST_F(ViewPicture, StridedTransposed) {
  auto picture = draw("strided_view<tile=(4x2), traversal_strides=[4,3], "
                      "tensor_view<64x16xf32, strides=[16, 1]>, dim_map=[1, 0]>");
  ASSERT_TRUE(picture);
  expectBeginsWith(*picture, R"(
     (0,0) (0,0) (0,0) (0,0) (1,0) (1,0) (1,0) (1,0) (2,0) (2,0) ...
     (0,0) (0,0) (0,0) (0,0) (1,0) (1,0) (1,0) (1,0) (2,0) (2,0) ...
     (   ) (   ) (   ) (   ) (   ) (   ) (   ) (   ) (   ) (   ) ...
     (0,1) (0,1) (0,1) (0,1) (1,1) (1,1) (1,1) (1,1) (2,1) (2,1) ...
     (0,1) (0,1) (0,1) (0,1) (1,1) (1,1) (1,1) (1,1) (2,1) (2,1) ...
     (   ) (   ) (   ) (   ) (   ) (   ) (   ) (   ) (   ) (   ) ...
     (0,2) (0,2) (0,2) (0,2) (1,2) (1,2) (1,2) (1,2) (2,2) (2,2) ...
     (0,2) (0,2) (0,2) (0,2) (1,2) (1,2) (1,2) (1,2) (2,2) (2,2) ...
     (   ) (   ) (   ) (   ) (   ) (   ) (   ) (   ) (   ) (   ) ...)");
  expectNote(*picture, "index space 4x22");
}

TEST_F(ViewPicture, StridedPadded) {
  auto picture = draw("strided_view<tile=(1x4), traversal_strides=[1,4], padding_value = nan, "
                      "tensor_view<8x2xf32, strides=[2,1]>>");
  ASSERT_TRUE(picture);
  expectBeginsWith(*picture, R"(
     (0,0) (0,0) (0,0) (0,0)
     (1,0) (1,0) (1,0) (1,0)
     (2,0) (2,0) (2,0) (2,0))");
  EXPECT_FALSE(picture->at(7, 1)->hatched);
  EXPECT_TRUE(picture->at(7, 2)->hatched);
}

TEST_F(ViewPicture, GatherOfOneDimension) {
  auto picture = drawTile("gather_scatter_view<tile=(4), tensor_view<8xf32, strides=[1]>, "
                          "sparse_dim=0>",
                          "[6, 1, 4, 3]");
  ASSERT_TRUE(picture);
  expectBeginsWith(*picture, "( ) (1) ( ) (3) (2) ( ) (0) ( )");
}

TEST_F(ViewPicture, GatherOfTwoDimensions) {
  auto picture = drawTile("gather_scatter_view<tile=(4x4), tensor_view<8x8xf32, strides=[8, 1]>, "
                          "sparse_dim=0>",
                          "[5, 1, 7, 3], 0");
  ASSERT_TRUE(picture);
  expectBeginsWith(*picture, R"(
     ( ) ( ) ( ) ( ) ( ) ( ) ( ) ( )
     (1) (1) (1) (1) ( ) ( ) ( ) ( )
     ( ) ( ) ( ) ( ) ( ) ( ) ( ) ( )
     (3) (3) (3) (3) ( ) ( ) ( ) ( )
     ( ) ( ) ( ) ( ) ( ) ( ) ( ) ( )
     (0) (0) (0) (0) ( ) ( ) ( ) ( )
     ( ) ( ) ( ) ( ) ( ) ( ) ( ) ( )
     (2) (2) (2) (2) ( ) ( ) ( ) ( ))");
}

//===-- One tile -----------------------------------------------------------------------===//

// Types, 5.4: index (1, 4), transposed: columns 16 to 31 and rows 32 to 39; the tile's
// element (2, 3) is at (35, 18), offset 1138.
TEST_F(ViewPicture, OneTileTransposed) {
  auto picture = drawTile("partition_view<tile=(16x8), tensor_view<100x30xf32, strides=[32,1]>, "
                          "dim_map=[1, 0]>",
                          "1, 4");
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->rows(), 100u);
  EXPECT_EQ(picture->columns(), 32u);
  EXPECT_EQ(picture->at(35, 18)->parts[0].label, "2,3");
  EXPECT_EQ(picture->at(35, 18)->hover, "[35, 18], at offset 1138; element (2,3) of the tile");
  EXPECT_TRUE(picture->at(31, 18)->parts[0].isEmpty());
  EXPECT_TRUE(picture->at(35, 30)->hatched);
  EXPECT_EQ(picture->at(35, 30)->parts[0].label, "14,3");
  EXPECT_EQ(picture->at(31, 30), nullptr);
}

// Types, 5.4: rows 7, 7, 100 and 3, and columns 26 to 33, of which 26 to 29 exist.
TEST_F(ViewPicture, GatherTwiceAndBeyond) {
  auto picture = drawTile("gather_scatter_view<tile=(4x8), tensor_view<100x30xf32, "
                          "strides=[32,1]>, sparse_dim=0>",
                          "[7, 7, 100, 3], 26");
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->rows(), 101u);
  EXPECT_EQ(picture->columns(), 34u);
  const Cell *twice = picture->at(7, 26);
  ASSERT_EQ(twice->parts.size(), 2u);
  EXPECT_EQ(twice->parts[0].label, "0");
  EXPECT_EQ(twice->parts[1].label, "1");
  EXPECT_EQ(twice->hover, "[7, 26], at offset 250; element (0,0) of the tile; element (1,0) of "
                          "the tile");
  EXPECT_EQ(picture->at(3, 29)->parts[0].label, "3");
  EXPECT_TRUE(picture->at(3, 30)->hatched);
  EXPECT_TRUE(picture->at(100, 26)->hatched);
  EXPECT_EQ(picture->at(100, 26)->parts[0].label, "2");
  EXPECT_EQ(picture->at(100, 25), nullptr);
}

//===-- What is refused ----------------------------------------------------------------===//

TEST_F(ViewPicture, DynamicExtents) {
  StringRef type = "partition_view<tile=(2x2), tensor_view<?x?xf32, strides=[?,1]>>";
  EXPECT_EQ(refusal(type), "extent 0 of the tensor view is dynamic: give the dynamic extents with "
                           "--extents");
  ViewChoice choice;
  choice.dynamicExtents = {3};
  EXPECT_EQ(refusal(type, choice), "extent 1 of the tensor view is dynamic: give the dynamic "
                                   "extents with --extents");
  choice.dynamicExtents = {3, 4};
  auto picture = draw(type, choice);
  ASSERT_TRUE(picture);
  expectNote(*picture, "tensor 3x4, index space 2x2");
  // The offset is unknown if the strides are dynamic.
  EXPECT_EQ(picture->at(1, 3)->hover, "[1, 3]; in tile (0,1) its element (1,1)");
  choice.dynamicExtents = {3, 4, 5};
  EXPECT_EQ(refusal(type, choice), "the tensor view has 2 dynamic extents, but 3 were given");
  choice.dynamicExtents = {3, 0};
  EXPECT_FALSE(draw(type, choice));
}

TEST_F(ViewPicture, Indices) {
  auto messageOf = [&](StringRef type, StringRef indices) {
    auto picture = drawTile(type, indices);
    EXPECT_FALSE(picture);
    return picture ? "" : picture.failure().message;
  };
  StringRef grid = "partition_view<tile=(4x2), tensor_view<64x16xf32, strides=[16, 1]>>";
  // The type reference gives (0, 8) as an invalid index.
  EXPECT_EQ(messageOf(grid, "0,8"), "index 1 is 8, outside of the index space, which has 8 there: "
                                    "the access is undefined");
  EXPECT_EQ(messageOf(grid, "0"), "the view takes 2 indices, but 1 were given");
  EXPECT_EQ(messageOf(grid, "[0],0"), "index 0 must be a number");
  StringRef gather =
      "gather_scatter_view<tile=(4x4), tensor_view<8x8xf32, strides=[8, 1]>, sparse_dim=0>";
  EXPECT_EQ(messageOf(gather, "0,0"), "index 0 must be the list of coordinates along the sparse "
                                      "dimension");
  EXPECT_EQ(messageOf(gather, "[1,2],0"), "index 0 must list 4 coordinates, as many as the tile "
                                          "has, but lists 2");
  EXPECT_TRUE(StringRef(refusal(gather)).starts_with("a gather/scatter view has no grid of tiles"));
  for (const char *text : {"", "a", "1,", "-1", "[1", "[]", "1]", "[1]2", ",1"})
    EXPECT_FALSE(parseIndices(text)) << text;
}

/// Up to twelve tiles all have different colours; if there are more, those at most two steps apart
/// differ.
TEST_F(ViewPicture, TilesHaveColors) {
  std::map<std::string, int> colors;
  std::set<int> different;
  Result<Picture> few = draw("partition_view<tile=(4x4), tensor_view<16x12xf32, strides=[12, 1]>>");
  ASSERT_TRUE(few);
  for (const Cell &cell : few->cells)
    colors[cell.parts.front().label] = cell.parts.front().color;
  for (const auto &[tile, color] : colors)
    different.insert(color);
  EXPECT_EQ(colors.size(), 12u);
  EXPECT_EQ(different.size(), 12u);

  Result<Picture> many =
      draw("partition_view<tile=(1x1), tensor_view<24x24xf32, strides=[24, 1]>>");
  ASSERT_TRUE(many);
  for (int row = 0; row + 2 < 24; ++row)
    for (int column = 2; column + 2 < 24; ++column)
      for (int down = 0; down <= 2; ++down)
        for (int right = -2; right <= 2; ++right)
          if (down || right)
            ASSERT_NE(many->at(row, column)->parts.front().color,
                      many->at(row + down, column + right)->parts.front().color);
}

TEST_F(ViewPicture, TooMuch) {
  EXPECT_TRUE(StringRef(refusal("partition_view<tile=(4x2), tensor_view<2048x160xf32, "
                                "strides=[160, 1]>>"))
                  .starts_with("a picture has at most 262144 elements"));
  EXPECT_TRUE(StringRef(refusal("partition_view<tile=(1x1x1), tensor_view<2x2x2xf32, "
                                "strides=[4,2,1]>>"))
                  .starts_with("a picture shows two dimensions, not 3"));
  EXPECT_EQ(refusal("strided_view<tile=(32), traversal_strides=[1], "
                    "tensor_view<64xf32, strides=[1]>>"),
            "more than 16 tiles overlap in one element: choose one tile with --index");
  // A tile that is far larger than the tensor is rejected before it is enumerated.
  EXPECT_FALSE(draw("partition_view<tile=(16777216), tensor_view<1xi8, strides=[1]>>"));
}
