# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of tensor views and the three tile views: which element of memory is which element of the
tile, and which elements are outside (operations, 8; types, 5 and 6).

The model is the table of operations, 8.1, element by element: a coordinate for each element,
an address for each coordinate.
"""

import functools
from dataclasses import dataclass, field
from itertools import product

import numpy as np

import samples
from combinations import KINDS, SCALE, Combination, of
from formats import FORMATS, WIDTHS, word
from kernel import Case, Kernel, by, row_major, tile

from .memory import order_of


def cases() -> list[Case]:
    loads, stores = of("load_view_tko"), of("store_view_tko")
    builders = {"get_index_space_shape": index_space, "get_tensor_shape": tensor_shape,
                "make_tensor_view": tensor, **{f"make_{kind}": construction for kind in KINDS}}
    made = [Case((c,), functools.partial(access, c)) for c in loads + stores
            if not c.modifiers[-1].startswith("dim_map")]
    made += [Case((c,), functools.partial(build, c)) for op, build in builders.items()
             for c in of(op) if "dim_map" not in str(c)]
    makers = of(*(f"make_{kind}" for kind in KINDS))
    for c in loads:  # one case for the load, the store and the view
        if c.modifiers[-1].startswith("dim_map"):
            made.append(Case(tuple(o for o in loads + stores + makers if o.modifiers == c.modifiers),
                             functools.partial(mapped, c)))
    return made


# --- A view and its model -----------------------------------------------------------------------


@dataclass
class View:
    kind: str
    element: str
    extents: tuple[int, ...]
    shape: tuple[int, ...]
    strides: tuple[int, ...] = ()
    steps: tuple[int, ...] = ()  # of a strided view
    dim_map: tuple[int, ...] = ()
    sparse: int = 0
    padding: str | None = None
    dynamic: str | None = None  # the operand type of dynamic extents and strides
    spelled_map: bool = field(init=False)

    def __post_init__(self) -> None:
        self.spelled_map = bool(self.dim_map)
        self.dim_map = self.dim_map or tuple(range(len(self.shape)))
        self.strides = self.strides or tuple(row_major(self.extents))
        self.steps = self.steps if self.kind == "strided_view" else self.shape

    @property
    def memory(self) -> int:
        """The number of elements from the first to the last; rounded up to an even number."""
        last = sum((e - 1) * s for e, s in zip(self.extents, self.strides))
        return last + 2 - last % 2

    @property
    def tensor_type(self) -> str:
        if self.dynamic:
            unknown = ["?"] * len(self.extents)
            return f"tensor_view<{by(unknown)}x{self.element}, strides=[{','.join(unknown)}]>"
        return (f"tensor_view<{by(self.extents)}x{self.element}, "
                f"strides=[{','.join(map(str, self.strides))}]>")

    @property
    def type(self) -> str:
        fields = [f"tile=({by(self.shape)})"]
        if self.kind == "strided_view":
            fields.append(f"traversal_strides=[{','.join(map(str, self.steps))}]")
        if self.padding:
            fields.append(f"padding_value = {self.padding}")
        fields.append(self.tensor_type)
        if self.kind == "gather_scatter_view":
            fields.append(f"sparse_dim={self.sparse}")
        elif self.spelled_map:
            fields.append(f"dim_map={list(self.dim_map)}")
        return f"{self.kind}<{', '.join(fields)}>"

    def index_space(self) -> list[int]:
        if self.kind == "gather_scatter_view":
            return list(self.extents)
        return [-(-self.extents[self.dim_map[d]] // self.steps[d]) for d in range(len(self.shape))]

    def places(self, index):
        """The memory index of each element of the tile, or None."""
        for e in np.ndindex(self.shape):
            c = [0] * len(self.shape)
            for d, inside in enumerate(e):
                if self.kind != "gather_scatter_view":
                    c[self.dim_map[d]] = index[d] * self.steps[d] + inside
                elif d == self.sparse:
                    c[d] = int(index[d][inside])
                else:
                    c[d] = index[d] + inside
            within = all(0 <= x < extent for x, extent in zip(c, self.extents))
            yield e, sum(x * s for x, s in zip(c, self.strides)) if within else None

    def load(self, memory: np.ndarray, index) -> np.ndarray:
        result = np.full(self.shape, padding_of(self.element, self.padding or "zero"))
        for e, place in self.places(index):
            if place is not None:
                result[e] = memory[place]
        return result

    def store(self, memory: np.ndarray, index, values: np.ndarray) -> np.ndarray:
        result = memory.copy()
        for e, place in self.places(index):
            if place is not None:
                result[place] = values[e]
        return result


def padding_of(element: str, padding: str):
    """The pattern of the padding value; zeros if the type lacks it (types, 6)."""
    kind = word(element).type
    if padding == "zero":
        return kind(0)
    if element == SCALE:
        return kind(0xFF)  # the NaN
    f = FORMATS[element]
    if padding == "nan":
        return kind(f.nan)
    return kind((0 if padding == "neg_zero" else f.infinity) | (0 if padding == "pos_inf" else f.sign))


# --- Emitting it ------------------------------------------------------------------------------


def make(k: Kernel, view: View, pointer: str) -> str:
    made = make_tensor(k, view, pointer)
    return k.value(f"make_{view.kind} {made} : {view.type}")


def make_tensor(k: Kernel, view: View, pointer: str) -> str:
    extents, strides, operands = list(view.extents), list(view.strides), ""
    if view.dynamic:
        size = word(view.dynamic)
        extents, strides = ([k.load(view.dynamic, (), np.array([v], np.uint64).astype(size))
                             for v in values] for values in (extents, strides))
        operands = f"tile<{view.dynamic}> -> "
    return k.value(f"make_tensor_view {pointer}, shape = [{', '.join(map(str, extents))}], "
                   f"strides = [{', '.join(map(str, strides))}] : {operands}{view.tensor_type}")


def indices(k: Kernel, view: View, index, element: str = "i32") -> tuple[str, str]:
    """Their names and their types."""
    names, types = [], []
    for d, i in enumerate(index):
        if view.kind == "gather_scatter_view" and d == view.sparse:
            shape = (view.shape[d],)
            mask = (1 << WIDTHS[element]) - 1
            names.append(k.load(element, shape, np.array([int(x) & mask for x in i], word(element))))
            types.append(tile(element, shape))
        else:
            names.append(k.load(element, (), np.array([i], word(element))))
            types.append(tile(element))
    return ", ".join(names), ", ".join(types)


def load(k: Kernel, view: View, name: str, index, element: str = "i32", order: str = "weak",
         promise: str = "") -> str:
    names, types = indices(k, view, index, element)
    return k.value(f"load_view_tko {order} {name}[{names}]{promise} : {view.type}, {types} -> "
                   f"{tile(view.element, view.shape)}, token", 2)[0]


def store(k: Kernel, view: View, name: str, index, value: str, element: str = "i32",
          order: str = "weak", token: str = "", promise: str = "") -> str:
    names, types = indices(k, view, index, element)
    after = f" token = {token}" if token else ""
    return k.value(f"store_view_tko {order} {value}, {name}[{names}]{after}{promise} : "
                   f"{tile(view.element, view.shape)}, {view.type}, {types} -> token")


# --- Loads and stores --------------------------------------------------------------------------


def access(c: Combination, k: Kernel) -> None:
    view, element, rng = view_of(c), index_type(c), samples.generator(c)
    promises = c.modifiers[-1] == "inbounds"
    for index in tiles_of(c, view, rng):
        promise = f" inbounds = [{promise_of(view, index)}]" if promises else ""
        memory = samples.tile_of(view.element, (view.memory,), rng)
        if c.op == "load_view_tko":
            name = make(k, view, k.array(view.element, memory))
            value = load(k, view, name, index, element, order_of(c), promise)
            inside = all(place is not None for _, place in view.places(index))
            if view.padding or inside:
                k.store(value, view.element, view.shape, view.load(memory, index).reshape(-1),
                        any_nan=view.padding == "nan")
            else:  # elements outside have no value; a store through an equal view drops them
                blank = np.zeros(len(memory), word(view.element))
                expected = view.store(blank, index, view.load(memory, index))
                store(k, view, make(k, view, k.result(view.element, expected)), index, value)
        else:
            values = samples.tile_of(view.element, view.shape, rng)
            pointer = k.result(view.element, view.store(memory, index, values), memory)
            store(k, view, make(k, view, pointer), index, k.load(view.element, view.shape, values),
                  element, order_of(c), promise=promise)


def promise_of(view: View, index) -> str:
    """Whether all elements are inside the tensor along each dimension (13.4, section 6)."""
    def is_inside(d: int) -> bool:
        extent = view.extents[view.dim_map[d]] if view.kind != "gather_scatter_view" \
            else view.extents[d]
        if view.kind == "gather_scatter_view":
            if d == view.sparse:
                return bool((np.asarray(index[d]) < extent).all())
            return index[d] + view.shape[d] <= extent
        return index[d] * view.steps[d] + view.shape[d] <= extent
    return ", ".join("true" if is_inside(d) else "false" for d in range(len(view.shape)))


def index_type(c: Combination) -> str:
    return c.types[0] if c.modifiers[-1] == "index" else "i32"


def view_of(c: Combination) -> View:
    kind, element, what = c.modifiers[0], c.types[0], c.modifiers[-1]
    if what == "index":  # as many tiles as i8 (unsigned) or i1 can index
        many = 2 if element == "i1" else 256
        return View(kind, "i16", (many if kind == "gather_scatter_view" else many * 2,), (2,),
                    steps=(2,), padding="zero")
    if what == "rank 1":
        return View(kind, element, (13,), (4,), steps=(3,), padding="zero")
    if what == "rank 3":
        return View(kind, element, (3, 5, 6), (2, 4, 2), steps=(1, 3, 4), sparse=1, padding="zero")
    if what == "inside":
        return View(kind, element, (8, 16), (4, 8), steps=(2, 4))
    # Rows of 6 elements, 4-bit elements in pairs, and two words after each row.
    padding = what if c.op == "load_view_tko" and what != "ragged" and " " not in what \
        and what not in ("weak", "inbounds") else None
    return View(kind, element, (5, 6), (4, 4), (8, 1), (3, 2), padding=padding)


def tiles_of(c: Combination, view: View, rng: np.random.Generator) -> list:
    space = view.index_space()
    if view.kind != "gather_scatter_view":
        every = list(product(*map(range, space)))
        if len(every) > 40:
            return [every[i] for i in (0, 1, 127, 128, 200, len(every) - 1)]
        return [i for i in every if c.modifiers[-1] != "inside"
                or all(p is not None for _, p in view.places(i))]
    step = 2 if view.element == "f4E2M1FN" else 1
    made = []
    for _ in range(4):
        index = [int(rng.integers(0, n // step)) * step for n in space]
        extent = view.extents[view.sparse]
        # A load may use a row twice; a store may not, and neither may a load without padding whose
        # result is stored back.
        twice = c.op == "load_view_tko" and view.padding
        rows = rng.choice(extent, view.shape[view.sparse],
                          replace=bool(twice) or extent < view.shape[view.sparse])
        if c.modifiers[-1] == "inside":
            index = [min(i, n - t) for i, n, t in zip(index, view.extents, view.shape)]
        elif c.modifiers[-1] != "index":
            rows[-1] = (extent, extent + 7, -1, 1 << 31)[len(made)] & 0xFFFFFFFF
        if c.op == "store_view_tko" and len(set(rows.tolist())) < len(rows):
            rows = np.arange(len(rows))
        index[view.sparse] = rows
        made.append(index)
    return made


def mapped(c: Combination, k: Kernel) -> None:
    """Tile dimension k runs along tensor dimension dim_map[k]."""
    kind, spelled = c.modifiers
    order = tuple(int(x) for x in spelled[len("dim_map=["):-1].split(","))
    rng = samples.generator(c)
    view = View(kind, "i16", (5, 3, 6), (2, 4, 2), (19, 6, 1), (3, 1, 2), order, padding="zero")
    memory = samples.tile_of("i16", (view.memory,), rng)
    name = make(k, view, k.array("i16", memory))
    after, stores = memory, []
    for index in product(*map(range, view.index_space())):
        k.store(load(k, view, name, index), "i16", view.shape, view.load(memory, index).reshape(-1))
        if sum(index) % 2:
            values = samples.tile_of("i16", view.shape, rng)
            after = view.store(after, index, values)
            stores.append((index, values))
    out, token = make(k, view, k.result("i16", after, memory)), k.value("make_token : token")
    for index, values in stores:  # tiles overlap: order the stores
        token = store(k, view, out, index, k.load("i16", view.shape, values), token=token)


# --- Making views -------------------------------------------------------------------------------


def construction(c: Combination, k: Kernel) -> None:
    kind, what = c.op.removeprefix("make_"), c.modifiers[0]
    rng = samples.generator(c)
    shape = {"padding": "zero", "steps": (3, 1, 5)}
    variants = [View(kind, "i32", (3, 5, 6), (2, 2, 4), **shape)]
    if what == "dynamic":
        variants = [View(kind, "i32", (3, 5, 6), (2, 2, 4), strides, dynamic=element, **shape)
                    for element in ("i8", "i32", "i64") for strides in ((), (40, 7, 1), (0, 1, 0))]
    if what == "unusual strides":  # first dimension contiguous; overlapping; large gaps
        variants = [View(kind, "i32", (3, 5, 6), (2, 2, 4), strides, **shape)
                    for strides in ((1, 3, 15), (1, 1, 1), (100, 9, 1))]
    if what.startswith("sparse_dim"):
        variants = [View(kind, "i32", (3, 5, 6), (2, 2, 4), sparse=int(what[-1]), **shape)]
    for view in variants:
        memory = samples.tile_of("i32", (view.memory,), rng)
        name = make(k, view, k.array("i32", memory))
        for index in tiles_of(Combination("load_view_tko", (), (kind, "")), view, rng)[:12]:
            k.store(load(k, view, name, index), "i32", view.shape,
                    view.load(memory, index).reshape(-1))


def tensor(c: Combination, k: Kernel) -> None:
    """By element type, or by operand type; extents are unsigned."""
    (element,), rng = c.types, samples.generator(c)
    if not c.modifiers or not c.modifiers[0]:
        view = View("partition_view", element, (3, 4), (4, 4), (6, 1), padding="zero")
    elif element == "i1":
        view = View("partition_view", "i32", (1, 1), (1, 2), (1, 1), padding="zero", dynamic="i1")
    else:
        extents, strides = ((200, 2), (2, 1)) if c.modifiers[0] == "dynamic shape" else \
            ((2, 20), (200, 3))
        view = View("partition_view", "i32", extents, (2, 4), strides, padding="zero",
                    dynamic=element)
    memory = samples.tile_of(view.element, (view.memory,), rng)
    name = make(k, view, k.array(view.element, memory))
    space = view.index_space()
    for index in {(0, 0), tuple(n - 1 for n in space)}:
        k.store(load(k, view, name, index), view.element, view.shape,
                view.load(memory, index).reshape(-1))


# --- Asking for shapes -----------------------------------------------------------------------------


def sizes(element: str) -> list[tuple[int, ...]]:
    """Extents that the type can represent, read as unsigned."""
    if element == "i1":
        return [(1,), (1, 1)]
    return [(7,), (5, 6), (200, 3, 255), *([(40000, 65535)] if WIDTHS[element] > 8 else []),
            *([(1 << 31, (1 << 32) - 1)] if WIDTHS[element] > 16 else [])]


def index_space(c: Combination, k: Kernel) -> None:
    (element,), (kind,) = c.types, c.modifiers
    pointer = k.array("i8", np.zeros(1))
    for extents in sizes(element):
        for dynamic in (None, "i64"):
            rank = len(extents)
            view = View(kind, "i8", extents, (4, 2, 8)[:rank], (1,) * rank, (3, 1, 5)[:rank],
                        dim_map=() if kind == "gather_scatter_view" else tuple(range(rank))[::-1],
                        dynamic=dynamic)
            ask(k, "get_index_space_shape", make(k, view, pointer), view.type, element,
                view.index_space())


def tensor_shape(c: Combination, k: Kernel) -> None:
    (element,) = c.types
    pointer = k.array("i8", np.zeros(1))
    for extents in sizes(element):
        for dynamic in (None, "i64"):
            view = View("partition_view", "i8", extents, (1,) * len(extents),
                        (1,) * len(extents), dynamic=dynamic)
            ask(k, "get_tensor_shape", make_tensor(k, view, pointer), view.tensor_type, element,
                view.extents)


def ask(k: Kernel, op: str, name: str, type_: str, element: str, expected) -> None:
    found = k.value(f"{op} {name} : {type_} -> tile<{element}>", len(expected))
    for value, extent in zip([found] if len(expected) == 1 else found, expected):
        k.store(value, element, (), np.array([extent], word(element)))
