# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests timing of calls, and measuring the peak rates of this machine."""

import sys

import numpy as np
import pytest
import tilewright
from tilewright import _benchmark, _limits


def test_a_call_is_timed():
    result = tilewright.benchmark(lambda: sum(range(10000)), seconds=0.01, least=5)
    assert len(result.seconds) >= 5 and min(result.seconds) > 0
    assert result.of_bandwidth is None and result.of_peak is None
    assert str(result) == f"{_benchmark._readable(result.median)} +- {result.spread:.0%}"


def test_what_is_computed_from_the_times():
    result = tilewright.Benchmark((1.0, 2.0, 3.0, 4.0), 10**9, 5 * 10**9, 8e8, 1e10)
    assert result.median == 2.5
    assert result.spread == (3.75 - 1.25) / 2.5  # quartiles of the exclusive method
    assert result.gigabytes_per_second == 0.4 and result.gigaflops == 2
    assert result.of_bandwidth == 0.5 and result.of_peak == 0.2
    assert str(result) == ("2.5 s +- 100%, 0.4 GB/s (50% of 0.8 GB/s, memory), "
                           "2 GFLOP/s (20% of 10 GFLOP/s, f32)")


def test_limits_are_measured_where_they_are_asked_for(monkeypatch):
    monkeypatch.setattr(_limits, "bytes_per_second", lambda: 1e20)
    monkeypatch.setattr(_limits, "flops_per_second", lambda: 1e30)
    options = dict(seconds=0.001, least=2)
    both = tilewright.benchmark(lambda: None, bytes=1, flops=1, **options)
    assert (both.most_bytes_per_second, both.most_flops_per_second) == (1e20, 1e30)
    one = tilewright.benchmark(lambda: None, flops=1, **options)
    assert (one.most_bytes_per_second, one.most_flops_per_second) == (None, 1e30)
    none = tilewright.benchmark(lambda: None, bytes=1, limits=False, **options)
    assert none.most_bytes_per_second is None and none.gigabytes_per_second > 0


# The measurement kernels perform exactly the operations that are counted.
def test_the_kernels_of_the_limits():
    tile = _limits._TILE
    x, y = np.arange(2 * tile, dtype=np.float32), np.zeros(2 * tile, np.float32)
    _limits._mover("copy")[2](x, y, len(x))
    assert (x == y).all()
    _limits._mover("read")[2](x, y, len(x))
    assert y[:3].tolist() == [tile - 1, 2 * tile - 1, 2]
    sums = np.zeros(3, np.float32)
    _limits._multiply_add()[2](sums, 1, 5)  # s becomes s + 1 each time
    assert sums.tolist() == [5 * _limits._CHAIN, 5 * _limits._CHAIN, 0]


def test_limits_of_this_machine(monkeypatch):
    monkeypatch.setattr(_limits, "_SECONDS", 0.01)
    monkeypatch.setattr(_limits, "_BYTES", 1 << 22)
    measured = [_limits.bytes_per_second.__wrapped__(), _limits.flops_per_second.__wrapped__()]
    # No machine is slower than 10 MB/s and 10 MFLOP/s, or faster than 100 TB/s and 10 PFLOP/s.
    assert 1e7 < measured[0] < 1e14 and 1e7 < measured[1] < 1e16


def test_a_plot(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = tilewright.Benchmark((1.0, 2.0, 3.0, 4.0), 10**9, None, 8e8)
    with pytest.raises(ImportError, match="Benchmark.plot draws with matplotlib, which cannot be imported"):
        result.plot()
    monkeypatch.undo()
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = result.plot()
    assert axes.get_lines()[0].get_ydata().tolist() == [1, 2, 3, 4]
    assert [text.get_text() for text in axes.get_legend().get_texts()] == [
        "measurements", "median, 2.5 s", "quartiles", "limit: memory, 1.25 s"]
    assert result.plot(axes) is axes
