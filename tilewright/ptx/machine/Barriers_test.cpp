// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers of a CTA: threads that have ended, and lanes of a warp that arrive, wait, or are
// elsewhere.

#include "tilewright/ptx/Testing.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

/// The rule of the first finding in a CTA of so many threads, or `nothing`.
static std::string findingOf(const std::string &body, uint32_t threads, Order order) {
  Kernel kernel(small(body));
  kernel.array(std::vector<uint32_t>(64));
  kernel.launch.block = {threads, 1, 1};
  kernel.schedule.order = order;
  kernel.run();
  const std::string found = kernel.firstFinding();
  return found.substr(0, found.find(':'));
}

TEST(Barriers, BarrierIgnoresExitedThreads) {
  const std::string half = "setp.lt.u32 %p1, %r1, 32;\n", store = "st.global.u32 [%rd2], 1;\n";
  for (const std::string &body :
       {half + "@!%p1 ret;\nbar.sync 0;\n" + store + "ret;",
        half + "@!%p1 bra $L_a;\nbar.sync 0;\n" + store + "$L_a:\nret;",
        half + "@%p1 bra $L_a;\n" + store + "ret;\n$L_a:\nbar.sync 0;\n" + store + "ret;",
        // A loop that all threads leave after the same number of barriers, and a last barrier for
        // half of them.
        "mov.u32 %r2, 0;\n$L_a:\nbar.sync 0;\nadd.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, 3;\n"
        "@%p1 bra $L_a;\n" +
            half + "@!%p1 ret;\nbar.sync 0;\nret;"}) {
    EXPECT_EQ(findingOf(body, 64, Order::Up), "nothing") << body;
  }
}

TEST(Barriers, LanesMayArriveAndWaitAtDifferentBarriers) {
  // Warp 0 arrives at barrier 1, and waits at barrier 2, which has its own 32 threads.
  const auto found = [](const std::string &first, Order order) {
    return findingOf("setp.ge.u32 %p1, %r1, 32;\n@%p1 bra $second;\n"
                     "setp.ge.u32 %p1, %r1, 16;\n" +
                         first + "bar.sync 2, 32;\nret;\n$second:\nbar.sync 1, 64;\nret;",
                     64, order);
  };
  for (Order order : {Order::Up, Order::Down, Order::Random}) {
    EXPECT_EQ(found("bar.arrive 1, 64;\n", order), "nothing");
    // Half of the warp waits where the others arrive.
    EXPECT_EQ(found("@%p1 bra $half;\nbar.arrive 1, 64;\nbra $both;\n$half:\n"
                    "bar.sync 1, 64;\n$both:\n",
                    order),
              "divergent-barrier");
    // Half of the warp arrives elsewhere.
    EXPECT_EQ(found("@%p1 bra $half;\nbar.arrive 1, 64;\nbra $both;\n$half:\n"
                    "bar.arrive 1, 64;\n$both:\n",
                    order),
              "divergent-barrier");
  }
}

TEST(Barriers, WarpsMayArriveBeforeTheyWait) {
  // Warp 0 arrives, and then both warps wait at the same barrier: 32 + 64 threads.
  const auto found = [](const std::string &arrival, Order order) {
    return findingOf("setp.ge.u32 %p1, %r1, 32;\n@%p1 bra $both;\n"
                     "setp.ge.u32 %p1, %r1, 16;\n" +
                         arrival + "$both:\nbar.sync 1, 96;\nret;",
                     64, order);
  };
  for (Order order : {Order::Up, Order::Down, Order::Random}) {
    EXPECT_EQ(found("bar.arrive 1, 96;\n", order), "nothing");
    // Several times, before the other lanes have arrived once.
    EXPECT_EQ(found("bar.arrive 2, 96;\nbar.arrive 2, 96;\nbar.arrive 1, 96;\n", order), "nothing");
    // Half of the warp waits without an arrival, or arrives once more.
    EXPECT_EQ(found("@%p1 bra $both;\nbar.arrive 1, 96;\n", order), "divergent-barrier");
    EXPECT_EQ(found("bar.arrive 1, 96;\n@%p1 bra $both;\nbar.arrive 1, 96;\n", order),
              "divergent-barrier");
  }
}

TEST(Barriers, AlignedAndOtherBarriersDoNotMeet) {
  for (Order order : {Order::Up, Order::Down, Order::Random}) {
    EXPECT_EQ(findingOf("setp.ge.u32 %p1, %r1, 16;\n@%p1 bra $half;\nbar.sync 1, 32;\nret;\n"
                        "$half:\nbarrier.sync 1, 32;\nret;",
                        32, order),
              "divergent-barrier");
  }
}
