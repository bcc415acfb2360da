# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products with tcgen05, written as PTX: one warp copies by tensor maps, one thread multiplies, and four warps store
the accumulators. Each computes what NumPy computes, with every schedule, and without findings. Mistakes that are
planted in it are found at the right line.

    tensor_memory.py --tilewright build/bin/tilewright [--ptxas ptxas]
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import kernels

ROWS, DEPTH = 128, 64
SCHEDULES = (["--schedule", "up"], ["--schedule", "down"], ["--schedule", "random", "--seed", "1"])

KERNEL = """.version 8.6
.target sm_100a
.address_size 64
.visible .entry product(.param .u64 out, .param .u32 steps, .param .u32 width,
    .param .align 64 .b8 map_a[128], .param .align 64 .b8 map_b[128])
.reqntid 192
{
  .reg .pred %p<9>;
  .reg .b32 %r<40>;
  .reg .b32 %v<32>;
  .reg .b64 %rd<16>;
  .shared .align 1024 .b8 ring[RING];
  .shared .align 8 .b64 full[STAGES];
  .shared .align 8 .b64 empty[STAGES];
  .shared .align 8 .b64 done;
  .shared .align 4 .b32 slot;
  mov.u32 %r0, %tid.x;
  shr.u32 %r1, %r0, 5;
  ld.param.u32 %r2, [steps];
  mov.u32 %r3, ring;
  setp.eq.u32 %p0, %r0, 0;
  setp.eq.u32 %p1, %r1, 5;
  @!%p0 bra $allocate;
INIT
  mbarrier.init.shared.b64 [done], 1;
  fence.mbarrier_init.release.cluster;
$allocate:
  @%p1 tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], COLUMNS;
  @%p1 tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
  bar.sync 0;
  ld.shared.b32 %r4, [slot];
  mov.u32 %r5, 0;
  mov.u32 %r6, 0;
  setp.lt.u32 %p2, %r1, 4;
  @%p2 bra $epilogue;
  @%p1 bra $multiplier;
  elect.sync _|%p3, -1;
  @!%p3 bra $end;
  mov.b64 %rd0, map_a;
  cvta.param.u64 %rd0, %rd0;
  mov.b64 %rd1, map_b;
  cvta.param.u64 %rd1, %rd1;
  mov.u32 %r7, %ctaid.x;
  mul.lo.u32 %r7, %r7, 128;
  mov.u32 %r8, %ctaid.y;
  mul.lo.u32 %r8, %r8, WIDTH;
  mov.u32 %r9, 1;
$fill:
  mov.u32 %r10, empty;
  mad.lo.u32 %r10, %r5, 8, %r10;
$free:
  mbarrier.try_wait.parity.shared.b64 %p4, [%r10], %r9;
  @!%p4 bra $free;
  mov.u32 %r11, full;
  mad.lo.u32 %r11, %r5, 8, %r11;
  mbarrier.arrive.expect_tx.shared.b64 _, [%r11], STAGE;
  mad.lo.u32 %r12, %r5, STAGE, %r3;
  add.u32 %r13, %r12, 16384;
  mul.lo.u32 %r14, %r6, 64;
  cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r12], [%rd0, {%r14, %r7}], [%r11];
  cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r13], [%rd1, {%r14, %r8}], [%r11];
  add.u32 %r5, %r5, 1;
  setp.eq.u32 %p5, %r5, STAGES;
  @%p5 xor.b32 %r9, %r9, 1;
  @%p5 mov.u32 %r5, 0;
  add.u32 %r6, %r6, 1;
  setp.lt.u32 %p6, %r6, %r2;
  @%p6 bra $fill;
  bra.uni $end;
$multiplier:
  elect.sync _|%p3, -1;
  @!%p3 bra $end;
  mov.u32 %r9, 0;
  mov.b32 %r15, DESCRIPTOR;
  setp.ne.u32 %p7, %r0, %r0;
$multiply:
  mov.u32 %r11, full;
  mad.lo.u32 %r11, %r5, 8, %r11;
$there:
  mbarrier.try_wait.parity.shared.b64 %p4, [%r11], %r9;
  @!%p4 bra $there;
  tcgen05.fence::after_thread_sync;
  mad.lo.u32 %r12, %r5, STAGE, %r3;
  shr.u32 %r12, %r12, 4;
  add.u32 %r13, %r12, 1024;
  mov.b32 %r16, MATRIX;
  mov.b64 %rd2, {%r12, %r16};
  mov.b64 %rd3, {%r13, %r16};
  tcgen05.mma.cta_group::1.kind::f16 [%r4], %rd2, %rd3, %r15, %p7;
  setp.eq.u32 %p7, %r0, %r0;
  add.u64 %rd2, %rd2, 2;
  add.u64 %rd3, %rd3, 2;
  tcgen05.mma.cta_group::1.kind::f16 [%r4], %rd2, %rd3, %r15, %p7;
  add.u64 %rd2, %rd2, 2;
  add.u64 %rd3, %rd3, 2;
  tcgen05.mma.cta_group::1.kind::f16 [%r4], %rd2, %rd3, %r15, %p7;
  add.u64 %rd2, %rd2, 2;
  add.u64 %rd3, %rd3, 2;
  tcgen05.mma.cta_group::1.kind::f16 [%r4], %rd2, %rd3, %r15, %p7;
  mov.u32 %r10, empty;
  mad.lo.u32 %r10, %r5, 8, %r10;
  tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r10];
  add.u32 %r5, %r5, 1;
  setp.eq.u32 %p5, %r5, STAGES;
  @%p5 xor.b32 %r9, %r9, 1;
  @%p5 mov.u32 %r5, 0;
  add.u32 %r6, %r6, 1;
  setp.lt.u32 %p6, %r6, %r2;
  @%p6 bra $multiply;
  mov.u32 %r17, done;
  tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r17];
  bra.uni $end;
$epilogue:
  mbarrier.try_wait.parity.shared.b64 %p4, [done], 0;
  @!%p4 bra $epilogue;
  tcgen05.fence::after_thread_sync;
  shl.b32 %r18, %r1, 21;
  add.u32 %r18, %r18, %r4;
  ld.param.u64 %rd4, [out];
  ld.param.u32 %r19, [width];
  mov.u32 %r20, %ctaid.x;
  mad.lo.u32 %r20, %r20, 128, %r0;
  mov.u32 %r21, %ctaid.y;
  mul.lo.u32 %r21, %r21, WIDTH;
  mul.wide.u32 %rd5, %r20, %r19;
  cvt.u64.u32 %rd6, %r21;
  add.u64 %rd5, %rd5, %rd6;
  shl.b64 %rd5, %rd5, 2;
  add.u64 %rd4, %rd4, %rd5;
STORES
  tcgen05.fence::before_thread_sync;
$end:
  bar.warp.sync -1;
  bar.sync 0;
  tcgen05.fence::after_thread_sync;
  @%p1 tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r4, COLUMNS;
  ret;
}
"""


def text_of(width: int, stages: int) -> str:
    """A tile has 128 rows and `width` columns."""
    stage = (ROWS + width) * 128
    registers = [f"%v{at}" for at in range(32)]
    stores = []
    for first in range(0, width, 32):
        stores.append(f"  tcgen05.ld.sync.aligned.32x32b.x32.b32 {{{', '.join(registers)}}}, [%r18+{first}];")
        stores.append("  tcgen05.wait::ld.sync.aligned;")
        stores += [f"  st.global.v4.b32 [%rd4+{4 * (first + at)}], {{{', '.join(registers[at:at + 4])}}};"
                   for at in range(0, 32, 4)]
    init = "\n".join(f"  mbarrier.init.shared.b64 [{name}+{8 * at}], 1;"
                     for at in range(stages) for name in ("full", "empty"))
    # Sums of f32; rows of 128 bytes: 1024 bytes to the next 8, version 1, swizzle of 128 bytes.
    descriptor = 1 << 4 | width // 8 << 17 | ROWS // 16 << 24
    words = {"RING": stages * stage, "STAGES": stages, "STAGE": stage, "COLUMNS": max(32, width), "WIDTH": width,
             "INIT": init, "STORES": "\n".join(stores), "DESCRIPTOR": descriptor, "MATRIX": 64 | 1 << 14 | 2 << 29}
    return re.sub("|".join(rf"\b{word}\b" for word in words), lambda found: str(words[found[0]]), KERNEL)


def case_of(width: int, grid: tuple, depth: int) -> kernels.Case:
    rng = np.random.default_rng(5)
    rows, columns = grid[0] * ROWS, grid[1] * width
    a = rng.integers(-4, 5, (rows, depth)).astype(np.float16)
    b = rng.integers(-4, 5, (columns, depth)).astype(np.float16)
    maps = [kernels.TensorMap(f"box={DEPTH}x{extent},swizzle=128B", array) for extent, array in ((ROWS, a), (width, b))]
    exact = a.astype(np.float64) @ b.astype(np.float64).T
    return kernels.Case("product", (), grid, (192,), [np.zeros((rows, columns), np.float32), -(-depth // DEPTH), columns,
                                                      *maps], {0: exact})


# Pattern in the text, number of the match, replacement, check (or several), beginning of the instruction at the line
# of the finding; empty if the schedule decides the line.
MISTAKES = [
    (r"tcgen05\.fence::after_thread_sync;", 1, "", "tcgen05-fence", "tcgen05.ld"),
    (r"tcgen05\.wait::ld\.sync\.aligned;", 0, "", "tcgen05", "st.global"),
    (r"tcgen05\.wait::ld\.sync\.aligned;", 1, "", "tcgen05", "st.global"),
    (r"tcgen05\.commit\S* \[%r17\];", 0, "", "deadlock", "mbarrier.try_wait"),
    (r"tcgen05\.commit\S* \[%r10\];", 0, "", "deadlock", "mbarrier.try_wait"),
    # Commits too early: products or copies follow.
    (r"(\n\$multiply:)(.*?)(\n  tcgen05\.mma)", 0,
     r"\1\2\n  mov.u32 %r10, empty;\n  mad.lo.u32 %r10, %r5, 8, %r10;\n"
     r"  tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [%r10];\3", "race|mbarrier|tcgen05|deadlock", ""),
    # Commits to the mbarrier of the epilogue in each step.
    (r"\[%r10\];\n  add\.u32 %r5", 0, "[%r10];\n  mov.u32 %r17, done;\n  tcgen05.commit.cta_group::1.mbarrier::arrive::"
     "one.shared::cluster.b64 [%r17];\n  add.u32 %r5", "tcgen05|deadlock", ""),
    # Waits for the wrong phase.
    (r"(\$multiplier:.*?)mov\.u32 %r9, 0;", 0, r"\1mov.u32 %r9, 1;", "race|deadlock|undefined-value", ""),
    (r"\[done\], 0;", 0, "[done], 1;", "tcgen05|deadlock", ""),
    (r"mov\.u32 %r9, 1;", 0, "mov.u32 %r9, 0;", "deadlock", ""),
    (r"mbarrier\.arrive\.expect_tx\S* _, \[%r11\], \d+;", 0,
     "mbarrier.arrive.expect_tx.shared.b64 _, [%r11], 16384;", "race|mbarrier|deadlock", ""),
    # Descriptors.
    (r"mov\.b32 %r16, (\d+);", 0, "mov.b32 %r16, 1073741888;", "tensor-memory", "tcgen05.mma"),  # no version
    (r"mov\.b32 %r16, (\d+);", 0, "mov.b32 %r16, 1610629184;", "tensor-memory", "tcgen05.mma"),  # swizzle 3
    (r"mov\.b32 %r16, (\d+);", 0, "mov.b32 %r16, 2147500096;", "value", ""),  # swizzle of 64 bytes
    (r"mov\.b32 %r16, (\d+);", 0, "mov.b32 %r16, 1073758464;", "out-of-bounds", "tcgen05.mma"),  # too far apart
    (r"mov\.b32 %r15, (\d+);", 0, "mov.b32 %r15, 68157456;", "tensor-memory|undefined-value", ""),  # M = 64
    (r"mov\.b32 %r15, (\d+);", 0, "mov.b32 %r15, 135266576;", "tensor-memory", "tcgen05.mma"),  # A of an unknown type
    (r"mov\.b32 %r15, (\d+);", 0, "mov.b32 %r15, 136314896;", "tensor-memory", "tcgen05.mma"),  # N = 128
    (r"add\.u32 %r13, %r12, 1024;", 0, "add.u32 %r13, %r12, 1028;", "value|out-of-bounds", ""),
    # Allocation.
    (r"@%p1 tcgen05\.dealloc[^;]*;", 0, "", "tensor-memory", "@%p1 tcgen05.alloc"),
    (r"(tcgen05\.alloc\S* \[slot\]), 64;", 0, r"\1, 32;", "tensor-memory", "tcgen05.mma"),
    (r"(tcgen05\.dealloc\S* %r4), 64;", 0, r"\1, 32;", "tensor-memory", "@%p1 tcgen05.dealloc"),
    (r"(\n  @%p1 tcgen05\.alloc[^\n]*)(\n  @%p1 tcgen05\.relinquish[^\n]*)", 0, r"\2\1", "tensor-memory",
     "@%p1 tcgen05.alloc"),
    (r"\n  bar\.sync 0;\n  tcgen05", 0, "\n  tcgen05", "race|tcgen05", ""),
    (r"bar\.sync 0;\n  ld\.shared", 0, "ld.shared", "race|mbarrier|undefined-value", ""),
    # Accesses.
    (r"\[%r18\+32\]", 0, "[%r18+64]", "tensor-memory", "tcgen05.ld"),
    (r"shl\.b32 %r18, %r1, 21;", 0, "shl.b32 %r18, %r1, 20;", "tensor-memory", "tcgen05.ld"),
    (r"setp\.ne\.u32 %p7, %r0, %r0;", 0, "setp.eq.u32 %p7, %r0, %r0;", "undefined-value", "st.global"),
    (r"setp\.eq\.u32 %p7, %r0, %r0;", 0, "", "value", ""),
    (r"\$multiplier:\n  elect\.sync _\|%p3, -1;", 0, "$multiplier:\n  setp.eq.u32 %p3, %r0, %r0;",
     "mbarrier|tcgen05|race|deadlock", ""),
]


def line_of(changed: str, start: int, place: str) -> list[int]:
    """The lines of instructions that begin with this; none if the line is not known."""
    if not place:
        return []
    return [number for number, line in enumerate(changed.split("\n"), 1)
            if line.strip().startswith((place, "@%p1 " + place))]


def judge(mistake, folder: pathlib.Path, tilewright: pathlib.Path) -> str:
    number, (pattern, match, instead, check, place) = mistake
    text = text_of(64, 3)
    found = list(re.finditer(pattern, text, re.DOTALL))
    if len(found) <= match:
        return f"mistake {number}: {pattern} is not in the text"
    changed = text[:found[match].start()] + found[match].expand(instead) + text[found[match].end():]
    path = folder / f"mistake{number}.ptx"
    path.write_text(changed)
    lines = line_of(changed, found[match].start(), place)
    case = case_of(64, (1, 1), 400)
    wrong = []
    for schedule in SCHEDULES:
        said = kernels.run(case, str(path), schedule, tilewright)
        findings = re.findall(r"\.ptx:(\d+):\d+: error: .* \[([a-z0-9-]+)\]$", said, re.MULTILINE)
        is_right = any(name in check.split("|") and (not lines or int(line) in lines) for line, name in findings)
        is_right |= "value" in check.split("|") and said.startswith("argument")
        if not is_right:
            wrong.append(f"mistake {number} ({pattern}): {' '.join(schedule)}: {said or 'nothing was found'}")
    return "\n".join(wrong)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tilewright", type=pathlib.Path, required=True)
    parser.add_argument("--ptxas", help="check that it accepts the kernels")
    arguments = parser.parse_args()
    wrong, runs = [], 0
    with tempfile.TemporaryDirectory(prefix="tilewright-tensor-") as name:
        folder = pathlib.Path(name)
        for width, stages, grid, depth in ((32, 2, (1, 1), 64), (64, 3, (2, 2), 328), (128, 4, (1, 2), 200),
                                           (256, 2, (1, 1), 136)):
            path = folder / f"product{width}.ptx"
            path.write_text(text_of(width, stages))
            if arguments.ptxas:
                subprocess.run([arguments.ptxas, "-arch=sm_100a", "-o", folder / "cubin", path], check=True)
            for schedule in SCHEDULES:
                runs += 1
                said = kernels.run(case_of(width, grid, depth), str(path), schedule, arguments.tilewright)
                wrong += [f"{width} {schedule}: {said}"] if said else []
        with ThreadPoolExecutor(2) as pool:
            said = list(pool.map(lambda mistake: judge(mistake, folder, arguments.tilewright), enumerate(MISTAKES)))
        wrong += [text for text in said if text]
    placed = sum(bool(place) for *_, place in MISTAKES)
    print("\n".join(wrong))
    print(f"{runs} runs, {len(MISTAKES)} mistakes ({placed} with a line), {len(wrong)} judged wrongly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
