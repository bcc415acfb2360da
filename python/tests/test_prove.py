# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests `tilewright.prove`."""

import pathlib
import re

import cuda.tile as ct
import numpy as np
import pytest
import tilewright
from conftest import ADD
from tilewright import _arrays
from tilewright._records import ElementType

BEFORE = """cuda_tile.module @m {{
  entry @before(%x: tile<ptr<{element}>>) {{
    %c = constant <i32: -2> : tile<i32>
    %p = offset %x, %c : tile<ptr<{element}>>, tile<i32> -> tile<ptr<{element}>>
    %v, %t = load_ptr_tko weak %p : tile<ptr<{element}>> -> tile<{element}>, token
  }}
}}"""
"""Loads an element before the array."""

GATHER = """cuda_tile.module @m {
  entry @gather(%x: tile<ptr<i32>>) {
    %i, %t = load_ptr_tko weak %x : tile<ptr<i32>> -> tile<i32>, token
    %p = offset %x, %i : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
    %v, %u = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
  }
}"""
"""Loads the element whose number the first one is."""


@ct.kernel
def double(x, y):
    i = ct.bid(0)
    ct.store(y, index=(i,), tile=2 * ct.load(x, index=(i,), shape=(256,)))


@ct.kernel
def gather(x, y):
    at = ct.bid(0) + ct.arange(4, dtype=ct.int32)
    ct.store(y, index=(ct.bid(0),), tile=ct.gather(x, at))


def test_proves_an_entry():
    proof = tilewright.prove(tilewright.load(ADD)["add"])
    assert proof and proof.parameters == ["x", "n"]
    # Block b accesses element b.
    assert proof.conditions == ["len(x) >= grid.x"]
    load, store = proof.operations
    assert (load.operation, store.operation) == ("load_ptr_tko", "store_ptr_tko")
    assert (load.place.line, store.place.line) == (5, 7)
    assert load.kind == "access" and load.verdict == "holds-if" and load.conditions == ("len(x) >= grid.x",)
    assert load.stopped_by == "" and load.stopped_at is None
    assert "holds if\n  len(x) >= grid.x\n" in str(proof)
    assert repr(proof) == "<tilewright.Proof of @add: 2 holds-if>"


def test_replays_a_counterexample():
    entry = tilewright.load(ADD)["add"]
    launch = tilewright.prove(entry).operations[0].counterexample
    length, = launch.values()[0].shape
    assert launch.grid[0] > length and launch.values()[0].dtype == np.int32
    assert "[bounds]" in launch.finding
    found = launch.replay()
    assert [finding.rule for finding in found[:1]] == ["bounds"] and found[0].message in launch.finding
    with pytest.raises(tilewright.KernelError):
        entry.compile("reference", check="all")[launch.grid](*launch.values())
    assert f"fails: grid {launch.grid[0]},1,1 with ({', '.join(launch.arguments)})" in str(tilewright.prove(entry))


def test_replays_the_finding_of_the_operation_first():
    # Both leave their arrays; the machine reports the store first.
    entry = tilewright.load("""cuda_tile.module @m {
      entry @both(%x: tile<ptr<i32>>, %y: tile<ptr<i32>>) {
        %c = constant <i32: -2> : tile<i32>
        %b = offset %y, %c : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
        %t = store_ptr_tko weak %b, %c : tile<ptr<i32>>, tile<i32> -> token
        %p = offset %x, %c : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>
        %v, %u = load_ptr_tko weak %p : tile<ptr<i32>> -> tile<i32>, token
      }
    }""")["both"]
    store, load = (row.counterexample for row in tilewright.prove(entry).operations)
    for launch, first, second in ((store, "store_ptr_tko", "load_ptr_tko"), (load, "load_ptr_tko", "store_ptr_tko")):
        found = launch.replay()
        assert [finding.operation for finding in found] == [first, second]
        assert f"{found[0].message} [{found[0].rule}]" == launch.finding


@pytest.mark.parametrize("element", [element.name for element in ElementType
                                     if element not in (ElementType.none, ElementType.f4E2M1FN)])
def test_replays_with_every_element_type(element):
    proof = tilewright.prove(tilewright.load(BEFORE.format(element=element))["before"])
    row, = proof.operations
    assert not proof and row.verdict == "counterexample"
    assert [finding.rule for finding in row.counterexample.replay()] == ["bounds"]


def test_arrays_of_4_bit_floats_have_two_elements_in_a_byte():
    assert _arrays.zeros("f4E2M1FN", 6).nbytes == 3


def test_names_what_stops_the_proof():
    proof = tilewright.prove(tilewright.load(GATHER)["gather"])
    row = proof.operations[1]
    assert not proof and row.verdict == "unknown" and row.conditions == ()
    assert row.stopped_by == "load_ptr_tko" and row.stopped_at.line == 3


def test_proofs_without_counterexamples():
    proof = tilewright.prove(tilewright.load(ADD)["add"], counterexamples=False)
    assert proof.conditions and not [row for row in proof.operations if row.counterexample]


def test_proves_a_cutile_kernel():
    x, y = np.ones(1000, np.float32), np.ones(1000, np.float32)
    proof = tilewright.prove(double, (x, y))
    assert proof
    # There are ceil(n / 256) tiles. Both arrays have as many elements as their extents say.
    assert {"grid.x <= ceil(x.shape[0] / 256)", "grid.x <= ceil(y.shape[0] / 256)",
            "len(x) >= x.shape[0]", "len(y) >= y.shape[0]"} <= set(proof.conditions)
    accesses = [row for row in proof.operations if row.kind == "access"]
    assert [row.operation for row in accesses] == ["load_view_tko", "store_view_tko"]
    assert all(row.place.file.endswith("test_prove.py") for row in accesses)
    launch = accesses[0].counterexample
    assert launch.replay() and "test_prove.py" in str(launch.replay()[0])


def test_the_values_of_arguments_do_not_matter():
    small, large = (tilewright.prove(double, (np.ones(n, np.float32), np.ones(n, np.float32)),
                                     counterexamples=False).json for n in (1000, 3000))
    assert small == large


def test_rejects_what_does_not_fit():
    with pytest.raises(TypeError, match="an Entry takes no arguments"):
        tilewright.prove(tilewright.load(ADD)["add"], (np.zeros(1, np.int32), 1))
    with pytest.raises(TypeError, match="a cuTile kernel needs arguments"):
        tilewright.prove(double)
    with pytest.raises(TypeError, match="expected a kernel"):
        tilewright.prove(len, ())


def test_the_example_of_the_page(tmp_path, capsys):
    page = (pathlib.Path(__file__).resolve().parents[2] / "docs/prove.md").read_text()
    code, = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    script = tmp_path / "page.py"
    script.write_text(code)
    exec(compile(code, str(script), "exec"), {"__name__": "page"})
    out = capsys.readouterr().out
    assert "'grid.x <= ceil(x.shape[0] / 256)'" in out and "[bounds]" in out
