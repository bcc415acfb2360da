#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the cost of a launch from Python, and the time until the first launch has finished.

Warm: an addition of 1,000 f32 elements in one tile block, with `kernel[grid]`, `tilewright.cutile.launch`,
`tilewright.jax.call` and a `tilewright.torch` operator, and with NumPy, JAX, PyTorch and Numba themselves,
alternately; prints medians with quartiles, and the ratio to NumPy. Missing frameworks are listed;
`.venv-frameworks` has all (./dev test frameworks). First launch, in a new process with an empty cache: the
time to import the package, and to translate, compile and launch a cuTile kernel. The same for a script that
calls `ct.launch` under `tilewright exec`: the time of its first launch, the part of it spent in programs
that cuTile starts, and the first launch of a second kernel, when all of cuTile is loaded. `--warm` skips the
first launches. If PyTorch is installed, cuda-tile imports it, too. Exits with 1 if a goal is
missed.
"""

import argparse
import importlib.util
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "build/python"))
COUNT = 1000
ROUNDS = 2000
PROCESSES = 7
GOALS = {"kernel[grid]": 15e-6, "import tilewright": 30e-3, "first launch": 150e-3, "first ct.launch": 150e-3}

FIRST = """
import time
import numpy as np
import cuda.tile as ct

@ct.kernel
def add(x, y, z):
    i = ct.bid(0)
    ct.store(z, (i,), ct.load(x, (i,), (256,)) + ct.load(y, (i,), (256,)))

x, y, z = np.ones((3, 1024), np.float32)
start = time.perf_counter()
import tilewright
imported = time.perf_counter()
import tilewright.cutile
loaded = time.perf_counter()
tilewright.cutile.launch(4, add, (x, y, z))
launched = time.perf_counter()
tilewright.cutile.export(add, (x, y, z))
print(imported - start, loaded - imported, launched - loaded, time.perf_counter() - launched)
"""


FIRST_CT = """
import subprocess
import time
import numpy as np
import cuda.tile as ct

class Array:
    def __init__(self, array):
        self.__cuda_array_interface__ = {**array.__array_interface__, "version": 3}

@ct.kernel
def add(x, y, z):
    i = ct.bid(0)
    ct.store(z, (i,), ct.load(x, (i,), (256,)) + ct.load(y, (i,), (256,)))

@ct.kernel
def multiply(x, y, z):
    i = ct.bid(0)
    ct.store(z, (i,), ct.load(x, (i,), (256,)) * ct.load(y, (i,), (256,)))

in_programs = 0
run = subprocess.run

def timed_run(*arguments, **options):
    global in_programs
    start = time.perf_counter()
    try:
        return run(*arguments, **options)
    finally:
        in_programs += time.perf_counter() - start

subprocess.run = timed_run
arrays = np.ones((3, 1024), np.float32)
x, y, z = map(Array, arrays)
start = time.perf_counter()
ct.launch(0, (4,), add, (x, y, z))
launched, first_programs = time.perf_counter(), in_programs
assert (arrays[2] == 2).all()
ct.launch(0, (4,), multiply, (x, y, z))
second = time.perf_counter()
assert (arrays[2] == 1).all()
print(launched - start, first_programs, second - launched, in_programs - first_programs)
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--warm", action="store_true", help="only the first table")
    only_warm = parser.parse_args().warm
    missed = warm()
    return 1 if (not only_warm and first()) or missed else 0


def warm() -> bool:
    import cuda.tile as ct
    import numpy as np
    import tilewright
    from tilewright import cutile

    @ct.kernel
    def add(x, y, z):
        i = ct.bid(0)
        ct.store(z, (i,), ct.load(x, (i,), (1024,)) + ct.load(y, (i,), (1024,)))

    x, y, z = np.ones((3, COUNT), np.float32)
    kernel = tilewright.load(ROOT / "examples/vector_add.mlir")["vector_add"].compile()
    calls = {
        "numpy.add": lambda: np.add(x, y, out=z),
        "kernel[grid]": lambda: kernel[1](x, COUNT, 1, y, COUNT, 1, z, COUNT, 1),
        "cutile.launch": lambda: cutile.launch(1, add, (x, y, z)),
    }
    for module, peers in {"numba": numba_calls, "jax": jax_calls, "torch": torch_calls}.items():
        if importlib.util.find_spec(module):
            calls.update(peers(add, x, y))
        else:
            print(f"skipped: {module} is not installed")
    for call in calls.values():
        call()  # the first call compiles
    times = {name: [] for name in calls}
    for round in range(ROUNDS):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - start)
    base = statistics.median(times["numpy.add"])
    print(f"{'warm':<20}{'median':>10}{'quartiles':>20}{'to NumPy':>10}")
    missed = False
    for name, values in times.items():
        lower, middle, upper = (1e6 * value for value in statistics.quantiles(values, n=4))
        missed |= middle > 1e6 * GOALS.get(name, float("inf"))
        print(f"{name:<20}{middle:>7.2f} us{lower:>10.2f} to{upper:>7.2f}{middle / base / 1e6:>10.1f}"
              + verdict(name, middle / 1e6))
    return missed


def numba_calls(add, x, y):
    import numba
    import numpy as np
    compiled = numba.njit(lambda x, y, z: np.add(x, y, z))
    z = np.empty_like(x)
    return {"numba.njit": lambda: compiled(x, y, z)}


def jax_calls(add, x, y):
    import jax
    import tilewright.jax
    own = jax.jit(lambda x, y: x + y)
    ours = jax.jit(lambda x, y: tilewright.jax.call(
        add, 1, x, y, out=jax.ShapeDtypeStruct(x.shape, x.dtype)))
    x, y = jax.numpy.asarray(x), jax.numpy.asarray(y)
    return {"jax.jit": lambda: own(x, y).block_until_ready(),
            "tilewright.jax.call": lambda: ours(x, y).block_until_ready()}


def torch_calls(add, x, y):
    import tilewright.torch
    import torch

    def like(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.empty_like(x)

    ours = tilewright.torch.custom_op("tilewright_bench::add", add, grid=1, out=like)
    x, y = torch.from_numpy(x), torch.from_numpy(y)
    return {"torch.add": lambda: torch.add(x, y), "tilewright.torch": lambda: ours(x, y)}


def first() -> bool:
    direct = measure_first(FIRST, [], ("import tilewright", "import .cutile", "first launch", "export again"))
    print("(export again: what cuda-tile takes to translate the kernel once more)")
    unmodified = measure_first(FIRST_CT, ["-m", "tilewright"],
                               ("first ct.launch", "  in programs", "second kernel", "  in programs"))
    return direct or unmodified


def measure_first(text: str, options: list[str], names: tuple[str, ...]) -> bool:
    """Runs a script that prints seconds, each time in a new process with empty caches. Prints a table,
    and returns whether a goal was missed."""
    columns = [[] for _ in names]
    for _ in range(PROCESSES):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "first.py"
            script.write_text(text)
            ended = subprocess.run([sys.executable, *options, script], check=True, capture_output=True, text=True,
                                   env={**os.environ, "PYTHONPATH": sys.path[0],
                                        "TILEWRIGHT_CACHE_DIR": str(pathlib.Path(folder) / "cache"),
                                        "CUDA_TILE_CACHE_DIR": str(pathlib.Path(folder) / "cutile")})
        for column, value in zip(columns, ended.stdout.split(), strict=True):
            column.append(float(value))
    print(f"\n{'first':<20}{'median':>10}{'least':>10}{'most':>10}")
    missed = False
    for name, column in zip(names, columns):
        middle = statistics.median(column)
        missed |= middle > GOALS.get(name, float("inf"))
        print(f"{name:<20}{1e3 * middle:>7.1f} ms{1e3 * min(column):>10.1f}{1e3 * max(column):>10.1f}"
              + verdict(name, middle))
    return missed


def verdict(name: str, value: float) -> str:
    if name not in GOALS:
        return ""
    return "  ok" if value <= GOALS[name] else f"  MISSED: goal {1e6 * GOALS[name]:.0f} us"


if __name__ == "__main__":
    sys.exit(main())
