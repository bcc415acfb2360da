// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests where values are placed, and the reasons: kernels that differ in a few lines, with
// placements written by hand.

#include "test/support/cpu/PlanTest.h"

#include <map>

using namespace tilewright;
using namespace tilewright::cpu;
using mlir::Operation;

namespace {

struct Expected {
  const char *op; ///< The first operation of this name.
  Placement placement;
  Reason reason;
  std::vector<std::string> because;
};

void expect(const std::string &text, const std::vector<Expected> &all) {
  ParsedKernel kernel(views + text);
  const Plan plan(kernel.entry(), target());
  for (const Expected &expected : all) {
    Operation *op = firstNamed(kernel, expected.op);
    ASSERT_TRUE(op) << expected.op << text;
    const Decision &decision = plan.placements.decisionOf(op->getResult(0));
    std::vector<std::string> because;
    for (Operation *other : decision.operations)
      because.push_back(other->getName().stripDialect().str());
    llvm::sort(because);
    EXPECT_EQ(nameOf(decision.placement), nameOf(expected.placement)) << expected.op << text;
    EXPECT_EQ(int(decision.reason), int(expected.reason)) << expected.op << text;
    EXPECT_EQ(because, expected.because) << expected.op << text;
  }
}

TEST(PlaceValues, GivesReasonsToFuse) {
  expect(loadOf("%a") + "%b = exp %a" + t + "%c = sqrt %b rounding<nearest_even>" + t +
             storeOf("%c"),
         {{"exp", Placement::Fused, Reason::OneUser, {"store_view_tko"}},
          {"sqrt", Placement::Fused, Reason::OneUser, {"store_view_tko"}},
          {"load_view_tko", Placement::InLoop, Reason::SharedLoop, {}}});
  expect(loadOf("%a") + "%b = absf %a" + t + "%m = mmaf %b, %b, %none : tile<16x16xf32>, " +
             "tile<16x16xf32>, tile<16x16xf32>\n" + storeOf("%b") + storeOf("%m", "%1"),
         {{"absf", Placement::Fused, Reason::Cheap, {}},
          {"load_view_tko", Placement::Buffer, Reason::LoadedOnce, {}},
          {"mmaf", Placement::Buffer, Reason::Kind, {}},
          {"constant", Placement::Register, Reason::Kind, {}}});
  expect(loadOf("%a") + "%b = exp %a" + t + "%m = mmaf %b, %none, %none : tile<16x16xf32>, " +
             "tile<16x16xf32>, tile<16x16xf32>\n" + storeOf("%m"),
         {{"load_view_tko", Placement::Fused, Reason::LoadedByMatmul, {"mmaf"}},
          {"exp", Placement::Fused, Reason::OneUser, {"mmaf"}}});
  expect(loadOf("%a") + "%b = exp %a" + t, {{"exp", Placement::Fused, Reason::NoUser, {}}});
}

TEST(PlaceValues, GivesReasonsForBuffers) {
  const std::string matmul = "%m = mmaf %b, %b, %none : tile<16x16xf32>, tile<16x16xf32>, "
                             "tile<16x16xf32>\n";
  expect(loadOf("%a") + "%b = exp %a" + t + matmul + storeOf("%m") + storeOf("%b", "%1"),
         {{"exp", Placement::Buffer, Reason::SeveralUsers, {"mmaf", "store_view_tko"}}});
  // A reshape that adds a dimension needs no tile in memory; one that moves elements does.
  const std::string reshaped = "%n = exp %r : tile<1x16x16xf32>\n"
                               "%q = reshape %n : tile<1x16x16xf32> -> tile<16x16xf32>\n";
  expect(loadOf("%a") + "%b = exp %a" + t + matmul +
             "%r = reshape %b : tile<16x16xf32> -> tile<1x16x16xf32>\n" + reshaped + storeOf("%m") +
             storeOf("%q", "%1"),
         {{"exp", Placement::Buffer, Reason::SeveralUsers, {"mmaf", "store_view_tko"}}});
  expect(loadOf("%a") + "%b = exp %a" + t +
             "%r = reshape %b : tile<16x16xf32> -> tile<4x4x16xf32>\n"
             "%p = permute %r [1, 0, 2] : tile<4x4x16xf32> -> tile<4x4x16xf32>\n"
             "%q = reshape %p : tile<4x4x16xf32> -> tile<16x16xf32>\n" +
             storeOf("%q"),
         {{"exp", Placement::Buffer, Reason::RowMajorUser, {"reshape"}},
          {"reshape", Placement::Fused, Reason::SameWords, {}}});
  expect(loadOf("%a") + "%b = exp %a" + t + "for %k in (%0 to %8, step %1) : tile<i32> {\n" +
             "%c = sqrt %b rounding<nearest_even>" + t + storeOf("%c", "%k") + "continue\n}\n",
         {{"exp", Placement::Buffer, Reason::UserInLoop, {"store_view_tko"}}});
  expect(loadOf("%a") + "%b = exp %a" + t +
             "%p = permute %b [1, 0] : tile<16x16xf32> -> tile<16x16xf32>\n" + storeOf("%p"),
         {{"permute", Placement::Buffer, Reason::Transposed, {}}});
  expect(loadOf("%a") + "%b = exp %a" + t +
             "%p = permute %b [1, 0] : tile<16x16xf32> -> tile<16x16xf32>\n%c = addf %b, %p "
             "rounding<nearest_even>" +
             t +
             "%m = mmaf %c, %none, %none : tile<16x16xf32>, tile<16x16xf32>, "
             "tile<16x16xf32>\n" +
             storeOf("%m"),
         {{"exp", Placement::Buffer, Reason::SeveralReads, {"mmaf"}}});
}

TEST(PlaceValues, KeepsWhatAContinueOverwrites) {
  expect("%r, %q = for %k in (%0 to %8, step %1) : tile<i32> iter_values(%a = %none, %b = %none) "
         "-> (tile<16x16xf32>, tile<16x16xf32>) {\n"
         "%c = exp %a" +
             t + "%d = sqrt %a rounding<nearest_even>" + t +
             "continue %d, %c : tile<16x16xf32>, tile<16x16xf32>\n}\n" + storeOf("%r") +
             storeOf("%q", "%1"),
         {{"exp", Placement::Buffer, Reason::CarriedOperand, {"continue"}},
          {"sqrt", Placement::Fused, Reason::OneUser, {"continue"}},
          {"for", Placement::Buffer, Reason::Kind, {}}});
}

/// A sum of loads in a loop is computed into its own buffer, in one loop with the load; not if
/// something else reads it, or if no tile is loaded.
TEST(PlaceValues, UpdatesCarriedTilesInPlace) {
  auto loop = [](const std::string &body) {
    return "%r = for %k in (%0 to %8, step %1) : tile<i32> iter_values(%a = %none) -> "
           "(tile<16x16xf32>) {\n" +
           loadOf("%b", "%k") + body + "continue %c : tile<16x16xf32>\n}\n" + storeOf("%r");
  };
  const std::string sum = "%c = addf %a, %b rounding<nearest_even>" + t;
  ParsedKernel kernel(views + loop(sum));
  const Plan plan(kernel.entry(), target());
  Operation *add = firstNamed(kernel, "addf"), *load = firstNamed(kernel, "load_view_tko");
  EXPECT_EQ(plan.placements.decisionOf(add->getResult(0)).reason, Reason::UpdatesCarried);
  EXPECT_EQ(plan.placements.of(load->getResult(0)), Placement::InLoop);
  EXPECT_TRUE(plan.arena.shareBuffer(add->getResult(0), add->getOperand(0)));
  const std::optional<RowLoop> &rows = plan.loops[0].rows;
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->rows, 1);
  EXPECT_EQ(rows->blocks(), 16);
  // A store must not be repeated for each block of rows.
  ParsedKernel storing(views + loop(storeOf("%b") + sum));
  EXPECT_FALSE(Plan(storing.entry(), target()).loops[0].rows);

  expect(loop("%d = exp %a" + t + storeOf("%d") + sum),
         {{"addf", Placement::Fused, Reason::OneUser, {"continue"}}});
  expect(loop("%c = addf %a, %a rounding<nearest_even>" + t),
         {{"addf", Placement::Fused, Reason::OneUser, {"continue"}}});
}

/// If a matmul would load through 400 operations, which cost 2 each, every 161st of them is
/// computed before. The first one shares its loop with the load; the second one needs a loop of its
/// own (most-loop-work), so it reads the first one in a buffer for one row.
TEST(PlaceValues, CutsLongChains) {
  std::string text = loadOf("%v0");
  for (unsigned i = 1; i <= 400; ++i)
    text += "%v" + std::to_string(i) + " = negf %v" + std::to_string(i - 1) + t;
  text += "%m = mmaf %v400, %none, %none : tile<16x16xf32>, tile<16x16xf32>, tile<16x16xf32>\n";
  ParsedKernel kernel(views + text + storeOf("%m"));
  const Plan plan(kernel.entry(), target());
  std::map<Reason, unsigned> counts;
  for (Operation *op : kernel.operations())
    if (llvm::isa<tile::NegFOp, tile::LoadViewOp>(op))
      ++counts[plan.placements.decisionOf(op->getResult(0)).reason];
  const std::map<Reason, unsigned> expected = {
      {Reason::OneUser, 398}, {Reason::SharedLoop, 1}, {Reason::OneRow, 1}, {Reason::LongChain, 1}};
  EXPECT_EQ(counts, expected);
}

/// 100 operations of which each is fused into the next, unless the limits cut the chain.
TEST(PlaceValues, CutsChainsAtTheLimits) {
  std::string text = loadOf("%v0");
  for (unsigned i = 1; i <= 100; ++i)
    text += "%v" + std::to_string(i) + " = negf %v" + std::to_string(i - 1) + t;
  ParsedKernel kernel(views + text + "%m = mmaf %v100, %none, %none : tile<16x16xf32>, " +
                      "tile<16x16xf32>, tile<16x16xf32>\n" + storeOf("%m"));
  auto cutsWith = [&](const char *threshold) {
    const Plan plan(kernel.entry(), tuned(threshold));
    return llvm::count_if(kernel.operations(), [&](Operation *op) {
      return llvm::isa<tile::NegFOp>(op) &&
             plan.placements.of(op->getResult(0)) != Placement::Fused;
    });
  };
  // Each costs 2.
  EXPECT_EQ(cutsWith("most-fused-cost=200"), 0);
  EXPECT_EQ(cutsWith("most-fused-cost=199"), 1);
  EXPECT_EQ(cutsWith("most-fused-cost=2"), 50);
  EXPECT_EQ(cutsWith("most-fused-cost=0"), 100);
}

} // namespace
