// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tilewright/reference/machine/ReplayOrder.h"

#include <gtest/gtest.h>

using namespace tilewright::reference;

namespace {

TEST(ReplayOrder, Parse) {
  auto order = ReplayOrder::parse("replay:1:3,0,12:7");
  ASSERT_TRUE(order);
  EXPECT_EQ(order->steps, (std::vector<ReplayStep>{{1, 3}, {0, std::nullopt}, {12, 7}}));
  EXPECT_EQ(order->text(), "replay:1:3,0,12:7");
}

/// Only counted steps of the same block are merged: an open one may end earlier.
TEST(ReplayOrder, MergeSteps) {
  ReplayOrder order;
  order.run(0, 1);
  order.run(0, 2);
  order.run(1, 1);
  order.run(1, std::nullopt);
  order.run(1, 5);
  EXPECT_EQ(order.text(), "replay:0:2,1:1,1,1:5");
}

TEST(ReplayOrder, RefuseOtherTexts) {
  EXPECT_EQ(ReplayOrder::parse("program").failure().message,
            "expected a schedule like 'replay:1:3,0', but got 'program'");
  for (const char *part : {"", "x", "-1", "0:", "0:0", "0:-1", "0:1:2", "99999999999999999999"}) {
    const std::string text = std::string("replay:0,") + part;
    auto order = ReplayOrder::parse(text);
    ASSERT_FALSE(order) << text;
    EXPECT_EQ(order.failure().message, "the schedule '" + text +
                                           "': expected BLOCK:OPERATION or BLOCK, but got '" +
                                           part + "'");
  }
}

} // namespace
