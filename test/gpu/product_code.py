# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes products of f16 matrices for sm_90a as PTX, in the form that the compiler should choose the best of.

A producer warp copies operands by tensor maps into a ring of stages, or four warps do by cp.async; one or two warpgroups
multiply by wgmma. Form has what may vary. c (m x n, f32) = a (m x k) b (k x n), all row-major.
"""

from dataclasses import dataclass

from probe_code import MAP, module

DEPTH = 64  # elements along k of a stage: 128 bytes, the width of the swizzle
PANEL = 64  # columns of b in a box
COPY = "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"


@dataclass(frozen=True)
class Form:
    rows: int
    columns: int
    stages: int
    ctas: int = 1  # on an SM
    in_flight: int = 0  # groups of wgmma that run while the next ones are issued
    group: int = 8  # rows of tiles that consecutive CTAs compute together
    makes_maps: bool = False  # in the kernel, in the parameter `pool`; otherwise the launch passes them
    elects: bool = True  # the producer's thread is elected, or is thread 0 of its warp
    no_allocate: bool = False  # results do not stay in L1
    map_stores: bool = False  # results are stored by a tensor map, from shared memory
    thread_copies: bool = False  # four producer warps copy 16 bytes per thread at a time; maps are not used
    measures_clock: bool = False  # each CTA stores its cycles and nanoseconds
    same_tile: bool = False  # all CTAs read the same tiles: the rate without L2 misses

    @property
    def warpgroups(self) -> int:
        return max(1, self.rows * self.columns // (128 * 128))

    @property
    def consumers(self) -> int:
        return 128 * self.warpgroups

    @property
    def threads(self) -> int:
        return self.consumers + (128 if self.thread_copies else 32)

    @property
    def a_bytes(self) -> int:
        return self.rows * 2 * DEPTH

    @property
    def stage_bytes(self) -> int:
        return (self.rows + self.columns) * 2 * DEPTH

    @property
    def full(self) -> int:
        """The offset of the first mbarrier; those for empty stages follow."""
        return self.stages * self.stage_bytes

    @property
    def empty(self) -> int:
        return self.full + 8 * self.stages

    @property
    def maps(self) -> int:
        return -(-(self.empty + 8 * self.stages) // MAP) * MAP

    @property
    def shared_bytes(self) -> int:
        return self.maps + 2 * MAP

    @property
    def registers(self) -> int:
        """ptxas rounds threads up to warpgroups; this is the limit for the warps that there are."""
        return min(240, 65536 // (self.threads * self.ctas) // 8 * 8)

    @property
    def name(self) -> str:
        ways = [f"{self.ctas} CTAs"] * (self.ctas > 1) + ["1 in flight"] * (self.in_flight > 0)
        ways += [f"order {self.group}"] * (self.group != 8) + ["own maps"] * self.makes_maps
        ways += ["no_allocate"] * self.no_allocate + ["stores by map"] * self.map_stores
        ways += ["cp.async"] * self.thread_copies
        ways += ["thread 0"] * (not self.elects) + ["one tile"] * self.same_tile
        return f"{self.rows}x{self.columns}/{self.stages}" + "".join(f", {way}" for way in ways)


def code(form: Form) -> bytes:
    per_instruction = form.columns // 2
    blocks = form.rows // form.warpgroups // 64
    return module("8.3", "sm_90a", f"""
.visible .entry k(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 m, .param .u32 n, .param .u32 k,
  .param .u64 pool, .param .u64 clocks, .param .align 64 .b8 map_a[{MAP}], .param .align 64 .b8 map_b[{MAP}],
  .param .align 64 .b8 map_c[{MAP}])
.reqntid {form.threads}, 1, 1
.maxnreg {form.registers}
{{
  .reg .f32 %f<{blocks * per_instruction}>; .reg .b32 %r<64>; .reg .b64 %d<64>; .reg .pred %p<16>;
  .shared .align 1024 .b8 ring[{form.shared_bytes}];
{prologue(form)}
{producer_of_threads(form) if form.thread_copies else producer(form)}
$consumer:
{consumer(form, blocks, per_instruction)}
{stores_by_map(form, blocks, per_instruction) if form.map_stores else epilogue(form, blocks, per_instruction)}
{measured_clock() if form.measures_clock else ""}
$end:
  ret;
}}
""")


def prologue(form: Form) -> str:
    barriers = "\n".join(
        f"  mbarrier.init.shared.b64 [ring+{form.full + 8 * stage}], {128 if form.thread_copies else 1};\n"
        f"  mbarrier.init.shared.b64 [ring+{form.empty + 8 * stage}], {4 * form.warpgroups};"
        for stage in range(form.stages))
    return f"""  mov.u64 %d20, %clock64;
  mov.u64 %d23, %globaltimer;
  mov.u32 %r0, %tid.x;
  ld.param.u32 %r1, [m];
  ld.param.u32 %r2, [n];
  ld.param.u32 %r3, [k];
  mov.u32 %r6, ring;
  add.u32 %r7, %r3, {DEPTH - 1};
  shr.u32 %r7, %r7, 6;
  shr.u32 %r8, %r0, 5;
  shfl.sync.idx.b32 %r8, %r8, 0, 31, -1;
{tile_of_cta(form)}
  setp.ne.u32 %p0, %r0, {form.consumers};
  @%p0 bra $initialised;
{barriers}
  fence.mbarrier_init.release.cluster;
$initialised:
  bar.sync 0;
  setp.lt.u32 %p1, %r8, {form.consumers // 32};
  @%p1 bra $consumer;"""


def tile_of_cta(form: Form) -> str:
    """%r4, %r5: the row and column of the tile. CTAs run down `group` rows, then to the next column."""
    return f"""  add.u32 %r40, %r1, {form.rows - 1};
  div.u32 %r40, %r40, {form.rows};
  add.u32 %r41, %r2, {form.columns - 1};
  div.u32 %r41, %r41, {form.columns};
  mov.u32 %r42, %ctaid.x;
  mul.lo.u32 %r43, %r41, {form.group};
  div.u32 %r44, %r42, %r43;
  mul.lo.u32 %r45, %r44, {form.group};
  sub.u32 %r46, %r40, %r45;
  min.u32 %r46, %r46, {form.group};
  rem.u32 %r47, %r42, %r43;
  rem.u32 %r48, %r47, %r46;
  add.u32 %r4, %r45, %r48;
  div.u32 %r5, %r47, %r46;"""


def producer(form: Form) -> str:
    elected = ("  elect.sync _|%p2, -1;" if form.elects else
               "  and.b32 %r9, %r0, 31;\n  setp.eq.u32 %p2, %r9, 0;")
    row, column = ("0", "0") if form.same_tile else (f"%r4, {form.rows}", f"%r5, {form.columns}")
    start = (f"  mov.u32 %r13, {row};\n  mov.u32 %r14, {column};" if form.same_tile else
             f"  mul.lo.u32 %r13, {row};\n  mul.lo.u32 %r14, {column};")
    boxes = "\n".join(f"""  add.u32 %r19, %r17, {form.a_bytes + panel * 2 * DEPTH * PANEL};
  add.u32 %r20, %r14, {PANEL * panel};
  {COPY} [%r19], [%d1, {{%r20, %r18}}], [%r16];""" for panel in range(form.columns // PANEL))
    return f"""{made_maps() if form.makes_maps else given_maps()}
{elected}
  @!%p2 bra $end;
  mov.u32 %r10, 0;
  mov.u32 %r11, 0;
  mov.u32 %r12, 1;
{start}
  setp.eq.u32 %p3, %r7, 0;
  @%p3 bra $end;
$produce:
  mad.lo.u32 %r15, %r11, 8, %r6;
$is_empty:
  mbarrier.try_wait.parity.shared.b64 %p4, [%r15+{form.empty}], %r12;
  @!%p4 bra $is_empty;
  mbarrier.arrive.expect_tx.shared.b64 _, [%r15+{form.full}], {form.stage_bytes};
  add.u32 %r16, %r15, {form.full};
  mad.lo.u32 %r17, %r11, {form.stage_bytes}, %r6;
  shl.b32 %r18, %r10, 6;
  {COPY} [%r17], [%d0, {{%r18, %r13}}], [%r16];
{boxes}
{next_stage(form, "$produce")}
  bra.uni $end;""".replace("MAPS", str(form.maps)).replace("ROWS", str(form.rows))


def producer_of_threads(form: Form) -> str:
    """Thread t copies 16 bytes, those number t % 8, of rows t / 8 + 16 i of a and of each panel of b. %d32 and %d33 are their
    addresses in a stage, %d34 and %d35 the distances of 16 rows. Extents of rows are multiples of 16 bytes."""
    copy = """  setp.lt.and.u32 %p10, {row}, {rows}, {inside};
  selp.u32 %r21, 16, 0, %p10;
  cp.async.cg.shared.global [%r17+{to}], [{source}], 16, %r21;"""
    of_a = "\n".join(f"""  add.u32 %r20, %r52, {16 * number};
{copy.format(row="%r20", rows="%r1", inside="%p11", to=2048 * number, source="%d36")}
  add.u64 %d36, %d36, %d34;""" for number in range(form.rows // 16))
    of_b = "\n".join(f"""  add.u32 %r20, %r54, {PANEL * panel};
  setp.lt.u32 %p12, %r20, %r2;
  add.u64 %d36, %d33, {2 * PANEL * panel};
""" + "\n".join(f"""  add.u32 %r20, %r55, {16 * number};
{copy.format(row="%r20", rows="%r3", inside="%p12", to=form.a_bytes + panel * 2 * DEPTH * PANEL + 2048 * number, source="%d36")}
  add.u64 %d36, %d36, %d35;""" for number in range(DEPTH // 16)) for panel in range(form.columns // PANEL))
    return f"""  sub.u32 %r50, %r0, {form.consumers};
  and.b32 %r51, %r50, 7;
  shr.u32 %r50, %r50, 3;
  mul.lo.u32 %r13, {"0" if form.same_tile else "%r4"}, {form.rows};
  mul.lo.u32 %r14, {"0" if form.same_tile else "%r5"}, {form.columns};
  add.u32 %r52, %r13, %r50;
  shl.b32 %r53, %r51, 3;
  add.u32 %r54, %r14, %r53;
  ld.param.u64 %d32, [a];
  mul.wide.u32 %d34, %r52, %r3;
  cvt.u64.u32 %d35, %r53;
  add.u64 %d34, %d34, %d35;
  shl.b64 %d34, %d34, 1;
  add.u64 %d32, %d32, %d34;
  ld.param.u64 %d33, [b];
  mul.wide.u32 %d34, %r50, %r2;
  cvt.u64.u32 %d35, %r54;
  add.u64 %d34, %d34, %d35;
  shl.b64 %d34, %d34, 1;
  add.u64 %d33, %d33, %d34;
  mul.wide.u32 %d34, %r3, 32;
  mul.wide.u32 %d35, %r2, 32;
  mul.wide.u32 %d37, %r2, {2 * DEPTH};
  and.b32 %r56, %r50, 7;
  xor.b32 %r56, %r56, %r51;
  shl.b32 %r56, %r56, 4;
  mad.lo.u32 %r56, %r50, 128, %r56;
  add.u32 %r56, %r56, %r6;
  mov.u32 %r10, 0;
  mov.u32 %r11, 0;
  mov.u32 %r12, 1;
  setp.eq.u32 %p3, %r7, 0;
  @%p3 bra $end;
$produce:
  mad.lo.u32 %r15, %r11, 8, %r6;
$is_empty:
  mbarrier.try_wait.parity.shared.b64 %p4, [%r15+{form.empty}], %r12;
  @!%p4 bra $is_empty;
  mad.lo.u32 %r17, %r11, {form.stage_bytes}, %r56;
  mad.lo.u32 %r18, %r10, {DEPTH}, %r53;
  setp.lt.u32 %p11, %r18, %r3;
  mad.lo.u32 %r55, %r10, {DEPTH}, %r50;
  mov.u64 %d36, %d32;
{of_a}
{of_b}
  cp.async.mbarrier.arrive.noinc.shared.b64 [%r15+{form.full}];
  add.u64 %d32, %d32, {2 * DEPTH};
  add.u64 %d33, %d33, %d37;
{next_stage(form, "$produce")}
  cp.async.wait_all;
  bra.uni $end;"""


def next_stage(form: Form, loop: str) -> str:
    return f"""  add.u32 %r11, %r11, 1;
  setp.eq.u32 %p5, %r11, {form.stages};
  selp.u32 %r11, 0, %r11, %p5;
  @%p5 xor.b32 %r12, %r12, 1;
  add.u32 %r10, %r10, 1;
  setp.lt.u32 %p3, %r10, %r7;
  @%p3 bra {loop};"""


def given_maps() -> str:
    return """  mov.b64 %d0, map_a;
  mov.b64 %d1, map_b;
  cvta.param.u64 %d0, %d0;
  cvta.param.u64 %d1, %d1;"""


def made_maps() -> str:
    """The warp makes both maps in shared memory, and copies them to its part of the pool. Thread 0 stores how many cycles
    have passed since the kernel's start."""
    fields = "\n".join(fields_of(f"ring+{offset}", base, pitch, inner, outer, box) for offset, base, pitch, inner, outer, box in (
        ("MAPS", "%d12", "%d14", "%r3", "%r1", "ROWS"), ("MAPS+128", "%d13", "%d15", "%r2", "%r3", str(DEPTH))))
    return f"""  ld.param.u64 %d10, [pool];
  mov.u32 %r42, %ctaid.x;
  mad.wide.u32 %d0, %r42, {2 * MAP}, %d10;
  add.u64 %d1, %d0, {MAP};
  add.u32 %r50, %r6, MAPS;
  and.b32 %r51, %r0, 31;
  mad.lo.u32 %r52, %r51, 8, %r50;
  mov.b64 %d9, 0;
  st.shared.b64 [%r52], %d9;
  bar.warp.sync -1;
  setp.ne.u32 %p10, %r51, 0;
  @%p10 bra $made;
  ld.param.u64 %d12, [a];
  ld.param.u64 %d13, [b];
  mul.wide.u32 %d14, %r3, 2;
  mul.wide.u32 %d15, %r2, 2;
{fields}
$made:
  bar.warp.sync -1;
  cvt.u64.u32 %d16, %r50;
  cvta.shared.u64 %d16, %d16;
  add.u64 %d17, %d16, {MAP};
  tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%d0], [%d16], {MAP};
  tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%d1], [%d17], {MAP};
  fence.proxy.tensormap::generic.acquire.gpu [%d0], {MAP};
  fence.proxy.tensormap::generic.acquire.gpu [%d1], {MAP};
  @%p10 bra $timed;
  mov.u64 %d21, %clock64;
  sub.u64 %d21, %d21, %d20;
  ld.param.u64 %d22, [clocks];
  mad.wide.u32 %d22, %r42, 8, %d22;
  st.global.u64 [%d22], %d21;
$timed:
  bar.warp.sync -1;"""


def fields_of(at: str, base: str, pitch: str, inner: str, outer: str, box_rows: str) -> str:
    """A 2-D map of f16 (6) with boxes of 64 columns, swizzled by 128 bytes (3), zeros outside."""
    values = (("global_address", 64, base), ("rank", 32, "1"), ("box_dim", 32, "0, 64"), ("box_dim", 32, f"1, {box_rows}"),
              ("global_dim", 32, f"0, {inner}"), ("global_dim", 32, f"1, {outer}"), ("global_stride", 64, f"0, {pitch}"),
              ("element_stride", 32, "0, 1"), ("element_stride", 32, "1, 1"), ("elemtype", 32, "6"),
              ("interleave_layout", 32, "0"), ("swizzle_mode", 32, "3"), ("fill_mode", 32, "0"))
    return "\n".join(f"  tensormap.replace.tile.{field}.shared::cta.b1024.b{bits} [{at}], {value};" for field, bits, value in values)


def consumer(form: Form, blocks: int, per_instruction: int) -> str:
    """Descriptors: bits 32 to 45 are 1024 / 16 between groups of 8 rows, bit 62 is the 128-byte swizzle; for b, bits 16 to 29
    are the distance of panels."""
    zeros = "\n".join(f"  mov.f32 %f{number}, 0f00000000;" for number in range(blocks * per_instruction))
    products = "\n".join(instruction(form, step, block, per_instruction)
                         for step in range(DEPTH // 16) for block in range(blocks))
    arrive = "@%p7 mbarrier.arrive.shared.b64 _, [{}];"
    released = (f"""  and.pred %p9, %p7, %p8;
  mad.lo.u32 %r33, %r23, 8, %r6;
  @%p9 mbarrier.arrive.shared.b64 _, [%r33+{form.empty}];
  mov.u32 %r23, %r11;""" if form.in_flight else f"  {arrive.format(f'%r15+{form.empty}')}")
    return f"""  mov.u32 %r10, 0;
  mov.u32 %r11, 0;
  mov.u32 %r12, 0;
  mov.u32 %r23, 0;
  shr.u32 %r24, %r8, 2;
  and.b32 %r25, %r0, 31;
  setp.eq.u32 %p7, %r25, 0;
  shr.u32 %r26, %r6, 4;
  mad.lo.u32 %r27, %r24, {form.rows // form.warpgroups * 128 // 16}, %r26;
  add.u32 %r28, %r26, {form.a_bytes // 16};
  mov.b32 %r29, {1024 >> 4 | 1 << 30};
  mov.b32 %r30, {(2 * DEPTH * PANEL >> 4) << 16};
{zeros}
  setp.eq.u32 %p3, %r7, 0;
  @%p3 bra $summed;
$multiply:
  mad.lo.u32 %r15, %r11, 8, %r6;
$is_full:
  mbarrier.try_wait.parity.shared.b64 %p4, [%r15+{form.full}], %r12;
  @!%p4 bra $is_full;
{"  fence.proxy.async.shared::cta;" if form.thread_copies else ""}
  setp.ne.u32 %p8, %r10, 0;
  wgmma.fence.sync.aligned;
{products}
  wgmma.commit_group.sync.aligned;
  wgmma.wait_group.sync.aligned {form.in_flight};
{released}
{next_stage(form, "$multiply")}
  wgmma.wait_group.sync.aligned 0;
$summed:"""


def instruction(form: Form, step: int, block: int, per_instruction: int) -> str:
    registers = ", ".join(f"%f{block * per_instruction + number}" for number in range(per_instruction))
    return f"""  mad.lo.u32 %r31, %r11, {form.stage_bytes // 16}, %r27;
  add.u32 %r31, %r31, {(block * 64 * 128 + step * 32) // 16};
  mov.b64 %d2, {{%r31, %r29}};
  mad.lo.u32 %r32, %r11, {form.stage_bytes // 16}, %r28;
  add.u32 %r32, %r32, {step * 16 * 128 // 16};
  or.b32 %r32, %r32, %r30;
  mov.b64 %d3, {{%r32, %r29}};
  wgmma.mma_async.sync.aligned.m64n{form.columns}k16.f32.f16.f16 {{{registers}}}, %d2, %d3, {"%p8" if step == 0 else "1"}, 1, 1, 0, 1;"""


def measured_clock() -> str:
    return """  setp.ne.u32 %p14, %r0, 0;
  @%p14 bra $end;
  mov.u64 %d24, %clock64;
  mov.u64 %d25, %globaltimer;
  sub.u64 %d24, %d24, %d20;
  sub.u64 %d25, %d25, %d23;
  ld.param.u64 %d22, [clocks];
  mov.u32 %r42, %ctaid.x;
  mad.wide.u32 %d22, %r42, 16, %d22;
  st.global.v2.u64 [%d22], {%d24, %d25};"""


def row_of_thread(form: Form) -> str:
    """%r35: the first row of the tile that the thread has; %r36 is that among eight rows."""
    return f"""  and.b32 %r34, %r8, 3;
  shl.b32 %r35, %r34, 4;
  shr.u32 %r36, %r25, 2;
  add.u32 %r35, %r35, %r36;
  mad.lo.u32 %r35, %r24, {form.rows // form.warpgroups}, %r35;"""


def epilogue(form: Form, blocks: int, per_instruction: int) -> str:
    """Each thread stores pairs: of rows l / 4 and l / 4 + 8, at columns 2 (l % 4) + 8 j. n is even."""
    lines = [f"""  ld.param.u64 %d4, [c];
{row_of_thread(form)}
  mad.lo.u32 %r35, %r4, {form.rows}, %r35;
  and.b32 %r37, %r25, 3;
  shl.b32 %r37, %r37, 1;
  mad.lo.u32 %r37, %r5, {form.columns}, %r37;"""]
    for block in range(blocks):
        for half in range(2):
            lines.append(f"""  add.u32 %r38, %r35, {block * 64 + half * 8};
  setp.lt.u32 %p12, %r38, %r1;
  mul.wide.u32 %d6, %r38, %r2;
  cvt.u64.u32 %d7, %r37;
  add.u64 %d6, %d6, %d7;
  shl.b64 %d6, %d6, 2;
  add.u64 %d6, %d6, %d4;""")
            for unit in range(form.columns // 8):
                number = block * per_instruction + 4 * unit + 2 * half
                lines.append(f"""  add.u32 %r39, %r37, {8 * unit};
  setp.lt.and.u32 %p13, %r39, %r2, %p12;
  @%p13 st.global{".L1::no_allocate" * form.no_allocate}.v2.f32 [%d6+{32 * unit}], {{%f{number}, %f{number + 1}}};""")
    return "\n".join(lines)


def stores_by_map(form: Form, blocks: int, per_instruction: int) -> str:
    """The consumers write panels of 32 columns into the ring, whose stages have been read, swizzled by 128 bytes: writes have no
    bank conflicts. One thread stores them."""
    assert 4 * form.rows * form.columns <= form.full, "the result does not fit into the ring"
    panel_bytes = 128 * form.rows
    lines = [f"""  bar.sync 1, {form.consumers};
{row_of_thread(form)}
  mad.lo.u32 %r35, %r35, 128, %r6;
  and.b32 %r37, %r25, 1;
  mad.lo.u32 %r35, %r37, 8, %r35;
  shr.u32 %r38, %r25, 1;
  and.b32 %r38, %r38, 1;"""]
    for unit in range(4):
        lines.append(f"""  add.u32 %r39, %r38, {2 * unit};
  xor.b32 %r39, %r39, %r36;
  mad.lo.u32 %r{57 + unit}, %r39, 16, %r35;""")
    for block in range(blocks):
        for half in range(2):
            for unit in range(form.columns // 8):
                number = block * per_instruction + 4 * unit + 2 * half
                offset = unit // 4 * panel_bytes + (block * 64 + half * 8) * 128
                lines.append(f"  st.shared.v2.f32 [%r{57 + unit % 4}+{offset}], {{%f{number}, %f{number + 1}}};")
    boxes = "\n".join(f"""  add.u32 %r20, %r14, {32 * panel};
  add.u32 %r19, %r6, {panel * panel_bytes};
  cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%d0, {{%r20, %r13}}], [%r19];""" for panel in range(form.columns // 32))
    lines.append(f"""  fence.proxy.async.shared::cta;
  bar.sync 1, {form.consumers};
  setp.ne.u32 %p12, %r0, 0;
  @%p12 bra $stored;
  mov.b64 %d0, map_c;
  cvta.param.u64 %d0, %d0;
  mul.lo.u32 %r13, %r4, {form.rows};
  mul.lo.u32 %r14, %r5, {form.columns};
{boxes}
  cp.async.bulk.commit_group;
  cp.async.bulk.wait_group 0;
$stored:""")
    return "\n".join(lines)
