// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests occupancy, by hand.

#include "tilewright/nvidia/Occupancy.h"
#include "tilewright/nvidia/Target.h"

#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::nvidia;

namespace {

Occupancy occupancyOn(llvm::StringRef sm, const BlockResources &block) {
  return occupancyOf(block, multiprocessorOf(sm));
}

TEST(Occupancy, IsLimitedByTheScarcestResource) {
  const auto check = [](llvm::StringRef sm, BlockResources block, int64_t blocks, double share,
                        llvm::StringRef limiter) {
    const Occupancy occupancy = occupancyOn(sm, block);
    EXPECT_EQ(occupancy.blocks, blocks);
    EXPECT_EQ(occupancy.warps, blocks * ((block.threads + 31) / 32));
    EXPECT_DOUBLE_EQ(occupancy.share, share);
    EXPECT_EQ(occupancy.limiter, limiter);
  };
  // 2048 / 128 = 16 blocks, for which 65536 / (32 * 128) = 16 have registers.
  check("sm_90a", {128, 0, 32}, 16, 1, "threads");
  // 33 registers take 40: 65536 / (40 * 128) = 12.8.
  check("sm_90a", {128, 0, 33}, 12, 0.75, "registers");
  // Each of four partitions has 16384 / (40 * 32) = 12.8 warps: 48 warps hold 9 blocks of 5.
  check("sm_90a", {160, 0, 39}, 9, 45.0 / 64, "registers");
  // 228 KiB / (48 + 1 KiB) = 4.65.
  check("sm_90a", {128, 48 << 10, 32}, 4, 0.25, "shared memory");
  // One byte more than 1 KiB rounds up to 1152 + 1024 bytes: 228 KiB / 2176 = 107, so 32 blocks
  // fit.
  check("sm_90a", {32, 1025, 32}, 32, 0.5, "blocks");
  // Without a reserved KiB: 64 KiB / 16 KiB = 4, and 1024 / 128 = 8.
  check("sm_75", {128, 16 << 10, 32}, 4, 0.5, "shared memory");
  // 65 KiB do not fit at all.
  check("sm_75", {128, 65 << 10, 32}, 0, 0, "shared memory");
  // Unknown registers limit nothing.
  check("sm_89", {256, 0, std::nullopt}, 6, 1, "threads");
  // 33 threads are two warps.
  check("sm_90a", {33, 0, 32}, 32, 1, "threads");
}

TEST(Occupancy, IsKnownForAllTargets) {
  const auto targets = Target::all();
  ASSERT_EQ(targets.size(), multiprocessors().size());
  for (auto [target, multiprocessor] : llvm::zip_equal(targets, multiprocessors())) {
    EXPECT_EQ(target.cpu, multiprocessor.sm);
    // What a block can have at most fits, with the reserved KiB.
    EXPECT_LE(target.mostSharedBytes + multiprocessor.reservedBytes, multiprocessor.sharedBytes);
  }
}

/// 228 KiB / 3 = 77824 bytes, which are 608 * 128; one KiB of each is the system's.
TEST(Occupancy, DividesSharedMemory) {
  const Multiprocessor &hopper = multiprocessorOf("sm_90a");
  EXPECT_EQ(hopper.sharedBytesOfEach(1), 227 << 10);
  EXPECT_EQ(hopper.sharedBytesOfEach(2), 113 << 10);
  EXPECT_EQ(hopper.sharedBytesOfEach(3), 76800);
  // 228 KiB / 5 = 46694.4, of which 364 * 128 = 46592 can be allocated.
  EXPECT_EQ(hopper.sharedBytesOfEach(5), 46592 - 1024);
  EXPECT_EQ(occupancyOf({128, 46592 - 1024, 32}, hopper).blocks, 5);
  EXPECT_EQ(occupancyOf({128, 46592 - 1023, 32}, hopper).blocks, 4);
}

} // namespace
