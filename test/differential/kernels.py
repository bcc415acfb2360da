# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code patterns of real kernels, which compilers recognise.

Random programs rarely contain the K loop of a matrix product, the passes of a softmax, or tiles that
are exchanged between iterations, and compilers handle these specially. They are generated here, with
random types and extents, within programs that also contain anything else.
"""

import numpy as np

from aggregates import combine, float_body, identity, whole
from builder import Builder
from checks import Ulps
from control import can_be_nan
from elementwise import SIGNS, clamped
from elements import FLOATS, random_patterns, word
from matrices import PAIRS
from tileir import Tile, Value
from views import Geometry, load_view, make_view


def kernel(b: Builder) -> None:
    b.weighted({matrix_loop: 6, rows_kernel: 3, exchanged: 2})(b)


def rows_kernel(b: Builder) -> None:
    b.weighted({softmax: 2, normalized: 1})(b)


# --- Matrix product -----------------------------------------------------------------------------


def matrix_loop(b: Builder) -> None:
    """acc += A[:, k] B[k, :], where neither K nor the matrices need be multiples of the tile; sometimes
    with two accumulators that share an operand, and may be swapped; sometimes with iterations that end
    early with other accumulators."""
    element, sum_ = b.choice([*PAIRS, ("i8", "i32")])
    batch = (b.choice([1, 2]),) if b.chance(0.1) else ()
    m, n, k = (1 << b.random.randrange(8) for _ in range(3))
    work = b.weighted({16384: 4, 1 << 17: 1})
    while m * n * k * 2 > work:
        m, n, k = max(1, m // 2), max(1, n // 2), max(1, k // 2)
    turns = b.random.randint(1, 4)
    if k <= 8 and m * n * k <= 2048 and b.chance(0.5):
        turns = b.random.randint(1, 130 // k)
    depth = k * turns - (b.random.randrange(k) if b.chance(0.4) else 0)
    tile, zero = Tile(sum_, (*batch, m, n)), b.i32(0)
    count = b.choice([1, 1, 1, 2])
    left = Operand(b, element, batch, (m, depth), (m, k), along=1)
    right = [Operand(b, element, batch, (depth, n), (k, n), along=0) for _ in range(count)]
    starts = [start_of(b, tile) for _ in range(count)]
    signs = f" {b.choice(SIGNS)} {b.choice(SIGNS)}" if sum_ == "i32" else \
        b.choice(["", "", "", " fast_acc"])
    end = b.scalar("i32", turns) if b.chance(0.4) else b.i32(turns)
    other = [start_of(b, tile) for _ in range(count)] if b.chance(0.15) else []
    early = b.i32(b.random.randrange(turns))
    at = Value(Tile("i32"))
    sums = [Value(tile, any_nan=sum_ != "i32") for _ in range(count)]
    with b.region([at, *sums], instances=0) as region:
        if other:
            is_early = b.op("cmpi equal $0, $1, signed : $t0 -> $r0", at, early, to=Tile("i1"))
            with b.region() as way:
                carry_on(b, [b.choice(pair) for pair in zip(other, sums)])
            b.ops("if $0", [is_early], [], [way])
        lhs = left.load(b, at)
        op = "mmai" if sum_ == "i32" else "mmaf"
        made = [b.op(f"{op} $0, $1, $2{signs} : $t0, $t1, $t2", lhs, rhs.load(b, at), acc, to=tile,
                     any_nan=True) for rhs, acc in zip(right, sums)]
        if b.chance(0.3):
            made.reverse()
        carry_on(b, made)
    pairs = ", ".join(f"$a{1 + c} = ${3 + c}" for c in range(count))
    results = ", ".join(f"$r{c}" for c in range(count))
    b.finish(*b.ops(f"for $a0 in ($0 to $1, step $2) : $t0 iter_values({pairs}) -> ({results})",
                    [zero, end, b.i32(1), *starts], [tile] * count, [region], any_nan=True))


def carry_on(b: Builder, values: list[Value]) -> None:
    names, types = (", ".join(f"${t}{k}" for k in range(len(values))) for t in ("", "t"))
    b.effect(f"continue {names} : {types}", *values)


def start_of(b: Builder, tile: Tile) -> Value:
    if b.chance(0.6):
        return b.constant(tile, 0)
    return b.operand(tile) if tile.element == "i32" else whole(b, tile, 3)


class Operand:
    """A matrix in memory with integers from -2 to 2: no sum of their products is rounded. Its tiles
    advance along one dimension, padded with zeros. It is row-major or column-major, adjusted by the
    view or a `permute`, and possibly has a narrower type."""

    def __init__(self, b: Builder, element: str, batch: tuple[int, ...], extents: tuple[int, int],
                 shape: tuple[int, int], along: int) -> None:
        self.element, self.batch, self.along = element, batch, along
        self.turned = b.chance(0.2)
        self.stored = "f16" if element == "f32" and b.chance(0.2) else element
        if self.turned:
            extents, shape = extents[::-1], shape[::-1]
        self.shape = (*batch, *shape)
        self.view = matrix(b, self.stored, (*batch, *extents), self.shape)
        self.zero = b.i32(0)

    def load(self, b: Builder, at: Value) -> Value:
        index = [self.zero] * len(self.shape)
        index[len(self.batch) + (self.along ^ self.turned)] = at
        made = load_view(b, self.view, index, self.view.type.tile)
        if self.turned:
            order = [*range(len(self.batch)), len(self.shape) - 1, len(self.shape) - 2]
            made = b.op(f"permute $0 {order} : $t0 -> $r0", made,
                        to=made.type.shaped(*(self.shape[d] for d in order)))
        if self.stored != self.element:
            made = b.op("ftof $0 : $t0 -> $r0", made, to=made.type.of(self.element))
        return made


def matrix(b: Builder, element: str, extents: tuple[int, ...], shape: tuple[int, ...]) -> Value:
    """A view of a matrix with any order of dimensions in memory, possibly with gaps."""
    order = list(range(len(extents)))
    if b.chance(0.3):
        order[-2:] = order[:-3:-1]
    strides, step = [0] * len(extents), 1
    for d in reversed(order):
        strides[d] = step
        step = step * extents[d] + (b.choice([0, 0, 0, 1, 5]))
    if element in FLOATS:
        numbers = b.numpy.integers(-2, 3, step + step % 2).astype(np.float64)
        content = numbers.astype(FLOATS[element].values).view(word(element))
    else:
        content = random_patterns(element, step + step % 2, b.numpy, "any")
    dim_map = None
    if b.chance(0.2):  # the tensor's dimensions have another order than the tile's
        dim_map = (*range(len(extents) - 2), len(extents) - 1, len(extents) - 2)
    g = Geometry("partition_view", element, shape,
                 tuple(extents[d] for d in dim_map or range(len(extents))),
                 tuple(strides[d] for d in dim_map or range(len(extents))), dim_map=dim_map)
    return make_view(b, b.array(element, content).value, g, "zero")[1]


# --- Rows ---------------------------------------------------------------------------------------


def rows(b: Builder) -> Tile:
    columns = 1 << b.random.randrange(1, 9)
    return Tile(b.choice(["f32", "f32", "f64", "f16", "bf16"]),
                (min(1 << b.random.randrange(6), 2048 // columns), columns))


def along(b: Builder, value: Value, text: str, start: int) -> Value:
    """Reduces a row to one element, and broadcasts that to the row."""
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
    """(x - mean) / sqrt(variance + 1) for small integers: all sums are exact."""
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
    """A loop whose carried tiles are permuted, some of them changed."""
    tile, count = b.tile(), b.random.randint(2, 3)
    initial = [b.operand(tile) for _ in range(count)]
    inner = [Value(tile, any_nan=can_be_nan(tile)) for _ in range(count)]
    with b.region([Value(Tile("i32")), *inner], instances=0) as region:
        turned = inner[1:] + inner[:1]
        changed = b.random.randrange(count)
        turned[changed] = mixed(b, *b.random.sample(inner, 2))
        carry_on(b, turned)
    pairs = ", ".join(f"$a{1 + k} = ${3 + k}" for k in range(count))
    results = ", ".join(f"$r{k}" for k in range(count))
    made = b.ops(f"for $a0 in ($0 to $1, step $2) : $t0 iter_values({pairs}) -> ({results})",
                 [b.i32(0), b.i32(b.random.randint(1, 4)), b.i32(1), *initial], [tile] * count,
                 [region], any_nan=can_be_nan(tile))
    b.finish(*made)


def mixed(b: Builder, x: Value, y: Value) -> Value:
    """Combines two tiles to one of the same type."""
    tile = x.type
    if tile.element.startswith("i") and tile.element != "i4":
        return b.op(f"{b.choice(['addi', 'xori', 'subi'])} $0, $1 : $r0", x, y, to=tile)
    if tile.element in ("f16", "bf16", "f32", "f64"):
        return b.arithmetic(f"{b.choice(['addf', 'mulf', 'maxf'])} $0, $1 : $r0", x, y, to=tile)
    if tile.element == "f4E2M1FN":
        return y
    mask = b.operand(Tile("i1", tile.shape))
    return b.op("select $0, $1, $2 : $t0, $r0", mask, x, y, to=tile)
