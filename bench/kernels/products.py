# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of many small matrices, and products with the reduced extent split between blocks."""

import cuda.tile as ct

Const = ct.Constant[int]


@ct.kernel
def batched(a, b, c, TM: Const, TN: Const, TK: Const):
    """c[z] = a[z] b[z]."""
    x, y, z = ct.bid(0), ct.bid(1), ct.bid(2)
    sums = ct.zeros((TM, TN), ct.float32)
    for i in range(ct.cdiv(a.shape[2], TK)):
        left = ct.load(a, (z, x, i), (1, TM, TK)).reshape((TM, TK))
        right = ct.load(b, (z, i, y), (1, TK, TN)).reshape((TK, TN))
        sums = ct.mma(left, right, sums)
    ct.store(c, (z, x, y), sums.reshape((1, TM, TN)))


@ct.kernel
def partial(a, b, parts, steps: Const, TM: Const, TN: Const, TK: Const):
    """parts[z] = a b, restricted to the z-th part of the reduced extent, `steps` tiles long."""
    x, y, z = ct.bid(0), ct.bid(1), ct.bid(2)
    sums = ct.zeros((TM, TN), ct.float32)
    for i in range(z * steps, (z + 1) * steps):
        sums = ct.mma(ct.load(a, (x, i), (TM, TK)), ct.load(b, (i, y), (TK, TN)), sums)
    ct.store(parts, (z, x, y), sums.reshape((1, TM, TN)))


@ct.kernel
def sum_parts(parts, c, S: Const, TM: Const, TN: Const):
    x, y = ct.bid(0), ct.bid(1)
    ct.store(c, (x, y), ct.sum(ct.load(parts, (0, x, y), (S, TM, TN)), 0))
