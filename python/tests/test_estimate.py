# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests `tilewright.estimate` and `tilewright.tune`."""

import pathlib
import re

import cuda.tile as ct
import numpy as np
import pytest
import tilewright
from conftest import ADD


@ct.kernel
def copy(x, y, extent: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(y, index=(i,), tile=ct.load(x, index=(i,), shape=(extent,)))


@ct.kernel
def twice(x, y, extent: ct.Constant[int]):
    i = ct.bid(0)
    first = ct.load(x, index=(i,), shape=(extent,))
    ct.store(y, index=(i,), tile=first)
    ct.store(y, index=(i,), tile=first + 1)


def other_version():
    @ct.kernel
    def copy(x, y, extent: ct.Constant[int]):
        i = ct.bid(0)
        first = ct.load(x, index=(i,), shape=(extent,))
        ct.store(y, index=(i,), tile=first)
        ct.store(y, index=(i,), tile=first + 1)

    return copy


@pytest.fixture
def arrays():
    return np.ones(4096, np.float32), np.zeros(4096, np.float32)


def test_estimates_an_entry():
    x = np.arange(400, dtype=np.int32)
    estimate = tilewright.estimate(tilewright.load(ADD)["add"], (x, 41), 400)
    assert estimate.data["blocks"] == 4 and estimate.data["target"] == "sm_90a"
    # Each of four warps loads the number of the block, and one stores it.
    assert estimate.costs["sectors"] == 4 * 5
    assert x.tolist() == list(range(400))
    assert [row["name"] for row in estimate.data["gpus"]] == ["H100 SXM", "H200 SXM"]
    assert repr(estimate).startswith("<tilewright.Estimate of @add: ")


def test_a_copy_is_limited_by_memory(arrays):
    estimate = tilewright.estimate(copy, (*arrays, 1024), 4, blocks=None)
    row = estimate.on("H100 SXM")
    assert estimate.data["blocks"] == 4
    assert estimate.costs["sectors"] == 2 * 4096 * 4 // 32
    assert row["bounds"]["memory"] == pytest.approx(2 * 4096 * 4 / 3350e9)
    assert row["seconds"] == max(seconds for seconds in row["bounds"].values() if seconds is not None)


def test_increases_name_lines(arrays, tmp_path):
    before = tilewright.estimate(copy, (*arrays, 1024), 4)
    after = tilewright.estimate(other_version(), (*arrays, 1024), 4)
    assert before.increases(before) == []
    sectors, = (change for change in after.increases(before) if change.what == "sectors")
    assert (sectors.before, sectors.after) == (1024, 1536)
    # The lines of the other version are new ones.
    assert sum(line[3] for line in sectors.lines) == 1536
    assert "test_estimate.py:" in str(sectors)
    assert not [change for change in after.increases(before, tolerance=0.5) if change.what == "sectors"]
    before.save(tmp_path / "before.json")
    loaded = tilewright.Estimate.load(tmp_path / "before.json")
    assert loaded.data == before.data and after.increases(loaded) == after.increases(before)


def test_increases_compare_the_same_launch(arrays):
    before = tilewright.estimate(copy, (*arrays, 1024), 4)
    with pytest.raises(ValueError, match="expected the grid of the estimate before"):
        tilewright.estimate(copy, (*arrays, 2048), 2).increases(before)
    with pytest.raises(ValueError, match='expected the kernel of the estimate before, "copy", but got "twice"'):
        tilewright.estimate(twice, (*arrays, 1024), 4).increases(before)


def test_rejects_other_files(tmp_path):
    for text in ("", "[" * 100000, "[]", "{}", '{"version": 2}'):
        (tmp_path / "other.json").write_text(text)
        with pytest.raises(ValueError, match=r"other\.json: expected an estimate of version 1"):
            tilewright.Estimate.load(tmp_path / "other.json")


def test_rejects_what_does_not_fit(arrays):
    with pytest.raises(ValueError, match="sm_12"):
        tilewright.estimate(copy, (*arrays, 1024), 4, target="sm_12")
    with pytest.raises(ValueError, match="a number of blocks from 1, or None, but got 0"):
        tilewright.estimate(copy, (*arrays, 1024), 4, blocks=0)
    with pytest.raises(ValueError, match=r"the target sm_90a \('H100 SXM', 'H200 SXM'\), but got 'T4'"):
        tilewright.estimate(copy, (*arrays, 1024), 4).on("T4")
    with pytest.raises(ValueError, match="a block does not run to its end"):
        tilewright.estimate(copy, (*arrays, 1024), 4, max_steps=100)


def tuned(arrays, kernel, extents=(16, 4096), **options):
    return tilewright.tune(extents, lambda extent: ct.cdiv(4096, extent), kernel,
                           lambda extent: (*arrays, extent), **options)


def test_ranks_configurations(arrays):
    tuning = tuned(arrays, copy)
    # One block leaves 131 multiprocessors idle.
    assert tuning.shortlist() == [16, 4096] and tuning.shortlist(1) == [16]
    assert tuning.best.config == 16 and tuning.best.gpu == "H100 SXM" and not tuning.failures
    assert tuning.best.seconds <= tuning.candidates[1].seconds
    table = str(tuning).splitlines()
    assert table[0].split()[:3] == ["time", "limited", "by"] and table[1].endswith("  16") and table[2].endswith("  4096")


def test_chooses_kernels_and_hints(arrays):
    hinted = []
    tuning = tuned(arrays, lambda extent: copy if extent == 16 else twice,
                   hints_fn=lambda extent: hinted.append(extent) or {"occupancy": 2}, gpu="H200 SXM")
    assert hinted == [16, 4096]
    assert tuning.best.gpu == "H200 SXM"


def test_lists_what_cannot_run(arrays):
    # Extents of tiles are powers of two.
    tuning = tuned(arrays, copy, extents=(16, 24))
    (config, kind, message), = tuning.failures
    assert config == 24 and kind.__module__.startswith("cuda.tile") and message
    assert "cannot run: 24: " in str(tuning) and tuning.shortlist() == [16]
    with pytest.raises(kind):
        tuned(arrays, copy, extents=(24, 16 + 1))


def test_rejects_searches_without_an_answer(arrays):
    with pytest.raises(ValueError, match="the search space is empty"):
        tuned(arrays, copy, extents=())
    with pytest.raises(ValueError, match="no published figures of a GPU with the target sm_86"):
        tuned(arrays, copy, target="sm_86")
    with pytest.raises(ValueError, match="but got 'T4'"):
        tuned(arrays, copy, gpu="T4")


def test_the_examples_of_the_page(tmp_path, monkeypatch):
    page = (pathlib.Path(__file__).resolve().parents[2] / "docs/tuning.md").read_text()
    script = tmp_path / "page.py"
    script.write_text("".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL)))
    found = {"__name__": "page"}
    exec(compile(script.read_text(), str(script), "exec"), found)
    assert len(found["candidates"]) == 2
