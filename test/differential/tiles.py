# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products in the form that cuTile generates for large GPUs: tiles of 64 rows and more, of arrays
whose alignment the program states by `assume`, in loops over k, in loops over tiles (persistent blocks),
chained as in attention, with operands in any order of dimensions, converted, scaled or gathered between
load and product.

GPU compilers have special code for these: matrix instructions of warpgroups, and warps that only copy.
The programs of other files have smaller tiles and state no alignment.
"""

from dataclasses import dataclass, field

import numpy as np

from builder import Builder
from checks import Check
from elements import FLOATS, WIDTHS, word
from factors import load, store
from matrices import PAIRS
from tileir import TOKEN, Tensor, Tile, Value, View

GRIDS = ((1,), (2,), (3,), (2, 2), (1, 2), (4,))
WARPGROUP_PAIRS = (("f16", "f32"), ("bf16", "f32"), ("tf32", "f32"), ("i8", "i32"))
I32, TRUTH = Tile("i32"), Tile("i1")
# What operands are stored as, if not as the product takes them.
STORED = {"tf32": ("f32", "f16"), "f16": ("i8", "f8E4M3FN", "f32"), "bf16": ("i8", "f8E5M2", "f32"),
          "f32": ("f16", "bf16")}


def tile_launch(b: Builder) -> None:
    b.is_aligned = b.chance(0.6)
    b.weighted({matrix: 5, persistent: 3, attention: 2})(b)


def op(b: Builder, text: str, *operands: Value) -> Value:
    """An operation of one result, of the type of the first operand."""
    return b.op(text, *operands, to=operands[0].type)


def calculated(b: Builder, name: str, x: Value, y: Value) -> Value:
    sign = " signed" if name in ("divi", "remi", "mini", "maxi") else ""
    return op(b, f"{name} $0, $1{sign} : $r0", x, y)


# --- Arrays ---------------------------------------------------------------------------------------


@dataclass
class Matrix:
    """A matrix in memory, row-major or column-major, with gaps between its rows."""

    b: Builder
    element: str
    extents: tuple[int, int]
    along_rows: bool = True  # the elements of a row are consecutive
    check: Check | None = None
    batch: bool = False  # the first one of a batch of one
    pitch: int = field(init=False)
    base: Value = field(init=False)

    def __post_init__(self) -> None:
        inner = self.extents[1] if self.along_rows else self.extents[0]
        outer = self.extents[0] if self.along_rows else self.extents[1]
        step = max(1, 128 // WIDTHS[self.element])
        whole = -(-inner // step) * step  # a multiple of 16 bytes
        self.pitch = self.b.weighted({whole: 4, whole + step: 1}) if self.b.is_aligned else \
            self.b.weighted({whole: 4, whole + step: 1, inner: 1, whole + 1: 1})
        count = self.pitch * outer
        numbers = self.b.numpy.integers(-2, 3, count + count % 2)
        if self.element in FLOATS:
            numbers = numbers.astype(np.float64).astype(FLOATS[self.element].values)
        self.base = self.b.array(self.element, numbers.astype(f"int{WIDTHS[self.element]}")
                                 if self.element not in FLOATS else numbers.view(word(self.element)),
                                 self.check).value

    def tiles(self, shape: tuple[int, int], padding: str | None) -> Value:
        """A view of its tiles. The program states the alignment of what it knows at run time only."""
        b, size = self.b, WIDTHS[self.element] // 8
        base = self.base
        if b.is_aligned or b.chance(0.7):
            base = op(b, "assume div_by<16>, $0 : $t0", base)
        strides = (self.pitch, 1) if self.along_rows else (1, self.pitch)
        index = b.weighted({"i32": 4, "i64": 1})
        operands: list[Value] = []

        def entry(number: int, is_stride: bool) -> tuple[str, int | None]:
            if number == 1 or b.chance(0.5):
                return str(number), number
            value = b.scalar(index, number)
            if b.chance(0.8):
                value = op(b, "assume bounded<0, ?>, $0 : $t0", value)
            if is_stride and number * size % 16 == 0 and (b.is_aligned or b.chance(0.7)):
                value = op(b, f"assume div_by<{16 // size}>, $0 : $t0", value)
            operands.append(value)
            return f"${len(operands)}", None

        extents = [entry(e, False) for e in self.extents]
        steps = [entry(s, True) for s in strides]
        dims, tiles, order = [*extents], [*steps], None
        if self.batch:
            whole = self.extents[0] * self.extents[1]
            dims, tiles, shape = [("1", 1), *dims], [(str(whole), whole), *tiles], (1, *shape)
        elif b.chance(0.15):  # the tensor has its dimensions in the other order
            dims, tiles, order = dims[::-1], tiles[::-1], (1, 0)
        tensor = Tensor(self.element, tuple(n for _, n in dims), tuple(n for _, n in tiles), False)
        types = "$t1 -> " if operands else ""
        made = b.op(f"make_tensor_view $0, shape = [{', '.join(t for t, _ in dims)}], strides = "
                    f"[{', '.join(t for t, _ in tiles)}] : {types}$r0", base, *operands, to=tensor)
        return b.op("make_partition_view $0 : $r0", made,
                    to=View("partition_view", shape, tensor, (), padding, order, 0))


class Operand:
    """An operand of a product: its tiles lie along one dimension of a matrix, which the product reads as
    it is, or after a permutation, a conversion and a scale."""

    def __init__(self, b: Builder, element: str, extents: tuple[int, int], shape: tuple[int, int],
                 is_plain: bool = False) -> None:
        self.b, self.element = b, element
        self.is_permuted = b.chance(0.25)
        self.is_scaled = not is_plain and element in ("f16", "bf16", "f32") and b.chance(0.1)
        stored = b.choice(STORED[element]) if element in STORED and not is_plain and b.chance(0.25) \
            else element
        if self.is_permuted:
            extents, shape = extents[::-1], shape[::-1]
        self.matrix = Matrix(b, stored, extents, b.chance(0.75), batch=b.chance(0.15))
        self.shape = shape
        self.view = self.matrix.tiles(shape, "zero")
        self.hint = b.weighted({"": 8, " optimization_hints = <default = {latency = 4}>": 1,
                                " optimization_hints = <sm_90 = {allow_tma = false}>": 0.5})

    def load(self, row: Value, column: Value, token: Value) -> tuple[Value, Value]:
        b, index = self.b, [column, row] if self.is_permuted else [row, column]
        if self.matrix.batch:
            index.insert(0, b.i32(0))
        made, after = load(b, self.view, index, token)
        if self.matrix.batch:
            made = b.op("reshape $0 : $t0 -> $r0", made, to=made.type.shaped(*self.shape))
        if self.is_permuted:
            made = b.op("permute $0 [1, 0] : $t0 -> $r0", made, to=made.type.shaped(*self.shape[::-1]))
        if made.type.element != self.element:
            text = "itof $0 signed" if made.type.element == "i8" else "ftof $0"
            made = b.op(f"{text} : $t0 -> $r0", made, to=made.type.of(self.element), any_nan=False)
        if self.is_scaled:
            made = b.op("mulf $0, $1 : $r0", made, b.constant(made.type, 2), to=made.type,
                        any_nan=False)
        return made, after


# --- Loops ----------------------------------------------------------------------------------------


def counted(b: Builder, low: Value, high: Value, step: Value, starts: list[Value], body,
            skips: bool = False) -> list[Value]:
    """for at in (low to high, step): values = body(at, values)

    `skips`: the second iteration ends at once."""
    at, carried = Value(I32), [Value(s.type) for s in starts]
    with b.region([at, *carried], instances=0) as region:
        if skips:
            skip_second(b, at, carried)
        proceed(b, body(at, carried))
    pairs = ", ".join(f"$a{1 + k} = ${3 + k}" for k in range(len(starts)))
    results = ", ".join(f"$r{k}" for k in range(len(starts)))
    return list(b.ops(f"for $a0 in ($0 to $1, step $2) : $t0 iter_values({pairs}) -> ({results})",
                      [low, high, step, *starts], [s.type for s in starts], [region]))


def endless(b: Builder, low: Value, high: Value, step: Value, starts: list[Value], body,
            skips: bool = False) -> list[Value]:
    """The same as a `loop` that ends by `break`."""
    at, carried = Value(I32), [Value(s.type) for s in starts]
    with b.region([at, *carried], instances=0) as region:
        is_over = b.op("cmpi greater_than_or_equal $0, $1, signed : $t0 -> $r0", at, high, to=TRUTH)
        with b.region() as way:
            proceed(b, carried, "break")
        b.ops("if $0", [is_over], [], [way])
        next_ = calculated(b, "addi", at, step)
        if skips:
            skip_second(b, at, [next_, *carried])
        proceed(b, [next_, *body(at, carried)])
    pairs = ", ".join(f"$a{k} = ${k}" for k in range(len(starts) + 1))
    types = ", ".join(f"$u{k}" for k in range(len(starts) + 1))
    results = ", ".join(f"$r{k}" for k in range(len(starts)))
    return list(b.ops(f"loop iter_values({pairs}) : {types} -> {results}", [low, *starts],
                      [s.type for s in starts], [region]))


def proceed(b: Builder, values: list[Value], how: str = "continue") -> None:
    names, types = (", ".join(f"${t}{k}" for k in range(len(values))) for t in ("", "t"))
    b.effect(f"{how} {names} : {types}", *values)


def loop(b: Builder, *arguments) -> list[Value]:
    return b.weighted({counted: 5, endless: 1})(b, *arguments)


def skip_second(b: Builder, at: Value, values: list[Value]) -> None:
    is_left = b.op("cmpi equal $0, $1, signed : $t0 -> $r0", at, b.i32(1), to=TRUTH)
    with b.region() as way:
        proceed(b, values)
    b.ops("if $0", [is_left], [], [way])


def limit(b: Builder, count: int, block: Value) -> Value:
    """The number of iterations: known, a parameter, loaded from memory, or dependent on the block."""
    way = b.weighted({"known": 3, "parameter": 3, "loaded": 2, "causal": 1})
    if way == "known":
        return b.i32(count)
    if way == "parameter":
        return b.scalar("i32", count)
    if way == "causal":
        return calculated(b, "mini", b.i32(count), calculated(b, "addi", block, b.i32(1)))
    lengths = b.array("i32", np.full(2, count, np.int32)).value
    made, _ = b.ops("load_ptr_tko weak $0 : $t0 -> $r0, token", [lengths], [I32, TOKEN])
    return made


# --- Products -------------------------------------------------------------------------------------


@dataclass
class Form:
    """Types and extents of a product."""

    element: str
    sum: str
    m: int
    n: int
    k: int
    steps: int

    @staticmethod
    def of(b: Builder) -> "Form":
        element, sum_ = b.choice(PAIRS if b.chance(0.3) else WARPGROUP_PAIRS)
        m = b.weighted({64: 6, 128: 3, 32: 1, 256: 0.5})
        n = b.weighted({64: 3, 32: 3, 16: 2, 128: 2, 8: 1, 256: 0.3})
        k = b.choice([32, 32, 64, 128]) * 8 // WIDTHS[element]
        steps = b.random.randint(1, 5)
        while m * n * k * steps > 1 << 20 and steps > 1:
            steps -= 1
        return Form(element, sum_, m, n, k, steps)

    @property
    def tile(self) -> Tile:
        return Tile(self.sum, (self.m, self.n))

    def multiply(self, b: Builder, lhs: Value, rhs: Value, sums: Value) -> Value:
        text = "mmai $0, $1, $2 signed signed" if self.sum == "i32" else \
            f"mmaf $0, $1, $2{b.choice(['', '', ' fast_acc'])}"
        return b.op(f"{text} : $t0, $t1, $t2", lhs, rhs, sums, to=sums.type, any_nan=False)


def short(b: Builder, extent: int, most: int) -> int:
    """Sometimes an extent that is no multiple of the tile's."""
    return extent - (b.random.randrange(1, most) if b.chance(0.3) and most > 1 else 0)


class Product:
    """c = a b + d, or two products with the same lhs."""

    def __init__(self, b: Builder, rows: int, columns: int) -> None:
        self.b, self.form = b, Form.of(b)
        form = self.form
        m, n = short(b, rows * form.m, form.m), short(b, columns * form.n, form.n)
        depth = short(b, form.k * form.steps, form.k)
        self.lhs = Operand(b, form.element, (m, depth), (form.m, form.k))
        self.rhs = [Operand(b, form.element, (depth, n), (form.k, form.n))
                    for _ in range(b.weighted({1: 6, 2: 1}))]
        self.stored = b.choice([form.sum, "f16", "bf16"]) if form.sum == "f32" else form.sum
        self.residual = Matrix(b, self.stored, (m, n)) if b.chance(0.25) else None
        self.result = [Matrix(b, self.stored, (m, n), b.chance(0.85), Check()) for _ in self.rhs]
        self.views = [r.tiles((form.m, form.n), None) for r in self.result]

    def block(self, row: Value, column: Value, token: Value) -> Value:
        """Computes a tile of the result. Returns the token of its last store."""
        b, form = self.b, self.form
        starts = [b.constant(form.tile, 0) for _ in self.rhs]
        ordered = b.chance(0.3)

        def step(at: Value, carried: list[Value]) -> list[Value]:
            chain = carried[-1] if ordered else token
            left, after = self.lhs.load(row, at, chain)
            made = []
            for rhs, sums in zip(self.rhs, carried):
                right, after = rhs.load(at, column, after if ordered else token)
                made.append(form.multiply(b, left, right, sums))
            return made + ([after] if ordered else [])
        found = loop(b, b.i32(0), limit(b, form.steps, row), b.i32(b.choice([1, 1, 1, 2])),
                     starts + ([token] if ordered else []), step, b.chance(0.15))
        last = found.pop() if ordered else token
        for view, sums in zip(self.views, found):
            last = store(b, self.finished(sums, row, column, token), view, [row, column], last)
        return last

    def finished(self, sums: Value, row: Value, column: Value, token: Value) -> Value:
        b, tile = self.b, self.form.tile.of(self.stored)
        if self.stored != self.form.sum:
            sums = b.op("ftof $0 : $t0 -> $r0", sums, to=tile, any_nan=False)
        if not self.residual:
            return sums
        view = self.residual.tiles(tile.shape, "zero")
        more, _ = load(b, view, [row, column], token)
        name = "addi" if self.stored == "i32" else "addf"
        return b.op(f"{name} $0, $1 : $r0", sums, more, to=tile, any_nan=False)


def blocks_of(b: Builder) -> tuple[Value, Value, int, int]:
    """The tile of this block, and the number of tiles."""
    grid = (*b.program.grid, 1, 1)[:3]
    x, y, _ = b.ops("get_tile_block_id : $r0", [], [I32] * 3)
    return (y, x, grid[1], grid[0]) if b.chance(0.5) else (x, y, grid[0], grid[1])


def number_of_block(b: Builder) -> tuple[Value, int]:
    """The number of this block, and how many there are."""
    row, column, rows, columns = blocks_of(b)
    number = calculated(b, "addi", calculated(b, "muli", row, b.i32(columns)), column)
    return number, rows * columns


def start(b: Builder) -> Value:
    return b.op("make_token : token", to=TOKEN)


def matrix(b: Builder) -> None:
    """A tile of the result for each block; sometimes only for some."""
    row, column, rows, columns = blocks_of(b)
    product = Product(b, rows, columns)
    token = start(b)
    if not b.chance(0.2):
        product.block(row, column, token)
        return
    runs = b.op("cmpi less_than $0, $1, signed : $t0 -> $r0", row, b.scalar("i32", max(1, rows - 1)),
                to=TRUTH)
    with b.region() as way:
        product.block(row, column, token)
        b.effect("yield")
    b.ops("if $0", [runs], [], [way])


def persistent(b: Builder) -> None:
    """Each block computes several tiles of the result, one after the other."""
    number, count = number_of_block(b)
    rows, columns = b.choice([(2, 2), (3, 1), (1, 3), (2, 3)])
    product = Product(b, rows, columns)
    tiles = b.i32(rows * columns) if b.chance(0.5) else b.scalar("i32", rows * columns)
    ordered = b.chance(0.4)

    def tile(at: Value, carried: list[Value]) -> list[Value]:
        row = calculated(b, "divi", at, b.i32(columns))
        column = calculated(b, "remi", at, b.i32(columns))
        done = product.block(row, column, carried[0] if ordered else first)
        return [done if ordered else carried[0]]
    first = start(b)
    counted(b, number, tiles, b.i32(count), [first], tile)


def attention(b: Builder) -> None:
    """o = f(q k^T) v, where f is a conversion and a threshold: everything is an integer, and exact."""
    row, rows = number_of_block(b)
    element = b.choice(["f16", "bf16"])
    m, n, d = b.choice([64, 64, 128]), b.choice([32, 64]), b.choice([32, 64])
    steps = b.random.randint(1, 4)
    length = short(b, n * steps, n)
    q = Operand(b, element, (short(b, m * rows, m), d), (m, d), is_plain=True)
    k = Operand(b, element, (d, length), (d, n), is_plain=True)
    v = Operand(b, element, (length, d), (n, d), is_plain=True)
    result = Matrix(b, "f32", (short(b, m * rows, m), d), check=Check())
    inner, outer = Form(element, "f32", m, n, d, 1), Form(element, "f32", m, d, n, steps)
    token, zero = start(b), b.i32(0)
    query, _ = q.load(row, zero, token)

    def step(at: Value, carried: list[Value]) -> list[Value]:
        keys, _ = k.load(zero, at, token)
        scores = inner.multiply(b, query, keys, b.constant(inner.tile, 0))
        scores = b.op("minf $0, $1 : $r0", scores, b.constant(inner.tile, 3), to=inner.tile)
        scores = b.op("maxf $0, $1 : $r0", scores, b.constant(inner.tile, -3), to=inner.tile)
        weights = b.op("ftof $0 : $t0 -> $r0", scores, to=inner.tile.of(element), any_nan=False)
        values, _ = v.load(at, zero, token)
        sums = carried[0]
        if rescales:
            sums = b.op("maxf $0, $1 : $r0", sums, b.constant(outer.tile, -500), to=outer.tile,
                        any_nan=False)
        return [outer.multiply(b, weights, values, sums)]
    rescales = b.chance(0.6)
    made = loop(b, zero, limit(b, steps, row), b.i32(1), [b.constant(outer.tile, 0)],
                step, b.chance(0.15))
    store(b, made[0], result.tiles((m, d), None), [row, zero], token)
