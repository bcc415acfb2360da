# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The benchmarks' computations as Numba loops, compiled with `parallel=True` and `fastmath=True`. They
write their results to their last array."""

import math

import numpy as np
from numba import prange


def softmax(x, y):
    for r in prange(x.shape[0]):
        largest = np.float32(-np.inf)
        for c in range(x.shape[1]):
            largest = max(largest, x[r, c])
        total = np.float32(0)
        for c in range(x.shape[1]):
            power = math.exp(x[r, c] - largest)
            y[r, c] = power
            total += power
        factor = np.float32(1) / total
        for c in range(x.shape[1]):
            y[r, c] *= factor


def layer_norm(x, w, y):
    for r in prange(x.shape[0]):
        total = np.float32(0)
        for c in range(x.shape[1]):
            total += x[r, c]
        mean = total / np.float32(x.shape[1])
        squares = np.float32(0)
        for c in range(x.shape[1]):
            squares += (x[r, c] - mean) * (x[r, c] - mean)
        scale = np.float32(1 / math.sqrt(squares / x.shape[1] + 1e-5))
        for c in range(x.shape[1]):
            y[r, c] = (x[r, c] - mean) * scale * w[0, c] + w[1, c]


def rms_norm(x, w, y):
    for r in prange(x.shape[0]):
        squares = np.float32(0)
        for c in range(x.shape[1]):
            squares += x[r, c] * x[r, c]
        scale = np.float32(1 / math.sqrt(squares / x.shape[1] + 1e-5))
        for c in range(x.shape[1]):
            y[r, c] = x[r, c] * scale * w[c]


def swiglu(x, w, y):
    for r in prange(x.shape[0]):
        for c in range(x.shape[1]):
            y[r, c] = x[r, c] / (np.float32(1) + math.exp(-x[r, c])) * w[r, c]


def vector_add(a, b, c):
    for i in prange(a.size):
        c[i] = a[i] + b[i]


def transpose(x, y):
    for r in prange(y.shape[0]):
        for c in range(y.shape[1]):
            y[r, c] = x[c, r]


def gather(table, i, y):
    for n in prange(i.size):
        y[n] = table[i[n]]


def gemv(w, x, y):
    for r in prange(w.shape[0]):
        total = np.float32(0)
        for c in range(w.shape[1]):
            total += w[r, c] * x[c]
        y[r] = total


def gemv_int4(w, scales, x, y):
    group = w.shape[1] // scales.shape[1]
    for r in prange(w.shape[0]):
        total = np.float32(0)
        for g in range(scales.shape[1]):
            part = np.float32(0)
            for c in range(g * group, (g + 1) * group):
                part += (np.float32(w[r, c] & 15) - np.float32(8)) * x[0, c]
                part += (np.float32(w[r, c] >> 4) - np.float32(8)) * x[1, c]
            total += part * scales[r, g]
        y[r] = total


def cross_entropy(x, targets, y):
    for r in prange(x.shape[0]):
        largest = np.float32(-np.inf)
        for c in range(x.shape[1]):
            largest = max(largest, x[r, c])
        total = np.float32(0)
        for c in range(x.shape[1]):
            total += math.exp(x[r, c] - largest)
        y[r] = math.log(total) + largest - x[r, targets[r]]


def row_sums(x, y):
    for r in prange(x.shape[0]):
        total = np.float32(0)
        for c in range(x.shape[1]):
            total += x[r, c]
            y[r, c] = total


def sort_rows(x, y):
    for r in prange(x.shape[0]):
        y[r] = np.sort(x[r])
