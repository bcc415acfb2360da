// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests which operations share loops.

#include "test/support/cpu/PlanTest.h"

using namespace tilewright;
using namespace tilewright::cpu;

namespace {

/// An operation without code between members, such as a view, does not end the group.
TEST(FusionGroups, GroupsMembersAroundViews) {
  ParsedKernel kernel(views + loadOf("%a") +
                      "%uv = make_tensor_view %f, shape = [64, 64], strides = [64, 1] : "
                      "tensor_view<64x64xf32, strides=[64, 1]>\n"
                      "%h, %w = get_tensor_shape %uv : tensor_view<64x64xf32, strides=[64, 1]> -> "
                      "tile<i32>\n" +
                      storeOf("%a", "%1"));
  const Plan plan(kernel.entry(), target());
  ASSERT_EQ(plan.groups.all().size(), 1u);
  EXPECT_EQ(plan.groups.all()[0].members.size(), 2u);
  EXPECT_EQ(plan.groups.all()[0].loops.size(), 1u);
}

TEST(FusionGroups, LimitsGroups) {
  ParsedKernel kernel(views + loadOf("%a") + "%b = exp %a" + t + storeOf("%b", "%1"));
  auto groupsIn = [&](const char *threshold) {
    return Plan(kernel.entry(), tuned(threshold)).groups.all().size();
  };
  EXPECT_EQ(groupsIn("most-group-members=2"), 1u);
  EXPECT_EQ(groupsIn("most-group-members=1"), 2u);
}

} // namespace
