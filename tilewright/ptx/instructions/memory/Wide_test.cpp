// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 128-bit registers, and accesses that are larger than a register: .b128, st.bulk, discard; and
// cache hints.

#include "tilewright/ptx/Testing.h"

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

/// A kernel with pointers `to` and `from`, and shared memory.
static std::string kernelOf(const std::string &code) {
  return header() +
         ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n"
         ".reg .b128 %q<5>;\n.reg .b64 to, from, %rd<9>;\n.reg .b32 %r<9>;\n"
         ".shared .align 16 .b8 s[64];\n"
         "ld.param.u64 to, [out];\nld.param.u64 from, [in];\n" +
         code + "\nret;\n}\n";
}

static std::vector<uint64_t> run(const std::string &code) {
  Kernel kernel(kernelOf(code));
  Region &out = kernel.array(std::vector<uint64_t>(4));
  kernel.array(std::vector<uint64_t>{1, 2, 3, 4});
  EXPECT_TRUE(kernel.run().empty())
      << (kernel.findings.empty() ? "" : kernel.findings.front().message);
  return Kernel::values<uint64_t>(out);
}

/// The check of the first finding.
static Check findingOf(const std::string &code) {
  Kernel kernel(kernelOf(code));
  kernel.array(std::vector<uint64_t>(32));
  kernel.array(std::vector<uint64_t>{1, 2, 3, 4});
  EXPECT_FALSE(kernel.run().empty()) << code;
  return kernel.findings.empty() ? Check::Trap : kernel.findings.front().check;
}

using Words = std::vector<uint64_t>;

TEST(Wide, Moves) {
  const std::vector<Input> two = {{"b64", 0x1111111122222222}, {"b64", 0x3333333344444444}};
  const std::string pack = ".reg .b128 %q, %t;\nmov.b128 %t, {a, b};\nmov.b128 %q, %t;\n";
  EXPECT_EQ(evaluate(pack + "mov.b128 {d, _}, %q;", "b64", two).d, 0x1111111122222222u);
  EXPECT_EQ(evaluate(pack + "mov.b128 {_, d}, %q;", "b64", two).d, 0x3333333344444444u);
  EXPECT_EQ(evaluate(pack + "mov.b128 {_, _, d, _}, %q;", "b32", two).d, 0x44444444u);
  EXPECT_EQ(evaluate(".reg .b128 %q;\nmov.b128 %q, {1, 2, a, 4};\nmov.b128 {_, d}, %q;", "b64",
                     {{"b32", 3}})
                .d,
            0x400000003u);
  EXPECT_NE(refusalOf(".reg .b128 %q;\nadd.u64 %rd1, %q, %rd2;").find("does not fit"),
            std::string::npos);
}

TEST(Wide, LoadsAndStores) {
  EXPECT_EQ(run("ld.global.b128 %q1, [from+16];\nst.global.b128 [to], %q1;\n"
                "ld.b128 %q1, [from];\nst.relaxed.gpu.global.b128 [to+16], %q1;"),
            (Words{3, 4, 1, 2}));
  EXPECT_EQ(run("ld.acquire.gpu.global.b128 %q1, [from];\nst.shared.b128 [s+16], %q1;\n"
                "ld.shared.b128 %q2, [s+16];\nst.release.gpu.global.b128 [to], %q2;\n"
                "ld.global.nc.b128 %q3, [from];\nst.b128 [to+16], %q3;"),
            (Words{1, 2, 1, 2}));
  EXPECT_EQ(findingOf("ld.global.b128 %q1, [from+8];"), Check::Misaligned);
  EXPECT_EQ(findingOf("ld.global.b128 %q1, [from+32];"), Check::OutOfBounds);
}

TEST(Wide, Atomics) {
  const std::string load = "ld.global.b128 %q1, [from];\nld.global.b128 %q2, [from+16];\n"
                           "st.global.b128 [to], %q1;\n";
  // (1, 2) is not (3, 4), so it stays.
  EXPECT_EQ(run(load + "atom.global.cas.b128 %q3, [to], %q2, %q2;\nst.global.b128 [to+16], %q3;"),
            (Words{1, 2, 1, 2}));
  EXPECT_EQ(run(load + "atom.acq_rel.gpu.global.cas.b128 %q3, [to], %q1, %q2;\n"
                       "st.global.b128 [to+16], %q3;"),
            (Words{3, 4, 1, 2}));
  EXPECT_EQ(run(load + "atom.exch.b128 %q3, [to], %q2;\nst.global.b128 [to+16], %q3;"),
            (Words{3, 4, 1, 2}));
  EXPECT_EQ(findingOf("ld.global.b128 %q1, [from];\natom.exch.b128 %q3, [to+8], %q1;"),
            Check::Misaligned);
}

TEST(Wide, BulkStoresZeros) {
  const std::string fill =
      "st.shared.b64 [s], 7;\nst.shared.b64 [s+8], 8;\nst.shared.b64 [s+16], 9;\n"
      "mov.b64 %rd1, s;\n";
  const std::string copy = "ld.shared.b64 %rd2, [s];\nst.global.b64 [to], %rd2;\n"
                           "ld.shared.b64 %rd2, [s+8];\nst.global.b64 [to+8], %rd2;\n"
                           "ld.shared.b64 %rd2, [s+16];\nst.global.b64 [to+16], %rd2;\n";
  EXPECT_EQ(run(fill + "st.bulk.weak.shared::cta [%rd1], 16, 0;\n" + copy), (Words{0, 0, 9, 0}));
  EXPECT_EQ(run(fill + "cvta.shared.u64 %rd3, %rd1;\nmov.u64 %rd4, 8;\nst.bulk [%rd3], %rd4, 0;\n" +
                copy),
            (Words{0, 8, 9, 0}));
  EXPECT_EQ(findingOf(fill + "st.bulk.shared::cta [%rd1], 12, 0;"), Check::Misaligned);
  EXPECT_EQ(findingOf(fill + "st.bulk.shared::cta [%rd1], 72, 0;"), Check::OutOfBounds);
  EXPECT_EQ(findingOf("st.bulk [to], 8, 0;"), Check::OutOfBounds);
  EXPECT_NE(refusalOf("st.bulk.shared::cta [%rd1], 8, 1;").find("zeros"), std::string::npos);
}

TEST(Wide, DiscardedBytesAreLost) {
  EXPECT_EQ(findingOf("st.global.b64 [to], 5;\ndiscard.global.L2 [to], 128;\n"
                      "ld.global.b64 %rd1, [to];\nst.global.b64 [to+128], %rd1;"),
            Check::Undefined);
  EXPECT_EQ(findingOf("add.u64 to, to, 8;\ndiscard.L2 [to], 128;"), Check::Misaligned);
  EXPECT_NE(refusalOf("discard.global.L2 [%rd1], 64;").find("128"), std::string::npos);
}

TEST(Wide, IgnoresCacheModifiers) {
  EXPECT_EQ(
      run("applypriority.global.L2::evict_normal [from], 128;\nprefetch.global.L2 [from];\n"
          "prefetchu.L1 [from];\n"
          "createpolicy.fractional.L2::evict_last.b64 %rd1, 0.5;\n"
          "createpolicy.range.global.L2::evict_last.L2::evict_first.b64 %rd1, [from], 64, 128;\n"
          "createpolicy.cvt.L2.b64 %rd2, %rd1;\n"
          "ld.global.L2::cache_hint.b64 %rd3, [from], %rd2;\nst.global.b64 [to], %rd3;"),
      (Words{1, 0, 0, 0}));
}

TEST(Wide, MemoryOfOneDevice) {
  // A reduction over one device yields the value in memory.
  EXPECT_EQ(run("multimem.ld_reduce.relaxed.sys.global.add.u32 %r1, [from];\n"
                "multimem.ld_reduce.weak.global.max.s64 %rd1, [from+8];\n"
                "multimem.ld_reduce.global.add.acc::f32.bf16x2 %r2, [from+16];\n"
                "multimem.st.relaxed.sys.global.u32 [to], %r1;\n"
                "multimem.red.relaxed.sys.global.add.u32 [to], %r2;\n"
                "multimem.st.global.u64 [to+8], %rd1;"),
            (Words{4, 2, 0, 0}));
  // Also of 8-bit floats, and with an f16 accumulator.
  EXPECT_EQ(run("multimem.ld_reduce.weak.global.add.acc::f16.v2.e4m3x4 {%r1, %r2}, [from];\n"
                "multimem.ld_reduce.weak.global.min.e5m2x4 %r3, [from+8];\n"
                "multimem.st.weak.global.v2.e4m3x4 [to], {%r1, %r2};\n"
                "multimem.st.weak.global.e5m2x4 [to+8], %r3;"),
            (Words{1, 2, 0, 0}));
  EXPECT_EQ(run(".reg .f32 %f<5>;\nmultimem.ld_reduce.weak.global.add.v4.f32 {%f1, %f2, %f3, %f4}, "
                "[from];\nmultimem.st.weak.global.v4.f32 [to], {%f1, %f2, %f3, %f4};\n"
                // 1 in f16 is 0x3C00.
                "mov.u32 %r1, 0x3C003C00;\nst.global.v2.b32 [to+16], {%r1, %r1};\n"
                "multimem.red.relaxed.gpu.global.add.v2.f16x2 [to+16], {%r1, %r1};"),
            (Words{1, 2, 0x4000400040004000, 0}));
}

TEST(Wide, ReservedSharedMemory) {
  // 1024 bytes that do not belong to a variable of the program.
  EXPECT_EQ(run("mov.u32 %r1, %reserved_smem_offset_1;\nmov.u32 %r2, %reserved_smem_offset_begin;\n"
                "mov.u32 %r3, %reserved_smem_offset_end;\nsub.u32 %r4, %r3, %r2;\n"
                "cvt.u64.u32 %rd1, %r4;\nst.global.b64 [to], %rd1;\n"
                "st.shared.b64 [%r1], 5;\nld.shared.b64 %rd2, [%r1];\nst.global.b64 [to+8], %rd2;\n"
                "mov.u32 %r5, %reserved_smem_offset_cap;\ncvt.u64.u32 %rd3, %r5;\n"
                "st.global.b64 [to+16], %rd3;"),
            (Words{1024, 5, 1024, 0}));
  EXPECT_EQ(findingOf("mov.u32 %r1, %reserved_smem_offset_end;\nst.shared.b32 [%r1], 5;"),
            Check::OutOfBounds);
}

TEST(Wide, VectorsOfSpecialRegisters) {
  Kernel kernel(
      kernelOf("mov.v4.u32 {%r1, %r2, %r3, %r4}, %ntid;\nst.global.v4.b32 [to], {%r1, %r2, "
               "%r3, %r4};\nmov.u32 %r5, %pm0;"));
  Region &out = kernel.array(std::vector<uint32_t>(4));
  kernel.array(std::vector<uint64_t>(1));
  kernel.launch.block = {1, 1, 1};
  EXPECT_TRUE(kernel.run().empty());
  EXPECT_EQ(Kernel::values<uint32_t>(out), (std::vector<uint32_t>{1, 1, 1, 0}));
}
