# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fourier transforms as matrix products: four steps for n = p * q.

Write a signal as a matrix of p rows and q columns. Transform its columns (a product with the p x p
Fourier matrix), multiply element (r, c) with the twiddle factor w^(r*c), w = exp(-2 pi i / n),
transform the rows (a product with the q x q matrix), and read the result column by column. Complex
numbers are pairs of real tiles. Each tile block transforms one signal.
"""

import sys

import cuda.tile as ct
import numpy as np

import tilewright.cutile
from _common import EPSILON, Example


@ct.function
def times(a, b):
    """The elementwise product of two complex tiles."""
    return a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]


@ct.function
def matrix_times(a, b):
    """The matrix product of two complex tiles."""
    return (ct.matmul(a[0], b[0]) - ct.matmul(a[1], b[1]),
            ct.matmul(a[0], b[1]) + ct.matmul(a[1], b[0]))


@ct.function
def load_matrix(pair, p: ct.Constant[int], q: ct.Constant[int]):
    return ct.load(pair[0], (0, 0), (p, q)), ct.load(pair[1], (0, 0), (p, q))


@ct.kernel
def fft_kernel(x, y, columns, twiddles, rows, p: ct.Constant[int], q: ct.Constant[int]):
    """x: pairs of signals x p x q; y: pairs of signals x q x p; both row-major."""
    i = ct.bid(0)
    signal = (ct.load(x[0], (i, 0, 0), (1, p, q)).reshape((p, q)),
              ct.load(x[1], (i, 0, 0), (1, p, q)).reshape((p, q)))
    signal = matrix_times(load_matrix(columns, p, p), signal)
    signal = times(signal, load_matrix(twiddles, p, q))
    signal = matrix_times(signal, load_matrix(rows, q, q))
    ct.store(y[0], (i, 0, 0), ct.transpose(signal[0]).reshape((1, q, p)))
    ct.store(y[1], (i, 0, 0), ct.transpose(signal[1]).reshape((1, q, p)))


def fft(x, **options):
    """x: complex64, signals x n; n is a power of four."""
    signals, n = x.shape
    p = q = int(n**0.5)
    result = np.empty((2, signals, q, p), np.float32)
    tilewright.cutile.launch(
        signals, fft_kernel,
        (pair(x.reshape(signals, p, q)), tuple(result), pair(powers_of_root(p, p, p)),
         pair(powers_of_root(p, q, n)), pair(powers_of_root(q, q, q)), p, q), **options)
    return (result[0] + 1j * result[1]).reshape(signals, n)


def powers_of_root(rows: int, columns: int, n: int) -> np.ndarray:
    """exp(-2 pi i r c / n) for each row r and column c."""
    return np.exp(-2j * np.pi * np.outer(np.arange(rows), np.arange(columns)) / n)


def pair(x) -> tuple[np.ndarray, np.ndarray]:
    return np.ascontiguousarray(x.real, np.float32), np.ascontiguousarray(x.imag, np.float32)


def main() -> int:
    example = Example(__doc__)
    signals, n = (4, 256) if example.quick else (200, 4096)
    x = example.normal(signals, n) + 1j * example.normal(signals, n)
    # Two products of sqrt(n) terms, each of four roundings with the twiddles between them.
    example.run("fft", fft, np.fft.fft, (x,), (np.ascontiguousarray(x[:2, :256]),),
                tolerance=32 * EPSILON, operations=signals * 5 * n * (n.bit_length() - 1))
    return example.status


if __name__ == "__main__":
    sys.exit(main())
