# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations on the rows of a bf16 matrix, one row per block: computed in f32, rounded once."""

import cuda.tile as ct

Const = ct.Constant[int]


@ct.kernel
def softmax(x, y, N: Const):
    r = ct.bid(0)
    row = ct.astype(ct.load(x, (r, 0), (1, N)), ct.float32)
    powers = ct.exp(row - ct.max(row, 1, keepdims=True))
    ct.store(y, (r, 0), ct.astype(powers / ct.sum(powers, 1, keepdims=True), y.dtype))


@ct.kernel
def rms_norm(x, w, y, N: Const):
    r = ct.bid(0)
    row = ct.astype(ct.load(x, (r, 0), (1, N)), ct.float32)
    factor = ct.rsqrt(ct.sum(row * row, 1, keepdims=True) / N + 1e-5)
    weights = ct.astype(ct.load(w, (0,), (N,)), ct.float32)[None, :]
    ct.store(y, (r, 0), ct.astype(row * factor * weights, y.dtype))
