// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of the packed-operand cache: which operands it has, how many entries, and in which order
// tile blocks run.

#include "test/support/cpu/PlanTest.h"

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Operation;

namespace {

TEST(FactorSlots, AreForTensorsThatAreNotStoredTo) {
  ParsedKernel kernel(views + storedElsewhere());
  const Plan plan(kernel.entry(), target());
  const MatmulPlan &matmul = plan.matmulOf(firstNamed(kernel, "mmaf"));
  EXPECT_TRUE(plan.sharesFactors());
  EXPECT_EQ(matmul.inTensor[0], firstNamed(kernel, "load_view_tko"));
  EXPECT_EQ(matmul.iterations, 8) << "128 steps, as lhs need not be packed";
  EXPECT_EQ(plan.columnsInTurn, 8) << "at most, although 256 columns would be 16 tiles";
  for (unsigned operand : {0, 1}) {
    ASSERT_TRUE(matmul.shared[operand]) << operand;
    const SharedOperand &shared = *matmul.shared[operand];
    EXPECT_EQ(shared.varies, operand == 0 ? variesAlongX : variesAlongY);
    EXPECT_EQ(shared.keys.size(), 1u);
    EXPECT_EQ(shared.loaded.size(), 1u);
    EXPECT_EQ(shared.slots, operand == 0 ? 1 : 8);
    EXPECT_EQ(shared.groupBytes, 8 * 16 * 16 * 4);
    EXPECT_EQ(shared.slotGroups, 524288 / 8192) << "an eighth of 4 MiB";
  }
  EXPECT_GE(plan.arena.bytes(), 9 * (64 + 64 * 8192));
  Operation *product = firstNamed(kernel, "mmaf");
  EXPECT_EQ(plan.arena.allHeaders().bytes, 9 * 64) << "side by side: one page for all slots";
  EXPECT_EQ(plan.arena.headersOffset(product, 1), plan.arena.headersOffset(product, 0) + 64);
  EXPECT_EQ(plan.arena.slotsOffset(product, 0), plan.arena.bytes() - 9 * 64 * 8192)
      << "behind what each block needs";
  EXPECT_EQ(plan.memory.stored.size(), 1u);
}

TEST(FactorSlots, AreNotForTensorsThatAreStoredTo) {
  ParsedKernel kernel(views + blockProduct("") + storeOf("%r"));
  const Plan plan(kernel.entry(), target());
  EXPECT_TRUE(plan.memory.isKnown);
  EXPECT_FALSE(plan.sharesFactors());
  EXPECT_EQ(plan.columnsInTurn, 1);
}

TEST(FactorSlots, FollowThresholds) {
  ParsedKernel blocks(views + storedElsewhere());
  EXPECT_EQ(Plan(blocks.entry(), tuned("interleaved-columns=64")).columnsInTurn, 4);
  EXPECT_EQ(Plan(blocks.entry(), tuned("most-interleaved-blocks=2")).columnsInTurn, 2);
  EXPECT_FALSE(Plan(blocks.entry(), tuned("most-cached-bytes=0")).sharesFactors());
}

/// Blocks that run along x need another lhs each; if only the rhs varies by block, one lhs is
/// enough for all of them.
TEST(FactorSlots, AreAsManyAsConsecutiveBlocksNeed) {
  std::string text = storedElsewhere();
  const std::string row = "%pv[%bx, %k]";
  text.replace(text.find(row), row.size(), "%pv[%k, %0]");
  ParsedKernel kernel(views + text);
  const Plan plan(kernel.entry(), target());
  const MatmulPlan &matmul = plan.matmulOf(firstNamed(kernel, "mmaf"));
  EXPECT_EQ(plan.columnsInTurn, 1);
  ASSERT_TRUE(matmul.shared[0] && matmul.shared[1]);
  EXPECT_EQ(matmul.shared[0]->varies, 0u);
  EXPECT_TRUE(matmul.shared[0]->keys.empty());
  EXPECT_EQ(matmul.shared[0]->slots, 1);
  EXPECT_EQ(matmul.shared[1]->varies, unsigned(variesAlongY));
  EXPECT_EQ(matmul.shared[1]->slots, 1);
}

} // namespace
