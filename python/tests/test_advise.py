# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests `tilewright.advise`."""

import cuda.tile as ct
import numpy as np
import pytest
import tilewright

INCREMENT = """cuda_tile.module @m {
  entry @add(%x: tile<ptr<i32>>) {
    %1 = constant <i32: 1> : tile<i32>
    %old, %t = atomic_rmw_tko acq_rel device %x, add, %1 : tile<ptr<i32>>, tile<i32> -> tile<i32>, token
  }
}"""

STORE = """cuda_tile.module @m {
  entry @store(%x: tile<ptr<i32>>) {
    %1 = constant <i32: 1> : tile<i32>
    %t = store_ptr_tko weak %x, %1 : tile<ptr<i32>>, tile<i32> -> token
  }
}"""


def test_blocks_need_the_scope_but_no_order():
    x = np.array([7], np.int32)
    advice = tilewright.advise(tilewright.load(INCREMENT)["add"], (x,), 2)
    assert advice and x.tolist() == [7]
    ordering, scope = advice.data["operations"]
    assert (ordering["verdict"], ordering["weakest"]) == ("weakenable", ["relaxed device"])
    assert scope["verdict"] == "needed"
    assert advice.data["exhaustive"] and str(advice).endswith("outcome")


def test_races_are_errors():
    advice = tilewright.advise(tilewright.load(STORE)["store"], (np.zeros(1, np.int32),), 2)
    assert not advice and advice.data["errors"][0]["race"]
    assert "too weak" in advice.text


@ct.kernel
def count(x):
    ct.atomic_add(x, (0,), 1)


def test_advises_on_cutile_kernels():
    advice = tilewright.advise(count, (np.zeros(1, np.int32),), 2)
    assert advice.data["exhaustive"]
    assert {row["part"]: row["verdict"] for row in advice.data["operations"]}["scope"] == "needed"


def test_rejects_what_does_not_fit():
    entry = tilewright.load(INCREMENT)["add"]
    with pytest.raises(ValueError, match="exploration_runs: expected a number from 1, but got 0"):
        tilewright.advise(entry, (np.zeros(1, np.int32),), 2, exploration_runs=0)
    with pytest.raises((TypeError, ValueError)):
        tilewright.advise(entry, (), 2)
