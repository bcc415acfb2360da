// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mbarriers: phases, arrivals, waits, and their misuse.

#include "tilewright/ptx/async/AsyncTesting.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

/// Thread 0 initialises `bar` for `count` arrivals.
static std::string init(const std::string &count) {
  return "setp.eq.u32 %p1, %r1, 0;\n@%p1 mbarrier.init.shared::cta.b64 [bar], " + count +
         ";\nbar.sync 0;\n";
}

static std::string waitFor(const std::string &barrier, const std::string &parity,
                           const std::string &label) {
  return "$" + label + ":\nmbarrier.try_wait.parity.shared::cta.b64 %p2, [" + barrier + "], " +
         parity + ";\n@!%p2 bra $" + label + ";\n";
}

/// Thread 0 of two warps writes numbers that the second warp reads, one round per parity.
static std::string rounds(const std::string &arrive, const std::string &parity) {
  return R"(
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra $inited;
  mbarrier.init.shared::cta.b64 [bar], 1;
  mbarrier.init.shared::cta.b64 [bar+8], 32;
$inited:
  bar.sync 0;
  mov.u32 %r3, 0;
  mov.u32 %r4, 0;
  setp.lt.u32 %p1, %r1, 32;
$loop:
  and.b32 %r5, %r3, 1;
  @%p1 bra $producer;
)" + waitFor("bar", "%r5", "full") +
         R"(
  ld.shared.u32 %r6, [tile];
  add.u32 %r4, %r4, %r6;
  )" + arrive +
         R"(
  bra $next;
$producer:
  setp.ne.u32 %p3, %r1, 0;
  @%p3 bra $next;
  )" + parity +
         waitFor("bar+8", "%r7", "empty") +
         R"(
  add.u32 %r6, %r3, 10;
  st.shared.u32 [tile], %r6;
  mbarrier.arrive.shared::cta.b64 %rd2, [bar];
$next:
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p4, %r3, 4;
  @%p4 bra $loop;
  setp.ne.u32 %p3, %r1, 32;
  @%p3 ret;
  st.global.u32 [%rd1], %r4;)";
}

static const std::string arriveEmpty = "mbarrier.arrive.shared::cta.b64 _, [bar+8];";
static const std::string producerParity = "xor.b32 %r7, %r5, 1;\n";

TEST(Mbarriers, ProducerConsumerPhases) {
  // 10 + 11 + 12 + 13
  EXPECT_EQ(resultOf({rounds(arriveEmpty, producerParity), Words(1), 64}), Words{46});
}

TEST(Mbarriers, DeadlockNamesMissingArrivals) {
  // The consumer does not signal that it has read.
  EXPECT_EQ(misses({rounds("", producerParity), Words(1), 64}, Check::Deadlock,
                   "for phase 0 of the mbarrier at byte 8 of shared variable 'bar', where 32 of 32 "
                   "arrivals are missing",
                   "mbarrier.try_wait"),
            "");
  // With the parity of the consumer, the producer does not wait for it.
  EXPECT_EQ(misses({rounds(arriveEmpty, "xor.b32 %r7, %r5, 0;\n"), Words(1), 64}, Check::Deadlock,
                   "for phase 0 of the mbarrier", "mbarrier.try_wait"),
            "");
  // The consumer arrives first and reads afterwards.
  std::string early = rounds("", producerParity);
  early.replace(early.find("ld.shared.u32 %r6, [tile];"), 0, arriveEmpty + "\n");
  EXPECT_EQ(misses({early, Words(1), 64}, Check::Race, "shared variable 'tile'", ""), "");
}

TEST(Mbarriers, CountArrivals) {
  EXPECT_EQ(misses({init("1") + "mbarrier.arrive.shared.b64 _, [bar], 2;", Words(1)},
                   Check::Mbarrier, "1 of 1 are missing in phase 0, and 2 arrive",
                   "mbarrier.arrive"),
            "");
  EXPECT_EQ(misses({"mbarrier.arrive.shared.b64 _, [bar];", Words(1)}, Check::Mbarrier,
                   "there is no mbarrier at byte 0 of shared variable 'bar': it was not "
                   "initialised",
                   "mbarrier.arrive"),
            "");
  EXPECT_EQ(misses({init("1") + "mbarrier.inval.shared.b64 [bar];\n"
                                "mbarrier.arrive.shared.b64 _, [bar];",
                    Words(1)},
                   Check::Mbarrier, "it was invalidated", "mbarrier.arrive"),
            "");
  EXPECT_EQ(misses({init("1") + init("1"), Words(1)}, Check::Mbarrier,
                   "initialised again, and was not invalidated", "mbarrier.init"),
            "");
  EXPECT_EQ(resultOf({init("1") + "mbarrier.inval.shared.b64 [bar];\nst.shared.u32 [bar], 5;\n"
                                  "ld.shared.u32 %r3, [bar];\nst.global.u32 [%rd1], %r3;\n",
                      Words(1)}),
            Words{5});
  EXPECT_EQ(misses({init("1") + "st.shared.u32 [bar+4], 5;", Words(1)}, Check::Mbarrier,
                   "which was not invalidated", "st.shared.u32"),
            "");
  EXPECT_EQ(misses({init("0"), Words(1)}, Check::Mbarrier, "1 to 1048575", "mbarrier.init"), "");
  EXPECT_EQ(misses({init("1") + "mbarrier.arrive.noComplete.shared.b64 %rd2, [bar], 1;", Words(1)},
                   Check::Mbarrier, "with .noComplete completes phase 0", "mbarrier.arrive"),
            "");
  EXPECT_EQ(misses({"mbarrier.init.shared.b64 [bar+4], 1;", Words(1)}, Check::Misaligned,
                   "no multiple of 8", "mbarrier.init"),
            "");
  EXPECT_EQ(misses({"mbarrier.init.b64 [%rd1], 1;", Words(2)}, Check::Mbarrier,
                   "is in shared memory", "mbarrier.init"),
            "");
  // Thread 0 of 32 threads initialises: accesses of the others may be earlier.
  EXPECT_EQ(misses({"setp.eq.u32 %p1, %r1, 0;\n@%p1 mbarrier.init.shared.b64 [bar], 64;\n"
                    "shfl.sync.idx.b32 %r3, %r1, 0, 31, -1;\n"
                    "mbarrier.arrive.shared.b64 _, [bar];",
                    Words(1), 32},
                   Check::Race, "unordered with the write by thread 0", "mbarrier.arrive"),
            "");
  // A wait writes nothing.
  EXPECT_EQ(misses({"setp.eq.u32 %p1, %r1, 0;\n@%p1 mbarrier.init.shared.b64 [bar], 64;\n"
                    "shfl.sync.idx.b32 %r3, %r1, 0, 31, -1;\n"
                    "mbarrier.test_wait.parity.shared.b64 %p2, [bar], 1;",
                    Words(1), 32},
                   Check::Race, "race: use of shared variable 'bar' at byte 0, unordered with",
                   "mbarrier.test_wait"),
            "");
}

TEST(Mbarriers, StateTokens) {
  // The state has the phase: one of 3 arrivals is a drop, so the next phase needs 2.
  EXPECT_EQ(resultOf({init("3") + R"(
  mbarrier.arrive.noComplete.shared.b64 %rd2, [bar], 1;
  mbarrier.pending_count.b64 %r3, %rd2;
  mbarrier.arrive.shared.b64 %rd3, [bar];
  mbarrier.test_wait.shared.b64 %p2, [bar], %rd3;
  mbarrier.arrive_drop.shared.b64 %rd4, [bar];
  mbarrier.test_wait.shared.b64 %p3, [bar], %rd3;
  mbarrier.arrive.shared.b64 %rd5, [bar];
  mbarrier.pending_count.b64 %r4, %rd5;
  mbarrier.arrive.shared.b64 %rd5, [bar];
$last:
  mbarrier.try_wait.shared.b64 %p4, [bar], %rd5, 100;
  @!%p4 bra $last;
  selp.u32 %r5, 1, 0, %p2;
  selp.u32 %r6, 1, 0, %p3;
  st.global.u32 [%rd1], %r3;
  st.global.u32 [%rd1+4], %r4;
  st.global.u32 [%rd1+8], %r5;)",
                      Words(3)}),
            (Words{3, 2, 0}));
  EXPECT_EQ(misses({init("1") + R"(
  mbarrier.arrive.shared.b64 %rd2, [bar];
  mbarrier.arrive.shared.b64 %rd3, [bar];
  mbarrier.test_wait.shared.b64 %p2, [bar], %rd2;)",
                    Words(1)},
                   Check::Mbarrier, "the state is of phase 0, and the mbarrier is in phase 2",
                   "mbarrier.test_wait"),
            "");
}

TEST(Mbarriers, CountBytes) {
  // Expected bytes delay the phase.
  EXPECT_EQ(resultOf({init("1") + R"(
  mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %rd2, [bar], 64;
  mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 36;
  mbarrier.test_wait.shared.b64 %p2, [bar], %rd2;
  mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 100;
$done:
  mbarrier.try_wait.acquire.cta.shared::cta.b64 %p3, [bar], %rd2;
  @!%p3 bra $done;
  selp.u32 %r5, 1, 0, %p2;
  selp.u32 %r6, 10, 0, %p3;
  add.u32 %r5, %r5, %r6;
  st.global.u32 [%rd1], %r5;)",
                      Words(1)}),
            Words{10});
  EXPECT_EQ(misses({init("1") + "mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 64;\n" +
                        waitFor("bar", "0", "done"),
                    Words(1)},
                   Check::Deadlock, "where 0 of 1 arrivals are missing and 64 bytes",
                   "mbarrier.try_wait"),
            "");
  EXPECT_EQ(misses({init("1") + "mbarrier.expect_tx.shared::cta.b64 [bar], 1048576;", Words(1)},
                   Check::Mbarrier, "the transaction count", "mbarrier.expect_tx"),
            "");
}

TEST(Mbarriers, LanesMayInitialiseTogether) {
  const std::string all = "mbarrier.init.shared.b64 [bar], 32;\n", meet = "bar.warp.sync -1;\n",
                    arrive = "mbarrier.arrive.shared.b64 _, [bar];\n";
  const std::string wait = waitFor("bar", "0", "done") + "st.global.u32 [%rd1], 7;\n";
  EXPECT_EQ(resultOf({all + meet + arrive + wait, Words(1), 32}), Words{7});
  const auto found = [&](const std::string &code, uint32_t threads = 32) {
    return misses({code, Words(1), threads}, Check::Mbarrier, "is initialised again",
                  "mbarrier.init");
  };
  // With different counts, at another instruction, in another turn, after a use, by another warp.
  const auto twice = [&](const std::string &use) {
    return "mov.u32 %r3, 0;\n$twice:\n" + all + meet + use + meet +
           "add.u32 %r3, %r3, 1;\nsetp.lt.u32 %p1, %r3, 2;\n@%p1 bra $twice;\n";
  };
  EXPECT_EQ(found("add.u32 %r3, %r1, 1;\nmbarrier.init.shared.b64 [bar], %r3;\n"), "");
  EXPECT_EQ(found(all + meet + all), "");
  EXPECT_EQ(found(twice("")), "");
  EXPECT_EQ(found(twice(arrive)), "");
  EXPECT_EQ(found(all, 64), "");
}

TEST(Mbarriers, TrackCpAsync) {
  const auto copies = [](const std::string &count, const std::string &arrive) {
    return init(count) + R"(
  mul.wide.u32 %rd2, %r1, 16;
  add.u64 %rd3, %rd1, %rd2;
  shl.b32 %r3, %r1, 4;
  mov.u32 %r4, tile;
  add.u32 %r4, %r4, %r3;
  cp.async.ca.shared.global [%r4], [%rd3], 16;
)" + arrive +
           waitFor("bar", "0", "done") + R"(
  xor.b32 %r3, %r3, 16;
  mov.u32 %r4, tile;
  add.u32 %r4, %r4, %r3;
  ld.shared.u32 %r5, [%r4];
  st.global.u32 [%rd3+4], %r5;)";
  };
  const Words array = {1, 0, 0, 0, 2, 0, 0, 0};
  const Words swapped = {1, 2, 0, 0, 2, 1, 0, 0};
  EXPECT_EQ(resultOf({copies("2", "cp.async.mbarrier.arrive.noinc.shared.b64 [bar];\n"), array, 2}),
            swapped);
  EXPECT_EQ(resultOf({copies("2", "cp.async.mbarrier.arrive.shared::cta.b64 [bar];\n"
                                  "mbarrier.arrive.shared.b64 _, [bar];\n"),
                      array, 2}),
            swapped);
  // Only threads arrive: the copies may complete later.
  EXPECT_EQ(misses({copies("2", "mbarrier.arrive.shared.b64 _, [bar];\n"), array, 2},
                   Check::PendingCopy, "has an asynchronous copy", "ld.shared.u32"),
            "");
  EXPECT_EQ(misses({copies("2", "cp.async.mbarrier.arrive.shared::cta.b64 [bar];\n"), array, 2},
                   Check::Deadlock, "2 of 2 arrivals are missing", "mbarrier.try_wait"),
            "");
}

TEST(Mbarriers, TrackTheSameCopyOfSeveralThreads) {
  const auto copies = [](const std::string &count, const std::string &offset) {
    return Trial{init(count) + "@%p1 mbarrier.init.shared.b64 [bar+8], 1;\nbar.sync 0;\n" + R"(
  cp.async.ca.shared.global [tile], [%rd1], 4;
  mov.u32 %r4, bar;
  mad.lo.u32 %r4, %r1, )" +
                     offset + R"(, %r4;
  cp.async.mbarrier.arrive.noinc.shared.b64 [%r4];
)" + waitFor("bar", "0", "done") +
                     "ld.shared.u32 %r5, [tile];\nst.global.u32 [%rd1+4], %r5;\n",
                 Words{7, 0}, 2};
  };
  EXPECT_EQ(resultOf(copies("2", "0")), (Words{7, 7}));
  // The copy of thread 1 completes at another mbarrier.
  EXPECT_EQ(misses(copies("1", "8"), Check::Race, "tile", ""), "");
}

/// The copies are writes of the generic proxy.
TEST(Mbarriers, TrackedCopiesNeedProxyFences) {
  const auto copies = [](const std::string &fence, const std::string &store) {
    return Trial{init("1") + R"(
  mov.u32 %r4, tile;
  cp.async.ca.shared.global [%r4], [%rd1], 16;
  cp.async.mbarrier.arrive.noinc.shared.b64 [bar];
)" + waitFor("bar", "0", "done") +
                     fence + store + "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n",
                 Words{1, 2, 3, 4, 0, 0, 0, 0}};
  };
  const std::string store = "cp.async.bulk.global.shared::cta.bulk_group [%rd1+16], [%r4], 16;\n";
  const std::string fence = "fence.proxy.async.shared::cta;\n";
  EXPECT_EQ(resultOf(copies(fence, store)), (Words{1, 2, 3, 4, 1, 2, 3, 4}));
  EXPECT_EQ(resultOf(copies(fence, store + "cp.async.wait_all;\n")),
            (Words{1, 2, 3, 4, 1, 2, 3, 4}));
  EXPECT_EQ(
      misses(copies("", store), Check::ProxyFence, "fence.proxy.async", "cp.async.bulk.global"),
      "");
}

//===-- Between CTAs ------------------------------------------------------------------------===//

static Trial between(const std::string &scope, const std::string &fence, const std::string &send,
                     const std::string &bytes = "8") {
  return {R"(
  mov.u32 %r5, tile;
  mov.u32 %r6, bar;
  st.shared.v2.u32 [%r5], {0, 0};
  mbarrier.init.shared.b64 [bar], 1;
  )" + fence + "\nbarrier.cluster.arrive" +
              scope + ";\nbarrier.cluster.wait;\n" + R"(
  mapa.shared::cluster.u32 %r7, %r5, 1;
  mapa.shared::cluster.u32 %r8, %r6, 1;
  setp.eq.u32 %p1, %r2, 1;
  @%p1 bra $receiver;
  )" + send + R"(
  bra $end;
$receiver:
  mbarrier.arrive.expect_tx.shared.b64 _, [bar], )" +
              bytes + ";\n" + waitFor("bar", "0", "done") + R"(
  ld.shared.v2.u32 {%r9, %r10}, [%r5];
  st.global.v2.u32 [%rd1], {%r9, %r10};
$end:
  barrier.cluster.arrive;
  barrier.cluster.wait;)",
          Words(2),
          1,
          {2, 1, 1},
          std::array<uint32_t, 3>{2, 1, 1}};
}

static const std::string store =
    "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.u32 [%r7], {3, 4}, [%r8];";
static const std::string reduce =
    "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r7], 5, "
    "[%r8];\nred.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.u32 "
    "[%r7+4], 6, [%r8];";

TEST(Mbarriers, RemoteArrivals) {
  EXPECT_EQ(resultOf(between("", "", store)), (Words{3, 4}));
  EXPECT_EQ(resultOf(between("", "", reduce)), (Words{5, 6}));
  // With fewer bytes, the phase does not wait for the second reduction.
  EXPECT_EQ(misses(between("", "", reduce, "4"), Check::Race, "asynchronous operation", ""), "");
  EXPECT_EQ(misses(between("", "", store, "16"), Check::Deadlock,
                   "where 0 of 1 arrivals are missing and 8 bytes", ""),
            "");
  // An mbarrier of the wrong CTA.
  std::string local = store;
  local.replace(local.find("%r8"), 3, "%r6");
  EXPECT_EQ(misses(between("", "", local), Check::Mbarrier, "of another CTA than the destination",
                   "st.async"),
            "");
}

TEST(Mbarriers, InitFencePublishesInitialisation) {
  const auto arrive = [](const std::string &fence) {
    return Trial{R"(
  mbarrier.init.shared.b64 [bar], 1;
  )" + fence + R"(
  barrier.cluster.arrive.relaxed;
  barrier.cluster.wait.acquire;
  mov.u32 %r6, bar;
  xor.b32 %r7, %r2, 1;
  mapa.shared::cluster.u32 %r8, %r6, %r7;
  mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r8];
)" + waitFor("bar", "0", "done") +
                     "barrier.cluster.arrive;\nbarrier.cluster.wait;",
                 Words(1),
                 1,
                 {2, 1, 1},
                 std::array<uint32_t, 3>{2, 1, 1}};
  };
  EXPECT_EQ(resultOf(arrive("fence.mbarrier_init.release.cluster;")), Words{0});
  EXPECT_EQ(resultOf(arrive("fence.acq_rel.cluster;")), Words{0});
  EXPECT_EQ(misses(arrive(""), Check::Race, "", "mbarrier."), "");
}

/// Rank 0 writes to global memory and arrives at the mbarrier of rank 1.
static Trial arrival(const std::string &arrive, const std::string &scope) {
  Trial trial = between("", "", "st.global.u32 [%rd1+4], 9;\n" + arrive, "0");
  const std::string wait = "mbarrier.try_wait.parity.shared::cta.b64";
  trial.code.replace(trial.code.find(wait), wait.size(),
                     "mbarrier.try_wait.parity" + scope + ".shared::cta.b64");
  const std::string own = "mbarrier.arrive.expect_tx.shared.b64 _, [bar], 0;";
  trial.code.erase(trial.code.find(own), own.size());
  const std::string read = "ld.shared.v2.u32 {%r9, %r10}, [%r5];";
  trial.code.replace(trial.code.find(read), read.size(), "ld.global.v2.u32 {%r9, %r10}, [%rd1];");
  return trial;
}

TEST(Mbarriers, ReleaseAtScope) {
  EXPECT_EQ(resultOf(arrival("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r8];",
                             ".acquire.cluster")),
            (Words{0, 9}));
  EXPECT_EQ(resultOf(arrival("mbarrier.arrive.shared::cluster.b64 _, [%r8];", "")), (Words{0, 9}));
  EXPECT_EQ(misses(arrival("mbarrier.arrive.release.cta.shared::cluster.b64 _, [%r8];",
                           ".acquire.cluster"),
                   Check::Race, "read of parameter 0", "ld.global"),
            "");
  EXPECT_EQ(misses(arrival("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r8];",
                           ".acquire.cta"),
                   Check::Race, "read of parameter 0", "ld.global"),
            "");
  EXPECT_EQ(misses(arrival("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%r8];",
                           ".acquire.cluster"),
                   Check::Race, "read of parameter 0", "ld.global"),
            "");
}
