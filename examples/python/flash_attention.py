# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention without the matrix of scores: softmax(q @ k^T / sqrt(d)) @ v, plain and causal.

A tile block processes a tile of queries and iterates over the keys. It keeps, for each query, the
maximum score so far, the sum of exponentials relative to it, and the sum of values weighted with these
exponentials; when the maximum grows, both sums are rescaled. Memory is linear in the sequence length.
With `causal`, a query sees no later key: tiles of keys after the queries are not visited, and the last
one is masked.
"""

import math
import sys

import cuda.tile as ct
import numpy as np

import tilewright.cutile
from _common import EPSILON, Example

ZERO = ct.PaddingMode.ZERO
QUERIES, KEYS = 64, 64  # per tile


@ct.kernel
def attention_kernel(q, k, v, out, scale: float, causal: ct.Constant[bool],
                     queries: ct.Constant[int], keys: ct.Constant[int], d: ct.Constant[int]):
    head, i = ct.bid(1), ct.bid(0)
    length = k.shape[1]
    query = ct.load(q, (head, i, 0), (1, queries, d), padding_mode=ZERO).reshape((queries, d))
    row = i * queries + ct.arange(queries, dtype=ct.int32)[:, None]
    maximum = ct.full((queries, 1), -float("inf"), ct.float32)
    total = ct.zeros((queries, 1), ct.float32)
    weighted = ct.zeros((queries, d), ct.float32)

    end = length
    if causal:
        end = min(length, (i + 1) * queries)
    for j in range(ct.cdiv(end, keys)):
        # The order (0, 2, 1) swaps the last two dimensions: the tile is a part of k^T.
        key = ct.load(k, (head, 0, j), (1, d, keys), order=(0, 2, 1), padding_mode=ZERO)
        scores = ct.mma(query, key.reshape((d, keys)), ct.zeros((queries, keys), ct.float32))
        column = j * keys + ct.arange(keys, dtype=ct.int32)[None, :]
        seen = column < length
        if causal:
            seen = seen & (column <= row)
        scores = ct.where(seen, scores * scale, -float("inf"))

        higher = ct.maximum(maximum, ct.max(scores, axis=1, keepdims=True))
        powers = ct.exp2(scores - higher)
        shrink = ct.exp2(maximum - higher)
        value = ct.load(v, (head, j, 0), (1, keys, d), padding_mode=ZERO).reshape((keys, d))
        total = total * shrink + ct.sum(powers, axis=1, keepdims=True)
        weighted = ct.mma(powers.astype(v.dtype), value, weighted * shrink)
        maximum = higher

    result = (weighted / total).astype(out.dtype)
    ct.store(out, (head, i, 0), result.reshape((1, queries, d)))


def attention(q, k, v, causal, **options):
    """q, k, v: heads x length x d; d is a power of two."""
    heads, length, d = q.shape
    out = np.empty_like(q)
    scale = math.log2(math.e) / math.sqrt(d)  # exp2 is cheaper than exp
    tilewright.cutile.launch((ct.cdiv(length, QUERIES), heads), attention_kernel,
                             (q, k, v, out, scale, causal, QUERIES, KEYS, d), **options)
    return out


def reference(q, k, v, causal):
    scores = q.astype(np.float64) @ k.astype(np.float64).swapaxes(1, 2) / math.sqrt(q.shape[2])
    if causal:
        scores[:, ~np.tri(*scores.shape[1:], dtype=bool)] = -np.inf
    powers = np.exp(scores - scores.max(axis=2, keepdims=True))
    return powers / powers.sum(axis=2, keepdims=True) @ v


def main() -> int:
    example = Example(__doc__)
    heads, length, d = (2, 150, 32) if example.quick else (8, 1000, 64)
    for causal in (False, True):
        q, k, v = example.normal(3, heads, length, d)
        # A score, below 8, is rounded in each of d steps, with errors of both signs; its exponential
        # inherits the error of the score.
        example.run("flash_attention" + " causal" * causal, attention, reference,
                    (q, k, v, causal), (q[:1, :100], k[:1, :100], v[:1, :100], causal),
                    tolerance=64 * EPSILON,
                    operations=4 * heads * length * length * d // (2 if causal else 1))
    return example.status


if __name__ == "__main__":
    sys.exit(main())
