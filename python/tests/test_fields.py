# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels from many fields, in a variety of forms, compared with NumPy.

`test/nvidia/cutile_on_ptx.py` runs the checked launches on the PTX machine, compiled for GPUs.
"""

import cuda.tile as ct
import ml_dtypes
import numpy as np
import pytest
from test_kernels import ZERO, close, launch, normal, wide

rng = np.random.default_rng(11)


# --- Attention ------------------------------------------------------------------------------


@ct.kernel
def causal(q, k, v, o, tile: ct.Constant, scale: ct.Constant):
    rows, depth = tile
    i, head = ct.bid(0), ct.bid(1)
    left = ct.load(q, (head, i, 0), (1, rows, depth), padding_mode=ZERO).reshape((rows, depth))
    most = ct.full((rows, 1), -1e30, ct.float32)
    total, sums = ct.zeros((rows, 1), ct.float32), ct.zeros((rows, depth), ct.float32)
    place = i * rows + ct.arange(rows, dtype=ct.int32)[:, None]
    for j in range(i + 1):
        keys = ct.load(k, (head // 2, 0, j), (1, depth, rows), order=(0, 2, 1), padding_mode=ZERO)
        scores = ct.mma(left, keys.reshape((depth, rows)), ct.zeros((rows, rows), ct.float32)) * scale
        if j == i:
            scores = ct.where(j * rows + ct.arange(rows, dtype=ct.int32)[None, :] <= place, scores, -1e30)
        now = ct.maximum(most, ct.max(scores, axis=1, keepdims=True))
        powers, shrunk = ct.exp2(scores - now), ct.exp2(most - now)
        total = total * shrunk + ct.sum(powers, axis=1, keepdims=True)
        values = ct.load(v, (head // 2, j, 0), (1, rows, depth), padding_mode=ZERO).reshape((rows, depth))
        sums, most = ct.mma(powers.astype(v.dtype), values, sums * shrunk), now
    ct.store(o, (head, i, 0), (sums / total).reshape((1, rows, depth)))


@pytest.mark.parametrize("dtype, tolerance", [(np.float16, 4e-3), (ml_dtypes.bfloat16, 3e-2), (np.float32, 1e-5)])
def test_causal_attention_of_grouped_heads(dtype, tolerance):
    heads, length, depth = 4, 41, 32
    q, k, v = normal(heads, length, depth, dtype=dtype), normal(2, length, depth, dtype=dtype), normal(2, length, depth, dtype=dtype)
    scale = 1.4426950408889634 / depth ** 0.5
    expected = np.empty((heads, length, depth))
    for head in range(heads):
        scores = wide(q[head]) @ wide(k[head // 2]).T * scale
        powers = np.exp2(scores) * np.tri(length)
        expected[head] = powers / powers.sum(1, keepdims=True) @ wide(v[head // 2])
    for (o,) in launch((ct.cdiv(length, 16), heads), causal, (q, k, v), (np.zeros((heads, length, depth), np.float32),),
                       ((16, depth), scale)):
        close(o, expected, tolerance)


@ct.kernel
def paged(q, pages, table, lengths, o, tile: ct.Constant):
    page, depth = tile
    sequence = ct.bid(0)
    length = ct.gather(lengths, sequence)
    row = ct.load(q, (sequence, 0), (1, depth))
    most, total, sums = -1e30, 0.0, ct.zeros((1, depth), ct.float32)
    for j in range(ct.cdiv(length, page)):
        number = ct.gather(table, (sequence, j))
        keys = ct.load(pages, (number, 0, 0, 0), (1, 1, page, depth)).reshape((page, depth))
        values = ct.load(pages, (number, 1, 0, 0), (1, 1, page, depth)).reshape((page, depth))
        scores = ct.sum(keys * row, axis=1)
        scores = ct.where(j * page + ct.arange(page, dtype=ct.int32) < length, scores, -1e30)
        now = max(most, ct.max(scores))
        powers, shrunk = ct.exp(scores - now), ct.exp(ct.full((1,), most - now, ct.float32)).item()
        total = total * shrunk + ct.sum(powers)
        sums = sums * shrunk + ct.sum(powers[:, None] * values, axis=0, keepdims=True)
        most = now
    ct.store(o, (sequence, 0), sums / total)


def test_paged_attention():
    page, depth = 8, 16
    pages, q = normal(12, 2, page, depth), normal(3, depth)
    table = rng.permutation(12).astype(np.int32).reshape(3, 4)
    lengths = np.array([1, 17, 32], np.int32)
    expected = []
    for sequence, length in enumerate(lengths):
        keys, values = (pages[table[sequence], part].reshape(-1, depth)[:length] for part in (0, 1))
        powers = np.exp(wide(keys) @ wide(q[sequence]))
        expected.append(powers @ wide(values) / powers.sum())
    for (o,) in launch(3, paged, (q, pages, table, lengths), (np.zeros((3, depth), np.float32),), ((page, depth),)):
        close(o, np.array(expected), 1e-5)


# --- Training -------------------------------------------------------------------------------


@ct.kernel
def normed_backward(x, weight, given, back, weight_back, bias_back, extent: ct.Constant, size: ct.Constant):
    row = ct.bid(0)
    inside = ct.arange(extent, dtype=ct.int32) < size
    v = ct.load(x, (row, 0), (1, extent), padding_mode=ZERO).reshape((extent,))
    w = ct.load(weight, (0,), (extent,), padding_mode=ZERO)
    g = ct.load(given, (row, 0), (1, extent), padding_mode=ZERO).reshape((extent,))
    mean = ct.sum(v) / size
    centred = ct.where(inside, v - mean, 0.0)
    scale = ct.rsqrt(ct.sum(centred * centred) / size + 1e-5)
    unit = centred * scale
    wg = w * g
    first, second = ct.sum(unit * wg) / size, ct.sum(wg) / size
    ct.store(back, (row, 0), ((wg - unit * first - second) * scale).reshape((1, extent)))
    where = ct.arange(extent, dtype=ct.int32)
    ct.atomic_add(weight_back, where, g * unit)
    ct.atomic_add(bias_back, where, g)


def test_layer_norm_backward():
    rows, size = 7, 50
    x, weight, given = normal(rows, size), normal(size), normal(rows, size)
    centred = wide(x) - wide(x).mean(1, keepdims=True)
    scale = 1 / np.sqrt((centred ** 2).mean(1, keepdims=True) + 1e-5)
    unit, wg = centred * scale, wide(weight) * given
    expected = (wg - unit * (unit * wg).mean(1, keepdims=True) - wg.mean(1, keepdims=True)) * scale
    zeros = (np.zeros((rows, size), np.float32), np.zeros(size, np.float32), np.zeros(size, np.float32))
    for back, weight_back, bias_back in launch(rows, normed_backward, (x, weight, given), zeros, (64, size)):
        close(back, expected, 1e-5)
        close(weight_back, (given * unit).sum(0), 1e-5)
        close(bias_back, wide(given).sum(0), 1e-5)


@ct.kernel
def cross_entropy_in_parts(x, labels, losses, back, size: ct.Constant, part: ct.Constant):
    """Two passes over more classes than fit into a tile; rows with a negative label are left out."""
    row = ct.bid(0)
    label = ct.gather(labels, row)
    if label < 0:
        for i in range(ct.cdiv(size, part)):
            ct.store(back, (row, i), ct.zeros((1, part), ct.float32))
        return
    most, total = -1e30, 0.0
    for i in range(ct.cdiv(size, part)):
        scores = ct.gather(x, (row, i * part + ct.arange(part, dtype=ct.int32)), padding_value=-1e30)
        now = max(most, ct.max(scores))
        total = total * ct.exp(ct.full((1,), most - now, ct.float32)).item() + ct.sum(ct.exp(scores - now))
        most = now
    spread = ct.log(ct.full((1,), total, ct.float32)).item() + most
    ct.scatter(losses, row, spread - ct.gather(x, (row, label)))
    for i in range(ct.cdiv(size, part)):
        where = i * part + ct.arange(part, dtype=ct.int32)
        powers = ct.exp(ct.gather(x, (row, where), padding_value=-1e30) - spread)
        ct.scatter(back, (row, where), ct.where(where == label, powers - 1.0, powers))


def test_cross_entropy_in_parts():
    x, labels = normal(5, 77), np.array([3, 76, -1, 0, 40], np.int32)
    powers = np.exp(wide(x))
    powers /= powers.sum(1, keepdims=True)
    losses, back = np.zeros(5), np.zeros((5, 77))
    for row in (0, 1, 3, 4):
        losses[row] = -np.log(powers[row, labels[row]])
        back[row] = powers[row]
        back[row, labels[row]] -= 1
    given = (np.zeros(5, np.float32), np.full((5, 77), 9, np.float32))
    for found, slopes in launch(5, cross_entropy_in_parts, (x, labels), given, (77, 32)):
        close(found, losses, 1e-5)
        close(slopes, back, 1e-5)


def merged(mean, squares, count, other_mean, other_squares, other_count):
    both = count + other_count
    share = ct.where(both > 0, other_count / ct.maximum(both, 1.0), 0.0)
    apart = other_mean - mean
    return mean + apart * share, squares + other_squares + apart * apart * count * share, both


@ct.kernel
def moments(x, means, variances, extent: ct.Constant, size: ct.Constant):
    v = ct.load(x, (ct.bid(0), 0), (1, extent), padding_mode=ZERO)
    count = ct.where(ct.arange(extent, dtype=ct.int32) < size, 1.0, 0.0).astype(ct.float32)[None, :]
    mean, squares, _ = ct.reduce((v, v * 0.0, count), 1, merged, (0.0, 0.0, 0.0))
    ct.store(means, (ct.bid(0),), mean)
    ct.store(variances, (ct.bid(0),), squares / size)


@pytest.mark.parametrize("extent, size", [(2, 1), (64, 64), (512, 300)])
def test_moments_of_pairs(extent, size):
    x = normal(3, size) + 100
    for means, variances in launch(3, moments, (x,), (np.zeros(3, np.float32), np.zeros(3, np.float32)), (extent, size)):
        close(means, wide(x).mean(1), 1e-6)
        np.testing.assert_allclose(variances, wide(x).var(1), atol=1e-4)


# --- Routing, sorting and segments ----------------------------------------------------------


@ct.kernel
def routed(scores, experts, weights, counts, places, tokens: ct.Constant, kinds: ct.Constant):
    """The two best experts of each token, and a position in each expert's queue."""
    s = ct.load(scores, (ct.bid(0), 0), (tokens, kinds))
    powers = ct.exp(s - ct.max(s, axis=1, keepdims=True))
    powers = powers / ct.sum(powers, axis=1, keepdims=True)
    column = ct.arange(kinds, dtype=ct.int32)[None, :]
    rows = ct.bid(0) * tokens + ct.arange(tokens, dtype=ct.int32)
    for turn in range(2):
        best = ct.argmax(powers, axis=1)
        value = ct.max(powers, axis=1)
        ct.scatter(experts, (rows, turn), best)
        ct.scatter(weights, (rows, turn), value)
        ct.scatter(places, (rows, turn), ct.atomic_add(counts, best, 1))
        powers = ct.where(column == best[:, None], -1.0, powers)


def test_routing():
    scores = normal(32, 8)
    powers = np.exp(wide(scores))
    powers /= powers.sum(1, keepdims=True)
    order = np.argsort(-powers, 1)[:, :2]
    zeros = (np.zeros((32, 2), np.int32), np.zeros((32, 2), np.float32), np.zeros(8, np.int32), np.full((32, 2), -1, np.int32))
    for experts, weights, counts, places in launch(4, routed, (scores,), zeros, (8, 8)):
        np.testing.assert_array_equal(experts, order)
        close(weights, np.take_along_axis(powers, order, 1), 1e-6)
        np.testing.assert_array_equal(counts, np.bincount(order.ravel(), minlength=8))
        for expert in range(8):  # each position occurs once
            np.testing.assert_array_equal(np.sort(places[experts == expert]), np.arange(counts[expert]))


@ct.kernel
def sorted_rows(x, o, extent: ct.Constant):
    """A bitonic sort: partners are neighbours in another shape."""
    v = ct.load(x, (ct.bid(0), 0), (1, extent)).reshape((extent,))
    size = 2
    for _ in ct.static_iter(range(extent.bit_length() - 1)):
        step = size // 2
        for _ in ct.static_iter(range(size.bit_length() - 1)):
            pairs = v.reshape((extent // (2 * step), 2, step))
            low, high = ct.extract(pairs, (0, 0, 0), (extent // (2 * step), 1, step)), ct.extract(pairs, (0, 1, 0), (extent // (2 * step), 1, step))
            block = ct.arange(extent // (2 * step), dtype=ct.int32)[:, None, None] * (2 * step) // size
            rises = block % 2 == 0
            small, large = ct.minimum(low, high), ct.maximum(low, high)
            v = ct.cat((ct.where(rises, small, large), ct.where(rises, large, small)), 1).reshape((extent,))
            step = step // 2
        size = size * 2
    ct.store(o, (ct.bid(0), 0), v.reshape((1, extent)))


@pytest.mark.parametrize("dtype", [np.int32, np.float32, np.int8, np.uint16])
def test_bitonic_sort(dtype):
    x = rng.integers(0, 100, (3, 64)).astype(dtype)
    for (o,) in launch(3, sorted_rows, (x,), (np.zeros_like(x),), (64,)):
        np.testing.assert_array_equal(o, np.sort(x, 1))


def joined(value, begins, total, begun):
    """Combines an element with the previous ones, in cuTile's order of arguments."""
    return ct.where(begins != 0, value, total + value), begins | begun


@ct.kernel
def segments(x, flags, o, tile: ct.Constant, axis: ct.Constant):
    v = ct.load(x, (ct.bid(0), 0), tile, padding_mode=ZERO)
    f = ct.load(flags, (ct.bid(0), 0), tile, padding_mode=ZERO)
    sums, _ = ct.scan((v, f), axis, joined, (0, 0))
    ct.store(o, (ct.bid(0), 0), sums)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("tile", [(4, 64), (1, 1024), (2, 2)])
def test_sums_of_segments(tile, axis):
    rows, columns = 2 * tile[0], tile[1] - tile[1] // 4
    x, flags = rng.integers(-9, 9, (rows, columns)).astype(np.int32), rng.integers(0, 5, (rows, columns)).astype(np.int32) // 4
    expected = np.zeros_like(x)
    for block in range(2):
        part = slice(block * tile[0], (block + 1) * tile[0])
        values, begins, sums = (np.moveaxis(array[part], axis, 0) for array in (x, flags, expected))
        for at in range(len(values)):
            sums[at] = np.where((begins[at] == 1) | (at == 0), values[at], sums[at - 1] + values[at])
    for (o,) in launch(2, segments, (x, flags), (np.zeros_like(x),), (tile, axis)):
        np.testing.assert_array_equal(o, expected)


@ct.kernel
def rows_times_vector(starts, columns, values, x, y, part: ct.Constant):
    """A product with a sparse matrix, some of whose rows are empty."""
    row = ct.bid(0)
    end, total = ct.gather(starts, row + 1), ct.zeros((part,), ct.float64)
    for at in range(ct.gather(starts, row), end, part):
        where = at + ct.arange(part, dtype=ct.int32)
        inside = where < end
        total = total + ct.gather(values, where, mask=inside) * ct.gather(x, ct.gather(columns, where, mask=inside), mask=inside)
    ct.scatter(y, row, ct.sum(total))


def test_sparse_matrix():
    matrix = np.where(rng.random((13, 29)) < 0.3, rng.standard_normal((13, 29)), 0)
    matrix[5] = 0
    x, (rows, columns) = rng.standard_normal(29), np.nonzero(matrix)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=13))]).astype(np.int32)
    for (y,) in launch(13, rows_times_vector, (starts, columns.astype(np.int64), matrix[rows, columns], x), (np.zeros(13),), (4,)):
        close(y, matrix @ x, 1e-14)


# --- Blocks that meet -----------------------------------------------------------------------


@ct.kernel
def summed_by_the_last(x, parts, arrived, o, extent: ct.Constant):
    block, blocks = ct.bid(0), ct.num_blocks(0)
    ct.scatter(parts, block, ct.sum(ct.load(x, (block,), (extent,), padding_mode=ZERO)))
    if ct.atomic_add(arrived, 0, 1) == blocks - 1:
        total = 0
        for i in range(blocks):
            total = total + ct.gather(parts, i)
        ct.scatter(o, 0, total)


def test_the_last_block_adds():
    x = rng.integers(-50, 50, 1000).astype(np.int32)
    for _, _, o in launch(8, summed_by_the_last, (x,), (np.zeros(8, np.int32), np.zeros(1, np.int32), np.zeros(1, np.int32)), (128,)):
        assert o[0] == x.sum()


@ct.kernel
def persistent(a, b, c, tile: ct.Constant):
    m, n, k = tile
    columns = ct.cdiv(c.shape[1], n)
    for number in range(ct.bid(0), ct.cdiv(c.shape[0], m) * columns, ct.num_blocks(0)):
        row, column = number // columns, number % columns
        total = ct.zeros((m, n), ct.float32)
        for i in range(ct.cdiv(a.shape[1], k)):
            total = ct.mma(ct.load(a, (row, i), (m, k), padding_mode=ZERO).astype(ct.tfloat32),
                           ct.load(b, (i, column), (k, n), padding_mode=ZERO).astype(ct.tfloat32), total)
        ct.store(c, (row, column), total)


def test_persistent_product_of_tf32():
    a, b = (rng.integers(-8, 9, shape).astype(np.float32) for shape in ((70, 36), (36, 51)))
    for (c,) in launch(3, persistent, (a, b), (np.zeros((70, 51), np.float32),), ((32, 16, 8),)):
        np.testing.assert_array_equal(c, a @ b)


# --- Numbers in other clothes ---------------------------------------------------------------


@ct.kernel
def times_nibbles(a, packed, scales, c, tile: ct.Constant, group: ct.Constant):
    """4-bit rhs operands, two per byte along k, with a scale for each group."""
    m, n, k = tile
    total = ct.zeros((m, n), ct.float32)
    for i in range(ct.cdiv(a.shape[1], k)):
        bytes_ = ct.load(packed, (i, ct.bid(1)), (k // 2, n), padding_mode=ZERO)
        low, high = (bytes_ & ct.uint8(15)).astype(ct.int32) - 8, (bytes_ >> ct.uint8(4)).astype(ct.int32) - 8
        both = ct.cat((low[:, None, :], high[:, None, :]), 1).reshape((k, n))
        scale = ct.load(scales, (i * k // group, ct.bid(1)), (1, n), padding_mode=ZERO)
        right = (both.astype(ct.float16) * scale)
        total = ct.mma(ct.load(a, (ct.bid(0), i), (m, k), padding_mode=ZERO), right, total)
    ct.store(c, (ct.bid(0), ct.bid(1)), total)


def test_factors_of_four_bits():
    m, n, k, group = 20, 24, 64, 32
    a = rng.integers(-3, 4, (m, k)).astype(np.float16)
    nibbles = rng.integers(0, 16, (k, n)).astype(np.uint8)
    scales = (2.0 ** rng.integers(-2, 2, (k // group, n))).astype(np.float16)
    packed = nibbles[0::2] | nibbles[1::2] << 4
    expected = wide(a) @ ((nibbles.astype(float) - 8) * np.repeat(wide(scales), group, 0))
    for (c,) in launch((2, 2), times_nibbles, (a, packed, scales), (np.zeros((m, n), np.float32),), ((16, 16, 16), group)):
        np.testing.assert_array_equal(c, expected)


@ct.kernel
def quantised(a, b, zeros, scales, c, tile: ct.Constant):
    m, n, k = tile
    total = ct.zeros((m, n), ct.int32)
    for i in range(ct.cdiv(a.shape[1], k)):
        total = ct.mma(ct.load(a, (ct.bid(0), i), (m, k), padding_mode=ZERO), ct.load(b, (i, ct.bid(1)), (k, n), padding_mode=ZERO), total)
    centred = (total - ct.load(zeros, (ct.bid(1),), (n,), padding_mode=ZERO)[None, :]).astype(ct.float32)
    rounded = ct.floor(centred * ct.load(scales, (ct.bid(1),), (n,), padding_mode=ZERO)[None, :] + 0.5)
    ct.store(c, (ct.bid(0), ct.bid(1)), ct.minimum(ct.maximum(rounded, -128.0), 127.0).astype(ct.int8))


@pytest.mark.parametrize("first, second", [(np.int8, np.int8), (np.uint8, np.uint8)])
@pytest.mark.parametrize("tile", [(16, 16, 32), (64, 32, 16), (8, 8, 8)])
def test_quantised_product(first, second, tile):
    info = [np.iinfo(dtype) for dtype in (first, second)]
    a, b = (rng.integers(i.min, i.max + 1, shape).astype(i.dtype) for i, shape in zip(info, ((37, 50), (50, 21))))
    zeros, scales = rng.integers(-999, 999, 21).astype(np.int32), (2.0 ** rng.integers(-12, -8, 21)).astype(np.float32)
    exact = a.astype(np.int64) @ b.astype(np.int64) - zeros
    expected = np.clip(np.floor(exact * wide(scales) + 0.5), -128, 127).astype(np.int8)
    for (c,) in launch((ct.cdiv(37, tile[0]), ct.cdiv(21, tile[1])), quantised, (a, b, zeros, scales), (np.zeros((37, 21), np.int8),), (tile,)):
        np.testing.assert_array_equal(c, expected)


@ct.kernel
def digits_counted(x, counts, shift: ct.Constant, extent: ct.Constant):
    """Maps floats to integers in the same order; extracts the digit for one pass of a radix sort."""
    bits = ct.bitcast(ct.load(x, (ct.bid(0),), (extent,)), ct.uint32)
    negative = (bits >> ct.uint32(31)) == ct.uint32(1)
    key = ct.where(negative, ~bits, bits | ct.uint32(1 << 31))
    digit = ((key >> ct.uint32(shift)) & ct.uint32(15)).astype(ct.int32)
    same = digit[:, None] == ct.arange(16, dtype=ct.int32)[None, :]
    ct.store(counts, (ct.bid(0), 0), ct.sum(same.astype(ct.int32), axis=0, keepdims=True))


def test_digits_of_floats():
    x = np.concatenate([normal(126), np.array([-0.0, np.inf], np.float32)])
    bits = x.view(np.uint32)
    key = np.where(bits >> 31, ~bits, bits | np.uint32(1 << 31))
    for shift in (0, 28):
        expected = np.stack([np.bincount((part >> shift) & 15, minlength=16) for part in key.reshape(2, 64)])
        for (counts,) in launch(2, digits_counted, (x,), (np.zeros((2, 16), np.int32),), (shift, 64)):
            np.testing.assert_array_equal(counts, expected)


@ct.kernel
def narrow_floats(x, o, pairs, extent: ct.Constant):
    v = ct.load(x, (ct.bid(0),), (extent,))
    ct.store(o, (0, ct.bid(0)), v.astype(ct.float8_e4m3fn).astype(ct.float32)[None, :])
    ct.store(o, (1, ct.bid(0)), v.astype(ct.float8_e5m2).astype(ct.float32)[None, :])
    fours = v.astype(ct.float4_e2m1fn)
    ct.store(o, (2, ct.bid(0)), fours.astype(ct.float32)[None, :])
    ct.store(pairs, (ct.bid(0),), ct.pack_to_bytes(fours))


def test_narrow_floats():
    x = np.concatenate([rng.uniform(-5, 5, 252), [0, -0.0, 0.25, -0.75]]).astype(np.float32)
    fours = x.astype(ml_dtypes.float4_e2m1fn)
    nibbles = fours.view(np.uint8) & 15
    for o, pairs in launch(2, narrow_floats, (x,), (np.zeros((3, 256), np.float32), np.zeros(128, np.uint8)), (128,)):
        for row, dtype in enumerate((ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, ml_dtypes.float4_e2m1fn)):
            np.testing.assert_array_equal(o[row], wide(x.astype(dtype)))
        np.testing.assert_array_equal(pairs, nibbles[0::2] | nibbles[1::2] << 4)


# --- Signals and images ---------------------------------------------------------------------


@ct.kernel
def in_place(cosines, sines, real, imaginary, extent: ct.Constant):
    """Radix 2 through global memory: each stage reads elements that other threads have stored."""
    half = extent // 2
    row, at = ct.bid(0), ct.arange(half, dtype=ct.int32)
    step = 1
    while step < extent:
        low = at // step * (2 * step) + at % step
        where = at % step * (half // step)
        c, s = ct.gather(cosines, where), ct.gather(sines, where)
        a, b = ct.gather(real, (row, low)), ct.gather(imaginary, (row, low))
        x, y = ct.gather(real, (row, low + step)), ct.gather(imaginary, (row, low + step))
        x, y = x * c - y * s, x * s + y * c
        ct.scatter(real, (row, low), a + x)
        ct.scatter(imaginary, (row, low), b + y)
        ct.scatter(real, (row, low + step), a - x)
        ct.scatter(imaginary, (row, low + step), b - y)
        step = step * 2


@pytest.mark.parametrize("extent", [2, 16, 512])
def test_fourier_in_place(extent):
    x = normal(2, extent) + 1j * normal(2, extent)
    order = [int(f"{i:0{extent.bit_length() - 1}b}"[::-1], 2) for i in range(extent)]
    angle = -2 * np.pi * np.arange(extent // 2) / extent
    tables = np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32)
    given = np.ascontiguousarray(x.real[:, order]), np.ascontiguousarray(x.imag[:, order])
    for real, imaginary in launch(2, in_place, tables, given, (extent,)):
        close(real, np.fft.fft(x).real, 1e-5)
        close(imaginary, np.fft.fft(x).imag, 1e-5)


@ct.kernel
def convolved(image, filters, o, shape: ct.Constant, tile: ct.Constant):
    """A 3x3 convolution with stride 2 and zero padding, as a product of gathered pixels."""
    height, width, channels, across = shape
    pixels, outputs = tile
    place = ct.bid(0) * pixels + ct.arange(pixels, dtype=ct.int32)
    row, column = place // across * 2 - 1, place % across * 2 - 1
    total = ct.zeros((pixels, outputs), ct.float32)
    for tap in range(9):
        y, x = (row + tap // 3)[:, None], (column + tap % 3)[:, None]
        inside = (y >= 0) & (y < height) & (x >= 0) & (x < width)
        part = ct.gather(image, (y, x, ct.arange(channels, dtype=ct.int32)[None, :]), mask=inside, padding_value=0)
        right = ct.load(filters, (tap, 0, 0), (1, channels, outputs)).reshape((channels, outputs))
        total = ct.mma(part, right, total)
    ct.store(o, (ct.bid(0), 0), total)


@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_convolution(dtype):
    height, width, channels, outputs = 11, 9, 16, 8
    image, filters = rng.integers(-4, 5, (height, width, channels)).astype(dtype), rng.integers(-4, 5, (9, channels, outputs)).astype(dtype)
    down, across = (height + 1) // 2, (width + 1) // 2
    padded = np.zeros((height + 2, width + 2, channels))
    padded[1:-1, 1:-1] = image
    expected = sum(padded[t // 3:t // 3 + 2 * down:2, t % 3:t % 3 + 2 * across:2][:down, :across].reshape(-1, channels) @ wide(filters[t])
                   for t in range(9))
    for (o,) in launch(ct.cdiv(down * across, 16), convolved, (image, filters), (np.zeros((down * across, outputs), np.float32),),
                       ((height, width, channels, across), (16, outputs))):
        np.testing.assert_array_equal(o, expected)


@ct.kernel
def escaped(o, tile: ct.Constant, most: ct.Constant):
    """Iterates until every point has escaped, or for a maximum number of iterations."""
    rows, columns = tile
    x = (ct.arange(columns, dtype=ct.int32)[None, :].astype(ct.float32) / columns) * 3.0 - 2.0
    y = ((ct.bid(0) * rows + ct.arange(rows, dtype=ct.int32))[:, None].astype(ct.float32) / 16.0) * 2.0 - 1.0
    a, b = ct.zeros(tile, ct.float32), ct.zeros(tile, ct.float32)
    counts, turn = ct.zeros(tile, ct.int32), 0
    while True:
        inside = a * a + b * b <= 4.0
        if ct.sum(inside.astype(ct.int32)) == 0 or turn == most:
            break
        a, b = ct.where(inside, a * a - b * b + x, a), ct.where(inside, 2.0 * a * b + y, b)
        counts, turn = counts + inside.astype(ct.int32), turn + 1
    ct.store(o, (ct.bid(0), 0), counts)


def test_points_that_escape():
    x, y = np.arange(32, dtype=np.float32) / np.float32(32) * np.float32(3) - np.float32(2), np.arange(16, dtype=np.float32)[:, None] / np.float32(16) * np.float32(2) - np.float32(1)
    a, b, counts = np.zeros((16, 32), np.float32), np.zeros((16, 32), np.float32), np.zeros((16, 32), np.int32)
    for _ in range(20):
        inside = a * a + b * b <= 4
        a, b = np.where(inside, a * a - b * b + x, a), np.where(inside, 2 * a * b + y, b)
        counts += inside
    for (o,) in launch(2, escaped, (), (np.zeros((16, 32), np.int32),), ((8, 32), 20)):
        np.testing.assert_array_equal(o, counts)


# --- Small, large, and of many dimensions ---------------------------------------------------


@ct.kernel
def single(x, o):
    v = ct.load(x, (ct.bid(0), ct.bid(1)), (1, 1))
    one = ct.mma(v, v, ct.full((1, 1), 1.0, ct.float32))
    total = ct.sum(ct.cumsum(one, 1), axis=0)
    ct.store(o, (ct.bid(0), ct.bid(1)), total.reshape((1, 1)) + ct.max(v) * ct.argmax(v, axis=0).astype(ct.float32).reshape((1, 1)))


def test_tiles_of_one_element():
    x = normal(3, 2)
    for (o,) in launch((3, 2), single, (x,), (np.zeros((3, 2), np.float32),)):
        close(o, wide(x) ** 2 + 1, 1e-6)


@ct.kernel
def enormous(x, o, extent: ct.Constant):
    v = ct.load(x, (0, 0), (extent, 128), padding_mode=ZERO)
    turned = v.transpose()
    ct.store(o, (0, 0), turned * 2 + ct.sum(v, axis=0)[:, None] + ct.max(turned, axis=0)[None, :])


@pytest.mark.parametrize("extent", [256, 512])
def test_enormous_tiles(extent):
    x = rng.integers(-9, 9, (extent - 3, 127)).astype(np.float32)
    expected = (2 * x + x.sum(0) + np.maximum(x.max(1), 0)[:, None]).T
    for (o,) in launch(1, enormous, (x,), (np.zeros((127, extent - 3), np.float32),), (extent,)):
        np.testing.assert_array_equal(o, expected)


@ct.kernel
def of_six_dimensions(x, o):
    v = ct.load(x, (0, ct.bid(0), 0, 0, 0, 0), (2, 1, 4, 2, 2, 4), padding_mode=ZERO)
    turned = ct.permute(v, (5, 0, 3, 1, 4, 2))
    scanned = ct.cumsum(turned, 5)
    ct.store(o, (0, 0, 0, ct.bid(0), 0, 0), scanned - ct.max(turned, axis=(0, 4), keepdims=True))


def test_six_dimensions():
    x = rng.integers(-20, 20, (2, 3, 3, 2, 1, 4)).astype(np.int64)
    padded = np.zeros((2, 3, 4, 2, 2, 4), np.int64)
    padded[:, :, :3, :, :1] = x
    turned = padded.transpose(5, 0, 3, 1, 4, 2)
    expected = np.cumsum(turned, 5) - turned.max((0, 4), keepdims=True)
    for (o,) in launch(3, of_six_dimensions, (x,), (np.zeros((4, 2, 2, 3, 1, 3), np.int64),)):
        np.testing.assert_array_equal(o, expected[:, :, :, :, :1, :3])


# --- Control flow ---------------------------------------------------------------------------


@ct.kernel
def searched(x, limits, o, extent: ct.Constant):
    """A nested search that leaves both loops, one, or the kernel."""
    block = ct.bid(0)
    limit = ct.gather(limits, block)
    found, turns, i = -1, 0, 0
    while i < 6:
        j = 0
        while True:
            v = ct.load(x, (block, i, j, 0), (1, 1, 1, extent))
            total = ct.sum(v)
            turns = turns + 1
            if total < 0:
                ct.scatter(o, (block, 0), -7)
                return
            if total > limit:
                found = i * 10 + j
                break
            j = j + 1
            if j == 4:
                break
        if found >= 0:
            break
        i = i + 1
        if i % 2 == 1:
            continue
        turns = turns + 100
    ct.scatter(o, (block, 0), found)
    ct.scatter(o, (block, 1), turns)


def search(x, limit):
    found, turns, i = -1, 0, 0
    while i < 6:
        for j in range(4):
            total = x[i, j].sum()
            turns += 1
            if total < 0:
                return [-7, 0]
            if total > limit:
                found = i * 10 + j
                break
        if found >= 0:
            break
        i += 1
        if i % 2 == 0:
            turns += 100
    return [found, turns]


def test_searches():
    x = rng.integers(0, 4, (5, 6, 4, 8)).astype(np.int32)
    x[2, 1, 3, 0] = -99
    limits = np.array([15, 20, 1000, 1000, -1], np.int32)
    expected = [search(x[block], limits[block]) for block in range(5)]
    for (o,) in launch(5, searched, (x, limits), (np.zeros((5, 2), np.int32),), (8,)):
        np.testing.assert_array_equal(o, expected)


@ct.kernel
def chained(x, o, turns, extent: ct.Constant):
    """Each iteration reads what the previous one has stored, in another order."""
    at = ct.arange(extent, dtype=ct.int32)
    ct.scatter(o, at, ct.gather(x, at))
    for i in range(turns):
        v = ct.gather(o, (at * 5 + i) % extent)
        if i % 2 == 0:
            ct.scatter(o, at, v + i)
        else:
            ct.scatter(o, (at + 3) % extent, v * 3)


@pytest.mark.parametrize("extent", [8, 256, 2048])
def test_chains_through_memory(extent):
    x, at = rng.integers(-99, 99, extent).astype(np.int32), np.arange(extent)
    expected = x.copy()
    for i in range(5):
        v = expected[(at * 5 + i) % extent]
        if i % 2 == 0:
            expected = v + i
        else:
            expected = np.empty_like(v)
            expected[(at + 3) % extent] = v * 3
    for (o,) in launch(1, chained, (x,), (np.zeros_like(x),), (5, extent)):
        np.testing.assert_array_equal(o, expected)


@ct.kernel
def solved(a, b, x, extent: ct.Constant):
    """Solves a lower triangular system column by column."""
    rows = ct.arange(extent, dtype=ct.int32)
    rest = ct.load(b, (ct.bid(0), 0), (1, extent)).reshape((extent,))
    for j in range(extent):
        column = ct.load(a, (ct.bid(0), 0, j), (1, extent, 1)).reshape((extent,))
        value = ct.sum(ct.where(rows == j, rest / column, 0.0))
        ct.scatter(x, (ct.bid(0), j), value)
        rest = ct.where(rows > j, rest - column * value, rest)


def test_triangular_systems():
    a, b = np.tril(rng.standard_normal((3, 16, 16))) + 4 * np.eye(16), rng.standard_normal((3, 16))
    for (x,) in launch(3, solved, (a, b), (np.zeros((3, 16)),), (16,)):
        close(x, np.stack([np.linalg.solve(m, v) for m, v in zip(a, b)]), 1e-12)


@ct.kernel
def random_words(o, key: ct.Constant, extent: ct.Constant):
    """Philox 2x32: uses the upper halves of 64-bit products."""
    counter = (ct.bid(0) * extent + ct.arange(extent, dtype=ct.int32)).astype(ct.uint32)
    other, k = ct.zeros((extent,), ct.uint32), ct.full((extent,), key, ct.uint32)
    for _ in range(10):
        wide_product = counter.astype(ct.uint64) * ct.uint64(0xD256D193)
        high, low = (wide_product >> ct.uint64(32)).astype(ct.uint32), wide_product.astype(ct.uint32)
        counter, other, k = high ^ k ^ other, low, k + ct.uint32(0x9E3779B9)
    ct.store(o, (ct.bid(0),), counter ^ other)


def test_random_words():
    counter, other, k = np.arange(256, dtype=np.uint32), np.zeros(256, np.uint32), np.full(256, 1234, np.uint32)
    for _ in range(10):
        product = counter.astype(np.uint64) * np.uint64(0xD256D193)
        counter, other = (product >> np.uint64(32)).astype(np.uint32) ^ k ^ other, product.astype(np.uint32)
        k = k + np.uint32(0x9E3779B9)
    for (o,) in launch(2, random_words, (), (np.zeros(256, np.uint32),), (1234, 128)):
        np.testing.assert_array_equal(o, counter ^ other)


@ct.kernel
def bits_of_masks(x, o, extent: ct.Constant):
    v = ct.load(x, (ct.bid(0),), (extent,))
    a, b = v > 3, v % 2 == 0
    c = (a & ~b) | (a ^ b)
    any_, all_ = ct.max(c.astype(ct.int8)), ct.min(c.astype(ct.int8))
    ct.store(o, (ct.bid(0),), ct.where(c, v, -v) + any_.astype(ct.int16) * 2 + all_.astype(ct.int16))


def test_masks():
    x = rng.integers(-8, 8, 64).astype(np.int16)
    a, b = x > 3, x % 2 == 0
    c = ((a & ~b) | (a ^ b)).reshape(4, 16)
    expected = np.where(c, x.reshape(4, 16), -x.reshape(4, 16)) + c.any(1)[:, None] * 2 + c.all(1)[:, None]
    for (o,) in launch(4, bits_of_masks, (x,), (np.zeros(64, np.int16),), (16,)):
        np.testing.assert_array_equal(o, expected.ravel().astype(np.int16))
