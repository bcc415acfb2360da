// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests bounds of times against values by hand.

#include "tilewright/api/estimate/Bounds.h"

#include <gtest/gtest.h>

using namespace tilewright;
using namespace tilewright::api;

namespace {

/// 10 multiprocessors at 1 GHz: 128 lanes of multiply-adds make 2,560 operations per cycle.
constexpr Gpu gpu{"G", "sm_90a", 1e12, {0, 2.56e12, 0, 1e14, 0, 2e14}, 10};

Bounds boundsOf(const LaunchCounts &counts, int64_t blocks, int64_t arrayBytes = 0) {
  return api::boundsOf(counts, {blocks, arrayBytes}, gpu);
}

TEST(Bounds, ASchedulerIssuesAnInstructionOfAWarpPerCycle) {
  // 4 schedulers x 10 multiprocessors x 32 lanes = 1,280 instructions of threads per nanosecond.
  const Bounds bounds = boundsOf({1280e3, 0, 0, {}}, 10);
  EXPECT_DOUBLE_EQ(bounds.instructions, 1e-6);
  EXPECT_EQ(bounds.limiter(), "instructions");
  EXPECT_DOUBLE_EQ(bounds.time(), 1e-6);
}

TEST(Bounds, SharedMemoryServesACyclePerCycle) {
  const Bounds bounds = boundsOf({0, 0, 10e3, {}}, 10);
  EXPECT_DOUBLE_EQ(bounds.shared, 1e-6);
  EXPECT_EQ(bounds.limiter(), "shared");
}

TEST(Bounds, CachesSend64BytesPerCycle) {
  // 20,000 sectors are 640,000 bytes; 10 multiprocessors receive 640 per nanosecond.
  const Bounds bounds = boundsOf({0, 20e3, 0, {}}, 10);
  EXPECT_DOUBLE_EQ(bounds.caches, 1e-6);
  EXPECT_EQ(bounds.limiter(), "caches");
}

TEST(Bounds, ArraysMoveOnceFromMemory) {
  EXPECT_DOUBLE_EQ(boundsOf({0, 1e9, 0, {}}, 10, 1'000'000).memory, 1e-6);
  // Of a larger array, only the sectors that blocks access.
  EXPECT_DOUBLE_EQ(boundsOf({0, 31250, 0, {}}, 10, 1'000'000'000).memory, 1e-6);
}

TEST(Bounds, ProductsOfEachType) {
  const Bounds bounds = boundsOf({0, 0, 0, {{ptx::Type::BF16, 5e7}, {ptx::Type::U8, 1e8}}}, 10);
  EXPECT_DOUBLE_EQ(*bounds.products, 2e-6);
  EXPECT_EQ(bounds.limiter(), "products");
}

TEST(Bounds, UnknownPeaks) {
  EXPECT_EQ(boundsOf({0, 0, 0, {{ptx::Type::E4M3, 1e8}}}, 10).products, std::nullopt);
  EXPECT_EQ(boundsOf({0, 0, 0, {{ptx::Type::E2M1, 1e8}}}, 10).products, std::nullopt);
}

TEST(Bounds, TheBusiestMultiprocessorCounts) {
  // 11 blocks: one multiprocessor runs 2, where each would run 1.1.
  EXPECT_DOUBLE_EQ(boundsOf({1280e3, 0, 0, {}}, 11).instructions, 2e-6 / 1.1);
  // 1 block: nine are idle.
  EXPECT_DOUBLE_EQ(boundsOf({1280e3, 0, 0, {}}, 1).instructions, 1e-5);
  // Memory is shared by all.
  EXPECT_DOUBLE_EQ(boundsOf({0, 1e9, 0, {}}, 1, 1'000'000).memory, 1e-6);
}

} // namespace
