# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in the style for arrays of any extent: `gather` and `scatter` with bounds checks, although all
elements are contiguous."""

import cuda.tile as ct

Const = ct.Constant[int]


@ct.kernel
def vector_add(a, b, c, T: Const):
    i = ct.bid(0) * T + ct.arange(T, dtype=ct.int32)
    ct.scatter(c, i, ct.gather(a, i) + ct.gather(b, i))


@ct.kernel
def rms_norm(x, w, y, N: Const):
    r = ct.bid(0)
    i = ct.arange(N, dtype=ct.int32)
    row = ct.gather(x, (r, i))
    factor = ct.rsqrt(ct.sum(row**2, 0) / N + 1e-5)
    ct.scatter(y, (r, i), row * factor * ct.gather(w, i))
