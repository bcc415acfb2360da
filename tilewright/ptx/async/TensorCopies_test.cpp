// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor copies.

#include "tilewright/ptx/async/CopiesTesting.h"

#include <numeric>

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

/// The first words of `tile` after a copy of a box; `words` has their initial values.
static Words wordsOfBox(const TensorMap &map, const std::string &coordinates, const Words &words,
                        const std::string &offset = "") {
  const std::string rank = std::to_string(map.rank);
  std::string code = init + "prefetch.tensormap [%rd2];\n" +
                     expect(std::to_string(map.boxBytes())) + "cp.async.bulk.tensor." + rank +
                     "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [tile" + offset +
                     "], [%rd2, {" + coordinates + "}], [bar];\n" + waitFor("0");
  for (size_t number = 0; number < words.size(); ++number)
    code += "ld.shared.u32 %r3, [tile" + offset + "+" + std::to_string(4 * words[number]) +
            "];\nst.global.u32 [%rd1+" + std::to_string(4 * number) + "], %r3;\n";
  Words result;
  for (const Schedule &schedule : Schedules::all()) {
    MappedKernel kernel = tensorKernel(code, map, schedule);
    kernel.run();
    for (const Finding &finding : kernel.findings)
      ADD_FAILURE() << finding.message;
    result = Kernel::values<uint32_t>(*kernel.memory.find(globalBase));
  }
  result.resize(words.size());
  return result;
}

/// The first `count` words of the copied box.
static Words boxAt(const TensorMap &map, const std::string &coordinates, unsigned count,
                   const std::string &offset = "") {
  Words words(count);
  std::iota(words.begin(), words.end(), 0);
  return wordsOfBox(map, coordinates, words, offset);
}

TEST(TensorCopies, LoadBoxes) {
  const TensorMap map = mapOf(0);
  EXPECT_EQ(boxAt(map, "1, 1", 8), (Words{11, 12, 13, 14, 21, 22, 23, 24}));
  // Elements outside are zero on all sides, and count as bytes.
  EXPECT_EQ(boxAt(map, "4, 2", 8), (Words{24, 25, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(boxAt(map, "-2, -1", 8), (Words{0, 0, 0, 0, 0, 0, 0, 1}));
  EXPECT_EQ(boxAt(map, "100, 0", 8), Words(8));
  TensorMap floats = map;
  floats.type = *tensorTypeNamed("f32");
  floats.fill = 1;
  const uint32_t nan = 0x7FF77FF7;
  EXPECT_EQ(boxAt(floats, "4, 2", 8), (Words{24, 25, nan, nan, nan, nan, nan, nan}));
  // Every second row.
  TensorMap steps = map;
  steps.box = {4, 3};
  steps.steps = {1, 2, 1, 1, 1};
  EXPECT_EQ(boxAt(steps, "0, 0", 8), (Words{0, 1, 2, 3, 20, 21, 22, 23}));
  // One dimension; and three dimensions, the last of which has the rows.
  TensorMap flat = map;
  flat.rank = 1;
  flat.dims = {24};
  EXPECT_EQ(boxAt(flat, "6", 4), (Words{6, 7, 10, 11}));
  TensorMap deep = map;
  deep.rank = 3;
  deep.dims = {4, 2, 3};
  deep.strides = {16, 32};
  deep.box = {4, 2, 2};
  EXPECT_EQ(boxAt(deep, "0, 1, 1", 16),
            (Words{14, 15, 16, 17, 0, 0, 0, 0, 24, 25, 26, 27, 0, 0, 0, 0}));
}

TEST(TensorCopies, Swizzle) {
  // Rows of 32 bytes: from row 4 on, the halves are exchanged. The tensor has rows 0 to 2, so the
  // box begins 3 rows before it: its rows 3, 4 and 5 are inside.
  TensorMap map = mapOf(0);
  map.dims = {8, 3};
  map.box = {8, 6};
  map.swizzle = 1;
  const Words box = boxAt(map, "0, -3", 48);
  EXPECT_EQ(Words(box.begin() + 24, box.begin() + 32), (Words{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(Words(box.begin() + 32, box.begin() + 40), (Words{14, 15, 16, 17, 10, 11, 12, 13}));
  // The swizzle depends on the address, not on the beginning of the block: 128 bytes further, the
  // first row changes.
  const Words moved = boxAt(map, "0, 0", 8, "+128");
  EXPECT_EQ(moved, (Words{4, 5, 6, 7, 0, 1, 2, 3}));
}

TEST(TensorCopies, RowsNarrowerThanTheSwizzle) {
  // Rows of 16 bytes begin 32 bytes apart. Row 3 is in its first half, rows 4 and 5 in the second
  // one; row 0 is outside, and zero. An mbarrier counts only the bytes of the rows.
  TensorMap map = mapOf(0);
  map.dims = {8, 3};
  map.box = {4, 6};
  map.swizzle = 1;
  EXPECT_EQ(wordsOfBox(map, "0, -3", {0, 3, 24, 25, 26, 27, 36, 37, 38, 39, 44, 47}),
            (Words{0, 0, 0, 1, 2, 3, 10, 11, 12, 13, 20, 23}));
}

TEST(TensorCopies, PreserveGapsBetweenRows) {
  TensorMap map = mapOf(0);
  map.dims = {8, 3};
  map.box = {4, 2};
  map.swizzle = 1;
  MappedKernel kernel = tensorKernel(
      init +
          "st.shared.u32 [tile+16], 77;\n"
          "fence.proxy.async;\n" +
          expect("32") +
          "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
          "[tile], "
          "[%rd2, {0, 0}], [bar];\n" +
          waitFor("0") + "ld.shared.u32 %r3, [tile+16];\nst.global.u32 [%rd1], %r3;\n",
      map, {});
  kernel.run();
  EXPECT_EQ(kernel.firstFinding(), "nothing");
  EXPECT_EQ(Kernel::values<uint32_t>(*kernel.memory.find(globalBase))[0], 77u);
}

TEST(TensorCopies, SwizzleInLargerParts) {
  // One row of 128 bytes behind a row that is outside: its four chunks of 32 bytes are exchanged in
  // pairs, its two chunks of 64 bytes with each other.
  TensorMap map = mapOf(0);
  map.rank = 2;
  map.strides = {128};
  map.box = {32, 2};
  map.swizzle = 3;
  map.dims = {24, 1}; // words 0 to 7, 10 to 17, 20 to 27, as the tensor is one row
  map.atomicity = 1;
  Words box = boxAt(map, "0, -1", 64);
  EXPECT_EQ(Words(box.begin() + 32, box.end()),
            (Words{10, 11, 12, 13, 14, 15, 16, 17, 0,  1,  2,  3,  4,  5,  6,  7,
                   0,  0,  0,  0,  0,  0,  0,  0,  20, 21, 22, 23, 24, 25, 26, 27}));
  map.atomicity = 3;
  box = boxAt(map, "0, -1", 64);
  EXPECT_EQ(Words(box.begin() + 32, box.end()),
            (Words{20, 21, 22, 23, 24, 25, 26, 27, 0,  0,  0,  0,  0,  0,  0,  0,
                   0,  1,  2,  3,  4,  5,  6,  7,  10, 11, 12, 13, 14, 15, 16, 17}));
}

TEST(TensorCopies, StoreAndReduceBoxes) {
  const std::string fill = "st.shared.v4.u32 [tile], {1, 2, 3, 4};\n"
                           "st.shared.v4.u32 [tile+16], {5, 6, 7, 8};\n" +
                           fence;
  const std::string copy =
      "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd2, {4, 2}], [tile];\n";
  const std::string sum = "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group "
                          "[%rd2, {0, 0}], [tile];\n";
  for (const Schedule &schedule : Schedules::all()) {
    MappedKernel kernel = tensorKernel(fill + copy + sum + commit + waitAll, mapOf(0), schedule);
    EXPECT_TRUE(kernel.run().empty()) << kernel.findings.front().message;
    const Words tensor = Kernel::values<uint32_t>(*kernel.tensor);
    // 1, 2, 3, 4 and 5, 6, 7, 8 are added to the first two rows; two numbers to the last one.
    EXPECT_EQ(tensor, (Words{1,  3,  5,  7,  4,  5,  6,  7,  15, 17, 19, 21,
                             14, 15, 16, 17, 20, 21, 22, 23, 1,  2,  26, 27}));
  }
  EXPECT_EQ(
      findingOf("st.shared.u32 [tile], 1;\n" + copy + commit + waitAll, mapOf(0)).substr(0, 11),
      "proxy-fence");
}

/// A map of the tensor with a box of one row of four words.
static TensorMap rowMap() {
  TensorMap map = mapOf(0);
  map.box = {4, 1};
  return map;
}

static std::string gatherRows(const std::string &coordinates) {
  return init + expect("64") +
         "cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes "
         "[tile], [%rd2, {" +
         coordinates + "}], [bar];\n" + waitFor("0");
}

TEST(TensorCopies, GatherFourRows) {
  // From column 3 on: row 2, a row outside, row 0, row 2 again; column 6 is outside.
  std::string code = "cp.async.bulk.prefetch.tensor.2d.L2.global.tile::gather4 "
                     "[%rd2, {3, 2, 3, 0, 2}];\n" +
                     gatherRows("3, 2, 3, 0, 2");
  for (unsigned word = 0; word < 16; ++word)
    code += "ld.shared.u32 %r3, [tile+" + std::to_string(4 * word) + "];\nst.global.u32 [%rd1+" +
            std::to_string(4 * word) + "], %r3;\n";
  for (const Schedule &schedule : Schedules::all()) {
    MappedKernel kernel = tensorKernel(code, rowMap(), schedule);
    kernel.run();
    EXPECT_EQ(kernel.firstFinding(), "nothing");
    Words words = Kernel::values<uint32_t>(*kernel.memory.find(globalBase));
    words.resize(16);
    EXPECT_EQ(words, (Words{23, 24, 25, 0, 0, 0, 0, 0, 3, 4, 5, 0, 23, 24, 25, 0}));
  }
  EXPECT_EQ(findingOf(gatherRows("0, 0, 0, 0, 0"), mapOf(0)),
            "tensor-map: tensor map: gather4 and scatter4 need boxes of one row, but this map's "
            "have 2");
  for (const char *wrong :
       {"cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes "
        "[%r1], [%rd1, {%r2, %r3}], [%r4];",
        "cp.async.bulk.tensor.2d.global.shared::cta.tile::gather4.bulk_group "
        "[%rd1, {%r2, %r3, %r4, %r5, %r6}], [%r1];",
        "cp.async.bulk.tensor.3d.shared::cta.global.tile::gather4.mbarrier::complete_tx::bytes "
        "[%r1], [%rd1, {%r2, %r3, %r4, %r5, %r6}], [%r4];"})
    EXPECT_NE(refusalOf(wrong), "") << wrong;
}

TEST(TensorCopies, GatherFourNarrowRows) {
  TensorMap map = rowMap();
  map.swizzle = 1;
  std::string code = gatherRows("1, 2, 0, 1, 9");
  for (unsigned row = 0; row < 4; ++row)
    code += "ld.shared.u32 %r3, [tile+" + std::to_string(32 * row) + "];\nst.global.u32 [%rd1+" +
            std::to_string(4 * row) + "], %r3;\n";
  MappedKernel kernel = tensorKernel(code, map, {});
  kernel.run();
  EXPECT_EQ(kernel.firstFinding(), "nothing");
  Words words = Kernel::values<uint32_t>(*kernel.memory.find(globalBase));
  words.resize(4);
  EXPECT_EQ(words, (Words{21, 1, 11, 0}));
}

TEST(TensorCopies, StoreNarrowRows) {
  // The gaps between rows are not read: they are undefined before the store, and may be written
  // during it.
  TensorMap map = mapOf(0);
  map.dims = {8, 3};
  map.box = {4, 2};
  map.swizzle = 1;
  for (const std::string &reduction : {std::string(), std::string("add.")}) {
    const std::string name = reduction.empty()
                                 ? "cp.async.bulk.tensor.2d.global.shared::cta."
                                 : "cp.reduce.async.bulk.tensor.2d.global.shared::cta.";
    const std::string code = "st.shared.v4.u32 [tile], {100, 200, 300, 400};\n"
                             "st.shared.v4.u32 [tile+32], {500, 600, 700, 800};\n" +
                             fence + name + reduction +
                             "tile.bulk_group [%rd2, {4, 1}], [tile];\n" + commit +
                             "st.shared.u32 [tile+16], 9;\n" + waitAll;
    for (const Schedule &schedule : Schedules::all()) {
      MappedKernel kernel = tensorKernel(code, map, schedule);
      kernel.run();
      EXPECT_EQ(kernel.firstFinding(), "nothing");
      Words rows = Kernel::values<uint32_t>(*kernel.tensor);
      rows = Words(rows.begin() + 8, rows.end());
      EXPECT_EQ(
          rows,
          reduction.empty()
              ? (Words{10, 11, 12, 13, 100, 200, 300, 400, 20, 21, 22, 23, 500, 600, 700, 800})
              : (Words{10, 11, 12, 13, 114, 215, 316, 417, 20, 21, 22, 23, 524, 625, 726, 827}));
    }
  }
}

TEST(TensorCopies, ScatterFourRows) {
  std::string code;
  for (unsigned row = 0; row < 4; ++row)
    code += "st.shared.v4.u32 [tile+" + std::to_string(16 * row) + "], {" +
            std::to_string(100 * row + 101) + ", " + std::to_string(100 * row + 102) + ", " +
            std::to_string(100 * row + 103) + ", " + std::to_string(100 * row + 104) + "};\n";
  code += fence +
          "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group "
          "[%rd2, {4, 2, -1, 0, 1}], [tile];\n" +
          commit + waitAll;
  const std::string sum = "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile::scatter4."
                          "bulk_group [%rd2, {0, 0, 3, 3, 3}], [tile];\n" +
                          commit + waitAll;
  for (const Schedule &schedule : Schedules::all()) {
    MappedKernel kernel = tensorKernel(code + sum, rowMap(), schedule);
    kernel.run();
    EXPECT_EQ(kernel.firstFinding(), "nothing");
    // Rows 2, 0 and 1 get the first two words of rows 0, 2 and 3; row 0 of the sum is added.
    EXPECT_EQ(Kernel::values<uint32_t>(*kernel.tensor),
              (Words{101, 103, 105, 107, 301, 302, 6,  7,  10,  11,  12, 13,
                     401, 402, 16,  17,  20,  21,  22, 23, 101, 102, 26, 27}));
  }
}

TEST(TensorCopies, ReportMisuse) {
  const std::string copy = init + expect("32") +
                           "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::"
                           "bytes [tile], [%rd2, {0, 0}], [bar];\n" +
                           waitFor("0");
  EXPECT_EQ(findingOf(copy, mapOf(0)), "nothing");
  TensorMap map = mapOf(0);
  map.dims = {6, 9};
  std::string far = copy;
  far.replace(far.find("{0, 0}"), 6, "{0, 8}");
  EXPECT_EQ(findingOf(far, map).substr(0, 28), "out-of-bounds: 16 bytes at 0");
  map = mapOf(0);
  map.rank = 1;
  EXPECT_EQ(findingOf(copy, map),
            "tensor-map: tensor map: it has 1 dimensions, and the instruction 2");
  std::string odd = copy;
  odd.replace(odd.find("[tile]"), 6, "[tile+64]");
  EXPECT_EQ(findingOf(odd, mapOf(0)).substr(0, 10), "misaligned");
  EXPECT_EQ(findingOf("mov.u64 %rd2, %rd1;\n" + copy, mapOf(0)),
            "tensor-map: tensor map: the 128 bytes are none");
  EXPECT_NE(
      refusalOf("cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::"
                "bytes [%r1], [%rd1, {%r1, %r1, %r1}], [%r2], {%h1};")
          .find("is not supported"),
      std::string::npos);
}

/// A CTA of a cluster copies a box to the last CTA, or, with a mask, to several ones; `signalled`
/// is the CTA of the mbarrier, at which all of `bytes` must arrive.
static MappedKernel pairKernel(unsigned clusterSize, unsigned signalled, const std::string &group,
                               unsigned bytes, const std::string &mask, Schedule schedule) {
  const std::string last = std::to_string(clusterSize - 1), of = std::to_string(signalled);
  const std::string barrier = "barrier.cluster.arrive;\nbarrier.cluster.wait;\n";
  MappedKernel kernel = tensorKernel(
      init + "fence.mbarrier_init.release.cluster;\n" + barrier +
          "mov.u32 %r5, tile;\nmov.u32 %r6, bar;\nmov.u32 %r7, %cluster_ctarank;\n"
          "mapa.shared::cluster.u32 %r8, %r5, " +
          (mask.empty() ? last : "0") + ";\nmapa.shared::cluster.u32 %r9, %r6, " + of +
          ";\nsetp.eq.u32 %p3, %r7, " + of + ";\n@!%p3 bra $others;\n" +
          expect(std::to_string(bytes)) +
          "mov.b16 %h1, 3;\ncp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::"
          "bytes" +
          (mask.empty() ? "" : ".multicast::cluster") + group + " [%r8], [%rd2, {1, 1}], [%r9]" +
          mask + ";\n" + waitFor("0") + "$others:\n" + barrier + "setp.eq.u32 %p4, %r7, " + last +
          ";\n@%p4 ld.shared.u32 %r3, [tile];\n@%p4 st.global.u32 [%rd1], %r3;\n",
      mapOf(0), schedule);
  kernel.launch.grid = {clusterSize, 1, 1};
  kernel.launch.cluster = {clusterSize, 1, 1};
  kernel.run();
  return kernel;
}

TEST(TensorCopies, SignalPairs) {
  for (const Schedule &schedule : Schedules::all())
    for (unsigned signalled : {0U, 1U})
      for (const auto &[bytes, mask] : {std::pair(32U, ""), std::pair(64U, ", %h1")}) {
        MappedKernel kernel = pairKernel(2, signalled, ".cta_group::2", bytes, mask, schedule);
        EXPECT_EQ(kernel.firstFinding(), "nothing");
        EXPECT_EQ(Kernel::values<uint32_t>(*kernel.memory.find(globalBase))[0], 11U);
      }
  for (const char *group : {"", ".cta_group::1"})
    EXPECT_EQ(pairKernel(2, 0, group, 32, "", {}).firstFinding(),
              "mbarrier: the mbarrier is in the shared memory of another CTA than the destination");
  EXPECT_EQ(pairKernel(4, 2, ".cta_group::2", 32, "", {}).firstFinding(), "nothing");
  EXPECT_EQ(pairKernel(4, 1, ".cta_group::2", 32, "", {}).firstFinding(),
            "mbarrier: the mbarrier is in the shared memory of another pair of CTAs than the "
            "destination");
  // Each CTA of the mask signals the even one of its pair, so only half of the bytes arrive here.
  EXPECT_EQ(pairKernel(2, 0, ".cta_group::1", 64, ", %h1", {}).firstFinding().substr(0, 9),
            "deadlock:");
}
