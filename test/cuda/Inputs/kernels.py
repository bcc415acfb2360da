# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs kernels with the unmodified client, and compares them with NumPy."""

import threading

import cuda.tile as ct
import numpy as np
from arrays import Array, synchronise


@ct.kernel
def vector_add(a, b, c, tile: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(c, (i,), ct.load(a, (i,), (tile,)) + ct.load(b, (i,), (tile,)))


@ct.kernel
def matmul(a, b, c, m: ct.Constant[int], n: ct.Constant[int], k: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    total = ct.full((m, n), 0, dtype=ct.float32)
    for at in range(ct.num_tiles(a, axis=1, shape=(m, k))):
        left = ct.load(a, (i, at), (m, k), padding_mode=ct.PaddingMode.ZERO)
        right = ct.load(b, (at, j), (k, n), padding_mode=ct.PaddingMode.ZERO)
        total = ct.mma(left, right, total)
    ct.store(c, (i, j), total)


@ct.kernel
def scale(x, y, factor: float, offset: int, negate: bool):
    i = ct.bid(0)
    value = ct.load(x, (i,), (16,)) * factor + offset
    ct.store(y, (i,), ct.where(negate, -value, value))


@ct.kernel
def total(arrays, out):
    i = ct.bid(0)
    sum = ct.full((16,), 0, dtype=ct.float32)
    for k in range(len(arrays)):
        sum = sum + ct.load(arrays[k], (i,), (16,))
    ct.store(out, (i,), sum)


@ct.kernel
def count(counters, index):
    ct.atomic_add(counters, ct.load(index, (ct.bid(0),), (1,)), 1)


@ct.kernel
def double(x, y):
    i = ct.bid(0)
    tile = ct.load(x, (i,), (16,))
    ct.store(y, (i,), tile + tile)


def launch(grid, kernel, *arguments):
    ct.launch(0, grid, kernel, tuple(
        [Array(item) for item in x] if isinstance(x, list)
        else Array(x) if isinstance(x, np.ndarray) else x for x in arguments))
    assert synchronise() == 0


def test_vector_add():
    a, b = np.arange(1000, dtype=np.float32), np.full(1000, 0.5, np.float32)
    c = np.zeros_like(a)
    launch((8,), vector_add, a, b, c, 128)
    np.testing.assert_array_equal(c, a + b)


def test_strides():
    data = np.arange(2000, dtype=np.float32)
    c = np.zeros(1000, np.float32)
    launch((8,), vector_add, data[::2], data[1::2], c, 128)
    np.testing.assert_array_equal(c, data[::2] + data[1::2])


def test_the_same_array_twice():
    a = np.arange(128, dtype=np.float32)
    c = np.zeros_like(a)
    launch((1,), vector_add, a, a, c, 128)
    np.testing.assert_array_equal(c, 2 * a)


def test_matmul():
    random = np.random.default_rng(1)
    a = random.integers(-4, 5, (50, 70)).astype(np.float32)
    b = random.integers(-4, 5, (70, 40)).astype(np.float32)
    c = np.zeros((50, 40), np.float32)
    launch((4, 3), matmul, a, b, c, 16, 16, 32)
    np.testing.assert_array_equal(c, a @ b)  # small integers: exact


def test_scalars():
    x, y = np.arange(32, dtype=np.float32), np.zeros(32, np.float32)
    launch((2,), scale, x, y, 0.5, -3, False)
    np.testing.assert_array_equal(y, x * 0.5 - 3)
    launch((2,), scale, x, y, 0.25, 7, True)
    np.testing.assert_array_equal(y, -(x * 0.25 + 7))


def test_lists():
    arrays = [np.arange(32, dtype=np.float32) * n for n in (1, 10, 100)]
    out = np.zeros(32, np.float32)
    launch((2,), total, arrays, out)
    np.testing.assert_array_equal(out, np.arange(32) * 111)
    launch((2,), total, arrays[:1], out)
    np.testing.assert_array_equal(out, np.arange(32))


def test_atomics():
    counters = np.zeros(4, np.int32)
    launch((10,), count, counters, np.array([0, 1, 2, 3, 1, 1, 2, 3, 3, 1], np.int32))
    np.testing.assert_array_equal(counters, [1, 4, 2, 3])


def test_element_types():
    for dtype in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
                  "float16", "float32", "float64"):
        x = np.arange(32).astype(dtype)
        y = np.zeros_like(x)
        launch((2,), double, x, y)
        np.testing.assert_array_equal(y, x + x, err_msg=dtype)


def test_threads():
    failures = []

    def work(n):
        a = np.full(256, n, np.float32)
        for _ in range(20):
            c = np.zeros_like(a)
            ct.launch(0, (2,), vector_add, (Array(a), Array(a), Array(c), 128))
            if not (c == 2 * n).all():
                failures.append(n)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures and synchronise() == 0


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
        print("passed", name)
