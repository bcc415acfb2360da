// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which accesses race: release and acquire, equal writes, atomics.

#include "tilewright/ptx/Testing.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

/// Message passing: thread 0 publishes with `store`, a thread of another CTA polls with `load`.
static std::string message(const std::string &store, const std::string &load) {
  return small(R"(
  mov.u32 %r2, %ctaid.x;
  setp.ne.u32 %p1, %r2, 0;
  @%p1 bra $L_wait;
  st.global.u32 [%rd1+4], 42;
  )" + store + R"(
  ret;
$L_wait:
  )" + load + R"(
  setp.eq.u32 %p1, %r3, 0;
  @%p1 bra $L_wait;
  ld.global.u32 %r4, [%rd1+4];
  st.global.u32 [%rd1+8], %r4;
  ret;)");
}

TEST(Races, ReleaseAndAcquireOrderCtas) {
  const std::string fenced = "membar.gl;\nst.volatile.global.u32 [%rd1], 1;";
  struct Case {
    std::string store, load;
    bool races;
  };
  const Case cases[] = {
      {"st.release.gpu.global.u32 [%rd1], 1;", "ld.acquire.gpu.global.u32 %r3, [%rd1];", false},
      {"red.release.gpu.global.add.u32 [%rd1], 1;",
       "atom.acquire.gpu.global.add.u32 %r3, [%rd1], 0;", false},
      {fenced, "ld.volatile.global.u32 %r3, [%rd1];\nmembar.gl;", false},
      // The reader has no fence; the store has no ordering; the scope is too small.
      {fenced, "ld.volatile.global.u32 %r3, [%rd1];", true},
      {"st.relaxed.gpu.global.u32 [%rd1], 1;", "ld.acquire.gpu.global.u32 %r3, [%rd1];", true},
      {"st.release.cta.global.u32 [%rd1], 1;", "ld.acquire.gpu.global.u32 %r3, [%rd1];", true},
      {"atom.global.add.u32 %r3, [%rd1], 1;", "atom.global.add.u32 %r3, [%rd1], 0;", true},
  };
  for (Order order : {Order::Up, Order::Down, Order::Random})
    for (const Case &one : cases) {
      Kernel kernel(message(one.store, one.load));
      Region &out = kernel.array(std::vector<uint32_t>(3));
      kernel.launch.grid = {2, 1, 1};
      kernel.schedule.order = order;
      kernel.run();
      EXPECT_EQ(Kernel::values<uint32_t>(out)[2], 42u) << one.store;
      EXPECT_EQ(!kernel.findings.empty(), one.races)
          << one.store << " / " << one.load
          << (kernel.findings.empty() ? "" : kernel.findings.front().message);
    }
}

TEST(Races, EqualWritesDoNotRace) {
  // Compilers let several threads store a value that all of them hold.
  const auto findingOf = [](const std::string &code, uint32_t ctas) {
    std::string found;
    for (Order order : {Order::Up, Order::Down, Order::Random}) {
      Kernel kernel(small(code));
      kernel.array(std::vector<uint32_t>(2));
      kernel.launch.grid = {ctas, 1, 1};
      kernel.launch.block = {64, 1, 1};
      kernel.schedule.order = order;
      kernel.run();
      const std::string now = kernel.firstFinding().substr(0, 4);
      EXPECT_TRUE(found.empty() || found == now) << found << now;
      found = now;
    }
    return found;
  };
  for (uint32_t ctas : {1, 3}) {
    EXPECT_EQ(findingOf("st.global.u32 [%rd1], 7;\nret;", ctas), "noth");
    EXPECT_EQ(findingOf("st.global.v2.u32 [%rd1], {7, 8};\nst.global.u32 [%rd1+4], 8;\nret;", ctas),
              "noth");
    EXPECT_EQ(findingOf("st.global.u32 [%rd1], 7;\nst.global.u8 [%rd1+1], 1;\nret;", ctas), "race");
    EXPECT_EQ(findingOf("st.global.u32 [%rd1], %r1;\nret;", ctas), "race");
    // It does not justify an unordered read after it,
    EXPECT_EQ(findingOf("st.global.u32 [%rd1], 7;\nld.global.u32 %r1, [%rd1];\nret;", ctas),
              "race");
    // nor one before it, which the writes of the other threads are not ordered after.
    EXPECT_EQ(findingOf("ld.global.u32 %r1, [%rd1];\nst.global.u32 [%rd1], 7;\nret;", ctas),
              "race");
  }
}

TEST(Races, AccessAfterOneOfTwoEqualWritesRacesWithOther) {
  // Warps 0 and 1 write the same value; warp 2 is ordered after warp 1 only.
  for (const char *access : {"st.global.u32 [%rd1], 9;", "ld.global.u32 %r3, [%rd1];"})
    for (const bool both : {false, true})
      for (Order order : {Order::Up, Order::Down, Order::Random}) {
        const std::string barrier = both ? "bar.sync 1, 96;\n" : "bar.sync 1, 64;\n";
        Kernel kernel(small("shr.u32 %r2, %r1, 5;\nsetp.eq.u32 %p1, %r2, 2;\n@%p1 bra $last;\n"
                            "st.global.u32 [%rd1], 7;\n" +
                            std::string(both ? "" : "setp.eq.u32 %p1, %r2, 0;\n@%p1 bra $end;\n") +
                            barrier + "bra $end;\n$last:\n" + barrier + access + "\n$end:\nret;"));
        kernel.array(std::vector<uint32_t>(1));
        kernel.launch.block = {96, 1, 1};
        kernel.schedule.order = order;
        kernel.run();
        // Threads of warp 2 write the same value, too.
        EXPECT_EQ(kernel.firstFinding().substr(0, 4), both ? "noth" : "race") << access;
      }
}

TEST(Races, StoreAfterAtomicRaces) {
  // Before the atomic, the store would have led to another sum.
  for (Order order : {Order::Up, Order::Down}) {
    Kernel kernel(small("setp.eq.u32 %p1, %r1, 0;\n@%p1 red.global.add.u32 [%rd1], 1;\n"
                        "@!%p1 st.global.u32 [%rd1], 1;\nret;"));
    kernel.array(std::vector<uint32_t>(1));
    kernel.launch.block = {2, 1, 1};
    kernel.schedule.order = order;
    kernel.run();
    EXPECT_EQ(kernel.firstFinding().substr(0, 4), "race");
  }
}

TEST(Races, AtomicDoesNotHideWeakWrite) {
  for (Order order : {Order::Up, Order::Down}) {
    Kernel kernel(small(R"(
  setp.ne.u32 %p1, %r1, 0;
  @!%p1 st.global.u32 [%rd1], 0;
  red.global.add.u32 [%rd1], 1;
  ret;)"));
    kernel.array(std::vector<uint32_t>(1));
    kernel.launch.block = {2, 1, 1};
    kernel.schedule.order = order;
    ASSERT_FALSE(kernel.run().empty());
    EXPECT_EQ(kernel.findings.front().check, Check::Race);
  }
}
