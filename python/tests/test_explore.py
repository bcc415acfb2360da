# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests what `tilewright.explore` returns."""

import base64
import html
import inspect
import json
import linecache
import pathlib
import re

import cuda.tile as ct
import numpy as np
import pytest
import tilewright
from conftest import ADD, expect_interrupt


@ct.kernel
def double(x, y):
    block = ct.bid(0)
    tile = ct.load(x, (block,), (16,))
    ct.store(y, (block,), tile + tile)


@ct.kernel
def race(x):
    ct.store(x, (0,), ct.full((1,), ct.bid(0), ct.int32))


def line_of(kernel, text):
    """The number of the line of a kernel with this text."""
    lines, first = inspect.getsourcelines(kernel._annotated_function.pyfunc)
    number, = (first + at for at, line in enumerate(lines) if text in line)
    return number


def test_an_entry():
    x = np.ones(4, np.int32)
    explored = tilewright.explore(tilewright.load(ADD, name="k.mlir")["add"], (x, 41), 4, target="sm_80")
    assert (x == 1).all() and explored.succeeded
    assert explored.data == json.loads(explored.json)
    assert explored.data["grid"] == [4, 1, 1] and explored.data["target"] == "sm_80"
    assert explored.data["sources"] == [{"file": "k.mlir", "language": "tile", "text": ADD}]
    after = explored.data["arrays"][0]["after"]
    assert np.frombuffer(base64.b64decode(after["values"]), "<f4").tolist() == [42] * 4
    assert repr(explored) == "<tilewright.Explored @add on sm_80, 0 findings>"


def test_a_cutile_kernel():
    x, y = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    explored = tilewright.explore(double, (x, y), 2)
    assert (y == 0).all() and explored.succeeded
    document = explored.data
    assert [array["name"] for array in document["arrays"]] == ["array x (32xf32)", "array y (32xf32)"]
    after = document["arrays"][1]["after"]
    assert (np.frombuffer(base64.b64decode(after["values"]), "<f4") == 2 * x).all()
    # The lines are those of this file, whose text is there.
    source, = (source for source in document["sources"] if source["language"] == "python")
    assert source["text"] == pathlib.Path(__file__).read_text()
    rows = {row["line"]: row for row in document["lines"]}
    assert rows[line_of(double, "ct.load")]["executions"] == 2
    load, store = document["views"]
    assert load["location"]["line"] == line_of(double, "ct.load")
    assert [access["elements"] for access in store["accesses"]] == [[[0, 16, 0, 1]], [[16, 16, 0, 1]]]


def test_a_notebook_cell():
    file, text = "<ipython-input-3-0123>", inspect.cleandoc("""
        import cuda.tile as ct

        @ct.kernel
        def seven(x):
            ct.store(x, (0,), ct.full((1,), 7, ct.int32))
        """) + "\n"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    cell = {}
    exec(compile(text, file, "exec"), cell)
    document = tilewright.explore(cell["seven"], (np.zeros(1, np.int32),), 1).data
    assert {"file": file, "language": "python", "text": text} in document["sources"]
    assert [row["executions"] for row in document["lines"] if row["line"] == 5] == [1]


def test_sources_can_be_left_out():
    x = np.zeros(16, np.float32)
    document = tilewright.explore(double, (x, x.copy()), 1, sources=False).data
    assert all(source["text"] is None for source in document["sources"])


def test_a_kernel_that_misbehaves():
    explored = tilewright.explore(race, (np.zeros(1, np.int32),), (2, 1))
    assert not explored.succeeded
    checks = {(finding["device"], finding["check"], finding["location"]["line"])
              for finding in explored.data["findings"]}
    line = line_of(race, "ct.store")
    assert checks == {("reference", "race", line), ("ptx", "race", line)}
    assert repr(explored).endswith(", 2 findings>")


def test_the_page(tmp_path):
    explored = tilewright.explore(tilewright.load(ADD)["add"], (np.zeros(1, np.int32), 1), 1)
    data, = re.findall(r'<script type="application/json" id="data">(.*?)</script', explored.html, re.DOTALL)
    assert json.loads(data) == explored.data
    frame = explored._repr_html_()
    assert html.unescape(re.search('srcdoc="([^"]*)"', frame)[1]) == explored.html
    explored.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == explored.html
    explored.save(str(tmp_path / "document.json"))
    assert json.loads((tmp_path / "document.json").read_text()) == explored.data


@ct.kernel
def double_by_two(x, y):
    block = ct.bid(0)
    tile = ct.load(x, (block,), (16,))
    ct.store(y, (block,), tile * 2)


def test_compares_two_cutile_kernels():
    """They are in one file, so the lines of the kernels are compared, not those of the file."""
    x, y = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    document = tilewright.explore(double_by_two, (x, y), 2, compare=double).data
    assert (y == 0).all()
    compare = document["compare"]
    assert document["kernel"].startswith("double_by_two") and compare["other"]["kernel"] == "double"
    # x + x and 2 x are the same floats.
    assert [row["differing"] for row in compare["arrays"]] == [0, 0]
    assert compare["findings"] == {"new": [], "gone": [], "unmatched": {"before": [], "after": []}}
    stores = [row for row in compare["lines"] if row["after"] == line_of(double_by_two, "ct.store")]
    assert [row["before"] for row in stores] == [line_of(double, "ct.store")]
    assert stores[0]["equal"] is False and stores[0]["sectors"] == [4, 4]  # 32 floats in sectors of 8


def test_compares_an_entry_with_a_changed_one():
    add = tilewright.load(ADD, name="k.mlir")["add"]
    subtract = tilewright.load(ADD.replace("addi", "subi"), name="k.mlir")["add"]
    x = np.zeros(2, np.int32)
    compare = tilewright.explore(subtract, (x, 3), 1, compare=add).data["compare"]
    assert compare["arrays"] == [{"differing": 1, "largest_difference": 6, "bounds": [[0, 0]],
                                  "elements": [{"element": 0, "before": "3", "after": "-3"}]}]
    with pytest.raises(ValueError, match="@race in r.mlir, to compare with: .* expected 1 argument, but got 2"):
        race = tilewright.load("""cuda_tile.module @m { entry @race(%x: tile<ptr<i32>>) { return } }""",
                               name="r.mlir")["race"]
        tilewright.explore(add, (x, 3), 1, compare=race)


def test_ctrl_c_ends_an_exploration(tmp_path):
    expect_interrupt(tmp_path / "wait.py", """
        import tilewright
        endless = tilewright.load("cuda_tile.module @m { entry @endless() { loop { continue } } }")["endless"]
        """, "tilewright.explore(endless, (), 1, max_steps=2**62)", seconds=0.5)


def test_errors():
    add = tilewright.load(ADD)["add"]
    x = np.zeros(4, np.int32)
    with pytest.raises(TypeError, match="expected a kernel, a function with the decorator @ct.kernel"):
        tilewright.explore(ADD, (x, 1), 1)
    with pytest.raises(ValueError, match="no GPU target 'sm_1'"):
        tilewright.explore(add, (x, 1), 1, target="sm_1")
    with pytest.raises(ValueError, match="an extent of the grid must be in"):
        tilewright.explore(add, (x, 1), 0)
    with pytest.raises(TypeError, match="@add"):
        tilewright.explore(add, (x,), 1)
