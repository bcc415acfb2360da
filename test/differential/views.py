# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Views of arrays.

They are of any of the three kinds, over a tensor whose extents need not be multiples of the tile, with
gaps between rows, in any order of dimensions, with static or dynamic extents and strides.
"""

from dataclasses import dataclass

from builder import Builder
from elements import FLOATS, INTEGERS, SCALE, UNSIGNED, WIDTHS
from tileir import TOKEN, Tensor, Tile, Value, View

INDEX_TYPES = ("i32", "i32", "i32", "i64", "i16", "i8")
LOAD_ORDERS = ("weak",) * 12 + tuple(f"{o} {s}" for o in ("relaxed", "acquire")
                                     for s in ("tl_blk", "device", "sys"))
STORE_ORDERS = ("weak",) * 12 + tuple(f"{o} {s}" for o in ("relaxed", "release")
                                      for s in ("tl_blk", "device", "sys"))
HINTS = ("",) * 20 + (" optimization_hints = <default = {latency = 4}>",)
VIEW_HINTS = (*HINTS, " optimization_hints = <sm_90 = {allow_tma = false}>")
MULTIMEM = ("i32", "i64", "f16", "bf16", "f32", "f64")
REDUCTIONS = ("add", "min", "max", "and", "or", "xor", "umin", "umax")
ROOM = 4096  # elements in the range of one access


# --- Geometry -----------------------------------------------------------------------------------


@dataclass
class Geometry:
    """The numbers of a view; which of them are static is decided later."""

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
    def inside(self) -> tuple[bool, ...]:
        """The dimensions in which no index moves a tile beyond the edge."""
        is_gather = self.kind == "gather_scatter_view"
        steps = (1,) * len(self.shape) if is_gather else self.steps or self.shape
        return tuple((n - 1) * step + extent <= self.extents[d]
                     and not (is_gather and d == self.sparse) for n, step, extent, d
                     in zip(self.index_space, steps, self.shape, self.order))

    @property
    def may_be_multicast(self) -> bool:
        """16-bit elements require a stride of 1 (13.5, section 14)."""
        return self.kind == "partition_view" and self.element in MULTIMEM \
            and (WIDTHS[self.element] != 16 or 1 in self.strides)

    @property
    def span(self) -> int:
        """The number of elements in memory, rounded up to an even number."""
        last = sum((e - 1) * s for e, s in zip(self.extents, self.strides))
        return last + 2 - last % 2


def random_geometry(b: Builder, tile: Tile, overlapping: bool) -> Geometry:
    """A view whose tiles have this type. `overlapping`: several coordinates may share an
    element."""
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


def make_view(b: Builder, base: Value, g: Geometry, padding: str | None,
              is_multicast: bool = False) -> tuple[Value, Value]:
    """The tensor view and the tile view. The array may be one copy of multicast memory."""
    is_multicast = is_multicast and g.may_be_multicast
    if is_multicast:
        base = b.op("ptr_to_ptr $0 : $t0 -> $r0", base, to=Tile(f"ptr<{g.element}, <multicast>>"))
    dynamic = b.weighted({0.0: 4, 0.5: 2, 1.0: 2})
    element = b.choice([e for e in ("i32", "i32", "i64", "i16", "i8")
                        if max(g.extents + g.strides) < 1 << WIDTHS[e] - 1])
    operands: list[Value] = []

    def entry(number: int, is_dynamic: bool | None = None) -> tuple[str, int | None]:
        if not (b.chance(dynamic) if is_dynamic is None else is_dynamic):
            return str(number), number
        operands.append(b.scalar(element, number) if b.chance(0.5)
                        else b.constant(Tile(element), number))
        return f"${len(operands)}", None

    shape = [entry(e) for e in g.extents]
    # Types of multicast views of 16-bit elements have exactly one static stride of 1.
    hides = is_multicast and WIDTHS[g.element] == 16
    strides = [entry(s, d != g.strides.index(1) if hides and s == 1 else None)
               for d, s in enumerate(g.strides)]
    tensor = Tensor(g.element, tuple(e for _, e in shape), tuple(s for _, s in strides),
                    is_multicast)
    written = ["$t0"] * is_multicast + ["$t1"] * bool(operands)
    arrow = f"{', '.join(written)} -> " if written else ""
    made = b.op(f"make_tensor_view $0, shape = [{', '.join(t for t, _ in shape)}], "
                f"strides = [{', '.join(t for t, _ in strides)}] : {arrow}$r0",
                base, *operands, to=tensor)
    view = View(g.kind, g.shape, tensor, g.steps, padding, g.dim_map, g.sparse)
    tiles = b.op(f"make_{g.kind} $0 : $r0", made, to=view)
    tiles.inside = g.inside
    return made, tiles


def random_padding(b: Builder, element: str) -> str:
    options = ["zero"]
    if element in FLOATS and element not in (SCALE, UNSIGNED, "f4E2M1FN"):
        options += ["neg_zero"]
        if FLOATS[element].infinity is not None:
            options += ["nan", "pos_inf", "neg_inf"]
    return b.choice(options)


def random_index(b: Builder, g: Geometry, view: Value) -> list[Value]:
    """An index inside the index space, constant or computed by the program."""
    limits = g.index_space
    element = b.choice([e for e in INDEX_TYPES if max(limits) < 1 << WIDTHS[e] - 1])
    if b.chance(0.2):  # query it in the program
        asked = b.ops("get_index_space_shape $0 : $t0 -> $r0", [view],
                      [Tile(element)] * len(limits))
        return [s if g.kind == "gather_scatter_view" and d == g.sparse else
                b.op("remi $0, $1 unsigned : $r0", b.operand(Tile(element)), n, to=Tile(element))
                for d, (n, s) in enumerate(zip(asked, _sparse(b, g, element)))]
    return [s if g.kind == "gather_scatter_view" and d == g.sparse else b.below(n, element)
            for d, (n, s) in enumerate(zip(limits, _sparse(b, g, element)))]


def _sparse(b: Builder, g: Geometry, element: str) -> list[Value | None]:
    """The coordinates of a gather: some are outside."""
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
    """Names and types of the index operands, with placeholders from `first` on."""
    gaps = range(first, first + len(index))
    names = ", ".join(f"${k}" for k in gaps)
    same = len({v.type for v in index}) == 1
    return names, f"$t{first}" if same else ", ".join(f"$t{k}" for k in gaps)


def promise(b: Builder, view: Value) -> str:
    """Asserts that tiles stay inside the tensor, in some of the dimensions in which they do."""
    kept = [inside and b.chance(0.7) for inside in view.inside]
    if not any(kept) or b.chance(0.6):
        return ""
    return f" inbounds = [{', '.join(str(k).lower() for k in kept)}]"


def reduction(kind: str) -> str:
    """The attribute dictionary of a multicast operation, which omits the default `add`."""
    return "" if kind == "add" else \
        f" attributes {{reduction = #cuda_tile.multimem_reduction_kind<{kind}>}}"


def load_view(b: Builder, view: Value, index: list[Value], tile: Tile,
              token: Value | None = None) -> Value:
    names, types = access_text(index, 1)
    after = f" token = ${1 + len(index)}" if token else ""
    order, kept = b.choice(LOAD_ORDERS), promise(b, view)
    head = f"load_view_tko {order} $0[{names}]{after}{b.choice(VIEW_HINTS)}{kept}"
    if view.type.tensor.is_multicast:
        kind = b.choice(REDUCTIONS if tile.element in INTEGERS else
                        ("add", "min", "max") if WIDTHS[tile.element] == 16 else ("add",))
        head = f"multimem_load_reduce_view_tko {order} $0[{names}]{after}{kept}{reduction(kind)}"
        types += ", token" if token else ""
    made, done = b.ops(f"{head} : $t0, {types} -> $r0, token",
                       [view, *index] + ([token] if token else []), [tile, TOKEN])
    b.offer(done)
    return made


def store_view(b: Builder, value: Value, view: Value, index: list[Value],
               token: Value | None = None) -> Value:
    names, types = access_text(index, 2)
    after = f" token = ${2 + len(index)}" if token else ""
    order, kept = b.choice(STORE_ORDERS), promise(b, view)
    if view.type.tensor.is_multicast:
        head = f"multimem_store_view_tko {order} $1, $0[{names}]{after}{kept} : $t1, $t0"
        types += ", token" if token else ""
    else:
        head = (f"store_view_tko {order} $0, $1[{names}]{after}{b.choice(VIEW_HINTS)}{kept} "
                ": $t0, $t1")
    return b.op(f"{head}, {types} -> token",
                value, view, *index, *([token] if token else []), to=TOKEN, any_nan=False)
