# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layer normalisation of every row, and its gradients.

Forward: y = (x - mean) * rstd * weight + bias, with rstd = 1 / sqrt(variance + eps); mean and rstd
are saved for the backward pass. Backward: the gradient of x needs two sums along the row. Those of
weight and bias are sums over all rows: each tile block sums its rows, and a second kernel adds the
results of the blocks, so that no atomics are needed and every run gives the same bits.
"""

import sys

import cuda.tile as ct
import numpy as np

import tilewright.cutile
from _common import EPSILON, Example

ZERO = ct.PaddingMode.ZERO
EPS = 1e-5
BLOCKS = 16  # in the backward kernel; each processes a part of the rows


@ct.kernel
def forward_kernel(x, weight, bias, y, mean, rstd, eps: float, tile: ct.Constant[int]):
    row, columns = ct.bid(0), x.shape[1]
    inside = ct.arange(tile, dtype=ct.int32) < columns
    values = load_row(x, row, tile)
    center = ct.sum(values) / columns
    offsets = ct.where(inside, values - center, 0.0)
    scale = ct.rsqrt(ct.sum(offsets * offsets) / columns + eps)
    result = offsets * scale * load_vector(weight, tile) + load_vector(bias, tile)
    ct.store(y, (row, 0), result.reshape((1, tile)))
    ct.store(mean, (row,), center)
    ct.store(rstd, (row,), scale)


@ct.kernel
def backward_kernel(x, weight, mean, rstd, dy, dx, weight_parts, bias_parts,
                    tile: ct.Constant[int]):
    rows, columns = x.shape
    inside = ct.arange(tile, dtype=ct.int32) < columns
    weights = load_vector(weight, tile)
    weight_sum, bias_sum = ct.zeros((tile,), ct.float32), ct.zeros((tile,), ct.float32)
    for row in range(ct.bid(0), rows, ct.num_blocks(0)):
        scale = ct.load(rstd, (row,), ())
        normal = (load_row(x, row, tile) - ct.load(mean, (row,), ())) * scale
        normal = ct.where(inside, normal, 0.0)
        gradient = load_row(dy, row, tile)
        inner = gradient * weights
        along = ct.sum(inner * normal) / columns
        level = ct.sum(inner) / columns
        ct.store(dx, (row, 0), ((inner - level - normal * along) * scale).reshape((1, tile)))
        weight_sum += gradient * normal
        bias_sum += gradient
    ct.store(weight_parts, (ct.bid(0), 0), weight_sum.reshape((1, tile)))
    ct.store(bias_parts, (ct.bid(0), 0), bias_sum.reshape((1, tile)))


@ct.kernel
def add_parts_kernel(parts, total, blocks: ct.Constant[int], tile: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(total, (i,), ct.sum(ct.load(parts, (0, i), (blocks, tile)), axis=0))


@ct.function
def load_row(x, row, tile: ct.Constant[int]):
    return ct.load(x, (row, 0), (1, tile), padding_mode=ZERO).reshape((tile,))


@ct.function
def load_vector(x, tile: ct.Constant[int]):
    return ct.load(x, (0,), (tile,), padding_mode=ZERO)


def tile_of(x) -> int:
    """The tile size for a whole row; tile extents are powers of two."""
    return 1 << (x.shape[1] - 1).bit_length()


def forward(x, weight, bias, **options):
    y, mean, rstd = np.empty_like(x), np.empty(len(x), x.dtype), np.empty(len(x), x.dtype)
    tilewright.cutile.launch(len(x), forward_kernel,
                             (x, weight, bias, y, mean, rstd, EPS, tile_of(x)), **options)
    return y, mean, rstd


def backward(x, weight, mean, rstd, dy, **options):
    dx, dweight, dbias = np.empty_like(x), np.empty_like(weight), np.empty_like(weight)
    parts = np.empty((2, BLOCKS, len(weight)), x.dtype)
    tilewright.cutile.launch(BLOCKS, backward_kernel,
                             (x, weight, mean, rstd, dy, dx, parts[0], parts[1], tile_of(x)),
                             **options)
    for part, total in zip(parts, (dweight, dbias)):
        tilewright.cutile.launch(ct.cdiv(len(total), 256), add_parts_kernel,
                                 (part, total, BLOCKS, 256), **options)
    return dx, dweight, dbias


def forward_reference(x, weight, bias):
    x = x.astype(np.float64)
    mean, rstd = x.mean(axis=1), 1 / np.sqrt(x.var(axis=1) + EPS)
    return (x - mean[:, None]) * rstd[:, None] * weight + bias, mean, rstd


def backward_reference(x, weight, mean, rstd, dy):
    # With the Jacobian of the normalisation: rstd * (I - 1/n - normal normal^T / n).
    x, dy = x.astype(np.float64), dy.astype(np.float64)
    ones = forward_reference(x, 1.0, 0.0)
    normal, n = ones[0], x.shape[1]
    inner = dy * weight
    dx = np.empty_like(x)
    for row in range(len(x)):
        jacobian = np.eye(n) - 1 / n - np.outer(normal[row], normal[row]) / n
        dx[row] = ones[2][row] * jacobian @ inner[row]
    return dx, (dy * normal).sum(axis=0), dy.sum(axis=0)


def main() -> int:
    example = Example(__doc__)
    rows, columns = (40, 200) if example.quick else (2000, 1000)
    x, dy = example.normal(2, rows, columns)
    weight, bias = example.normal(2, columns)
    small = x[:20, :150], weight[:150], bias[:150]
    # A sum along a row loses less than log2 of its length in roundings; the mean of a row is near
    # zero, so its relative error is large. Sums over all rows are sequential in each block.
    example.run("layer_norm forward", forward, forward_reference, (x, weight, bias), small,
                tolerance=64 * EPSILON, bytes=2 * x.nbytes)
    _, mean, rstd = forward(x, weight, bias)
    _, small_mean, small_rstd = forward(*small)
    example.run("layer_norm backward", backward, backward_reference, (x, weight, mean, rstd, dy),
                (*small[:2], small_mean, small_rstd, dy[:20, :150]),
                tolerance=64 * EPSILON, bytes=3 * x.nbytes)
    return example.status


if __name__ == "__main__":
    sys.exit(main())
