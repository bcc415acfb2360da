// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes in kernels with tcgen05.mma: order, descriptors, unsupported forms.

#include "tilewright/ptx/tcgen05/ProductTesting.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;
using namespace tilewright::ptx::testing::tensor;

namespace {
struct Steps {
  std::string initial = init, fence = proxy, barrier = "bar.sync 0;\n",
              products = product("kind::f16", "%rd4", "%p4"), committed = commit, waited = waiting,
              ordered = after, end = release(64);
  uint64_t a = descriptorOf(half, wide128, 0, 128), b = descriptorOf(half, wide128, startOfB, 64);
  uint32_t instruction = instructionOf(halves, 128, 64, wide128, wide128);
};
} // namespace

static std::string findingOf(const Steps &steps) {
  const std::string code = steps.initial + allocation(64) + copyImage() + steps.fence +
                           steps.barrier + descriptors(steps.a, steps.b, steps.instruction) +
                           steps.products + steps.committed + steps.waited + steps.ordered +
                           results(64) + steps.end;
  return tensorFinding(code, imageOf(halves, 128, 64, wide128, wide128));
}

static void expectFinding(const Steps &steps, const std::string &text, const std::string &at) {
  const std::string found = withoutNumbers(findingOf(steps));
  EXPECT_NE(found.find(withoutNumbers(text)), std::string::npos) << text << "; " << found;
  EXPECT_NE(found.find("@ " + withoutNumbers(at)), std::string::npos) << at << "; " << found;
}

TEST(TensorProduct, RequiresOrder) {
  EXPECT_EQ(findingOf({}), "nothing");
  expectFinding({.fence = ""}, "proxy-fence: read of shared variable 'tile'", "tcgen05.mma");
  // Kernels without fences are not held to them.
  EXPECT_EQ(findingOf({.ordered = ""}), "nothing");
  expectFinding({.ordered = "", .end = after + release(64)},
                "without a tcgen05.fence::after_thread_sync", "tcgen05.ld");
  expectFinding({.committed = ""}, "deadlock: no thread can go on", "mbarrier.try_wait");
  expectFinding({.committed = commit + "@%p2 st.shared.b32 [tile], 1;\n"},
                "race: race: write of shared variable 'tile'", "st.shared.b32");
  expectFinding({.waited = "bar.sync 0;\n", .end = waiting + release(64)},
                "may be incomplete: nothing waited for it with a tcgen05.commit to an mbarrier",
                "tcgen05.ld");
  // The commit tracks only what was issued before.
  expectFinding({.products = commit + product("kind::f16", "%rd4", "%p4"), .committed = ""},
                "may be incomplete", "tcgen05.ld");
  expectFinding({.initial = ""}, "mbarrier: there is no mbarrier at byte 0", "");
  // Adds to what was never written.
  expectFinding({.products = product("kind::f16", "%rd4", "%p2")}, "undefined-value",
                "st.global.b32");
}

TEST(TensorProduct, ChecksDescriptors) {
  const Steps right;
  expectFinding({.a = right.a & ~(uint64_t(7) << 46)}, "in bits 46 to 48, expected 1",
                "tcgen05.mma");
  expectFinding({.a = right.a | uint64_t(3) << 61}, "has swizzle 3, expected 0, 1, 2, 4 or 6",
                "tcgen05.mma");
  expectFinding({.b = right.b | uint64_t(1) << 53}, "reserved bits", "tcgen05.mma");
  expectFinding({.b = right.b | uint64_t(1) << 49}, "does not implement this", "tcgen05.mma");
  // A base offset shifts the pattern of a swizzle, so it means nothing without one.
  EXPECT_EQ(findingOf({.a = descriptorOf(half, rowsOnly, 0, 128) | uint64_t(4) << 49}), "nothing");
  expectFinding({.b = right.b + 3072}, "out-of-bounds", "tcgen05.mma");
  expectFinding({.instruction = right.instruction ^ 1 << 4 ^ 2 << 4}, "D format 2, expected 0 or 1",
                "tcgen05.mma");
  expectFinding({.instruction = right.instruction | 2 << 7}, "A format 2 and B format 0",
                "tcgen05.mma");
  expectFinding({.instruction = right.instruction ^ 8u << 24 ^ 2u << 24},
                "has M 32, expected 64 or 128", "tcgen05.mma");
  expectFinding({.instruction = right.instruction | 63 << 17}, "has N 504, expected a multiple",
                "tcgen05.mma");
  expectFinding({.instruction = right.instruction | 4}, "is sparse", "tcgen05.mma");
  expectFinding({.instruction = right.instruction | 16 << 17},
                "columns 0 to 191 of tensor memory are not inside of one allocation",
                "tcgen05.mma");
  expectFinding({.products = "add.u32 %r4, %r4, 0x100000;\n" + right.products},
                "D begins at lane 0 of tensor memory, and not at lane 16, column 0", "tcgen05.mma");
  // With 64 rows, D may begin at lane 0 or 16, and A begins where D does.
  const uint32_t half64 = right.instruction ^ 8u << 24 ^ 4u << 24;
  expectFinding(
      {.products = "add.u32 %r4, %r4, 0x80000;\n" + right.products, .instruction = half64},
      "D begins at lane 0 or 16 of tensor memory, and not at lane 8, column 0", "tcgen05.mma");
  expectFinding({.products = product("kind::f16", "[%r4+0x100020]", "%p4"), .instruction = half64},
                "A begins at lane 0 of tensor memory, as D does, and not at lane 16, column 32",
                "tcgen05.mma");
}

TEST(TensorProduct, RefusesByName) {
  for (const char *code :
       {"tcgen05.mma.cta_group::1.kind::f16.ashift [%r1], [%r2], %rd2, %r2, %p1;",
        "tcgen05.shift.down [%r1];", "tcgen05.shift.cta_group::1 [%r1];"})
    EXPECT_NE(refusalOf(code).find("is not supported"), std::string::npos) << refusalOf(code);
}
