// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor copies and tensor maps.

#include "tilewright/ptx/async/CopiesTesting.h"

#include <numeric>

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

//===-- Tensor copies -----------------------------------------------------------------------===//

TEST(TensorMaps, SwizzlePatternsOfManual) {
  // 128B: chunk c (16 bytes) of row r is at chunk c ^ r % 8.
  EXPECT_EQ(swizzled(3 * 128 + 5 * 16 + 2, Swizzle::Bytes128), 3u * 128 + 6 * 16 + 2);
  // 64B: two rows in 128 bytes; chunks change by (r / 2) % 4.
  EXPECT_EQ(swizzled(5 * 64 + 1 * 16, Swizzle::Bytes64), 5u * 64 + 3 * 16);
  // 32B: four rows in 128 bytes; chunks change by (r / 4) % 2.
  EXPECT_EQ(swizzled(4 * 32, Swizzle::Bytes32), 4u * 32 + 16);
  EXPECT_EQ(swizzled(1234, Swizzle::None), 1234u);
  // 128B with chunks of 32 bytes: chunk c of row r is at c ^ r % 4. With chunks of 64 bytes, it is
  // at c ^ r % 2.
  EXPECT_EQ(swizzled(7 * 128 + 1 * 32 + 17, Swizzle::Bytes128, Atomicity::Bytes32),
            7u * 128 + 2 * 32 + 17);
  EXPECT_EQ(swizzled(3 * 128 + 1 * 64 + 40, Swizzle::Bytes128, Atomicity::Bytes64), 3u * 128 + 40);
  EXPECT_EQ(swizzled(2 * 128 + 40, Swizzle::Bytes128, Atomicity::Bytes64), 2u * 128 + 40);
}

static TensorMap mapOf(uint64_t address) {
  TensorMap map;
  map.rank = 2;
  map.type = *tensorTypeNamed("u32");
  map.address = address;
  map.dims = {6, 3};
  map.strides = {32};
  map.box = {4, 2};
  return map;
}

TEST(TensorMaps, ReportsInvalidFields) {
  TensorMap map = mapOf(0x1000);
  EXPECT_EQ(map.findError(), std::nullopt);
  EXPECT_EQ(decodeTensorMap(encode(map))->boxBytes(), 32u);
  EXPECT_EQ(decodeTensorMap(TensorMapBytes()), std::nullopt);
  map.box[0] = 3;
  EXPECT_EQ(*map.findError(), "a row of a box has a multiple of 16 bytes, but 12");
  map.box[0] = 12;
  map.swizzle = 1;
  EXPECT_EQ(*map.findError(), "a row of a box has 48 bytes, but the swizzle spans 32");
  map.box[0] = 4;
  EXPECT_EQ(map.findError(), std::nullopt);
  EXPECT_EQ(map.rowPitch(), 32u);
  map = mapOf(0x1000);
  map.strides = {24};
  EXPECT_EQ(*map.findError(),
            "a stride is a multiple of 16 bytes below 2^40, but 24 in dimension 1");
  map = mapOf(0x1008);
  EXPECT_EQ(*map.findError(), "the address of a tensor is a multiple of 16");
  map = mapOf(0x1000);
  map.interleave = 1;
  EXPECT_EQ(*map.findError(), "interleaved layouts are not supported");
  map = mapOf(0x1000);
  map.atomicity = 1;
  EXPECT_EQ(*map.findError(), "a swizzle atomicity beyond 16 bytes needs the swizzle of 128 bytes");
  map.swizzle = 3;
  map.box[0] = 32;
  EXPECT_EQ(map.findError(), std::nullopt);
  map.atomicity = 2;
  EXPECT_EQ(*map.findError(), "swizzle atomicity 2 is not supported");
  map = mapOf(0x1000);
  map.fill = 1;
  EXPECT_EQ(*map.findError(), "elements of type u32 are not filled with NaN");
}

/// A kernel with a tensor of 3 x 6 numbers 10 * row + column, in rows of 8, and a map of it.
static MappedKernel tensorKernel(const std::string &code, const TensorMap &map, Schedule schedule) {
  Words tensor(24);
  for (uint32_t at = 0; at < 24; ++at)
    tensor[at] = 10 * (at / 8) + at % 8;
  return MappedKernel(code, tensor, map, schedule);
}

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

static std::string findingOf(const std::string &code, const TensorMap &map, uint32_t ctas = 1) {
  std::string found;
  for (const Schedule &schedule : Schedules::all()) {
    MappedKernel kernel = tensorKernel(code, map, schedule);
    kernel.launch.grid = {ctas, 1, 1};
    kernel.run();
    const std::string now = kernel.firstFinding();
    EXPECT_TRUE(found.empty() || found == now) << found << "\n" << now;
    found = now;
  }
  return found;
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

/// The first word of the box at (1, 1) through a map at the address that `code` computes, or the
/// finding.
static std::string wordThroughMapAt(const std::string &code) {
  MappedKernel kernel = tensorKernel(
      ".local .align 64 .b8 copy[128];\n" + init + code + expect("32") +
          "cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes [tile], "
          "[%rd2, {1, 1}], [bar];\n" +
          waitFor("0") + "ld.shared.u32 %r3, [tile];\nst.global.u32 [%rd1], %r3;\n",
      mapOf(0), {});
  kernel.run();
  return kernel.findings.empty()
             ? std::to_string(Kernel::values<uint32_t>(*kernel.memory.find(globalBase))[0])
             : kernel.firstFinding();
}

TEST(TensorMaps, GridConstantParameter) {
  // As Triton passes a map made by the host: the address of the parameter has 32 bits.
  EXPECT_EQ(
      wordThroughMapAt("mov.b32 %r3, map;\ncvt.u64.u32 %rd2, %r3;\ncvta.param.u64 %rd2, %rd2;\n"),
      "11");
  EXPECT_EQ(wordThroughMapAt("mov.b64 %rd2, map;\ncvta.param.u64 %rd2, %rd2;\n"), "11");
  EXPECT_EQ(wordThroughMapAt("cvta.param.u64 %rd2, map;\n"), "11");
  // Without cvta, it is not a generic address.
  EXPECT_EQ(wordThroughMapAt("mov.b64 %rd2, map;\n"),
            "out-of-bounds: 128 bytes at 0x440: a null pointer");
}

TEST(TensorMaps, ReportsMapsInOtherSpaces) {
  std::string toLocal, toShared;
  for (unsigned at = 0; at < 128; at += 8) {
    const std::string place = std::to_string(at);
    toLocal +=
        "ld.param.b64 %rd3, [map+" + place + "];\nst.local.b64 [copy+" + place + "], %rd3;\n";
    toShared +=
        "ld.param.b64 %rd3, [map+" + place + "];\nst.shared.b64 [tile+" + place + "], %rd3;\n";
  }
  EXPECT_EQ(wordThroughMapAt(toLocal + "cvta.local.u64 %rd2, copy;\n"),
            "tensor-map: the tensor map is in .local memory, and belongs into .param, .const or "
            ".global");
  EXPECT_EQ(wordThroughMapAt(toShared + "cvta.shared.u64 %rd2, tile;\n"),
            "tensor-map: the tensor map is in .shared memory, and belongs into .param, .const or "
            ".global");
  EXPECT_EQ(findingOf(".local .align 64 .b8 copy[128];\ncvta.local.u64 %rd2, copy;\n"
                      "tensormap.replace.tile.rank.b1024.b32 [%rd2], 1;\n",
                      mapOf(0)),
            "tensor-map: the tensor map is in .local memory, and belongs into .global or "
            ".shared::cta");
}

TEST(TensorMaps, ReplaceFieldsInShared) {
  // Copies a map to shared memory, changes its box, and copies it back through its proxy.
  const auto replaced = [](const std::string &release, const std::string &acquire) {
    std::string code =
        "mov.u32 %r3, 0;\n$copy:\ncvt.u64.u32 %rd3, %r3;\nadd.u64 %rd4, %rd2, %rd3;\n"
        "ld.b64 %rd5, [%rd4];\nmov.u32 %r4, tile;\nadd.u32 %r4, %r4, %r3;\n"
        "st.shared.b64 [%r4], %rd5;\nadd.u32 %r3, %r3, 8;\n"
        "setp.lt.u32 %p3, %r3, 128;\n@%p3 bra $copy;\n"
        "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [tile], 1, 1;\n"
        "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [tile], 0, 2;\n";
    code += "mov.u32 %r3, 0;\n$back:\nmov.u32 %r4, tile;\nadd.u32 %r4, %r4, %r3;\n"
            "ld.shared.b64 %rd5, [%r4];\ncvt.u64.u32 %rd3, %r3;\nadd.u64 %rd4, %rd1, %rd3;\n"
            "st.global.b64 [%rd4+128], %rd5;\nadd.u32 %r3, %r3, 8;\n"
            "setp.lt.u32 %p3, %r3, 128;\n@%p3 bra $back;\n" +
            release + "add.u64 %rd6, %rd1, 128;\n" + acquire + init + expect("16") +
            "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
            "[tile+1024], [%rd6, {0, 1}], [bar];\n" +
            waitFor("0") +
            "ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [tile+1024];\n"
            "st.global.v4.u32 [%rd1], {%r5, %r6, %r7, %r8};\n";
    return code;
  };
  const std::string release = "fence.proxy.tensormap::generic.release.gpu;\n";
  const std::string acquire = "fence.proxy.tensormap::generic.acquire.gpu [%rd6], 128;\n";
  EXPECT_EQ(findingOf(replaced(release, acquire), mapOf(0)), "nothing");
  EXPECT_EQ(findingOf(replaced(release, ""), mapOf(0)).substr(0, 39),
            "proxy-fence: the tensor map at byte 128");
}

/// Fills 128 bytes of `tile` with a number, makes them a map of 4 words at out+384 by
/// tensormap.replace, and copies the map to out+128, whose address is in %rd6; ends with a release.
static std::string madeFrom(const std::string &number) {
  std::string code = "mov.u32 %r3, 0;\n$fill:\nmov.u32 %r4, tile;\nadd.u32 %r4, %r4, %r3;\n"
                     "st.shared.u32 [%r4], " +
                     number +
                     ";\nadd.u32 %r3, %r3, 4;\nsetp.lt.u32 %p3, %r3, 128;\n@%p3 bra $fill;\n"
                     "add.u64 %rd3, %rd1, 384;\nst.global.v4.u32 [%rd3], {11, 12, 13, 14};\n"
                     "fence.proxy.async.global;\n"
                     "tensormap.replace.tile.global_address.shared::cta.b1024.b64 [tile], %rd3;\n";
  for (const char *field :
       {"rank", "interleave_layout", "swizzle_mode", "swizzle_atomicity", "fill_mode"})
    code += "tensormap.replace.tile." + std::string(field) + ".shared::cta.b1024.b32 [tile], 0;\n";
  code += "tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [tile], 2;\n" // u32
          "tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [tile], 0, 4;\n"
          "tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [tile], 0, 4;\n"
          "tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [tile], 0, 1;\n"
          "mov.u32 %r3, 0;\n$copy:\nmov.u32 %r4, tile;\nadd.u32 %r4, %r4, %r3;\n"
          "ld.shared.b64 %rd5, [%r4];\ncvt.u64.u32 %rd3, %r3;\nadd.u64 %rd4, %rd1, %rd3;\n"
          "st.global.b64 [%rd4+128], %rd5;\nadd.u32 %r3, %r3, 8;\n"
          "setp.lt.u32 %p3, %r3, 128;\n@%p3 bra $copy;\n"
          "fence.proxy.tensormap::generic.release.gpu;\n";
  return code;
}

static const std::string acquireMap =
    "add.u64 %rd6, %rd1, 128;\nfence.proxy.tensormap::generic.acquire.gpu [%rd6], 128;\n";

/// Copies the 4 words of the map to out.
static std::string useMap() {
  return "add.u64 %rd6, %rd1, 128;\n" + init + expect("16") +
         "cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes "
         "[tile+1024], [%rd6, {0}], [bar];\n" +
         waitFor("0") +
         "ld.shared.v4.u32 {%r5, %r6, %r7, %r8}, [tile+1024];\n"
         "st.global.v4.u32 [%rd1], {%r5, %r6, %r7, %r8};\n";
}

TEST(TensorMaps, BuildFromZeros) {
  for (const Schedule &schedule : Schedules::all()) {
    MappedKernel kernel = tensorKernel(madeFrom("0") + acquireMap + useMap(), mapOf(0), schedule);
    kernel.run();
    EXPECT_EQ(kernel.firstFinding(), "nothing");
    Words words = Kernel::values<uint32_t>(*kernel.memory.find(globalBase));
    words.resize(4);
    EXPECT_EQ(words, (Words{11, 12, 13, 14}));
  }
  EXPECT_EQ(findingOf(madeFrom("1") + acquireMap + useMap(), mapOf(0)),
            "tensor-map: tensor map: the 128 bytes are none");
}

TEST(TensorMaps, AcquireOrdersLaterThreads) {
  // Thread 0 makes the map and acquires it, thread 32 uses it.
  const auto findingWith = [](const std::string &before, const std::string &between) {
    std::string found;
    for (const Schedule &schedule : Schedules::all()) {
      MappedKernel kernel = tensorKernel(
          "setp.ne.u32 %p4, %r1, 0;\n@%p4 bra $made;\n" + madeFrom("0") + before + "$made:\n" +
              between + "setp.ne.u32 %p4, %r1, 32;\n@%p4 bra $end;\n" + useMap() + "$end:\n",
          mapOf(0), schedule);
      kernel.launch.block = {64, 1, 1};
      kernel.run();
      const std::string now = kernel.firstFinding();
      EXPECT_TRUE(found.empty() || found == now) << found << "\n" << now;
      found = now;
    }
    return found.substr(0, 39);
  };
  const std::string barrier = "bar.sync 0;\n";
  EXPECT_EQ(findingWith(acquireMap, barrier), "nothing");
  EXPECT_EQ(findingWith("", barrier), "proxy-fence: the tensor map at byte 128");
  // An acquire of another map has no effect on this one,
  EXPECT_EQ(findingWith("add.u64 %rd6, %rd1, 256;\n"
                        "fence.proxy.tensormap::generic.acquire.gpu [%rd6], 128;\n",
                        barrier),
            "proxy-fence: the tensor map at byte 128");
  // nor has one of a null pointer, which warps without a map may execute.
  const std::string null =
      "mov.b64 %rd6, 0;\nfence.proxy.tensormap::generic.acquire.gpu [%rd6], 128;\n";
  EXPECT_EQ(findingWith(null + acquireMap, barrier), "nothing");
  EXPECT_EQ(findingWith(null, barrier), "proxy-fence: the tensor map at byte 128");
}

TEST(TensorMaps, WrittenByParallelCtas) {
  // Each CTA writes a map into its part of the memory, and uses it without a fence.
  const std::string code =
      "{\n.reg .b32 %c;\nmov.u32 %c, %ctaid.x;\nmad.wide.u32 %rd1, %c, 256, %rd1;\n}\n"
      "mov.u32 %r3, 0;\n$copy:\ncvt.u64.u32 %rd3, %r3;\nadd.u64 %rd4, %rd2, %rd3;\n"
      "ld.b64 %rd5, [%rd4];\nadd.u64 %rd4, %rd1, %rd3;\nst.global.b64 [%rd4+128], %rd5;\n"
      "add.u32 %r3, %r3, 8;\nsetp.lt.u32 %p3, %r3, 128;\n@%p3 bra $copy;\n"
      "add.u64 %rd6, %rd1, 128;\n" +
      init + expect("32") +
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
      "[tile], [%rd6, {0, 0}], [bar];\n" +
      waitFor("0");
  for (uint32_t ctas : {1, 2})
    EXPECT_EQ(findingOf(code, mapOf(0), ctas).substr(0, 39),
              "proxy-fence: the tensor map at byte 128");
}

/// Each lane writes 4 of the 128 bytes.
static std::string copiedMap(const std::string &between) {
  return header() +
         ".visible .entry k(.param .u64 out)\n{\n.reg .b64 %rd<4>;\n.reg .b32 %r<4>;\n"
         ".shared .align 128 .b8 map[128];\nld.param.u64 %rd1, [out];\n"
         "mov.u32 %r1, %laneid;\nmov.u32 %r2, map;\nmad.lo.u32 %r2, %r1, 4, %r2;\n"
         "st.shared.b32 [%r2], %r1;\n" +
         between +
         "mov.u64 %rd2, map;\n"
         "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync."
         "aligned [%rd1], [%rd2], 128;\nret;\n}\n";
}

TEST(TensorMaps, CopyReleases) {
  Kernel kernel(copiedMap("bar.warp.sync -1;\n"));
  Region &out = kernel.array(Words(32));
  kernel.launch.block = {32, 1, 1};
  EXPECT_TRUE(kernel.run().empty());
  Words lanes(32);
  for (uint32_t lane = 0; lane < 32; ++lane)
    lanes[lane] = lane;
  EXPECT_EQ(Kernel::values<uint32_t>(out), lanes);
}

TEST(TensorMaps, CopyWithoutWarpBarrierRaces) {
  for (const Schedule &schedule : Schedules::all()) {
    Kernel kernel(copiedMap(""));
    kernel.array(Words(32));
    kernel.launch.block = {32, 1, 1};
    kernel.schedule = schedule;
    kernel.run();
    EXPECT_EQ(kernel.firstFinding().substr(0, 4), "race");
  }
}
