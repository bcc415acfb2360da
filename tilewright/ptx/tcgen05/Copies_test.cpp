// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tcgen05.cp: where bytes of shared memory go in tensor memory, in each shape, and its rules.

#include "tilewright/ptx/tcgen05/ProductTesting.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;
using namespace tilewright::ptx::testing::tensor;

namespace {
/// A shape, and the source row of a lane; none if the copy does not write the lane.
struct Shape {
  const char *name;
  unsigned bytes;
  int (*rowOf)(unsigned lane);
};
} // namespace

static const Shape shapes[] = {
    {"128x256b", 32, [](unsigned lane) { return int(lane); }},
    {"4x256b", 32, [](unsigned lane) { return lane % 32 ? -1 : int(lane / 32); }},
    {"128x128b", 16, [](unsigned lane) { return int(lane); }},
    // Warps 0 and 2 get the first half of the rows, or warps 0 and 1.
    {"64x128b.warpx2::02_13", 16, [](unsigned lane) { return int(lane % 64); }},
    {"64x128b.warpx2::01_23", 16, [](unsigned lane) { return int(lane / 64 * 32 + lane % 32); }},
    {"32x128b.warpx4", 16, [](unsigned lane) { return int(lane % 32); }}};

/// Blocks of 8 rows of 16 bytes; the next 16 bytes of the rows are 2048 bytes behind.
static constexpr uint64_t matrix = uint64_t(128) << 16 | uint64_t(8) << 32 | uint64_t(1) << 46;

static std::string kernelOf(const std::string &copies) {
  std::string zeros = "mov.u32 %v0, 0;\n";
  for (unsigned column = 0; column < 16; ++column)
    zeros += "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r5+" + std::to_string(column) + "], {%v0};\n";
  return init + allocation(32) + zeros +
         "tcgen05.wait::st.sync.aligned;\ntcgen05.fence::before_thread_sync;\n" + copyImage() +
         proxy + "bar.sync 0;\n" + after + descriptors(matrix, 0, 0) + copies + commit + waiting +
         after + results(16) + release(32);
}

static std::string copyOf(const std::string &shape, const std::string &address = "%r4+8") {
  return "@%p2 tcgen05.cp.cta_group::1." + shape + " [" + address + "], %rd4;\n";
}

/// Word `word` of row `row` of the source, which holds its own number.
static unsigned sourceOf(unsigned row, unsigned word) {
  return word / 4 * 512 + row * 4 + word % 4;
}

TEST(TensorCopies, CopiesAllShapes) {
  Words image(12288);
  for (size_t at = 0; at < image.size(); ++at)
    image[at] = uint32_t(at);
  for (const Shape &shape : shapes) {
    const Words found = tensorResult(kernelOf(copyOf(shape.name)), image, 128 * 16);
    for (unsigned lane = 0; lane < 128; ++lane)
      for (unsigned column = 0; column < 16; ++column) {
        const int row = shape.rowOf(lane);
        const bool isWritten = row >= 0 && column >= 8 && column < 8 + shape.bytes / 4;
        ASSERT_EQ(found[lane * 16 + column], isWritten ? sourceOf(unsigned(row), column - 8) : 0)
            << shape.name << " lane " << lane << " column " << column;
      }
  }
  // The last lanes of the quarters, as after a shift.
  const Words found = tensorResult(kernelOf(copyOf("4x256b", "%r4+0x1F0000")), image, 128 * 16);
  for (unsigned lane = 0; lane < 128; ++lane)
    for (unsigned column = 0; column < 16; ++column)
      ASSERT_EQ(found[lane * 16 + column],
                lane % 32 == 31 && column < 8 ? sourceOf(lane / 32, column) : 0)
          << lane << " " << column;
}

TEST(TensorCopies, ExpandsSixBits) {
  // Element i of a row of 16 bytes has the bits 6 i and up; the last 4 bytes are padding.
  const auto elementOf = [](size_t block, unsigned i) { return (block * 7 + i * 11 + 5) % 64; };
  Words image(12288, 0xFFFFFFFF);
  for (size_t block = 0; block < image.size() / 4; ++block) {
    for (unsigned word = 0; word < 3; ++word)
      image[block * 4 + word] = 0;
    for (unsigned bit = 0; bit < 96; ++bit)
      image[block * 4 + bit / 32] |= uint32_t(elementOf(block, bit / 6) >> bit % 6 & 1) << bit % 32;
  }
  for (const Shape &shape : shapes) {
    const Words found = tensorResult(kernelOf(copyOf(std::string(shape.name) + ".b8x16.b6x16_p32")),
                                     image, 128 * 16);
    for (unsigned lane = 0; lane < 128; ++lane)
      for (unsigned byte = 0; byte < shape.bytes; ++byte) {
        const int row = shape.rowOf(lane);
        const size_t block = sourceOf(unsigned(row), byte / 16 * 4) / 4;
        ASSERT_EQ(found[lane * 16 + 8 + byte / 4] >> byte % 4 * 8 & 0xFF,
                  row < 0 ? 0 : elementOf(block, byte % 16))
            << shape.name << " lane " << lane << " byte " << byte;
      }
  }
}

TEST(TensorCopies, KeepsUndefinedBytes) {
  // Only the first 8 rows are written: 5 of the 6-bit elements of a row need bytes 8 to 11.
  const std::string store = "mov.u32 %r7, tile;\nshl.b32 %r6, %r1, 4;\nadd.u32 %r7, %r7, %r6;\n"
                            "st.shared.b64 [%r7], 0;\n",
                    begin = init + allocation(32) + store + proxy + "bar.sync 0;\n" +
                            descriptors(matrix, 0, 0) + copyOf("128x128b.b8x16.b6x16_p32", "%r4") +
                            commit + waiting + after +
                            "tcgen05.ld.sync.aligned.32x32b.x4.b32 {%v0, %v1, %v2, %v3}, [%r5];\n"
                            "tcgen05.wait::ld.sync.aligned;\n";
  const auto found = [&](const std::string &use) {
    return tensorFinding(begin + "mul.wide.u32 %rd3, %r1, 4;\nadd.u64 %rd3, %rd3, %rd1;\n" + use +
                         release(32))
        .substr(0, 15);
  };
  // Elements 0 to 9 are in 60 bits; the 11th begins in the last 4 of 64.
  EXPECT_EQ(found("st.global.b32 [%rd3], %v1;\n"), "nothing");
  EXPECT_EQ(found("st.global.b32 [%rd3], %v2;\n"), "undefined-value");
}

TEST(TensorCopies, ChecksLanes) {
  const auto found = [](const std::string &copy) {
    return tensorFinding(kernelOf(copy), Words(12288));
  };
  const std::string start = "tensor-memory: a copy of this shape to tensor memory begins at lane 0";
  EXPECT_EQ(found(copyOf("128x256b", "%r4+0x200000")),
            start + ", and not at lane 32, column 0 @ tcgen05.cp.cta_group::1.128x256b");
  EXPECT_EQ(found(copyOf("64x128b.warpx2::01_23", "%r4+0x100001")),
            start + ", and not at lane 16, column 1 @ tcgen05.cp.cta_group::1.64x128b.warpx2::"
                    "01_23");
  EXPECT_EQ(found(copyOf("4x256b", "%r4+0x200000")),
            start + " to 31, and not at lane 32, column 0 @ tcgen05.cp.cta_group::1.4x256b");
  EXPECT_NE(found(copyOf("4x256b", "%r4+25")).find("not inside of one allocation"),
            std::string::npos);
}

TEST(TensorCopies, RefusesByName) {
  for (const char *modifiers : {"64x128b", "64x128b.warpx4", "32x128b", "128x256b.warpx4",
                                "4x256b.b8x16", "4x256b.b6x16_p32", "128x128b.b8x16.b4x16_p64"}) {
    const std::string code = std::string("tcgen05.cp.cta_group::1.") + modifiers + " [%r1], %rd1;";
    EXPECT_NE(refusalOf(code).find("not supported"), std::string::npos)
        << code << " " << refusalOf(code);
  }
}
