# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What does a program say about itself? It prints, asserts what holds, and promises it.

Every printed line starts with the program, the statement and the block, so that lines can
be compared whatever the order in which blocks ran.
"""

from builder import Builder
from elementwise import masked
from elements import FLOATS, INTEGERS
from memory import source
from tileir import TOKEN, Tile, Value
from views import make_view, random_geometry


def speech(b: Builder) -> None:
    b.weighted({printing: 2, assertion: 2, divisible: 2, bounded: 1, uniform: 1,
                shape_query: 2})(b)


def printing(b: Builder) -> None:
    if not b.can_store:
        return
    small = [t for scope in b.scopes for t in scope.values if isinstance(t, Tile)
             and t.count <= 16 and (t.element in INTEGERS or t.element in FLOATS)]
    value = b.operand(b.choice(small) if small else Tile("i32"))
    form = {"i64": "%lld", "f64": "%a"}.get(value.element, "%d")
    if value.element in FLOATS:
        form = b.choice(["%a", "%g", "%12.4f"])
    b.prints += 1
    head = f"{b.program.name} #{b.prints} [%d] "
    known = b.known(TOKEN)
    after = [b.choice(known)] if known and b.chance(0.5) else []
    b.op(f'print_tko "{head}{form}\\0A", $0, $1{" token=$2" * len(after)} : $t0, $t1 -> token',
         b.scope.instance, value, *after, to=TOKEN, any_nan=False)


def assertion(b: Builder) -> None:
    tile = b.tile(["i8", "i32", "i64"])
    few = masked(b, b.operand(tile), 7)
    holds = b.op("cmpi less_than $0, $1, unsigned : $t0 -> $r0", few, b.constant(tile, 8),
                 to=tile.of("i1"))
    b.effect('assert $0, "a number below eight" : $t0', holds)


def divisible(b: Builder) -> None:
    tile = b.tile(["i8", "i16", "i32", "i64"])
    value = masked(b, b.operand(tile), -8)
    b.finish(b.op("assume div_by<8>, $0 : $t0", value, to=tile))


def bounded(b: Builder) -> None:
    tile = b.tile(["i8", "i16", "i32", "i64"])
    limits = b.choice(["0, 31", "?, 31", "0, ?", "-1, 100"])
    value = masked(b, b.operand(tile), 31)
    b.finish(b.op(f"assume bounded<{limits}>, $0 : $t0", value, to=tile))


def uniform(b: Builder) -> None:
    """The same along each row."""
    tile = b.tile(["i8", "i32", "i64"], least_rank=1)
    thin = tile.shaped(*tile.shape[:-1], 1)
    value = b.operand(thin)
    wide = value if thin == tile else b.op("broadcast $0 : $t0 -> $r0", value, to=tile)
    block = [1] * (len(tile.shape) - 1) + [tile.shape[-1]]
    b.finish(b.op(f"assume same_elements<{block}>, $0 : $t0", wide, to=tile))


def shape_query(b: Builder) -> None:
    """Extents of a tensor that only the launch knows."""
    tile = b.tile(["i8", "f32", "f16", "i64"], least_rank=1)
    g = random_geometry(b, tile, overlapping=True)
    tensor, view = make_view(b, source(b, tile.element, g.span), g, None)
    to = Tile(b.choice(["i16", "i32", "i64"]))
    op, of = b.choice([("get_tensor_shape", tensor), ("get_index_space_shape", view)])
    b.finish(*b.ops(f"{op} $0 : $t0 -> $r0", [of], [to] * len(g.shape)))


def grid(b: Builder) -> None:
    """Where the block is, and how many there are: the program's first operations."""
    index, count = (b.ops(f"{op} : $r0", [], [Tile("i32")] * 3)
                    for op in ("get_tile_block_id", "get_num_tile_blocks"))
    row: Value = b.op("muli $0, $1 : $r0", index[2], count[1], to=Tile("i32"))
    row = b.op("addi $0, $1 : $r0", row, index[1], to=Tile("i32"))
    row = b.op("muli $0, $1 : $r0", row, count[0], to=Tile("i32"))
    b.block = b.op("addi $0, $1 : $r0", row, index[0], to=Tile("i32"))
    b.scope.instance = b.block
    b.offer(*index, *count, b.block)
