// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wgmma.mma_async.sp: all types, both selectors, A from shared memory and from registers, against
// the sum of products of the stored elements. Which lane has which metadata follows CuTe's layouts
// (mma_traits_sm90_gmma_sparse.hpp: ELayout_64x64, ELayout_64x32, ELayout_64x16).

#include "tilewright/ptx/async/WgmmaTesting.h"

using namespace tilewright;
using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

/// The position of a stored element in its run: one of a pair in runs of 4, or the only one of 2.
static unsigned chosen(const Form &form, unsigned row, unsigned stored) {
  static constexpr unsigned pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  if (form.bytes == 4)
    return (row + stored) % 2;
  return pairs[(row * 5 + stored / 2) % 6][stored % 2];
}

/// The column of the element stored at `stored`.
static unsigned columnOf(const Form &form, unsigned row, unsigned stored) {
  return (form.bytes == 4 ? stored * 2 : stored / 2 * 4) + chosen(form, row, stored);
}

/// `count` bits of metadata, for elements from column `column` of A on.
static uint32_t metadataAt(const Form &form, unsigned row, unsigned column, unsigned count) {
  uint32_t bits = 0;
  const unsigned perElement = form.bytes == 4 ? 4 : 2;
  for (unsigned at = 0; at < count / perElement; ++at) {
    const unsigned index = chosen(form, row, column / 2 + at);
    const uint32_t value = form.bytes == 4 ? (index ? 0b1110 : 0b0100) : index;
    bits |= value << (at * perElement);
  }
  return bits;
}

/// Stores metadata behind the registers of A. The bits of lanes that do not supply any are
/// unrelated.
static void putMetadata(const Form &form, std::vector<uint32_t> &registers) {
  for (unsigned thread = 0; thread < 128; ++thread) {
    const unsigned first = thread % 2, second = thread / 2 % 2;
    const unsigned row = thread / 4 % 8 + thread / 32 * 16;
    uint32_t &word = registers[512 + thread];
    if (form.bytes == 1) // one row, 32 columns
      word = metadataAt(form, row + 8 * first, 32 * second, 32);
    else if (second == *form.selector) // 16 or 8 columns of a row, and of the row 8 below
      word = metadataAt(form, row, form.k / 2 * first, 16) |
             metadataAt(form, row + 8, form.k / 2 * first, 16) << 16;
    else
      word = form.bytes == 4 ? 0x44444444 : 0x55555555;
  }
}

/// Rows of 64 bytes in four blocks side by side.
static const Layout wideBlocks = {[](unsigned row, unsigned column, unsigned bytes) {
                                    const unsigned byte = column * bytes;
                                    return row / 8 * 512 + byte / 16 * 128 + row % 8 * 16 +
                                           byte % 16;
                                  },
                                  128, 512, 0};

static void check(const Form &form, const Layout &ofA, const Layout &ofB, bool isInRegisters) {
  Matrices matrices(form, ofA, ofB);
  putMetadata(form, matrices.registers);
  Kernel kernel(kernelOf(form, descriptorOf(ofA, 0), descriptorOf(ofB, 16384), isInRegisters));
  ASSERT_EQ(kernel.refused, "");
  const unsigned registers = form.n / 2;
  Region &out = kernel.array(std::vector<uint32_t>(128 * registers));
  kernel.array(matrices.image);
  kernel.array(matrices.registers);
  kernel.launch.block = {128, 1, 1};
  EXPECT_TRUE(kernel.run().empty()) << kernel.findings.front().message;
  const auto words = Kernel::values<uint32_t>(out);
  const unsigned stored = form.columnsOfA();
  unsigned wrong = 0;
  for (unsigned thread = 0; thread < 128; ++thread)
    for (unsigned i = 0; i < registers; ++i) {
      const unsigned row = thread / 32 * 16 + thread % 32 / 4 + (i / 2 % 2) * 8;
      const unsigned column = i / 4 * 8 + thread % 4 * 2 + i % 2;
      int sum = 0;
      for (unsigned at = 0; at < stored; ++at)
        sum +=
            matrices.a[row * stored + at] * matrices.b[column * form.k + columnOf(form, row, at)];
      const uint32_t word = words[thread * registers + i];
      const int got = form.isFloat ? int(std::bit_cast<float>(word)) : int(word);
      wrong += got != 1 + 2 * sum;
    }
  EXPECT_EQ(wrong, 0u) << form.types << ", n = " << form.n << ", selector " << *form.selector;
}

TEST(WgmmaSparse, Of16And32Bits) {
  for (unsigned selector : {0u, 1u}) {
    const Form f16{"f32.f16.f16", 8, 32, 2, ", 1, 1, 0, 0", half, true, selector};
    check(f16, blocks, wideBlocks, false);
    check(f16, wide(32, 3), wide(64, 2), false);
    check({"f32.bf16.bf16", 64, 32, 2, ", 1, 1, 0", brain, true, selector}, blocks, wide(128, 1),
          true);
    check({"f32.tf32.tf32", 16, 16, 4, ", 1, 1", single, true, selector}, wide(64, 2), wideBlocks,
          false);
    check({"f32.tf32.tf32", 8, 16, 4, ", 1, 1", single, true, selector}, blocks, wide(64, 2), true);
  }
}

TEST(WgmmaSparse, Of8Bits) {
  for (bool isInRegisters : {false, true}) {
    check({"f32.e4m3.e4m3", 16, 64, 1, ", 1, 1", e4m3, true, 0}, blocks, wide(64, 2),
          isInRegisters);
    check({"f32.e5m2.e5m2", 8, 64, 1, ", 1, 1", e5m2, true, 0}, wide(128, 1), wideBlocks,
          isInRegisters);
    check({"s32.s8.s8", 24, 64, 1, "", byteOf, false, 0}, blocks, wideBlocks, isInRegisters);
  }
  // For unsigned elements, 8 is added to make all numbers positive.
  const auto positive = [](int value) { return uint32_t(value + 8); };
  const Form form{"s32.u8.u8", 8, 64, 1, "", positive, false, 0};
  Matrices matrices(form, blocks, wideBlocks);
  putMetadata(form, matrices.registers);
  Kernel kernel(kernelOf(form, descriptorOf(blocks, 0), descriptorOf(wideBlocks, 16384), false));
  ASSERT_EQ(kernel.refused, "");
  Region &out = kernel.array(std::vector<uint32_t>(128 * 4));
  kernel.array(matrices.image);
  kernel.array(matrices.registers);
  kernel.launch.block = {128, 1, 1};
  EXPECT_TRUE(kernel.run().empty());
  uint32_t sum = 0;
  for (unsigned at = 0; at < 32; ++at)
    sum += positive(matrices.a[at]) * positive(matrices.b[columnOf(form, 0, at)]);
  EXPECT_EQ(Kernel::values<uint32_t>(out)[0], 1 + 2 * sum);
}

TEST(WgmmaSparse, ReportsUndefinedMetadata) {
  const Form form{"f32.tf32.tf32", 8, 16, 4, ", 1, 1", single, true, 0};
  Matrices matrices(form, blocks, wideBlocks);
  putMetadata(form, matrices.registers);
  matrices.registers[512] = 0; // for tf32, 0b0000 is invalid
  Kernel kernel(kernelOf(form, descriptorOf(blocks, 0), descriptorOf(wideBlocks, 16384), false));
  kernel.array(std::vector<uint32_t>(128 * 4));
  kernel.array(matrices.image);
  kernel.array(matrices.registers);
  kernel.launch.block = {128, 1, 1};
  kernel.run();
  EXPECT_EQ(kernel.firstFinding(),
            "undefined-value: a value that is not defined is written to parameter 0");
}

TEST(WgmmaSparse, RowsWiderThanTheSwizzle) {
  const Form form{"f32.tf32.tf32", 8, 16, 4, ", 1, 1", single, true, 0};
  const Layout narrow = wide(32, 3);
  Kernel kernel(kernelOf(form, descriptorOf(blocks, 0), descriptorOf(narrow, 16384), false));
  kernel.array(std::vector<uint32_t>(128 * 4));
  kernel.array(std::vector<uint32_t>(8192));
  kernel.array(std::vector<uint32_t>(640));
  kernel.launch.block = {128, 1, 1};
  kernel.run();
  EXPECT_EQ(kernel.firstFinding(),
            "collective: the machine does not implement this (the kernel may be right): a matrix "
            "with rows of 64 bytes and a swizzle of 32");
}

TEST(WgmmaSparse, RejectsUnsupportedForms) {
  const std::string name = "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 ";
  const std::string matrices = "{%f0, %f1, %f2, %f3}, %rd1, %rd2, ";
  EXPECT_EQ(refusalOf(name + matrices + "%r1, 1, %p1, 1, 1, 0, 0;"), "");
  EXPECT_NE(refusalOf(name + matrices + "%r1, 2, %p1, 1, 1, 0, 0;")
                .find("the sparsity selector is 2, expected less than 2"),
            std::string::npos);
  EXPECT_NE(refusalOf(name + matrices + "%p1, 1, 1, 0, 0;"), "");
  EXPECT_NE(refusalOf("wgmma.mma_async.sp.sync.aligned.m64n8k16.f32.f16.f16 " + matrices +
                      "%r1, 0, %p1, 1, 1, 0, 0;")
                .find("is not supported in this shape"),
            std::string::npos);
  EXPECT_NE(refusalOf("wgmma.mma_async.sp.sync.aligned.m64n8k64.f32.e4m3.e4m3 " + matrices +
                      "%r1, 1, %p1, 1, 1;")
                .find("expected less than 1"),
            std::string::npos);
}
