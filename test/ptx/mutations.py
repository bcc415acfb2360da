# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutation testing: checks that mistakes planted in the kernels of kernels.py and triton.py are detected by the
right check, at the right line where the mistake has one, with every schedule.

    mutations.py --tilewright build/bin/tilewright [--every 3] [KERNEL...]
"""

import argparse
import pathlib
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import kernels
import triton

SCHEDULES = (["--schedule", "up"], ["--schedule", "down"], ["--schedule", "random", "--seed", "1"])


@dataclass
class Kind:
    pattern: str  # in the text of the kernel; each match is a separate mistake
    instead: str
    check: str  # or several, separated by |
    # (file, kernel, match) for which the change is not a mistake, and the reason.
    harmless: dict
    at: str = ""  # the beginning of the instruction that the finding is at; or several
    only: tuple = ()  # kernels; empty means all
    # The line of the finding: that of the changed instruction (HERE), the first one after it that matches this, or with
    # `^` in front the last one before it; in a loop, it may be far away, so many mistakes in ordering have none.
    place: str = ""


HERE = "here"
# Instructions that execute too early when a wait is missing.
BULK_USE = r"cp\.(reduce\.)?async\.bulk\.(shared|tensor|global)|st\.shared"
RING, GROUPS = ("cluster_ring",), ("grouped_copy",)
# A CTA may end while its own stores read its shared memory.
LAST_STORE = "the kernel ends"
LAST_TURN = {("persistent.ptx", "cluster_ring", 2): "nobody loads a tile into this slot again"}

KINDS = [
    Kind(r"\tbar\.sync \t0;\n", "", "race|mbarrier", {
        ("hopper.ptx", "cluster_sum", 7): "only the thread goes on that wrote last",
        ("hopper.ptx", "bulk_scale", 2): "the next copy is begun by the thread that waited for the last",
        ("hopper.ptx", "bulk_scale", 4): "ends the last round",
        ("warps.ptx", "tensor", 5): "ends the third of four turns: no copy follows",
        ("warps.ptx", "tensor", 7): "ends the last turn",
        ("warps.ptx", "tensor", 8): "of the remainder of an unrolled loop, which is not executed",
        ("warps.ptx", "tensor", 9): "the same",
        ("triton-80.ptx", "histogram", 2): "each thread uses what it has read itself",
        ("triton-80.ptx", "histogram", 3): "ends the kernel",
        ("triton-80.ptx", "locked", 2): "one of two in a row",
        ("triton-80.ptx", "locked", 3): "one of two in a row",
        ("triton-80.ptx", "locked", 4): "ends the kernel",
        ("triton-80.ptx", "product", 1): "no copy has come since the last wait and barrier",
        ("triton-90.ptx", "product", 1): "the wait for the wgmma is one of the whole warpgroup",
        ("triton-80.ptx", "attention", 2): "what it separates is in other places of shared memory",
        **{("triton-90.ptx", "described_product", number): "between two that only the first warp uses"
           for number in range(2, 9)},
    }),
    Kind(r"membar\.gl;", "", "race", {
        ("basics-clang.ptx", "locked", 0): "the atom in front of it acquires",
    }),
    Kind(r"cp\.async\.wait_group 1;", "cp.async.wait_group 2;", "pending-copy", {
        ("warps.ptx", "tensor", 4): "of a remainder, which is not executed",
    }, place="ldmatrix"),
    Kind(r"cp\.async\.cg", "nothing.cg", "", {}),  # refused with its name
    Kind(r"(shfl\.sync\.\w+\.b32 [^;]*), -1;", r"\1, 2147483647;", "collective", {}, place=HERE),
    Kind(r"(vote\.sync\.\w+\.\w+ [^;]*), -1;", r"\1, 2147483647;", "collective", {}, place=HERE),
    Kind(r"ld\.global\.f32 (\t%f\d+), \[(%rd\d+)\];", r"ld.global.f32 \1, [\2+2];", "misaligned", {
        ("hopper.ptx", "cluster_sum", 1): "of an unrolled loop, which is not executed",
    }, place=HERE),
    Kind(r"st\.global\.b32 (\t\[%rd\d+)\]", r"st.global.b32 \1+1048576]", "out-of-bounds", {}, place=HERE),
    Kind(r"st\.shared\.(f32|u32|b32) \t\[(%r\w*)\]", r"st.shared.\1 \t[\2+524288]", "out-of-bounds", {}, place=HERE),
    # By one element: the last thread is outside.
    Kind(r"st\.global\.([fbu]32) (\t\[%rd\d+)\]", r"st.global.\1 \2+4]", "out-of-bounds", {}, only=(
        "saxpy", "transpose", "scan", "stencil", "matmul", "locked", "last_block", "choose", "functions", "tiles",
        "reduce_add", "halves", "fp8", "grid_sum", "areas", "list", "reversed", "cluster_sum", "multicast_add"),
        place=HERE),
    Kind(r"ld\.global\.([fbu]32) (\t%[fr]\d+, \[%rd\d+)\]", r"ld.global.\1 \2+4]", "out-of-bounds", {}, only=(
        "saxpy", "transpose", "scan", "stencil", "matmul", "locked", "choose", "warp_sum", "functions", "compact",
        "aggregated", "tiles", "reduce_add", "halves", "brains", "fp8", "grid_sum", "cluster_histogram"),
        place=HERE),
    Kind(r"(st|ld)\.shared\.([fbu]32) (\t[^;\[]*\[%r\d+)\]", r"\1.shared.\2 \3+4]", "out-of-bounds", {}, place=HERE,
         only=("histogram", "cluster_histogram", "bulk_scale", "softmax")),
    Kind(r"ldmatrix\.sync\.aligned\.m8n8\.x4\.shared", "ldmatrix.sync.aligned.m8n8.x4.trans.shared", "value", {
        ("warps.ptx", "tensor", 4): "of a remainder, which is not executed",
    }),
    Kind(r"(ldmatrix\S*)\.trans", r"\1", "value", {}),
    # hopper.cu's unrolled loops have a copy for each tile that they process.
    Kind(r"(mbarrier\.arrive\.expect_tx\S* _, \[%r\d+\]), %r\d+;", r"\1, 64;", "deadlock", {}, at="mbarrier.try_wait"),
    Kind(r"again:\nmbarrier(\S*) done, \[(%r\d+)\], (%r\d+);",
         r"xor.b32 \3, \3, 1;\nagain:\nmbarrier\1 done, [\2], \3;", "race|deadlock|mbarrier", {}),
    Kind(r"\tfence\.proxy\.async\.shared::cta;", "", "proxy-fence", {}, at="cp.|wgmma",
         place=r"cp\.(reduce\.)?async\.bulk|wgmma\.mma"),
    Kind(r"\tmbarrier\.arrive\.release\S* _, \[%r\d+\];", "", "deadlock", {
        ("hopper.ptx", "tensor_transpose", 2): "nobody loads a tile into this slot again",
        ("hopper.ptx", "tensor_transpose", 3): "the same",
        ("hopper.ptx", "tensor_transpose", 4): "the same",
        ("hopper.ptx", "wgmma_gemm", 2): "the same",
    }, at="mbarrier.try_wait"),
    Kind(r"\tcp\.async\.bulk\.commit_group;", "", "race", {
        ("hopper.ptx", "bulk_scale", 1): LAST_STORE,
        ("hopper.ptx", "tensor_transpose", 4): LAST_STORE,
        ("persistent.ptx", "cluster_ring", 2): LAST_STORE,
    }, place=BULK_USE),
    Kind(r"cp\.async\.bulk\.wait_group\.read 0;", "cp.async.bulk.wait_group.read 1;", "race", {
        ("hopper.ptx", "bulk_scale", 1): LAST_STORE,
        ("hopper.ptx", "tensor_transpose", 4): LAST_STORE,
    }, place=BULK_USE),
    Kind(r"\twgmma\.commit_group\.sync\.aligned;", "", "race|wgmma", {}),
    Kind(r"wgmma\.wait_group\.sync\.aligned 0;", "wgmma.wait_group.sync.aligned 1;", "race|wgmma", {}),
    Kind(r"\tbarrier\.cluster\.arrive;(.*?)\tbarrier\.cluster\.wait;", r"\1", "race|mbarrier", {
        ("hopper.ptx", "multicast_add", 1): "each CTA has waited for all that is written to it",
    }),
    Kind(r"(atom|red)\.add\.u32", r"\1.relaxed.cta.add.u32", "race", {}, only=("cluster_histogram",), place=HERE),

    # Patterns of libraries on sm_90a.
    Kind(r"mov\.u16 \t(%rs\d+), 3;", r"mov.u16 \t\1, 1;", "deadlock", {}, only=RING),
    Kind(r"mov\.u16 \t(%rs\d+), 3;", r"mov.u16 \t\1, 2;", "deadlock", {}, only=RING),
    Kind(r"mov\.u16 \t(%rs\d+), 3;", r"mov.u16 \t\1, 7;", "out-of-bounds", {}, only=RING, place=r"cp\.async"),
    Kind(r"mapa\.shared::cluster\.u32 remote, (%r\d+), %r\d+;", r"mapa.shared::cluster.u32 remote, \1, 0;",
         "mbarrier|deadlock", LAST_TURN, only=RING),
    Kind(r"mbarrier\.arrive\.release\.cluster\.shared::cluster\.b64 _, \[remote\];", "", "deadlock", LAST_TURN, only=RING),
    Kind(r"mbarrier\.arrive\.release\.cluster", "mbarrier.arrive.relaxed.cluster", "race", LAST_TURN, only=RING),
    Kind(r"try_wait\.parity\.acquire\.cluster", "try_wait.parity.relaxed.cluster", "race", {
        ("persistent.ptx", "cluster_ring", 0): "of a slot that nobody has used",
        ("persistent.ptx", "cluster_ring", 1): "the same",
    }, only=RING + GROUPS, place=r"cp\.async|ld\.shared"),
    Kind(r"mov\.u32 \t(%r\d+), 8;", r"mov.u32 \t\1, 7;", "race|mbarrier", {}, only=RING),
    Kind(r"mov\.u32 \t(%r\d+), 8;", r"mov.u32 \t\1, 9;", "deadlock", {}, only=RING),
    Kind(r"selp\.b32 (%r\d+), 1, 0, p;", r"selp.b32 \1, 1, 1, p;", "mbarrier|race", {}, only=RING,
         place=r"mbarrier\.arrive"),
    Kind(r"elect\.sync _\|p, 0xffffffff;", "elect.sync _|p, 0xffff;", "collective", {}, only=RING, place=HERE),
    Kind(r"\tbar\.sync 1, 128;", "", "race", {}, only=RING, place=r"st\.shared|cp\.async"),
    Kind(r"\tbar\.sync 1, 128;", "\tbar.sync 1, 160;", "deadlock|divergent-barrier", {}, only=RING),
    Kind(r"\tbar\.warp\.sync \t-1;", "", "race", {
        ("persistent.ptx", "cluster_ring", 0): "the barrier of the cluster follows",
        ("persistent.ptx", "cluster_ring", 3): "nobody loads a tile into this slot again",
    }, only=RING + GROUPS),
    Kind(r"\tcp\.async\.bulk\.wait_group 0;", "", "race", {
        ("persistent.ptx", "cluster_ring", 0): LAST_STORE,
    }, only=RING),
    Kind(r"\tfence\.proxy\.tensormap::generic\.acquire\.gpu \[%rd\d+\], 128;", "", "proxy-fence", {}, only=GROUPS,
         place=r"cp\.async"),
    Kind(r"\ttensormap\.cp_fenceproxy[^;]*;", "", "tensor-map", {}, only=GROUPS, place=r"cp\.async"),
    Kind(r"\ttensormap\.replace\.tile\.global_address\.[^;]*;", "", "value", {}, only=GROUPS),
    Kind(r"\ttensormap\.replace\.tile\.global_dim\.[^;]*;", "", "out-of-bounds", {}, only=GROUPS,
         place=r"cp\.async"),
    Kind(r"(tensormap\.replace\.tile\.global_dim\S* \[%r\d+\]), 1,", r"\1, 0,", "out-of-bounds", {}, only=GROUPS,
         place=r"cp\.async"),
    Kind(r"(tensormap\.replace\.tile)\.global_dim(\S*) (\[%r\d+\]), 1,", r"\1.box_dim\2 \3, 1,",
         "deadlock|tensor-map", {}, only=GROUPS),
]

# What Triton makes for sm_100a.
MMA, PRODUCTS = r"tcgen05\.mma", ("product_64x64x32", "product_128x256x64", "product_256x128x32")
TENSOR_KINDS = [
    # Allocation.
    Kind(r"(tcgen05\.alloc\S* \[%r\d+\]), \d+;", r"\1, 32;", "tensor-memory", {}, at="tcgen05"),
    Kind(r"@%p\d+ tcgen05\.dealloc[^;]*;", "", "tensor-memory", {}, place=r"^tcgen05\.alloc"),
    Kind(r"(tcgen05\.dealloc\S* %r\d+), \d+;", r"\1, 32;", "tensor-memory", {}, place=HERE),
    Kind(r"(@%p\d+ tcgen05\.alloc[^;]*;)(.*?)(@%p\d+ tcgen05\.relinquish[^;]*;)", r"\3\n\1\2", "tensor-memory", {},
         place=r"tcgen05\.alloc"),
    # Loads and stores.
    Kind(r"(tcgen05\.ld[^;]*\[%r\d+) \+ 0", r"\1 + 512", "tensor-memory", {}, place=HERE),
    Kind(r"(tcgen05\.ld[^;]*\[%r\d+) \+ 0", r"\1 + 2097152", "tensor-memory", {}, place=HERE),
    Kind(r"(tcgen05\.st[^;]*\[%r\d+) \+ 0", r"\1 + 2097152", "tensor-memory", {}, place=HERE),
    Kind(r"tcgen05\.wait::ld\.sync\.aligned;", "", "tcgen05", {}, only=PRODUCTS),
    Kind(r"tcgen05\.wait::st\.sync\.aligned;", "", "tcgen05", {
        ("triton-100-scaled.ptx", kernel, 0): "the wait for the scales follows"
        for kernel in ("mxf8_128x64x128", "mxf4_128x128x128", "nvf4_128x128x128")}),
    # Products.
    Kind(r"@%p\d+ tcgen05\.commit[^;]*;", "", "deadlock", {}, at="mbarrier.try_wait"),
    Kind(r"mov\.b32 \t(%r\d+), 1073758272;", r"mov.b32 \t\1, 1073741888;", "tensor-memory", {}, place=MMA),
    Kind(r"mov\.b32 \t(%r\d+), 1073758272;", r"mov.b32 \t\1, 1610629184;", "tensor-memory", {}, place=MMA),
    Kind(r"mov\.b32 \t(%r\d+), (13\d{7});", r"or.b32 \t\1, \2, 4;", "tensor-memory", {}, place=MMA),
    Kind(r"mov\.b32 \t(%r\d+), (13\d{7});", r"or.b32 \t\1, \2, 6291456;", "tensor-memory", {}, place=MMA),
    Kind(r"\tfence\.proxy\.async\.shared::cta;", "", "proxy-fence", {}, at="tcgen05.mma|cp."),
    Kind(r"@%p\d+ tcgen05\.cp[^;]*;", "", "undefined-value", {}),
    # Copies and mbarriers.
    Kind(r"(mbarrier\.arrive\.expect_tx\S* _, \[%r\d+\]), \d+;", r"\1, 64;", "mbarrier|deadlock|race", {}),
    Kind(r"(mbarrier\.init\S* \[%r\d+\]), 1;", r"\1, 2;", "deadlock", {
        ("triton-100.ptx", "roles_128x64x64", 0): "with one tile, nobody waits for the second use of the accumulator",
        ("triton-100-persistent.ptx", "persistent_roles_128x256x64", 1): "the same",
        ("triton-100-persistent.ptx", "persistent_roles_128x64x128", 1): "the same",
    }, at="mbarrier.try_wait"),
    Kind(r"waitLoop:(\s*)mbarrier(\S*) complete, \[(%r\d+)\], (%r\d+);",
         r"xor.b32 \4, \4, 1;\nwaitLoop:\1mbarrier\2 complete, [\3], \4;",
         "race|deadlock|divergent-barrier|mbarrier|tcgen05|undefined-value", {}),
    Kind(r"@%p\d+ fence\.proxy\.tensormap\S* [^;]*;", "", "proxy-fence", {}, at="cp.async.bulk.tensor"),
    Kind(r"cp\.async\.bulk\.wait_group\.read \t0;", "", "race", {}),
    # Roles.
    Kind(r"setmaxnreg\.dec(\.sync\.aligned\.u32 \t24;)", r"setmaxnreg.inc\1", "collective", {}, at="setmaxnreg"),
]


def mutants(case, file: str):
    """Yields each mutation with its text, kind, required line if any, and description."""
    text = (kernels.HERE / "kernels" / file).read_text()
    body = re.search(rf"\.entry {case.name}\(.*?\n\}}\n(?!\t// end inline asm)", text, re.DOTALL)[0]
    for kind in TENSOR_KINDS if file.startswith("triton-100") else KINDS:
        if kind.only and case.name not in kind.only:
            continue
        for number, found in enumerate(re.finditer(kind.pattern, body, re.DOTALL)):
            changed = body[:found.start()] + found.expand(kind.instead) + body[found.end():]
            name = f"{file}: {case.name}: {found[0].strip()[:80]} number {number}"
            line = lineOf(kind, changed, found.start())
            if line:
                line += text[:text.index(body)].count("\n")
            yield text.replace(body, changed), kind, line, (file, case.name, number), name


def lineOf(kind: Kind, body: str, start: int) -> int:
    """The line, counted from 1 in the body, at which the change that begins at `start` must be reported; 0 if none."""
    first = body[:start].count("\n") + 1
    if kind.place in ("", HERE):
        return first if kind.place else 0
    lines, place = body[start:].split("\n"), kind.place
    if place.startswith("^"):
        lines, place, first = body[:start].split("\n")[::-1], place[1:], -first
    found = (at for at, line in enumerate(lines) if re.match(rf"\s*(@!?%?\w+ )?\s*({place})", line))
    return abs(first + next(found, -first))


def judge(job, folder: pathlib.Path, tilewright: pathlib.Path) -> str:
    number, (case, file, (text, kind, line, key, name)) = job
    place = folder / str(number)
    place.mkdir()
    (place / file).write_text(text)
    wrong = []
    for schedule in SCHEDULES:
        said = kernels.run(case, str(place / file), schedule, tilewright)
        findings = re.findall(rf"{re.escape(file)}:(\d+):\d+: error: (.*) \[([a-z0-9-]+)\]$", said, re.MULTILINE)
        right = [(int(at), message) for at, message, check in findings if check in kind.check.split("|")]
        if key in kind.harmless:
            found = not said
        elif kind.check == "":
            found = "is not supported" in said
        elif kind.check == "value":
            found = said.startswith("argument")
        else:
            found = any(line in (0, at) and any(f": {begin}" in message for begin in kind.at.split("|"))
                        for at, message in right)
        if not found:
            wrong.append(f"{name}: {' '.join(schedule)}: {said or 'nothing was found'}"
                         + (f" (expected at line {line})" if line else ""))
    return "\n".join(wrong)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tilewright", type=pathlib.Path, required=True)
    parser.add_argument("--every", type=int, default=1, help="so manyth mistake (%(default)s)")
    parser.add_argument("kernels", nargs="*", help="only these")
    arguments = parser.parse_args()
    jobs = [(case, file, mutant) for case in kernels.cases() + triton.cases() for file in case.files
            if not arguments.kernels or case.name in arguments.kernels for mutant in mutants(case, file)]
    jobs = jobs[::arguments.every]
    with tempfile.TemporaryDirectory(prefix="tilewright-mutations-") as folder:
        with ThreadPoolExecutor(2) as pool:
            said = list(pool.map(lambda job: judge(job, pathlib.Path(folder), arguments.tilewright),
                                 enumerate(jobs)))
    wrong = [text for text in said if text]
    print("\n".join(wrong))
    harmless = sum(key in kind.harmless for _, _, (_, kind, _, key, _) in jobs)
    placed = sum(line > 0 and key not in kind.harmless for _, _, (_, kind, line, key, _) in jobs)
    print(f"{len(jobs) - harmless} mistakes ({placed} with a line) and {harmless} harmless changes, "
          f"{len(wrong)} judged wrongly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
