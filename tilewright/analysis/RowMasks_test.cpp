// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the decomposition of row masks, by hand.

#include "test/support/analysis/AnalysisTest.h"
#include "tilewright/analysis/RowMasks.h"

using namespace tilewright;
using namespace tilewright::analysis;

namespace {

/// `splats, ranges` of the mask %m of 4x8 along the rows; empty if it has other parts.
std::string partsOf(const std::string &text) {
  ParsedKernel kernel(R"(
    %i8 = iota : tile<8xi64>
    %row = reshape %i8 : tile<8xi64> -> tile<1x8xi64>
    %column = broadcast %row : tile<1x8xi64> -> tile<4x8xi64>
    %i4 = iota : tile<4xi64>
    %across = reshape %i4 : tile<4xi64> -> tile<4x1xi64>
    %number = broadcast %across : tile<4x1xi64> -> tile<4x8xi64>
    %bound = constant <i64: 5> : tile<4x8xi64>
    %inside = cmpi less_than %column, %bound, unsigned : tile<4x8xi64> -> tile<4x8xi1>
  )" + text);
  std::vector<mlir::Operation *> operations = kernel.operations();
  mlir::Value mask =
      operations[operations.size() - 2]->getResult(0); // the operation before the return
  std::optional<RowMask> found = rowMaskOf(mask, 1);
  return found ? std::to_string(found->splats.size()) + ", " + std::to_string(found->ranges.size())
               : "";
}

const std::string type = " : tile<4x8xi64> -> tile<4x8xi1>\n";

TEST(RowMasks, OfBoundsChecks) {
  EXPECT_EQ(partsOf(""), "0, 1");
  EXPECT_EQ(partsOf("%m = cmpi less_than %number, %bound, signed" + type), "1, 0");
  EXPECT_EQ(partsOf("%n = cmpi less_than %number, %bound, signed" + type +
                    "%m = andi %n, %inside : tile<4x8xi1>"),
            "1, 1");
  EXPECT_EQ(partsOf("%n = addi %column, %number : tile<4x8xi64>\n"
                    "%m = cmpi less_than %n, %number, signed" +
                    type),
            "0, 1");
}

TEST(RowMasks, OfOtherConditions) {
  EXPECT_EQ(partsOf("%m = cmpi greater_than %column, %bound, signed" + type), "");
  EXPECT_EQ(partsOf("%m = cmpi less_than %bound, %column, signed" + type), "");
  EXPECT_EQ(partsOf("%n = addi %column, %column : tile<4x8xi64>\n"
                    "%m = cmpi less_than %n, %bound, signed" +
                    type),
            "");
  EXPECT_EQ(partsOf("%n = cmpi less_than %number, %bound, signed" + type +
                    "%m = ori %n, %inside : tile<4x8xi1>"),
            "");
}

/// A row of 256 elements wraps around in i8.
TEST(RowMasks, CountNoFurtherThanTheirIntegers) {
  auto rangesOf = [](const std::string &extent) {
    ParsedKernel kernel("%i = iota : tile<" + extent + "xi8>\n%b = constant <i8: 100> : tile<" +
                        extent + "xi8>\n%m = cmpi less_than %i, %b, unsigned : tile<" + extent +
                        "xi8> -> tile<" + extent + "xi1>");
    return rowMaskOf(kernel.first<tile::CmpIOp>().getResult(), 0).has_value();
  };
  EXPECT_TRUE(rangesOf("128"));
  EXPECT_FALSE(rangesOf("256"));
}

TEST(RowMasks, OfNoMask) {
  std::optional<RowMask> found = rowMaskOf({}, 0);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->splats.empty() && found->ranges.empty());
}

} // namespace
