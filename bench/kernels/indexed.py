# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Accesses that depend on data, and sums that depend on all elements before."""

import cuda.tile as ct

Const = ct.Constant[int]


@ct.kernel
def gather(table, indices, out, T: Const):
    x = ct.bid(0)
    chosen = ct.load(indices, (x,), (T,))
    ct.store(out, (x,), ct.gather(table, chosen, check_bounds=False))


@ct.kernel
def gather_rows(table, indices, out, T: Const, N: Const):
    """Rows of a table with N columns."""
    x = ct.bid(0)
    chosen = ct.load(indices, (x,), (T,))
    ct.store(out, (x, 0), ct.load_advanced_indexing(table, (chosen, ct.Slice(0, N))))


@ct.kernel
def clear(counts, T: Const):
    ct.store(counts, (ct.bid(0),), ct.zeros((T,), ct.int32))


@ct.kernel
def histogram(values, counts, T: Const):
    """Counts bytes; which blocks count the same one at the same time, nobody knows."""
    bins = ct.astype(ct.load(values, (ct.bid(0),), (T,)), ct.int32)
    ct.atomic_add(counts, bins, 1, check_bounds=False, memory_order=ct.MemoryOrder.RELAXED)


@ct.kernel
def block_sums(values, sums, T: Const):
    x = ct.bid(0)
    ct.store(sums, (x,), ct.sum(ct.load(values, (x,), (T,)), 0, keepdims=True))


@ct.kernel
def scan_sums(sums, before, T: Const):
    """What comes before each of T blocks."""
    values = ct.load(sums, (0,), (T,))
    ct.store(before, (0,), ct.cumsum(values, 0) - values)


@ct.kernel
def scan_blocks(values, before, out, T: Const):
    x = ct.bid(0)
    ct.store(out, (x,), ct.cumsum(ct.load(values, (x,), (T,)), 0) + ct.load(before, (x,), (1,)))
