# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scans, top-k and sorting of the rows of a matrix."""

import cuda.tile as ct

Const = ct.Constant[int]


@ct.kernel
def row_sums(x, y, N: Const):
    """The inclusive prefix sums of a row."""
    r = ct.bid(0)
    ct.store(y, (r, 0), ct.cumsum(ct.load(x, (r, 0), (1, N)), 1))


@ct.kernel
def largest(x, values, indices, K: Const, N: Const):
    """The K largest elements of a row in descending order, and their indices."""
    r = ct.bid(0)
    row = ct.load(x, (r, 0), (1, N))
    column = ct.arange(N, dtype=ct.int32)[None, :]
    for k in range(K):
        found = ct.argmax(row, 1, keepdims=True)
        ct.store(indices, (r, k), found)
        ct.store(values, (r, k), ct.max(row, 1, keepdims=True))
        row = ct.where(column == found, float("-inf"), row)


@ct.kernel
def sort_rows(x, y, T: Const, N: Const, L: Const):
    """Sorts T rows of N = 2^L elements with Batcher's bitonic merges."""
    r = ct.bid(0)
    rows = ct.load(x, (r, 0), (T, N))
    for merge in ct.static_iter(range(1, L + 1)):
        for step in ct.static_iter(range(merge - 1, -1, -1)):
            pairs = rows.reshape((T, N >> (step + 1), 2, 1 << step))
            shape = (T, N >> (step + 1), 1, 1 << step)
            first = ct.extract(pairs, (0, 0, 0, 0), shape)
            second = ct.extract(pairs, (0, 0, 1, 0), shape)
            number = ct.arange(N >> (step + 1), dtype=ct.int32)[None, :, None, None]
            falls = ((number >> (merge - step - 1)) & 1) == 1
            low, high = ct.minimum(first, second), ct.maximum(first, second)
            pairs = ct.cat((ct.where(falls, high, low), ct.where(falls, low, high)), 2)
            rows = pairs.reshape((T, N))
    ct.store(y, (r, 0), rows)
