// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests which entries run their tile blocks in panels.

#include "tilewright/nvidia/plan/RolesTesting.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using namespace tilewright::nvidia::testing;

namespace {

const std::string ids = "%x, %y, %z = get_tile_block_id : tile<i32>" + at("ids");

/// A loop over the products of the tiles at these indices of `a` and `b`.
std::string productOf(const std::string &lhs, const std::string &rhs) {
  return "%s = for %i in (%zero to %n, step %one) : tile<i32> iter_values(%acc = %none) -> (" +
         tile32 + ") {\n" + load("l", "a", lhs) + load("r", "b", rhs) + product("d", "l", "r") +
         "continue %d : " + tile32 + "\n}" + at("s");
}

class NvidiaRasterization : public RolesTest {
protected:
  int64_t panelOf(const std::string &body) { return planOf(ids + body).rasterization.panel; }
};

TEST_F(NvidiaRasterization, rowsAndColumnsOfBlocksFormPanels) {
  EXPECT_EQ(panelOf(productOf("%x, %i", "%i, %y")), 8);
  EXPECT_EQ(panelOf(productOf("%y, %i", "%i, %x")), 8);
  EXPECT_EQ(planOf(ids + productOf("%y, %i", "%i, %x"), "sm_80").rasterization.panel, 8);
}

TEST_F(NvidiaRasterization, othersRunAsLaunched) {
  EXPECT_EQ(panelOf(productOf("%x, %i", "%i, %x")), 1); // no id for columns
  EXPECT_EQ(panelOf(productOf("%x, %i", "%i, %z")), 1); // y, in between, chooses nothing
  EXPECT_EQ(panelOf(productOf("%x, %i", "%i, %zero")), 1);
  EXPECT_EQ(panelOf(productOf("%x, %y", "%y, %x")), 1); // split along k
  EXPECT_EQ(panelOf("%other = iota : tile<64xi32>" + at("other")), 1);
}

/// The rows follow from x through arithmetic, a carried value, a branch, and a load.
TEST_F(NvidiaRasterization, idsAreFollowed) {
  EXPECT_EQ(panelOf("%row = addi %x, %one : tile<i32>\n" + productOf("%row, %i", "%i, %y")), 8);
  EXPECT_EQ(panelOf("%row = addi %x, %y : tile<i32>\n" + productOf("%row, %i", "%i, %y")), 1);
  EXPECT_EQ(panelOf("%row = if %if -> (tile<i32>) {\nyield %x : tile<i32>\n} else {\nyield %one : "
                    "tile<i32>\n}\n" +
                    productOf("%row, %i", "%i, %y")),
            8);
  EXPECT_EQ(
      panelOf("%row = for %j in (%zero to %n, step %one) : tile<i32> iter_values(%j0 = %x) -> "
              "(tile<i32>) {\n%next = addi %j0, %y : tile<i32>\ncontinue %next : "
              "tile<i32>\n}\n" +
              productOf("%row, %i", "%i, %y")),
      1);
  EXPECT_EQ(
      panelOf("%at = offset %e, %x : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>\n%row, %rowt = "
              "load_ptr_tko weak %at : tile<ptr<i32>> -> tile<i32>, token\n" +
              productOf("%row, %i", "%i, %y")),
      8);
}

/// A carried index of rows depends on x, its initial value, and the loop over k on bounds.
TEST_F(NvidiaRasterization, theBoundsOfALoopCount) {
  const std::string bounded = productOf("%zero, %i", "%i, %y");
  const size_t from = bounded.find("%zero to");
  EXPECT_EQ(panelOf(std::string(bounded).replace(from, 5, "%x")), 1); // both operands
  EXPECT_EQ(panelOf(bounded), 1);
}

/// The driver names the CTA of a failed assertion.
TEST_F(NvidiaRasterization, assertionsNeedTheLaunchedOrder) {
  const std::string both = productOf("%x, %i", "%i, %y");
  EXPECT_EQ(panelOf("assert %if, \"no\" : tile<i1>\n" + both), 1);
}

/// A block may wait for one that has not started, if these are reordered.
TEST_F(NvidiaRasterization, blocksThatWaitNeedTheLaunchedOrder) {
  const std::string both = productOf("%x, %i", "%i, %y");
  const auto waiting = [](const std::string &ordering) {
    return "loop {\n%f, %ft = load_ptr_tko " + ordering +
           " %e : tile<ptr<i32>> -> tile<i32>, token\n%is = cmpi equal %f, %one, signed : "
           "tile<i32> -> tile<i1>\nif %is {\nbreak\n}\ncontinue\n}\n";
  };
  EXPECT_EQ(panelOf(waiting("acquire device") + both), 1);
  EXPECT_EQ(panelOf(waiting("weak") + both), 8);
}

TEST_F(NvidiaRasterization, thePlanSaysSo) {
  std::string text;
  llvm::raw_string_ostream out(text);
  print(planOf(ids + productOf("%x, %i", "%i, %y")), out);
  EXPECT_NE(text.find("\n  rasterization order: panels of 8 rows of tile blocks, so that operands "
                      "stay in the L2 cache\n"),
            std::string::npos)
      << text;
}

} // namespace
