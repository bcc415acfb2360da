# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that exchange elements of a row: sorting networks, butterflies and interleaved pairs. A tile is
split by reshape and extract, or permuted; the parts are compared or added; a constant condition selects
elements from each; and `cat` combines them again.

Each block processes some rows of tensors that all blocks share.
"""

from collections.abc import Callable

import numpy as np

from builder import Builder
from checks import Check
from elements import FLOATS, random_patterns
from factors import Matrix, load, store
from tileir import TOKEN, Tile, Value


def exchanged(b: Builder, block: Value, count: int) -> None:
    """Rows of one or two tensors, whose steps alternate."""
    rows = [Rows(b, block, count) for _ in range(2 if b.chance(0.2) else 1)]
    for _ in range(b.random.randint(2, 9)):
        for row in rows:
            row.value = b.weighted({exchange: 5, permuted: 1, swapped: 1})(b, row.value)
            if b.chance(0.2):
                row.seen.append(row.value)
    for row in rows:
        row.show(b)


class Rows:
    """The rows of a block, their processing steps, and their visible results."""

    def __init__(self, b: Builder, block: Value, count: int):
        element = b.choice(["f32", "f32", "f32", "i32", "f64", "i64", "f16"])
        height, width = b.choice([1, 1, 2, 4]), b.choice([8, 32, 64, 128, 256, 512])
        self.tile, self.block = Tile(element, (height, width)), block
        self.shape, self.stride = (count * height, width), width + b.choice([0, 0, 3])
        content = random_patterns(element, self.shape[0] * self.stride, b.numpy, "ordinary")
        content[b.numpy.random(content.shape) < 0.05] = 0  # some equal elements
        if element in FLOATS:
            content[b.numpy.random(content.shape) < 0.05] = 1 << FLOATS[element].width - 1
        x = Matrix(element, self.shape, self.stride, b.array(element, content).value)
        self.token, self.zero = b.op("make_token : token", to=TOKEN), b.i32(0)
        tiles = x.tiles(b, self.tile.shape, None)
        self.value, _ = load(b, tiles, [block, self.zero], self.token)
        self.seen: list[Value] = []

    def show(self, b: Builder) -> None:
        element, size = self.tile.element, self.shape[0] * self.stride
        for shown in [*self.seen, self.value]:
            shown = reshaped(b, shown, self.tile.shape)
            noise = b.noise(element, size + size % 2)
            y = Matrix(element, self.shape, self.stride,
                       b.array(element, noise, Check(shown.any_nan)).value)
            store(b, shown, y.tiles(b, self.tile.shape, None), [self.block, self.zero], self.token)


def reshaped(b: Builder, value: Value, shape: tuple[int, ...]) -> Value:
    if value.shape == shape:
        return value
    return b.op("reshape $0 : $t0 -> $r0", value, to=value.type.shaped(*shape))


def extracted(b: Builder, value: Value, dim: int, number: int) -> Value:
    """One half of a tile of pairs along the dimension."""
    shape = [1 if d == dim else extent for d, extent in enumerate(value.shape)]
    indices = [b.i32(number if d == dim else 0) for d in range(len(shape))]
    names = ", ".join(f"${1 + d}" for d in range(len(shape)))
    return b.op(f"extract $0[{names}] : $t0 -> $r0", value, *indices, to=value.type.shaped(*shape))


def pairs_of(b: Builder, value: Value) -> tuple[Value, Value]:
    """Pairs of elements at some distance."""
    height, width = value.shape
    distance = 1 << b.random.randrange(width.bit_length() - 1)
    pairs = reshaped(b, value, (height, width // (2 * distance), 2, distance))
    return extracted(b, pairs, 2, 0), extracted(b, pairs, 2, 1)


def joined(b: Builder, first: Value, second: Value, shape: tuple[int, ...]) -> Value:
    both = first.type.shaped(*(extent * (1 + (d == 2)) for d, extent in enumerate(first.shape)))
    return reshaped(b, b.op("cat $0, $1 dim = 2 : $t0, $t1 -> $r0", first, second, to=both), shape)


def exchange(b: Builder, value: Value) -> Value:
    """Computes two results for each pair, in order or, by a constant condition, exchanged."""
    first, second = pairs_of(b, value)
    low, high = combine_both(b, first, second)
    if b.chance(0.7):
        falls = condition(b, first.type.of("i1"))
        rises = b.op("xori $0, $1 : $r0", falls, b.constant(falls.type, 1), to=falls.type)

        def choose(how: Value) -> Value:
            return b.op("select $0, $1, $2 : $t0, $r0", how, high, low, to=low.type)
        low, high = choose(falls), choose(rises)
    return joined(b, low, high, value.shape)


def condition(b: Builder, tile: Tile) -> Value:
    """A constant condition that is the same in all rows, or not."""
    bits = b.numpy.integers(0, 2, tile.shape)
    if b.chance(0.8):
        bits[...] = bits[:1]
    return b.listed(tile, bits)


def combine_both(b: Builder, first: Value, second: Value) -> tuple[Value, Value]:
    tile = first.type

    def both(make: Callable, one: str, other: str) -> tuple[Value, Value]:
        return tuple(make(f"{text} : $r0", first, second, to=tile) for text in (one, other))
    if tile.element in FLOATS:
        if b.chance(0.7):
            return both(b.arithmetic, "minf $0, $1", "maxf $0, $1")
        return both(b.arithmetic, "addf $0, $1", "subf $0, $1")
    if b.chance(0.7):
        return both(b.op, "mini $0, $1 signed", "maxi $0, $1 signed")
    return both(b.op, "addi $0, $1", "xori $0, $1")


def permuted(b: Builder, value: Value) -> Value:
    """Permutes the dimensions of a reshaped row."""
    height, width = value.shape
    bits = width.bit_length() - 1
    cuts = sorted([b.random.randrange(bits + 1), b.random.randrange(bits + 1)])
    shape = (height, 1 << cuts[0], 1 << cuts[1] - cuts[0], 1 << bits - cuts[1])
    order = b.choice([(0, 2, 1, 3), (0, 1, 3, 2), (0, 3, 2, 1)])
    wide = reshaped(b, value, shape)
    moved = b.op(f"permute $0 {list(order)} : $t0 -> $r0", wide,
                 to=value.type.shaped(*(shape[d] for d in order)))
    return reshaped(b, moved, value.shape)


def swapped(b: Builder, value: Value) -> Value:
    """Exchanges the halves of pairs without computing."""
    first, second = pairs_of(b, value)
    return joined(b, second, first, value.shape)
