# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How fast is a call?"""

from __future__ import annotations

import dataclasses
import statistics
import time
from collections.abc import Callable


@dataclasses.dataclass(frozen=True)
class Benchmark:
    """Times of repeated calls, in seconds."""

    seconds: tuple[float, ...]
    """Of one call each; of several, their mean, if one is too short for the clock."""
    bytes: int | None
    """That a call moves."""
    flops: int | None
    """That a call computes."""

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def spread(self) -> float:
        """The distance between the quartiles, as a part of the median."""
        lower, _, upper = statistics.quantiles(self.seconds, n=4)
        return (upper - lower) / self.median

    @property
    def gigabytes_per_second(self) -> float | None:
        return None if self.bytes is None else self.bytes / self.median / 1e9

    @property
    def gigaflops(self) -> float | None:
        return None if self.flops is None else self.flops / self.median / 1e9

    def __str__(self) -> str:
        parts = [f"{_readable(self.median)} +- {self.spread:.0%}"]
        if self.bytes is not None:
            parts.append(f"{self.gigabytes_per_second:.3g} GB/s")
        if self.flops is not None:
            parts.append(f"{self.gigaflops:.4g} GFLOP/s")
        return ", ".join(parts)


def _readable(seconds: float) -> str:
    for scale, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


_SHORTEST = 50e-6  # seconds that one measurement takes at least


def benchmark(call: Callable[[], object], *, bytes: int | None = None, flops: int | None = None,
              seconds: float = 0.5, least: int = 10) -> Benchmark:
    """Repeats a call after one that warms up, and tells its median time and spread.

    `call`: as `lambda: kernel[grid](a, b)`. `bytes` and `flops`: what one call moves and computes.
    `seconds`: how long to repeat it; at least `least` measurements are made.
    """
    if least < 2:
        raise ValueError(f"least must be at least 2, but is {least}")
    call()
    start = time.perf_counter()
    call()
    count = max(1, round(_SHORTEST / max(time.perf_counter() - start, 1e-9)))
    times = []
    end = time.perf_counter() + seconds
    while len(times) < least or time.perf_counter() < end:
        start = time.perf_counter()
        for _ in range(count):
            call()
        times.append((time.perf_counter() - start) / count)
    return Benchmark(tuple(times), bytes, flops)
