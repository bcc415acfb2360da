// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of executions beyond the litmus tests: parts of locations, and the step budget.

#include "test/support/reference/TestBlocks.h"

using namespace tilewright::reference;
using namespace tilewright::reference::testing;

namespace {

//===-- Parts of locations --------------------------------------------------------------------===//

TEST(Executions, ReadsFromIsPerByte) {
  // Four bytes are stored, then the second of them, then all are read: one byte is replaced.
  Trace trace;
  trace.tokens = {{}, {0}, {1}};
  trace.events = {{0, Location::ofBytes(16, 4), std::nullopt, Value{0x44332211}},
                  {1, Location::ofBytes(17, 1), std::nullopt, Value{0xAA}},
                  {2, Location::ofBytes(16, 4), Value{0x4433AA11}}};
  auto count = [&] {
    StepBudget steps(1000);
    std::optional<Executions> found = executionsOf(&trace, zero, steps);
    EXPECT_TRUE(found && found->races.empty());
    return found->count;
  };
  EXPECT_EQ(count(), 1u);
  trace.events[2].read = Value{0x44332211};
  EXPECT_EQ(count(), 0u);
}

TEST(Executions, HalvesOfOneByteRace) {
  Location lower{32, 33}, upper{33, 34};
  Code bothHalves = [=](Block &b) { b.writeAll({{lower, 1}, {upper, 2}}, weak); };
  Code lowerHalf = [=](Block &b) { b.writeAll({{lower, 1}}, weak); };
  Code upperHalf = [=](Block &b) { b.writeAll({{upper, 2}}, weak); };
  EXPECT_NE(outcomesOf({bothHalves}, {0}), std::nullopt);
  EXPECT_EQ(outcomesOf({lowerHalf, upperHalf}, {0}), std::nullopt);
}

TEST(Executions, NotFoundWithoutSteps) {
  Trace trace;
  trace.tokens = {{}};
  trace.events = {{0, Location::ofBytes(16, 4), std::nullopt, Value{1}}};
  StepBudget one(1);
  EXPECT_EQ(executionsOf(&trace, zero, one), std::nullopt);
  std::atomic<bool> cancelled = false;
  StepBudget many(1000, &cancelled);
  EXPECT_NE(executionsOf(&trace, zero, many), std::nullopt);
  cancelled = true;
  EXPECT_EQ(executionsOf(&trace, zero, many), std::nullopt);

  // A read with one source: one step chooses it, and none is left for the coherence order.
  Trace reads;
  reads.tokens = {{}};
  reads.events = {{0, Location::ofBytes(16, 4), Value{0}}};
  StepBudget first(1);
  EXPECT_EQ(executionsOf(&reads, zero, first), std::nullopt);
  // The search is complete if it needs exactly the available steps.
  StepBudget enough(2);
  EXPECT_EQ(executionsOf(&reads, zero, enough)->count, 1u);
}

} // namespace
