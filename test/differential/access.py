# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements that write memory and read it again, and the tokens that order these accesses.

Private memory (an alloca, or a block's own part of an array) is written, changed and read along a
chain of tokens; memory that blocks share is only changed by commutative atomics, whose results are
not used. The chains of a ragged tensor are also here: its tiles have undefined elements, which
never become visible.
"""

import math

import numpy as np

from builder import Builder
from checks import Check
from conversions import exact_bits, literal
from control import TURNS
from elements import BASE_FLOATS, FLOATS, NUMBERS, random_patterns, storage
from memory import numbered, output, region_of, source, spread, storable
from tileir import TOKEN, Tensor, Tile, Value, View
from views import (MULTIMEM, Geometry, load_view, make_view, promise, random_geometry, random_index,
                   reduction, store_view)

MODES = ("add", "and", "or", "xor", "max", "min", "umax", "umin")
ATOMIC_ORDERS = tuple(f"{o} {s}" for o in ("relaxed", "acquire", "release", "acq_rel")
                      for s in ("device", "sys"))
POINTEES = tuple(e for e in NUMBERS if e != "f4E2M1FN")


def order(b: Builder, private: bool = False) -> str:
    """Elements that are private to a block may also be changed in block scope."""
    if private and b.chance(0.3):
        return f"{b.choice(('relaxed', 'acquire', 'release', 'acq_rel'))} tl_blk"
    return b.choice(ATOMIC_ORDERS)


# --- Private memory -----------------------------------------------------------------------------


def local_memory(b: Builder) -> None:
    """Writes in one order, reads in another."""
    tile = b.tile(POINTEES)
    value = b.operand(tile)
    base = b.op(f"alloca num_elem = {tile.count + b.choice([0, 0, 1, 5])}, "
                f"alignment = {max(storage(tile.element), b.choice([1, 8, 16, 64]))}"
                f"{b.choice(['', '', ' global'])} : $r0", to=Tile(f"ptr<{tile.element}>"))
    token, any_nan = write(b, base, value), value.any_nan
    if b.chance(0.3):  # and once more, in part
        other, mask = b.operand(tile), b.operand(tile.of("i1"))
        token = b.op("store_ptr_tko weak $0, $1, $2 token=$3 : $t0, $t1, $t2 -> token",
                     places(b, base, tile), other, mask, token, to=TOKEN, any_nan=False)
        any_nan = any_nan or other.any_nan
    b.finish(read(b, base, tile, token, any_nan))


def places(b: Builder, base: Value, tile: Tile, turned: bool = False) -> Value:
    """A pointer to each of the first elements; `turned`: in another order."""
    pointers = spread(b, base, tile)
    if not tile.shape:
        return pointers
    index = numbered(b, tile)
    if turned:
        turn = b.constant(index.type, b.random.randrange(tile.count))
        index = b.op("xori $0, $1 : $r0", index, turn, to=index.type)
    return b.op("offset $0, $1 : $t0, $t1 -> $r0", pointers, index, to=pointers.type)


def plain_view(b: Builder, base: Value, tile: Tile,
               is_multicast: bool = False) -> tuple[Value, list[Value]]:
    strides = tuple(math.prod(tile.shape[d + 1:]) for d in range(len(tile.shape)))
    g = Geometry("partition_view", tile.element, tile.shape, tile.shape, strides)
    return make_view(b, base, g, None, is_multicast)[1], [b.i32(0)] * len(tile.shape)


def write(b: Builder, base: Value, value: Value) -> Value:
    if value.shape and b.chance(0.5):
        return store_view(b, value, *plain_view(b, base, value.type))
    return b.op("store_ptr_tko weak $0, $1 : $t0, $t1 -> token", places(b, base, value.type),
                value, to=TOKEN, any_nan=False)


def read(b: Builder, base: Value, tile: Tile, token: Value, any_nan: bool) -> Value:
    if tile.shape and b.chance(0.4):
        view, index = plain_view(b, base, tile)
        made = load_view(b, view, index, tile, token)
    else:
        pointers = places(b, base, tile, b.chance(0.6))
        made, _ = b.ops("load_ptr_tko weak $0 token=$1 : $t0 -> $r0, token", [pointers, token],
                        [tile, TOKEN])
    made.any_nan = any_nan
    return made


def in_place(b: Builder) -> None:
    """Reads all elements of a tile, then overwrites them in another order."""
    tile = b.tile(POINTEES)
    value = b.operand(tile)
    base = b.op(f"alloca num_elem = {max(2, tile.count)}, alignment = "
                f"{max(storage(tile.element), 8)} : $r0", to=Tile(f"ptr<{tile.element}>"))
    token = write(b, base, value)
    for _ in range(b.random.randint(1, 3)):
        made = read(b, base, tile, token, value.any_nan)
        token = b.scope.region.ops[-1].results[1]
        if tile.element in BASE_FLOATS and b.chance(0.5):
            made = b.op("negf $0 : $r0", made, to=tile)
        token = b.op("store_ptr_tko weak $0, $1 token=$2 : $t0, $t1 -> token",
                     places(b, base, tile, b.chance(0.7)), made, token, to=TOKEN, any_nan=False)
    b.finish(read(b, base, tile, token, value.any_nan))


def accumulating(b: Builder) -> None:
    """A loop that adds to memory, with the token as a carried value."""
    if not b.can_store:
        return
    tile = b.tile(["i32", "i64", "i16", "f32", "f16"])
    start = b.noise(tile.element, max(2, tile.count) * b.scope.instances)
    array = b.array(tile.element, start, Check(tile.element in FLOATS))
    base = array.value if b.scope.instances == 1 else \
        region_of(b, array.value, max(2, tile.count), b.scope.instance)
    pointers = places(b, base, tile)
    op = "addf" if tile.element in FLOATS else "addi"
    first = b.op("make_token : token", to=TOKEN)
    turn, chain = Value(Tile("i32")), Value(TOKEN)
    outer = [b.i32(0), b.i32(b.random.randint(1, 4)), b.i32(1)]
    with b.region([turn, chain], instances=0) as region:
        old, read_ = b.ops("load_ptr_tko weak $0 token=$1 : $t0 -> $r0, token",
                           [pointers, chain], [tile, TOKEN])
        old.any_nan = tile.element in FLOATS
        new = b.arithmetic(f"{op} $0, $1 : $r0", old, b.operand(tile), to=tile)
        done = b.op("store_ptr_tko weak $0, $1 token=$2 : $t0, $t1 -> token", pointers, new, read_,
                    to=TOKEN, any_nan=False)
        b.effect("continue $0 : token", done)
    b.ops("for $a0 in ($0 to $1, step $2) : $t0 iter_values($a1 = $3) -> ($r0)", [*outer, first],
          [TOKEN], [region])


# --- Atomics ------------------------------------------------------------------------------------


# A GPU may flush subnormal operands and results of an f32 sum to zero (operations, 9.1). For values
# of at least 2^-63, and for differences that cancel down to 2^-87, this changes nothing.
LEAST_F32 = 64 << 23


def private_atomic(b: Builder) -> None:
    """On private elements: the old value is known."""
    element = b.choice(["i32", "i64", "f32", "f64", "f16", "bf16"])
    if not b.can_store:
        return
    tile, is_float = Tile(element, b.shape()), element in BASE_FLOATS
    count = max(2, tile.count)
    content = random_patterns(element, count * b.scope.instances, b.numpy, "mixed")
    if element == "f32":
        content |= content.dtype.type(LEAST_F32)
    array = b.array(element, content, Check(is_float))
    base = array.value if b.scope.instances == 1 else \
        region_of(b, array.value, count, b.scope.instance)
    pointers, value = places(b, base, tile, b.chance(0.3)), b.operand(tile)
    masked = b.chance(0.4)
    mask = [b.operand(tile.of("i1"))] if masked else []
    if tile.shape and not masked and b.chance(0.2):
        old, done = change_view(b, base, value)
    elif element in ("f16", "bf16") or b.chance(0.6):
        modes = ("addf", "xchg") if is_float else (*MODES, "xchg")
        mode = "addf" if element in ("f16", "bf16") else b.choice(modes)
        old, done = b.ops(f"atomic_rmw_tko {order(b, True)} $0, {mode}, $1{', $2' * masked} : "
                          f"$t0, $t1{', $t2' * masked} -> $r0, token", [pointers, value, *mask],
                          [tile, TOKEN])
        if masked:  # where the mask is false, the result is unspecified
            old = b.op("select $0, $1, $2 : $t0, $r0", mask[0], old, b.operand(tile), to=tile)
    else:
        old, done = compare_and_swap(b, pointers, value, mask)
    again, _ = b.ops("load_ptr_tko weak $0 token=$1 : $t0 -> $r0, token", [pointers, done],
                     [tile, TOKEN])
    again.any_nan = is_float
    b.finish(old, again)


def change_view(b: Builder, base: Value, value: Value) -> list[Value]:
    """Through a view of the elements, in order; returns the operand for the old values, which are not
    returned by the operation."""
    is_multicast = value.element in MULTIMEM and b.multicast(0.4)
    view, index = plain_view(b, base, value.type, is_multicast)
    mode = "addf" if value.element in FLOATS else b.choice(MODES)
    names = ", ".join(f"${1 + d}" for d in range(len(index)))
    types = ", ".join(f"$t{1 + d}" for d in range(len(index)))
    last = 1 + len(index)
    kept = promise(b, view)
    if view.type.tensor.is_multicast:
        head = (f"multimem_reduce_view_tko {b.choice(['relaxed', 'release'])} "
                f"{b.choice(['tl_blk', 'device', 'sys'])} $0, ${last}[{names}]{kept}"
                f"{reduction(mode.replace('addf', 'add'))} : $t0, $t{last}")
    else:
        head = (f"atomic_red_view_tko relaxed {b.choice(['tl_blk', 'device'])} $0[{names}], {mode}, "
                f"${last}{kept} : $t{last}, $t0")
    done = b.op(f"{head}, {types} -> token", view, *index, value, to=TOKEN, any_nan=False)
    return [value, done]


def compare_and_swap(b: Builder, pointers: Value, value: Value, mask: list[Value]) -> list[Value]:
    """Compares with the current values in some places, so that some succeed. Compares bit patterns."""
    tile = value.type
    seen, token = b.ops("load_ptr_tko weak $0 : $t0 -> $r0, token", [pointers], [tile, TOKEN])
    right = b.operand(tile.of("i1"))
    other = exact_bits(b, b.operand(tile))
    expected = b.op("select $0, $1, $2 : $t0, $r0", right, seen, other, to=tile, any_nan=False)
    gap = len(mask) + 3
    operands = [pointers, expected, exact_bits(b, value), *mask, token]
    return b.ops(f"atomic_cas_tko {order(b, True)} $0, $1, $2{', $3' * len(mask)} token=${gap} : "
                 f"$t0, $t1{', $t3' * len(mask)} -> $r0, token", operands, [tile, TOKEN])


def shared_atomic(b: Builder) -> None:
    """All blocks change the same elements, commutatively."""
    element = b.choice(["i32", "i64", "i32", "f32", "f64", "f16", "bf16"])
    tile, count = Tile(element, b.shape()), b.choice([4, 16, 64])
    if element in FLOATS:  # integers, whose sums are exact in any order
        content = np.zeros(count, np.dtype(f"u{storage(element)}"))
        limit = {"f16": 2048, "bf16": 256}.get(element, 1 << 24)
        terms = tile.count * math.prod(b.program.grid) * (TURNS + 1) ** b.depth
        top = 15 if 15 * terms <= limit else 1
        if terms > limit:
            return
        few = b.op("andi $0, $1 : $r0", b.operand(tile.of("i32")),
                   b.constant(tile.of("i32"), top), to=tile.of("i32"))
        value = b.op("itof $0 unsigned : $t0 -> $r0", few, to=tile, any_nan=False)
        mode = "addf"
    else:
        content, value = b.noise(element, count), b.operand(tile)
        mode = b.choice(MODES)
    array = b.array(element, content, Check())
    if tile.shape and b.chance(0.5):
        shared_view(b, array.value, value, mode, count)
        return
    index = b.operand(tile.of("i32"))
    index = b.op("andi $0, $1 : $r0", index, b.constant(index.type, count - 1), to=index.type)
    pointers = spread(b, array.value, tile)
    pointers = b.op("offset $0, $1 : $t0, $t1 -> $r0", pointers, index, to=pointers.type)
    mask = [b.operand(tile.of("i1"))] if b.chance(0.4) else []
    b.ops(f"atomic_rmw_tko {order(b)} $0, {mode}, $1{', $2' * len(mask)} : "
          f"$t0, $t1{', $t2' * len(mask)} -> $r0, token", [pointers, value, *mask], [tile, TOKEN])


def shared_view(b: Builder, base: Value, value: Value, mode: str, count: int) -> None:
    """Through a view of the array; the tile may extend beyond it."""
    rank = len(value.shape)
    extents = tuple(count if d == rank - 1 else 1 for d in range(rank))
    strides = tuple(count if d < rank - 1 else 1 for d in range(rank))
    kind = b.choice(["partition_view", "strided_view"])
    steps = tuple(max(1, e // 2) for e in value.shape) if kind == "strided_view" else ()
    g = Geometry(kind, value.element, value.shape, extents, strides, steps)
    view = make_view(b, base, g, None)[1]
    index = random_index(b, g, view)
    names = ", ".join(f"${1 + d}" for d in range(rank))
    types = ", ".join(f"$t{1 + d}" for d in range(rank))
    b.op(f"atomic_red_view_tko relaxed device $0[{names}], {mode}, "
         f"${1 + rank}{promise(b, view)} : $t{1 + rank}, $t0, {types} -> token", view, *index, value,
         to=TOKEN, any_nan=False)


# --- Globals ------------------------------------------------------------------------------------


def global_array(b: Builder) -> None:
    """Reads at indices that an operand determines."""
    tile = b.tile(POINTEES)
    element, count = tile.element, b.choice([1, 2, 8, 16])
    name = f"g{len(b.program.globals)}"
    bits = random_patterns(element, count, b.numpy, "mixed")
    listed = ", ".join(literal(element, int(x)) for x in bits)
    head = b.choice(["global", "global private", "global constant", "global private constant"])
    align = b.choice(["", f" alignment = {max(16, storage(element))}"])
    b.program.globals.append(f"{head} @$P{name}{align} <{element}: [{listed}]> : "
                             f"tile<{count}x{element}>")
    base = b.op(f"get_global @$P{name} : $r0", to=Tile(f"ptr<{element}>"))
    index = b.operand(tile.of("i8"))
    index = b.op("andi $0, $1 : $r0", index, b.constant(index.type, count - 1), to=index.type)
    pointers = spread(b, base, tile)
    pointers = b.op("offset $0, $1 : $t0, $t1 -> $r0", pointers, index, to=pointers.type)
    made, _ = b.ops("load_ptr_tko weak $0 : $t0 -> $r0, token", [pointers], [tile, TOKEN])
    b.finish(made)


# --- Pointers on the way ------------------------------------------------------------------------


def wandering_pointers(b: Builder) -> None:
    """Permutes, selects and casts addresses (to integers and back) before loading from them."""
    tile = b.tile([e for e in POINTEES if e not in ("tf32",)], least_rank=1)
    count = max(2, tile.count)
    base = source(b, tile.element, 2 * count)
    pointers = places(b, base, tile, True)
    shift = b.constant(tile.of("i16"), count)
    further = b.op("offset $0, $1 : $t0, $t1 -> $r0", pointers, shift, to=pointers.type)
    mixed = b.op("select $0, $1, $2 : $t0, $r0", b.operand(tile.of("i1")), pointers, further,
                 to=pointers.type)
    if len(tile.shape) > 1 and b.chance(0.7):
        turn = list(reversed(range(len(tile.shape))))
        mixed = b.op(f"permute $0 {turn} : $t0 -> $r0", mixed,
                     to=mixed.type.shaped(*reversed(tile.shape)))
    kept = mixed.type
    if b.chance(0.5):
        number = b.op("ptr_to_int $0 : $t0 -> $r0", mixed, to=kept.of("i64"))
        mixed = b.op("int_to_ptr $0 : $t0 -> $r0", number, to=kept)
    if b.chance(0.3):
        mixed = b.op("ptr_to_ptr $0 : $t0 -> $r0", mixed, to=kept.of("ptr<i8>"))
        mixed = b.op("ptr_to_ptr $0 : $t0 -> $r0", mixed, to=kept)
    to = Tile(tile.element, kept.shape)
    made, _ = b.ops("load_ptr_tko weak $0 : $t0 -> $r0, token", [mixed], [to, TOKEN])
    b.finish(made)


def pointer_promises(b: Builder) -> None:
    """Assumptions about addresses: arbitrary, consecutive, or many equal ones; of a tensor: its
    start."""
    tile = b.tile(POINTEES, least_rank=1)
    size = storage(tile.element)
    base = source(b, tile.element, max(2, tile.count))
    base = b.op(f"assume div_by<{size}>, $0 : $t0", base, to=base.type)
    flat = tile.shaped(tile.count)
    way = b.random.randrange(3)
    if way == 0:
        pointers = places(b, base, flat)
        along = b.choice([tile.count, 0]) if tile.count > 1 else 1
        pointers = b.op(f"assume div_by<{size}, every {along} along 0>, $0 : $t0", pointers,
                        to=pointers.type)
        made, _ = b.ops("load_ptr_tko weak $0 : $t0 -> $r0, token", [pointers], [flat, TOKEN])
    elif way == 1:
        pointers = spread(b, base, tile)
        pointers = b.op(f"assume same_elements<{list(tile.shape)}>, $0 : $t0", pointers,
                        to=pointers.type)
        made, _ = b.ops("load_ptr_tko weak $0 : $t0 -> $r0, token", [pointers], [tile, TOKEN])
    else:
        strides = tuple(math.prod(tile.shape[d + 1:]) for d in range(len(tile.shape)))
        tensor = b.op(f"make_tensor_view $0, shape = {list(tile.shape)}, strides = "
                      f"{list(strides)} : $r0", base,
                      to=Tensor(tile.element, tile.shape, strides))
        tensor = b.op(f"assume div_by<{size}>, $0 : $t0", tensor, to=tensor.type)
        view = b.op("make_partition_view $0 : $r0", tensor,
                    to=View("partition_view", tile.shape, tensor.type))
        made = load_view(b, view, [b.i32(0)] * len(tile.shape), tile)
    b.finish(made)


# --- Ragged tensors -----------------------------------------------------------------------------


def ragged_chain(b: Builder) -> None:
    """As whole kernels do: loads tiles that extend beyond the tensor without padding, computes, and
    stores to a tensor with the same extents, where elements outside are not written."""
    if not b.can_store:
        return
    tile = Tile(b.element(POINTEES), b.shape(least_rank=1))
    g = random_geometry(b, tile, overlapping=False)
    if g.kind == "gather_scatter_view":
        return
    index: list[Value] = []

    def view_of(element: str, base: Value) -> Value:
        geometry = Geometry(g.kind, element, g.shape, g.extents, g.strides, g.steps, g.dim_map)
        view = make_view(b, base, geometry, None)[1]
        index[:] = index or random_index(b, geometry, view)
        return view

    def stored(value: Value, check: Check) -> None:
        value = storable(b, value)
        if value.element == "f4E2M1FN":  # tensors of f4 cannot have odd extents
            value = b.op("ftof $0 : $t0 -> $r0", value, to=value.type.of("f8E4M3FN"))
        base, _ = output(b, value.element, g.span, check)
        store_view(b, value, view_of(value.element, base), index)

    loaded = []
    for _ in range(b.random.randint(1, 3)):
        element = b.choice([tile.element, b.element(POINTEES)])
        view = view_of(element, source(b, element, g.span))
        loaded.append(load_view(b, view, index, tile.of(element)))
        loaded[-1].holed = True
    b.ragged(loaded, stored, g.shape)
