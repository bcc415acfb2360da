// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tcgen05.mma of all kinds with matrices in all layouts, and tcgen05.commit.

#include "tilewright/ptx/tcgen05/ProductTesting.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;
using namespace tilewright::ptx::testing::tensor;

TEST(TensorProduct, ReadsAllLayouts) {
  for (const Layout &layout : {rowsOnly, wide32, wide64, wide128, tall, tall32, tall64, tall128})
    for (const Layout &other : {rowsOnly, wide128, tall64}) {
      checkProduct(halves, 128, 64, layout, other);
      checkProduct(halves, 64, 32, other, layout);
    }
  checkProduct({"tf32", 8, 1, single, single}, 128, 32, coarse, coarse);
  checkProduct({"f8f6f4", 32, 1, e4m3, e5m2}, 128, 32, tall128, tall64);
  checkProduct({"i8", 32, 2, signedByte, signedByte}, 128, 32, tall32, tall);
}

TEST(TensorProduct, MultipliesAllTypes) {
  checkProduct({"f16", 16, 1, brain, brain}, 128, 16, wide128, wide128);
  checkProduct({"f16", 16, 0, half, half}, 128, 256, wide128, wide128);
  checkProduct({"tf32", 8, 1, single, single}, 128, 8, wide32, rowsOnly);
  for (const Element &a : {e4m3, e5m2, e2m3, e3m2, e2m1})
    for (const Element &b : {e4m3, e5m2, e2m3, e3m2, e2m1})
      checkProduct({"f8f6f4", 32, 1, a, b}, 128, 24, wide128, wide64);
  checkProduct({"f8f6f4", 32, 0, e2m1, e4m3}, 64, 8, wide128, wide64);
  for (const Element &a : {signedByte, unsignedByte})
    for (const Element &b : {signedByte, unsignedByte})
      checkProduct({"i8", 32, 2, a, b}, 128, 48, wide128, rowsOnly);
}

/// The lane's own row of a kernel whose products are `products`, after `before`.
static Words rowsOf(const std::string &before, const std::string &products, unsigned n,
                    uint32_t instruction, const std::string &name = "kind::f16") {
  const std::string code = init + allocation(256) + copyImage() + proxy + before + "bar.sync 0;\n" +
                           after +
                           descriptors(descriptorOf(half, wide128, 0, 128),
                                       descriptorOf(half, wide128, startOfB, n), instruction) +
                           products + commit + waiting + after + results(n) + release(256);
  return tensorResult(code, imageOf(halves, 128, n, wide128, wide128), 128 * n);
}

TEST(TensorProduct, ReadsTensorMemory) {
  // A holds its own image: row i, words of two halves in columns 128 and up.
  Words rows(128 * 8);
  for (unsigned row = 0; row < 128; ++row)
    for (unsigned column = 0; column < 16; ++column)
      rows[row * 8 + column / 2] |= half.codes[codeOf(row, column, 0)] << (16 * (column % 2));
  std::string before = "mov.u32 %r12, %r5;\n";
  for (unsigned column = 0; column < 8; ++column) {
    before += "mov.u32 %v" + std::to_string(column) + ", 0;\n";
    for (unsigned part = 0; part < 2; ++part) // codeOf(), for the row %r1
      before += "mul.lo.u32 %r13, %r1, " + std::to_string(7 + 3 * (2 * column + part)) +
                ";\nadd.u32 %r13, %r13, " + std::to_string(5 * (2 * column + part)) +
                ";\nbfe.u32 %r13, %r13, 1, 2;\nmov.u32 %r14, 0;\n"
                "setp.eq.u32 %p3, %r13, 1;\n@%p3 mov.u32 %r14, 0x3C00;\n"
                "setp.eq.u32 %p3, %r13, 2;\n@%p3 mov.u32 %r14, 0x4000;\n"
                "setp.eq.u32 %p3, %r13, 3;\n@%p3 mov.u32 %r14, 0xBC00;\n"
                "shl.b32 %r14, %r14, " +
                std::to_string(16 * part) + ";\nor.b32 %v" + std::to_string(column) + ", %v" +
                std::to_string(column) + ", %r14;\n";
  }
  before += "tcgen05.st.sync.aligned.32x32b.x8.b32 [%r5+128], " + registerList("%v", 8) +
            ";\ntcgen05.wait::st.sync.aligned;\ntcgen05.fence::before_thread_sync;\n";
  const uint32_t instruction = instructionOf(halves, 128, 32, wide128, wide128);
  const Words found = rowsOf(before, product("kind::f16", "[%r4+128]", "%p4"), 32, instruction);
  for (unsigned row = 0; row < 128; ++row)
    for (unsigned column = 0; column < 32; ++column)
      ASSERT_EQ(found[row * 32 + column], encoded(halves, exactAt(halves, row, column))) << row;
}

TEST(TensorProduct, NegatesAndScalesAndSkipsLanes) {
  const uint32_t instruction = instructionOf(halves, 128, 8, wide128, wide128);
  const std::string first = product("kind::f16", "%rd4", "%p4");
  const auto check = [&](const std::string &products, uint32_t bits, auto expected) {
    const Words found = rowsOf("", products, 8, bits);
    for (unsigned row = 0; row < 128; ++row)
      for (unsigned column = 0; column < 8; ++column)
        ASSERT_EQ(std::bit_cast<float>(found[row * 8 + column]),
                  expected(row, float(exactAt(halves, row, column))))
            << row << " " << column;
  };
  check(first, instruction | 1 << 13, [](unsigned, float sum) { return sum ? -sum : sum; });
  check(first, instruction | 3 << 13, [](unsigned, float sum) { return sum; });
  // D = A * B + D * 2^-3
  check(first + product("kind::f16", "%rd4", "%p2, 3"), instruction,
        [](unsigned, float sum) { return sum + sum / 8; });
  // The second product is not added in lanes 0, 33 and 96 to 127.
  check(first + "mov.u32 %r15, 1;\nmov.u32 %r16, 2;\nmov.u32 %r17, 0;\nmov.u32 %r18, -1;\n" +
            product("kind::f16", "%rd4", "{%r15, %r16, %r17, %r18}, %p2"),
        instruction,
        [](unsigned row, float sum) { return row == 0 || row == 33 || row >= 96 ? sum : 2 * sum; });
}

TEST(TensorProduct, SaturatesIntegers) {
  // 127 * 127 * 32 * 4200 > 2^31: with saturation it stays, without it wraps.
  const Types kind = {
      "i8", 32, 2, {"s8", 8, 1, {127, 127, 127, 127}}, {"s8", 8, 1, {127, 127, 127, 127}}};
  for (bool isSaturated : {false, true}) {
    const uint32_t instruction = instructionOf(kind, 64, 8, wide32, wide32) | uint32_t(isSaturated)
                                                                                  << 3;
    const std::string code =
        init + allocation(32) + copyImage() + proxy + "bar.sync 0;\n" +
        descriptors(descriptorOf(kind.a, wide32, 0, 64), descriptorOf(kind.b, wide32, startOfB, 8),
                    instruction) +
        "@!%p2 bra $wait;\nmov.u32 %r20, 0;\nmov.pred %p5, %p4;\n$more:\n"
        "tcgen05.mma.cta_group::1.kind::i8 [%r4], %rd4, %rd5, %r10, %p5;\n"
        "mov.pred %p5, %p2;\nadd.u32 %r20, %r20, 1;\nsetp.lt.u32 %p6, %r20, 4200;\n"
        "@%p6 bra $more;\n" +
        commit + waiting + after +
        "mov.u32 %r21, 0;\ntcgen05.ld.sync.aligned.32x32b.x1.b32 {%v0}, [%r5];\n"
        "tcgen05.wait::ld.sync.aligned;\n@%p2 st.global.b32 [%rd1], %v0;\n" +
        release(32);
    Kernel kernel(tensorText(code));
    ASSERT_EQ(kernel.refused, "");
    Region &out = kernel.array(Words(1));
    kernel.array(imageOf(kind, 64, 8, wide32, wide32));
    kernel.launch.block = {128, 1, 1};
    kernel.run();
    ASSERT_EQ(kernel.firstFinding(), "nothing");
    EXPECT_EQ(Kernel::values<uint32_t>(out)[0],
              isSaturated ? 0x7FFFFFFFu : uint32_t(127ll * 127 * 32 * 4200));
  }
}

TEST(TensorCommit, ArrivesInOtherCtas) {
  // Both CTAs of a cluster wait for the product of the first one.
  const std::string code =
      init + "fence.mbarrier_init.release.cluster;\n" + allocation(32) + copyImage() + proxy +
      "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\nmov.u32 %r20, "
      "%cluster_ctarank;\nsetp.eq.and.u32 %p5, %r20, 0, %p2;\nmov.b16 %h1, 3;\n" +
      descriptors(descriptorOf(half, wide128, 0, 128), descriptorOf(half, wide128, startOfB, 8),
                  instructionOf(halves, 128, 8, wide128, wide128)) +
      "@%p5 tcgen05.mma.cta_group::1.kind::f16 [%r4], %rd4, %rd5, %r10, %p4;\n"
      "@%p5 tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.multicast::cluster."
      "b64 [bar], %h1;\n" +
      waiting + after + "setp.eq.u32 %p6, %r20, 1;\n@%p6 bra $end;\n" + results(8) + "$end:\n" +
      release(32) + "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";
  for (const Schedule &schedule : Schedules::all()) {
    Kernel kernel(tensorText(code));
    ASSERT_EQ(kernel.refused, "");
    Region &out = kernel.array(Words(128 * 8));
    kernel.array(imageOf(halves, 128, 8, wide128, wide128));
    kernel.launch.block = {128, 1, 1};
    kernel.launch.grid = {2, 1, 1};
    kernel.launch.cluster = {2, 1, 1};
    kernel.schedule = schedule;
    kernel.run();
    ASSERT_EQ(kernel.firstFinding(), "nothing");
    EXPECT_EQ(Kernel::values<uint32_t>(out)[9], encoded(halves, exactAt(halves, 1, 1)));
  }
}
