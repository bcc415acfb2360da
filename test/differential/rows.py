# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels over rows in the form that cuTile generates: gathers and scatters with 64-bit indices, each with
an unsigned bounds comparison; powers with constant exponents; repeated argmax with NaN handling; tiles
of accumulators as loop-carried values; vectors that are combined with all rows or all columns of a tile;
and rows whose elements are exchanged (networks.py).

Each block processes one or more rows of tensors that all blocks share.
"""

import numpy as np

from aggregates import combine, identity
from builder import Builder
from checks import Check, Ulps
from elements import FLOATS, random_patterns, word
from factors import Matrix, load, store
from memory import spread
from networks import exchanged
from tileir import TOKEN, Tile, Value

EXPONENTS = (2.0, 2.0, 1.0, -1.0, 0.5, 3.0, -0.5, 0.0)


def row_launch(b: Builder) -> None:
    grid = (*b.program.grid, 1, 1)[:3]
    blocks = b.ops("get_tile_block_id : $r0", [], [Tile("i32")] * 3)
    number = b.op("muli $0, $1 : $r0", blocks[2], b.i32(grid[1]), to=Tile("i32"))
    number = b.op("addi $0, $1 : $r0", number, blocks[1], to=Tile("i32"))
    number = b.op("muli $0, $1 : $r0", number, b.i32(grid[0]), to=Tile("i32"))
    number = b.op("addi $0, $1 : $r0", number, blocks[0], to=Tile("i32"))
    for _ in range(b.choice([1, 1, 2])):
        b.weighted({gathered: 3, largest: 2, carried: 2, shared: 3, exchanged: 3})(b, number, int(np.prod(grid)))


# --- Gathers ------------------------------------------------------------------------------------


def gathered(b: Builder, block: Value, count: int) -> None:
    """y[r, i] = x[r, i]^c w[i]; tiles may extend beyond the edges, and some blocks have no row."""
    element = b.choice(["f32", "f32", "f64", "f16"])
    tile = Tile(element, (b.choice([2, 8, 32, 64, 128, 256]),))
    rows, columns = max(1, count - b.choice([0, 0, 2])), max(1, tile.count - b.choice([0, 0, 1, 5]))
    stride = columns + b.choice([0, 0, 3])
    content = random_patterns(element, rows * stride + rows * stride % 2, b.numpy, "ordinary")
    x = b.array(element, content).value
    w = b.array(element, random_patterns(element, columns + columns % 2, b.numpy, "ordinary")).value
    y = b.array(element, b.noise(element, rows * stride + rows * stride % 2), Ulps(True, 6)).value
    wide = tile.of("i64")
    column = b.op("exti $0 signed : $t0 -> $r0", b.op("iota : $r0", to=tile.of("i32")), to=wide)
    if b.chance(0.3):  # with an offset: negative indices are outside
        column = b.op("subi $0, $1 : $r0", column, extended(b, b.i32(b.choice([1, 3])), wide), to=wide)
    row = extended(b, block, wide)
    inside = below(b, column, columns)
    both = b.op("andi $0, $1 : $r0", below(b, row, rows), inside, to=inside.type)
    token = b.op("make_token : token", to=TOKEN)
    place = b.op("muli $0, $1 : $r0", row, extended(b, b.scalar("i32", stride), wide), to=wide)
    ones = b.constant(wide, 1)
    place = b.op("addi $0, $1 : $r0", place, b.op("muli $0, $1 : $r0", column, ones, to=wide), to=wide)
    value = gather(b, x, place, both, tile, token)
    power = b.op("pow $0, $1 : $r0", value, b.constant(tile, b.choice(EXPONENTS)), to=tile, any_nan=True)
    made = b.arithmetic("mulf $0, $1 : $r0", power, gather(b, w, column, inside, tile, token), to=tile)
    pointers = b.op("offset $0, $1 : $t0, $t1 -> $r0", spread(b, y, tile), place,
                    to=tile.of(f"ptr<{element}>"))
    b.op("store_ptr_tko weak $0, $1, $2 token=$3 : $t0, $t1, $t2 -> token", pointers, made, both, token,
         to=TOKEN, any_nan=False)


def extended(b: Builder, scalar: Value, wide: Tile) -> Value:
    return spread(b, b.op("exti $0 signed : $t0 -> $r0", scalar, to=Tile("i64")), wide)


def below(b: Builder, index: Value, extent: int) -> Value:
    limit = extended(b, b.scalar("i32", extent), index.type)
    return b.op("cmpi less_than $0, $1, unsigned : $t0 -> $r0", index, limit, to=index.type.of("i1"))


def gather(b: Builder, base: Value, place: Value, mask: Value, tile: Tile, token: Value) -> Value:
    pointers = b.op("offset $0, $1 : $t0, $t1 -> $r0", spread(b, base, tile), place,
                    to=tile.of(base.element))
    padding = spread(b, b.constant(Tile(tile.element), 0), tile)
    return b.ops("load_ptr_tko weak $0, $1, $2 token=$3 : $t0, $t1, $t2 -> $r0, token",
                 [pointers, mask, padding, token], [tile, TOKEN])[0]


# --- The largest elements -----------------------------------------------------------------------


def largest(b: Builder, block: Value, count: int) -> None:
    """The largest elements and their columns, one by one: each one found is replaced by -inf. The first of
    equal elements counts, and NaNs do not."""
    element = b.choice(["f32", "f32", "f64", "f16"])
    height, width, found = b.choice([1, 1, 2, 4]), b.choice([8, 16, 64, 256]), b.choice([1, 2, 3])
    tile = Tile(element, (height, width))
    x = Matrix(element, (count * height, width), width, b.array(
        element, with_few_nans(b, element, count * height, width)).value)
    values = Matrix.alone(b, element, (count * height, found), Check())
    places = Matrix.alone(b, "i32", (count * height, found), Check())
    token, zero = b.op("make_token : token", to=TOKEN), b.i32(0)
    row, _ = load(b, x.tiles(b, tile.shape, None), [block, zero], token)
    column = b.op("reshape $0 : $t0 -> $r0", b.op("iota : $r0", to=Tile("i32", (width,))),
                  to=Tile("i32", (1, width)))
    column = b.op("broadcast $0 : $t0 -> $r0", column, to=tile.of("i32"))
    into = [m.tiles(b, (height, 1), None) for m in (values, places)]
    lowest = FLOATS[element].infinity | 1 << FLOATS[element].width - 1
    at, rest = Value(Tile("i32")), Value(tile)
    with b.region([at, rest], instances=0) as region:
        best, where = combine(b, [rest, column], [identity(element, lowest), "0"],
                              lambda step: first_largest(b, step), scans=False, dim=1)
        thin = (height, 1)
        where = b.op("reshape $0 : $t0 -> $r0", where, to=where.type.shaped(*thin))
        best = b.op("reshape $0 : $t0 -> $r0", best, to=best.type.shaped(*thin))
        for value, view in zip((best, where), into):
            store(b, value, view, [block, at], token)
        wide = b.op("broadcast $0 : $t0 -> $r0", where, to=tile.of("i32"))
        is_found = b.op("cmpi equal $0, $1, signed : $t0 -> $r0", column, wide, to=tile.of("i1"))
        left = b.op("select $0, $1, $2 : $t0, $r0", is_found, b.splat(tile, lowest), rest, to=tile,
                    any_nan=False)
        b.effect("continue $0 : $t0", left)
    b.ops("for $a0 in ($0 to $1, step $2) : $t0 iter_values($a1 = $3) -> ($r0)",
          [zero, b.i32(found), b.i32(1), row], [tile], [region])


def with_few_nans(b: Builder, element: str, rows: int, columns: int) -> np.ndarray:
    """Never in even columns, so that each row has other elements; many elements are equal."""
    bits = random_patterns(element, rows * columns, b.numpy, "ordinary").reshape(rows, columns)
    bits[:, ::3] = bits[:, :1]
    is_nan = b.numpy.random((rows, columns)) < 0.1
    is_nan[:, ::2] = False
    return np.where(is_nan, word(element).type(FLOATS[element].nan), bits).reshape(-1)


def first_largest(b: Builder, step) -> list[Value]:
    """The comparison of `ct.argmax`."""
    (x, i), (y, j) = step.elements, step.accumulated
    truth = Tile("i1")

    def compare(how: str, p: Value, q: Value) -> Value:
        return b.op(f"cmpf {how} $0, $1 : $t0 -> $r0", p, q, to=truth, any_nan=False)

    def both(text: str, p: Value, q: Value) -> Value:
        return b.op(f"{text} $0, $1 : $r0", p, q, to=truth)
    x_is_nan, y_is_nan = (compare("not_equal unordered", v, v) for v in (x, y))
    better = both("ori", compare("greater_than ordered", x, y),
                  both("andi", compare("equal ordered", x, x), y_is_nan))
    same = both("ori", compare("equal ordered", x, y), both("andi", x_is_nan, y_is_nan))
    before = b.op("cmpi less_than $0, $1, signed : $t0 -> $r0", i, j, to=truth)
    is_first = both("ori", better, both("andi", same, before))
    return [b.op("select $0, $1, $2 : $t0, $r0", is_first, p, q, to=p.type, any_nan=False)
            for p, q in ((x, y), (i, j))]


# --- Carried sums -------------------------------------------------------------------------------


def carried(b: Builder, block: Value, count: int) -> None:
    """y = w x, with some rows of w per block: sums of integers in a tile that the loop carries."""
    stored = b.choice(["f32", "f32", "f16", "bf16", "i8"])
    height, width, turns = 1 << b.random.randrange(5), 1 << b.random.randrange(8), b.random.randint(1, 6)
    tile = Tile("f32", (height, width))
    rows = count * height - b.random.randrange(height) * b.choice([0, 1])
    columns = width * turns - b.random.randrange(width) * b.choice([0, 1])
    weights = Matrix.alone(b, stored, (rows, columns)).tiles(b, tile.shape, "zero")
    factors = Matrix.alone(b, "f32", (1, columns)).tiles(b, (1, width), "zero")
    result = Matrix.alone(b, "f32", (rows, 1), Check()).tiles(b, (height, 1), None)
    token, zero = b.op("make_token : token", to=TOKEN), b.i32(0)
    at, sums = Value(Tile("i32")), Value(tile)
    with b.region([at, sums], instances=0) as region:
        w, _ = load(b, weights, [block, at], token)
        if stored != "f32":
            text = "itof $0 signed" if stored == "i8" else "ftof $0"
            w = b.op(f"{text} : $t0 -> $r0", w, to=tile, any_nan=False)
        x, _ = load(b, factors, [zero, at], token)
        x = x if x.type == tile else b.op("broadcast $0 : $t0 -> $r0", x, to=tile)
        product = b.op("mulf $0, $1 : $r0", w, x, to=tile, any_nan=False)
        b.effect("continue $0 : $t0", b.op("addf $0, $1 : $r0", sums, product, to=tile, any_nan=False))
    made = b.ops("for $a0 in ($0 to $1, step $2) : $t0 iter_values($a1 = $3) -> ($r0)",
                 [zero, b.i32(turns), b.i32(1), b.constant(tile, 0)], [tile], [region])[0]
    total = combine(b, [made], [identity("f32", 0)], lambda step: [
        b.op("addf $0, $1 : $r0", step.elements[0], step.accumulated[0], to=Tile("f32"), any_nan=False)],
        scans=False, dim=1)[0]
    store(b, b.op("reshape $0 : $t0 -> $r0", total, to=Tile("f32", (height, 1))), result, [block, zero],
          token)


# --- Shared rows --------------------------------------------------------------------------------


def shared(b: Builder, block: Value, count: int) -> None:
    """A matrix, and vectors along its rows or columns or split into parts; in random order, because the
    order of loads determines what the compiler combines."""
    height, width = (1 << b.random.randrange(1, 6) for _ in range(2))
    tile = Tile("i32", (height, width))
    rows = count * height - b.random.randrange(height) * b.choice([0, 1])
    columns = width - b.random.randrange(width) * b.choice([0, 0, 1])
    token, zero = b.op("make_token : token", to=TOKEN), b.i32(0)
    result = Matrix.alone(b, "i32", (rows, columns), Check()).tiles(b, tile.shape, None)

    def matrix() -> Value:
        tiles = Matrix.alone(b, "i32", (rows, columns)).tiles(b, tile.shape, "zero")
        return load(b, tiles, [block, zero], token)[0]

    def vector(extent: int) -> Value:
        given = extent - b.random.randrange(extent) * b.choice([0, 0, 1])
        tiles = Matrix.alone(b, "i32", (1, given)).tiles(b, (1, extent), "zero")
        loaded = load(b, tiles, [zero, zero], token)[0]
        if b.chance(0.4):  # as in a kernel with one-dimensional vectors
            loaded = b.op("reshape $0 : $t0 -> $r0", loaded, to=Tile("i32", (extent,)))
        return loaded

    def spread_to(value: Value, shape: tuple[int, ...], to: tuple[int, ...]) -> Value:
        if value.type.shape != shape:
            value = b.op("reshape $0 : $t0 -> $r0", value, to=Tile("i32", shape))
        return value if shape == to else b.op("broadcast $0 : $t0 -> $r0", value, to=Tile("i32", to))

    def along_rows() -> Value:
        return spread_to(vector(width), (1, width), tile.shape)

    def along_columns() -> Value:
        return spread_to(vector(height), (height, 1), tile.shape)

    def apart() -> Value:
        """Sums with as many terms for each element as a vector has."""
        each = height * width if height * width <= 64 else 4
        return sums(spread_to(vector(height * width), (height, width, 1), (height, width, each)), 2)

    def sums(value: Value, dim: int) -> Value:
        return combine(b, [value], [identity("i32", 0)], lambda step: [
            b.op("addi $0, $1 : $r0", step.elements[0], step.accumulated[0], to=Tile("i32"))],
            scans=False, dim=dim)[0]

    made = None
    for _ in range(b.random.randint(2, 5)):
        value = b.weighted({matrix: 3, along_rows: 4, along_columns: 2, apart: 2})()
        operation = b.choice(["addi", "muli", "xori"])
        made = value if made is None else b.op(f"{operation} $0, $1 : $r0", made, value, to=tile)
        if b.chance(0.3):  # subtract a per-row value
            made = b.op("subi $0, $1 : $r0", made, spread_to(sums(made, 1), (height, 1), tile.shape), to=tile)
    store(b, made, result, [block, zero], token)
