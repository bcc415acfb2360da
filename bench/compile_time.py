#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Is compile time linear in the size of the program, and independent of the tile size?

Programs with 250 to 4000 operations of one kind are compiled for the CPU; the exponent is the slope of
log(time) over log(size), 1 for a linear compiler. Also, kernels with tiles of 32 x 32 are compared with the
same kernels with tiles of 128 x 128. Exits with 1 if an exponent is above 1.2, or a ratio above 2.

`--target sm_90a` compiles for a GPU instead, to PTX: up to 1000 operations, and then every benchmark
kernel. Of these, the median must be below 150 milliseconds of CPU time and the longest below a second,
including the start of the program. (In November 2026, the median was about 107 milliseconds on a shared
machine. The start of the program takes 25 of these; LD_DEBUG=statistics reports 311,000 relative relocations
and 47,000 others, most of them in libLLVM and libMLIR.) There, the compiler's instructions are counted, too
(with valgrind's callgrind): if their exponent is smaller, the additional time comes from data that no longer
fit into caches. (Four times as many loads and stores, 250 to 1000, take 4.5 times the instructions, but
have 11 times the misses in a 16 MiB cache, according to cachegrind with --LL=16777216,16,64.)
Masked stores cost more below some 250 operations, where LLVM's
straight-line strength reduction is still enabled (codegen/workarounds/StrengthReductionGate.cpp).
"""

import argparse
import math
import os
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
os.environ.setdefault("TILEWRIGHT_PROGRAMS", str(HERE.parent / "build/bin"))

from speed.kernels import substituted  # noqa: E402
from speed.libraries import PROGRAMS  # noqa: E402

LIMIT = 60  # seconds per compilation
SIZES = (250, 500, 1000, 2000, 4000)
GEMM = dict(T="f32", S="f32", mma="mmaf", signs="", nothing="0.0", TK=32)
VIEW = "tensor_view<?x?xf32, strides=[?, 1]>"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--target", help="a GPU, such as sm_90a")
    arguments = parser.parse_args()
    if arguments.target:
        with tempfile.TemporaryDirectory() as folder:
            return for_gpu(arguments.target, pathlib.Path(folder))
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        print(f"{'milliseconds of':<20}" + "".join(f"{size:>9}" for size in SIZES) + f"{'exponent':>10}")
        for name, line in OPERATIONS.items():
            times = []
            for size in SIZES:  # stop after the first timeout
                too_long = times and times[-1] == math.inf
                times.append(math.inf if too_long else milliseconds(chain(line, size), scratch))
            exponent = slope([math.log(s) for s in SIZES], [math.log(t) for t in times])
            missed += exponent > 1.2
            print(f"{name:<20}" + "".join(f"{t:>9.1f}" for t in times) + f"{exponent:>10.2f}"
                  f"  {'ok' if exponent <= 1.2 else 'MISSED'}", flush=True)
        print(f"\n{'milliseconds of tile':<20}{'32x32':>9}{'128x128':>9}{'ratio':>9}")
        for name, program in TILED.items():
            small, large = (milliseconds(program(tile), scratch) for tile in (32, 128))
            missed += large / small > 2
            print(f"{name:<20}{small:>9.1f}{large:>9.1f}{large / small:>9.2f}"
                  f"  {'ok' if large / small <= 2 else 'MISSED'}", flush=True)
    return 1 if missed else 0


def milliseconds(program: str, scratch: pathlib.Path) -> float:
    """The best of three times, or a single long one; infinite beyond a minute."""
    file = scratch / "program.mlir"
    file.write_text(program)

    def best_of(turns: int) -> float:
        result = subprocess.run([PROGRAMS / "jit_speed", file, str(turns), scratch / "cache"],
                                check=True, capture_output=True, text=True, timeout=LIMIT)
        return 1e3 * min(float(line.split()[0]) for line in result.stdout.splitlines())
    try:
        once = best_of(1)
        return once if once > 500 else min(once, best_of(3))
    except subprocess.TimeoutExpired:
        return math.inf


def for_gpu(target: str, scratch: pathlib.Path) -> int:
    missed = 0
    file = scratch / "program.mlir"
    for what, sizes, cost in (("milliseconds of", (250, 500, 1000), gpu_milliseconds),
                              ("10^6 instructions of", (125, 250, 500), gpu_instructions)):
        file.write_text(chain(OPERATIONS["additions"], 1))
        start = cost(file, target)
        print(f"{what:<20}" + "".join(f"{size:>9}" for size in sizes) + f"{'exponent':>10}")
        for name, line in OPERATIONS.items():
            costs = []
            for size in sizes:
                file.write_text(chain(line, size))
                costs.append(max(1, cost(file, target) - start))
            exponent = slope([math.log(s) for s in sizes], [math.log(t) for t in costs])
            missed += exponent > 1.2
            print(f"{name:<20}" + "".join(f"{t:>9.1f}" for t in costs) + f"{exponent:>10.2f}"
                  f"  {'ok' if exponent <= 1.2 else 'MISSED'}", flush=True)
    sys.path.insert(0, str(HERE.parent / "scripts"))
    import kernels
    found, left_out = kernels.kernels_of_benchmarks()
    for reason in left_out:
        print(f"left out: {reason}")
    for kernel in found:
        kernel.write(scratch)
    times = sorted((gpu_milliseconds(scratch / kernel.name, target), kernel.name) for kernel in found)
    median = statistics.median(time for time, _ in times)
    missed += median > 150 or times[-1][0] > 1000
    print(f"\n{len(found)} kernels of the benchmarks: median {median:.0f} ms, longest {times[-1][0]:.0f} ms "
          f"({times[-1][1]})")
    return 1 if missed else 0


def gpu_milliseconds(file: pathlib.Path, target: str) -> float:
    """CPU time; the best of three."""
    def used() -> float:
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return 1e3 * (usage.ru_utime + usage.ru_stime)

    def once() -> float:
        before = used()
        subprocess.run([PROGRAMS / "tilewright", "compile", file, "--target", target, "-o",
                        file.with_suffix(".ptx")], check=True, capture_output=True)
        return used() - before
    return min(once() for _ in range(3))


def gpu_instructions(file: pathlib.Path, target: str) -> float:
    """The compiler's instructions, in millions."""
    said = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
                           PROGRAMS / "tilewright", "compile", file, "--target", target, "-o",
                           file.with_suffix(".ptx")], check=True, capture_output=True, text=True).stderr
    return int(re.search(r"Collected : (\d+)", said)[1]) / 1e6


def slope(x: list[float], y: list[float]) -> float:
    if math.inf in y:
        return math.inf
    return statistics.linear_regression(x, y).slope


# --- Programs by size ---------------------------------------------------------------------

# Each has a line or two per operation, which computes %v{j} from %v{i}.
OPERATIONS = {
    "additions": "%v{j} = addf %v{i}, %x : tile<1024xf32>",
    "exponentials": "%v{j} = exp %v{i} : tile<1024xf32>",
    "scalars": "%n{j} = muli %n{i}, %n{i} : tile<i32>",
    "sums of rows": """%s{j} = reduce %v{i} dim=0 identities=[0.0 : f32] : tile<1024xf32> -> tile<f32>
      (%e: tile<f32>, %f: tile<f32>) {{ %g = addf %e, %f : tile<f32> yield %g : tile<f32> }}
      %r{j} = reshape %s{j} : tile<f32> -> tile<1xf32>
      %b{j} = broadcast %r{j} : tile<1xf32> -> tile<1024xf32>
      %v{j} = subf %v{i}, %b{j} : tile<1024xf32>""",
    "loads and stores": """%l{j}, %k{j} = load_view_tko weak %t[%n0] token = %k{i} : !t, tile<i32> -> tile<1024xf32>, token
      %k{j}x = store_view_tko weak %l{j}, %t[%x0] token = %k{j} : tile<1024xf32>, !t, tile<i32> -> token""",
    "masked stores": """%j{j} = addi %j{i}, %j0 : tile<1024xi32>
      %q{j} = offset %pointers, %j{j} : tile<1024xptr<f32>>, tile<1024xi32> -> tile<1024xptr<f32>>
      %k{j} = store_ptr_tko weak %q{j}, %v0, %mask : tile<1024xptr<f32>>, tile<1024xf32>, tile<1024xi1> -> token""",
}


def chain(line: str, size: int) -> str:
    per_step = 1 + line.count("\n")
    steps = max(1, size // per_step)
    body = "\n      ".join(line.format(i=i, j=i + 1) for i in range(steps))
    if "%k{j}x" in line:
        body = body.replace("token = %k0 ", "token = %first ")
    result = f"%v{steps}" if "%v{j}" in line else "%x"
    return f"""
!v = !cuda_tile.tensor_view<?xf32, strides=[1]>
!t = !cuda_tile.partition_view<tile=(1024), tensor_view<?xf32, strides=[1]>>
cuda_tile.module @m {{
  entry @k(%p: tile<ptr<f32>>, %n0: tile<i32>, %x0: tile<i32>) {{
      %v = make_tensor_view %p, shape = [%n0], strides = [1] : tile<i32> -> !v
      %t = make_partition_view %v : !t
      %first = make_token : token
      %x, %kx = load_view_tko weak %t[%x0] token = %first : !t, tile<i32> -> tile<1024xf32>, token
      %v0 = addf %x, %x : tile<1024xf32>
      %j0 = iota : tile<1024xi32>
      %one_p = reshape %p : tile<ptr<f32>> -> tile<1xptr<f32>>
      %pointers = broadcast %one_p : tile<1xptr<f32>> -> tile<1024xptr<f32>>
      %one_n = reshape %n0 : tile<i32> -> tile<1xi32>
      %ns = broadcast %one_n : tile<1xi32> -> tile<1024xi32>
      %mask = cmpi less_than %j0, %ns, signed : tile<1024xi32> -> tile<1024xi1>
      {body}
      %z = store_view_tko weak {result}, %t[{'%n' + str(steps) if '%n{j}' in line else '%n0'}] token = %kx : tile<1024xf32>, !t, tile<i32> -> token
      return
  }}
}}
"""


# --- Programs by tile ---------------------------------------------------------------------

def gemm(tile: int) -> str:
    return substituted("gemm", TM=tile, TN=tile, **GEMM)


def on_tile(tile: int, body: str) -> str:
    """`body` computes %y from %x, both f32 tiles; {t} stands for their extents."""
    t = f"{tile}x{tile}"
    partition = f"!cuda_tile.partition_view<tile=({t}), {VIEW}>"
    return f"""
cuda_tile.module @m {{
  entry @k(%p: tile<ptr<f32>>, %m: tile<i32>, %n: tile<i32>) {{
    %v = make_tensor_view %p, shape = [%m, %n], strides = [%n, 1] : tile<i32> -> !cuda_tile.{VIEW}
    %t = make_partition_view %v : {partition}
    %i, %j, %k = get_tile_block_id : tile<i32>
    %x, %x_token = load_view_tko weak %t[%i, %j] : {partition}, tile<i32> -> tile<{t}xf32>, token
{body.replace('{t}', t).replace('{n}', str(tile))}
    %y_token = store_view_tko weak %y, %t[%i, %j] token = %x_token : tile<{t}xf32>, {partition}, tile<i32> -> token
    return
  }}
}}
"""


SOFTMAX = """
    %largest = reduce %x dim=1 identities=[0xFF800000 : f32] : tile<{t}xf32> -> tile<{n}xf32>
    (%e: tile<f32>, %f: tile<f32>) { %g = maxf %e, %f : tile<f32> yield %g : tile<f32> }
    %column = reshape %largest : tile<{n}xf32> -> tile<{n}x1xf32>
    %wide = broadcast %column : tile<{n}x1xf32> -> tile<{t}xf32>
    %shifted = subf %x, %wide : tile<{t}xf32>
    %powers = exp %shifted : tile<{t}xf32>
    %sum = reduce %powers dim=1 identities=[0.0 : f32] : tile<{t}xf32> -> tile<{n}xf32>
    (%e: tile<f32>, %f: tile<f32>) { %g = addf %e, %f : tile<f32> yield %g : tile<f32> }
    %sums = reshape %sum : tile<{n}xf32> -> tile<{n}x1xf32>
    %sums_wide = broadcast %sums : tile<{n}x1xf32> -> tile<{t}xf32>
    %y = divf %powers, %sums_wide : tile<{t}xf32>"""
ELEMENTWISE = """
    %a = mulf %x, %x : tile<{t}xf32>
    %b = exp %a : tile<{t}xf32>
    %c = tanh %b : tile<{t}xf32>
    %y = addf %c, %x : tile<{t}xf32>"""
TRANSPOSE = """
    %y = permute %x [1, 0] : tile<{t}xf32> -> tile<{t}xf32>"""
TILED = {"gemm": gemm, "softmax": lambda n: on_tile(n, SOFTMAX),
         "elementwise": lambda n: on_tile(n, ELEMENTWISE),
         "transpose": lambda n: on_tile(n, TRANSPOSE)}


if __name__ == "__main__":
    sys.exit(main())
