# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests what `tilewright.diff` returns."""

import cuda.tile as ct
import numpy as np
import pytest
import tilewright
from conftest import ADD


@ct.kernel
def double(x, y):
    ct.store(y, index=(ct.bid(0),), tile=2 * ct.load(x, index=(ct.bid(0),), shape=(4,)))


@ct.kernel
def race(x):
    ct.store(x, index=(0,), tile=ct.full((1,), ct.bid(0), ct.int32))


def test_compares_the_devices_of_an_entry():
    x = np.arange(4, dtype=np.int32)
    found = tilewright.diff(tilewright.load(ADD)["add"], (x, 41), 4, devices=["cpu", "ptx:sm_80"])
    assert found and found.succeeded and found.text == ""
    assert [row["device"] for row in found.data["devices"]] == ["cpu", "ptx:sm_80"]
    assert str(found) == "cpu: equal\nptx:sm_80: equal"
    assert x.tolist() == [0, 1, 2, 3]


def test_compares_the_devices_of_a_cutile_kernel():
    x, y = np.arange(8, dtype=np.float32), np.zeros(8, np.float32)
    assert tilewright.diff(double, (x, y), 2)
    assert y.tolist() == [0] * 8


def test_reports_what_the_kernel_does_wrong():
    found = tilewright.diff(race, (np.zeros(1, np.int32),), 2)
    assert not found
    assert found.data["findings"][0]["check"] == "race"
    assert "test_diff.py" in found.text and "[race]" in str(found)


def test_rejects_what_does_not_fit():
    add, x = tilewright.load(ADD)["add"], np.zeros(1, np.int32)
    with pytest.raises(ValueError, match="but got 'tpu'"):
        tilewright.diff(add, (x, 1), 1, devices=["tpu"])
    with pytest.raises(TypeError, match="sequence of devices, but got the str 'cpu'"):
        tilewright.diff(add, (x, 1), 1, devices="cpu")
    with pytest.raises(TypeError):
        tilewright.diff(add, (x,), 1)
