# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of small_probes.py as PTX text: clusters, sums of f8, empty CTAs, and the order of CTAs."""

from probe_code import module

THREADS = 128
PART = 128  # bytes that a CTA copies to both CTAs of its cluster
ROWS, COLUMNS, DEPTH = 64, 8, 128  # of one stage of the f8 product; DEPTH is 128 bytes
STAGE = (ROWS + COLUMNS) * DEPTH  # bytes


def multicast(mask: int = 3) -> bytes:
    """Each of the two CTAs of a cluster copies its part of the input to the CTAs in `mask`, and stores what it received."""
    return module("9.0", "sm_90", f"""
.visible .entry k(.param .u64 in, .param .u64 out)
.reqntid {THREADS}, 1, 1
.reqnctapercluster 2, 1, 1
.blocksareclusters
{{
  .reg .b32 %r<12>; .reg .b64 %d<8>; .reg .b16 %h<1>; .reg .pred %p<4>;
  .shared .align 128 .b8 parts[{2 * PART}];
  .shared .align 8 .b64 bar;
  ld.param.u64 %d0, [in];
  ld.param.u64 %d1, [out];
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, %clusterid.x;
  mov.u32 %r2, %cluster_ctarank;
  mad.lo.u32 %r3, %r1, 2, %r2;
  mov.u32 %r4, parts;
  mov.u32 %r5, bar;
  setp.ne.u32 %p0, %r0, 0;
  @%p0 bra $initialised;
  mbarrier.init.shared.b64 [%r5], 1;
  mbarrier.arrive.expect_tx.shared.b64 _, [%r5], {2 * PART};
  fence.mbarrier_init.release.cluster;
$initialised:
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
  @%p0 bra $wait;
  mad.wide.u32 %d2, %r3, {PART}, %d0;
  mad.lo.u32 %r6, %r2, {PART}, %r4;
  mov.b16 %h0, {mask};
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r6], [%d2], {PART}, [%r5], %h0;
$wait:
  mbarrier.try_wait.parity.shared.b64 %p1, [%r5], 0;
  @!%p1 bra $wait;
  setp.ge.u32 %p2, %r0, {2 * PART // 4};
  @%p2 bra $stored;
  mad.lo.u32 %r7, %r0, 4, %r4;
  ld.shared.u32 %r8, [%r7];
  mad.lo.u32 %r9, %r3, {2 * PART // 4}, %r0;
  mad.wide.u32 %d3, %r9, 4, %d1;
  st.global.u32 [%d3], %r8;
$stored:
  bar.sync 0;
  barrier.cluster.arrive.aligned;
  barrier.cluster.wait.aligned;
  ret;
}}
""")


def f8_sums(promotes: bool) -> bytes:
    """A 64 x 8 product of f8E4M3FN over `stages` stages. Accumulators stay in the tensor core, or are added to f32 after each
    stage."""
    accumulate = "0" if promotes else "%p2"
    added = ("\n".join(f"  add.rn.f32 %f{4 + number}, %f{4 + number}, %f{number};" for number in range(4)) if promotes else
             "\n".join(f"  mov.f32 %f{4 + number}, %f{number};" for number in range(4)))
    products = "\n".join(f"""  add.u64 %d6, %d4, {2 * step};
  add.u64 %d7, %d5, {2 * step};
  wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 {{%f0, %f1, %f2, %f3}}, %d6, %d7, {accumulate if step == 0 else "1"}, 1, 1;"""
                         for step in range(DEPTH // 32))
    zeros = "\n".join(f"  mov.f32 %f{number}, 0f00000000;" for number in range(8))
    stores = "\n".join(f"  st.global.f32 [%d8+{4 * number}], %f{4 + number};" for number in range(4))
    return module("8.0", "sm_90a", f"""
.visible .entry k(.param .u64 in, .param .u64 out, .param .u32 stages)
.reqntid {THREADS}, 1, 1
{{
  .reg .b32 %r<12>; .reg .b64 %d<10>; .reg .f32 %f<8>; .reg .pred %p<4>;
  .shared .align 1024 .b8 stage[{STAGE}];
  ld.param.u64 %d0, [in];
  ld.param.u64 %d1, [out];
  ld.param.u32 %r1, [stages];
  mov.u32 %r0, %tid.x;
  mov.u32 %r2, stage;
  mov.u32 %r3, 0;
  cvt.u64.u32 %d4, %r2;
  shr.u64 %d4, %d4, 4;
  add.u64 %d4, %d4, {(1024 >> 4) << 32 | 1 << 62};
  add.u64 %d5, %d4, {ROWS * DEPTH >> 4};
{zeros}
$next:
  shl.b32 %r4, %r0, 2;
$copy:
  mad.lo.u32 %r5, %r3, {STAGE}, %r4;
  cvt.u64.u32 %d2, %r5;
  add.u64 %d2, %d0, %d2;
  ld.global.u32 %r6, [%d2];
  add.u32 %r7, %r2, %r4;
  st.shared.u32 [%r7], %r6;
  add.u32 %r4, %r4, {4 * THREADS};
  setp.lt.u32 %p0, %r4, {STAGE};
  @%p0 bra $copy;
  fence.proxy.async.shared::cta;
  bar.sync 0;
  setp.ne.u32 %p2, %r3, 0;
  wgmma.fence.sync.aligned;
{products}
  wgmma.commit_group.sync.aligned;
  wgmma.wait_group.sync.aligned 0;
{added}
  bar.sync 0;
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p1, %r3, %r1;
  @%p1 bra $next;
  mad.wide.u32 %d8, %r0, 16, %d1;
{stores}
  ret;
}}
""")


def empty(shared: int) -> bytes:
    """Threads of a product with one producer warp, which end at once; `shared` bytes of shared memory."""
    return module("8.0", "sm_90a", f"""
.visible .entry k(.param .u32 never)
.reqntid 288, 1, 1
{{
  .reg .b32 %r<3>; .reg .pred %p<1>;
  .shared .align 16 .b8 much[{shared}];
  ld.param.u32 %r0, [never];
  setp.eq.u32 %p0, %r0, 0;
  @%p0 bra $end;
  mov.u32 %r1, much;
  st.volatile.shared.u32 [%r1], %r0;
$end:
  ret;
}}
""")


def order() -> bytes:
    """Each CTA stores its place in the order of starts, and its SM."""
    return module("8.0", "sm_80", """
.visible .entry k(.param .u64 out, .param .u64 counter)
.reqntid 32, 1, 1
{
  .reg .b32 %r<6>; .reg .b64 %d<4>; .reg .pred %p<1>;
  ld.param.u64 %d0, [out];
  ld.param.u64 %d1, [counter];
  mov.u32 %r0, %tid.x;
  setp.ne.u32 %p0, %r0, 0;
  @%p0 bra $end;
  atom.relaxed.gpu.global.add.u32 %r1, [%d1], 1;
  mov.u32 %r2, %smid;
  mov.u32 %r3, %ctaid.x;
  mad.wide.u32 %d2, %r3, 8, %d0;
  st.global.v2.u32 [%d2], {%r1, %r2};
$end:
  ret;
}
""")
