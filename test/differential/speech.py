# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements that print, assert facts that hold, and assume them.

Every printed line starts with the program, the statement and the block, so that lines can be compared
whatever the order in which blocks ran.
"""

from builder import Builder
from elementwise import masked
from elements import WIDTHS
from memory import source
from tileir import TOKEN, Tile, Value
from views import make_view, random_geometry

# Formats for printing integers (operations, 6.3); `ll` is for wide ones, and required for these.
FORMS = {"i64": ["%lld", "%llu", "%llx"], "i4": ["%d"], "i1": ["%d"],
         **{element: ["%d", "%i", "%u", "%x", "%#o", "%6d"] for element in ("i8", "i16", "i32")}}


def speech(b: Builder) -> None:
    b.weighted({printing: 2, assertion: 2, divisible: 2, bounded: 1, uniform: 1,
                shape_query: 2})(b)


def printing(b: Builder) -> None:
    if not b.can_store:
        return
    small = [t for scope in b.scopes for t in scope.values
             if isinstance(t, Tile) and t.count <= 16 and not t.pointee]
    values = [b.operand(b.choice(small) if small else Tile("i32"))
              for _ in range(b.weighted({0: 1, 1: 6, 2: 2, 3: 1}))]
    forms = [b.choice(FORMS.get(v.element, ["%a", "%g", "%12.4f"])) for v in values]
    b.prints += 1
    text = f"{b.program.name} #{b.prints} [%d] {b.choice([' ', ' 100%% '])}{'|'.join(forms)}"
    known = b.known(TOKEN)
    after = [b.choice(known)] if known and b.chance(0.5) else []
    operands = [b.scope.instance, *values]
    names = ", ".join(f"${k}" for k in range(len(operands)))
    types = ", ".join(f"$t{k}" for k in range(len(operands)))
    order = f" token=${len(operands)}" if after else ""
    b.op(f'print_tko "{text}\\0A", {names}{order} : {types} -> token', *operands, *after, to=TOKEN,
         any_nan=False)


def assertion(b: Builder) -> None:
    tile = b.tile(["i8", "i32", "i64"])
    few = masked(b, b.operand(tile), 7)
    holds = b.op("cmpi less_than $0, $1, unsigned : $t0 -> $r0", few, b.constant(tile, 8),
                 to=tile.of("i1"))
    b.effect('assert $0, "a number below eight" : $t0', holds)


def divisible(b: Builder) -> None:
    tile = b.tile(["i8", "i16", "i32", "i64"])
    if b.chance(0.4):  # ascending runs
        flat = Tile(tile.element, (b.choice([8, 32]),))
        value = b.op("iota : $r0", to=flat)
        b.finish(b.op("assume div_by<8, every 8 along 0>, $0 : $t0", value, to=flat))
        return
    value = masked(b, b.operand(tile), -8)
    b.finish(b.op("assume div_by<8>, $0 : $t0", value, to=tile))


def bounded(b: Builder) -> None:
    tile = b.tile(["i1", "i4", "i8", "i16", "i32", "i64"])
    if tile.element in ("i1", "i4"):  # the limits of the type
        limits = "-1, 0" if tile.element == "i1" else "-8, 7"
        b.finish(b.op(f"assume bounded<{limits}>, $0 : $t0", b.operand(tile), to=tile))
        return
    limits = b.choice(["0, 31", "?, 31", "0, ?", "-1, 100"])
    value = masked(b, b.operand(tile), 31)
    b.finish(b.op(f"assume bounded<{limits}>, $0 : $t0", value, to=tile))


def uniform(b: Builder) -> None:
    """Assumes equal elements along each row."""
    tile = b.tile(["i8", "i32", "i64"], least_rank=1)
    thin = tile.shaped(*tile.shape[:-1], 1)
    value = b.operand(thin)
    wide = value if thin == tile else b.op("broadcast $0 : $t0 -> $r0", value, to=tile)
    block = [1] * (len(tile.shape) - 1) + [tile.shape[-1]]
    b.finish(b.op(f"assume same_elements<{block}>, $0 : $t0", wide, to=tile))


def shape_query(b: Builder) -> None:
    """Tensor extents that are known only at launch."""
    tile = b.tile(["i8", "f32", "f16", "i64"], least_rank=1)
    g = random_geometry(b, tile, overlapping=True)
    tensor, view = make_view(b, source(b, tile.element, g.span), g, None)
    to = Tile(b.choice([e for e in ("i8", "i16", "i32", "i64")
                        if max(g.extents) < 1 << WIDTHS[e] - 1]))
    op, of = b.choice([("get_tensor_shape", tensor), ("get_index_space_shape", view)])
    b.finish(*b.ops(f"{op} $0 : $t0 -> $r0", [of], [to] * len(g.shape)))


def grid(b: Builder) -> None:
    """The block's index and the number of blocks: the program's first operations."""
    index, count = (b.ops(f"{op} : $r0", [], [Tile("i32")] * 3)
                    for op in ("get_tile_block_id", "get_num_tile_blocks"))
    row: Value = b.op("muli $0, $1 : $r0", index[2], count[1], to=Tile("i32"))
    row = b.op("addi $0, $1 : $r0", row, index[1], to=Tile("i32"))
    row = b.op("muli $0, $1 : $r0", row, count[0], to=Tile("i32"))
    b.block = b.op("addi $0, $1 : $r0", row, index[0], to=Tile("i32"))
    b.scope.instance = b.block
    b.offer(*index, *count, b.block)
