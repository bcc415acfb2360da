# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix multiplication of float16 matrices with float32 accumulators, in three ways.

`matmul`: each tile block computes one tile of the result and iterates along K.
`persistent_matmul`: a fixed number of tile blocks process the tiles of the result; blocks that run at
the same time use the same columns of B, which stay in the caches.
`split_k_matmul`: when the result is small and K is long, several tile blocks compute a tile of the
result; each processes a part of K, and they add their results atomically.
"""

import os
import sys

import cuda.tile as ct
import numpy as np

import tilewright.cutile
from _common import EPSILON, Example

ZERO = ct.PaddingMode.ZERO
TILE = (64, 64, 64)  # M, N, K
SPLITS = 8


@ct.function
def sum_along_k(a, b, row, column, first, last, tile: ct.Constant):
    """The tile (row, column) of a @ b, accumulated over the tiles first to last-1 along K."""
    m, n, k = tile
    total = ct.zeros((m, n), ct.float32)
    for i in range(first, last):
        total = ct.mma(ct.load(a, (row, i), (m, k), padding_mode=ZERO),
                       ct.load(b, (i, column), (k, n), padding_mode=ZERO), total)
    return total


@ct.kernel
def matmul_kernel(a, b, c, tile: ct.Constant):
    row, column = ct.bid(0), ct.bid(1)
    steps = ct.cdiv(a.shape[1], tile[2])
    ct.store(c, (row, column), sum_along_k(a, b, row, column, 0, steps, tile))


@ct.kernel
def persistent_kernel(a, b, c, tile: ct.Constant):
    rows, columns = ct.cdiv(c.shape[0], tile[0]), ct.cdiv(c.shape[1], tile[1])
    steps = ct.cdiv(a.shape[1], tile[2])
    for i in range(ct.bid(0), rows * columns, ct.num_blocks(0)):
        row, column = i % rows, i // rows
        ct.store(c, (row, column), sum_along_k(a, b, row, column, 0, steps, tile))


@ct.kernel
def split_k_kernel(a, b, c, tile: ct.Constant):
    row, column, part = ct.bid(0), ct.bid(1), ct.bid(2)
    steps, parts = ct.cdiv(a.shape[1], tile[2]), ct.num_blocks(2)
    total = sum_along_k(a, b, row, column, steps * part // parts, steps * (part + 1) // parts, tile)
    c.tiled_view((tile[0], tile[1])).atomic_store_add((row, column), total)


def tiles_of(c) -> tuple[int, int]:
    return ct.cdiv(c.shape[0], TILE[0]), ct.cdiv(c.shape[1], TILE[1])


def matmul(a, b, **options):
    c = np.empty((a.shape[0], b.shape[1]), np.float32)
    tilewright.cutile.launch(tiles_of(c), matmul_kernel, (a, b, c, TILE), **options)
    return c


def persistent_matmul(a, b, **options):
    c = np.empty((a.shape[0], b.shape[1]), np.float32)
    tilewright.cutile.launch(os.cpu_count(), persistent_kernel, (a, b, c, TILE), **options)
    return c


def split_k_matmul(a, b, **options):
    c = np.zeros((a.shape[0], b.shape[1]), np.float32)  # every part is added to this
    tilewright.cutile.launch((*tiles_of(c), SPLITS), split_k_kernel, (a, b, c, TILE), **options)
    return c


def reference(a, b):
    return a.astype(np.float64) @ b.astype(np.float64)


def main() -> int:
    example = Example(__doc__)
    square = (200, 170, 130) if example.quick else (1000, 1100, 900)
    flat = (100, 90, 1000) if example.quick else (120, 100, 60_000)
    for name, compute, (m, n, k) in (("matmul", matmul, square),
                                     ("persistent_matmul", persistent_matmul, square),
                                     ("split_k_matmul", split_k_matmul, flat)):
        a, b = example.normal(m, k, dtype=np.float16), example.normal(k, n, dtype=np.float16)
        # Products of float16 are exact in float32. Each of K additions rounds by at most EPSILON of
        # a sum below K, with both signs: relative to the largest element, a few times sqrt(K).
        example.run(name, compute, reference, (a, b), (a[:70, :99], b[:99, :80]),
                    tolerance=2 * k**0.5 * EPSILON, operations=2 * m * n * k)
    return example.status


if __name__ == "__main__":
    sys.exit(main())
