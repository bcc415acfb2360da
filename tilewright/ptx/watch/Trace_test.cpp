// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trace lines: operands before, results after, the accessed memory, and the limits of a trace.

#include "tilewright/ptx/Testing.h"
#include "tilewright/ptx/machine/Access.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

static const char *text = R"(.version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 data)
{
  .reg .pred %p;
  .reg .b32 %r<4>, %f;
  .reg .b64 %a;
  ld.param.u64 %a, [data];
  mov.u32 %r0, %tid.x;
  mad.wide.u32 %a, %r0, 4, %a;
  ld.global.f32 %f, [%a];
  setp.gt.u32 %p, %r0, 1;
  @%p add.f32 %f, %f, %f;
  shfl.sync.bfly.b32 %r1, %r0, 1, 31, 15;
  add.s32 %r2, %r1, -5;
  st.global.b32 [%a], %r3;
  ret;
}
)";

/// The trace lines of threads of a block of four.
static std::vector<std::string> traceOf(const TraceFilter &filter, Order order = Order::Up) {
  Kernel kernel(text);
  kernel.array(std::vector<float>{0.5f, 1.25f, 2, 3});
  kernel.launch.block = {4, 1, 1};
  kernel.schedule.order = order;
  std::vector<std::string> lines;
  Trace trace("k.ptx", filter, [&](const TraceLine &line) { lines.emplace_back(line.text); });
  kernel.trace = &trace;
  kernel.run();
  trace.close();
  if (trace.unwritten())
    lines.push_back(std::to_string(trace.unwritten()) + " more");
  return lines;
}

// Values of thread 1 computed by hand: its address is 4 bytes on, it gets 0 from lane 0, and 0 - 5
// = -5. %r3 is undefined. The lines are the same in each order, even if another lane completes the
// shuffle.
TEST(PtxTrace, Lines) {
  for (const Order order : {Order::Up, Order::Down}) {
    const auto lines = traceOf({{}, {1}, {}}, order);
    const std::string head = ": block (0, 0, 0), thread 1: ";
    const std::string base = hexOf(globalBase), next = hexOf(globalBase + 4);
    ASSERT_EQ(lines.size(), 10u);
    EXPECT_EQ(lines[0], "k.ptx:9:3" + head + "ld.param.u64() -> %a = " + base +
                            "; 8 bytes of the parameters at byte 0");
    EXPECT_EQ(lines[1], "k.ptx:10:3" + head + "mov.u32() -> %r0 = 1");
    EXPECT_EQ(lines[2],
              "k.ptx:11:3" + head + "mad.wide.u32(%r0 = 1, %a = " + base + ") -> %a = " + next);
    EXPECT_EQ(lines[3], "k.ptx:12:3" + head + "ld.global.f32(%a = " + next +
                            ") -> %f = 1.25; 4 bytes of parameter 0 at byte 4");
    EXPECT_EQ(lines[4], "k.ptx:13:3" + head + "setp.gt.u32(%r0 = 1) -> %p = false");
    EXPECT_EQ(lines[5], "k.ptx:14:7" + head + "add.f32(%p = false, %f = 1.25) -> not executed");
    EXPECT_EQ(lines[6], "k.ptx:15:3" + head + "shfl.sync.bfly.b32(%r0 = 0x1) -> %r1 = 0x0");
    EXPECT_EQ(lines[7], "k.ptx:16:3" + head + "add.s32(%r1 = 0) -> %r2 = -5");
    EXPECT_EQ(lines[8], "k.ptx:17:3" + head + "st.global.b32(%a = " + next +
                            ", %r3 = undefined); 4 bytes of parameter 0 at byte 4");
    EXPECT_EQ(lines[9], "k.ptx:18:3" + head + "ret()");
  }
}

TEST(PtxTrace, Filters) {
  EXPECT_EQ(traceOf({{}, {}, {}}).size(), 40u);
  EXPECT_EQ(traceOf({{{1, 0, 0}}, {}, {}}).size(), 0u);
  EXPECT_EQ(traceOf({{{0, 0, 0}}, {2, 3}, {"add", "ld.global.f32"}}).size(), 6u);
}

TEST(PtxTrace, LimitsLines) {
  const auto lines = traceOf({{}, {}, {}, 3});
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines.back(), "37 more");
}
