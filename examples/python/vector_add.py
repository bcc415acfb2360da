# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds two vectors: the smallest useful kernel.

Each tile block adds one tile of TILE elements. `ct.load` and `ct.store` take the index of the
tile, not of its first element. The last tile may extend beyond the end of the vectors: elements
loaded from there are unspecified, and elements stored there are dropped.
"""

import sys

import cuda.tile as ct
import numpy as np

import tilewright.cutile
from _common import EPSILON, Example

TILE = 4096


@ct.kernel
def add_kernel(a, b, c, tile: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(c, (i,), ct.load(a, (i,), (tile,)) + ct.load(b, (i,), (tile,)))


def add(a, b, **options):
    c = np.empty_like(a)
    tilewright.cutile.launch(ct.cdiv(a.size, TILE), add_kernel, (a, b, c, TILE), **options)
    return c


def reference(a, b):
    return a.astype(np.float64) + b


def main() -> int:
    example = Example(__doc__)
    n = 100_003 if example.quick else 10_000_019  # primes: the last tile is partial
    a, b = example.normal(2, n)
    # A single correctly rounded addition.
    example.run("vector_add", add, reference, (a, b), (a[:9_001], b[:9_001]), tolerance=EPSILON,
                bytes=3 * a.nbytes)
    return example.status


if __name__ == "__main__":
    sys.exit(main())
