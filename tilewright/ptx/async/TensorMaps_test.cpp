// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor maps: their fields, where they may be, and how kernels make and publish them.

#include "tilewright/ptx/async/CopiesTesting.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

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
