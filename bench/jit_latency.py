#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long until a kernel runs? Within a process, three kernels are compiled from file to callable function,
and compared with clang compiling the same function in C++ (bench/peers) to an object; then loaded from
the cache, and compared with compiling. Finally, a whole process that loads `vector_add` from the cache is
compared with a Python process that imports NumPy. All are measured alternately; ratios are taken per round.

Exits with 1 if a goal is missed: half of clang's time, a twentieth with the cache, 1.5 times NumPy's.
"""

import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
os.environ.setdefault("TILEWRIGHT_PROGRAMS", str(HERE.parent / "build/bin"))

from speed.kernels import substituted  # noqa: E402
from speed.libraries import PROGRAMS, ROOT  # noqa: E402
from speed.figures import quartiles  # noqa: E402

TURNS = 15
GEMM = dict(T="f32", S="f32", TM=128, TN=128, TK=64, mma="mmaf", signs="", nothing="0.0")
KERNELS = {"softmax": dict(N=4096), "layer_norm": dict(N=4096, share=1 / 4096), "gemm": GEMM}


def main() -> int:
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        print(f"{'':<34}{'ms':>8}{'ms':>8}{'ratio':>8}  {'quartiles':<14}{'goal':>6}")
        for name, values in KERNELS.items():
            file = scratch / f"{name}.mlir"
            file.write_text(substituted(name, **values))
            missed += not compile_beside_clang(name, file, scratch)
        missed += not process_beside_numpy(scratch)
    return 1 if missed else 0


def compile_beside_clang(name: str, file: pathlib.Path, scratch: pathlib.Path) -> bool:
    clang = shutil.which("clang++-22") or shutil.which("clang++") or sys.exit("no clang")
    peer = [clang, "-O2", "-march=native", "-fopenmp-simd", "-ffast-math", "-c",
            str(ROOT / f"bench/peers/{name}.cpp"), "-o", str(scratch / "peer.o")]
    ours = [str(PROGRAMS / "jit_speed"), str(file), "1", str(scratch / "cache")]
    seconds(peer), seconds(ours)  # fills the page cache and the compile cache
    cold, cached, clangs = [], [], []
    for _ in range(TURNS):
        line = subprocess.run(ours, check=True, capture_output=True, text=True).stdout
        first, second = map(float, line.split())
        cold.append(first), cached.append(second), clangs.append(seconds(peer))
    good = show(f"{name}: compiled, clang", cold, clangs, 0.5)
    return show(f"{name}: from the cache, compiled", cached, cold, 0.05) and good


def process_beside_numpy(scratch: pathlib.Path) -> bool:
    os.environ["TILEWRIGHT_CACHE_DIR"] = str(scratch / "processes")
    array = "array:iota(2500xf32)"
    ours = [str(PROGRAMS / "tilewright"), "run", str(ROOT / "examples/vector_add.mlir"), "--grid", "3",
            "--arg", array, "--arg", array, "--arg", "array:zeros(2500xf32)", "--device", "cpu"]
    numpy = [sys.executable, "-c", "import numpy"]
    seconds(ours), seconds(numpy)
    pairs = [(seconds(ours), seconds(numpy)) for _ in range(3 * TURNS)]
    return show("process: vector_add, import numpy", *zip(*pairs), 1.5)


def seconds(command: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - started


def show(what: str, ours, others, goal: float) -> bool:
    low, middle, high = quartiles([a / b for a, b in zip(ours, others)])
    good = middle <= goal
    print(f"{what:<34}{1e3 * statistics.median(ours):>8.1f}{1e3 * statistics.median(others):>8.1f}"
          f"{middle:>8.3f}  {f'{low:.3f}-{high:.3f}':<14}{goal:>6}  {'ok' if good else 'MISSED'}",
          flush=True)
    return good


if __name__ == "__main__":
    sys.exit(main())
