# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates the parts of random programs: types, constants, attributes, globals, hints and debug
information, with a preference for edge cases. Nothing here depends on operations.

`textual` parts can be represented in the text form, which loses the types of hints and more (textual
format, 12.4).
"""

import random

from .layouts import V13_2, V13_3, V13_4, V13_5
from .program import (
    BITS, I1, TOKEN, Array, Attribute, Bool, Bounded, CallSite, CompileUnit, Constant, Dictionary,
    DivBy, File, Float, GatherScatterView, Global, Integer, LexicalBlock, Location, PartitionView,
    Pointer, SameElements, Scalar, StridedView, String, Subprogram, TensorView, Tile, Type,
    TypeAttribute, count_elements, element_size, make_constant, pack_booleans)

INTEGERS = tuple(map(Scalar, ("i1", "i8", "i16", "i32", "i64")))
BASE_FLOATS = tuple(map(Scalar, ("f16", "bf16", "f32", "f64")))
OTHER_FLOATS = tuple(map(Scalar, ("tf32", "f8E4M3FN", "f8E5M2")))
SCALE, FOUR_BITS, I4 = Scalar("f8E8M0FNU"), Scalar("f4E2M1FN"), Scalar("i4")
SMALL_SCALE = Scalar("f8E5M3FNU")
I8, I32, I64, F32 = Scalar("i8"), Scalar("i32"), Scalar("i64"), Scalar("f32")
SHAPES = ((), (), (1,), (2,), (4,), (8,), (16,), (32,), (2, 4), (4, 2), (1, 8), (2, 2, 2), (256,),
          (1,) * 9)
TEXTS = (b"kernel.py", b"/src", b"helper", b"a b", b"tab\tquote\"\\", b"\xc3\xa9t\xc3\xa9", b"")
TARGETS = (b"sm_80", b"sm_90", b"sm_100", b"sm_120", b"default")


class Pieces:
    """Generates the parts from which operations are built."""

    def __init__(self, seed: str, version: tuple[int, int], textual: bool):
        self.random, self.version = random.Random(seed), version
        self.textual = textual
        self.names = 0
        self.globals = [self.make_global() for _ in range(self.random.randint(0, 3))]

    def name(self, stem: bytes) -> bytes:
        self.names += 1
        return stem + self.random.choice((b"_", b"$", b" ", b".")) + b"%d" % self.names

    def input(self) -> Type:
        """A scalar type; other types violate rules that only the prose states (textual format, 6)."""
        if self.random.random() < 0.02:
            return self.random.choice((TOKEN, I32, Pointer(I8), self.tensor_view()))
        return Tile(self.random.choice((*INTEGERS, *BASE_FLOATS, Pointer(F32))))

    def make_global(self) -> Global:
        element = self.random.choice(self.numbers())
        tile = Tile(element, (self.random.choice((2, 4, 16)),))
        young = self.version >= V13_3
        return Global(self.name(b"global"), self.constant(tile), self.random.choice((0, 8, 256)),
                      young and self.random.random() < 0.4, young and self.random.random() < 0.4)

    # --- Types ----------------------------------------------------------------------------

    def numbers(self) -> tuple[Scalar, ...]:
        return INTEGERS + self.floats()

    def floats(self) -> tuple[Scalar, ...]:
        floats = BASE_FLOATS + OTHER_FLOATS
        if self.version >= V13_2:
            floats += (SCALE,)
        if self.version >= V13_3:
            floats += (FOUR_BITS,)
        return floats + (SMALL_SCALE,) if self.version >= V13_4 else floats

    def shape(self, element: Type = F32, least_rank: int = 0) -> tuple[int, ...]:
        shapes = [shape for shape in SHAPES if len(shape) >= least_rank
                  and (element != FOUR_BITS or count_elements(Tile(F32, shape)) > 1)]
        return self.random.choice(shapes)

    def tile(self, elements: tuple[Type, ...], least_rank: int = 0) -> Tile:
        element = self.random.choice(elements)
        return Tile(element, self.shape(element, least_rank))

    def any_tile(self) -> Tile:
        return self.tile(self.numbers() + (Pointer(F32), Pointer(I8)))

    def tensor_view(self) -> TensorView:
        rank = self.random.randint(1, 3)
        extents = [self.random.choice((1, 7, 64, 1 << 40, -(1 << 63))) for _ in range(2 * rank)]
        attributes = ((None,) if self.version < V13_4 else (None, "default")
                      if self.version < V13_5 else (None, "default", "unicast"))
        return TensorView(self.random.choice(self.numbers()), tuple(extents[:rank]),
                          tuple(extents[rank:]), self.random.choice(attributes))

    def tile_view(self) -> PartitionView | GatherScatterView | StridedView:
        view = self.tensor_view()
        rank = len(view.shape)
        shape = tuple(self.random.choice((2, 4, 8)) for _ in range(rank))
        dim_map = tuple(self.random.sample(range(rank), rank))
        paddings = [None, "zero"]
        if view.element not in INTEGERS:
            paddings += ["neg_zero", "nan", "pos_inf", "neg_inf"]
        padding = self.random.choice(paddings)
        kind = self.random.randrange(3) if self.version >= V13_3 else 0
        if kind == 1:
            return GatherScatterView(shape, view, self.random.randrange(rank), padding)
        if kind == 2:
            strides = tuple(self.random.choice((1, 3, 8, (1 << 31) - 1)) for _ in range(rank))
            return StridedView(shape, strides, view, dim_map, padding)
        return PartitionView(shape, view, dim_map, padding)

    # --- Attributes -----------------------------------------------------------------------

    def constant(self, tile: Tile) -> Constant:
        count, size = count_elements(tile), element_size(tile)
        if tile.element == I1:
            return pack_booleans(tile, [self.random.random() < 0.5 for _ in range(count)])
        mask = (1 << BITS[tile.element.name]) - 1
        edges = (0, 1, mask, mask >> 1, (mask >> 1) + 1)
        values = [self.random.choice(edges) if self.random.random() < 0.3
                  else self.random.getrandbits(64) & mask for _ in range(count)]
        if self.random.random() < 0.4:
            values = values[:1]
        return make_constant(tile, b"".join(value.to_bytes(size, "little") for value in values))

    def number(self, type_: Scalar) -> Integer | Float:
        """A scalar attribute, such as an identity."""
        bits = BITS[type_.name]
        value = self.random.choice((0, 1, (1 << bits) - 1, 1 << bits - 1,
                                    self.random.getrandbits(bits)))
        return Integer(type_, value) if type_.name.startswith("i") else Float(type_, value)

    def text(self) -> bytes:
        return self.random.choice(TEXTS)

    def entry_hints(self) -> Dictionary | None:
        if self.random.random() < 0.5:
            return None
        hints = self.hints({b"num_cta_in_cga": (1,), b"occupancy": (1, 7, 32),
                            b"num_worker_warps_per_cta": (1, 8)})
        return None if self.textual and not hints.entries else hints  # `<>` is not printed

    def memory_hints(self, of_view: bool) -> Dictionary:
        of_views: dict[bytes, tuple] = {b"allow_tma": (False, True)} if of_view else {}
        return self.hints({b"latency": (1, 10)} | of_views)

    def hints(self, known: dict[bytes, tuple]) -> Dictionary:
        targets = self.random.sample(TARGETS, self.random.choice((0, 1, 1, 2, 5)))
        return Dictionary(tuple((target, self.target_hints(known)) for target in targets))

    def target_hints(self, known: dict[bytes, tuple]) -> Dictionary:
        entries = []
        for key in self.random.sample(sorted(known), self.random.randint(0, len(known))):
            value = self.random.choice(known[key])
            width = I64 if self.textual else self.random.choice((I8, I32, I64))
            entries.append((key, Bool(value) if isinstance(value, bool) else Integer(width, value)))
        if not self.textual and self.random.random() < 0.2:  # an unknown hint
            entries.insert(0, (b"unknown", self.attribute()))
        return Dictionary(tuple(entries))

    def attribute(self, depth: int = 0) -> Attribute:
        kind = self.random.randrange(8 if depth else 10)
        match kind:
            case 0:
                return Bool(self.random.random() < 0.5)
            case 1:
                return TypeAttribute(self.any_tile())
            case 2:
                return String(self.text())
            case 3 | 4:
                return self.number(self.random.choice(INTEGERS if kind == 3 else BASE_FLOATS))
            case 5:
                return DivBy(8, self.random.choice((None, 1)), 0)
            case 6:
                return Bounded(self.random.choice((None, -(1 << 63))), (1 << 63) - 1)
            case 7:
                return SameElements((1, 2))
            case 8:
                return Array(tuple(self.attribute(1) for _ in range(self.random.randint(0, 3))))
        return Dictionary(((b"second", self.attribute(1)), (b"first", self.attribute(1))))

    # --- Debug information (bytecode format, 13) ------------------------------------------

    def subprogram(self, linkage: bytes) -> Subprogram:
        file = File(self.text(), self.text())
        unit = CompileUnit(self.random.choice((file, File(b"unit.py", b"/src"))))
        return Subprogram(file, self.line(), self.text(), linkage, unit, self.line())

    def line(self) -> int:
        return self.random.choice((0, 1, 127, 128, 70000, (1 << 32) - 1))

    def scopes(self, linkage: bytes) -> list[Subprogram | LexicalBlock]:
        scopes: list = [self.subprogram(linkage)]
        for _ in range(self.random.randint(0, 3)):
            scopes.append(LexicalBlock(self.random.choice(scopes), File(self.text(), b"/src"),
                                       self.line(), self.line()))
        return scopes

    def own_location(self, scopes: list) -> Location | None:
        return self.location(scopes[:1]) if scopes else None

    def location(self, scopes: list) -> Location:
        # A location whose file has no name is called "-" by MLIR's parser.
        file = self.text() or (b"-" if self.textual else b"")
        return Location(self.random.choice(scopes), file, self.line(), self.line())

    def operation_location(self, scopes: list) -> Location | CallSite | None:
        if not scopes or self.random.random() < 0.2:
            return None
        location = self.location(scopes)
        if self.random.random() < 0.1:
            return CallSite(self.random.choice((None, location)), None)
        while self.random.random() < 0.3:  # a call site is located at its caller
            inlined = self.scopes(b"inlined")
            location = CallSite(self.location(inlined), location)
        return location
