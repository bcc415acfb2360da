# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations that move elements, and the result types that fit them.

Each takes some operand and derives a result type from its type, so that chains of moves pass through all
ranks. The element type does not matter; pointers and i4 are moved, too.
"""

from builder import Builder
from conversions import exact_bits, legal
from elements import FLOATS, INTEGERS, NUMBERS, WIDTHS
from tileir import Tile, Value

LARGEST = 4096  # elements in a tile that grows


def shaping(b: Builder) -> Value | None:
    return b.weighted({reshape: 3, broadcast: 3, permute: 4, cat: 2, extract: 3, insert: 2, iota: 1,
                       constant: 1, pack: 1.5, unpack: 1.5, pointers: 0.7})(b)


def any_tile(b: Builder, least_rank: int = 0) -> Value:
    """Any value, including pointers."""
    tiles = [t for scope in b.scopes for t in scope.values
             if isinstance(t, Tile) and len(t.shape) >= least_rank]
    if tiles and b.chance(0.85):
        return b.choice(b.known(b.choice(tiles)))
    return b.operand(b.tile(least_rank=least_rank))


def reshape(b: Builder) -> Value | None:
    value = any_tile(b)
    left, shape = value.type.count, []
    while left > 1 and len(shape) < 3 and b.chance(0.7):
        shape.append(1 << b.random.randrange(left.bit_length()))
        left //= shape[-1]
    shape = [*shape, left] if left > 1 or b.chance(0.5) else shape
    return b.op("reshape $0 : $t0 -> $r0", value, to=value.type.shaped(*shape))


def broadcast(b: Builder) -> Value | None:
    value = any_tile(b)
    shape = value.shape
    if 1 not in shape:  # add a dimension
        place = b.random.randrange(len(shape) + 1)
        shape = (*shape[:place], 1, *shape[place:])
        value = b.op("reshape $0 : $t0 -> $r0", value, to=value.type.shaped(*shape))
    room = max(1, LARGEST // value.type.count)
    to = []
    for extent in shape:
        if extent == 1 and b.chance(0.8):
            extent = min(b.choice([2, 4, 8, 16, 32]), room)
            room //= extent
        to.append(extent)
    return b.op("broadcast $0 : $t0 -> $r0", value, to=value.type.shaped(*to))


def permute(b: Builder) -> Value:
    value = any_tile(b, least_rank=2)
    order = list(range(len(value.shape)))
    b.random.shuffle(order)
    to = value.type.shaped(*(value.shape[d] for d in order))
    return b.op(f"permute $0 {order} : $t0 -> $r0", value, to=to)


def cat(b: Builder) -> Value | None:
    value = any_tile(b, least_rank=1)
    if value.type.count > LARGEST // 2:
        return None
    dim = b.random.randrange(len(value.shape))
    other = b.operand(value.type)
    shape = list(value.shape)
    shape[dim] *= 2
    pair = [value, other] if b.chance(0.5) else [other, value]
    return b.op(f"cat $0, $1 dim = {dim} : $t0, $t1 -> $r0", *pair, to=value.type.shaped(*shape))


def slice_of(b: Builder, value: Value) -> tuple[Tile, list[Value]]:
    """The type of a slice, and its indices."""
    shape, indices = [], []
    for extent in value.shape:
        kept = extent >> b.random.randrange(extent.bit_length()) if b.chance(0.7) else extent
        shape.append(kept)
        indices.append(b.below(extent // kept, "i32"))
    return value.type.shaped(*shape), indices


def extract(b: Builder) -> Value | None:
    value = any_tile(b, least_rank=1)
    to, indices = slice_of(b, value)
    if legal(to) != to:
        return None
    names = ", ".join(f"${1 + d}" for d in range(len(indices)))
    return b.op(f"extract $0[{names}] : $t0 -> $r0", value, *indices, to=to)


def insert(b: Builder) -> Value | None:
    value = any_tile(b, least_rank=1)
    part, indices = slice_of(b, value)
    if legal(part) != part:
        return None
    names = ", ".join(f"${2 + d}" for d in range(len(indices)))
    return b.op(f"insert $0, $1[{names}] : $t0, $r0", b.operand(part), value, *indices,
                to=value.type)


def iota(b: Builder) -> Value:
    element = b.element(INTEGERS)
    count = 1 << b.random.randrange(min(WIDTHS[element], 8) + 1)
    return b.op("iota : $r0", to=Tile(element, (count,)))


def constant(b: Builder) -> Value:
    return b._constant(b.tile(NUMBERS))


def pack(b: Builder) -> Value | None:
    """The bytes of any tile that has enough bits."""
    value = any_tile(b)
    if b.chance(0.3):
        value = b.operand(b.tile(["i1", "i4", "f4E2M1FN", "tf32"]))
    element, count = value.element, value.type.count
    if value.type.pointee or WIDTHS[element] == 8 or count * WIDTHS[element] % 8:
        return None
    if value.any_nan and element == "tf32":
        return None
    value = exact_bits(b, value)
    if len(value.shape) != 1:
        value = b.op("reshape $0 : $t0 -> $r0", value, to=Tile(element, (count,)))
    return b.op("pack $0 : $t0 -> $r0", value, to=Tile("i8", (count * WIDTHS[element] // 8,)))


def unpack(b: Builder) -> Value | None:
    others = [e for e in (*NUMBERS, "i4") if WIDTHS[e] != 8]
    element = b.choice(others) if b.chance(0.4) else b.element(others)
    tile = b.tile(["i8"])
    bits, width = tile.count * 8, WIDTHS[element]
    if bits < width or bits // width > LARGEST:
        return None
    source = b.operand(tile)
    if len(tile.shape) != 1:
        source = b.op("reshape $0 : $t0 -> $r0", source, to=tile.shaped(tile.count))
    return b.op("unpack $0 : $t0 -> $r0", source, to=Tile(element, (bits // width,)))


def pointers(b: Builder) -> Value:
    """Addresses for arithmetic only: they are not accessed."""
    pointee = b.choice([e for e in NUMBERS if e != "f4E2M1FN"])
    shape = b.shape()
    made = b.operand(Tile(f"ptr<{pointee}>", shape))
    way = b.random.randrange(3)
    if way == 0:
        offset = b.operand(Tile(b.choice(["i1", "i8", "i16", "i32"]), shape))
        return b.op("offset $0, $1 : $t0, $t1 -> $r0", made, offset, to=made.type)
    if way == 1:
        other = b.choice([e for e in FLOATS])
        return b.op("ptr_to_ptr $0 : $t0 -> $r0", made, to=Tile(f"ptr<{other}>", shape))
    return b.op("ptr_to_int $0 : $t0 -> $r0", made, to=Tile("i64", shape))
