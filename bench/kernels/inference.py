# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of a language model's inference: matrix times vector, with weights of 32, 16 and 4 bits; scaled
i8 products; and the products of a mixture of experts."""

import cuda.tile as ct

Const = ct.Constant[int]


@ct.kernel
def gemv(w, x, y, TN: Const, TK: Const):
    """y = w x, with TN rows of w per block; accumulates in f32."""
    n = ct.bid(0)
    sums = ct.zeros((TN, TK), ct.float32)
    for k in range(ct.cdiv(w.shape[1], TK)):
        weights = ct.astype(ct.load(w, (n, k), (TN, TK)), ct.float32)
        sums += weights * ct.load(x, (k,), (TK,))[None, :]
    ct.store(y, (n,), ct.sum(sums, 1))


@ct.kernel
def gemv_int4(w, scales, x, y, TN: Const, G: Const):
    """4-bit weights, two per byte with the first in the low bits, offset by 8; one scale for every G weights
    of a row. The first row of x contains the elements for first weights, the second row those for second
    weights."""
    n = ct.bid(0)
    sums = ct.zeros((TN, G // 2), ct.float32)
    for k in range(ct.cdiv(w.shape[1], G // 2)):
        packed = ct.load(w, (n, k), (TN, G // 2))
        low = ct.astype(ct.astype(packed & 15, ct.int32) - 8, ct.float32)
        high = ct.astype(ct.astype(packed >> 4, ct.int32) - 8, ct.float32)
        first = ct.load(x, (0, k), (1, G // 2))
        second = ct.load(x, (1, k), (1, G // 2))
        sums += (low * first + high * second) * ct.load(scales, (n, k), (TN, 1))
    ct.store(y, (n,), ct.sum(sums, 1))


@ct.kernel
def scaled_gemm(a, b, rows, columns, c, TM: Const, TN: Const, TK: Const):
    """The product of a and b in i32, scaled per row of a and per column of b."""
    m, n = ct.bid(0), ct.bid(1)
    sums = ct.zeros((TM, TN), ct.int32)
    for k in range(ct.cdiv(a.shape[1], TK)):
        sums = ct.mma(ct.load(a, (m, k), (TM, TK)), ct.load(b, (k, n), (TK, TN)), sums)
    scales = ct.load(rows, (m,), (TM,))[:, None] * ct.load(columns, (n,), (TN,))[None, :]
    ct.store(c, (m, n), ct.astype(sums, ct.float32) * scales)


@ct.kernel
def experts(x, w, tokens, expert, y, TM: Const, TN: Const, TK: Const):
    """y[tokens[i]] = x[tokens[i]] w[expert[i / TM]]: tokens are sorted by expert, and padded to whole tiles
    with out-of-range indices."""
    m, n = ct.bid(0), ct.bid(1)
    chosen = ct.load(tokens, (m,), (TM,))
    e = ct.load(expert, (m,), (1,)).item()
    sums = ct.zeros((TM, TN), ct.float32)
    for k in range(ct.cdiv(x.shape[1], TK)):
        column = k * TK + ct.arange(TK, dtype=ct.int32)
        left = ct.gather(x, (chosen[:, None], column[None, :]))
        right = ct.load(w, (e, k, n), (1, TK, TN)).reshape((TK, TN))
        sums = ct.mma(left, right, sums)
    column = n * TN + ct.arange(TN, dtype=ct.int32)
    ct.scatter(y, (chosen[:, None], column[None, :]), sums)
