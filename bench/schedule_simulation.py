#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Simulates how work stealing balances a launch whose blocks take different times.

Records the time of each block of causal attention, in which the last blocks of a head read all keys
and the first ones few, by running them one by one. Then `share_simulation` simulates launches on 2 to 256
threads with the runtime's work-stealing code (`runtime/WorkQueue.h`), in the attention's order and, as in its
gradient, with the longest blocks of a head first. Compares with two static schedules: ranges with equal
numbers of blocks, as in a static loop, and the optimal ranges for these times, which are not known in
advance. Exits with 1 if a launch takes over 5 % longer than with the optimal ranges."""

import argparse
import ctypes
import pathlib
import subprocess
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from speed import record  # noqa: E402
from speed.kernels import Const, Launch, compiled_cutile, resolved  # noqa: E402
from speed.libraries import PROGRAMS  # noqa: E402

HEADS, LENGTH, DEPTH, TILE = 16, 8192, 64, 64
THREADS = (2, 8, 64, 256)
LATE = 20e-6  # seconds until workers have woken up; the calling thread starts at once
TAKE = 50e-9  # seconds to take blocks from a thread's own chunk
LOOK = 50e-9  # seconds to inspect another thread's chunk
REPEATS, GOAL = 3, 1.05


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE",
                        help="replace the measurements in this file, as bench/results/schedule-simulation.json")
    arguments = parser.parse_args()
    times = times_of_blocks()
    count, rows = len(times), []
    print(f"{count} blocks of causal attention, {times.min() * 1e6:.0f} to {times.max() * 1e6:.0f} us, "
          f"{times.sum():.2f} s in all\n")
    missed = False
    falling = times.reshape(HEADS, -1)[:, ::-1].reshape(-1)
    for order, of in (("longest last", times), ("longest first", falling)):
        print(f"{order + ':':<15}{'threads':>8}{'ideal':>12}{'ours':>12}{'over ideal':>12}"
              f"{'equal ranges':>14}{'best ranges':>13}{'ours over best':>16}{'taken':>8}{'stolen':>8}")
        for threads in THREADS:
            ideal, (ours, taken, stolen) = of.sum() / threads, simulate(of, threads)
            equal, best = equal_ranges(of, threads), best_ranges(of, threads)
            missed |= ours > GOAL * best
            print(f"{threads:>23}{ideal * 1e3:>9.2f} ms{ours * 1e3:>9.2f} ms{ours / ideal:>12.3f}"
                  f"{equal * 1e3:>11.2f} ms{best * 1e3:>10.2f} ms{ours / best:>16.3f}"
                  f"{taken:>8.0f}{stolen:>8.0f}")
            rows.append([order, threads, *(round(seconds * 1e3, 4) for seconds in (ours, equal, best)),
                         round(taken), round(stolen)])
    if arguments.json:
        record.write(arguments.json, {
            "constants": {"unit": "ms", "blocks": count, "shortest": round(times.min() * 1e6, 1),
                          "longest": round(times.max() * 1e6, 1), "total": round(times.sum() * 1e3, 4)},
            "fields": ["order", "threads", "ours", "equal", "best", "taken", "stolen"], "rows": rows})
    return 1 if missed else 0


# --- Recording ----------------------------------------------------------------------------

def times_of_blocks() -> np.ndarray:
    """Seconds for each block, by block index; the minimum of several runs."""
    random = np.random.default_rng(seed=2026)
    q, k, v = random.standard_normal((3, HEADS, LENGTH, DEPTH), np.float32)
    arrays = {"q": q, "k": k, "v": v, "y": np.zeros_like(q)}
    launch = Launch("attention.attention", (LENGTH // TILE, HEADS), [
        "q", "k", "v", "y", *map(Const, (1.4426950408889634 / DEPTH**0.5, True, DEPTH, TILE, TILE))])
    given = [resolved(argument, arrays) for argument in launch.arguments]
    kernel = ctypes.CDLL(str(compiled_cutile(launch.kernel, given)))
    slots = []
    for array in (argument for argument in given if isinstance(argument, np.ndarray)):
        slots += [array.ctypes.data, *array.shape, *(s // array.itemsize for s in array.strides)]
    parameters = (ctypes.c_uint64 * len(slots))(*slots)
    grid = (ctypes.c_uint32 * 3)(*launch.grid, 1)
    runtime = ctypes.CDLL(str(PROGRAMS.parent / "lib/libtilewright-runtime.so"))
    table = ctypes.byref(ctypes.c_char.in_dll(kernel, "attention_kernel"))
    times = np.full(launch.grid[0] * launch.grid[1], np.inf)
    for _ in range(REPEATS):
        for block in range(len(times)):
            start = time.perf_counter()
            status = runtime.tw_run_blocks(table, grid, parameters, ctypes.c_int64(block),
                                           ctypes.c_int64(block + 1))
            times[block] = min(times[block], time.perf_counter() - start)
            if status != 0:
                sys.exit("attention could not run")
    return times


# --- Sharing out --------------------------------------------------------------------------

def simulate(times: np.ndarray, threads: int) -> tuple[float, float, float]:
    """The time when the last thread finishes; how often blocks are taken, and how often stolen."""
    text = subprocess.run([PROGRAMS / "share_simulation", *map(str, (threads, LATE, TAKE, LOOK))],
                          input="\n".join(map(repr, times.tolist())), text=True, check=True,
                          capture_output=True).stdout
    ours, taken, stolen = map(float, text.split())
    return ours, taken, stolen


def equal_ranges(times: np.ndarray, threads: int) -> float:
    sums = np.concatenate(([0.0], np.cumsum(times)))
    ends = sums[[len(times) * thread // threads for thread in range(threads + 1)]]
    return LATE + float(np.max(np.diff(ends)))


def best_ranges(times: np.ndarray, threads: int) -> float:
    """The optimal longest range, by bisection: each thread takes as many blocks as fit."""
    sums = np.concatenate(([0.0], np.cumsum(times)))
    low, high = max(times.max(), times.sum() / threads), times.sum()
    while high - low > 1e-4 * low:
        middle, at = (low + high) / 2, 0
        for _ in range(threads):
            at = int(np.searchsorted(sums, sums[at] + middle, side="right")) - 1
        low, high = (low, middle) if at == len(times) else (middle, high)
    return LATE + high


if __name__ == "__main__":
    sys.exit(main())
