// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// wgmma: products with all layouts of shared memory and with registers, and the rules for registers
// of a product.

#include "tilewright/ptx/async/WgmmaTesting.h"

using namespace tilewright;
using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

/// Multiplies, and compares each register with 1 + twice the sum of products.
static void check(const Form &form, const Layout &ofA, const Layout &ofB, bool isInRegisters,
                  int sign = 1) {
  Matrices matrices(form, ofA, ofB);
  Kernel kernel(kernelOf(form, descriptorOf(ofA, 0), descriptorOf(ofB, 16384), isInRegisters));
  ASSERT_EQ(kernel.refused, "");
  const unsigned registers = form.n / 2;
  Region &out = kernel.array(std::vector<uint32_t>(128 * registers));
  kernel.array(matrices.image);
  kernel.array(matrices.registers);
  kernel.launch.block = {128, 1, 1};
  EXPECT_TRUE(kernel.run().empty()) << kernel.findings.front().message;
  const auto words = Kernel::values<uint32_t>(out);
  unsigned wrong = 0;
  for (unsigned thread = 0; thread < 128; ++thread)
    for (unsigned i = 0; i < registers; ++i) {
      const unsigned row = thread / 32 * 16 + thread % 32 / 4 + (i / 2 % 2) * 8;
      const unsigned column = i / 4 * 8 + thread % 4 * 2 + i % 2;
      int sum = 0;
      for (unsigned k = 0; k < form.k; ++k)
        sum += matrices.a[row * form.k + k] * matrices.b[column * form.k + k];
      const uint32_t word = words[thread * registers + i];
      const int got = form.isFloat ? int(std::bit_cast<float>(word)) : int(word);
      wrong += got != 1 + 2 * sign * sum;
    }
  EXPECT_EQ(wrong, 0u) << form.types << ", n = " << form.n << ", mode " << ofA.mode << ", "
                       << ofB.mode;
}

static Form halves(unsigned n, const std::string &constants = ", 1, 1, 0, 0") {
  return {"f32.f16.f16", n, 16, 2, constants, half};
}

TEST(Wgmma, ReadsAllLayouts) {
  for (const Layout &layout : {blocks, wide(32, 3), wide(64, 2), wide(128, 1)}) {
    check(halves(8), layout, blocks, false);
    check(halves(64), blocks, layout, false);
    check({"f32.tf32.tf32", 16, 8, 4, ", 1, 1", single}, layout, layout, false);
    check({"s32.s8.s8", 32, 32, 1, "", byteOf, false}, layout, layout, false);
  }
  check({"f32.bf16.bf16", 128, 16, 2, ", 1, 1, 0, 0", brain}, wide(32, 3), blocks, false);
  check({"f32.e4m3.e4m3", 16, 32, 1, ", 1, 1", e4m3}, wide(64, 2), blocks, false);
  check({"f32.e5m2.e5m2", 16, 32, 1, ", 1, 1", e5m2}, blocks, wide(32, 3), false);
}

TEST(Wgmma, TransposesSixteenBitOperands) {
  for (const Layout &layout : {transposedBlocks, tall(32, 3), tall(64, 2), tall(128, 1)}) {
    check(halves(64, ", 1, 1, 1, 0"), layout, blocks, false);
    check(halves(64, ", 1, 1, 0, 1"), wide(128, 1), layout, false);
  }
}

TEST(Wgmma, ReadsAFromRegisters) {
  check(halves(16, ", 1, 1, 0"), blocks, blocks, true);
  check({"f32.tf32.tf32", 8, 8, 4, ", 1, 1", single}, blocks, blocks, true);
  check({"s32.s8.s8", 256, 32, 1, "", byteOf, false}, blocks, blocks, true);
  check(halves(16, ", -1, 1, 0"), blocks, blocks, true, -1);
  check(halves(16, ", 1, -1, 0, 0"), blocks, blocks, false, -1);
}

/// The first element of 1 + 64 * 128 + 64 * 128.
static float largeSumOf(const Form &form) {
  Kernel kernel(kernelOf(form, descriptorOf(blocks, 0), descriptorOf(blocks, 16384), false));
  EXPECT_EQ(kernel.refused, "");
  std::vector<uint32_t> image(8192);
  image[0] = form.encode(64);
  image[16384 / 4] = form.encode(128);
  Region &out = kernel.array(std::vector<uint32_t>(128 * form.n / 2));
  kernel.array(image);
  kernel.array(std::vector<uint32_t>(640));
  kernel.launch.block = {128, 1, 1};
  EXPECT_TRUE(kernel.run().empty()) << kernel.findings.front().message;
  return std::bit_cast<float>(Kernel::values<uint32_t>(out)[0]);
}

/// 8193 has 14 significant bits, 16385 has 15.
TEST(Wgmma, SumsOfFp8ProductsHaveFourteenBits) {
  EXPECT_EQ(largeSumOf({"f32.e4m3.e4m3", 8, 32, 1, ", 1, 1", e4m3}), 16384);
  EXPECT_EQ(largeSumOf({"f32.e5m2.e5m2", 8, 32, 1, ", 1, 1", e5m2}), 16384);
  EXPECT_EQ(largeSumOf(halves(8)), 16385);
}

/// The bank-conflict cycles of the two products, and the ideal.
static std::pair<uint64_t, uint64_t> cyclesOf(const Form &form, const Layout &ofA,
                                              const Layout &ofB) {
  Matrices matrices(form, ofA, ofB);
  Kernel kernel(kernelOf(form, descriptorOf(ofA, 0), descriptorOf(ofB, 16384), false));
  kernel.array(std::vector<uint32_t>(128 * form.n / 2));
  kernel.array(matrices.image);
  kernel.array(matrices.registers);
  kernel.launch.block = {128, 1, 1};
  kernel.isCounting = true;
  EXPECT_TRUE(kernel.run().empty());
  EXPECT_EQ(kernel.counters->products(),
            (std::map<Type, uint64_t>{{Type::F16, uint64_t(2) * 64 * form.n * 16}}));
  std::pair<uint64_t, uint64_t> cycles;
  const auto &body = kernel.module.functions.front().body;
  for (uint32_t number = 0; number < body.size(); ++number)
    if (spell(body[number]).starts_with("wgmma.mma_async")) {
      const Counts &counts = kernel.counters->of({0, number});
      cycles.first += counts.shared.units;
      cycles.second += counts.shared.idealUnits;
    }
  return cycles;
}

TEST(Wgmma, CountsBankCycles) {
  // Two products of 64 and 32 rows of 32 bytes: 2 * 3072 / 128 cycles without bank conflicts.
  const Form form = halves(32);
  for (const Layout &layout : {blocks, wide(32, 3), wide(64, 2), wide(128, 1)})
    EXPECT_EQ(cyclesOf(form, layout, layout), std::pair(uint64_t(48), uint64_t(48))) << layout.mode;
  EXPECT_EQ(cyclesOf(halves(32, ", 1, 1, 0, 1"), blocks, transposedBlocks),
            std::pair(uint64_t(48), uint64_t(48)));
}

//===-- Findings ----------------------------------------------------------------------------===//

static std::string findingOf(const std::string &product,
                             const std::string &fence = "fence.proxy.async;",
                             unsigned threads = 128) {
  const Form form = halves(8);
  Matrices matrices(form, blocks, blocks);
  std::string found;
  for (Order order : {Order::Up, Order::Down, Order::Random}) {
    Kernel kernel(kernelOf(form, descriptorOf(blocks, 0), descriptorOf(blocks, 16384), false, fence,
                           product));
    EXPECT_EQ(kernel.refused, "");
    kernel.array(std::vector<uint32_t>(512));
    kernel.array(matrices.image);
    kernel.array(matrices.registers);
    kernel.launch.block = {threads, 1, 1};
    kernel.schedule.order = order;
    kernel.run();
    const std::string now = kernel.firstFinding();
    EXPECT_TRUE(found.empty() || found == now) << found << "\n" << now;
    found = now;
  }
  return found;
}

static const std::string before = "wgmma.fence.sync.aligned;\n",
                         after =
                             "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";

TEST(Wgmma, RequiresFencesAndWait) {
  EXPECT_EQ(findingOf(before + "MULTIPLY" + after), "nothing");
  EXPECT_EQ(findingOf("MULTIPLY" + after),
            "wgmma: there is no wgmma.fence in front of the first wgmma.mma_async");
  EXPECT_EQ(findingOf(before + "add.f32 d1, d1, d1;\nMULTIPLY" + after),
            "wgmma: an accumulator was changed after the last wgmma.fence");
  EXPECT_EQ(findingOf(before + "MULTIPLYadd.f32 d1, d1, d1;\n" + after).substr(0, 50),
            "wgmma: a register of a wgmma is used that was not ");
  const std::string early = findingOf(before + "MULTIPLYwgmma.commit_group.sync.aligned;\n"
                                               "wgmma.wait_group.sync.aligned 1;\n");
  EXPECT_EQ(early.substr(early.rfind(':')), ": its group is still on its way");
  const std::string open = findingOf(before + "MULTIPLYwgmma.wait_group.sync.aligned 0;\n");
  EXPECT_EQ(open.substr(open.rfind(':')), ": its group is not committed");
  // After a wait, the registers may be used without another fence.
  EXPECT_EQ(findingOf(before + "MULTIPLY" + after + "MULTIPLY" + after), "nothing");
}

TEST(Wgmma, ReadsThroughTheAsyncProxy) {
  EXPECT_EQ(findingOf(before + "MULTIPLY" + after, "").substr(0, 45),
            "proxy-fence: read of shared variable 'tile' a");
  const std::string store = "st.shared.b32 [tile], 0;\n";
  EXPECT_EQ(findingOf(before + "MULTIPLYwgmma.commit_group.sync.aligned;\n" + store +
                      "wgmma.wait_group.sync.aligned 0;\n")
                .substr(0, 57),
            "race: race: write of shared variable 'tile' at byte 0, un");
}

TEST(Wgmma, RequiresWholeWarpgroup) {
  EXPECT_EQ(findingOf(before + "MULTIPLY" + after, "fence.proxy.async;", 96).substr(0, 42),
            "collective: all 128 threads of the warpgro");
  EXPECT_EQ(findingOf("add.u64 %rd5, %rd5, %rd4;\n" + before + "MULTIPLY" + after),
            "collective: a descriptor or predicate of a wgmma is not the same in all threads of "
            "the warpgroup");
  EXPECT_EQ(findingOf("or.b64 %rd5, %rd5, 0x2000000000000;\n" + before + "MULTIPLY" + after),
            "nothing"); // without a swizzle, a base offset means nothing
  EXPECT_EQ(findingOf("or.b64 %rd5, %rd5, 0x4002000000000000;\n" + before + "MULTIPLY" + after),
            "collective: the machine does not implement this (the kernel may be right): a matrix "
            "descriptor with a base offset");
}

TEST(Wgmma, RejectsUnsupportedForms) {
  EXPECT_NE(refusalOf("wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16 {%f0}, %rd1, %rd2, %p1, "
                      "1, 1, 0, 0;")
                .find("is not supported in this shape"),
            std::string::npos);
  EXPECT_NE(refusalOf("setmaxnreg.inc.sync.aligned.u32 25;").find("a multiple of 8"),
            std::string::npos);
}
