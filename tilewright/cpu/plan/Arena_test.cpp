// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests offsets against live ranges that are computed operation by operation, and buffers that are
// shared.

#include "test/support/cpu/PlanTest.h"

#include <random>

using namespace tilewright;
using namespace tilewright::cpu;

namespace {

/// The initial value of a loop-carried tile is computed into the carried buffer, if it has no other
/// use in the loop or after it.
TEST(Arena, LoopsBeginInPlace) {
  auto isInPlace = [](const std::string &inBody, const std::string &after,
                      const std::string &initial = "%a") {
    ParsedKernel kernel(views + loadOf("%a") +
                        "%r = for %k in (%0 to %8, step %1) : tile<i32> iter_values(%z = " +
                        initial + ") -> (tile<16x16xf32>) {\n%y = exp %z" + t + inBody +
                        "continue %y : tile<16x16xf32>\n}\n" + storeOf("%r") + after);
    const Plan plan(kernel.entry(), target());
    auto loop = kernel.first<tile::ForOp>();
    return plan.arena.shareBuffer(loop.getInitValues()[0], loop.iterArgs()[0]);
  };
  EXPECT_TRUE(isInPlace("", ""));
  EXPECT_FALSE(isInPlace(storeOf("%a"), ""));
  EXPECT_FALSE(isInPlace("", storeOf("%a")));
  EXPECT_FALSE(isInPlace("", "", "%none")); // a constant
}

/// Products of random earlier values, each with a buffer from its definition to its last use.
TEST(Arena, BuffersThatAreAliveTogetherAreDisjoint) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    std::string text;
    auto any = [&](unsigned below) {
      return below ? "%m" + std::to_string(random() % below) : "%none";
    };
    const unsigned count = 20;
    for (unsigned i = 0; i < count; ++i)
      text += "%m" + std::to_string(i) + " = mmaf " + any(i) + ", " + any(i) + ", " + any(i) +
              " : tile<16x16xf32>, tile<16x16xf32>, tile<16x16xf32>\n";
    ParsedKernel kernel(views + text);
    const Plan plan(kernel.entry(), target());
    struct Range {
      int64_t begin, end;
    };
    std::vector<std::vector<Range>> alive(kernel.operations().size());
    for (auto [number, op] : llvm::enumerate(kernel.operations())) {
      if (op->getName().stripDialect() != "mmaf")
        continue;
      const Buffer &buffer = plan.arena.bufferOf(op->getResult(0));
      EXPECT_EQ(buffer.bytes, 16 * 16 * 4);
      EXPECT_LE(buffer.offset + buffer.bytes, plan.arena.bytes());
      size_t last = number;
      for (auto [later, user] : llvm::enumerate(kernel.operations()))
        if (llvm::is_contained(op->getResult(0).getUsers(), user))
          last = later;
      for (size_t at = number; at <= last; ++at)
        alive[at].push_back({buffer.offset, buffer.offset + buffer.bytes});
    }
    for (const std::vector<Range> &ranges : alive)
      for (size_t i = 0; i < ranges.size(); ++i)
        for (size_t j = 0; j < i; ++j)
          EXPECT_TRUE(ranges[i].end <= ranges[j].begin || ranges[j].end <= ranges[i].begin) << text;
  }
}

} // namespace
