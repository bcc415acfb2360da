# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the examples share: is a kernel right, does it break no rule, and how fast is it?

An example has a function that launches its kernel and one that computes the same with NumPy, and
hands both to `Example.run`, which prints one line.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import statistics
import time

import numpy as np

EPSILON = 2.0**-24  # half a unit in the last place of float32, relative


class Example:
    """Reads the command line of an example, and keeps whether all that it ran was right."""

    def __init__(self, description: str, **options: dict):
        """`description`: the docstring of the script. `options`: the keywords of `add_argument`
        for each further option of the script."""
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
        """Normally distributed numbers; the same in every run."""
        return self._random.standard_normal(shape, np.float32).astype(dtype)

    def integers(self, limit: int, *shape: int, dtype=np.int32) -> np.ndarray:
        """Numbers in 0..limit-1; the same in every run."""
        return self._random.integers(limit, size=shape, dtype=dtype)

    def run(self, name: str, compute, reference, inputs: tuple, small: tuple, *,
            tolerance: float, bytes: int = 0, operations: int = 0) -> None:
        """Compares and times `compute(*inputs)`, and runs `compute(*small, check=True)`, in which
        the sanitizer watches every access; prints one line.

        `compute` and `reference` return an array or a tuple of them. `tolerance`: the largest
        difference, as a fraction of the largest magnitude that `reference` returns; of each array.
        `bytes`, `operations`: that `compute(*inputs)` has to move or to do; one of the two.
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
        """Prints a line of the report. One that is not `good` makes the exit status 1."""
        self.status |= not good
        print(f"{name:<22} {found}", *(f"{figure:>13}" for figure in figures),
              "ok" if good else "WRONG")


def median_seconds(launch, launches: int) -> float:
    """Of several launches, after one that compiles and warms the caches."""
    _keep_freed_memory()
    launch()
    seconds = []
    for _ in range(launches):
        start = time.perf_counter()
        launch()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def _keep_freed_memory() -> None:
    """Makes malloc reuse what is freed, so that results need no new pages from the system in every
    launch: those would cost more than a kernel that only moves memory. With glibc; otherwise the
    times contain it."""
    mmap_max, trim_threshold = -4, -1
    with contextlib.suppress(AttributeError, OSError, TypeError):
        libc = ctypes.CDLL(None)
        libc.mallopt(mmap_max, 0)
        libc.mallopt(trim_threshold, 2**31 - 1)


def _difference(found, expected) -> float:
    """The largest difference of any pair of arrays, relative to the largest magnitude expected."""
    if not isinstance(found, tuple):
        found, expected = (found,), (expected,)
    # Unlike Python's own, NumPy's max is NaN if any of them is.
    return float(np.max([_difference_of_arrays(*pair)
                         for pair in zip(found, expected, strict=True)]))


def _difference_of_arrays(found: np.ndarray, expected: np.ndarray) -> float:
    if found.shape != expected.shape:
        raise ValueError(f"the kernel's result is {found.shape}, expected is {expected.shape}")
    wide = np.result_type(found, expected, np.float64)
    difference = np.max(np.abs(np.subtract(found, expected, dtype=wide)))
    return float(difference / (np.max(np.abs(expected)) or 1))
