// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests how many elements and vectors an iteration of an inner loop computes.

#include "test/support/cpu/PlanTest.h"

using namespace tilewright;
using namespace tilewright::cpu;

namespace {

/// Converting an integer is cheap, a power is not, and a sine needs many registers.
TEST(GroupVectors, SaysHowManyVectorsALoopTakes) {
  const Target wide = *Target::named("x86-64-v4");
  struct {
    const char *text;
    const Target &target;
    int64_t chains;
    ChainReason reason;
  } const cases[] = {
      {"", target(), 4, ChainReason::LittleWork},
      {"%a = exp %c : tile<16x256xf32>\n", target(), 2, ChainReason::FewRegisters},
      {"%a = exp %c : tile<16x256xf32>\n", wide, 4, ChainReason::ManyRegisters},
      {"%a = sin %c : tile<16x256xf32>\n", wide, 2, ChainReason::FewRegisters},
  };
  for (const auto &one : cases) {
    std::string text = textOf({"reduce", "f32", addf, 1});
    if (*one.text) {
      text.replace(text.find("%a = itof"), 2, "%c");
      text.insert(text.find("%r ="), one.text);
    }
    ParsedKernel kernel(text);
    const Plan plan(kernel.entry(), one.target);
    const InnerLoop &loop = plan.groups.groupOf(kernel.first<tile::ReduceOp>())->loops[0];
    EXPECT_EQ(loop.width, 16);
    EXPECT_EQ(loop.wordBytes, 4);
    EXPECT_EQ(loop.chains, one.chains) << text;
    EXPECT_EQ(int(loop.chainReason), int(one.reason)) << text;
  }
}

TEST(GroupVectors, FollowsThresholds) {
  ParsedKernel sum(textOf({"reduce", "f32", addf, 1}));
  auto loopIn = [&](const char *threshold) {
    return Plan(sum.entry(), tuned(threshold))
        .groups.groupOf(sum.first<tile::ReduceOp>())
        ->loops[0];
  };
  EXPECT_EQ(loopIn("chains=8").chains, 8);
  EXPECT_EQ(loopIn("chains=32").chains, 16) << "all vectors of a row";
  EXPECT_EQ(loopIn("least-busy-work=0").chains, 2);
  EXPECT_EQ(int(loopIn("least-busy-work=0").chainReason), int(ChainReason::FewRegisters));
  EXPECT_EQ(loopIn("least-access-lanes=64").width, 64);
}

} // namespace
