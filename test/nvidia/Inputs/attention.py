# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests attention (test/gpu/Inputs/attention.mlir) for sm_90a, whose second product is delayed.

`attention.py TILEWRIGHT FOLDER` runs it on the PTX machine and compares the results with NumPy's in f64, with the
tolerance of the timed kernel, and counts what an iteration executes. `attention.py TILEWRIGHT FOLDER PTXAS` assembles it
instead, where the product is delayed: nothing must be spilled, and the assembler must not say that it completes products
earlier.
"""

import json
import pathlib
import re
import string
import subprocess
import sys
from dataclasses import dataclass

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "test/gpu"))
import timed
from elements import ELEMENTS

tilewright, folder = sys.argv[1], pathlib.Path(sys.argv[2])
target = "sm_90a"
DELAYED = "delayed: issued in the next iteration"
SCHEDULES = ("up", "down", "random")
WGMMA_OF_TURN, FENCES, COMMITS, WAITS = 8 + 8, 3, 2, 2  # of tiles of 128 x 128 and heads of 128


@dataclass(frozen=True)
class Case:
    d: int
    tile: tuple[int, int]  # queries and keys
    type_: str = "f16"
    length: int = 256
    causal: bool = False
    branch: bool = False  # scores are masked in a branch, as far as necessary
    delayed: bool = True

    @property
    def name(self) -> str:
        return (f"{self.type_}, heads of {self.d}, {self.tile[0]} x {self.tile[1]}, {self.length} positions"
                + ", causal" * self.causal + ", with a branch" * self.branch)


# 208 and 336 are no multiples of a tile.
CASES = (Case(64, (128, 64), length=384), Case(64, (128, 64), "bf16", 208, causal=True), Case(64, (128, 128), "bf16", 336),
         Case(64, (128, 128), length=64, causal=True), Case(64, (64, 64), length=208, causal=True),
         Case(128, (128, 64), length=336, causal=True), Case(128, (128, 64), "bf16", 192),
         Case(128, (128, 128), length=208), Case(128, (128, 128), "bf16", 384, causal=True),
         Case(128, (128, 128), length=336, causal=True, branch=True),
         Case(256, (128, 64), "bf16", 208), Case(256, (128, 64), length=256, causal=True),
         # 128 + 64 accumulators and 32 words of lhs with 8 warps, which are the most.
         Case(256, (128, 128), length=208, delayed=False))


def text_of(case: Case) -> str:
    """A key counts if it is not behind the last position, or, in causal attention, not behind the query."""
    rows, columns = case.tile
    values = timed.of_attention(case.d, case.type_, case.tile, is_causal=True)
    if not case.causal:
        values["bound"] = timed.of_attention(case.d, case.type_, case.tile, is_causal=False)["bound"]
        wide = f"tile<{rows}x{columns}xi32>"
        values["scores"] = f"""%last_1 = subi %n, %one : tile<i32>
      %last_2 = reshape %last_1 : tile<i32> -> tile<1x1xi32>
      %last = broadcast %last_2 : tile<1x1xi32> -> {wide}
      """ + values["scores"].replace("%row,", "%last,")
    if case.branch:
        values["scores"] = in_branch(values["scores"], f"tile<{rows}x{columns}xf32>")
    text = string.Template((ROOT / "test/gpu/Inputs/attention.mlir").read_text()).substitute(values)
    return re.sub(rf"(tile=\(1x\d+x\d+\)), (tensor_view<\?x\?x{case.d}x{values['T']})", r"\1, padding_value = zero, \2", text)


def in_branch(scores: str, type_: str) -> str:
    """Masks scores only in tiles that have a key behind the first query."""
    before, masked = scores.split("%scores = ")
    return f"""{before}%behind = addi %first_column, %tn : tile<i32>
      %is_masked = cmpi greater_than %behind, %first, signed : tile<i32> -> tile<i1>
      %scores = if %is_masked -> ({type_}) {{
        %hidden = {masked}
        yield %hidden : {type_}
      }} else {{
        yield %scaled : {type_}
      }}"""


def run(*words) -> str:
    done = subprocess.run([*map(str, words)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}: status {done.returncode}\n{done.stdout}{done.stderr}"[:3000])
    return done.stdout + done.stderr


def write(case: Case) -> pathlib.Path:
    source = folder / "attention.mlir"
    source.write_text(text_of(case))
    plan = run(tilewright, "compile", source, "--target", "sm_90a", "--emit", "plan")
    if (DELAYED in plan) != case.delayed:
        sys.exit(f"{case.name}: the second product must {'' if case.delayed else 'not '}be delayed, but the plan is\n{plan}")
    return source


def attended(case: Case, q, k, v) -> tuple[np.ndarray, np.ndarray]:
    """The results, and their error bounds: weights are rounded to the element type (test/gpu/work.py)."""
    scores = q.astype(np.float64) @ k.T.astype(np.float64) * timed.scale_of(case.d)
    if case.causal:
        scores[~np.tri(case.length, dtype=bool)] = -np.inf
    weights = np.exp2(scores - scores.max(1, keepdims=True))
    weights /= weights.sum(1, keepdims=True)
    unit = 2.0 ** (-7 if case.type_ == "bf16" else -10)
    return weights @ v, unit * (weights @ np.abs(v))


def execute(case: Case, source: pathlib.Path, *options, blocks: int | None = None) -> np.ndarray:
    files = [folder / f"{name}.npy" for name in "qkv"]
    n = case.length
    run(tilewright, "run", source, "--device", "ptx", "--target", target, "--grid", f"{blocks or -(-n // case.tile[0])},1", *options,
        *(word for text in (*files, f"zeros(1x{n}x{case.d}xf32),out={folder / 'out.npy'}", 1, n) for word in ("--arg", text)))
    return np.load(folder / "out.npy")[0]


def arrays(case: Case, random) -> list[np.ndarray]:
    element = ELEMENTS[case.type_]
    made = [element.rounded(random.standard_normal((1, case.length, case.d), np.float32)) for _ in "qkv"]
    for name, values in zip("qkv", made):
        np.save(folder / f"{name}.npy", element.encoded(values))
    return [values[0] for values in made]


def check(cases, write, seed: int) -> None:
    random = np.random.default_rng(seed)
    runs = 0
    for case in cases:
        source = write(case)
        expected, tolerance = attended(case, *arrays(case, random))
        for schedule in SCHEDULES:
            found = execute(case, source, "--schedule", schedule)
            if wrong := np.count_nonzero(~(np.abs(found - expected) <= tolerance)):
                sys.exit(f"{case.name}, {schedule}: {wrong} of {found.size} results are wrong")
            runs += 1
    print(f"{runs} runs agree")


def count() -> None:
    """What a thread executes in an iteration: the difference between the counters of three and of two."""
    counters = []
    for turns in (2, 3):
        case = Case(128, (128, 128), length=128 * turns)
        arrays(case, np.random.default_rng(4))
        execute(case, write(case), f"--counters={folder / 'counters.json'}", blocks=1)
        counters.append(json.loads((folder / "counters.json").read_text()))
    matrix, barriers, shared = (later - former for former, later in zip(*(
        (each["kinds"]["matrix"], each["barriers"], accesses_to_shared(each)) for each in counters)))
    assert matrix == 256 * (WGMMA_OF_TURN + FENCES + COMMITS + WAITS), matrix
    print(f"an iteration has {matrix // 256} matrix instructions, {shared} accesses to shared memory, {barriers} barriers")


def accesses_to_shared(counters: dict) -> int:
    """Without those to mbarriers."""
    return sum(line["instructions"] for line in counters["ptx_lines"]
               if re.match(r"(ld|st)\.shared|(ld|st)matrix", line["operation"]))


def assemble(ptxas: str) -> None:
    cases = [case for case in CASES if case.delayed]
    for case in cases:
        ptx = folder / "attention.ptx"
        run(tilewright, "compile", write(case), "--target", "sm_90a", "-o", ptx)
        said = run(ptxas, "-v", "-arch=sm_90a", ptx, "-o", folder / "attention.cubin")
        spilled = [*map(int, re.findall(r"(\d+) bytes (?:stack|spill)", said))]
        registers = int(re.search(r"Used (\d+) registers", said)[1])
        if not spilled or any(spilled) or "(C75" in said or registers > 224:
            sys.exit(f"{case.name}: {said}")
    print(f"{len(cases)} kernels, none spills")


if __name__ == "__main__":
    if len(sys.argv) > 3:
        assemble(sys.argv[3])
    else:
        check(CASES, write, 9)
        count()
