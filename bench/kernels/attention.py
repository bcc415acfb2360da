# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""softmax(q transposed(k)) v for each head, one tile of queries per block. The running maximum and sum of
the weights are kept with the accumulators, so that no row of weights is ever stored."""

import cuda.tile as ct

Const = ct.Constant[int]


@ct.kernel
def attention(q, k, v, out, scale: ct.Constant[float], causal: ct.Constant[bool], D: Const,
              TM: Const, TN: Const):
    """Arrays are [head, position, D]; `scale` includes a factor log2(e), for exp2."""
    x, head = ct.bid(0), ct.bid(1)
    queries = ct.load(q, (head, x, 0), (1, TM, D)).reshape((TM, D))
    largest = ct.full((TM, 1), -1.0e30, ct.float32)
    total = ct.zeros((TM, 1), ct.float32)
    sums = ct.zeros((TM, D), ct.float32)
    steps = ct.cdiv(k.shape[1], TN)
    if causal:  # keys after the last query have no weight
        steps = ct.cdiv((x + 1) * TM, TN)
    for j in range(steps):
        keys = ct.load(k, (head, 0, j), (1, D, TN), order=(0, 2, 1)).reshape((D, TN))
        scores = ct.mma(queries, keys, ct.zeros((TM, TN), ct.float32)) * scale
        if causal:
            row = x * TM + ct.arange(TM, dtype=ct.int32)[:, None]
            column = j * TN + ct.arange(TN, dtype=ct.int32)[None, :]
            scores = ct.where(row >= column, scores, -1.0e30)
        higher = ct.maximum(largest, ct.max(scores, 1, keepdims=True))
        weights = ct.exp2(scores - higher)
        shrink = ct.exp2(largest - higher)
        total = total * shrink + ct.sum(weights, 1, keepdims=True)
        values = ct.load(v, (head, j, 0), (1, TN, D)).reshape((TN, D))
        sums = ct.mma(ct.astype(weights, v.dtype), values, sums * shrink)
        largest = higher
    ct.store(out, (head, x, 0), (sums / total).reshape((1, TM, D)))
