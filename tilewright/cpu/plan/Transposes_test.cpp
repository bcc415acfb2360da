// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests in which form, and by how many lanes, tiles are transposed.

#include "test/support/cpu/PlanTest.h"

using namespace tilewright;
using namespace tilewright::cpu;

namespace {

TEST(Transposes, InterleaveFewRows) {
  ParsedKernel kernel(views + loadOf("%a") +
                      "%p = permute %a [1, 0] : tile<16x16xf32> -> tile<16x16xf32>\n" +
                      storeOf("%p"));
  auto planned = [&](const char *threshold) {
    return *Plan(kernel.entry(), tuned(threshold)).transposeOf(kernel.first<tile::PermuteOp>());
  };
  const Transpose blocks = planned("most-interleaved-rows=8");
  EXPECT_EQ(int(blocks.form), int(Transpose::Form::Blocks));
  EXPECT_EQ(blocks.lanes, 8) << "registers of 32 bytes";
  EXPECT_EQ(int(planned("most-interleaved-rows=16").form), int(Transpose::Form::Interleave));
}

/// Blocks have as many rows as a vector has lanes, the threshold allows, and the tile has.
TEST(Transposes, TakeBlocksOfAVector) {
  auto lanesIn = [](const std::string &element, const Target &target, int64_t extent = 64) {
    const std::string size = std::to_string(extent),
                      tile = "tile<" + size + "x" + size + "x" + element + ">",
                      elements = std::to_string(extent * extent);
    ParsedKernel kernel("%i = iota : tile<" + elements + "x" + element + ">\n" +
                        "%a = reshape %i : tile<" + elements + "x" + element + "> -> " + tile +
                        "\n%p = permute %a [1, 0] : " + tile + " -> " + tile + "\n");
    auto op = kernel.first<tile::PermuteOp>();
    return lanesOf(op, *transposeOf(op, target.tuning), target);
  };
  EXPECT_EQ(lanesIn("i32", target()), 8) << "registers of 32 bytes";
  EXPECT_EQ(lanesIn("i64", target()), 4);
  EXPECT_EQ(lanesIn("i16", target()), 16);
  EXPECT_EQ(lanesIn("i8", target(), 16), 16);
  EXPECT_EQ(lanesIn("i16", tuned("most-transposed-rows=8")), 8) << "at most";
  EXPECT_EQ(lanesIn("i32", *Target::named("x86-64-v4")), 16);
  EXPECT_EQ(lanesIn("i32", *Target::named("x86-64-v4"), 8), 8) << "the tile";
}

} // namespace
