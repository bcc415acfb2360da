# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Planted mistakes in the kernels of kernels.py are found, by the right check, in every schedule.

    mutations.py --tilewright build/bin/tilewright
"""

import argparse
import pathlib
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import kernels

SCHEDULES = (["--schedule", "up"], ["--schedule", "down"], ["--schedule", "random", "--seed", "1"])


@dataclass
class Kind:
    pattern: str  # in the text of the kernel; each occurrence is a mistake of its own
    instead: str
    check: str  # or several, with | between
    # (file, kernel, occurrence) where the change is no mistake, and why.
    harmless: dict
    at: str = ""  # in the instruction that the finding is at
    only: tuple = ()  # kernels; all if empty


KINDS = [
    Kind(r"\tbar\.sync \t0;\n", "", "race|mbarrier", {
        ("hopper.ptx", "cluster_sum", 7): "only the thread goes on that wrote last",
        ("hopper.ptx", "bulk_scale", 2): "the next copy is begun by the thread that waited for the last",
        ("hopper.ptx", "bulk_scale", 4): "ends the last round",
        ("warps.ptx", "tensor", 5): "ends the third of four turns: no copy follows",
        ("warps.ptx", "tensor", 7): "ends the last turn",
        ("warps.ptx", "tensor", 8): "of the remainder of an unrolled loop, which is not executed",
        ("warps.ptx", "tensor", 9): "the same",
    }),
    Kind(r"membar\.gl;", "", "race", {
        ("basics-clang.ptx", "locked", 0): "the atom in front of it acquires",
    }),
    Kind(r"cp\.async\.wait_group 1;", "cp.async.wait_group 2;", "pending-copy", {
        ("warps.ptx", "tensor", 4): "of a remainder, which is not executed",
    }),
    Kind(r"cp\.async\.cg", "nothing.cg", "", {}),  # refused by name
    Kind(r"(shfl\.sync\.\w+\.b32 [^;]*), -1;", r"\1, 2147483647;", "collective", {}),
    Kind(r"(vote\.sync\.\w+\.\w+ [^;]*), -1;", r"\1, 2147483647;", "collective", {}),
    Kind(r"ld\.global\.f32 (\t%f\d+), \[(%rd\d+)\];", r"ld.global.f32 \1, [\2+2];", "misaligned", {
        ("hopper.ptx", "cluster_sum", 1): "of an unrolled loop, which is not executed",
    }),
    Kind(r"st\.global\.b32 (\t\[%rd\d+)\]", r"st.global.b32 \1+1048576]", "out-of-bounds", {}),
    Kind(r"st\.shared\.(f32|u32|b32) \t\[(%r\w*)\]", r"st.shared.\1 \t[\2+524288]", "out-of-bounds", {}),
    Kind(r"ldmatrix\.sync\.aligned\.m8n8\.x4\.shared", "ldmatrix.sync.aligned.m8n8.x4.trans.shared", "value", {
        ("warps.ptx", "tensor", 4): "of a remainder, which is not executed",
    }),
    # The unrolled loops of hopper.cu have a copy for each tile that they do.
    Kind(r"(mbarrier\.arrive\.expect_tx\S* _, \[%r\d+\]), %r\d+;", r"\1, 64;", "deadlock", {}, at="mbarrier.try_wait"),
    Kind(r"again:\nmbarrier(\S*) done, \[(%r\d+)\], (%r\d+);",
         r"xor.b32 \3, \3, 1;\nagain:\nmbarrier\1 done, [\2], \3;", "race|deadlock|mbarrier", {}),
    Kind(r"\tfence\.proxy\.async\.shared::cta;", "", "proxy-fence", {}, at="cp."),
    Kind(r"\tmbarrier\.arrive\.release\S* _, \[%r\d+\];", "", "deadlock", {
        ("hopper.ptx", "tensor_transpose", 2): "nobody loads a tile into this slot again",
        ("hopper.ptx", "tensor_transpose", 3): "the same",
        ("hopper.ptx", "tensor_transpose", 4): "the same",
        ("hopper.ptx", "wgmma_gemm", 2): "the same",
    }, at="mbarrier.try_wait"),
    Kind(r"\tcp\.async\.bulk\.commit_group;", "", "race", {}),
    Kind(r"cp\.async\.bulk\.wait_group\.read 0;", "cp.async.bulk.wait_group.read 1;", "race", {}),
    Kind(r"\twgmma\.commit_group\.sync\.aligned;", "", "race|wgmma", {}),
    Kind(r"wgmma\.wait_group\.sync\.aligned 0;", "wgmma.wait_group.sync.aligned 1;", "race|wgmma", {}),
    Kind(r"\tbarrier\.cluster\.arrive;(.*?)\tbarrier\.cluster\.wait;", r"\1", "race|mbarrier", {
        ("hopper.ptx", "multicast_add", 1): "each CTA has waited for all that is written to it",
    }),
    Kind(r"(atom|red)\.add\.u32", r"\1.relaxed.cta.add.u32", "race", {}, only=("cluster_histogram",)),
]


def mutants(case, file: str):
    """Each with its text, the check, and how it is called."""
    text = (kernels.HERE / "kernels" / file).read_text()
    body = re.search(rf"\.entry {case.name}\(.*?\n\}}\n(?!\t// end inline asm)", text, re.DOTALL)[0]
    for kind in KINDS:
        if kind.only and case.name not in kind.only:
            continue
        for number, found in enumerate(re.finditer(kind.pattern, body, re.DOTALL)):
            changed = body[:found.start()] + found.expand(kind.instead) + body[found.end():]
            name = f"{file}: {case.name}: {found[0].strip()[:80]} number {number}"
            yield text.replace(body, changed), kind, (file, case.name, number), name


def judge(job, folder: pathlib.Path, tilewright: pathlib.Path) -> str:
    number, (case, file, (text, kind, key, name)) = job
    place = folder / str(number)
    place.mkdir()
    (place / file).write_text(text)
    wrong = []
    for schedule in SCHEDULES:
        said = kernels.run(case, str(place / file), schedule, tilewright)
        checks = set(re.findall(r"\[([a-z-]+)\]", said))
        if key in kind.harmless:
            found = not said
        elif kind.check == "":
            found = "is not supported" in said
        elif kind.check == "value":
            found = said.startswith("argument")
        else:
            found = bool(checks & set(kind.check.split("|"))) and f": {kind.at}" in said
        if not found:
            wrong.append(f"{name}: {' '.join(schedule)}: {said or 'nothing was found'}")
    return "\n".join(wrong)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tilewright", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    jobs = [(case, file, mutant) for case in kernels.cases() for file in case.files
            for mutant in mutants(case, file)]
    with tempfile.TemporaryDirectory(prefix="tilewright-mutations-") as folder:
        with ThreadPoolExecutor(2) as pool:
            said = list(pool.map(lambda job: judge(job, pathlib.Path(folder), arguments.tilewright),
                                 enumerate(jobs)))
    wrong = [text for text in said if text]
    print("\n".join(wrong))
    harmless = sum(key in kind.harmless for _, _, (_, kind, key, _) in jobs)
    print(f"{len(jobs) - harmless} mistakes and {harmless} harmless changes, {len(wrong)} judged wrongly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
