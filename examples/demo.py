# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the example kernels with NumPy.

Every example gets inputs generated with NumPy and runs through `tilewright run`, compiled and then
on the reference machine with all its checks; both outputs are compared with the same
computation in float64. With --schedules N the machine runs it N more times, each time in another
legal order of blocks and accesses, and must give identical bits. Exits with 1 if a difference
exceeds the tolerance, or any bit differs between schedules.
"""

import argparse
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

import numpy as np

HERE = pathlib.Path(__file__).parent
EPSILON = 2.0**-24  # half an ulp of f32, relative


@dataclass
class Example:
    kernel: str  # the entry, in the file of the same name
    shapes: str
    grid: tuple[int, ...]
    inputs: list[np.ndarray]
    expected: np.ndarray  # computed in float64
    tolerance: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tilewright", default="build/bin/tilewright", help="the program")
    parser.add_argument("--schedules", type=int, default=0, metavar="N",
                        help="random schedules to try as well (%(default)s)")
    arguments = parser.parse_args()
    tilewright = arguments.tilewright

    if not shutil.which(tilewright):
        parser.error(f"there is no program '{tilewright}'")
    print(f"{'kernel':<12}{'shapes':<40}{'grid':<9}{'max error':>11}{'tolerance':>11}"
          f"{'compiled':>11}{'checked':>10}")
    random = np.random.default_rng(seed=2026)
    missed = 0
    for example in (vector_add(random), matmul(random), softmax(random)):
        compiled, seconds = run(tilewright, example)
        output, checked = run(tilewright, example, "--check", "all")
        error = np.max(np.abs(np.stack((compiled, output)) - example.expected))
        good = error <= example.tolerance  # false for NaN
        differing = [seed for seed in range(1, arguments.schedules + 1)
                     if not same_bits(output, run(tilewright, example, "--schedule", "random",
                                                  "--seed", str(seed))[0])]
        if differing:
            print(f"{example.kernel}: other bits under the schedules {differing}")
        missed += not good or bool(differing)
        grid = "x".join(map(str, example.grid))
        print(f"{example.kernel:<12}{example.shapes:<40}{grid:<9}{error:>11.2e}"
              f"{example.tolerance:>11.2e}{seconds:>9.2f} s{checked:>8.2f} s  "
              f"{'ok' if good else 'MISSED'}")
    print("All kernels are within tolerance." if not missed else
          f"{missed} of the kernels missed the tolerance, or differ between schedules.")
    return 1 if missed else 0


# --- The examples ---------------------------------------------------------------------


def vector_add(random: np.random.Generator) -> Example:
    n = 1_000_003  # prime: the last tile is partial whatever the tile size
    a, b = random.standard_normal((2, n), np.float32)
    expected = a.astype(np.float64) + b
    # A single correctly rounded addition.
    return Example("vector_add", f"{n:,} + {n:,}, f32", (blocks(n, 1024),), [a, b], expected,
                   EPSILON * np.max(np.abs(expected)))


def matmul(random: np.random.Generator) -> Example:
    m, n, k = 300, 200, 170
    a = random.standard_normal((m, k), np.float32).astype(np.float16)
    b = random.standard_normal((k, n), np.float32).astype(np.float16)
    a64, b64 = a.astype(np.float64), b.astype(np.float64)
    # Products of f16 are exact in f32. Whatever the order of the K-1 additions, each rounds by
    # at most EPSILON times the sum of magnitudes, to first order.
    return Example("matmul", f"{m}x{k} * {k}x{n}, f16 to f32", (blocks(m, 32), blocks(n, 32)),
                   [a, b], a64 @ b64, k * EPSILON * np.max(np.abs(a64) @ np.abs(b64)))


def softmax(random: np.random.Generator) -> Example:
    rows, columns = 257, 1000
    x = random.standard_normal((rows, columns), np.float32)
    powers = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    expected = powers / powers.sum(axis=1, keepdims=True)
    # Relative to each element: rounding x - max, below 16, adds 16 EPSILON to the
    # exponential; exp 4 (2 ulps); the sum again as much plus 10 for ten levels; division 1.
    return Example("softmax", f"rows of {rows}x{columns}, f32", (rows,), [x], expected,
                   51 * EPSILON * np.max(expected))


def blocks(extent: int, tile: int) -> int:
    """How many tiles cover the extent."""
    return -(-extent // tile)


# --- Running one ----------------------------------------------------------------------


def same_bits(one: np.ndarray, other: np.ndarray) -> bool:
    return one.dtype == other.dtype and one.tobytes() == other.tobytes()


def run(tilewright: str, example: Example, *options: str) -> tuple[np.ndarray, float]:
    """The kernel's output and the duration of the whole command in seconds; `options` select the
    reference machine, which is not the default."""
    with tempfile.TemporaryDirectory(prefix="tilewright-demo-") as folder:
        folder = pathlib.Path(folder)
        command = [tilewright, "run", str(HERE / f"{example.kernel}.mlir"), *options,
                   "--entry", example.kernel, "--grid", ",".join(map(str, example.grid))]
        for index, array in enumerate(example.inputs):
            file = folder / f"in{index}.npy"
            np.save(file, array)
            command += ["--arg", f"array:{file}"]
        shape = "x".join(map(str, example.expected.shape))
        result = folder / "out.npy"
        command += ["--arg", f"array:zeros({shape}xf32),out={result}"]

        start = time.perf_counter()
        ended = subprocess.run(command)
        seconds = time.perf_counter() - start
        if ended.returncode != 0:
            sys.exit(f"demo: {example.kernel} ended with status {ended.returncode}: "
                     + " ".join(command))
        return np.load(result, allow_pickle=False), seconds


if __name__ == "__main__":
    sys.exit(main())
