// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the memory that operations need while they run.

#include "test/support/cpu/PlanTest.h"

using namespace tilewright;
using namespace tilewright::cpu;

namespace {

/// A print needs pointers to its arguments, then their elements.
TEST(Scratch, SaysWhereAPrintKeepsItsArguments) {
  ParsedKernel kernel("%i = iota : tile<16xi32>\n%j = constant <i32: 3> : tile<i32>\n"
                      "print_tko \"%d %d\", %i, %j : tile<16xi32>, tile<i32> -> token\n");
  auto print = kernel.first<tile::PrintOp>();
  Scratch scratch = printScratch(print);
  EXPECT_EQ(scratch.parts, (llvm::SmallVector<int64_t, 2>{0, 16, 16 + 16 * 8}));
  EXPECT_EQ(scratch.bytes, 16 + 17 * 8);
  const Plan plan(kernel.entry(), target());
  EXPECT_EQ(plan.arena.scratchOffset(print, 2) - plan.arena.scratchOffset(print), 16 + 16 * 8);
}

} // namespace
