# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operands of matrix products: their location in memory, and the operations between load and product.

All arrays contain integers so small that no sum is rounded. An operand is loaded through a view and,
as in kernels for quantised weights, unpacked, converted and scaled. The result of the product may be
in the same array.
"""

from dataclasses import dataclass

import numpy as np

from builder import Builder
from checks import Check
from elements import FLOATS, word
from tileir import TOKEN, Tile, Value
from views import Geometry, make_view

# The formats from which a format can be converted exactly.
NARROWER = {"f32": ("f16", "bf16", "f8E4M3FN", "i8"), "bf16": ("f8E4M3FN", "i8"),
            "f16": ("f8E4M3FN", "i8")}


def limit_of(element: str) -> int:
    """The bound up to which all integers are exact."""
    return 1 << 40 if element in ("i32", "f64") else 1 << FLOATS[element].fraction + 1


def load(b: Builder, view: Value, index: list[Value], token: Value) -> list[Value]:
    """Returns the tile, and the token."""
    names = ", ".join(f"${1 + k}" for k in range(len(index)))
    return b.ops(f"load_view_tko weak $0[{names}] token = ${1 + len(index)} : $t0, $t1 -> $r0, token",
                 [view, *index, token], [view.type.tile, TOKEN])


def store(b: Builder, value: Value, view: Value, index: list[Value], token: Value) -> Value:
    if value.shape != view.type.shape:  # add the batch dimension
        value = b.op("reshape $0 : $t0 -> $r0", value, to=value.type.shaped(*view.type.shape))
    names = ", ".join(f"${2 + k}" for k in range(len(index)))
    return b.op(f"store_view_tko weak $0, $1[{names}] token = ${2 + len(index)} : $t0, $t1, $t2 -> token",
                value, view, *index, token, to=TOKEN, any_nan=False)


# --- Matrices in memory -------------------------------------------------------------------------


@dataclass
class Matrix:
    """A row-major tensor in an array, starting at some element."""

    element: str
    extents: tuple[int, ...]
    row: int  # the distance between rows
    base: Value

    @staticmethod
    def alone(b: Builder, element: str, extents: tuple[int, ...], check: Check | None = None) -> "Matrix":
        row = extents[-1] + b.choice([0, 0, 0, 1, 5])
        return Matrix(element, extents, row, array(b, element, int(np.prod(extents[:-1])) * row, check))

    def tiles(self, b: Builder, shape: tuple[int, ...], padding: str | None) -> Value:
        strides = [1, self.row]
        for extent in self.extents[-2:0:-1]:
            strides.append(strides[-1] * extent)
        strides = tuple(reversed(strides[:len(self.extents)]))
        return make_view(b, self.base, Geometry("partition_view", self.element, shape, self.extents,
                                                strides), padding)[1]


def array(b: Builder, element: str, count: int, check: Check | None) -> Value:
    numbers = b.numpy.integers(-2, 3, count + count % 2)
    if element in FLOATS:
        numbers = numbers.astype(np.float64).astype(FLOATS[element].values)
    elif element == "i8":
        numbers = b.numpy.integers(-128, 128, count + count % 2).astype(np.int8)
    return b.array(element, numbers.astype(np.int32) if element == "i32" else
                   numbers.view(word(element)), check).value


def lying(b: Builder, way: str, element: str, factor: tuple[int, ...], stored: str,
          result: tuple[int, ...]) -> tuple[Matrix, Matrix]:
    """An operand and the result. `beside`: rows of both alternate, so that their memory ranges
    overlap without common elements. `on`: the result starts at the same address as the operand, in
    the same rows."""
    if way == "apart":
        return Matrix.alone(b, element, factor), Matrix.alone(b, stored, result, Check())
    rows, gap = (factor[-2], result[-2]), b.choice([0, 0, 1, 5])
    if way == "beside":
        row = factor[-1] + result[-1] + gap + b.choice([0, 3])
        base = array(b, element, max(rows) * row, Check())
        left_first = b.chance(0.5)
        shift = (factor if left_first else result)[-1] + gap
        moved = moved_by(b, base, shift)
        return (Matrix(element, factor, row, base if left_first else moved),
                Matrix(stored, result, row, moved if left_first else base))
    if way == "on":
        row = max(factor[-1], result[-1]) + gap
        base = array(b, element, max(rows) * row, Check())
        return Matrix(element, factor, row, base), Matrix(stored, result, row, base)
    # One after the other, with a distance of zero to a few elements.
    spans = [extents[-2] * extents[-1] for extents in (factor, result)]
    base = array(b, element, sum(spans) + gap, Check())
    moved = moved_by(b, base, spans[way == "before"] + gap)
    return (Matrix(element, factor, factor[-1], moved if way == "before" else base),
            Matrix(stored, result, result[-1], base if way == "before" else moved))


def moved_by(b: Builder, base: Value, count: int) -> Value:
    away = b.scalar("i32", count) if b.chance(0.5) else b.i32(count)
    return b.op("offset $0, $1 : $t0, $t1 -> $r0", base, away, to=base.type)


# --- From memory to the product -----------------------------------------------------------------


class Factor:
    """Tiles of `shape` along one of its dimensions. `at` is the coordinate of the block in the other
    dimension."""

    def __init__(self, b: Builder, element: str, shape: tuple[int, int], at, depth: int, along: int,
                 limit: int, is_plain: bool = False) -> None:
        self.element, self.shape, self.at, self.along = element, shape, at, along
        extents = [shape[0] * at.count, shape[1] * at.count]
        extents[along] = depth
        if b.chance(0.2):
            extents[1 - along] = max(1, extents[1 - along] - b.random.randrange(shape[1 - along]))
        self.turned, self.scaled, self.stored = not is_plain and b.chance(0.2), False, element
        self.extents = tuple(extents[::-1] if self.turned else extents)
        self.nibbles = element == "i8" and b.chance(0.3)
        self.most = 2
        if element in NARROWER and not is_plain and b.chance(0.4):
            self.stored = b.choice([s for s in NARROWER[element] if s != "i8" or limit >= 32]
                                   or [element])
            self.most = 8 if self.stored == "i8" else 2
        if element in ("f32", "f16", "bf16") and limit >= 4 * self.most and b.chance(0.25):
            self.scaled, self.most = True, 2 * self.most

    def keep_plain(self) -> None:
        self.stored = self.element

    def make_views(self, b: Builder, together: int) -> None:
        """Loads `together` matrices at a time, if it is not 0."""
        self.lead = (together,) if together else ()
        shape = self.shape[::-1] if self.turned else self.shape
        self.view = self.matrix.tiles(b, (*self.lead, *shape), "zero")
        if self.scaled:  # one scale per row or column
            scale = array(b, "f32", self.at.count * self.shape[1 - self.along], None)
            count = self.shape[1 - self.along]
            self.scales = make_view(b, scale, Geometry(
                "partition_view", "f32", (count,), (self.at.count * count,), (1,)), "zero")[1]

    def load(self, b: Builder, at: Value, batch: Value | None, token: Value) -> list[Value]:
        index = [at, self.at.value] if self.along == 0 else [self.at.value, at]
        if self.turned:
            index.reverse()
        made, after = load(b, self.view, ([batch] if batch else []) + index, token)
        rank = len(made.shape)
        if self.lead == (1,):
            made, rank = b.op("reshape $0 : $t0 -> $r0", made, to=made.type.shaped(*made.shape[1:])), 2
        if self.turned:
            order = [*range(rank - 2), rank - 1, rank - 2]
            made = b.op(f"permute $0 {order} : $t0 -> $r0", made,
                        to=made.type.shaped(*(made.shape[d] for d in order)))
        return [self.prepared(b, made, token), after]

    def prepared(self, b: Builder, made: Value, token: Value) -> Value:
        tile = made.type
        if self.nibbles or (self.stored == "i8" and self.element != "i8"):
            low = b.op("andi $0, $1 : $r0", made, b.constant(tile, 15), to=tile)
            made = b.op("subi $0, $1 : $r0", low, b.constant(tile, 8), to=tile)
        if self.stored != self.element:
            text = "itof $0 signed" if self.stored == "i8" else "ftof $0"
            made = b.op(f"{text} : $t0 -> $r0", made, to=tile.of(self.element), any_nan=False)
        return self.times_scale(b, made, token) if self.scaled else made

    def times_scale(self, b: Builder, made: Value, token: Value) -> Value:
        scale, _ = load(b, self.scales, [self.at.value], token)
        if self.element != "f32":
            scale = b.op("ftof $0 : $t0 -> $r0", scale, to=scale.type.of(self.element), any_nan=False)
        thin = [1] * len(made.shape)
        thin[-1 if self.along == 0 else -2] = scale.shape[0]
        column = b.op("reshape $0 : $t0 -> $r0", scale, to=scale.type.shaped(*thin))
        wide = column if column.shape == made.shape else \
            b.op("broadcast $0 : $t0 -> $r0", column, to=made.type)
        return b.op("mulf $0, $1 : $r0", made, wide, to=made.type, any_nan=False)
