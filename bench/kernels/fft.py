# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fourier transforms of 1024 complex numbers as 32 x 32 matrices: transform the columns by a product,
turn every element, transform the rows by a product, and store the transpose."""

import cuda.tile as ct


@ct.function
def product(a, b):
    """Of complex matrices: pairs of a real and an imaginary one."""
    zeros = ct.zeros((32, 32), ct.float32)
    return (ct.mma(a[0], b[0], ct.mma(-a[1], b[1], zeros)),
            ct.mma(a[0], b[1], ct.mma(a[1], b[0], zeros)))


@ct.kernel
def fft(x, roots, turns, out):
    """`x` and `out` are [transform, 32, 32, part], the rest [32, 32, part]."""
    z = ct.bid(0)

    values = (ct.load(x, (z, 0, 0, 0), (1, 32, 32, 1)).reshape((32, 32)),
              ct.load(x, (z, 0, 0, 1), (1, 32, 32, 1)).reshape((32, 32)))
    root = (ct.load(roots, (0, 0, 0), (32, 32, 1)).reshape((32, 32)),
            ct.load(roots, (0, 0, 1), (32, 32, 1)).reshape((32, 32)))
    turn = (ct.load(turns, (0, 0, 0), (32, 32, 1)).reshape((32, 32)),
            ct.load(turns, (0, 0, 1), (32, 32, 1)).reshape((32, 32)))
    columns = product(root, values)
    turned = (columns[0] * turn[0] - columns[1] * turn[1],
              columns[0] * turn[1] + columns[1] * turn[0])
    result = product(turned, root)
    for part in ct.static_iter(range(2)):
        ct.store(out, (z, 0, 0, part), ct.transpose(result[part]).reshape((1, 32, 32, 1)))
