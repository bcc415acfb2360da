# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Typical complete kernels, compared with NumPy: compiled, then checked.

`test/nvidia/cutile_on_ptx.py` runs the checked launches on the PTX machine, compiled for GPUs.
"""

import cuda.tile as ct
import ml_dtypes
import numpy as np
import pytest
from tilewright import cutile

ZERO = ct.PaddingMode.ZERO
LAUNCHES = ({"device": "cpu"}, {"check": True})
rng = np.random.default_rng(7)


def normal(*shape, dtype=np.float32):
    return rng.standard_normal(shape, np.float32).astype(dtype)


def wide(array):
    return array.astype(np.float64)


def launch(grid, kernel, inputs, outputs, constants=()):
    """Yields the outputs of each launch; they start as copies of the given arrays."""
    for options in LAUNCHES:
        found = [array.copy() for array in outputs]
        cutile.launch(grid, kernel, (*inputs, *found, *constants), **options)
        yield found


def close(found, expected, tolerance):
    """`tolerance` is relative to the largest magnitude."""
    np.testing.assert_allclose(wide(found), expected, rtol=0,
                               atol=tolerance * (np.abs(expected).max() or 1))


# --- Products -------------------------------------------------------------------------------


@ct.kernel
def product(a, b, c, tile: ct.Constant, turned: ct.Constant):
    m, n, k = tile
    total = ct.zeros((m, n), ct.float32)
    for i in range(ct.cdiv(b.shape[0], k)):
        if turned:
            left = ct.load(a, (i, ct.bid(0)), (k, m), padding_mode=ZERO).transpose()
        else:
            left = ct.load(a, (ct.bid(0), i), (m, k), padding_mode=ZERO)
        total = ct.mma(left, ct.load(b, (i, ct.bid(1)), (k, n), padding_mode=ZERO), total)
    ct.store(c, (ct.bid(0), ct.bid(1)), total)


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("tile", [(16, 16, 16), (1, 16, 16), (8, 8, 1), (128, 16, 64), (16, 128, 32), (2, 2, 2)])
@pytest.mark.parametrize("dtype", [np.float16, ml_dtypes.bfloat16, np.float32, ml_dtypes.float8_e4m3fn])
def test_product(dtype, tile, turned):
    """With partial tiles; sums of small integers are the same in every order."""
    m, n, k = (extent + 1 + extent // 3 for extent in tile)
    a, b = (rng.integers(-4, 5, shape).astype(dtype) for shape in ((m, k), (k, n)))
    given = np.ascontiguousarray(a.T) if turned else a
    grid = (ct.cdiv(m, tile[0]), ct.cdiv(n, tile[1]))
    for (c,) in launch(grid, product, (given, b), (np.zeros((m, n), np.float32),), (tile, turned)):
        np.testing.assert_array_equal(c, wide(a) @ wide(b))


@ct.kernel
def grouped(a, b, ends, c, m: ct.Constant, n: ct.Constant, k: ct.Constant):
    group, column = ct.bid(0), ct.bid(1)
    first, end = ct.gather(ends, group), ct.gather(ends, group + 1)
    for start in range(first, end, m):
        rows = start + ct.arange(m, dtype=ct.int32)
        inside = (rows < end)[:, None]
        total = ct.zeros((m, n), ct.float32)
        for i in range(ct.cdiv(a.shape[1], k)):
            columns = i * k + ct.arange(k, dtype=ct.int32)
            left = ct.gather(a, (rows[:, None], columns[None, :]), mask=inside, padding_value=0.0)
            right = ct.load(b, (group, i, column), (1, k, n), padding_mode=ZERO).reshape((k, n))
            total = ct.mma(left, right, total)
        where = column * n + ct.arange(n, dtype=ct.int32)
        ct.scatter(c, (rows[:, None], where[None, :]), total, mask=inside)


def test_grouped_product():
    ends = np.array([0, 5, 5, 40, 57], np.int32)  # one group is empty
    a, b = normal(57, 40, dtype=np.float16), normal(4, 40, 24, dtype=np.float16)
    expected = np.concatenate([wide(a[i:j]) @ wide(b[g]) for g, (i, j) in enumerate(zip(ends, ends[1:]))])
    for (c,) in launch((4, 2), grouped, (a, b, ends), (np.zeros((57, 24), np.float32),), (16, 16, 16)):
        close(c, expected, 1e-6)


# --- Attention ------------------------------------------------------------------------------


@ct.kernel
def decode(q, k, v, lengths, o, tile: ct.Constant, scale: ct.Constant):
    group, depth, steps = tile
    batch, head = ct.bid(0), ct.bid(1)
    length = ct.gather(lengths, batch)
    rows = ct.load(q, (batch, head, 0, 0), (1, 1, group, depth)).reshape((group, depth))
    most = ct.full((group, 1), -1e30, ct.float32)
    total, sums = ct.zeros((group, 1), ct.float32), ct.zeros((group, depth), ct.float32)
    for i in range(ct.cdiv(length, steps)):
        keys = ct.load(k, (batch, head, i, 0), (1, 1, steps, depth), padding_mode=ZERO).reshape((steps, depth))
        values = ct.load(v, (batch, head, i, 0), (1, 1, steps, depth), padding_mode=ZERO).reshape((steps, depth))
        scores = ct.mma(rows, keys.transpose(), ct.zeros((group, steps), ct.float32)) * scale
        scores = ct.where((i * steps + ct.arange(steps, dtype=ct.int32) < length)[None, :], scores, -1e30)
        now = ct.maximum(most, ct.max(scores, axis=1, keepdims=True))
        powers, shrunk = ct.exp(scores - now), ct.exp(most - now)
        total = total * shrunk + ct.sum(powers, axis=1, keepdims=True)
        sums, most = ct.mma(powers.astype(q.dtype), values, sums * shrunk), now
    ct.store(o, (batch, head, 0, 0), (sums / total).reshape((1, 1, group, depth)))


@pytest.mark.parametrize("group, steps", [(1, 16), (4, 32), (8, 16), (16, 64)])
@pytest.mark.parametrize("dtype, tolerance", [(np.float16, 5e-3), (ml_dtypes.bfloat16, 3e-2), (np.float32, 1e-5)])
def test_decode(dtype, tolerance, group, steps):
    """Grouped queries, with a number of keys that is not a multiple of the tile."""
    q, k, v = (normal(2, 2, count, 32, dtype=dtype) for count in (group, 70, 70))
    lengths, scale = np.array([70, 33], np.int32), 0.17
    expected = np.zeros(q.shape)
    for i, length in enumerate(lengths):
        scores = wide(q[i]) @ wide(k[i, :, :length]).transpose(0, 2, 1) * scale
        powers = np.exp(scores - scores.max(-1, keepdims=True))
        expected[i] = powers / powers.sum(-1, keepdims=True) @ wide(v[i, :, :length])
    for (o,) in launch((2, 2), decode, (q, k, v, lengths), (np.zeros(q.shape, np.float32),),
                       ((group, 32, steps), scale)):
        close(o, expected, tolerance)


# --- Rows -----------------------------------------------------------------------------------


@ct.kernel
def largest(x, values, places, extent: ct.Constant, count: ct.Constant):
    row = ct.bid(0)
    left = ct.load(x, (row, 0), (1, extent), padding_mode=ct.PaddingMode.NEG_INF).reshape((extent,))
    numbers = ct.arange(extent, dtype=ct.int32)
    for i in range(count):
        at = ct.argmax(left, axis=0).astype(ct.int32)
        ct.scatter(values, (row, i), ct.max(left))
        ct.scatter(places, (row, i), at)
        left = ct.where(numbers == at, -float("inf"), left)


def test_largest():
    x = normal(5, 100)
    order = np.argsort(-x, 1)[:, :6]
    for values, places in launch(5, largest, (x,), (np.zeros((5, 6), np.float32), np.zeros((5, 6), np.int32)),
                                 (128, 6)):
        np.testing.assert_array_equal(places, order)
        np.testing.assert_array_equal(values, np.take_along_axis(x, order, 1))


@ct.kernel
def cross_entropy(x, labels, losses, extent: ct.Constant):
    row = ct.bid(0)
    scores = ct.gather(x, (row, ct.arange(extent, dtype=ct.int32)), padding_value=-1e30)
    most = ct.max(scores)
    wanted = ct.gather(x, (row, ct.gather(labels, row)))
    ct.scatter(losses, row, ct.log(ct.sum(ct.exp(scores - most))) + most - wanted)


def test_cross_entropy():
    x, labels = normal(11, 100), rng.integers(0, 100, 11).astype(np.int32)
    expected = np.log(np.exp(wide(x)).sum(1)) - x[np.arange(11), labels]
    for (losses,) in launch(11, cross_entropy, (x, labels), (np.zeros(11, np.float32),), (128,)):
        close(losses, expected, 1e-5)


# --- Loops ----------------------------------------------------------------------------------


@ct.kernel
def exchanged(x, o, turns, extent: ct.Constant):
    """Loop-carried values are exchanged."""
    a, b, count = ct.zeros((extent,), ct.float32), ct.full((extent,), 1.0, ct.float32), 0.0
    for i in range(turns):
        v = ct.load(x, (i,), (extent,), padding_mode=ZERO)
        if i % 3 == 1:
            a, b = b, a + v
        elif i % 3 == 2:
            count = count + 1.0
        else:
            b = b * 0.5 + v
    ct.store(o, (0,), a)
    ct.store(o, (1,), b + count)


@pytest.mark.parametrize("extent", [2, 16, 4096])
@pytest.mark.parametrize("turns", [1, 2, 7])
def test_exchanged(extent, turns):
    x = normal(extent * turns - extent // 2)
    padded = np.append(x, np.zeros(extent // 2, np.float32)).reshape(turns, extent)
    a, b, count = np.zeros(extent, np.float32), np.ones(extent, np.float32), 0
    for i, v in enumerate(padded):
        if i % 3 == 1:
            a, b = b, a + v
        elif i % 3 == 2:
            count += 1
        else:
            b = b * np.float32(0.5) + v
    for options in LAUNCHES:
        o = np.zeros(2 * extent, np.float32)
        cutile.launch(1, exchanged, (x, o, turns, extent), **options)
        close(o, np.concatenate([a, b + count]), 1e-6)


@ct.kernel
def left_early(x, o, rows):
    row = ct.bid(0)
    if row >= rows:
        return
    i, total = 0, 0.0
    while True:
        v = ct.gather(x, (row, i))
        i = i + 1
        if v < 0:
            break
        if v > 5:
            continue
        total = total + v
    ct.scatter(o, row, total)


def test_left_early():
    x = rng.integers(-1, 8, (9, 20)).astype(np.float32)
    x[:, -1] = -1
    expected = np.full(9, -7, np.float32)
    for row in range(7):
        counted = x[row, :np.argmax(x[row] < 0)]
        expected[row] = counted[counted <= 5].sum()
    for options in LAUNCHES:
        o = np.full(9, -7, np.float32)
        cutile.launch(9, left_early, (x, o, 7), **options)
        np.testing.assert_array_equal(o, expected)


# --- Integers, atomics ----------------------------------------------------------------------


@ct.kernel
def histogram(x, counts, extent: ct.Constant):
    ct.atomic_add(counts, ct.load(x, (ct.bid(0),), (extent,)), 1)


def test_histogram():
    x = rng.integers(0, 10, 1024).astype(np.int32)
    for (counts,) in launch(4, histogram, (x,), (np.zeros(10, np.int32),), (256,)):
        np.testing.assert_array_equal(counts, np.bincount(x, minlength=10))


@ct.kernel
def dropped(x, o, seed: ct.Constant, extent: ct.Constant):
    word = ct.uint32
    key = (ct.bid(0) * extent + ct.arange(extent, dtype=ct.int32)).astype(word) * word(0x9E3779B9) + word(seed)
    key = (key ^ (key >> word(16))) * word(0x85EBCA6B)
    key = (key ^ (key >> word(13))) * word(0xC2B2AE35)
    key = key ^ (key >> word(16))
    v = ct.load(x, (ct.bid(0),), (extent,), padding_mode=ZERO)
    ct.store(o, (ct.bid(0),), ct.where(key < word(1 << 31), v * 2, 0.0))


def test_dropped():
    x, key = normal(1000), np.arange(1000, dtype=np.uint32) * np.uint32(0x9E3779B9) + np.uint32(77)
    key = (key ^ (key >> np.uint32(16))) * np.uint32(0x85EBCA6B)
    key = (key ^ (key >> np.uint32(13))) * np.uint32(0xC2B2AE35)
    key ^= key >> np.uint32(16)
    for (o,) in launch(8, dropped, (x,), (np.zeros_like(x),), (77, 128)):
        np.testing.assert_array_equal(o, np.where(key < 1 << 31, x * 2, 0))
