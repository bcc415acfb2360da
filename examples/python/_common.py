# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shared code of the examples: compares a kernel with NumPy, checks it with the sanitizer, and times it.

An example has a function that launches its kernel and one that computes the same with NumPy, and
passes both to `Example.run`, which prints one line.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import statistics
import time

import numpy as np

EPSILON = 2.0**-24  # half an ulp of float32, relative


class Example:
    """Parses the command line of an example, and records whether all results were correct."""

    def __init__(self, description: str, **options: dict):
        """`description`: the docstring of the script. `options`: for each additional option of the
        script, the keyword arguments of `add_argument`."""
        parser = argparse.ArgumentParser(description=description,
                                         formatter_class=argparse.RawDescriptionHelpFormatter)
        parser.add_argument("--quick", action="store_true", help="small sizes, for tests")
        for name, keywords in options.items():
            parser.add_argument(f"--{name}", **keywords)
        self.options = parser.parse_args()
        self.quick = self.options.quick
        self.status = 0
        self._random = np.random.default_rng(seed=2026)

    def normal(self, *shape: int, dtype=np.float32) -> np.ndarray:
        """Normally distributed numbers, the same in every run."""
        return self._random.standard_normal(shape, np.float32).astype(dtype)

    def integers(self, limit: int, *shape: int, dtype=np.int32) -> np.ndarray:
        """Numbers in 0..limit-1, the same in every run."""
        return self._random.integers(limit, size=shape, dtype=dtype)

    def run(self, name: str, compute, reference, inputs: tuple, small: tuple, *,
            tolerance: float, bytes: int = 0, operations: int = 0) -> None:
        """Compares and times `compute(*inputs)`, and runs `compute(*small, check=True)`, so that the
        sanitizer checks every access; prints one line.

        `compute` and `reference` return an array or a tuple of arrays. `tolerance`: the largest
        difference, relative to the largest magnitude in `reference`'s array; for each array.
        `bytes`, `operations`: how many `compute(*inputs)` moves or performs; give one of them.
        """
        error = _difference(compute(*inputs), reference(*inputs))
        checked = _difference(compute(*small, check=True), reference(*small))
        seconds = median_seconds(lambda: compute(*inputs), launches=3 if self.quick else 9)
        speed = f"{bytes / seconds / 1e9:.2f} GB/s" if bytes else \
            f"{operations / seconds / 1e9:.2f} GFLOP/s"
        good = error <= tolerance and checked <= tolerance  # false for NaN
        self.say(good, name, f"error {error:.1e}, checked {checked:.1e}, allowed {tolerance:.1e}",
                 f"{seconds * 1e3:.2f} ms", speed)

    def say(self, good: bool, name: str, found: str, *figures: str) -> None:
        """Prints a line of the report. If `good` is false, the exit status will be 1."""
        self.status |= not good
        print(f"{name:<22} {found}", *(f"{figure:>13}" for figure in figures),
              "ok" if good else "WRONG")


def median_seconds(launch, launches: int) -> float:
    """The median time of several launches, after one that compiles and warms the caches."""
    _keep_freed_memory()
    launch()
    seconds = []
    for _ in range(launches):
        start = time.perf_counter()
        launch()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def _keep_freed_memory() -> None:
    """Makes glibc's malloc reuse freed memory, so that results do not need new pages from the system
    in every launch: this would take longer than a memory-bound kernel. With other C libraries, the
    times include it."""
    mmap_max, trim_threshold = -4, -1
    with contextlib.suppress(AttributeError, OSError, TypeError):
        libc = ctypes.CDLL(None)
        libc.mallopt(mmap_max, 0)
        libc.mallopt(trim_threshold, 2**31 - 1)


def _difference(found, expected) -> float:
    """The largest difference of any pair of arrays, relative to the largest expected magnitude."""
    if not isinstance(found, tuple):
        found, expected = (found,), (expected,)
    # Unlike Python's max, NumPy's is NaN if any element is.
    return float(np.max([_difference_of_arrays(*pair)
                         for pair in zip(found, expected, strict=True)]))


def _difference_of_arrays(found: np.ndarray, expected: np.ndarray) -> float:
    if found.shape != expected.shape:
        raise ValueError(f"the kernel's result is {found.shape}, expected is {expected.shape}")
    wide = np.result_type(found, expected, np.float64)
    difference = np.max(np.abs(np.subtract(found, expected, dtype=wide)))
    return float(difference / (np.max(np.abs(expected)) or 1))
