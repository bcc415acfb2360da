// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every type of the memory instructions, and instructions without visible effect. Values by hand.

#include "tilewright/ptx/Testing.h"

#include <bit>

using namespace tilewright::ptx;
using namespace tilewright::ptx::testing;

/// The contents of `to` after `code`, executed by this number of threads.
static std::vector<uint64_t> run(const std::string &code, uint32_t threads = 1) {
  Kernel kernel(header() +
                ".const .align 8 .b8 c[8] = {5, 0, 0, 0, 0, 0, 0, 0};\n"
                ".func nothing() { ret.uni; }\n"
                ".visible .entry k(.param .u64 out, .param .u64 in)\n{\n"
                ".reg .b64 to, from, %rd<9>;\n.reg .b32 %r<12>;\n.reg .b16 %h<5>;\n"
                ".reg .f32 %f<12>;\n.reg .f64 %fd<5>;\n.reg .pred %p<5>;\n"
                ".shared .align 32 .b8 s[64];\n.local .align 8 .b8 l[16];\n"
                "ld.param.u64 to, [out];\nld.param.u64 from, [in];\n" +
                code + "\nret;\n}\n");
  Region &out = kernel.array(std::vector<uint64_t>(4));
  kernel.array(std::vector<uint64_t>{1, 2, 3, 4});
  kernel.launch.block = {threads, 1, 1};
  EXPECT_TRUE(kernel.run().empty())
      << code << (kernel.findings.empty() ? "" : kernel.findings.front().message);
  return Kernel::values<uint64_t>(out);
}

using Words = std::vector<uint64_t>;

namespace {
struct Atomic {
  std::string form; ///< `add.u64`
  unsigned bits;
  uint64_t before, operand, after;
};
} // namespace

static uint64_t f64(double value) { return std::bit_cast<uint64_t>(value); }

TEST(MemoryForms, AtomicsOfEachType) {
  const uint64_t minus1 = ~0ull, low = 0xFFFFFFFF;
  const Atomic all[] = {
      {"and.b64", 64, 0xF0F0F0F0F0, 0xFF00FF00FF, 0xF000F000F0},
      {"or.b32", 32, 0xF0, 0x0F, 0xFF},
      {"or.b64", 64, 0xF000000000, 0x0F, 0xF00000000F},
      {"xor.b64", 64, minus1, 1, minus1 - 1},
      {"exch.b64", 64, 5, minus1, minus1},
      {"add.s32", 32, low, 3, 2},
      {"add.u64", 64, minus1, 3, 2},
      {"add.f64", 64, f64(1.5), f64(2), f64(3.5)},
      {"add.noftz.f16", 16, 0x3C00, 0x4000, 0x4200},
      {"add.noftz.f16x2", 32, 0x3C004000, 0x40004000, 0x42004400},
      {"add.noftz.bf16", 16, 0x3F80, 0x4000, 0x4040},
      {"add.noftz.bf16x2", 32, 0x3F804000, 0x40004000, 0x40404080},
      {"min.u32", 32, low, 3, 3},
      {"min.u64", 64, minus1, 3, 3},
      {"min.s64", 64, minus1, 3, minus1},
      {"max.s32", 32, low, 3, 3},
      {"max.u64", 64, minus1, 3, minus1},
      {"max.s64", 64, minus1, 3, 3},
  };
  for (const Atomic &row : all) {
    const std::string type = row.form == "add.f64" ? "f64" : "b" + std::to_string(row.bits);
    const std::string store = "st.global." + type, load = "ld.global." + type;
    EXPECT_EQ(evaluate(".reg ." + type + " old;\n" + store + " [from+8], a;\natom.global." +
                           row.form + " old, [from+8], b;\n" + load + " d, [from+8];",
                       type, {{type, row.before}, {type, row.operand}})
                  .d,
              row.after)
        << row.form;
    EXPECT_EQ(evaluate("atom.global." + row.form + " d, [from], b;", type,
                       {{type, row.before}, {type, row.operand}})
                  .d,
              row.before)
        << row.form;
  }
}

TEST(MemoryForms, CompareAndSwapOfEachType) {
  for (const std::string bits : {"16", "64"}) {
    const std::string type = "b" + bits;
    const std::string swap =
        "atom.global.cas." + type + " d, [from], b, 9;\nld.global." + type + " d, [from];";
    EXPECT_EQ(evaluate(swap, type, {{type, 5}, {type, 5}}).d, 9u);
    EXPECT_EQ(evaluate(swap, type, {{type, 5}, {type, 6}}).d, 5u);
  }
}

TEST(MemoryForms, AtomicVectors) {
  EXPECT_EQ(run("mov.f32 %f1, 1.0;\natom.global.v4.f32.add {%f2, %f3, %f4, %f5}, [to], {%f1, %f1, "
                "%f1, %f1};\nst.global.f32 [to+16], %f2;"),
            (Words{0x3F8000003F800000, 0x3F8000003F800000, 0, 0}));
}

TEST(MemoryForms, EachSpace) {
  EXPECT_EQ(run("mov.u32 %r1, 7;\nst.local.b32 [l], %r1;\nld.local.b32 %r2, [l];\n"
                "st.shared::cluster.b32 [s], %r2;\nld.shared::cluster.b32 %r3, [s];\n"
                "st.global.u8 [to], %r3;\nld.const.b32 %r4, [c];\nst.global.b32 [to+8], %r4;"),
            (Words{7, 5, 0, 0}));
  EXPECT_EQ(run("ld.global.v8.f32 {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}, [from];\n"
                "st.global.v8.f32 [to], {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8};"),
            (Words{1, 2, 3, 4}));
  EXPECT_EQ(run("ldu.global.f32 %f1, [from+8];\nst.global.f32 [to], %f1;\n"
                "ldu.global.v4.f32 {%f1, %f2, %f3, %f4}, [from+16];\n"
                "st.global.v4.f32 [to+16], {%f1, %f2, %f3, %f4};"),
            (Words{2, 0, 3, 4}));
}

TEST(MemoryForms, Windows) {
  // A generic address converts to its space and back; each address is in its space and in no other.
  const std::string storeResult =
      "selp.u32 %r1, 1, 0, %p1;\nselp.u32 %r2, 2, 0, %p2;\nor.b32 %r1, %r1, %r2;\n"
      "st.global.b32 [to], %r1;\n";
  EXPECT_EQ(run("mov.u64 %rd1, c;\ncvta.const.u64 %rd2, %rd1;\ncvta.to.const.u64 %rd3, %rd2;\n"
                "ld.const.b32 %r3, [%rd3];\nst.global.b32 [to+8], %r3;\n"
                "isspacep.const %p1, %rd2;\nisspacep.local %p2, %rd2;\n" +
                storeResult),
            (Words{1, 5, 0, 0}));
  EXPECT_EQ(run("mov.u64 %rd1, l;\ncvta.local.u64 %rd2, %rd1;\nisspacep.param %p1, %rd2;\n"
                "isspacep.local %p2, %rd2;\n" +
                storeResult),
            (Words{2, 0, 0, 0}));
  EXPECT_EQ(
      run("mov.u64 %rd1, in;\ncvta.param.u64 %rd2, %rd1;\ncvta.to.param.u64 %rd3, %rd2;\n"
          "ld.param.u64 %rd4, [%rd3];\nld.global.b64 %rd5, [%rd4+8];\nst.global.b64 [to+8], %rd5;\n"
          "isspacep.param %p1, %rd2;\nisspacep.const %p2, %rd2;\n" +
          storeResult),
      (Words{1, 2, 0, 0}));
  // The address of a parameter in its space has 32 bits, and is not a generic one.
  EXPECT_EQ(run("mov.b32 %r3, in;\ncvt.u64.u32 %rd2, %r3;\nisspacep.param %p2, %rd2;\n"
                "cvta.param.u64 %rd2, %rd2;\nisspacep.param::entry %p1, %rd2;\n"
                "ld.b64 %rd4, [%rd2];\nld.global.b64 %rd5, [%rd4+8];\nst.global.b64 [to+8], %rd5;\n"
                "ld.param.b64 %rd4, [%r3];\nld.global.b64 %rd5, [%rd4];\n"
                "st.global.b64 [to+16], %rd5;\n" +
                storeResult),
            (Words{1, 2, 1, 0}));
  EXPECT_EQ(run("mov.u64 %rd1, s;\ncvta.shared.u64 %rd2, %rd1;\ncvta.to.shared.u64 %rd3, %rd2;\n"
                "st.shared.b64 [%rd3], 6;\nld.b64 %rd4, [%rd2];\nst.global.b64 [to+8], %rd4;\n"
                "getctarank.u64 %r5, %rd2;\nst.global.b32 [to+16], %r5;"),
            (Words{0, 6, 0, 0}));
}

TEST(MemoryForms, FormsWithoutEffect) {
  EXPECT_EQ(run("griddepcontrol.wait;\ngriddepcontrol.launch_dependents;\nnanosleep.u32 20;\n"
                "brkpt;\npmevent 1;\npmevent.mask 3;\nmembar.cta;\nmembar.sys;\nfence.sc.gpu;\n"
                "fence.acq_rel.gpu;\ncp.async.bulk.prefetch.L2.global [from], 16;\n"
                "call nothing, ();\nst.global.b32 [to], 3;"),
            (Words{3, 0, 0, 0}));
}

TEST(MemoryForms, WarpsAndBarriers) {
  // Only lane 5 has a different number.
  const std::string begin = "mov.u32 %r1, %tid.x;\nsetp.eq.u32 %p1, %r1, 5;\n"
                            "setp.eq.u32 %p2, %r1, 0;\nmov.u64 %rd1, 1;\n@%p1 mov.u64 %rd1, 2;\n";
  EXPECT_EQ(run(begin + "match.all.sync.b64 %r2|%p3, %rd1, -1;\n@%p2 st.global.b32 [to], %r2;\n"
                        "mov.u64 %rd1, 8;\nmatch.all.sync.b64 %r2|%p3, %rd1, -1;\n"
                        "@%p2 st.global.b32 [to+8], %r2;",
                32),
            (Words{0, 0xFFFFFFFF, 0, 0}));
  EXPECT_EQ(run(begin + "sub.u32 %r3, %r1, 4;\nredux.sync.min.u32 %r4, %r3, -1;\n"
                        "redux.sync.max.s32 %r5, %r3, -1;\nor.b32 %r6, %r1, 64;\n"
                        "redux.sync.and.b32 %r7, %r6, -1;\n@%p2 st.global.b32 [to], %r4;\n"
                        "@%p2 st.global.b32 [to+8], %r5;\n@%p2 st.global.b32 [to+16], %r7;",
                32),
            (Words{0, 27, 64, 0}));
  EXPECT_EQ(run(begin + "bar.red.or.pred %p4, 0, %p1;\nselp.u32 %r2, 1, 0, %p4;\nbarrier.sync 1;\n"
                        "@%p2 st.global.b32 [to], %r2;",
                64),
            (Words{1, 0, 0, 0}));
}
