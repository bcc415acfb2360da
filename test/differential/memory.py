# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loads and stores of tiles.

They go through a view of any kind, or through pointers, with all kinds of masks and padding. Every
execution of a store has its own region, for each block and loop iteration, so that there are no
races and every stored bit can be compared.
"""

import math

import numpy as np

from builder import Builder
from checks import Anything, Check, Scaled
from conversions import legal
from elements import NUMBERS, WIDTHS, storage
from tileir import TOKEN, Parameter, Tensor, Tile, Value, View
from views import (HINTS, INDEX_TYPES, LOAD_ORDERS, ROOM, STORE_ORDERS, Geometry, load_view,
                   make_view, random_geometry, random_index, random_padding, store_view)

# --- Loading ------------------------------------------------------------------------------------


def load(b: Builder, tile: Tile) -> Value | None:
    """Loads a tile of a read-only array, without undefined elements."""
    if legal(tile) != tile:
        return None
    if not tile.shape or tile.element != "f4E2M1FN" and b.chance(0.2):
        return gather(b, tile)
    g = random_geometry(b, tile, overlapping=True)
    view = make_view(b, source(b, tile.element, g.span), g,
                     None if all(g.inside) and b.chance(0.5) else random_padding(b, tile.element),
                     g.may_be_multicast and b.multicast(0.1))[1]
    return load_view(b, view, random_index(b, g, view), tile, some_token(b))


def some_token(b: Builder) -> Value | None:
    """Adds orderings that are not needed, which must be harmless."""
    if b.chance(0.03):
        return b.op(f"{b.choice(['gdc_wait_tko', 'gdc_launch_dependents_tko'])} -> token",
                    to=TOKEN)
    known = b.known(TOKEN)
    if not known or b.chance(0.8):
        return None
    if len(known) > 1 and b.chance(0.3):
        return b.op("join_tokens $0, $1 : token", *b.random.sample(known, 2), to=TOKEN)
    if b.chance(0.3):
        text = b.choice(["gdc_wait_tko token = $0 -> token", "memory_fence_alias_tko $0",
                         "gdc_launch_dependents_tko token = $0 -> token"])
        return b.op(text, b.choice(known), to=TOKEN)
    return b.choice(known)


def source(b: Builder, element: str, count: int) -> Value:
    """A pointer to this many elements; sometimes different ones for each block, and sometimes in an
    array of another type: an i1 is true where a byte is not zero."""
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
    """The start of the region of `count` elements that belongs to an instance."""
    if base.type.pointee == "f4E2M1FN":  # two share a byte
        byte = b.op("ptr_to_ptr $0 : $t0 -> $r0", base, to=Tile("ptr<i8>"))
        byte = region_of(b, byte, count // 2, instance)
        return b.op("ptr_to_ptr $0 : $t0 -> $r0", byte, to=base.type)
    away = b.op("muli $0, $1 : $r0", instance, b.i32(count), to=Tile("i32"))
    if b.chance(0.2):
        away = b.op("exti $0 signed : $t0 -> $r0", away, to=Tile("i64"))
    return b.op("offset $0, $1 : $t0, $t1 -> $r0", base, away, to=base.type)


def gather(b: Builder, tile: Tile) -> Value:
    """Through pointers, to elements that an operand selects; with a mask and padding, or with
    replacements for masked-off elements."""
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
    """Broadcasts the scalar to a tile of this shape."""
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
    """Converts i4 and pointers, which memory cannot hold."""
    if value.element == "i4":
        return b.op("exti $0 unsigned : $t0 -> $r0", value, to=value.type.of("i8"))
    if value.type.pointee:
        return b.op("ptr_to_int $0 : $t0 -> $r0", value, to=value.type.of("i64"))
    return value


def output(b: Builder, element: str, count: int, check: Check) -> tuple[Value, Parameter]:
    """A pointer to the instance's part of a new array, and the array."""
    instances = b.scope.instances
    content = b.noise(element, count * instances)
    if b.chance(0.3):
        content = np.zeros_like(content)
    made = b.array(element, content, check)
    if instances == 1:
        return made.value, made
    return region_of(b, made.value, count, b.scope.instance), made


def store(b: Builder, value: Value, check: Check) -> None:
    """Stores a value without undefined elements in a random way."""
    value = storable(b, value)
    tile = value.type
    if not tile.shape or tile.element != "f4E2M1FN" and b.chance(0.25):
        scatter(b, value, check)
        return
    if tile.shape[-1] * storage(tile.element) % 64 == 0 and tile.element != "f4E2M1FN" \
            and b.chance(0.2):
        store_into_large(b, value, check)
        return
    g = random_geometry(b, tile, overlapping=False)
    if g.kind == "gather_scatter_view":
        store_rows(b, value, g, check)
        return
    base, _ = output(b, tile.element, g.span, check)
    view = make_view(b, base, g, None, g.may_be_multicast and b.multicast(0.1))[1]
    store_view(b, value, view, random_index(b, g, view), some_token(b))


def store_into_large(b: Builder, value: Value, check: Check) -> None:
    """Stores to the beginning of a tensor that is larger than caches and otherwise unused."""
    tile = value.type
    base, _ = output(b, tile.element, tile.count, check)
    strides = tuple(math.prod(tile.shape[d + 1:]) for d in range(len(tile.shape)))
    g = Geometry("partition_view", tile.element, tile.shape, (1 << 28, *tile.shape[1:]), strides)
    view = make_view(b, base, g, None)[1]
    store_view(b, value, view, [b.i32(0)] * len(tile.shape), some_token(b))


def store_rows(b: Builder, value: Value, g: Geometry, check: Check) -> None:
    """Scatters to distinct rows; some may be outside."""
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
    else:  # consecutive indices, each pair swapped
        flip = b.op("iota : $r0", to=tile)
        index[g.sparse] = b.op("xori $0, $1 : $r0", flip, b.constant(tile, 1), to=tile)
    store_view(b, value, view, index, some_token(b))


def scatter(b: Builder, value: Value, check: Check) -> None:
    """Through pointers to single elements, possibly permuted, possibly masked."""
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
    """Stores all elements in order; returns the array."""
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
    """Stores a sum whose terms may be added in any order, and the sum of their magnitudes."""
    array = store_plainly(b, scale, Anything())
    store_plainly(b, value, Scaled(True, factor, array, least))
