# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Data-dependent accesses, and prefix sums."""

import cuda.tile as ct

Const = ct.Constant[int]


@ct.kernel
def gather(table, indices, out, T: Const):
    x = ct.bid(0)
    chosen = ct.load(indices, (x,), (T,))
    ct.store(out, (x,), ct.gather(table, chosen, check_bounds=False))


@ct.kernel
def gather_rows(table, indices, out, T: Const, N: Const):
    """Gathers rows of a table with N columns."""
    x = ct.bid(0)
    chosen = ct.load(indices, (x,), (T,))
    ct.store(out, (x, 0), ct.load_advanced_indexing(table, (chosen, ct.Slice(0, N))))


@ct.kernel
def histogram(values, tables, S: Const, T: Const, W: Const):
    """A histogram of bytes: each block counts S tiles in W tables of its own. Consecutive bytes, which are
    often equal, go to different tables."""
    x = ct.bid(0)
    ct.store(tables, (x,), ct.zeros((W * 256,), ct.int32))
    first = (x * W + ct.arange(W, dtype=ct.int32)[None, :]) * 256
    for i in range(S):
        bins = ct.load(values, (x * S + i,), (T,)).reshape((T // W, W))
        ct.atomic_add(tables, first + ct.astype(bins, ct.int32), 1, check_bounds=False,
                      memory_order=ct.MemoryOrder.RELAXED, memory_scope=ct.MemoryScope.BLOCK)


@ct.kernel
def sum_tables(tables, counts, N: Const):
    ct.store(counts, (0,), ct.sum(ct.load(tables, (0,), (N * 256,)).reshape((N, 256)), 0))


@ct.kernel
def sum_parts(values, sums, S: Const, T: Const):
    """The sum of a part of S tiles, for the following parts."""
    x = ct.bid(0)
    total = ct.zeros((), ct.int32)
    for i in range(x * S, min((x + 1) * S, ct.cdiv(values.shape[0], T))):
        total += ct.sum(ct.load(values, (i,), (T,)), 0)
    ct.store(sums, (x + 1,), total)


@ct.kernel
def scan_parts(values, sums, out, P: Const, S: Const, T: Const):
    x = ct.bid(0)
    before = ct.where(ct.arange(P, dtype=ct.int32) <= x, ct.load(sums, (0,), (P,)), 0)
    start = ct.sum(before, 0)
    for i in range(x * S, min((x + 1) * S, ct.cdiv(values.shape[0], T))):
        tile = ct.load(values, (i,), (T,))
        total = ct.sum(tile, 0)
        ct.store(out, (i,), ct.cumsum(tile, 0) + start)
        start += total
