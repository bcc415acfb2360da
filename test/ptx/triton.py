# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that kernels compiled by Triton (kernels/triton_kernels.py) compute what NumPy computes, with every schedule,
and without findings.

    triton.py --tilewright build/bin/tilewright [--seeds 10] [KERNEL...]
"""

import re
import sys

import numpy as np

import kernels

SM80, SM90, SM100 = "triton-80.ptx", "triton-90.ptx", "triton-100.ptx"
PERSISTENT, SCALED, ATTENTION = "triton-100-persistent.ptx", "triton-100-scaled.ptx", "triton-100-attention.ptx"
E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])


def launch_of(file: str, name: str) -> tuple[int, int, int]:
    """Threads of a block, bytes of its shared memory, and of its scratch memory, from the generator's comment."""
    text = (kernels.HERE / "kernels" / file).read_text()
    said = re.search(rf"^// {name}: (\d+) bytes of shared memory, (\d+) of scratch memory\n"
                     r"\.visible \.entry [^{]*\.reqntid (\d+)", text, re.MULTILINE)
    return int(said[3]), int(said[1]), int(said[2])


def from_e4m3(bits: np.ndarray) -> np.ndarray:
    exponent, fraction = bits >> 3 & 15, bits & 7
    size = np.where(exponent, (1 + fraction / 8) * 2.0**(exponent - 7.0), fraction / 8 * 2.0**-6)
    return np.where(bits >> 7, -size, size)


def from_e2m1(pairs: np.ndarray) -> np.ndarray:
    """The first of two elements of a row is in the low half of the byte."""
    bits = np.stack([pairs & 15, pairs >> 4], -1).reshape(len(pairs), -1)
    return np.where(bits & 8, -1, 1) * E2M1[bits & 7]


def copied(scales: np.ndarray) -> np.ndarray:
    """Scales of 128 rows and 4 groups lie together: row i of each 32 rows, and in it those of 4 rows 32 apart."""
    rows, groups = scales.shape
    return np.ascontiguousarray(scales.reshape(rows // 128, 4, 32, groups // 4, 4).transpose(0, 3, 2, 1, 4))


def attention_of(q, k, v, is_causal: bool) -> np.ndarray:
    """Of [heads, rows, width], with powers of 2; scores are scaled by 1/8."""
    scores = np.einsum("hid,hjd->hij", q.astype(np.float64), k.astype(np.float64)) / 8
    if is_causal:
        scores = np.where(np.tril(np.ones(scores.shape[1:], bool)), scores, -np.inf)
    powers = np.exp2(scores - scores.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True) @ v.astype(np.float64)


def cases() -> list[kernels.Case]:
    rng = np.random.default_rng(11)
    eighths = lambda dtype, *shape: (rng.integers(-32, 32, shape) / 8).astype(dtype)
    all = []

    def add(name, file, grid, inputs, outputs, tolerance=0):
        """Each kernel gets two additional arrays: scratch memory for its blocks, and for a profiler."""
        threads, shared, scratch = launch_of(file, name)
        spare = [np.zeros(max(16, scratch * int(np.prod(grid))), np.uint8), np.zeros(16, np.uint8)]
        all.append(kernels.Case(name, (file,), grid, (threads,), inputs + spare, outputs, shared, tolerance))

    x = eighths(np.float32, 3, 400)
    powers = np.exp(x.astype(np.float64))
    add("softmax", SM80, (3,), [np.zeros_like(x), x, 400], {0: powers / powers.sum(1, keepdims=True)}, 1e-6)

    halves, weight, bias = eighths(np.float16, 3, 400), eighths(np.float32, 400), eighths(np.float32, 400)
    wide = halves.astype(np.float64)
    centered = wide - wide.mean(1, keepdims=True)
    normal = centered / np.sqrt(wide.var(1, keepdims=True) + 1e-5) * weight + bias
    add("layer_norm", SM80, (3,), [halves, weight, bias, np.zeros_like(halves), 400, 1e-5], {3: normal}, 2e-3)

    row = eighths(np.float32, 256)
    add("sort", SM80, (1,), [row, np.zeros_like(row)], {1: np.sort(row)})
    row = eighths(np.float32, 512)
    add("running_sum", SM80, (1,), [row, np.zeros_like(row)], {1: np.cumsum(row)})
    bins = rng.integers(0, 64, 2048).astype(np.int32)
    add("histogram", SM80, (4,), [bins, np.zeros(64, np.int32)], {1: np.bincount(bins, minlength=64)})
    add("locked", SM80, (3,), [np.zeros(1, np.int32), np.zeros(128, np.int32)],
        {0: np.zeros(1, np.int32), 1: np.full(128, 3, np.int32)})

    def add_product(name, file, m, n, k):
        a, b = eighths(np.float16, m, k), eighths(np.float16, k, n)
        exact = a.astype(np.float64) @ b.astype(np.float64)  # sums of 64ths below 2^24
        add(name, file, (2, 2), [a, b, np.zeros((m, n), np.float32), m, n, k], {2: exact})

    add_product("product", SM80, 80, 112, 96)
    add_product("product", SM90, 80, 112, 96)
    add_product("product_64x64x32", SM100, 80, 112, 96)
    add_product("product_128x256x64", SM100, 144, 304, 160)
    add_product("product_256x128x32", SM100, 272, 176, 96)

    q, k, v = (eighths(np.float16, 2, 128, 64) for _ in range(3))
    add("attention", SM80, (2, 2), [q, k, v, np.zeros_like(q), 0.125, 128], {3: attention_of(q, k, v, True)}, 1e-2)

    def add_described(name, file, grid, m, n, k, is_fp8=False):
        """out = a @ b.T of f16."""
        a, b = ((rng.integers(0, 2, shape) << 7 | rng.integers(48, 72, shape)).astype(np.uint8) if is_fp8
                else eighths(np.float16, *shape) for shape in ((m, k), (n, k)))
        exact = np.matmul(*(from_e4m3(x) if is_fp8 else x.astype(np.float64) for x in (a, b.T)))
        add(name, file, grid, [a, b, np.zeros((m, n), np.float16), m, n, k], {2: exact}, 1e-3)

    add_described("described_product", SM90, (2, 2), 128, 128, 192)
    add_described("described_128x128x128", SM100, (2, 2), 144, 176, 544, True)
    add_described("roles_128x64x64", SM100, (2, 2), 144, 112, 288)
    add_described("persistent_128x128x64", PERSISTENT, (2,), 144, 176, 288)
    add_described("persistent_roles_128x256x64", PERSISTENT, (2,), 144, 304, 288)
    add_described("persistent_roles_128x64x128", PERSISTENT, (2,), 144, 112, 544, True)

    def add_scaled(name, tile, is_fp8, group):
        """Two tiles of m and n, three of k."""
        m, n, k = 2 * tile[0], 2 * tile[1], 3 * tile[2]
        operands, scales, exact = [], [], []
        for rows in (m, n):
            if is_fp8:
                bits = (rng.integers(0, 2, (rows, k)) << 7 | rng.integers(48, 72, (rows, k))).astype(np.uint8)
            else:
                bits = rng.integers(0, 256, (rows, k // 2)).astype(np.uint8)
            scale = rng.integers(*((48, 72) if group == 16 else (124, 131)), (rows, k // group)).astype(np.uint8)
            factor = from_e4m3(scale) if group == 16 else 2.0**(scale - 127.0)
            exact.append((from_e4m3(bits) if is_fp8 else from_e2m1(bits)) * np.repeat(factor, group, 1))
            operands.append(bits)
            scales.append(copied(scale) if name.startswith("copied") else scale)
        add(f"{name}_{'x'.join(map(str, tile))}", SCALED, (2, 2),
            [operands[0], scales[0], operands[1], scales[1], np.zeros((m, n), np.float32), m, n, k],
            {4: exact[0] @ exact[1].T}, 1e-5)

    add_scaled("mxf8", (128, 64, 128), True, 32)
    add_scaled("mxf4", (128, 128, 128), False, 32)
    add_scaled("nvf4", (128, 128, 128), False, 16)
    add_scaled("copied_mxf8", (128, 128, 128), True, 32)
    add_scaled("copied_mxf4", (128, 256, 256), False, 32)
    add_scaled("copied_nvf4", (128, 128, 256), False, 16)

    for name, width, is_causal in (("attention_128x64x64", 64, False), ("causal_attention_128x64x128", 128, True),
                                   ("attention_roles_128x64x64", 64, False), ("attention_roles_128x128x128", 128, False)):
        q, k, v = (eighths(np.float16, 2, 256, width) for _ in range(3))
        add(name, ATTENTION, (2, 2), [q, k, v, np.zeros_like(q), 0.125, 256], {3: attention_of(q, k, v, is_causal)}, 1e-2)
    return all


if __name__ == "__main__":
    sys.exit(kernels.main(cases(), __doc__))
