// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests how scalars are carried through blocks (Scalars.h), and the descriptors of views and their
// sizes (ViewDescriptors.h). Sizes are folded to constants; the expected ones follow from types,
// 5.4, by hand.

#include "test/support/emit/Emission.h"

using namespace tilewright;
using namespace tilewright::emit;
using llvm::SmallVector;
using mlir::Value;

namespace {

//===-- Scalars -------------------------------------------------------------------------------===//

const char *const mixed = R"(
    %a = constant <i32: 7> : tile<i32>
    %tile = constant <i32: 1> : tile<4xi32>
    %c = constant <i64: 9> : tile<i64>
    %token = make_token : token
)";

struct ScalarsTest : testing::Test {
  ScalarsTest() {
    for (mlir::Operation *op : emission.kernel.operations())
      all.append(op->result_begin(), op->result_end());
    EXPECT_EQ(all.size(), 4u);
  }
  Emission emission{mixed};
  IrBuilder &b = *emission.b;
  SmallVector<Value> all; ///< A scalar, a tile, a scalar, a token.
};

TEST_F(ScalarsTest, onlyScalarsAreAmongValues) {
  Scalars scalars;
  Value first = b.i64(1), second = b.i64(2);
  scalars.define(all[0], first);
  scalars.define(all[2], second);
  EXPECT_EQ(scalars.among(all), (SmallVector<Value>{first, second}));
  EXPECT_EQ(Scalars::typesAmong(all), (SmallVector<mlir::Type>{b.getI32Type(), b.getI64Type()}));
  EXPECT_FALSE(scalars.of(all[1]));
  scalars.clear();
  EXPECT_FALSE(scalars.of(all[0]));
}

TEST_F(ScalarsTest, scalarsBecomeConsecutiveArgumentsOfABlock) {
  Scalars scalars;
  mlir::Block *block = b.newBlock({b.getI1Type(), b.getI32Type(), b.getI64Type()});
  scalars.bind(all, block, /*first=*/1);
  EXPECT_EQ(scalars.of(all[0]), block->getArgument(1));
  EXPECT_EQ(scalars.of(all[2]), block->getArgument(2));
  EXPECT_FALSE(scalars.of(all[1]));
  EXPECT_FALSE(scalars.of(all[3]));
}

TEST_F(ScalarsTest, aSlicePassesZerosForWhatItDoesNotCompute) {
  Scalars scalars(&b);
  Value known = b.i64(5);
  scalars.define(all[2], known);
  SmallVector<Value> values = scalars.among(all);
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(values[0].getType(), b.getI32Type());
  EXPECT_EQ(folded(values[0]), 0u);
  EXPECT_EQ(values[1], known);
}

//===-- Views ---------------------------------------------------------------------------------===//

TEST(ViewDescriptors, aTensorViewHasConstantsFromItsTypeAndZeroExtendedOperands) {
  Emission emission(R"(
    %n = constant <i32: -1> : tile<i32>
    %s = constant <i32: 40> : tile<i32>
    %v = make_tensor_view %x, shape = [3, %n], strides = [%s, 1]
      : tile<i32> -> tensor_view<3x?xi32, strides=[?, 1]>
  )");
  emission.emitAll();
  const ViewValue &view =
      emission.views->of(emission.kernel.first<tile::MakeTensorViewOp>().getResult());
  EXPECT_EQ(view.base, emission.pointer);
  // Operands are read unsigned.
  EXPECT_EQ(folded(view.extents), (std::vector<uint64_t>{3, 0xFFFFFFFF}));
  EXPECT_EQ(folded(view.strides), (std::vector<uint64_t>{40, 1}));
}

/// The index space of a view with tiles of 16x8 in a tensor of this shape.
using Counts = std::vector<uint64_t>;
Counts indexSpace(const std::string &make, const std::string &type, const std::string &rows,
                  const std::string &columns) {
  const std::string tensor = "tensor_view<?x?xi32, strides=[32, 1]>", view = type + ", " + tensor;
  Emission emission("%rows = constant <i64: " + rows +
                    "> : tile<i64>\n%columns = constant <i64: " + columns +
                    "> : tile<i64>\n"
                    "%t = make_tensor_view %x, shape = [%rows, %columns], strides = [32, 1]"
                    " : tile<i64> -> " +
                    tensor + "\n%v = " + make + " %t : " + view +
                    ">\n"
                    "%d0, %d1 = get_index_space_shape %v : " +
                    view + "> -> tile<i64>\n");
  emission.emitAll();
  return emission.resultsOf<tile::GetIndexSpaceShapeOp>();
}

TEST(ViewDescriptors, anIndexSpaceCountsTilesThatBeginInsideTheTensor) {
  auto partition = [](const std::string &rows, const std::string &columns) {
    return indexSpace("make_partition_view", "partition_view<tile=(16x8)", rows, columns);
  };
  auto strided = [](const std::string &rows, const std::string &columns) {
    return indexSpace("make_strided_view", "strided_view<tile=(16x8), traversal_strides=[10,5]",
                      rows, columns);
  };
  EXPECT_EQ(partition("100", "30"), (Counts{7, 4}));
  EXPECT_EQ(partition("96", "8"), (Counts{6, 1}));
  EXPECT_EQ(partition("0", "1"), (Counts{0, 1}));
  EXPECT_EQ(strided("100", "30"), (Counts{10, 6}));
  EXPECT_EQ(strided("101", "31"), (Counts{11, 7}));
  // (2^64 - 1) / 16, rounded up, though 2^64 - 1 + 15 overflows.
  EXPECT_EQ(partition("-1", "9"), (Counts{uint64_t(1) << 60, 2}));
}

TEST(ViewDescriptors, sizesAreTruncatedToTheResultsType) {
  Emission emission(R"(
    %n = constant <i32: 200> : tile<i32>
    %v = make_tensor_view %x, shape = [%n, 96], strides = [96, 1]
      : tile<i32> -> tensor_view<?x96xi32, strides=[96, 1]>
    %d0, %d1 = get_tensor_shape %v : tensor_view<?x96xi32, strides=[96, 1]> -> tile<i8>
  )");
  emission.emitAll();
  auto op = emission.kernel.first<tile::GetTensorShapeOp>();
  EXPECT_TRUE(emission.scalars.of(op->getResult(0)).getType().isInteger(8));
  EXPECT_EQ(emission.resultsOf<tile::GetTensorShapeOp>(), (std::vector<uint64_t>{200, 96}));
}

TEST(ViewDescriptors, anAssumedViewIsAnAlias) {
  Emission emission(R"(
    %v = make_tensor_view %x, shape = [8, 64], strides = [64, 1]
      : tensor_view<8x64xi32, strides=[64, 1]>
    %a = assume div_by<128>, %v : tensor_view<8x64xi32, strides=[64, 1]>
  )");
  emission.emitAll();
  const ViewValue *alias =
      emission.views->find(emission.kernel.first<tile::AssumeOp>().getResult());
  ASSERT_TRUE(alias);
  EXPECT_EQ(alias->base, emission.pointer);
  EXPECT_EQ(folded(alias->extents), (std::vector<uint64_t>{8, 64}));
  EXPECT_EQ(folded(alias->strides), (std::vector<uint64_t>{64, 1}));
}

TEST(ViewDescriptors, anAssumptionAboutAScalarIsNone) {
  Emission emission(R"(
    %n = constant <i32: 200> : tile<i32>
    %a = assume div_by<8>, %n : tile<i32>
  )");
  emission.define(emission.kernel.first<tile::ConstantOp>());
  auto assume = emission.kernel.first<tile::AssumeOp>();
  EXPECT_FALSE(emission.views->emitAssume(assume));
  EXPECT_FALSE(emission.views->find(assume.getResult()));
}

} // namespace
