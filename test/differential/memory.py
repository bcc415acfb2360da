# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How do tiles get to and from memory?

Through a view of some kind over a tensor whose extents need not be multiples of the tile,
with strides, a dimension map, an index and padding of any kind, or through pointers.
Every execution of a store has a region of its own: block for block, and in a loop turn for
turn, so that nothing races and every bit that is stored can be compared.
"""

import math
from dataclasses import dataclass

import numpy as np

from builder import Builder, legal
from checks import Anything, Check, Scaled
from elements import FLOATS, NUMBERS, SCALE, WIDTHS, storage
from tileir import TOKEN, Parameter, Tensor, Tile, Value, View

INDEX_TYPES = ("i32", "i32", "i32", "i64", "i16", "i8")
LOAD_ORDERS = ("weak",) * 12 + tuple(f"{o} {s}" for o in ("relaxed", "acquire")
                                     for s in ("tl_blk", "device", "sys"))
STORE_ORDERS = ("weak",) * 12 + tuple(f"{o} {s}" for o in ("relaxed", "release")
                                      for s in ("tl_blk", "device", "sys"))
HINTS = ("",) * 20 + (" optimization_hints = <default = {latency = 4}>",)
ROOM = 4096  # elements that one access may span


# --- Geometry -----------------------------------------------------------------------------------


@dataclass
class Geometry:
    """A view in numbers; what the types show of it is decided later."""

    kind: str
    element: str
    shape: tuple[int, ...]
    extents: tuple[int, ...]
    strides: tuple[int, ...]
    steps: tuple[int, ...] = ()
    dim_map: tuple[int, ...] | None = None
    sparse: int = 0

    @property
    def order(self) -> tuple[int, ...]:
        return self.dim_map or tuple(range(len(self.shape)))

    @property
    def index_space(self) -> list[int]:
        if self.kind == "gather_scatter_view":
            return list(self.extents)
        steps = self.steps or self.shape
        return [-(-self.extents[d] // step) for d, step in zip(self.order, steps)]

    @property
    def inside(self) -> bool:
        """Can no index lead a tile over the edge?"""
        if self.kind == "gather_scatter_view":
            return False
        steps = self.steps or self.shape
        return all((n - 1) * step + extent <= self.extents[d] for n, step, extent, d
                   in zip(self.index_space, steps, self.shape, self.order))

    @property
    def span(self) -> int:
        """Elements of memory, rounded up to an even number."""
        last = sum((e - 1) * s for e, s in zip(self.extents, self.strides))
        return last + 2 - last % 2


def random_geometry(b: Builder, tile: Tile, overlapping: bool) -> Geometry:
    """A view whose tiles are of this type. `overlapping`: several coordinates may share
    an element."""
    while True:
        made = _geometry(b, tile, overlapping)
        if made.span <= max(ROOM, 2 * tile.count):
            return made


def _geometry(b: Builder, tile: Tile, overlapping: bool) -> Geometry:
    rank, half = len(tile.shape), tile.element == "f4E2M1FN"
    kind = b.weighted({"partition_view": 6, "strided_view": 2, "gather_scatter_view": 2})
    if half:  # pairs of elements stay together along the last dimension (types, 2.4)
        kind = "partition_view"
    order, dim_map = list(range(rank)), None
    if kind != "gather_scatter_view" and not half and b.chance(0.3):
        b.random.shuffle(order)
        dim_map = tuple(order)
    steps = tuple(b.choice([1, 2, 3, e, e, e + 1, max(1, e // 2)]) for e in tile.shape) \
        if kind == "strided_view" else ()
    extents = [0] * rank
    for k, d in enumerate(order):
        extent = tile.shape[k]
        whole = extent * b.choice([1, 1, 1, 2, 3])
        extents[d] = b.weighted({whole: 5, max(1, whole - 1): 2,
                                 b.random.randint(1, 2 * extent + 1): 3})
        if half and d == rank - 1:
            extents[d] += extents[d] % 2
    return Geometry(kind, tile.element, tile.shape, tuple(extents),
                    _strides(b, extents, half, overlapping), steps, dim_map,
                    b.random.randrange(rank))


def _strides(b: Builder, extents: list[int], half: bool, overlapping: bool) -> tuple[int, ...]:
    rank = len(extents)
    if overlapping and not half and b.chance(0.08):
        return tuple(b.random.randint(1, 4) for _ in extents)
    order = list(reversed(range(rank)))
    if not half and b.chance(0.2):
        b.random.shuffle(order)
    strides, step = [0] * rank, 1 if half or b.chance(0.85) else 2
    for d in order:
        strides[d] = step
        step = step * extents[d] + (0 if b.chance(0.7) else b.choice([1, 2, 3, 5]))
        step += step % 2 if half else 0
    return tuple(strides)


# --- Views --------------------------------------------------------------------------------------


def make_view(b: Builder, base: Value, g: Geometry, padding: str | None) -> tuple[Value, Value]:
    """The tensor view and the tile view."""
    dynamic = b.weighted({0.0: 4, 0.5: 2, 1.0: 2})
    element = b.choice([e for e in ("i32", "i32", "i64", "i16", "i8")
                        if max(g.extents + g.strides) < 1 << WIDTHS[e] - 1])
    operands: list[Value] = []

    def entry(number: int) -> tuple[str, int | None]:
        if not b.chance(dynamic):
            return str(number), number
        operands.append(b.scalar(element, number) if b.chance(0.5)
                        else b.constant(Tile(element), number))
        return f"${len(operands)}", None

    shape = [entry(e) for e in g.extents]
    strides = [entry(s) for s in g.strides]
    tensor = Tensor(g.element, tuple(e for _, e in shape), tuple(s for _, s in strides))
    arrow = "$t1 -> " if operands else ""
    made = b.op(f"make_tensor_view $0, shape = [{', '.join(t for t, _ in shape)}], "
                f"strides = [{', '.join(t for t, _ in strides)}] : {arrow}$r0",
                base, *operands, to=tensor)
    view = View(g.kind, g.shape, tensor, g.steps, padding, g.dim_map, g.sparse)
    return made, b.op(f"make_{g.kind} $0 : $r0", made, to=view)


def random_padding(b: Builder, element: str) -> str:
    options = ["zero"]
    if element in FLOATS and element not in (SCALE, "f4E2M1FN"):
        options += ["neg_zero"]
        if FLOATS[element].infinity is not None:
            options += ["nan", "pos_inf", "neg_inf"]
    return b.choice(options)


def random_index(b: Builder, g: Geometry, view: Value) -> list[Value]:
    """An index inside of the index space, of constants or of what the program computes."""
    limits = g.index_space
    element = b.choice([e for e in INDEX_TYPES if max(limits) < 1 << WIDTHS[e] - 1])
    if b.chance(0.2):  # let the program ask
        asked = b.ops("get_index_space_shape $0 : $t0 -> $r0", [view],
                      [Tile(element)] * len(limits))
        return [s if g.kind == "gather_scatter_view" and d == g.sparse else
                b.op("remi $0, $1 unsigned : $r0", b.operand(Tile(element)), n, to=Tile(element))
                for d, (n, s) in enumerate(zip(asked, _sparse(b, g, element)))]
    return [s if g.kind == "gather_scatter_view" and d == g.sparse else b.below(n, element)
            for d, (n, s) in enumerate(zip(limits, _sparse(b, g, element)))]


def _sparse(b: Builder, g: Geometry, element: str) -> list[Value | None]:
    """The listed coordinates of a gather: some lie outside."""
    made: list[Value | None] = [None] * len(g.shape)
    if g.kind == "gather_scatter_view":
        tile, limit = Tile(element, (g.shape[g.sparse],)), g.extents[g.sparse]
        if b.chance(0.5):
            limit = min(limit + 2, (1 << WIDTHS[element] - 1) - 1)
        listed = b.operand(tile)
        made[g.sparse] = b.op("remi $0, $1 unsigned : $r0", listed, b.constant(tile, limit),
                              to=tile)
    return made


def access_text(index: list[Value], first: int) -> tuple[str, str]:
    """Names and types of the index operands, which start at gap `first`."""
    gaps = range(first, first + len(index))
    names = ", ".join(f"${k}" for k in gaps)
    same = len({v.type for v in index}) == 1
    return names, f"$t{first}" if same else ", ".join(f"$t{k}" for k in gaps)


def load_view(b: Builder, view: Value, index: list[Value], tile: Tile,
              token: Value | None = None) -> Value:
    names, types = access_text(index, 1)
    after = f" token = ${1 + len(index)}" if token else ""
    order = b.choice(LOAD_ORDERS)
    made, done = b.ops(f"load_view_tko {order} $0[{names}]{after}{b.choice(HINTS)} : $t0, {types} "
                       "-> $r0, token", [view, *index] + ([token] if token else []),
                       [tile, TOKEN])
    b.offer(done)
    return made


def store_view(b: Builder, value: Value, view: Value, index: list[Value],
               token: Value | None = None) -> Value:
    names, types = access_text(index, 2)
    after = f" token = ${2 + len(index)}" if token else ""
    order = b.choice(STORE_ORDERS)
    return b.op(f"store_view_tko {order} $0, $1[{names}]{after}{b.choice(HINTS)} : "
                f"$t0, $t1, {types} -> token",
                value, view, *index, *([token] if token else []), to=TOKEN, any_nan=False)


# --- Loading ------------------------------------------------------------------------------------


def load(b: Builder, tile: Tile) -> Value | None:
    """A tile of an array that nobody writes, without holes."""
    if legal(tile) != tile:
        return None
    if not tile.shape or tile.element != "f4E2M1FN" and b.chance(0.2):
        return gather(b, tile)
    g = random_geometry(b, tile, overlapping=True)
    view = make_view(b, source(b, tile.element, g.span), g,
                     None if g.inside and b.chance(0.5) else random_padding(b, tile.element))[1]
    return load_view(b, view, random_index(b, g, view), tile, some_token(b))


def some_token(b: Builder) -> Value | None:
    """Order that nobody needs does no harm."""
    known = b.known(TOKEN)
    if not known or b.chance(0.8):
        return None
    if len(known) > 1 and b.chance(0.3):
        return b.op("join_tokens $0, $1 : token", *b.random.sample(known, 2), to=TOKEN)
    return b.choice(known)


def source(b: Builder, element: str, count: int) -> Value:
    """A pointer to so many elements; sometimes they are different ones for each block, and
    sometimes something else lies there: an i1 is true where a byte is not zero."""
    others = [e for e in NUMBERS if storage(e) == storage(element) and e != element
              and not {e, element} & {"tf32", "f4E2M1FN"} and e != "i1"]
    if others and b.chance(0.06):
        other = source(b, b.choice(others), count)
        return b.op("ptr_to_ptr $0 : $t0 -> $r0", other, to=Tile(f"ptr<{element}>"))
    blocks = math.prod(b.program.grid)
    if blocks > 1 and b.chance(0.5) and count * blocks <= 2 * ROOM:
        return region_of(b, b.source(element, count * blocks).value, count, b.block)
    return b.source(element, count).value


def region_of(b: Builder, base: Value, count: int, instance: Value) -> Value:
    """Where the region of `count` elements begins that belongs to an instance."""
    if base.type.pointee == "f4E2M1FN":  # two share a byte
        byte = b.op("ptr_to_ptr $0 : $t0 -> $r0", base, to=Tile("ptr<i8>"))
        byte = region_of(b, byte, count // 2, instance)
        return b.op("ptr_to_ptr $0 : $t0 -> $r0", byte, to=base.type)
    away = b.op("muli $0, $1 : $r0", instance, b.i32(count), to=Tile("i32"))
    if b.chance(0.2):
        away = b.op("exti $0 signed : $t0 -> $r0", away, to=Tile("i64"))
    return b.op("offset $0, $1 : $t0, $t1 -> $r0", base, away, to=base.type)


def gather(b: Builder, tile: Tile) -> Value:
    """Through pointers, to elements that an operand chooses; a mask and padding, or what
    the mask leaves open is replaced."""
    count = max(2, min(ROOM, tile.count * b.choice([1, 1, 2, 3])))
    base = spread(b, source(b, tile.element, count), tile)
    index = b.operand(tile.of("i32"))
    index = b.op("remi $0, $1 unsigned : $r0", index, b.constant(index.type, count),
                 to=index.type)
    places = b.op("offset $0, $1 : $t0, $t1 -> $r0", base, index, to=base.type)
    order = b.choice(LOAD_ORDERS)
    head = f"load_ptr_tko {order} $0"
    hint = b.choice(HINTS)
    way = b.choice(["all", "padding", "select"])
    if way == "all" or tile.element == "f4E2M1FN":
        made, done = b.ops(f"{head}{hint} : $t0 -> $r0, token", [places], [tile, TOKEN])
    else:
        mask, other = b.operand(tile.of("i1")), b.operand(tile)
        if way == "padding":
            made, done = b.ops(f"{head}, $1, $2{hint} : $t0, $t1, $t2 -> $r0, token",
                               [places, mask, other], [tile, TOKEN], any_nan=other.any_nan)
        else:
            made, done = b.ops(f"{head}, $1{hint} : $t0, $t1 -> $r0, token", [places, mask],
                               [tile, TOKEN])
            made = b.op("select $0, $1, $2 : $t0, $r0", mask, made, other, to=tile)
    b.offer(done)
    return made


def spread(b: Builder, scalar: Value, tile: Tile) -> Value:
    """The scalar in every element of a tile of this shape."""
    if not tile.shape:
        return scalar
    one = b.op("reshape $0 : $t0 -> $r0", scalar, to=scalar.type.shaped(*(1,) * len(tile.shape)))
    to = scalar.type.shaped(*tile.shape)
    return one if one.type == to else b.op("broadcast $0 : $t0 -> $r0", one, to=to)


def numbered(b: Builder, tile: Tile) -> Value:
    """0, 1, 2, ... in row-major order, in the shape of the tile."""
    flat = b.op("iota : $r0", to=Tile("i32", (tile.count,)))
    return flat if flat.shape == tile.shape else \
        b.op("reshape $0 : $t0 -> $r0", flat, to=tile.of("i32"))


# --- Storing ------------------------------------------------------------------------------------


def storable(b: Builder, value: Value) -> Value:
    """Memory knows neither i4 nor pointers."""
    if value.element == "i4":
        return b.op("exti $0 unsigned : $t0 -> $r0", value, to=value.type.of("i8"))
    if value.type.pointee:
        return b.op("ptr_to_int $0 : $t0 -> $r0", value, to=value.type.of("i64"))
    return value


def output(b: Builder, element: str, count: int, check: Check) -> tuple[Value, Parameter]:
    """A pointer to the instance's own elements of a new array, and the array."""
    instances = b.scope.instances
    content = b.noise(element, count * instances)
    if b.chance(0.3):
        content = np.zeros_like(content)
    made = b.array(element, content, check)
    if instances == 1:
        return made.value, made
    return region_of(b, made.value, count, b.scope.instance), made


def store(b: Builder, value: Value, check: Check) -> None:
    """Stores a value without holes in some way."""
    value = storable(b, value)
    tile = value.type
    if not tile.shape or tile.element != "f4E2M1FN" and b.chance(0.25):
        scatter(b, value, check)
        return
    g = random_geometry(b, tile, overlapping=False)
    if g.kind == "gather_scatter_view":
        store_rows(b, value, g, check)
        return
    base, _ = output(b, tile.element, g.span, check)
    view = make_view(b, base, g, None)[1]
    store_view(b, value, view, random_index(b, g, view), some_token(b))


def store_rows(b: Builder, value: Value, g: Geometry, check: Check) -> None:
    """To listed rows, no two of them the same; some may lie outside."""
    base, _ = output(b, g.element, g.span, check)
    rows = np.arange(max(g.extents[g.sparse], g.shape[g.sparse]), dtype=np.uint64)
    b.numpy.shuffle(rows)
    limits = g.index_space
    element = b.choice([e for e in INDEX_TYPES
                        if max(*limits, len(rows)) < 1 << WIDTHS[e] - 1])
    view = make_view(b, base, g, None)[1]
    index = [b.below(n, element) for n in limits]
    rows = rows[:g.shape[g.sparse]]
    tile = Tile(element, (len(rows),))
    if len(rows) <= 64:
        index[g.sparse] = b.listed(tile, rows)
    else:  # one after the other, the first ones last
        flip = b.op("iota : $r0", to=tile)
        index[g.sparse] = b.op("xori $0, $1 : $r0", flip, b.constant(tile, 1), to=tile)
    store_view(b, value, view, index, some_token(b))


def scatter(b: Builder, value: Value, check: Check) -> None:
    """Through pointers to one element each, perhaps in another order, perhaps masked."""
    tile = value.type
    base, _ = output(b, tile.element, max(2, tile.count), check)
    places = spread(b, base, tile)
    if tile.shape:
        index = numbered(b, tile)
        if b.chance(0.3):
            flip = b.constant(index.type, b.random.randrange(tile.count))
            index = b.op("xori $0, $1 : $r0", index, flip, to=index.type)
        places = b.op("offset $0, $1 : $t0, $t1 -> $r0", places, index, to=places.type)
    order = b.choice(STORE_ORDERS)
    if b.chance(0.4):
        b.op(f"store_ptr_tko {order} $0, $1, $2{b.choice(HINTS)} : $t0, $t1, $t2 -> token",
             places, value, b.operand(tile.of("i1")), to=TOKEN, any_nan=False)
    else:
        b.op(f"store_ptr_tko {order} $0, $1{b.choice(HINTS)} : $t0, $t1 -> token", places, value,
             to=TOKEN, any_nan=False)


def store_plainly(b: Builder, value: Value, check: Check) -> Parameter:
    """One element after the other, all of them; gives the array."""
    tile = value.type
    base, array = output(b, tile.element, max(2, tile.count), check)
    if not tile.shape:
        b.op("store_ptr_tko weak $0, $1 : $t0, $t1 -> token", base, value, to=TOKEN,
             any_nan=False)
        return array
    strides = tuple(math.prod(tile.shape[d + 1:]) for d in range(len(tile.shape)))
    tensor = Tensor(tile.element, tile.shape, strides)
    made = b.op(f"make_tensor_view $0, shape = {list(tile.shape)}, strides = {list(strides)} : "
                "$r0", base, to=tensor)
    view = b.op("make_partition_view $0 : $r0", made,
                to=View("partition_view", tile.shape, tensor))
    store_view(b, value, view, [b.i32(0)] * len(tile.shape))
    return array


def store_scaled(b: Builder, value: Value, scale: Value, factor: float, least: float) -> None:
    """A sum whose terms may be added in any order, and the sum of their magnitudes."""
    array = store_plainly(b, scale, Anything())
    store_plainly(b, value, Scaled(True, factor, array, least))
