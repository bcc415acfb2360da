#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How well would many threads share a launch out whose blocks take different times?

Records the time of each block of causal attention, of which the last blocks of a head read all keys
and the first ones few, by running them one by one. Then simulates launches on 2 to 256 threads: each
takes blocks as `runtime/Launch.cpp` does, half of its share of what is left, from one counter, which
costs CLAIM for each thread that wants it, one after the other. Compared with two ways to share the
blocks out before the launch: ranges of equal numbers of blocks, as a static loop has them, and the best
ranges for these times, which nobody knows before. Exits with 1 if a launch of at least BLOCKS_PER_THREAD
blocks per thread takes over 5 % longer than the best ranges."""

import ctypes
import heapq
import pathlib
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from speed.kernels import Const, Launch, compiled_cutile, resolved  # noqa: E402
from speed.libraries import PROGRAMS  # noqa: E402

HEADS, LENGTH, DEPTH, TILE = 16, 8192, 64, 64
THREADS = (2, 8, 64, 256)
CLAIM = 200e-9  # seconds for which a claimed cache line is in the hands of one of many processors
LATE = 20e-6  # when workers arrive that had to be woken; the caller is there at once
REPEATS, GOAL, BLOCKS_PER_THREAD = 3, 1.05, 32


def main() -> int:
    times = record()
    count = len(times)
    print(f"{count} blocks of causal attention, {times.min() * 1e6:.0f} to {times.max() * 1e6:.0f} us, "
          f"{times.sum():.2f} s in all\n")
    print(f"{'threads':>8}{'ideal':>12}{'ours':>12}{'over ideal':>12}{'equal ranges':>14}"
          f"{'best ranges':>13}{'ours over best':>16}")
    missed = False
    for threads in THREADS:
        ideal, ours = times.sum() / threads, simulate(times, threads)
        equal, best = equal_ranges(times, threads), best_ranges(times, threads)
        missed |= count >= BLOCKS_PER_THREAD * threads and ours > GOAL * best
        print(f"{threads:>8}{ideal * 1e3:>9.2f} ms{ours * 1e3:>9.2f} ms{ours / ideal:>12.3f}"
              f"{equal * 1e3:>11.2f} ms{best * 1e3:>10.2f} ms{ours / best:>16.3f}")
    return 1 if missed else 0


# --- Recording ----------------------------------------------------------------------------

def record() -> np.ndarray:
    """Seconds of each block, in the order of their numbers; the least of some runs."""
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

def simulate(times: np.ndarray, threads: int) -> float:
    """When the last thread is done. Threads claim blocks in the order in which they become free."""
    sums = np.concatenate(([0.0], np.cumsum(times)))
    count, first, counter_free, end = len(times), 0, 0.0, 0.0
    free = [(0.0 if thread == 0 else LATE, thread) for thread in range(threads)]
    heapq.heapify(free)
    while first < count:
        now, thread = heapq.heappop(free)
        counter_free = max(now, counter_free) + CLAIM
        taken = min(max((count - first) // (2 * threads), 1), 512)
        done = counter_free + sums[first + taken] - sums[first]
        first += taken
        end = max(end, done)
        heapq.heappush(free, (done, thread))
    return end


def equal_ranges(times: np.ndarray, threads: int) -> float:
    sums = np.concatenate(([0.0], np.cumsum(times)))
    ends = sums[[len(times) * thread // threads for thread in range(threads + 1)]]
    return LATE + float(np.max(np.diff(ends)))


def best_ranges(times: np.ndarray, threads: int) -> float:
    """The least longest range, by bisection: each thread takes as many blocks as it can."""
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
