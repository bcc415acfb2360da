# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which shapes of code does a compiler look for? Those of real kernels.

Random programs seldom have the K loop of a matrix product, the passes of a softmax, or
tiles that change places from turn to turn, and a compiler treats these in ways of its
own. Here they are, in random types and extents, among whatever else a program does.
"""

import numpy as np

from aggregates import combine, float_body, identity, whole
from builder import Builder
from checks import Ulps
from control import can_be_nan
from elementwise import clamped
from elements import FLOATS, random_patterns, word
from matrices import PAIRS
from tileir import Tensor, Tile, Value, View
from views import load_view


def kernel(b: Builder) -> None:
    b.weighted({matrix_loop: 3, softmax: 2, normalized: 1, exchanged: 2})(b)


# --- Matrix product -----------------------------------------------------------------------------


def matrix_loop(b: Builder) -> None:
    """acc += A[:, k] B[k, :], where K need not be a multiple of the tile."""
    element, sum_ = b.choice([*PAIRS, ("i8", "i32")])
    m, n = (1 << b.random.randrange(7) for _ in range(2))
    k, turns = 1 << b.random.randrange(1, 6), b.random.randint(1, 4)
    while m * n * k > 16384:
        m, n = max(1, m // 2), max(1, n // 2)
    depth = k * turns - (b.random.randrange(k) if b.chance(0.4) else 0)
    lhs_view = matrix(b, element, (m, depth), (m, k))
    rhs_view = matrix(b, element, (depth, n), (k, n))
    tile, zero = Tile(sum_, (m, n)), b.i32(0)
    start = b.constant(tile, 0)
    if b.chance(0.4):
        start = b.operand(tile) if sum_ == "i32" else whole(b, tile, 3)
    at, acc = Value(Tile("i32")), Value(tile, any_nan=sum_ != "i32")
    with b.region([at, acc], instances=0) as region:
        lhs = load_view(b, lhs_view, [zero, at], lhs_view.type.tile)
        rhs = load_view(b, rhs_view, [at, zero], rhs_view.type.tile)
        op = "mmai $0, $1, $2 signed unsigned" if sum_ == "i32" else "mmaf $0, $1, $2"
        made = b.op(f"{op} : $t0, $t1, $t2", lhs, rhs, acc, to=tile, any_nan=True)
        b.effect("continue $0 : $t0", made)
    b.finish(*b.ops("for $a0 in ($0 to $1, step $2) : $t0 iter_values($a1 = $3) -> ($r0)",
                    [zero, b.i32(turns), b.i32(1), start], [tile], [region], any_nan=True))


def matrix(b: Builder, element: str, extents: tuple[int, int], shape: tuple[int, int]) -> Value:
    """A view, padded with zeros, of whole numbers from -2 to 2: no sum of their products is
    rounded. The matrix lies there in rows or in columns."""
    count = extents[0] * extents[1]
    count += count % 2
    if element in FLOATS:
        numbers = b.numpy.integers(-2, 3, count).astype(np.float64)
        content = numbers.astype(FLOATS[element].values).view(word(element))
    else:
        content = random_patterns(element, count, b.numpy, "any")
    strides = (extents[1], 1) if b.chance(0.7) else (1, extents[0])
    tensor = Tensor(element, extents, strides)
    made = b.op(f"make_tensor_view $0, shape = {list(extents)}, strides = {list(strides)} : $r0",
                b.array(element, content).value, to=tensor)
    view = View("partition_view", shape, tensor, padding="zero")
    return b.op("make_partition_view $0 : $r0", made, to=view)


# --- Rows ---------------------------------------------------------------------------------------


def rows(b: Builder) -> Tile:
    columns = 1 << b.random.randrange(1, 9)
    return Tile(b.choice(["f32", "f32", "f64", "f16", "bf16"]),
                (min(1 << b.random.randrange(6), 2048 // columns), columns))


def along(b: Builder, value: Value, text: str, start: int) -> Value:
    """A row reduced to one element, and that in all of the row."""
    made = combine(b, [value], [identity(value.element, start)], float_body(b, text),
                   scans=False, dim=1)[0]
    column = b.op("reshape $0 : $t0 -> $r0", made, to=value.type.shaped(value.shape[0], 1))
    return b.op("broadcast $0 : $t0 -> $r0", column, to=value.type)


def softmax(b: Builder) -> None:
    if not b.can_store:
        return
    tile = rows(b)
    f = FLOATS[tile.element]
    value = clamped(b, b.operand(tile), -8.0, 8.0)
    largest = along(b, value, "maxf $0, $1 : $r0", f.infinity | 1 << f.width - 1)
    less = b.arithmetic("subf $0, $1 : $r0", value, largest, to=tile)
    power = b.op("exp $0 : $r0", less, to=tile, any_nan=True)
    total = along(b, power, "addf $0, $1 : $r0", 0)
    b.store(b.arithmetic("divf $0, $1 : $r0", power, total, to=tile),
            Ulps(True, 2 * tile.shape[1] + 8))


def normalized(b: Builder) -> None:
    """(x - mean) / sqrt(variance + 1) of small whole numbers: all sums are exact."""
    if not b.can_store:
        return
    tile = Tile(b.choice(["f32", "f64"]), (1 << b.random.randrange(5), 1 << b.random.randrange(5)))
    part = b.constant(tile, 1 / tile.shape[1])
    value = whole(b, tile, 15)
    mean = b.arithmetic("mulf $0, $1 : $r0", along(b, value, "addf $0, $1 : $r0", 0), part, to=tile)
    less = b.arithmetic("subf $0, $1 : $r0", value, mean, to=tile)
    square = b.arithmetic("mulf $0, $0 : $r0", less, to=tile)
    sums = along(b, square, "addf $0, $1 : $r0", 0)
    variance = b.arithmetic("fma $0, $1, $2 : $r0", sums, part, b.constant(tile, 1.0), to=tile)
    inverse = b.op("rsqrt $0 : $r0", variance, to=tile, any_nan=True)
    b.store(b.arithmetic("mulf $0, $1 : $r0", less, inverse, to=tile), Ulps(True, 4))


# --- Tiles that change places -------------------------------------------------------------------


def exchanged(b: Builder) -> None:
    """A loop whose carried tiles come back in another order, some of them changed."""
    tile, count = b.tile(), b.random.randint(2, 3)
    initial = [b.operand(tile) for _ in range(count)]
    inner = [Value(tile, any_nan=can_be_nan(tile)) for _ in range(count)]
    with b.region([Value(Tile("i32")), *inner], instances=0) as region:
        turned = inner[1:] + inner[:1]
        changed = b.random.randrange(count)
        turned[changed] = mixed(b, *b.random.sample(inner, 2))
        names = ", ".join(f"${k}" for k in range(count))
        types = ", ".join(f"$t{k}" for k in range(count))
        b.effect(f"continue {names} : {types}", *turned)
    pairs = ", ".join(f"$a{1 + k} = ${3 + k}" for k in range(count))
    results = ", ".join(f"$r{k}" for k in range(count))
    made = b.ops(f"for $a0 in ($0 to $1, step $2) : $t0 iter_values({pairs}) -> ({results})",
                 [b.i32(0), b.i32(b.random.randint(1, 4)), b.i32(1), *initial], [tile] * count,
                 [region], any_nan=can_be_nan(tile))
    b.finish(*made)


def mixed(b: Builder, x: Value, y: Value) -> Value:
    """Something of both, in the same type."""
    tile = x.type
    if tile.element.startswith("i") and tile.element != "i4":
        return b.op(f"{b.choice(['addi', 'xori', 'subi'])} $0, $1 : $r0", x, y, to=tile)
    if tile.element in ("f16", "bf16", "f32", "f64"):
        return b.arithmetic(f"{b.choice(['addf', 'mulf', 'maxf'])} $0, $1 : $r0", x, y, to=tile)
    if tile.element == "f4E2M1FN":
        return y
    mask = b.operand(Tile("i1", tile.shape))
    return b.op("select $0, $1, $2 : $t0, $r0", mask, x, y, to=tile)
