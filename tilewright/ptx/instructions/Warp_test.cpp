// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Warp instructions: the result of each lane; lane i has the number i in %r1.

#include "tilewright/ptx/Testing.h"

#include <functional>

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

/// The values of %r2 in all lanes after these instructions.
static std::vector<uint32_t> lanesAfter(const std::string &code, uint32_t threads = 32) {
  Kernel kernel(header() + R"(
.visible .entry k(.param .u64 out)
{
  .reg .pred %p<4>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
)" + code + "\nmad.wide.u32 %rd1, %r1, 4, %rd1;\nst.global.u32 [%rd1], %r2;\nret;\n}\n");
  Region &out = kernel.array(std::vector<uint32_t>(threads));
  kernel.launch.block = {threads, 1, 1};
  for (Order order : {Order::Down, Order::Random, Order::Up}) {
    kernel.schedule.order = order;
    EXPECT_TRUE(kernel.run().empty()) << code << kernel.findings.front().message;
  }
  return Kernel::values<uint32_t>(out);
}

static void expectLanes(const std::string &code, const std::function<uint32_t(uint32_t)> &expected,
                        uint32_t threads = 32) {
  const std::vector<uint32_t> lanes = lanesAfter(code, threads);
  for (uint32_t lane = 0; lane < threads; ++lane)
    EXPECT_EQ(lanes[lane], expected(lane)) << code << " lane " << lane;
}

TEST(Warp, Shuffles) {
  const auto shuffle = [](const std::string &rest) {
    return "shfl.sync." + rest + ", 0xFFFFFFFF;";
  };
  expectLanes(shuffle("idx.b32 %r2, %r1, 5, 31"), [](uint32_t) { return 5u; });
  expectLanes(shuffle("bfly.b32 %r2, %r1, 3, 31"), [](uint32_t lane) { return lane ^ 3; });
  // Lanes without a source keep their own value.
  expectLanes(shuffle("down.b32 %r2, %r1, 4, 31"),
              [](uint32_t lane) { return lane < 28 ? lane + 4 : lane; });
  expectLanes(shuffle("up.b32 %r2, %r1, 4, 0"),
              [](uint32_t lane) { return lane < 4 ? lane : lane - 4; });
  // Width 8: the segment mask is 0x18, so c is 0x1800 plus the last lane in the segment.
  expectLanes(shuffle("down.b32 %r2, %r1, 3, 0x1807"),
              [](uint32_t lane) { return lane % 8 < 5 ? lane + 3 : lane; });
  expectLanes(shuffle("up.b32 %r2, %r1, 3, 0x1800"),
              [](uint32_t lane) { return lane % 8 < 3 ? lane : lane - 3; });
  expectLanes(shuffle("idx.b32 %r2, %r1, 9, 0x181F"),
              [](uint32_t lane) { return lane / 8 * 8 + 1; });
  expectLanes("shfl.sync.down.b32 %r2|%p1, %r1, 4, 31, 0xFFFFFFFF;\nselp.b32 %r2, 1, 0, %p1;",
              [](uint32_t lane) { return lane < 28 ? 1u : 0u; });
}

TEST(Warp, VotesAndMatches) {
  const std::string odd = "and.b32 %r3, %r1, 1;\nsetp.ne.u32 %p1, %r3, 0;\n";
  expectLanes(odd + "vote.sync.ballot.b32 %r2, %p1, 0xFFFFFFFF;",
              [](uint32_t) { return 0xAAAAAAAAu; });
  expectLanes(odd + "vote.sync.ballot.b32 %r2, !%p1, 0xFFFFFFFF;",
              [](uint32_t) { return 0x55555555u; });
  expectLanes(odd + "vote.sync.any.pred %p2, %p1, 0xFFFFFFFF;\nselp.b32 %r2, 1, 0, %p2;",
              [](uint32_t) { return 1u; });
  expectLanes(odd + "vote.sync.all.pred %p2, %p1, 0xFFFFFFFF;\nselp.b32 %r2, 1, 0, %p2;",
              [](uint32_t) { return 0u; });
  expectLanes(odd + "vote.sync.uni.pred %p2, %p1, 0xFFFFFFFF;\nselp.b32 %r2, 1, 0, %p2;",
              [](uint32_t) { return 0u; });
  // A warp of 20 lanes: the missing lanes have no bit.
  expectLanes(
      odd + "vote.sync.ballot.b32 %r2, !%p1, 0xFFFFFFFF;", [](uint32_t) { return 0x00055555u; },
      20);
  expectLanes("shr.u32 %r3, %r1, 3;\nmatch.any.sync.b32 %r2, %r3, 0xFFFFFFFF;",
              [](uint32_t lane) { return 0xFFu << (lane / 8 * 8); });
  expectLanes(
      "mov.u32 %r3, 7;\nmatch.all.sync.b32 %r2|%p1, %r3, 0xFFFFFFFF;\n@!%p1 mov.u32 %r2, 1;",
      [](uint32_t) { return 0xFFFFFFFFu; });
  expectLanes("match.all.sync.b32 %r2|%p1, %r1, 0xFFFFFFFF;\n@!%p1 add.u32 %r2, %r2, 1;",
              [](uint32_t) { return 1u; });
}

TEST(Warp, MatchesWideValues) {
  // Equal only in the lower half.
  expectLanes("cvt.u64.u32 %rd2, %r1;\nshl.b64 %rd2, %rd2, 32;\nmatch.any.sync.b64 %r2, %rd2, "
              "0xFFFFFFFF;",
              [](uint32_t lane) { return 1u << lane; });
}

TEST(Warp, ReducesAndElects) {
  expectLanes("redux.sync.add.s32 %r2, %r1, 0xFFFFFFFF;", [](uint32_t) { return 496u; });
  expectLanes("sub.s32 %r3, %r1, 10;\nredux.sync.min.s32 %r2, %r3, 0xFFFFFFFF;",
              [](uint32_t) { return uint32_t(-10); });
  expectLanes("sub.s32 %r3, %r1, 10;\nredux.sync.max.u32 %r2, %r3, 0xFFFFFFFF;",
              [](uint32_t) { return uint32_t(-1); });
  expectLanes("redux.sync.or.b32 %r2, %r1, 0xFFFFFFFF;", [](uint32_t) { return 31u; });
  expectLanes("redux.sync.xor.b32 %r2, %r1, 0xFFFFFFFF;", [](uint32_t) { return 0u; });
  expectLanes("elect.sync %r2|%p1, 0xFFFFFFFF;\nselp.b32 %r3, 100, 0, %p1;\nadd.u32 %r2, %r2, %r3;",
              [](uint32_t lane) { return lane == 0 ? 100u : 0u; });
  expectLanes("activemask.b32 %r2;", [](uint32_t) { return 0xFFFFFFFFu; });
  // The lanes that took the branch are active there.
  expectLanes("mov.u32 %r2, 0;\nsetp.lt.u32 %p1, %r1, 12;\n@!%p1 bra $L;\nactivemask.b32 %r2;\n$L:",
              [](uint32_t lane) { return lane < 12 ? 0xFFFu : 0u; });
}

TEST(Warp, SpecialRegistersOfLanes) {
  expectLanes("mov.u32 %r2, %lanemask_lt;", [](uint32_t lane) { return (1u << lane) - 1; });
  expectLanes("mov.u32 %r2, %lanemask_le;",
              [](uint32_t lane) { return uint32_t((2ull << lane) - 1); });
  expectLanes("mov.u32 %r2, %lanemask_eq;", [](uint32_t lane) { return 1u << lane; });
  expectLanes("mov.u32 %r2, %lanemask_ge;", [](uint32_t lane) { return 0xFFFFFFFFu << lane; });
  expectLanes("mov.u32 %r2, %lanemask_gt;",
              [](uint32_t lane) { return uint32_t(0xFFFFFFFEull << lane); });
  expectLanes(
      "mov.u32 %r2, %laneid;\nmov.u32 %r3, %warpid;\nmad.lo.u32 %r2, %r3, 100, %r2;",
      [](uint32_t thread) { return thread / 32 * 100 + thread % 32; }, 96);
}

TEST(Warp, BarriersOfTheCta) {
  const std::string odd = "and.b32 %r3, %r1, 1;\nsetp.ne.u32 %p1, %r3, 0;\n";
  expectLanes(odd + "bar.red.popc.u32 %r2, 0, %p1;", [](uint32_t) { return 32u; }, 64);
  expectLanes(odd + "bar.red.popc.u32 %r2, 1, 64, !%p1;", [](uint32_t) { return 32u; }, 64);
  expectLanes(
      odd + "bar.red.and.pred %p2, 0, %p1;\nselp.b32 %r2, 1, 0, %p2;", [](uint32_t) { return 0u; },
      64);
  expectLanes(
      odd + "barrier.cta.red.or.aligned.pred %p2, 0, %p1;\nselp.b32 %r2, 1, 0, %p2;",
      [](uint32_t) { return 1u; }, 64);
  expectLanes(
      odd + "barrier.cta.red.popc.aligned.u32 %r2, 0, %p1;", [](uint32_t) { return 32u; }, 64);
  // The first warp produces, the second waits for it.
  expectLanes(
      R"(
  .shared .b32 s[32];
  mov.u32 %r4, s;
  and.b32 %r5, %r1, 31;
  mad.lo.u32 %r4, %r5, 4, %r4;
  mov.u32 %r2, 0;
  setp.ge.u32 %p1, %r1, 32;
  @%p1 bra $L_wait;
  st.shared.u32 [%r4], %r1;
  bar.arrive 1, 64;
  bra $L_end;
$L_wait:
  bar.sync 1, 64;
  ld.shared.u32 %r2, [%r4];
$L_end:)",
      [](uint32_t thread) { return thread < 32 ? 0 : thread - 32; }, 64);
}
