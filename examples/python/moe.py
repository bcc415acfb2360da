# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A mixture-of-experts layer: every token is processed by the two experts that suit it best.

`route_kernel` selects the experts of each token and their weights. The host sorts the (token, expert)
pairs by expert, and pads those of each expert to whole tiles. In `experts_kernel` a tile block gathers
the rows of its tokens, multiplies them with the matrix of their common expert, and scatters the
products to rows from which `combine_kernel` adds those of a token. The padding uses indices beyond
the last row, for which gathers return zeros and scatters do nothing.
"""

import sys

import cuda.tile as ct
import numpy as np

import tilewright.cutile
from _common import EPSILON, Example

ZERO = ct.PaddingMode.ZERO
CHOICES = 2  # experts per token
TOKENS, OUTPUTS, INPUTS = 64, 64, 64  # tile extents


@ct.kernel
def route_kernel(logits, expert, weight, tokens: ct.Constant[int], experts: ct.Constant[int]):
    """For each token the experts with the largest logits, and the softmax of those logits."""
    i = ct.bid(0)
    number = ct.arange(experts, dtype=ct.int32)[None, :]
    values = ct.load(logits, (i, 0), (tokens, experts), padding_mode=ct.PaddingMode.NEG_INF)
    best = ct.max(values, axis=1, keepdims=True)
    first = ct.argmax(values, axis=1, keepdims=True)
    rest = ct.where(number == first, -float("inf"), values)
    second = ct.argmax(rest, axis=1, keepdims=True)
    share = 1.0 / (1.0 + ct.exp(ct.max(rest, axis=1, keepdims=True) - best))
    ct.store(expert, (i, 0), ct.cat((first, second), 1))
    ct.store(weight, (i, 0), ct.cat((share, 1.0 - share), 1))


@ct.kernel
def experts_kernel(x, experts, expert_of_tile, pairs, products, choices: ct.Constant[int],
                   tile: ct.Constant):
    """pairs: token * choices + choice for each row of the tiles, or a larger number for padding."""
    m, n, k = tile
    i, column = ct.bid(0), ct.bid(1)
    expert = ct.load(expert_of_tile, (i,), ())
    pair = ct.load(pairs, (i,), (m,))
    token = pair // choices
    total = ct.zeros((m, n), ct.float32)
    for step in range(ct.cdiv(x.shape[1], k)):
        inputs = ct.load_advanced_indexing(x, (token, ct.Slice(step * k, k)), padding_mode=ZERO)
        matrix = ct.load(experts, (expert, step, column), (1, k, n), padding_mode=ZERO)
        total = ct.mma(inputs, matrix.reshape((k, n)), total)
    ct.store_advanced_indexing(products, (pair, ct.Slice(column * n, n)), total)


@ct.kernel
def combine_kernel(products, weight, y, tokens: ct.Constant[int], outputs: ct.Constant[int],
                   choices: ct.Constant[int]):
    i, j = ct.bid(0), ct.bid(1)
    product = ct.load(products, (i, 0, j), (tokens, choices, outputs))
    share = ct.load(weight, (i, 0), (tokens, choices)).reshape((tokens, choices, 1))
    ct.store(y, (i, j), ct.sum(product * share, axis=1))


def mixture(x, logits, experts, **options):
    """x: tokens x inputs; logits: tokens x experts; experts: experts x inputs x outputs. The
    number of experts is a power of two."""
    tokens, outputs = len(x), experts.shape[2]
    expert = np.empty((tokens, CHOICES), np.int32)
    weight = np.empty((tokens, CHOICES), np.float32)
    tilewright.cutile.launch(ct.cdiv(tokens, TOKENS), route_kernel,
                             (logits, expert, weight, TOKENS, len(experts)), **options)

    pairs, expert_of_tile = sort_by_expert(expert.ravel(), len(experts))
    products = np.empty((tokens * CHOICES, outputs), np.float32)
    columns = ct.cdiv(outputs, OUTPUTS)
    tilewright.cutile.launch((len(expert_of_tile), columns), experts_kernel,
                             (x, experts, expert_of_tile, pairs, products, CHOICES,
                              (TOKENS, OUTPUTS, INPUTS)), **options)

    y = np.empty((tokens, outputs), np.float32)
    tilewright.cutile.launch((ct.cdiv(tokens, TOKENS), columns), combine_kernel,
                             (products.reshape(tokens, CHOICES, outputs), weight, y, TOKENS,
                              OUTPUTS, CHOICES), **options)
    return y


def sort_by_expert(expert: np.ndarray, experts: int) -> tuple[np.ndarray, np.ndarray]:
    """The pairs in tiles of TOKENS; each tile has pairs of one expert and is padded with a number
    that is not a pair. And the expert of each tile."""
    pairs, expert_of_tile = [], []
    for number in range(experts):
        own = np.flatnonzero(expert == number)
        fill = -len(own) % TOKENS
        pairs += [own, np.full(fill, len(expert))]
        expert_of_tile += [number] * ((len(own) + fill) // TOKENS)
    return np.concatenate(pairs).astype(np.int32), np.array(expert_of_tile, np.int32)


def reference(x, logits, experts):
    y = np.zeros((len(x), experts.shape[2]))
    for token, row in enumerate(x.astype(np.float64)):
        best = np.argsort(-logits[token])[:CHOICES]
        powers = np.exp(logits[token, best].astype(np.float64))
        for expert, power in zip(best, powers):
            y[token] += power / powers.sum() * (row @ experts[expert])
    return y


def main() -> int:
    example = Example(__doc__)
    tokens, inputs, outputs, experts = (150, 96, 80, 4) if example.quick else (2000, 500, 600, 8)
    x, logits = example.normal(tokens, inputs), example.normal(tokens, experts)
    matrices = example.normal(experts, inputs, outputs)
    example.run("moe", mixture, reference, (x, logits, matrices),
                (x[:70, :80], logits[:70], matrices[:, :80, :70]),
                # Sums of products, with rounding errors of both signs, and a few roundings of weights.
                tolerance=(8 + 2 * inputs**0.5) * EPSILON,
                operations=2 * tokens * CHOICES * inputs * outputs)
    return example.status


if __name__ == "__main__":
    sys.exit(main())
