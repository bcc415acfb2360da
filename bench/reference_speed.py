#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the reference machine's time and memory with NumPy's.

Kernels run on one core, with all checks off or on, on the same arrays as NumPy. The result is the ratio of the
median CPU times; the spread is that of single launches, from the 10th to the 90th percentile.
Memory is the growth of the process as a multiple of the arrays' size, unless they are small compared with
the process. Exits with 1 if a ratio, the memory, or a result misses its goal.
"""

import os

for threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[threads] = "1"  # must be set before NumPy is loaded

import pathlib
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from typing import Callable

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = pathlib.Path(os.environ.get("TILEWRIGHT_PROGRAMS", ROOT / "build/bin"))
REPETITIONS = 25


@dataclass
class Case:
    name: str
    kernel: pathlib.Path
    grid: str
    inputs: list[np.ndarray]
    numpy: Callable[..., np.ndarray]
    goal: float  # as a multiple of NumPy's time
    tolerance: float  # relative to the largest element
    checks: str = "none"


def main() -> int:
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    random = np.random.default_rng(seed=2026)
    print(f"{'kernel':<28}{'NumPy':>10}{'machine':>10}{'ratio':>8}{'spread':>14}{'goal':>7}"
          f"{'memory':>9}{'goal':>6}")
    missed = 0
    for case in (product(random), addition(random), softmax(random),
                 replace(addition(random), name="additions, all checks", checks="all", goal=200),
                 # Small tiles show the cost per block; this has no goal.
                 replace(addition(random), name="additions, 1024 per block", goal=np.inf,
                         kernel=ROOT / "examples/vector_add.mlir", grid="977")):
        missed += not measure(case)
    return 1 if missed else 0


def measure(case: Case) -> bool:
    machine, memory, output = run_machine(case)
    numpy, expected = run_numpy(case)
    error = np.max(np.abs(output - expected)) / np.max(np.abs(expected))
    arrays = sum(a.nbytes for a in case.inputs) + expected.nbytes
    ratio, grown = np.median(machine) / np.median(numpy), memory / arrays
    spread = np.percentile(machine / np.median(numpy), [10, 90])
    has_memory_goal = arrays > 2**20 and case.checks == "none"
    good = ratio <= case.goal and error <= case.tolerance and not (has_memory_goal and grown > 4)
    print(f"{case.name:<28}{np.median(numpy) * 1e6:>7.0f} us{np.median(machine) * 1e6:>7.0f} us"
          f"{ratio:>8.1f}{f'{spread[0]:.1f}-{spread[1]:.1f}':>14}{case.goal:>7.0f}"
          f"{grown:>8.1f}x{'4x' if has_memory_goal else '-':>6}  {'ok' if good else 'MISSED'}")
    if not error <= case.tolerance:
        print(f"  the largest difference is {error:.1e} of the largest result")
    return good


# --- The kernels --------------------------------------------------------------------------

def product(random: np.random.Generator) -> Case:
    a, b = random.standard_normal((2, 128, 128), np.float32)
    return Case("128x128x128 f32 mma", ROOT / "bench/kernels/product.mlir", "1", [a, b], np.matmul,
                40, 1e-5)


def addition(random: np.random.Generator) -> Case:
    a, b = random.standard_normal((2, 1_000_003), np.float32)
    return Case("1,000,003 f32 additions", ROOT / "bench/kernels/addition.mlir", "62", [a, b],
                np.add, 15, 0)


def softmax(random: np.random.Generator) -> Case:
    def rows(x):
        powers = np.exp(x - x.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)

    x = random.standard_normal((257, 1000), np.float32)
    return Case("softmax of 257x1000 f32", ROOT / "examples/softmax.mlir", "257", [x], rows, 20,
                1e-5)


# --- Running them -------------------------------------------------------------------------


def run_machine(case: Case) -> tuple[np.ndarray, int, np.ndarray]:
    """The seconds of each launch, the growth of memory in bytes, and the result."""
    with tempfile.TemporaryDirectory(prefix="tilewright-bench-") as folder:
        files = []
        for i, array in enumerate([*case.inputs, np.zeros_like(case.numpy(*case.inputs))]):
            files.append(f"{folder}/{i}.npy")
            np.save(files[-1], array)
        command = [PROGRAMS / "reference_speed", case.checks, case.kernel, case.grid,
                   str(REPETITIONS), *files]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        *seconds, memory = done.stdout.split()
        return np.array(seconds, float), int(memory), np.load(files[-1])


def run_numpy(case: Case) -> tuple[np.ndarray, np.ndarray]:
    expected = case.numpy(*case.inputs)
    seconds = []
    for _ in range(REPETITIONS):
        start = time.process_time()
        case.numpy(*case.inputs)
        seconds.append(time.process_time() - start)
    return np.array(seconds), expected


if __name__ == "__main__":
    sys.exit(main())
