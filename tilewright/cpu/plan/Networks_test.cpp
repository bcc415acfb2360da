// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of lane-shuffle programs: which operations they have, and the steps for one piece.

#include "test/support/cpu/PlanTest.h"

#include <map>

using namespace tilewright;
using namespace tilewright::cpu;
using Kind = NetworkStep::Kind;

namespace {

/// A compare-exchange step on neighbours, as in a sorting network, on a tile of 16x16.
const std::string step = loadOf("%a") +
                         "%p = reshape %a : tile<16x16xf32> -> tile<16x8x2x1xf32>\n"
                         "%e = extract %p[%0, %0, %0, %0] : tile<16x8x2x1xf32> -> "
                         "tile<16x8x1x1xf32>\n"
                         "%o = extract %p[%0, %0, %1, %0] : tile<16x8x2x1xf32> -> "
                         "tile<16x8x1x1xf32>\n"
                         "%l = minf %e, %o : tile<16x8x1x1xf32>\n"
                         "%h = maxf %e, %o : tile<16x8x1x1xf32>\n"
                         "%b = cat %l, %h dim = 2 : tile<16x8x1x1xf32>, tile<16x8x1x1xf32> -> "
                         "tile<16x8x2x1xf32>\n"
                         "%s = reshape %b : tile<16x8x2x1xf32> -> tile<16x16xf32>\n" +
                         storeOf("%s", "%1");

std::map<Kind, unsigned> countsOf(const Network &network) {
  std::map<Kind, unsigned> counts;
  for (const NetworkStep &each : network.steps)
    ++counts[each.kind];
  return counts;
}

/// 256 floats are 32 vectors of 8. Of each pair of vectors, one shuffle takes the even lanes and
/// another one the odd lanes; as many put the results in order again.
TEST(Networks, ShuffleNeighbours) {
  ParsedKernel kernel(views + step);
  const Plan plan(kernel.entry(), target());
  const Network *network = plan.networks.networkOf(kernel.first<tile::MinFOp>());
  ASSERT_TRUE(network);
  EXPECT_EQ(network->pieces, 1);
  EXPECT_EQ(network->lanes, 8);
  const std::map<Kind, unsigned> expected = {
      {Kind::Load, 32}, {Kind::Shuffle, 64}, {Kind::Compute, 32}, {Kind::Store, 32}};
  EXPECT_EQ(countsOf(*network), expected);
  EXPECT_EQ(network->inputs(),
            (llvm::SmallVector<mlir::Value>{kernel.first<tile::LoadViewOp>().getTile()}));
  EXPECT_EQ(plan.networks.networkOf(kernel.first<tile::CatOp>()), network);
  EXPECT_EQ(plan.networks.networkOf(kernel.first<tile::LoadViewOp>()), nullptr);
}

/// A piece is as large as half of the registers; all pieces have the same steps.
TEST(Networks, CutTilesIntoPieces) {
  ParsedKernel kernel(views + step);
  const Plan plan(kernel.entry(), tuned("shuffled-vectors-of-avx2=8"));
  const Network *network = plan.networks.networkOf(kernel.first<tile::MinFOp>());
  ASSERT_TRUE(network);
  EXPECT_EQ(network->pieces, 4);
  const std::map<Kind, unsigned> expected = {
      {Kind::Load, 8}, {Kind::Shuffle, 16}, {Kind::Compute, 8}, {Kind::Store, 8}};
  EXPECT_EQ(countsOf(*network), expected);
}

/// Pairs that are one row apart, of which both rows are in whole vectors, need no shuffles.
TEST(Networks, AreNotForWholeVectors) {
  std::string text = step;
  for (auto [from, to] : {std::pair("16x8x2x1", "8x2x16x1"), {"16x8x1x1", "8x1x16x1"}})
    for (size_t at; (at = text.find(from)) != std::string::npos;)
      text.replace(at, std::string(from).size(), to);
  text.replace(text.find("[%0, %0, %1, %0]"), 16, "[%0, %1, %0, %0]");
  text.replace(text.find("dim = 2"), 7, "dim = 1");
  ParsedKernel kernel(views + text);
  EXPECT_EQ(Plan(kernel.entry(), target()).networks.networkOf(kernel.first<tile::MinFOp>()),
            nullptr);
}

TEST(Networks, FollowThresholds) {
  ParsedKernel kernel(views + step);
  auto hasNetworkWith = [&](const char *threshold) {
    const Plan plan(kernel.entry(), tuned(threshold));
    return plan.networks.networkOf(kernel.first<tile::MinFOp>()) != nullptr;
  };
  EXPECT_TRUE(hasNetworkWith("most-tracked-elements=256"));
  EXPECT_FALSE(hasNetworkWith("most-tracked-elements=255"));
  EXPECT_FALSE(hasNetworkWith("most-shuffle-work=95")) << "64 shuffles and 32 minima and maxima";
}

} // namespace
