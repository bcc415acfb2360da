# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates random operations on pointers, memory, tokens and views, and statements about values:
most of them may not occur in a reduce or scan.
"""

from dataclasses import replace

from .builder import Builder, makes
from .layouts import ENUMERATIONS, V13_2, V13_3, V13_4, V13_5
from .pieces import BASE_FLOATS, F32, I32, I64, I8, INTEGERS
from .program import (
    BITS, I1, TOKEN, Bounded, DivBy, GatherScatterView, PartitionView, Pointer, SameElements,
    Scalar, Tile, Type, Value)


class Memory(Builder):
    # --- Pointers and memory --------------------------------------------------------------

    @makes()
    def pointer_arithmetic(self) -> None:
        tile = self.pieces.tile((Pointer(F32), Pointer(I8)))
        self.emit("offset", (tile,), {"ptr": self.value(tile), "offset": self.value(
            Tile(self.random.choice(INTEGERS), tile.shape))})

    @makes()
    def address_of_global(self) -> None:
        if self.pieces.globals:
            item = self.random.choice(self.pieces.globals)
            self.emit("get_global", (Tile(Pointer(item.value.type.element)),), name=item.name)

    @makes(V13_3, pure=False)
    def allocation(self) -> None:
        element = self.random.choice(self.pieces.numbers())
        self.emit("alloca", (Tile(Pointer(element)),), units=("global",) if self.chance() else (),
                  num_elem=self.random.choice((0, 1, 1 << 33)),
                  alignment=self.random.choice((8, 1 << 40)))

    def ordering(self, *strong: str) -> dict:
        """Ordering and scope; `weak` has no scope (core operations, 2.4)."""
        ordering = self.random.choice(("weak", *strong))
        scope = {} if ordering == "weak" else {"memory_scope": self.one_of("MemoryScope")}
        return {"memory_ordering_semantics": ordering} | scope

    def hinted(self, of_view: bool) -> dict:
        return {"optimization_hints": self.pieces.memory_hints(of_view)} if self.chance(0.3) else {}

    @makes(pure=False)
    def pointer_load(self) -> None:
        tile = self.pieces.tile(self.pieces.numbers())
        mask = self.maybe(Tile(I1, tile.shape))
        self.emit("load_ptr_tko", (tile, TOKEN), {
            "source": self.value(Tile(Pointer(tile.element), tile.shape)), "mask": mask,
            # Padding without a mask is valid, but has no custom form.
            "paddingValue": [] if self.pieces.textual and not mask else self.maybe(tile),
            "token": self.maybe(TOKEN)},
            **self.ordering("relaxed", "acquire"), **self.hinted(of_view=False))

    @makes(pure=False)
    def pointer_store(self) -> None:
        tile = self.pieces.tile(self.pieces.numbers())
        self.emit("store_ptr_tko", (TOKEN,), {
            "destination": self.value(Tile(Pointer(tile.element), tile.shape)),
            "value": self.value(tile), "mask": self.maybe(Tile(I1, tile.shape)),
            "token": self.maybe(TOKEN)},
            **self.ordering("relaxed", "release"), **self.hinted(of_view=False))

    def atomic_ordering(self) -> dict:
        orderings = ENUMERATIONS["MemoryOrderingSemantics"][1:]
        return {"memory_ordering_semantics": self.random.choice(orderings),
                "memory_scope": self.one_of("MemoryScope")}

    def mode_and_element(self) -> tuple[str, Scalar]:
        mode = self.one_of("AtomicRMWMode")
        if mode == "addf":
            # bf16 is defined since 13.3 (operations, 9.1), but older files can contain it.
            return mode, self.random.choice(BASE_FLOATS)
        return mode, self.random.choice((I32, I64))

    @makes(pure=False)
    def atomic_update(self) -> None:
        mode, element = self.mode_and_element()
        tile = self.pieces.tile((element,))
        self.emit("atomic_rmw_tko", (tile, TOKEN), {
            "pointers": self.value(Tile(Pointer(element), tile.shape)), "arg": self.value(tile),
            "mask": self.maybe(Tile(I1, tile.shape)), "token": self.maybe(TOKEN)},
            mode=mode, **self.atomic_ordering())

    @makes(pure=False)
    def atomic_exchange(self) -> None:
        tile = self.pieces.tile((I32, I64, F32))
        self.emit("atomic_cas_tko", (tile, TOKEN), {
            "pointers": self.value(Tile(Pointer(tile.element), tile.shape)),
            "cmp": self.value(tile), "val": self.value(tile),
            "mask": self.maybe(Tile(I1, tile.shape)), "token": self.maybe(TOKEN)},
            **self.atomic_ordering())

    @makes(pure=False)
    def tokens(self) -> None:
        self.emit("join_tokens", (TOKEN,),
                  {"tokens": [self.value(TOKEN) for _ in range(self.random.randint(2, 4))]})

    @makes(V13_4, pure=False)
    def dependences(self) -> None:
        name = self.random.choice(("gdc_wait_tko", "gdc_launch_dependents_tko"))
        self.emit(name, (TOKEN,), {"token": self.maybe(TOKEN)})
        self.emit("memory_fence_alias_tko", (TOKEN,), {"token": self.value(TOKEN)})

    # --- Views ----------------------------------------------------------------------------

    def promises(self, type_: Type, since: tuple[int, int]) -> dict:
        flags = tuple(self.chance() for _ in type_.tile_shape)
        return {"inbounds": flags} if self.version >= since and any(flags) else {}

    def indices(self, type_: Type) -> list[Value]:
        element = self.random.choice(INTEGERS)
        types = [Tile(element) for _ in type_.tile_shape]
        if isinstance(type_, GatherScatterView):
            types[type_.sparse_dim] = Tile(element, (type_.tile_shape[type_.sparse_dim],))
        return [self.value(index) for index in types]

    @makes(pure=False)
    def view_access(self) -> None:
        type_ = self.pieces.tile_view()
        tile = Tile(type_.view.element, type_.tile_shape)
        operands = {"view": self.value(type_), "index": self.indices(type_),
                    "token": self.maybe(TOKEN)}
        if self.chance():
            self.emit("load_view_tko", (tile, TOKEN), operands,
                      **self.ordering("relaxed", "acquire"), **self.hinted(of_view=True),
                      **self.promises(type_, V13_4))
        else:
            self.emit("store_view_tko", (TOKEN,), {"tile": self.value(tile)} | operands,
                      **self.ordering("relaxed", "release"), **self.hinted(of_view=True),
                      **self.promises(type_, V13_4))

    @makes(V13_3, pure=False)
    def view_update(self) -> None:
        type_ = self.pieces.tile_view()
        if isinstance(type_, GatherScatterView) or type_.padding is not None:
            return
        mode, element = self.mode_and_element()
        if mode == "xchg":
            return
        # The type is rare enough already, so choose the element to fit the operation.
        type_ = replace(type_, view=replace(type_.view, element=element))
        tile = Tile(element, type_.tile_shape)
        self.emit("atomic_red_view_tko", (TOKEN,), {
            "view": self.value(type_), "index": self.indices(type_), "value": self.value(tile),
            "token": self.maybe(TOKEN)}, memory_ordering_semantics="relaxed",
            memory_scope=self.random.choice(("tl_blk", "device")), mode=mode,
            **self.promises(type_, V13_5))

    @makes(V13_5, pure=False)
    def multicast(self) -> None:
        view = replace(self.pieces.tensor_view(), attribute="multicast",
                       element=self.random.choice((*BASE_FLOATS, I32, I64)))
        rank = len(view.shape)
        if BITS[view.element.name] == 16:  # one unit stride (13.5, section 14)
            strides = [stride + (stride == 1) for stride in view.strides]
            strides[self.random.randrange(rank)] = 1
            view = replace(view, strides=tuple(strides))
        type_ = PartitionView((2,) * rank, view, tuple(range(rank)), None)
        tile = Tile(view.element, type_.tile_shape)
        of_view = {"view": self.value(type_), "index": self.indices(type_),
                   "token": self.maybe(TOKEN)}
        is_integer = view.element in (I32, I64)
        reduction = self.one_of("MultimemReductionKind") if is_integer else "add"
        kind = self.random.randrange(3)
        if kind == 0:
            self.emit("multimem_load_reduce_view_tko", (tile, TOKEN), of_view, reduction=reduction,
                      **self.ordering("relaxed", "acquire"), **self.promises(type_, V13_5))
        elif kind == 1:
            self.emit("multimem_reduce_view_tko", (TOKEN,), {"tile": self.value(tile)} | of_view,
                      memory_ordering_semantics=self.random.choice(("relaxed", "release")),
                      memory_scope=self.one_of("MemoryScope"), reduction=reduction,
                      **self.promises(type_, V13_5))
        else:
            self.emit("multimem_store_view_tko", (TOKEN,), {"tile": self.value(tile)} | of_view,
                      **self.ordering("relaxed", "release"), **self.promises(type_, V13_5))

    @makes(pure=False)
    def extents(self) -> None:
        type_, result = self.pieces.tile_view(), Tile(self.random.choice(INTEGERS))
        results = (result,) * len(type_.tile_shape)
        if self.chance():
            self.emit("get_index_space_shape", results, {"src": self.value(type_)})
        else:
            self.emit("get_tensor_shape", results, {"src": self.value(type_.view)})

    # --- Statements about values ----------------------------------------------------------

    @makes(pure=False)
    def assumption(self) -> None:
        tile = self.integer_tile()
        rank, bits = len(tile.shape), BITS[tile.element.name]
        least, most = -(1 << bits - 1), (1 << bits - 1) - 1
        choices = [DivBy(1 << self.random.choice((0, 7, 62))),
                   SameElements(tuple(self.random.choice((0, 1, extent)) for extent in tile.shape)),
                   Bounded(), Bounded(least), Bounded(None, most), Bounded(least, most)]
        if rank:
            along = self.random.randrange(rank)
            choices.append(DivBy(4, self.random.choice((0, 1, tile.shape[along])), along))
        self.emit("assume", (tile,), {"value": self.value(tile)},
                  predicate=self.random.choice(choices))

    @makes(pure=False)
    def assertion(self) -> None:
        self.emit("assert", operands={"condition": self.value(Tile(I1, self.pieces.shape()))},
                  message=self.pieces.text())

    @makes(pure=False)
    def printing(self) -> None:
        tiles = [self.pieces.any_tile() for _ in range(self.random.randint(0, 3))]
        newer = self.version >= V13_2
        results = self.emit("print_tko", (TOKEN,), {
            "args": [self.value(tile) for tile in tiles],
            "token": self.maybe(TOKEN) if newer else []},
            str=self.pieces.text() + b" %d" * len(tiles) + self.random.choice((b"\n", b"%%")))
        if not newer:  # in 13.1 nothing can use it
            self.visible[-1].remove(results[0])
