# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Softmax of every row of a matrix, in two ways.

`softmax` loads a whole row as one tile: one pass over memory, for rows that fit. `online_softmax`
iterates over the row tile by tile and keeps the maximum so far and the sum of exponentials relative to
it; when the maximum grows, the sum is rescaled. This is the central idea of flash attention. Padding
with negative infinity makes the missing elements of a partial tile contribute nothing.
"""

import sys

import cuda.tile as ct
import numpy as np

import tilewright.cutile
from _common import EPSILON, Example

NEG_INF = ct.PaddingMode.NEG_INF


@ct.kernel
def softmax_kernel(x, y, tile: ct.Constant[int]):
    row = ct.bid(0)
    values = ct.load(x, (row, 0), (1, tile), padding_mode=NEG_INF)
    powers = ct.exp(values - ct.max(values, axis=1, keepdims=True))
    ct.store(y, (row, 0), powers / ct.sum(powers, axis=1, keepdims=True))


@ct.kernel
def online_softmax_kernel(x, y, tile: ct.Constant[int]):
    row = ct.bid(0)
    tiles = ct.num_tiles(x, 1, (1, tile))
    maximum = ct.full((1, 1), -float("inf"), ct.float32)
    total = ct.zeros((1, 1), ct.float32)
    for i in range(tiles):
        values = ct.load(x, (row, i), (1, tile), padding_mode=NEG_INF)
        higher = ct.maximum(maximum, ct.max(values, axis=1, keepdims=True))
        powers = ct.exp(values - higher)
        total = total * ct.exp(maximum - higher) + ct.sum(powers, axis=1, keepdims=True)
        maximum = higher
    for i in range(tiles):
        values = ct.load(x, (row, i), (1, tile), padding_mode=NEG_INF)
        ct.store(y, (row, i), ct.exp(values - maximum) / total)


def softmax(x, **options):
    y = np.empty_like(x)
    tile = 1 << (x.shape[1] - 1).bit_length()  # tile extents are powers of two
    tilewright.cutile.launch(x.shape[0], softmax_kernel, (x, y, tile), **options)
    return y


def online_softmax(x, **options):
    y = np.empty_like(x)
    tilewright.cutile.launch(x.shape[0], online_softmax_kernel, (x, y, 512), **options)
    return y


def reference(x):
    powers = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def main() -> int:
    example = Example(__doc__)
    x = example.normal(*(64, 1000) if example.quick else (4096, 2000))
    small = (x[:3, :700],)
    # Exponential: 16 EPSILON from rounding x - maximum (below 16), and 4 from exp; sum: as much, plus
    # one for each level of additions; one for the division.
    for name, compute, levels in (("softmax", softmax, 11), ("online_softmax", online_softmax, 13)):
        example.run(name, compute, reference, (x,), small, tolerance=(41 + levels) * EPSILON,
                    bytes=2 * x.nbytes)
    return example.status


if __name__ == "__main__":
    sys.exit(main())
