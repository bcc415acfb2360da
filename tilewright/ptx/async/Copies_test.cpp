// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bulk copies, their completion, and proxies.

#include "tilewright/ptx/async/CopiesTesting.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

static const std::string load = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                                "[tile], [%rd1], 16, [bar];\n";
static const std::string store =
    "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile], 16;\n";

//===-- Bulk copies -------------------------------------------------------------------------===//

TEST(BulkCopies, CompleteOnMbarrier) {
  const std::string read = "ld.shared.u32 %r3, [tile+4];\nst.global.u32 [%rd1], %r3;\n";
  EXPECT_EQ(resultOf({init + expect("16") + load + waitFor("0") + read, {1, 2, 3, 4}}),
            (Words{2, 2, 3, 4}));
  EXPECT_EQ(misses({init + expect("16") + load + read, {1, 2, 3, 4}}, Check::Race,
                   "unordered with the write by an asynchronous operation", "ld.shared"),
            "");
  EXPECT_EQ(misses({init + expect("32") + load + waitFor("0") + read, {1, 2, 3, 4}},
                   Check::Deadlock, "0 of 1 arrivals are missing and 16 bytes",
                   "mbarrier.try_wait"),
            "");
  EXPECT_EQ(misses({init + load + waitFor("0") + read, {1, 2, 3, 4}}, Check::Deadlock,
                   "1 of 1 arrivals are missing, and 16 bytes more than expected have come",
                   "mbarrier.try_wait"),
            "");
  // A wait for the wrong parity returns at once.
  EXPECT_EQ(misses({init + expect("16") + load + waitFor("1") + read, {1, 2, 3, 4}}, Check::Race,
                   "asynchronous operation", "ld.shared"),
            "");
  // Without a wait, the CTA may have ended when the bytes arrive.
  EXPECT_EQ(misses({init + expect("16") + load, {1, 2, 3, 4}}, Check::Race, "the CTA ends", ""),
            "");
}

TEST(BulkCopies, SizeIsMultipleOfSixteenBytes) {
  const auto with = [](const std::string &from, const std::string &instead) {
    std::string text = load;
    text.replace(text.find(from), from.size(), instead);
    return init + expect("16") + text + waitFor("0");
  };
  EXPECT_EQ(misses({with(" 16,", " 8,"), Words(4)}, Check::Misaligned, "a multiple of 16 bytes",
                   "cp.async.bulk"),
            "");
  EXPECT_EQ(misses({with("[%rd1]", "[%rd1+4]"), Words(8)}, Check::Misaligned, "no multiple of 16",
                   "cp.async.bulk"),
            "");
  EXPECT_EQ(
      misses({with(" 16,", " 32,"), Words(4)}, Check::OutOfBounds, "32 bytes at", "cp.async.bulk"),
      "");
  EXPECT_EQ(misses({with("[bar]", "[bar+8]"), Words(4)}, Check::Mbarrier, "was not initialised",
                   "cp.async.bulk"),
            "");
}

TEST(BulkCopies, AcceptZeroBytes) {
  std::string none = load;
  none.replace(none.find(" 16,"), 4, " 0,");
  EXPECT_EQ(resultOf({init + expect("0") + none + waitFor("0"), {1, 2, 3, 4}}),
            (Words{1, 2, 3, 4}));
}

/// Writes to shared memory, then a bulk copy reads it.
static std::string stored(const std::string &fence, const std::string &after,
                          const std::string &copy = store) {
  return "st.shared.v4.u32 [tile], {5, 6, 7, 8};\n" + fence + copy + after;
}

TEST(BulkCopies, CompleteByBulkGroup) {
  EXPECT_EQ(resultOf({stored(fence, commit + waitAll), Words(4)}), (Words{5, 6, 7, 8}));
  EXPECT_EQ(resultOf({stored("fence.proxy.async;\n", commit + waitAll), Words(4)}),
            (Words{5, 6, 7, 8}));
  EXPECT_EQ(resultOf({stored(fence, commit + "cp.async.bulk.wait_group.read 0;\n"
                                             "st.shared.u32 [tile], 9;\n"),
                      Words(4)}),
            (Words{5, 6, 7, 8}));
  // Bytes 0 and 5 of each 16.
  EXPECT_EQ(resultOf({stored(fence, commit + waitAll,
                             "mov.u16 %h1, 0x21;\ncp.async.bulk.global.shared::cta.bulk_group."
                             "cp_mask [%rd1], [tile], 16, %h1;\n"),
                      {0xFFFFFFFF, 0xFFFFFFFF, 0, 0}}),
            (Words{0xFFFFFF05, 0xFFFF00FF, 0, 0}));
}

TEST(BulkCopies, RequireProxyFenceAndGroupWait) {
  const std::string overwrite = "st.shared.u32 [tile], 9;\n";
  EXPECT_EQ(misses({stored("", commit + waitAll), Words(4)}, Check::ProxyFence,
                   "read of shared variable 'tile' at byte 0 by the async proxy", "cp.async.bulk"),
            "");
  // A fence for the wrong space.
  EXPECT_EQ(misses({stored("fence.proxy.async.global;\n", commit + waitAll), Words(4)},
                   Check::ProxyFence, "async proxy", "cp.async.bulk"),
            "");
  EXPECT_EQ(misses({stored(fence, commit + overwrite + waitAll), Words(4)}, Check::Race,
                   "unordered with the read by an asynchronous operation", "st.shared"),
            "");
  EXPECT_EQ(misses({stored(fence, commit + "cp.async.bulk.wait_group 1;\n" + overwrite), Words(4)},
                   Check::Race, "unordered with the read by an asynchronous operation",
                   "st.shared"),
            "");
  // Without a commit, the wait does not include the group.
  EXPECT_EQ(misses({stored(fence, waitAll + overwrite), Words(4)}, Check::Race,
                   "asynchronous operation", "st.shared"),
            "");
  // The reads are done, the writes perhaps not.
  EXPECT_EQ(misses({stored(fence, commit + "cp.async.bulk.wait_group.read 0;\n"
                                           "ld.global.u32 %r3, [%rd1];\n"),
                    Words(4)},
                   Check::Race, "read of parameter 0", "ld.global"),
            "");
  // CUTLASS ends CTAs whose own stores still read their shared memory.
  EXPECT_EQ(resultOf({stored(fence, commit), Words(4)}), (Words{5, 6, 7, 8}));
  // An undefined value.
  EXPECT_EQ(misses({store + commit + waitAll, Words(4)}, Check::Undefined, "is not defined", ""),
            "");
}

TEST(BulkCopies, OrderedAfterBarrier) {
  const auto by = [](const std::string &before) {
    return "shl.b32 %r3, %r1, 2;\nmov.u32 %r4, tile;\nadd.u32 %r4, %r4, %r3;\n"
           "st.shared.u32 [%r4], %r1;\n" +
           before + "setp.ne.u32 %p1, %r1, 0;\n@%p1 ret;\n" + store + commit + waitAll;
  };
  EXPECT_EQ(resultOf({by("fence.proxy.async.shared::cta;\nbar.sync 0;\n"), Words(4), 4}),
            (Words{0, 1, 2, 3}));
  // A fence by the copying thread covers the writes of all threads.
  EXPECT_EQ(resultOf({by("bar.sync 0;\nfence.proxy.async.shared::cta;\n"), Words(4), 4}),
            (Words{0, 1, 2, 3}));
  EXPECT_EQ(misses({by("bar.sync 0;\n"), Words(4), 4}, Check::ProxyFence, "by the async proxy",
                   "cp.async.bulk"),
            "");
}

/// The first `storing` of 64 threads store 64 bytes of the tile to the same bytes; the offset in
/// the tile is the thread number times `factor`. The tile holds sevens up to byte 512, then the
/// numbers of threads.
static Trial storedBy(uint32_t storing, const std::string &factor, const std::string &after) {
  return {"shl.b32 %r3, %r1, 2;\nmov.u32 %r4, tile;\nadd.u32 %r5, %r4, %r3;\n"
          "st.shared.u32 [%r5], 7;\nst.shared.u32 [%r5+256], 7;\nst.shared.u32 [%r5+512], %r1;\n" +
              fence + "bar.sync 0;\nmad.lo.u32 %r4, %r1, " + factor +
              ", %r4;\nsetp.lt.u32 %p1, %r1, " + std::to_string(storing) +
              ";\n@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r4], 64;\n" + after,
          Words(16), 64};
}

// In CUTLASS, all threads of a warp begin each store of a tile.
TEST(BulkCopies, StoresOfSameBytesDoNotRace) {
  EXPECT_EQ(resultOf(storedBy(32, "0", commit + waitAll)), Words(16, 7));
  EXPECT_EQ(resultOf(storedBy(64, "0", commit + waitAll)), Words(16, 7));
  // From different offsets with the same bytes.
  EXPECT_EQ(resultOf(storedBy(4, "64", commit + waitAll)), Words(16, 7));
  // All of them are waited for before the next write.
  EXPECT_EQ(resultOf(storedBy(32, "0",
                              commit + waitAll +
                                  "bar.sync 0;\nsetp.eq.u32 %p1, %r1, 5;\n"
                                  "@%p1 st.global.u32 [%rd1], 9;\n"))
                .front(),
            9u);
}

TEST(BulkCopies, StoresOfDifferentBytesRace) {
  // The third thread stores the numbers of threads.
  EXPECT_EQ(misses(storedBy(3, "256", commit + waitAll), Check::Race,
                   "unordered with the write by an asynchronous operation", "cp.async.bulk"),
            "");
  // A thread that waits only for its own store is not ordered after those of the others.
  EXPECT_EQ(misses(storedBy(64, "0",
                            commit + "setp.eq.u32 %p1, %r1, 33;\n@%p1 " + waitAll +
                                "bar.sync 0;\n@%p1 st.global.u32 [%rd1], 9;\n" + waitAll),
                   Check::Race, "unordered with the write by an asynchronous operation",
                   "st.global"),
            "");
  // A sum and a store differ in another order, whatever the sum is.
  EXPECT_EQ(
      misses({"st.shared.v4.u32 [tile], {7, 7, 7, 7};\n" + fence +
                  "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [tile], "
                  "16;\n" +
                  store + commit + waitAll,
              Words(4)},
             Check::Race, "unordered with the write by an asynchronous operation", "cp.async.bulk"),
      "");
}

TEST(BulkCopies, Reduce) {
  const auto reduced = [](const std::string &what) {
    return stored(fence, commit + waitAll,
                  "cp.reduce.async.bulk.global.shared::cta.bulk_group." + what +
                      " [%rd1], [tile], 16;\n");
  };
  EXPECT_EQ(resultOf({reduced("add.u32"), {1, 2, 3, 4}}), (Words{6, 8, 10, 12}));
  EXPECT_EQ(resultOf({reduced("max.s32"), {6, 6, 0xFFFFFFFF, 9}}), (Words{6, 6, 7, 9}));
  EXPECT_EQ(resultOf({reduced("and.b32"), {1, 2, 3, 12}}), (Words{1, 2, 3, 8}));
  EXPECT_EQ(resultOf({reduced("inc.u32"), {5, 5, 5, 9}}), (Words{0, 6, 6, 0}));
  // 5 + 6 * 2^32: the sum in two words.
  EXPECT_EQ(resultOf({reduced("add.u64"), {0xFFFFFFFF, 0, 0, 0}}), (Words{4, 7, 7, 8}));
  EXPECT_NE(refusalOf("cp.reduce.async.bulk.global.shared::cta.bulk_group.mul.u32 [%rd1], [%rd2], "
                      "16;")
                .find(".mul.u32' is not supported"),
            std::string::npos);
}

static Trial toOther(const std::string &code) {
  const std::string clusterBarrier = "barrier.cluster.arrive;\nbarrier.cluster.wait;\n";
  return {"mov.u32 %r5, tile;\nmov.u32 %r6, bar;\n" + init +
              "fence.mbarrier_init.release.cluster;\n" + clusterBarrier +
              "setp.eq.u32 %p1, %r2, 1;\nmapa.shared::cluster.u32 %r7, %r5, 1;\n"
              "mapa.shared::cluster.u32 %r8, %r6, 1;\n" +
              code + clusterBarrier,
          {1, 2, 3, 4, 0, 0, 0, 0},
          1,
          {2, 1, 1},
          std::array<uint32_t, 3>{2, 1, 1}};
}

TEST(BulkCopies, CopyToOtherCtas) {
  const std::string receive = "@!%p1 bra $end;\n" + waitFor("0") +
                              "ld.shared.v4.u32 {%r9, %r10, %r11, %r12}, [tile];\n"
                              "st.global.v4.u32 [%rd1+16], {%r9, %r10, %r11, %r12};\n$end:\n";
  EXPECT_EQ(resultOf(toOther("@%p1 " + expect("16") +
                             "@!%p1 st.shared.v4.u32 [tile], {5, 6, 7, 8};\n" + fence +
                             "@!%p1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx"
                             "::bytes [%r7], [tile], 16, [%r8];\n" +
                             receive)),
            (Words{1, 2, 3, 4, 5, 6, 7, 8}));
  // Copies to both CTAs; each counts its bytes.
  const std::string cast = expect("16") +
                           "mov.u16 %h1, 3;\n@!%p1 cp.async.bulk.shared::cluster.global."
                           "mbarrier::complete_tx::bytes.multicast::cluster [tile], [%rd1], 16, "
                           "[bar], %h1;\n";
  EXPECT_EQ(resultOf(toOther(cast + "@!%p1 bra $first;\n" + receive + "bra $all;\n$first:\n" +
                             "$again: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;\n"
                             "@!%p2 bra $again;\n$all:\n")),
            (Words{1, 2, 3, 4, 1, 2, 3, 4}));
  std::string beyond = cast;
  beyond.replace(beyond.find("%h1, 3"), 6, "%h1, 4");
  EXPECT_EQ(misses(toOther(beyond), Check::OutOfBounds, "the cluster has 2 CTAs", "cp.async.bulk"),
            "");
}
