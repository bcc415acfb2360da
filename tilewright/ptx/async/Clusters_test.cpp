// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clusters: special registers, addresses, the barrier, and findings without it.

#include "tilewright/ptx/async/AsyncTesting.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

static Trial pair(const std::string &code, Words array, uint32_t threads = 1) {
  return {code, std::move(array), threads, {2, 1, 1}, std::array<uint32_t, 3>{2, 1, 1}};
}

static const std::string clusterBarrier =
    "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";

TEST(Clusters, SpecialRegisters) {
  // A grid of 4 x 4 in clusters of 2 x 2: CTA (3, 2) is in cluster (1, 1), at (1, 0), with rank 1.
  const Trial trial{R"(
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ctaid.y;
  setp.ne.u32 %p1, %r3, 3;
  @%p1 ret;
  setp.ne.u32 %p1, %r4, 2;
  @%p1 ret;
  mov.u32 %r5, %clusterid.x;      st.global.u32 [%rd1], %r5;
  mov.u32 %r5, %clusterid.y;      st.global.u32 [%rd1+4], %r5;
  mov.u32 %r5, %cluster_ctaid.x;  st.global.u32 [%rd1+8], %r5;
  mov.u32 %r5, %cluster_ctaid.y;  st.global.u32 [%rd1+12], %r5;
  st.global.u32 [%rd1+16], %r2;
  mov.u32 %r5, %cluster_nctarank; st.global.u32 [%rd1+20], %r5;
  mov.u32 %r5, %nclusterid.y;     st.global.u32 [%rd1+24], %r5;
  mov.u32 %r5, %cluster_nctaid.x; st.global.u32 [%rd1+28], %r5;
  mov.pred %p2, %is_explicit_cluster;
  selp.u32 %r5, 1, 0, %p2;        st.global.u32 [%rd1+32], %r5;)",
                    Words(9),
                    1,
                    {4, 4, 1},
                    std::array<uint32_t, 3>{2, 2, 1}};
  EXPECT_EQ(resultOf(trial), (Words{1, 1, 1, 0, 1, 4, 2, 2, 1}));
  EXPECT_EQ(resultOf({"mov.u32 %r5, %cluster_nctarank; mov.pred %p2, %is_explicit_cluster;\n"
                      "selp.u32 %r6, 1, 0, %p2; add.u32 %r5, %r5, %r6; st.global.u32 [%rd1], %r5;",
                      Words(1)}),
            Words{1});
}

/// Each thread reads what the same thread of the other CTA wrote.
static std::string crossRead(const std::string &before, const std::string &after) {
  return R"(
  mad.lo.u32 %r3, %r2, 100, %r1;
  shl.b32 %r4, %r1, 2;
  mov.u32 %r5, tile;
  add.u32 %r5, %r5, %r4;
  st.shared.u32 [%r5], %r3;
)" + before +
         R"(
  xor.b32 %r6, %r2, 1;
  mapa.shared::cluster.u32 %r7, %r5, %r6;
  ld.shared::cluster.u32 %r8, [%r7];
  getctarank.shared::cluster.u32 %r9, %r7;
  mad.lo.u32 %r8, %r9, 1000, %r8;
  mad.lo.u32 %r10, %r2, 128, %r4;
  cvt.u64.u32 %rd2, %r10;
  add.u64 %rd2, %rd1, %rd2;
  st.global.u32 [%rd2], %r8;
)" + after;
}

TEST(Clusters, DistributedSharedMemory) {
  Words expected(64);
  for (uint32_t thread = 0; thread < 32; ++thread) {
    expected[thread] = 1100 + thread; // rank 0 reads from rank 1
    expected[32 + thread] = thread;   // and rank 1 from rank 0
  }
  EXPECT_EQ(resultOf(pair(crossRead(clusterBarrier, clusterBarrier), Words(64), 32)), expected);
  // With generic addresses, too; a thread's own rank works like any other.
  EXPECT_EQ(resultOf(pair(R"(
  mov.u32 %r5, tile;
  cvta.shared.u64 %rd3, tile;
  st.shared.u32 [%r5], 7;
)" + clusterBarrier + R"(
  mapa.u64 %rd4, %rd3, 1;
  isspacep.shared::cluster %p1, %rd4;
  isspacep.shared::cta %p2, %rd4;
  @%p1 atom.add.relaxed.cluster.u32 %r6, [%rd4], 5;
)" + clusterBarrier + R"(
  setp.eq.u32 %p3, %r2, 0;
  @%p3 ret;
  ld.shared.u32 %r6, [%r5];
  selp.u32 %r7, 100, 0, %p2;
  add.u32 %r6, %r6, %r7;
  st.global.u32 [%rd1], %r6;)",
                          Words(1))),
            Words{117});
}

TEST(Clusters, AddressesHaveRank) {
  // As in the code of `ptxas`: SR_CgaCtaId << 24, plus the offset of the first variable.
  EXPECT_EQ(resultOf(pair("mov.u32 %r5, tile;\nmul.wide.u32 %rd2, %r2, 4;\n"
                          "add.u64 %rd2, %rd2, %rd1;\nst.global.u32 [%rd2], %r5;",
                          Words(2))),
            (Words{0x400, 0x1000400}));
  // Without the lowest bit of the rank, an address is in the first CTA of a pair (CUTLASS,
  // Sm100MmaPeerBitMask).
  EXPECT_EQ(resultOf(pair("mov.u32 %r5, tile;\nand.b32 %r5, %r5, 0xFEFFFFFF;\n"
                          "setp.eq.u32 %p1, %r2, 0;\n@%p1 st.shared.u32 [tile], 40;\n" +
                              clusterBarrier +
                              "atom.add.relaxed.cluster.shared::cluster.u32 %r6, [%r5], 1;\n" +
                              clusterBarrier +
                              "@%p1 ld.shared.u32 %r6, [tile];\n@%p1 st.global.u32 [%rd1], %r6;",
                          Words(1))),
            Words{42});
}

TEST(Clusters, MissingBarrierRaces) {
  EXPECT_EQ(misses(pair(crossRead("", clusterBarrier), Words(64), 32), Check::Race,
                   "may not have begun", "ld.shared::cluster"),
            "");
  EXPECT_EQ(misses(pair(crossRead("barrier.cluster.arrive.relaxed.aligned;\n"
                                  "barrier.cluster.wait.aligned;\n",
                                  clusterBarrier),
                        Words(64), 32),
                   Check::Race, "unordered with the", ""),
            "");
  // The CTA may end while the other still reads.
  EXPECT_EQ(misses(pair(crossRead(clusterBarrier, ""), Words(64), 32), Check::Race, "", ""), "");
  // A CTA barrier does not order it after the other CTA.
  EXPECT_EQ(misses(pair(crossRead(clusterBarrier, clusterBarrier) + "st.shared.u32 [%r5], 1;\n",
                        Words(64), 32),
                   Check::Race, "", "")
                .substr(0, 13),
            "found nothing");
}

TEST(Clusters, ArriveAndWaitAlternate) {
  EXPECT_EQ(misses(pair("barrier.cluster.wait;", Words(1)), Check::Collective, "has not arrived",
                   "barrier.cluster.wait"),
            "");
  EXPECT_EQ(misses(pair("barrier.cluster.arrive;\nbarrier.cluster.arrive;", Words(1)),
                   Check::Collective, "arrives at the barrier of the cluster again",
                   "barrier.cluster.arrive"),
            "");
  // Rank 1 waits for an mbarrier at which no thread arrives, so it never reaches the barrier.
  EXPECT_EQ(misses(pair(R"(
  mbarrier.init.shared.b64 [bar], 1;
  setp.eq.u32 %p1, %r2, 0;
  @%p1 bra $meet;
$again:
  mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;
  @!%p2 bra $again;
$meet:
  barrier.cluster.arrive;
  barrier.cluster.wait;)",
                        Words(1)),
                   Check::Deadlock, "1 of 1 arrivals are missing", "mbarrier.try_wait"),
            "");
  EXPECT_EQ(misses(pair("and.b32 %r3, %r1, 1;\nsetp.eq.u32 %p1, %r3, 0;\n"
                        "@%p1 barrier.cluster.arrive.aligned;\n"
                        "@!%p1 barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;",
                        Words(1), 32),
                   Check::DivergentBarrier, "in different", "barrier.cluster.arrive"),
            "");
}

TEST(Clusters, RejectAddressesOutsideCluster) {
  EXPECT_EQ(
      misses(pair(clusterBarrier + "mov.u32 %r5, tile;\nmapa.shared::cluster.u32 %r6, %r5, 2;",
                  Words(1)),
             Check::OutOfBounds, "no CTA of rank 2", "mapa"),
      "");
  EXPECT_EQ(misses(pair(clusterBarrier +
                            "mov.u32 %r5, tile;\nxor.b32 %r7, %r2, 1;\n"
                            "mapa.shared::cluster.u32 %r6, %r5, %r7;\nld.shared.u32 %r7, [%r6];",
                        Words(1)),
                   Check::OutOfBounds, ".shared is .shared::cta", "ld.shared.u32"),
            "");
  EXPECT_EQ(misses({"mov.u32 %r5, tile;\nadd.u32 %r5, %r5, 0x3000000;\n"
                    "ld.shared::cluster.u32 %r7, [%r5];",
                    Words(1)},
                   Check::OutOfBounds, "the cluster has 1 CTAs", "ld.shared::cluster"),
            "");
}

/// Rank 0 passes a number in global memory to rank 1, with a flag in the shared memory of rank 1.
static Trial messagePassing(const std::string &release, const std::string &acquire) {
  return pair(R"(
  mov.u32 %r5, tile;
  st.shared.u32 [%r5], 0;
)" + clusterBarrier +
                  R"(
  mapa.shared::cluster.u32 %r6, %r5, 1;
  setp.eq.u32 %p1, %r2, 1;
  @%p1 bra $reader;
  st.global.u32 [%rd1], 42;
  )" + release + R"(
  bra $end;
$reader:
  )" + acquire + R"(
  setp.eq.u32 %p2, %r7, 0;
  @%p2 bra $reader;
  ld.global.u32 %r8, [%rd1];
  st.global.u32 [%rd1+4], %r8;
$end:
)" + clusterBarrier,
              Words(2));
}

TEST(Clusters, ClusterScopeOrdersAccesses) {
  EXPECT_EQ(resultOf(messagePassing("st.release.cluster.shared::cluster.u32 [%r6], 1;",
                                    "ld.acquire.cluster.shared::cta.u32 %r7, [%r5];")),
            (Words{42, 42}));
  EXPECT_EQ(
      resultOf(messagePassing("fence.acq_rel.cluster;\nst.relaxed.cluster.shared::cluster.u32 "
                              "[%r6], 1;",
                              "ld.relaxed.cluster.shared.u32 %r7, [%r5];\nfence.acq_rel.cluster;")),
      (Words{42, 42}));
  EXPECT_EQ(misses(messagePassing("st.release.cta.shared::cluster.u32 [%r6], 1;",
                                  "ld.acquire.cluster.shared::cta.u32 %r7, [%r5];"),
                   Check::Race, "race", ""),
            "");
  EXPECT_EQ(
      misses(messagePassing("fence.acq_rel.cta;\nst.relaxed.cluster.shared::cluster.u32 [%r6], 1;",
                            "ld.acquire.cluster.shared::cta.u32 %r7, [%r5];"),
             Check::Race, "read of parameter 0", "ld.global"),
      "");
}

/// The message for a launch of a kernel with these directives.
static std::string launchOf(const std::string &directives, std::array<uint32_t, 3> grid,
                            std::optional<std::array<uint32_t, 3>> cluster) {
  Kernel kernel(".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k()" + directives +
                "\n{\nret;\n}\n");
  EXPECT_EQ(kernel.refused, "");
  kernel.launch.grid = grid;
  kernel.launch.cluster = cluster;
  return checkLaunch(kernel.program, kernel.launch).value_or("");
}

TEST(Clusters, BlocksAreClustersScalesGrid) {
  std::string text = textOf(R"(
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %nctaid.x;
  mov.u32 %r5, %nclusterid.x;
  mad.lo.u32 %r4, %r4, 10, %r5;
  mul.wide.u32 %rd2, %r3, 4;
  add.u64 %rd2, %rd1, %rd2;
  st.global.u32 [%rd2], %r4;)");
  text.replace(text.find("\n{"), 1, "\n.reqntid 1 .reqnctapercluster 2 .blocksareclusters\n");
  EXPECT_NE(Kernel(text).refused.find(
                "'.blocksareclusters' needs PTX 9.0 or later, but the text is of 8.6"),
            std::string::npos);
  text.replace(text.find("8.6"), 3, "9.0");
  Kernel kernel(text);
  Region &out = kernel.array(Words(7));
  kernel.launch.grid = {3, 1, 1};
  kernel.run();
  EXPECT_EQ(kernel.firstFinding(), "nothing");
  // 3 clusters of 2 CTAs.
  EXPECT_EQ(Kernel::values<uint32_t>(out), (Words{63, 63, 63, 63, 63, 63, 0}));
  text.replace(text.find(".reqntid 1"), 10, "");
  EXPECT_NE(Kernel(text).refused.find("'k' has .blocksareclusters, and not both"),
            std::string::npos);
}

TEST(Clusters, LaunchRejectsInvalidExtents) {
  const std::array<uint32_t, 3> two = {2, 1, 1}, three = {3, 1, 1}, many = {32, 1, 1};
  EXPECT_EQ(launchOf(".explicitcluster .reqnctapercluster 2, 1, 1", two, std::nullopt), "");
  EXPECT_EQ(launchOf(".reqnctapercluster 2", three, std::nullopt),
            "the grid 3x1x1 is no multiple of the cluster 2x1x1");
  EXPECT_EQ(launchOf(".reqnctapercluster 2", many, std::array<uint32_t, 3>{4, 1, 1}),
            "'k' has .reqnctapercluster 2x1x1, but the cluster is 4x1x1");
  EXPECT_EQ(launchOf(".explicitcluster", two, std::nullopt),
            "'k' has .explicitcluster, but the launch has no clusters");
  EXPECT_EQ(launchOf(".maxclusterrank 4", many, std::array<uint32_t, 3>{8, 1, 1}),
            "'k' has .maxclusterrank 4, but the cluster is 8x1x1");
  // The grid counts clusters: of the largest clusters, there may be as many as of blocks.
  const std::string counted = ".reqntid 1 .reqnctapercluster 2 .blocksareclusters";
  EXPECT_EQ(launchOf(counted, three, std::nullopt), "");
  EXPECT_EQ(launchOf(counted, {1u << 31, 1, 1}, std::nullopt),
            "a grid has at most 2^32 - 1 blocks, but is 2147483648x1x1");
  EXPECT_EQ(launchOf("", many, many), "a cluster has at most 16 blocks, but is 32x1x1");
}
