// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests what upstream analyses are told about loops and branches: the successors of each point, by
// hand (operations, 5), and that no values are forwarded for a loop that is left from an `if`.

#include "tilewright/tile/Dialect.h"
#include "tilewright/tile/Loops.h"

#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tilewright::tile;

namespace {

class ControlInterfaces : public testing::Test {
protected:
  /// The first operation of the kind in a kernel with this body.
  template <typename Op> Op parse(const std::string &body) {
    context.loadDialect<TileDialect>();
    module = parseSourceString<mlir::ModuleOp>(
        "cuda_tile.module @m { entry @k(%c: tile<i1>, %n: tile<i32>) {\n" + body + "\n}}",
        &context);
    EXPECT_TRUE(module) << body;
    Op found;
    module->walk<WalkOrder::PreOrder>([&](Op op) {
      found = op;
      return WalkResult::interrupt();
    });
    return found;
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OwningOpRef<mlir::ModuleOp> module;
};

/// "body(2)" and "behind(1)": the successors, with the number of forwarded values.
std::vector<std::string> successors(RegionBranchOpInterface op, RegionBranchPoint point) {
  SmallVector<RegionSuccessor> found;
  op.getSuccessorRegions(point, found);
  std::vector<std::string> texts;
  for (const RegionSuccessor &successor : found) {
    std::string name = successor.isParent()
                           ? "behind"
                           : "body" + std::to_string(successor.getSuccessor()->getRegionNumber());
    size_t operands = op.getSuccessorOperands(point, successor).size();
    EXPECT_EQ(operands, successor.getSuccessorInputs().size());
    texts.push_back(name + "(" + std::to_string(operands) + ")");
  }
  return texts;
}

using Texts = std::vector<std::string>;
RegionBranchPoint endOf(Region &region) {
  return RegionBranchPoint(cast<RegionBranchTerminatorOpInterface>(region.front().getTerminator()));
}

TEST_F(ControlInterfaces, ForMayHaveNoIteration) {
  auto loop = parse<ForOp>("%r = for %i in (%n to %n, step %n) : tile<i32> iter_values(%a = %n) -> "
                           "(tile<i32>) { continue %a : tile<i32> }");
  EXPECT_EQ(successors(loop, RegionBranchPoint::parent()), (Texts{"body0(1)", "behind(1)"}));
  EXPECT_EQ(successors(loop, endOf(loop.getRegion())), (Texts{"body0(1)", "behind(1)"}));
  EXPECT_TRUE(cast<RegionBranchOpInterface>(*loop).isRepetitiveRegion(0));
  EXPECT_TRUE(loop.getYieldedValuesMutable());
  EXPECT_TRUE(loop.getLoopLowerBounds());
}

TEST_F(ControlInterfaces, UnsignedBoundsAreNotShown) {
  auto loop = parse<ForOp>("for unsigned %i in (%n to %n, step %n) : tile<i32> { continue }");
  EXPECT_FALSE(loop.getLoopLowerBounds() || loop.getLoopUpperBounds() || loop.getLoopSteps());
}

TEST_F(ControlInterfaces, AnEarlyContinueHidesTheValues) {
  auto loop = parse<ForOp>("%r = for %i in (%n to %n, step %n) : tile<i32> iter_values(%a = %n) -> "
                           "(tile<i32>) { if %c { continue %i : tile<i32> }\n"
                           "continue %a : tile<i32> }");
  EXPECT_TRUE(hasInnerJumps(loop));
  EXPECT_EQ(successors(loop, RegionBranchPoint::parent()), (Texts{"body0(0)", "behind(0)"}));
  EXPECT_EQ(successors(loop, endOf(loop.getRegion())), (Texts{"body0(0)", "behind(0)"}));
  EXPECT_FALSE(loop.getYieldedValuesMutable());
}

TEST_F(ControlInterfaces, LoopLeavesByBreakOnly) {
  auto endless = parse<LoopOp>("loop iter_values(%a = %n) : tile<i32> { continue %a : tile<i32> }");
  EXPECT_EQ(successors(endless, RegionBranchPoint::parent()), (Texts{"body0(1)"}));
  EXPECT_EQ(successors(endless, endOf(endless.getRegion())), (Texts{"body0(1)"}));
  auto once = parse<LoopOp>("%r = loop iter_values(%a = %n) : tile<i32> -> tile<i32> "
                            "{ break %a : tile<i32> }");
  EXPECT_EQ(successors(once, RegionBranchPoint::parent()), (Texts{"body0(1)"}));
  EXPECT_EQ(successors(once, endOf(once.getRegion())), (Texts{"behind(1)"}));
  EXPECT_FALSE(cast<RegionBranchOpInterface>(*once).isRepetitiveRegion(0));
}

/// A loop may continue or end, although its last operation does only one of the two.
TEST_F(ControlInterfaces, JumpsOutOfAnIfMayDoEither) {
  for (const char *body : {"if %c { continue %a : tile<i32> }\nbreak %a : tile<i32>",
                           "if %c { break %a : tile<i32> }\ncontinue %a : tile<i32>",
                           "if %c { if %c { break %n : tile<i32> } }\ncontinue %a : tile<i32>"}) {
    auto loop = parse<LoopOp>("%r = loop iter_values(%a = %n) : tile<i32> -> tile<i32> {\n" +
                              std::string(body) + " }");
    EXPECT_EQ(successors(loop, RegionBranchPoint::parent()), (Texts{"body0(0)", "behind(0)"}));
    EXPECT_EQ(successors(loop, endOf(loop.getRegion())), (Texts{"body0(0)", "behind(0)"}));
    EXPECT_TRUE(cast<RegionBranchOpInterface>(*loop).isRepetitiveRegion(0));
  }
}

/// The jumps of an inner loop belong to it.
TEST_F(ControlInterfaces, InnerLoopsKeepTheirJumps) {
  auto outer = parse<ForOp>("for %i in (%n to %n, step %n) : tile<i32> {\n"
                            "loop { if %c { break } continue }\n continue }");
  EXPECT_FALSE(hasInnerJumps(outer));
  EXPECT_TRUE(hasInnerJumps(*outer.body()->getOps<LoopOp>().begin()));
}

TEST_F(ControlInterfaces, IfGoesOnBehindAYield) {
  auto both = parse<IfOp>("%r = if %c -> (tile<i32>) { yield %n : tile<i32> } else "
                          "{ yield %n : tile<i32> }");
  EXPECT_EQ(successors(both, RegionBranchPoint::parent()), (Texts{"body0(0)", "body1(0)"}));
  EXPECT_EQ(successors(both, endOf(both.getElseRegion())), (Texts{"behind(1)"}));
  auto leaves = parse<IfOp>("loop { %r = if %c -> (tile<i32>) { break } else "
                            "{ yield %n : tile<i32> }\n continue }");
  EXPECT_EQ(successors(leaves, endOf(leaves.getThenRegion())), Texts{});
  EXPECT_EQ(successors(leaves, endOf(leaves.getElseRegion())), (Texts{"behind(1)"}));
  auto one = parse<IfOp>("if %c { yield }");
  EXPECT_EQ(successors(one, RegionBranchPoint::parent()), (Texts{"body0(0)", "behind(0)"}));
}

} // namespace
