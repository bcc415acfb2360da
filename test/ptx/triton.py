# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that kernels compiled by Triton (kernels/triton_kernels.py) compute what NumPy computes, with every schedule,
and without findings.

    triton.py --tilewright build/bin/tilewright [--seeds 10] [KERNEL...]
"""

import sys

import numpy as np

import kernels

SM80, SM90, SM100 = ("triton-80.ptx",), ("triton-90.ptx",), ("triton-100.ptx",)


def cases() -> list[kernels.Case]:
    rng = np.random.default_rng(11)
    eighths = lambda dtype, *shape: (rng.integers(-32, 32, shape) / 8).astype(dtype)
    all = []

    def add(name, files, grid, inputs, outputs, shared, tolerance=0, scratch=16):
        """Each kernel gets two additional arrays: scratch memory for its blocks, and for a profiler."""
        spare = [np.zeros(scratch, np.uint8), np.zeros(16, np.uint8)]
        all.append(kernels.Case(name, files, grid, (128,), inputs + spare, outputs, shared, tolerance))

    x = eighths(np.float32, 3, 400)
    powers = np.exp(x.astype(np.float64))
    add("softmax", SM80, (3,), [np.zeros_like(x), x, 400], {0: powers / powers.sum(1, keepdims=True)}, 16, 1e-6)

    halves, weight, bias = eighths(np.float16, 3, 400), eighths(np.float32, 400), eighths(np.float32, 400)
    wide = halves.astype(np.float64)
    centered = wide - wide.mean(1, keepdims=True)
    normal = centered / np.sqrt(wide.var(1, keepdims=True) + 1e-5) * weight + bias
    add("layer_norm", SM80, (3,), [halves, weight, bias, np.zeros_like(halves), 400, 1e-5], {3: normal}, 1024, 2e-3)

    row = eighths(np.float32, 256)
    add("sort", SM80, (1,), [row, np.zeros_like(row)], {1: np.sort(row)}, 1024)
    row = eighths(np.float32, 512)
    add("running_sum", SM80, (1,), [row, np.zeros_like(row)], {1: np.cumsum(row)}, 16)
    bins = rng.integers(0, 64, 2048).astype(np.int32)
    add("histogram", SM80, (4,), [bins, np.zeros(64, np.int32)], {1: np.bincount(bins, minlength=64)}, 256)
    add("locked", SM80, (3,), [np.zeros(1, np.int32), np.zeros(128, np.int32)],
        {0: np.zeros(1, np.int32), 1: np.full(128, 3, np.int32)}, 16)

    a, b = eighths(np.float16, 80, 96), eighths(np.float16, 96, 112)
    exact = a.astype(np.float64) @ b.astype(np.float64)  # sums of 64ths below 2^24
    add("product", SM80 + SM90 + SM100, (2, 2), [a, b, np.zeros((80, 112), np.float32), 80, 112, 96], {2: exact}, 32768)

    q, k, v = (eighths(np.float16, 2, 128, 64) for _ in range(3))
    scores = np.einsum("hid,hjd->hij", q.astype(np.float64), k.astype(np.float64)) / 8
    scores = np.where(np.tril(np.ones((128, 128), bool)), scores, -np.inf)
    powers = np.exp2(scores - scores.max(-1, keepdims=True))
    add("attention", SM80, (2, 2), [q, k, v, np.zeros_like(q), 0.125, 128],
        {3: powers / powers.sum(-1, keepdims=True) @ v.astype(np.float64)}, 24576, 1e-2)

    a, b = eighths(np.float16, 128, 192), eighths(np.float16, 128, 192)
    add("described_product", SM90, (2, 2), [a, b, np.zeros((128, 128), np.float16), 128, 128, 192],
        {2: a.astype(np.float64) @ b.astype(np.float64).T}, 49176, 1e-3, scratch=4 * 384)
    return all


if __name__ == "__main__":
    sys.exit(kernels.main(cases(), __doc__))
