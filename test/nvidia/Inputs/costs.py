# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the memory costs of kernels on a GPU: accesses, sectors and bank-conflict cycles, counted by the PTX machine.

`costs.py TILEWRIGHT ROOT FOLDER` compares each kernel with the ideal for its arrays, and the table in docs/nvidia-costs.md
with the counts. `--write` writes the table.
"""

import json
import pathlib
import string
import subprocess
import sys
from dataclasses import dataclass

TARGET = "sm_90a"
BEGIN, END = "<!-- costs.py writes this -->\n", "<!-- until here -->\n"
BYTES = {"i8": 1, "f16": 2, "bf16": 2, "f32": 4, "i32": 4, "f64": 8}


@dataclass
class Case:
    name: str
    text: str
    grid: str
    arguments: list[str]
    moved: int  # bytes that blocks read and write
    maps: int = 0  # tensor maps that all blocks make; the kernel asks whether arrays permit them


class Cases:
    def __init__(self, root: pathlib.Path):
        self.kernels = root / "bench/kernels"
        self.gathers = root / "test/nvidia/Inputs/gathers"

    def substituted(self, name: str, **values) -> str:
        text = string.Template((self.kernels / f"{name}.mlir").read_text())
        return text.substitute({key: str(value) for key, value in values.items()})

    def all(self) -> list[Case]:
        cases = [self.vectors(), *self.by_gathers()]
        cases += [self.rows("softmax", columns) for columns in (1024, 4096)]
        cases += [self.rows("layer_norm", 1024), self.rows("rms_norm", 1024)]
        cases += [self.transpose(element, tile) for element, tile in
                  (("f32", 32), ("f32", 64), ("f16", 64), ("i8", 64), ("f64", 64))]
        return cases + [
            self.product("bf16", "f32", (64, 64, 32)), self.product("bf16", "f32", (128, 128, 64)),
            self.product("f16", "f16", (64, 64, 32)), self.product("i8", "i32", (64, 64, 64)),
            self.product("f32", "f32", (64, 64, 32))]

    def vectors(self) -> Case:
        array = "zeros(2048xf32)"
        return Case("vector add 1024", self.substituted("vector_add", N=1024), "2", [array] * 3 + ["2048"], 3 * 2048 * 4)

    def by_gathers(self) -> list[Case]:
        add, norm = ((self.gathers / f"{name}.mlir").read_text() for name in ("vector_add", "rms_norm"))
        vector, matrix = "array:zeros(2048xf32)", "array:zeros(2x1024xf32)"
        return [Case("vector add 1024, by gathers", add, "2", [vector] * 3, 3 * 2048 * 4),
                Case("RMS norm 1024, by gathers", norm, "2", [matrix, "array:zeros(1024xf32)", matrix], 3 * 2048 * 4)]

    def rows(self, name: str, columns: int) -> Case:
        matrix = f"zeros(2x{columns}xf32)"
        weights = {"softmax": 0, "layer_norm": 2, "rms_norm": 1}[name]
        arguments = [matrix] + ([matrix] if weights else []) + [matrix, "2"]
        text = self.substituted(name, N=columns, share=1 / columns)
        words = {"softmax": "softmax", "layer_norm": "layer norm", "rms_norm": "RMS norm"}[name]
        return Case(f"{words} {columns}", text, "2", arguments, 2 * columns * 4 * (2 + weights))

    def transpose(self, element: str, tile: int) -> Case:
        text = self.substituted("transpose", TM=tile, TN=tile).replace("f32", element)
        side = 2 * tile
        matrix = f"zeros({side}x{side}x{element})"
        return Case(f"transpose {element} {tile}x{tile}", text, "2,2", [matrix, matrix, str(side), str(side)],
                    2 * side * side * BYTES[element])

    def product(self, element: str, sums: str, tile: tuple[int, int, int]) -> Case:
        """Four blocks, whose loops have several iterations."""
        rows, columns, step = tile
        is_integer = element == "i8"
        text = self.substituted("gemm", T=element, S=sums, TM=rows, TN=columns, TK=step, nothing="0" if is_integer else "0.0",
                                mma="mmai" if is_integer else "mmaf", signs="signed signed" if is_integer else "")
        m, n, k = 2 * rows, 2 * columns, 128
        arguments = [f"zeros({m}x{k}x{element})", f"zeros({k}x{n}x{element})", f"zeros({m}x{n}x{sums})", str(m), str(n), str(k)]
        moved = 4 * ((rows + columns) * k * BYTES[element] + rows * columns * BYTES[sums])
        maps = 4 * 2 if element != "f32" else 0
        return Case(f"product {element} {rows}x{columns}x{step}", text, "2,2", arguments, moved, maps)


def counted(tilewright: str, case: Case, folder: pathlib.Path) -> dict:
    source, counters = folder / "kernel.mlir", folder / "counters.json"
    source.write_text(case.text)
    arguments = [word for argument in case.arguments for word in ("--arg", argument)]
    done = subprocess.run([tilewright, "run", source, "--device", "ptx", "--target", TARGET, "--grid", case.grid,
                           f"--counters={counters}", *arguments], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{case.name}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
    return json.loads(counters.read_text())


def faults(case: Case, counts: dict) -> list[str]:
    """Deviations from the ideal: 16 bytes in each of 32 lanes, whole sectors, no bank conflicts."""
    reached = counts["global"], counts["shared"]
    expected = {"sectors": (reached[0]["sectors"], case.moved // 32 + case.maps)}
    # One access of a tensor map moves a whole tile.
    if not case.maps or reached[0]["accesses"] > case.moved // 512:
        expected["accesses"] = reached[0]["accesses"], case.moved // 512
    expected["bank cycles"] = reached[1]["bank_cycles"], reached[1]["ideal_bank_cycles"]
    return [f"{case.name}: {found} {what}, expected {ideal}" for what, (found, ideal) in expected.items() if found != ideal]


def main() -> None:
    tilewright, root, folder = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    page = root / "docs/nvidia-costs.md"
    table = ["| kernel | accesses (ideal) | sectors (ideal) | shared accesses | bank cycles (ideal) | barriers |\n", "|---|---|---|---|---|---|\n"]
    wrong = []
    cases = Cases(root).all()
    for case in cases:
        counts = counted(tilewright, case, folder)
        wrong += faults(case, counts)
        memory, shared = counts["global"], counts["shared"]
        table.append(f"| {case.name} | {memory['accesses']} ({case.moved // 512}) | {memory['sectors']} ({case.moved // 32}) "
                     f"| {shared['accesses']} | {shared['bank_cycles']} ({shared['ideal_bank_cycles']}) | {counts['barriers']} |\n")
    text = page.read_text()
    before, rest = text.split(BEGIN)
    _, after = rest.split(END)
    new = before + BEGIN + "".join(table) + END + after
    if "--write" in sys.argv:
        page.write_text(new)
    elif new != text:
        wrong.append(f"{page}: the table is not what is counted; run costs.py with --write:\n" + "".join(table))
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"{len(cases)} kernels, all with the ideal accesses, sectors and bank cycles")


main()
