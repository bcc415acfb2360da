# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests attention for Blackwell, whose second product takes the softmax from tensor memory.

`tensor_attention.py TILEWRIGHT FOLDER` compares the plans with the columns that the manual requires, runs attention on
the PTX machine, and compares the results with NumPy's in f64. `tensor_attention.py TILEWRIGHT FOLDER PTXAS` assembles it
for all targets with `tcgen05.mma` instead: nothing must be spilled.
"""

import re
import sys

import attention
from attention import Case, folder, run, text_of, tilewright

attention.target = "sm_100a"
TARGETS = ("sm_100a", "sm_103a", "sm_110a")
COLUMNS = re.compile(r"lhs is stored from registers to columns (\d+) to (\d+) of tensor memory")
# 64 rows, one and two warpgroups, ragged lengths.
CASES = (Case(64, (128, 64), length=208, causal=True), Case(64, (64, 64), "bf16", 144), Case(64, (64, 128), length=208, causal=True),
         Case(64, (128, 128), "bf16", 336), Case(128, (128, 64), length=144, causal=True, branch=True),
         Case(128, (128, 128), length=208, causal=True), Case(256, (128, 64), "bf16", 144))


def write(case: Case):
    """Of 128 or 64 rows, scores take a column per key, the result one per element of a head; a column has two weights of a
    row."""
    source = folder / "attention.mlir"
    source.write_text(text_of(case))
    plan = run(tilewright, "compile", source, "--target", "sm_100a", "--emit", "plan")
    first = case.tile[1] + case.d
    wanted = (str(first), str(first + case.tile[1] // 2 - 1))
    if COLUMNS.findall(plan) != [wanted]:
        sys.exit(f"{case.name}: weights must be in columns {' to '.join(wanted)}, but the plan is\n{plan}")
    return source


def assemble(ptxas: str) -> None:
    assembled = 0
    for case in CASES:
        source, ptx = write(case), folder / "attention.ptx"
        for target in TARGETS:
            run(tilewright, "compile", source, "--target", target, "-o", ptx)
            said = run(ptxas, "-v", f"-arch={target}", ptx, "-o", folder / "attention.cubin")
            spilled = [*map(int, re.findall(r"(\d+) bytes (?:stack|spill)", said))]
            if not spilled or any(spilled):
                sys.exit(f"{case.name} for {target}: {said}")
            assembled += 1
    print(f"{assembled} assembled, none spills")


if __name__ == "__main__":
    if len(sys.argv) > 3:
        assemble(sys.argv[3])
    else:
        attention.check(CASES, write, 10)
