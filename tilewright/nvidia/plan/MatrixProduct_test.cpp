// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the layouts of `wgmma` and `tcgen05.mma` against the figures of the PTX ISA (9.7.16.5),
// which number threads of a warpgroup and their registers.

#include "tilewright/nvidia/plan/MatrixProduct.h"

#include <gtest/gtest.h>
#include <set>

using namespace tilewright::nvidia;

namespace {

MatrixProduct product(int64_t m, int64_t n, int64_t k, int64_t warpgroupsAlongM = 1,
                      int64_t warpgroupsAlongN = 1, int64_t elementBytes = 2) {
  return {{"f32.f16.f16", 64, MatrixForm::bytesAlongK, 80, MatrixForm::Group},
          1,
          m,
          n,
          k,
          elementBytes,
          warpgroupsAlongM,
          warpgroupsAlongN};
}

/// The element of a row-major tile that this thread has in a register of the accumulators (PTX ISA,
/// figure "WGMMA .m64nNk16 register fragment layout for accumulator matrix D").
int64_t accumulator(int64_t thread, int64_t number, int64_t columns) {
  int64_t row = 16 * (thread / 32) + thread % 32 / 4 + 8 * (number / 2 % 2);
  int64_t column = 8 * (number / 4) + 2 * (thread % 4) + number % 2;
  return row * columns + column;
}

void expectAccumulators(const TileLayout &layout, int64_t columns) {
  for (int64_t thread = 0; thread < 128; ++thread)
    for (int64_t number = 0; number < columns / 2; ++number)
      ASSERT_EQ(layout.indexOf(thread, number), accumulator(thread, number, columns))
          << "thread " << thread << ", register " << number;
}

TEST(MatrixProduct, AWarpgroupHasTheAccumulatorsOfTheManual) {
  for (int64_t columns : {8, 16, 64, 128, 256})
    expectAccumulators(product(64, columns, 64).layout(128), columns);
}

/// 128 rows in a warpgroup are two blocks, of which the second one has the upper registers.
TEST(MatrixProduct, BlocksOfAWarpgroupFollowEachOther) {
  const MatrixProduct two = product(128, 32, 64);
  TileLayout layout = two.layout(128);
  EXPECT_EQ(two.fragmentsAlongM(), 2);
  EXPECT_EQ(layout.slots(), 32);
  for (int64_t thread = 0; thread < 128; ++thread)
    for (int64_t number = 0; number < 16; ++number) {
      EXPECT_EQ(layout.indexOf(thread, number), accumulator(thread, number, 32));
      EXPECT_EQ(layout.indexOf(thread, 16 + number), 64 * 32 + accumulator(thread, number, 32));
    }
}

TEST(MatrixProduct, WarpgroupsDivideRowsOrColumns) {
  TileLayout rows = product(128, 32, 64, 2, 1).layout(256);
  TileLayout columns = product(64, 64, 64, 1, 2).layout(256);
  for (int64_t thread = 0; thread < 256; ++thread)
    for (int64_t number = 0; number < 16; ++number) {
      int64_t inWarpgroup = accumulator(thread % 128, number, 32), group = thread / 128;
      EXPECT_EQ(rows.indexOf(thread, number), group * 64 * 32 + inWarpgroup);
      EXPECT_EQ(columns.indexOf(thread, number),
                inWarpgroup / 32 * 64 + group * 32 + inWarpgroup % 32);
    }
}

/// Each warpgroup takes the rows of lhs of its own accumulators, in registers of 16-bit pairs
/// (figure "WGMMA .m64nNk16 register fragment layout for matrix A"): per 16 steps along k, those
/// are the accumulators of 16 columns.
TEST(MatrixProduct, LhsInRegistersHasTheLayoutOfAccumulators) {
  std::optional<TileLayout> layout = product(64, 256, 64).lhsLayout(128);
  ASSERT_TRUE(layout);
  for (int64_t thread = 0; thread < 128; ++thread)
    for (int64_t step = 0; step < 4; ++step)
      for (int64_t number = 0; number < 8; ++number) {
        int64_t row = 16 * (thread / 32) + thread % 32 / 4 + 8 * (number / 2 % 2);
        int64_t column = 16 * step + 8 * (number / 4) + 2 * (thread % 4) + number % 2;
        ASSERT_EQ(layout->indexOf(thread, 8 * step + number), row * 64 + column);
      }
}

/// The same for a fragment of `mma.sync` (figure "MMA .m16n8k16 fragment layout for matrix A with
/// .f16 / .bf16"): each of 2 warps has 32 rows, so registers of the first 16 come first.
TEST(MatrixProduct, LhsOfWarpsInRegistersHasTheLayoutOfAccumulators) {
  const MatrixProduct ofWarps{{"m16n8k16.row.col.bf16", 16}, 1, 64, 32, 32, 2, 2, 1};
  std::optional<TileLayout> layout = ofWarps.lhsLayout(64);
  ASSERT_TRUE(layout);
  for (int64_t thread = 0; thread < 64; ++thread)
    for (int64_t i = 0; i < 2; ++i)
      for (int64_t step = 0; step < 2; ++step)
        for (int64_t number = 0; number < 8; ++number) {
          int64_t row = 32 * (thread / 32) + 16 * i + thread % 32 / 4 + 8 * (number / 2 % 2);
          int64_t column = 16 * step + 8 * (number / 4) + 2 * (thread % 4) + number % 2;
          ASSERT_EQ(layout->indexOf(thread, 16 * i + 8 * step + number), row * 32 + column);
        }
}

TEST(MatrixProduct, LhsOfOtherTypesIsNotInRegisters) {
  EXPECT_FALSE(product(64, 64, 64, 1, 1, 1).lhsLayout(128));
  EXPECT_FALSE(product(64, 64, 64, 1, 1, 4).lhsLayout(128));
  EXPECT_FALSE(product(64, 64, 64, 1, 2).lhsLayout(256)); // each would need a copy
}

/// At most 256 columns are multiplied by one instruction.
TEST(MatrixProduct, ColumnsOfOneInstruction) {
  EXPECT_EQ(product(64, 512, 32).columnsOfOne(), 256);
  EXPECT_EQ(product(64, 512, 32, 1, 4).columnsOfOne(), 128);
  EXPECT_EQ(product(64, 32, 32).columnsOfOne(), 32);
}

/// A fragment of 8 columns has 4 registers of a thread: in the statement, those of a block follow
/// each other.
TEST(MatrixProduct, SlotsOfFragments) {
  const MatrixProduct wide = product(128, 32, 64);
  EXPECT_EQ(wide.slotsOf(0, 0, 0), (llvm::SmallVector<int64_t, 4>{0, 1, 2, 3}));
  EXPECT_EQ(wide.slotsOf(0, 0, 3), (llvm::SmallVector<int64_t, 4>{12, 13, 14, 15}));
  EXPECT_EQ(wide.slotsOf(0, 1, 0), (llvm::SmallVector<int64_t, 4>{16, 17, 18, 19}));
}

MatrixProduct inTensorMemory(int64_t m, int64_t n, int64_t alongM = 1, int64_t alongN = 1) {
  const int64_t rows = std::min<int64_t>(m, 128);
  return {{"f16", rows, MatrixForm::bytesAlongK, 86, MatrixForm::Tensor},
          1,
          m,
          n,
          64,
          2,
          alongM,
          alongN};
}

/// `tcgen05.ld.32x32b` loads successive columns of a lane, and a warp has 32 lanes (figure "matrix
/// fragment for shape .32x32b").
TEST(MatrixProduct, AThreadHasARowOfTensorMemory) {
  const TileLayout layout = inTensorMemory(128, 64).layout(128);
  EXPECT_EQ(layout.slots(), 64);
  for (int64_t thread = 0; thread < 128; ++thread)
    for (int64_t number = 0; number < 64; ++number)
      ASSERT_EQ(layout.indexOf(thread, number), thread * 64 + number);
}

/// 256 rows are two blocks of columns; warpgroups divide blocks, then columns.
TEST(MatrixProduct, WarpgroupsDivideTensorMemory) {
  const TileLayout blocks = inTensorMemory(256, 32).layout(128),
                   rows = inTensorMemory(256, 32, 2, 1).layout(256),
                   columns = inTensorMemory(128, 64, 1, 2).layout(256);
  for (int64_t thread = 0; thread < 256; ++thread)
    for (int64_t number = 0; number < 32; ++number) {
      const int64_t row = thread % 128, group = thread / 128;
      if (thread < 128) {
        ASSERT_EQ(blocks.indexOf(thread, number), row * 32 + number);
        ASSERT_EQ(blocks.indexOf(thread, 32 + number), (128 + row) * 32 + number);
      }
      ASSERT_EQ(rows.indexOf(thread, number), (128 * group + row) * 32 + number);
      ASSERT_EQ(columns.indexOf(thread, number), row * 64 + 32 * group + number);
    }
}

/// 64 rows are in 16 lanes of each quarter, which `tcgen05.ld.16x256b` loads (figure "matrix
/// fragment for shape .16x256b"): the layout of `wgmma`.
TEST(MatrixProduct, HalfOfTheLanesHaveTheLayoutOfAWarpgroup) {
  expectAccumulators(inTensorMemory(64, 64).layout(128), 64);
}

TEST(MatrixProduct, ColumnsOfTensorMemory) {
  EXPECT_EQ(inTensorMemory(64, 64).tensorColumns(), 64);
  EXPECT_EQ(inTensorMemory(128, 256).tensorColumns(), 256);
  EXPECT_EQ(inTensorMemory(256, 128, 2).tensorColumns(), 256);
  EXPECT_EQ(inTensorMemory(64, 512, 1, 2).columnsOfOne(), 256);
  EXPECT_EQ(inTensorMemory(128, 128, 1, 2).columnsOfOne(), 128);
}

/// A word of 32 bits has successive steps along k. Of 128 rows, a thread has one; of 64 rows, it
/// has two adjacent elements, which must fill a word (figures of shapes .32x32b, .16x128b,
/// .16x256b).
TEST(MatrixProduct, LhsInTensorMemoryHasTheRowsOfAccumulators) {
  MatrixProduct all = inTensorMemory(128, 128), half = inTensorMemory(64, 128);
  for (int64_t bytes : {1, 2, 4}) {
    all.elementBytes = half.elementBytes = bytes;
    all.k = half.k = 64;
    std::optional<TileLayout> layout = all.lhsLayout(128);
    ASSERT_TRUE(layout);
    for (int64_t thread = 0; thread < 128; ++thread)
      for (int64_t number = 0; number < 64; ++number)
        ASSERT_EQ(layout->indexOf(thread, number), 64 * thread + number);
    EXPECT_EQ(all.wordsOfLhs().tensorColumns(), 16 * bytes);
    EXPECT_EQ(half.lhsLayout(128).has_value(), bytes > 1);
  }
  all.elementBytes = 2;
  all.k = 16;
  EXPECT_TRUE(all.lhsLayout(128));
  all.warpsAlongN = 2;
  EXPECT_FALSE(all.lhsLayout(256)); // a warp of 64 rows would have half a fragment
}

} // namespace
