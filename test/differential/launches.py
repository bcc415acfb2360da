# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches in the form that cuTile programs have: blocks in two or three dimensions load the same tiles
of read-only arrays, and store their results through views of tensors that all of them share.

The other programs store each block's results separately and print, so that no block can use operands that
another one has packed. Here, a program is one or two matrix products, and all programs of a launch are such
products, because a single store through pointers prevents sharing. Other launches process rows
(rows.py).
"""

from dataclasses import dataclass

import rows
from builder import Builder
from checks import Check
from factors import Factor, Matrix, limit_of, load, lying, store
from matrices import PAIRS
from tileir import TOKEN, Tile, Value

GRIDS = ((4, 3), (3, 5), (8, 2), (2, 8), (1, 7), (7, 1), (6, 6), (16,), (12,), (5,), (2, 3, 2),
         (3, 1, 4), (2, 2, 3))
ADD = "addi $0, $1 : $r0"


def product_launch(b: Builder) -> None:
    blocks = coordinates(b)
    first = Product(b, blocks)
    first.emit(b)
    for _ in range(b.choice([0, 0, 1])):
        again(b, blocks, first)


# --- Blocks -------------------------------------------------------------------------------------


@dataclass
class Coordinate:
    """In one dimension of the result: the tile index of a block, and the number of tiles."""

    value: Value
    count: int


def coordinates(b: Builder) -> list[Coordinate]:
    """The coordinates for row, column and batch."""
    grid = (*b.program.grid, 1, 1)[:3]
    x, y, z = (Coordinate(v, n) for v, n in
               zip(b.ops("get_tile_block_id : $r0", [], [Tile("i32")] * 3), grid))
    if grid[1:] == (1, 1) and grid[0] % 4 == 0 and b.chance(0.7):
        return [*grouped(b, x), z]
    if grid[1:] == (1, 1) and b.chance(0.5):  # compute the row, so that the plan does not know it
        x = Coordinate(b.op("subi $0, $1 : $r0", b.i32(x.count - 1), x.value, to=Tile("i32")), x.count)
    return [y, x, z] if b.chance(0.3) else [x, y, z]


def grouped(b: Builder, number: Coordinate) -> tuple[Coordinate, Coordinate]:
    """A one-dimensional grid in a grouped rasterization order: some rows at a time, with all columns."""
    rows_, columns, group = number.count // 4, 4, b.choice([1, 2, 3])
    if b.chance(0.5):
        rows_, columns = columns, rows_

    def op(text: str, x: Value, y: Value) -> Value:
        return b.op(f"{text} : $r0", x, y, to=Tile("i32"))
    inside = op("remi $0, $1 signed", number.value, b.i32(group * columns))
    of = op("divi $0, $1 signed", number.value, b.i32(group * columns))
    first = op("muli $0, $1", of, b.i32(group))
    size = op("mini $0, $1 signed", op("subi $0, $1", b.i32(rows_), first), b.i32(group))
    row = op("addi $0, $1", first, op("remi $0, $1 signed", inside, size))
    return Coordinate(row, rows_), Coordinate(op("divi $0, $1 signed", inside, size), columns)


def seen_from(b: Builder, at: Coordinate) -> Coordinate:
    """The index of the operand tile that blocks with this result tile load: a different one for each,
    or the same for several."""
    way = b.weighted({"own": 8, "half": 1, "odd": 1, "first": 1, "back": 1})
    i32 = Tile("i32")
    if way == "half":
        return Coordinate(b.op("shri $0, $1 unsigned : $r0", at.value, b.i32(1), to=i32),
                          at.count // 2 + 1)
    if way == "odd":
        return Coordinate(b.op("andi $0, $1 : $r0", at.value, b.i32(1), to=i32), 2)
    if way == "first":
        return Coordinate(b.i32(0), 1)
    if way == "back":
        return Coordinate(b.op("subi $0, $1 : $r0", b.i32(at.count - 1), at.value, to=i32), at.count)
    return at


# --- A product ----------------------------------------------------------------------------------


class Product:
    """c = a b, possibly batched, with extents that need not be multiples of the tiles. c may be in the
    same array as an operand: interleaved, right after it, or overlapping, where each block reads its
    rows before it stores them."""

    def __init__(self, b: Builder, blocks: list[Coordinate]) -> None:
        self.row, self.column, batch = blocks
        self.batch = batch if batch.count > 1 or b.chance(0.1) else None
        # Each block has a row of tiles, which its result may overwrite.
        self.ordered = not self.batch and self.column.count == 1 and b.chance(0.6)
        pairs = [("f32", "f32"), ("f64", "f64")] if self.ordered else \
            [*PAIRS, ("f32", "f32"), ("i8", "i32"), ("i8", "i32")]
        self.element, self.sum = b.choice(pairs)
        self.together = 2 if self.batch and b.chance(0.3) else 1  # products per operation
        self.m, self.n, self.k, self.turns = self.extents(b)
        depth = self.k * self.turns - (b.random.randrange(self.k) if b.chance(0.3) else 0)
        rows_ = self.row if self.ordered else seen_from(b, self.row)
        columns = seen_from(b, self.column)
        way = "on" if self.ordered else "apart" if self.batch else b.weighted(
            {"apart": 4, "beside": 2, "behind": 1, "before": 1})
        limit = limit_of(self.sum) // max(depth, 1)
        self.left = Factor(b, self.element, (self.m, self.k), rows_, depth, 1, limit // 2,
                           is_plain=self.ordered)
        self.right = Factor(b, self.element, (self.k, self.n), columns, depth, 0,
                            limit // self.left.most)
        near = self.left if way == "on" or b.chance(0.5) else self.right
        far = self.right if near is self.left else self.left
        if way != "apart" and near.stored == "i8":
            near.keep_plain()
        self.stored = near.stored if way != "apart" else \
            b.choice([self.sum, self.sum, "f16", "bf16"]) if self.sum != "i32" else \
            b.choice(["i32", "i8"])
        result = (self.row.count * self.m - (b.random.randrange(self.m) if b.chance(0.3) else 0),
                  self.column.count * self.n - (b.random.randrange(self.n) if b.chance(0.3) else 0))
        lead = (self.batch.count * self.together,) if self.batch else ()
        near.matrix, self.result = lying(b, way, near.stored, (*lead, *near.extents), self.stored,
                                         (*lead, *result))
        far.matrix = Matrix.alone(b, far.stored, (*lead, *far.extents))
        for factor in (self.left, self.right):
            factor.make_views(b, self.together if self.batch else 0)

    def extents(self, b: Builder) -> tuple[int, int, int, int]:
        m, n, k = (1 << b.random.randrange(b.choice([3, 5, 7])) for _ in range(3))
        turns = b.random.randint(1, 5)
        blocks = self.row.count * self.column.count * (self.batch.count if self.batch else 1)
        work = b.weighted({1 << 16: 6, 1 << 18: 2, 1 << 20: 0.3})
        while m * n * k * turns * blocks * self.together > work and m * n * k > 1:
            m, n, k = max(1, m // 2), max(1, n // 2), max(1, k // 2)
        return m, n, k, turns

    @property
    def tile(self) -> Tile:
        lead = (self.together,) if self.together > 1 else ()
        return Tile(self.sum, (*lead, self.m, self.n))

    def emit(self, b: Builder) -> None:
        lead = (self.together,) if self.batch else ()
        self.view = self.result.tiles(b, (*lead, self.m, self.n), None)
        first = b.op("make_token : token", to=TOKEN)
        # Repeated accumulation is exact only for small operands.
        repeats = self.ordered and self.right.most <= 2 and b.chance(0.7)
        self.done = self.repeated(b, first) if repeats else self.once(b, first)

    def repeated(self, b: Builder, first: Value) -> Value:
        """Computes twice, with the first product as an operand of the second: the same tiles, in the
        same way, with other elements."""
        chain = Value(TOKEN)
        with b.region([Value(Tile("i32")), chain], instances=0) as region:
            b.effect("continue $0 : $t0", self.once(b, chain))
        return b.ops("for $a0 in ($0 to $1, step $2) : $t0 iter_values($a1 = $3) -> ($r0)",
                     [b.i32(0), b.i32(2), b.i32(1), first], [TOKEN], [region])[0]

    def once(self, b: Builder, token: Value) -> Value:
        start = b.constant(self.tile, 0)
        low, high, step = self.range(b)
        form = endless if b.chance(0.25) else counted
        sums, done = form(b, self, low, high, step, start, token)
        made = finished(b, sums, self.stored)
        index = ([self.batch.value] if self.batch else []) + [self.row.value, self.column.value]
        return store(b, made, self.view, index, done if self.ordered else token)

    def range(self, b: Builder) -> tuple[Value, Value, Value]:
        """The whole reduced extent; or a part, as in causal attention; or odd tiles skip the first step."""
        low, high, step = b.i32(0), b.i32(self.turns), b.i32(b.choice([1, 1, 1, 2]))
        i32, way = Tile("i32"), b.weighted({"all": 6, "causal": 2, "odd": 1})
        if b.chance(0.5):
            high = b.scalar("i32", self.turns)
        if way == "causal":
            at = b.choice([self.row, self.column]).value
            high = b.op("mini $0, $1 signed : $r0", high, b.op(ADD, at, b.i32(1), to=i32), to=i32)
        if way == "odd":
            at = b.choice([self.row, self.column]).value
            low = b.op("andi $0, $1 : $r0", at, b.i32(1), to=i32)
        return low, high, step

    def step(self, b: Builder, at: Value, sums: Value, token: Value) -> tuple[Value, Value]:
        """Accumulates the product of one step; returns also a token for the loads."""
        batch = self.batch.value if self.batch else None
        left, after = self.left.load(b, at, batch, token)
        right, _ = self.right.load(b, at, batch, token)
        text = "mmai $0, $1, $2 signed signed" if self.sum == "i32" else "mmaf $0, $1, $2"
        return b.op(f"{text} : $t0, $t1, $t2", left, right, sums, to=sums.type, any_nan=False), after


def counted(b: Builder, product: Product, low: Value, high: Value, step: Value, start: Value,
            token: Value) -> tuple[Value, Value]:
    """A `for` loop; sometimes an iteration ends before the product."""
    at, sums, chain = Value(Tile("i32")), Value(start.type), Value(TOKEN)
    with b.region([at, sums, chain], instances=0) as region:
        if b.chance(0.15):
            leave_out(b, at, sums, chain)
        more, after = product.step(b, at, sums, chain)
        b.effect("continue $0, $1 : $t0, $t1", more, after)
    made = b.ops("for $a0 in ($0 to $1, step $2) : $t0 iter_values($a1 = $3, $a2 = $4) -> ($r0, $r1)",
                 [low, high, step, start, token], [start.type, TOKEN], [region])
    return made[0], made[1]


def leave_out(b: Builder, at: Value, *carried: Value) -> None:
    is_left = b.op("cmpi equal $0, $1, signed : $t0 -> $r0", at, b.i32(1), to=Tile("i1"))
    with b.region() as way:
        b.effect("continue $0, $1 : $t0, $t1", *carried)
    b.ops("if $0", [is_left], [], [way])


def endless(b: Builder, product: Product, low: Value, high: Value, step: Value, start: Value,
            token: Value) -> tuple[Value, Value]:
    """A `loop` that ends with `break`, before or after the product."""
    i32, truth = Tile("i32"), Tile("i1")
    at, sums, chain = Value(i32), Value(start.type), Value(TOKEN)

    def leave(next_: Value, *values: Value) -> None:
        is_last = b.op("cmpi greater_than_or_equal $0, $1, signed : $t0 -> $r0", next_, high, to=truth)
        with b.region() as way:
            b.effect("break $0, $1 : $t0, $t1", *values)
        b.ops("if $0", [is_last], [], [way])
    with b.region([at, sums, chain], instances=0) as region:
        behind = b.chance(0.5) and product.turns > 1  # at least one iteration
        if not behind:
            leave(at, sums, chain)
        more, after = product.step(b, at, sums, chain)
        next_ = b.op(ADD, at, step, to=i32)
        if behind:
            leave(next_, more, after)
        b.effect("continue $0, $1, $2 : $t0, $t1, $t2", next_, more, after)
    made = b.ops("loop iter_values($a0 = $0, $a1 = $1, $a2 = $2) : $u0, $u1, $u2 -> $r0, $r1",
                 [low, start, token], [start.type, TOKEN], [region])
    return made[0], made[1]


def finished(b: Builder, sums: Value, stored: str) -> Value:
    """Stores the accumulators, sometimes clamped at zero, in the result type."""
    tile = sums.type
    if tile.element in ("f32", "f16") and b.chance(0.3):
        sums = b.op("maxf $0, $1 : $r0", sums, b.constant(tile, 0), to=tile)
    if stored == tile.element:
        return sums
    text = "trunci $0 : $t0 -> $r0" if tile.element == "i32" else "ftof $0 : $t0 -> $r0"
    return b.op(text, sums, to=tile.of(stored), any_nan=False)


def again(b: Builder, blocks: list[Coordinate], first: Product) -> None:
    """Another product in the same block; or the block's stored result, copied to another tensor:
    then loads do not see the memory contents from the start of the launch."""
    if b.chance(0.5):
        Product(b, blocks).emit(b)
        return
    index = ([first.batch.value] if first.batch else []) + [first.row.value, first.column.value]
    view = first.result.tiles(b, first.view.type.shape, "zero")
    made, after = load(b, view, index, first.done)
    copy = Matrix.alone(b, first.stored, first.result.extents, Check())
    store(b, made, copy.tiles(b, first.view.type.shape, None), index, after)


LAUNCHES = {"products": product_launch, "rows": rows.row_launch}
