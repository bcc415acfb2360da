#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Are the time and memory of `tilewright distribute --check` and `tilewright simt` linear in the amount of
data that the threads hold?

Each program is checked at four sizes, in which a thread holds 1, 2, 4 and 8 times as many elements. Measured
are CPU time and peak resident memory, minus those for an empty function. The exponents are slopes in a
log-log plot over the size, 1 for a linear command. Exits with 1 if an exponent is above 1.2.
"""

import argparse
import math
import os
import pathlib
import statistics
import sys
import tempfile

from speed import record

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = str(pathlib.Path(os.environ.get("TILEWRIGHT_PROGRAMS", ROOT / "build" / "bin")) / "tilewright")
SIZES = (1, 2, 4, 8)
THREADS = "128"
LIMIT = 1.2
TIMES = 3  # repetitions; the best one counts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE",
                        help="replace the measurements in this file, as bench/results/distribute-scaling.json")
    arguments = parser.parse_args()
    missed, rows = 0, []
    print(f"{'':<36}" + "".join(f"{f'x {size}':>9}" for size in SIZES) + f"{'exponent':>10}")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "program.mlir"
        for command, options in COMMANDS.items():
            arguments = [PROGRAM, command, str(file), *options]
            file.write_text("func.func @f() { return }\n")
            empty = cost(arguments)
            for name, program in PROGRAMS.items():
                costs = []
                for size in SIZES:
                    file.write_text(program(size))
                    costs.append(cost(arguments))
                for number, unit in enumerate(("s", "MB")):
                    values = [one[number] - empty[number] for one in costs]
                    exponent = slope(values)
                    missed += exponent > LIMIT
                    rows.append([f"{command} {name}", unit, 2 if unit == "s" else 0,
                                 *(round(value, 3) for value in values)])
                    print(f"{f'{command} {name}, {unit}':<36}" + "".join(f"{v:>9.2f}" for v in values)
                          + f"{exponent:>10.2f}  {'ok' if exponent <= LIMIT else 'MISSED'}", flush=True)
    if arguments.json:
        record.write(arguments.json, {
            "fields": ["what", "unit", "digits", *(f"x{size}" for size in SIZES)], "rows": rows})
    return 1 if missed else 0


def cost(command: list[str]) -> tuple[float, float]:
    """CPU seconds and peak megabytes of a process whose output is discarded."""
    nowhere = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    costs = []
    for _ in range(TIMES):
        process = os.posix_spawn(command[0], command, os.environ, file_actions=nowhere)
        _, status, used = os.wait4(process, 0)
        if status != 0:
            sys.exit(f"{' '.join(command)}: ended with status {os.waitstatus_to_exitcode(status)}")
        costs.append((used.ru_utime + used.ru_stime, used.ru_maxrss / 1024))
    return min(seconds for seconds, _ in costs), min(megabytes for _, megabytes in costs)


def slope(values: list[float]) -> float:
    logarithms = [math.log(max(value, 1e-3)) for value in values]
    return statistics.linear_regression([math.log(size) for size in SIZES], logarithms).slope


# --- Commands and programs ------------------------------------------------------------------

COMMANDS = {
    "distribute": ["--threads", THREADS, "--check", "--runs", "1"],
    "simt": ["--random", "1"],
}


def layout(batches: list[int], outers: list[int], threads: list[int], elements: list[int],
           subgroups: list[int], subgroup_strides: list[int], thread_strides: list[int]) -> str:
    return (f"#iree_vector_ext.nested_layout<subgroup_tile = {subgroups}, batch_tile = {batches}, "
            f"outer_tile = {outers}, thread_tile = {threads}, element_tile = {elements}, "
            f"subgroup_strides = {subgroup_strides}, thread_strides = {thread_strides}>")


def copy(size: int) -> str:
    """Rows of 32 elements: eight in each of four subgroups, and `size` * 128 batches."""
    rows = layout([128 * size, 1], [1, 1], [8, 4], [1, 8], [4, 1], [1, 0], [4, 1])
    shape = f"{4096 * size}x32xf32"
    return f"""
func.func @f(%a: memref<{shape}>, %b: memref<{shape}>) {{
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f32
  %x = vector.transfer_read %a[%c0, %c0], %pad {{in_bounds = [true, true]}} : memref<{shape}>, vector<{shape}>
  %y = iree_vector_ext.to_layout %x to layout({rows}) : vector<{shape}>
  %z = arith.addf %y, %y : vector<{shape}>
  vector.transfer_write %z, %b[%c0, %c0] {{in_bounds = [true, true]}} : vector<{shape}>, memref<{shape}>
  return
}}
"""


def product(size: int) -> str:
    """A product over 2 x 2 subgroups: `size` * 128 rows on the left, 128 x 128 on the right."""
    m, n, k = 128 * size, 128, 128
    lhs = layout([m // 32, k // 16], [2, 2], [8, 4], [1, 2], [2, 1], [2, 0], [4, 1])
    rhs = layout([k // 16, n // 16], [2, 1], [4, 8], [2, 1], [1, 2], [0, 1], [1, 4])
    acc = layout([m // 32, n // 16], [2, 1], [8, 4], [1, 2], [2, 2], [2, 1], [4, 1])
    return f"""
func.func @f(%a: memref<{m}x{k}xf16>, %b: memref<{k}x{n}xf16>, %c: memref<{m}x{n}xf32>) {{
  %c0 = arith.constant 0 : index
  %pad = arith.constant 0.0 : f16
  %zero = arith.constant dense<0.0> : vector<{m}x{n}xf32>
  %x = vector.transfer_read %a[%c0, %c0], %pad {{in_bounds = [true, true]}} : memref<{m}x{k}xf16>, vector<{m}x{k}xf16>
  %y = vector.transfer_read %b[%c0, %c0], %pad {{in_bounds = [true, true]}} : memref<{k}x{n}xf16>, vector<{k}x{n}xf16>
  %l = iree_vector_ext.to_layout %x to layout({lhs}) {{mma_kind = "m16n8k16_f16"}} : vector<{m}x{k}xf16>
  %r = iree_vector_ext.to_layout %y to layout({rhs}) {{mma_kind = "m16n8k16_f16"}} : vector<{k}x{n}xf16>
  %z = iree_vector_ext.to_layout %zero to layout({acc}) : vector<{m}x{n}xf32>
  %p = vector.contract {{indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                        iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}}
       %l, %r, %z : vector<{m}x{k}xf16>, vector<{k}x{n}xf16> into vector<{m}x{n}xf32>
  vector.transfer_write %p, %c[%c0, %c0] {{in_bounds = [true, true]}} : vector<{m}x{n}xf32>, memref<{m}x{n}xf32>
  return
}}
"""


PROGRAMS = {"copy": copy, "product of fragments": product}


if __name__ == "__main__":
    sys.exit(main())
