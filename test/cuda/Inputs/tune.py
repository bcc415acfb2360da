# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests `ct.tune`, which uses graphs to measure; and graphs by themselves."""

import ctypes

import cuda.tile as ct
import numpy as np
from arrays import Array, driver, synchronise


@ct.kernel
def vector_add(a, b, c, tile: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(c, (i,), ct.load(a, (i,), (tile,)) + ct.load(b, (i,), (tile,)))


a, b = np.arange(1024, dtype=np.float32), np.ones(1024, np.float32)
c = np.zeros_like(a)
arrays = Array(a), Array(b), Array(c)
result = ct.tune.exhaustive_search(
    [64, 256], 0, lambda tile: (1024 // tile,), vector_add, lambda tile: (*arrays, tile), quiet=True)
assert result.best.config in (64, 256) and len(result.successes) == 2 and not result.failures
np.testing.assert_array_equal(c, a + b)
print("passed tune")


class Memset(ctypes.Structure):
    _fields_ = [("address", ctypes.c_uint64), ("pitch", ctypes.c_size_t), ("value", ctypes.c_uint),
                ("elementSize", ctypes.c_uint), ("width", ctypes.c_size_t),
                ("height", ctypes.c_size_t)]


# Two memsets, of columns 0 and 1 in rows of four, replayed after the memory has changed.
words = np.zeros((2, 4), np.int16)
graph, nodes, instance = ctypes.c_void_p(), (ctypes.c_void_p * 2)(), ctypes.c_void_p()
assert driver.cuGraphCreate(ctypes.byref(graph), 0) == 0
for column in range(2):
    memset = Memset(words.ctypes.data + 2 * column, 8, 7 + column, 2, 1, 2)
    assert driver.cuGraphAddMemsetNode(
        ctypes.byref(nodes, 8 * column), graph, nodes, ctypes.c_size_t(column),
        ctypes.byref(memset), None) == 0
stranger = (ctypes.c_void_p * 1)(1)
assert driver.cuGraphAddEmptyNode(ctypes.byref(nodes), graph, stranger, ctypes.c_size_t(1)) == 1
assert driver.cuGraphInstantiateWithFlags(ctypes.byref(instance), graph, ctypes.c_uint64(0)) == 0
assert driver.cuGraphDestroy(graph) == 0 and driver.cuGraphDestroy(graph) == 400
assert not words.any()
for _ in range(2):
    words[:] = 1
    assert driver.cuGraphLaunch(instance, None) == 0
    assert words.tolist() == [[7, 8, 1, 1], [7, 8, 1, 1]]
assert driver.cuGraphExecDestroy(instance) == 0
assert driver.cuGraphLaunch(instance, None) == 400
assert synchronise() == 0
print("passed graphs")
