# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the time of a call."""

from __future__ import annotations

import dataclasses
import statistics
import time
from collections.abc import Callable

from tilewright import _limits
from tilewright._public import public


@public
@dataclasses.dataclass(frozen=True)
class Benchmark:
    """Times of repeated calls, in seconds."""

    seconds: tuple[float, ...]
    """One value per measurement: the time of a call, or the mean of several if one is too short to measure."""
    bytes: int | None
    """Bytes that one call moves."""
    flops: int | None
    """Floating-point operations that one call performs."""
    most_bytes_per_second: float | None = None
    """The memory bandwidth of this machine, as measured by `benchmark`; None if not measured."""
    most_flops_per_second: float | None = None
    """The f32 multiply-add rate of this machine, two operations each; None if not measured."""

    @property
    def median(self) -> float:
        """The median time of a call, in seconds."""
        return statistics.median(self.seconds)

    @property
    def spread(self) -> float:
        """The interquartile range, as a fraction of the median."""
        lower, _, upper = statistics.quantiles(self.seconds, n=4)
        return (upper - lower) / self.median

    @property
    def gigabytes_per_second(self) -> float | None:
        """10^9 bytes moved per second, at the median; None without `bytes`."""
        return None if self.bytes is None else self.bytes / self.median / 1e9

    @property
    def gigaflops(self) -> float | None:
        """10^9 floating-point operations per second, at the median; None without `flops`."""
        return None if self.flops is None else self.flops / self.median / 1e9

    @property
    def of_bandwidth(self) -> float | None:
        """The achieved fraction of the machine's memory bandwidth; above 1 if data stays in
        caches."""
        return _ratio(self.bytes, self.median, self.most_bytes_per_second)

    @property
    def of_peak(self) -> float | None:
        """The achieved fraction of the machine's f32 multiply-add rate; may be above 1 for matrix
        products in narrower types."""
        return _ratio(self.flops, self.median, self.most_flops_per_second)

    def __str__(self) -> str:
        parts = [f"{_readable(self.median)} +- {self.spread:.0%}"]
        if self.bytes is not None:
            parts.append(f"{self.gigabytes_per_second:.3g} GB/s" +
                         _share(self.of_bandwidth, self.most_bytes_per_second, "memory", "GB/s"))
        if self.flops is not None:
            parts.append(f"{self.gigaflops:.4g} GFLOP/s" +
                         _share(self.of_peak, self.most_flops_per_second, "f32", "GFLOP/s"))
        return ", ".join(parts)

    def plot(self, axes=None):
        """Plots the measured times, the median, the quartiles, and the shortest time that this
        machine's limits allow; returns the axes. `axes`: matplotlib axes; new ones by default.
        Raises ImportError without matplotlib."""
        if axes is None:
            axes = _new_axes()
        lower, median, upper = statistics.quantiles(self.seconds, n=4)
        axes.plot(range(1, len(self.seconds) + 1), self.seconds, ".", label="measurements")
        axes.axhline(median, color="C1", label=f"median, {_readable(median)}")
        axes.axhspan(lower, upper, color="C1", alpha=0.2, label="quartiles")
        for what, work, most in (("memory", self.bytes, self.most_bytes_per_second),
                                 ("multiply-adds of f32", self.flops, self.most_flops_per_second)):
            if work is not None and most is not None:
                axes.axhline(work / most, color="C2" if what == "memory" else "C3",
                             linestyle="--", label=f"limit: {what}, {_readable(work / most)}")
        axes.set(xlabel="measurement", ylabel="seconds per call", ylim=(0, None))
        axes.legend()
        return axes


def _ratio(work: int | None, seconds: float, most: float | None) -> float | None:
    return None if work is None or most is None else work / seconds / most


def _share(part: float | None, most: float | None, what: str, unit: str) -> str:
    return "" if part is None else f" ({part:.0%} of {most / 1e9:.3g} {unit}, {what})"


def _new_axes():
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError("Benchmark.plot draws with matplotlib, which cannot be imported: "
                          f"{error}; pip install matplotlib") from error
    return pyplot.subplots()[1]


def _readable(seconds: float) -> str:
    for scale, unit in ((1, "s"), (1e-3, "ms"), (1e-6, "us")):
        if seconds >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


_SHORTEST = 50e-6  # the minimum duration of one measurement, in seconds


@public
def benchmark(call: Callable[[], object], *, bytes: int | None = None, flops: int | None = None,
              seconds: float = 0.5, least: int = 10, limits: bool = True) -> Benchmark:
    """Calls a function repeatedly, after one warm-up call; returns its times with median and spread.

    `call`: such as `lambda: kernel[grid](a, b)`. `bytes` and `flops`: what one call moves and computes.
    `seconds`: how long to repeat it; at least `least` measurements are made. `limits`: also compare
    with this machine's peak rates. They are measured once per process, on as many threads as a
    launch uses, which takes about two seconds and 256 MB for `bytes`, half a second for `flops`.
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
    return Benchmark(tuple(times), bytes, flops,
                     _limits.bytes_per_second() if limits and bytes is not None else None,
                     _limits.flops_per_second() if limits and flops is not None else None)
