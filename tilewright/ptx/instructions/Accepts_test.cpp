// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which instructions are accepted? Used for comparisons with ptxas (test/ptx/forms.py).

#include "tilewright/ptx/Testing.h"

using namespace tilewright::ptx::testing;

/// The error message for one instruction after these declarations; empty if it is accepted.
static std::string judge(const std::string &declarations, const std::string &instruction) {
  return Kernel(".version 9.0\n.target sm_100a\n.address_size 64\n.visible .entry k()\n{\n" +
                declarations + "\n" + instruction + "\nret;\n}\n")
      .refused;
}

/// Forms that the manual forbids, although the machine could execute them.
TEST(Accepts, RejectsFormsNotInManual) {
  for (const char *code :
       {"mad.f32 %f1, %f2, %f3, %f4;", "fma.f32 %f1, %f2, %f3, %f4;", "fma.f16 %h1, %h2, %h3, %h4;",
        "fma.f32x2 %rd1, %rd2, %rd3, %rd4;", "fma.f32.f16 %f1, %h1, %h2, %f2;",
        "ex2.approx.ftz.f16 %h1, %h2;", "ex2.approx.bf16 %h1, %h2;",
        "tanh.approx.ftz.f32 %f1, %f2;", "setp.eq.ftz.s32 %p1, %r1, %r2;",
        "setp.eq.ftz.bf16 %p1, %h1, %h2;", "set.eq.ftz.u32.s32 %r1, %r2, %r3;",
        "slct.ftz.f32.s32 %f1, %f2, %f3, %r1;", "cvt.rn.f64.f32 %rd1, %f1;",
        "cvt.rn.f32.f32 %f1, %f2;", "cvt.rni.f32.f16 %f1, %h1;", "cvt.rp.tf32.f32 %r1, %f1;",
        "cvt.rn.ftz.tf32.f32 %r1, %f1;", "cvt.rna.relu.tf32.f32 %r1, %f1;",
        "cvt.rn.relu.bf16.f16 %h1, %h2;", "cvt.rn.sat.bf16.f32 %h1, %f1;",
        "cvt.rz.f16x2.e4m3x2 %r1, %h1;", "cvt.rn.satfinite.f16x2.e5m2x2 %r1, %h1;",
        "mov.f16 %h1, %h2;", "ld.global.f16 %h1, [%rd1];", "st.global.bf16 [%rd1], %h1;",
        "shl.u32 %r1, %r2, %r3;", "bfind.b32 %r1, %r2;",
        "red.acquire.gpu.global.add.u32 [%rd1], %r1;",
        // Memory orders and scopes.
        "mbarrier.arrive.release.b64 %rd1, [%rd2];", "mbarrier.arrive.cta.shared.b64 %rd1, [%r2];",
        "mbarrier.arrive.noComplete.relaxed.cta.b64 %rd1, [%rd2], %r1;",
        "mbarrier.arrive.expect_tx.noComplete.b64 %rd1, [%rd2], %r1;",
        "mbarrier.expect_tx.relaxed.b64 [%rd2], %r1;",
        "mbarrier.try_wait.acquire.b64 %p1, [%rd2], %rd1;",
        "mbarrier.test_wait.parity.cluster.b64 %p1, [%rd2], %r1;",
        "ld.volatile.local.b32 %r1, [%r2];", "ld.acquire.gpu.local.b32 %r1, [%r2];",
        "st.volatile.const.b32 [%rd1], %r1;", "st.const.b32 [%rd1], %r1;",
        "mbarrier.arrive.release.gpu.b64 %rd1, [%rd2];",
        "mbarrier.arrive_drop.relaxed.sys.b64 %rd1, [%rd2];",
        "mbarrier.try_wait.acquire.sys.b64 %p1, [%rd2], %rd1;",
        "mbarrier.test_wait.parity.relaxed.gpu.b64 %p1, [%rd2], %r1;",
        "mbarrier.expect_tx.relaxed.gpu.b64 [%rd2], %r1;",
        "mbarrier.arrive.noComplete.release.cta.shared::cluster.b64 _, [%r2], %r1;",
        "mbarrier.arrive_drop.noComplete.shared::cluster.b64 _, [%r2], %r1;",
        "ld.mmio.relaxed.gpu.global.b32 %r1, [%rd1];", "ld.mmio.relaxed.sys.shared.b32 %r1, [%r2];",
        "ld.mmio.acquire.sys.global.b32 %r1, [%rd1];", "st.mmio.relaxed.sys.shared.b32 [%r2], %r1;",
        "st.mmio.release.sys.global.b32 [%rd1], %r1;",
        "st.mmio.relaxed.sys.global.v2.b32 [%rd1], {%r1, %r2};",
        "fence.acquire.sync_restrict::shared::cta.cluster ;",
        "fence.release.sync_restrict::shared::cluster.cluster ;",
        "fence.acquire.sync_restrict::shared::cluster.gpu ;",
        "fence.acquire.sync_restrict::shared::cluster.cta ;",
        "fence.release.sync_restrict::shared::cta.sys ;",
        // Vectors of 32 bytes, and modifiers that only they have.
        "ld.shared.v4.b64 {%rd1, %rd2, %rd3, %rd4}, [%r1];",
        "ldu.global.v4.f64 {%rd1, %rd2, %rd3, %rd4}, [%rd5];",
        "ld.global.L2::evict_last.b32 %r1, [%rd1];", "ld.global.lu.nc.b32 %r1, [%rd1];",
        "st.global.cg.L1::no_allocate.b32 [%rd1], %r1;",
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b64 "
        "[%r1], {%rd1, %rd2, %rd3, %rd4}, [%r2];",
        // Comparisons that do not exist for the signedness of the type.
        "setp.lt.b32 %p1, %r1, %r2;", "setp.lo.s32 %p1, %r1, %r2;",
        "set.lo.u32.s64 %r1, %rd1, %rd2;", "set.eq.u16.u16 %h1, %h2, %h3;",
        "set.eq.f32.f16 %f1, %h2, %h3;", "setp.eq.and.f16 %p1|%p2, %h1, %h2, %p3;",
        "cvt.sat.s32.s16 %r1, %h1;", "cvt.sat.u32.u32 %r1, %r2;", "prefetch.const.L1 [%rd1];",
        "prefetch.shared.L1 [%r2];", "prefetch.shared::cluster.L2 [%r2];",
        "prefetch.local.L2::evict_last [%r2];", "prefetch.global.tensormap [%rd1];",
        "prefetchu.global.L1 [%rd1];", "prefetchu.tensormap [%rd1];",
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f16 [%rd1], "
        "[%r1], %r2;",
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.noftz.f16 "
        "[%rd1], [%r1], %r2;",
        "multimem.ld_reduce.add.s64 %rd1, [%rd2];", "multimem.ld_reduce.min.f32 %f1, [%rd2];",
        "multimem.ld_reduce.add.v2.u32 {%r1, %r2}, [%rd2];",
        "multimem.ld_reduce.add.acc::f16.f16x2 %r1, [%rd2];",
        "multimem.ld_reduce.min.acc::f32.f16x2 %r1, [%rd2];",
        "atom.global.add.f16 %h1, [%rd1], %h2;", "atom.global.add.noftz.u32 %r1, [%rd1], %r2;"}) {
    const std::string opcode = std::string(code).substr(0, std::string(code).find(' '));
    EXPECT_NE(refusalOf(code).find("'" + opcode + "'"), std::string::npos)
        << code << refusalOf(code);
  }
  // Similar forms that are allowed.
  for (const char *code :
       {"mad.rn.f32 %f1, %f2, %f3, %f4;",
        "fma.rz.f32x2 %rd1, %rd2, %rd3, %rd4;",
        "cvt.rni.f32.f32 %f1, %f2;",
        "cvt.rn.f32.bf16 %f1, %h1;",
        "cvt.rn.sat.f16.f32 %h1, %f1;",
        "cvt.rz.relu.tf32.f32 %r1, %f1;",
        "cvt.rn.bf16.f16 %h1, %h2;",
        "cvt.rn.relu.f16x2.e4m3x2 %r1, %h1;",
        "ex2.approx.ftz.bf16 %h1, %h2;",
        "ex2.approx.ftz.f32 %f1, %f2;",
        "tanh.approx.bf16 %h1, %h2;",
        "setp.eq.ftz.f16 %p1, %h1, %h2;",
        "slct.ftz.u32.f32 %r1, %r2, %r3, %f1;",
        "fence.gpu;",
        "fence.cluster;",
        "fence.acquire.sync_restrict::shared::cluster.cluster;",
        "fence.release.sync_restrict::shared::cta.cluster;",
        "mbarrier.arrive.relaxed.cta.b64 %rd1, [%rd2];",
        "mbarrier.arrive.noComplete.release.cta.b64 %rd1, [%rd2], %r1;",
        "mbarrier.try_wait.acquire.cluster.b64 %p1, [%rd2], %rd1;",
        "ld.global.L2::evict_last.v8.b32 {%r1, %r2, %r3, %r4, %r5, %r6, %r7, "
        "%r8}, [%rd1];",
        "mbarrier.arrive_drop.noComplete.release.cta.shared.b64 %rd1, [%r2], %r1;",
        "ld.mmio.relaxed.sys.global.b32 %r1, [%rd1];",
        "st.mmio.relaxed.sys.b32 [%rd1], %r1;",
        "prefetch.local.L2 [%r2];",
        "prefetch.L2::evict_last [%rd1];",
        "prefetch.param.tensormap [%rd1];",
        "prefetch.tensormap [%rd1];",
        "prefetchu.L1 [%rd1];",
        "setp.lt.u32 %p1, %r1, %r2;",
        "setp.eq.b32 %p1, %r1, %r2;",
        "setp.eq.and.f16 %p1, %h1, %h2, %p3;",
        "cvt.sat.u16.s32 %h1, %r1;",
        "cvt.sat.s32.u32 %r1, %r2;",
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 "
        "[%rd1], [%r1], %r2;",
        "multimem.ld_reduce.add.u64 %rd1, [%rd2];",
        "multimem.ld_reduce.add.acc::f16.v4.e4m3x4 {%r1, %r2, %r3, %r4}, [%rd2];",
        "shr.s32 %r1, %r2, %r3;",
        "bfind.s32 %r1, %r2;",
        "atom.acquire.gpu.global.add.noftz.f16 %h1, [%rd1], %h2;",
        "red.release.gpu.global.add.u32 [%rd1], %r1;",
        "st.global.b16 [%rd1], %h1;"})
    EXPECT_EQ(refusalOf(code), "") << code;
}

/// The first line of TILEWRIGHT_PTX_LINES has declarations, each further line an instruction; their
/// error messages are written to TILEWRIGHT_PTX_ANSWERS.
TEST(Accepts, Lines) {
  EXPECT_EQ(judge(".reg .b32 %r<3>;", "add.u32 %r0, %r1, %r2;"), "");
  EXPECT_NE(judge(".reg .b32 %r<3>;", "add.foo.u32 %r0, %r1, %r2;").find("modifier '.foo'"),
            std::string::npos);
  const char *lines = std::getenv("TILEWRIGHT_PTX_LINES");
  const char *answers = std::getenv("TILEWRIGHT_PTX_ANSWERS");
  if (!lines || !answers)
    return;
  std::ifstream in(lines);
  std::ofstream out(answers);
  std::string declarations, instruction;
  std::getline(in, declarations);
  while (std::getline(in, instruction))
    out << judge(declarations, instruction) << "\n";
}
