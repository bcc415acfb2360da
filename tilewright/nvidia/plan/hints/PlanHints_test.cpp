// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests what optimization hints change in plans, and the reasons why they are not honoured.

#include "tilewright/nvidia/plan/RolesTesting.h"
#include "tilewright/nvidia/plan/hints/PlanHints.h"

#include "mlir/AsmParser/AsmParser.h"

using namespace tilewright;
using namespace tilewright::nvidia;
using namespace tilewright::nvidia::testing;

namespace {

constexpr int64_t kib = 1024;

class NvidiaHints : public RolesTest {
protected:
  void SetUp() override { stages = Tuning().mostStages; }

  void setHints(mlir::Operation *op, const std::string &hints) {
    if (!hints.empty())
      op->setAttr("optimization_hints",
                  mlir::parseAttribute("#cuda_tile.optimization_hints<" + hints + ">", &context));
  }
  /// The plan of the module with hints on its entry, and on the loads of lhs and rhs.
  Plan planWith(const std::string &ofEntry, const std::string &ofLhs = "",
                const std::string &ofRhs = "") {
    tile::EntryOp entry;
    module->walk([&](mlir::Operation *op) {
      if (auto found = llvm::dyn_cast<tile::EntryOp>(op))
        setHints(entry = found, ofEntry);
      if (nameOf(op) == "xs" || nameOf(op) == "ys")
        setHints(op, nameOf(op) == "xs" ? ofLhs : ofRhs);
    });
    return Plan(entry, targetOf);
  }
  /// A loop over products of 64x64x64; a stage of both operands has 16 KiB.
  Plan planOfLoop(const std::string &ofEntry, const std::string &ofLhs = "",
                  const std::string &ofRhs = "", const std::string &target = "sm_90a") {
    planOf(loop("s"), target);
    return planWith(ofEntry, ofLhs, ofRhs);
  }
  Plan planOfTile(int64_t elements, const std::string &hints) {
    planOf("%other = iota : tile<" + std::to_string(elements) + "xi32>");
    return planWith(hints);
  }
  std::string remark(const Plan &plan, const std::string &name = "") {
    std::string text;
    module->walk([&](mlir::Operation *op) {
      if (name.empty() ? llvm::isa<tile::EntryOp>(op) : nameOf(op) == name)
        for (const std::string &each : hintRemarks(plan, op))
          text += each + "\n";
    });
    return text;
  }
  static int64_t stagesOf(const Plan &plan) {
    return plan.pipelines.empty() ? 1 : plan.pipelines.front().second.stages;
  }
};

std::string latency(int64_t value) { return "sm_90 = {latency = " + std::to_string(value) + "}"; }

//===-- latency -------------------------------------------------------------------------------===//

TEST_F(NvidiaHints, latencySetsTheStages) {
  for (auto [value, expected] : std::initializer_list<std::pair<int64_t, int64_t>>{
           {1, 1}, {2, 2}, {3, 3}, {4, 3}, {5, 4}, {6, 4}, {7, 5}, {8, 5}, {9, 6}, {10, 6}}) {
    Plan plan = planOfLoop("", latency(value), latency(value));
    EXPECT_EQ(stagesOf(plan), expected) << value;
    EXPECT_EQ(plan.roles.areSpecialised(), value > 1) << value;
    EXPECT_NE(remark(plan, "xs").find(": honoured: "), std::string::npos) << remark(plan, "xs");
  }
  EXPECT_EQ(stagesOf(planOfLoop("")), Tuning().mostStages);
}

TEST_F(NvidiaHints, theHighestLatencyCounts) {
  Plan plan = planOfLoop("", latency(2), latency(9));
  EXPECT_EQ(stagesOf(plan), 6);
  EXPECT_EQ(remark(plan, "xs"), "hint sm_90.latency = 2: not honoured: another load of the loop "
                                "asks for 6 pipeline stages\n");
  EXPECT_EQ(remark(plan, "ys"), "hint sm_90.latency = 9: honoured: 6 pipeline stages\n");
  EXPECT_EQ(stagesOf(planOfLoop("", latency(2))), 2);
}

TEST_F(NvidiaHints, withoutLatencyALoadIsNotPrefetched) {
  Plan plan = planOfLoop("", latency(1), latency(5));
  const Ring &ring = plan.roles.rings.front().second;
  ASSERT_EQ(ring.copies.size(), 1u);
  EXPECT_FALSE(ring.copies.front().isLhs);
  EXPECT_EQ(ring.stages, 4);
  EXPECT_EQ(plan.staged.front().second.lhs.way, StagedOperand::Copied);
  EXPECT_EQ(remark(plan, "xs"), "hint sm_90.latency = 1: honoured: the load is not prefetched\n");
}

/// Six stages of 16 KiB, of the 48 KiB of sm_80.
TEST_F(NvidiaHints, sharedMemoryLimitsTheStages) {
  Plan plan = planOfLoop("", "default = {latency = 9}", "", "sm_80");
  EXPECT_EQ(stagesOf(plan), 2);
  EXPECT_EQ(remark(plan, "xs"), "hint default.latency = 9: honoured: 2 pipeline stages; shared "
                                "memory does not suffice for more\n");
}

//===-- occupancy -----------------------------------------------------------------------------===//

/// 65536 / (2 * 160) = 204.8, rounded down to a multiple of 8.
TEST_F(NvidiaHints, occupancyDividesRegistersAndSharedMemory) {
  Plan plan = planOfLoop("sm_90 = {occupancy = 2}");
  EXPECT_EQ(plan.launchedThreads(), 160);
  EXPECT_EQ(plan.registerLimit(), 200);
  EXPECT_EQ(plan.sharedLimit(), 113 * kib);
  EXPECT_EQ(stagesOf(plan), 3);
  EXPECT_EQ(remark(plan),
            "hint sm_90.occupancy = 2: honoured: up to 200 registers per thread and 115712 bytes "
            "of shared memory, for 2 CTAs per multiprocessor\n");
}

/// 65536 / (4 * 160) = 102.4; 228 KiB / 4 - 1 KiB = 56 KiB, of which 4 KiB are for conversions, and
/// three stages take 48 KiB. With six CTAs, 37 KiB have room for two.
TEST_F(NvidiaHints, stagesLeaveRoomForOtherCtas) {
  Plan four = planOfLoop("default = {occupancy = 4}");
  EXPECT_EQ(four.registerLimit(), 96);
  EXPECT_LE(four.shared.bytes, 56 * kib);
  EXPECT_EQ(stagesOf(four), 3);
  Plan six = planOfLoop("default = {occupancy = 6}");
  EXPECT_EQ(six.registerLimit(), 64);
  EXPECT_LE(six.shared.bytes, 37 * kib);
  EXPECT_EQ(stagesOf(six), 2);
}

/// Sums of 64x64 take 32 registers, and other values as many: 65536 / (64 * 160) = 6.4.
TEST_F(NvidiaHints, anOccupancyThatIsNotPossibleIsReduced) {
  Plan plan = planOfLoop("default = {occupancy = 16}");
  EXPECT_EQ(plan.occupancy, 6);
  EXPECT_EQ(remark(plan).find("hint default.occupancy = 16: not honoured: a CTA has 160 threads "
                              "with at least 64 registers each, and "),
            0u);
  EXPECT_NE(remark(plan).find("; planned: up to 64 registers per thread and 37888 bytes of shared "
                              "memory, for 6 CTAs per multiprocessor\n"),
            std::string::npos);
}

/// With sm_80, fragments take 16 more registers: 65536 / (80 * 128) = 6.4.
TEST_F(NvidiaHints, fragmentsTakeRegisters) {
  EXPECT_EQ(planOfLoop("default = {occupancy = 16}", "", "", "sm_80").occupancy, 6);
}

TEST_F(NvidiaHints, aLoneCtaHasAllOfAMultiprocessor) {
  Plan alone = planOfLoop("default = {occupancy = 1}");
  EXPECT_EQ(alone.registerLimit(), std::nullopt);
  EXPECT_EQ(alone.sharedLimit(), 227 * kib);
  EXPECT_TRUE(alone.isAloneWith(1));
}

TEST_F(NvidiaHints, theArchitectureChoosesTheHint) {
  const std::string hints = "default = {occupancy = 2}, sm_90 = {occupancy = 4}";
  EXPECT_EQ(planOfLoop(hints).occupancy, 4);
  EXPECT_EQ(planOfLoop(hints, "", "", "sm_100a").occupancy, 2);
  EXPECT_EQ(planOfLoop("sm_90 = {occupancy = 4}", "", "", "sm_80").occupancy, std::nullopt);
  // A value that is not possible does not count, and there is no second try (operations, 2.5).
  EXPECT_EQ(planOfLoop("default = {occupancy = 2}, sm_90 = {occupancy = 33}").occupancy,
            std::nullopt);
}

//===-- num_worker_warps_per_cta --------------------------------------------------------------===//

std::string warps(int64_t count) {
  return "default = {num_worker_warps_per_cta = " + std::to_string(count) + "}";
}

TEST_F(NvidiaHints, productsHaveTheWarps) {
  EXPECT_EQ(planOfLoop(warps(8)).threads, 256);
  Plan clamped = planOfLoop(warps(32));
  EXPECT_EQ(clamped.threads, 256);
  EXPECT_EQ(remark(clamped), "hint default.num_worker_warps_per_cta = 32: honoured: 8 warps, the "
                             "nearest possible number\n");
  EXPECT_EQ(planOfLoop(warps(2)).threads, 128);
  EXPECT_TRUE(clamped.matrices.front().second.form.isOfWarpgroup());
}

/// A tile of 16x16 has two fragments of 16x8.
TEST_F(NvidiaHints, smallProductsHaveNoPartForMoreWarps) {
  planOf("%l = constant <f16: 1.0> : tile<16x16xf16>\n%z = constant <f32: 0.0> : "
         "tile<16x16xf32>\n%d = mmaf %l, %l, %z : tile<16x16xf16>, tile<16x16xf16>, "
         "tile<16x16xf32>\n");
  Plan plan = planWith(warps(8));
  EXPECT_EQ(plan.threads, 128);
  EXPECT_EQ(remark(plan), "hint default.num_worker_warps_per_cta = 8: not honoured: the tile of a "
                          "product is too small for 8 warps\n");
}

/// With 64 elements per thread, a tile is in registers.
TEST_F(NvidiaHints, tilesStayInRegisters) {
  EXPECT_EQ(planOfTile(8192, "").threads, 256);
  EXPECT_EQ(planOfTile(8192, warps(4)).threads, 128);
  EXPECT_EQ(planOfTile(1024, warps(8)).threads, 256);
  Plan large = planOfTile(32768, warps(8));
  EXPECT_EQ(large.threads, 512);
  EXPECT_EQ(remark(large),
            "hint default.num_worker_warps_per_cta = 8: not honoured: 16 warps: with 8 warps, each "
            "thread would hold more than 32 elements of a tile\n");
}

} // namespace
