# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What else can a valid program hold? Random ones have every operation, flag and enumerant of
their version, in nested control flow. Each method that is marked with its version and the
places where it may stand builds one operation, or a few that belong together, by the rules of
the operation documents.
"""

from collections.abc import Callable
from dataclasses import replace

from .layouts import BY_NAME, ENUMERATIONS, V13_1, V13_2, V13_3
from .pieces import BASE_FLOATS, F32, FOUR_BITS, I4, I8, I32, I64, INTEGERS, SCALE, Pieces
from .program import (
    BITS, DYNAMIC, I1, TOKEN, Block, Bounded, DivBy, Entry, Float, Function, GatherScatterView,
    Integer, Module, Operation, PartitionView, Pointer, SameElements, Scalar, StridedView,
    TensorView, Tile, Type, Value, count_elements)

IEEE_MODES = ENUMERATIONS["RoundingMode"][:4]
MAKERS: list[tuple[Callable, tuple[int, int], bool]] = []  # method, version, pure


def makes(since: tuple[int, int] = V13_1, pure: bool = True) -> Callable:
    """Pure ones may stand in a reduce or scan (core operations, 4.11)."""
    def register(method: Callable) -> Callable:
        MAKERS.append((method, since, pure))
        return method
    return register


def total_bits(tile: Tile) -> int:
    """As pack and unpack count them (arithmetic operations, 4.29)."""
    bits = 32 if tile.element.name == "tf32" else BITS[tile.element.name]
    return count_elements(tile) * bits


def generate(seed: int, version: tuple[int, int], textual: bool = False,
             size: int = 25) -> Module:
    """`textual`: text can hold it. `size` counts what is made for an entry, at most."""
    pieces = Pieces(f"{seed} {version}", version, textual)
    dice = pieces.random
    module = Module(globals=pieces.globals)
    for _ in range(2):
        inputs = tuple(pieces.input() for _ in range(dice.choice((0, 1, 3, 20, 140))))
        name = pieces.name(b"kernel")
        scopes = pieces.scopes(name) if dice.random() < 0.6 else []
        body = Block([Value(type_) for type_ in inputs])
        Body(pieces, body, scopes).fill_entry(dice.randint(1, size))
        module.entries.append(Entry(name, Function(inputs, ()), body, pieces.entry_hints(),
                                    pieces.own_location(scopes)))
    if version >= V13_3 and dice.random() < 0.5:
        module.producer = dice.choice((b"generator 1.0", b"", b"kernel.py"))
    return module


class Body:
    """The operations of an entry."""

    def __init__(self, pieces: Pieces, block: Block, scopes: list):
        self.pieces, self.random, self.scopes = pieces, pieces.random, scopes
        self.version = pieces.version
        self.block = block
        self.visible: list[list[Value]] = [list(block.arguments)]
        self.nesting: list[tuple] = [("entry",)]
        self.makers = [(method, pure) for method, since, pure in MAKERS if since <= self.version]

    def fill_entry(self, size: int) -> None:
        self.fill(size)
        self.emit("return", operands={"operands": []})

    def fill(self, size: int) -> None:
        pure = self.nesting[-1][0] == "aggregate"
        makers = [method for method, is_pure in self.makers if is_pure or not pure]
        for _ in range(size):
            self.random.choice(makers)(self)

    def chance(self, probability: float = 0.5) -> bool:
        return self.random.random() < probability

    # --- Building -------------------------------------------------------------------------

    def emit(self, mnemonic: str, /, results: tuple[Type, ...] = (), operands: dict | None = None,
             units: tuple[str, ...] = (), regions: list | None = None, **attributes) -> list[Value]:
        """`operands` by group; a single value stands for a group of one."""
        groups = {part.name: [] for part in BY_NAME[mnemonic].operands}
        for group, values in (operands or {}).items():
            assert group in groups, (mnemonic, group)
            groups[group] = values if isinstance(values, list) else [values]
        operation = Operation(mnemonic, [Value(type_) for type_ in results], attributes,
                              frozenset(units), groups, regions or [],
                              self.pieces.operation_location(self.scopes))
        self.block.operations.append(operation)
        self.visible[-1] += operation.results
        return operation.results

    def value(self, type_: Type) -> Value:
        known = [value for values in self.visible for value in values if value.type == type_]
        return self.random.choice(known) if known and self.chance(0.7) else self.make(type_)

    def make(self, type_: Type) -> Value:
        match type_:
            case Tile(Pointer(), shape):
                return self.emit("int_to_ptr", (type_,),
                                 {"source": self.value(Tile(I64, shape))})[0]
            case Tile(element, shape) if element == I4:
                return self.emit("trunci", (type_,), {"from": self.value(Tile(I8, shape))},
                                 overflow="none")[0]
            case Tile():
                return self.emit("constant", (type_,), value=self.pieces.constant(type_))[0]
            case TensorView():
                return self.make_tensor_view(type_)
            case PartitionView() | GatherScatterView() | StridedView():
                name = {PartitionView: "partition", GatherScatterView: "gather_scatter",
                        StridedView: "strided"}[type(type_)]
                return self.emit(f"make_{name}_view", (type_,),
                                 {"tensor_view": self.value(type_.view)})[0]
        assert type_ == TOKEN, type_
        return self.emit("make_token", (TOKEN,))[0]

    def make_tensor_view(self, type_: TensorView) -> Value:
        integer = Tile(self.random.choice(INTEGERS))
        return self.emit("make_tensor_view", (type_,), {
            "base": self.value(Tile(Pointer(type_.element))),
            "dynamicShape": [self.value(integer) for e in type_.shape if e == DYNAMIC],
            "dynamicStrides": [self.value(integer) for s in type_.strides if s == DYNAMIC]})[0]

    def nested(self, kind: tuple, arguments: list[Type], finish: Callable[["Body", Block], None],
               size: int) -> list[Block]:
        block, outer = Block([Value(type_) for type_ in arguments]), self.block
        self.block = block
        self.visible.append(list(block.arguments))
        self.nesting.append(kind)
        self.fill(size)
        finish(self, block)
        self.nesting.pop()
        self.visible.pop()
        self.block = outer
        return [block]

    def terminate(self, name: str, types: tuple[Type, ...]) -> None:
        self.emit(name, operands={"operands": [self.value(type_) for type_ in types]})

    # --- Arithmetic -----------------------------------------------------------------------

    def unary(self, name: str, tile: Tile, units: tuple = (), **attributes) -> None:
        self.emit(name, (tile,), {"source": self.value(tile)}, units, **attributes)

    def binary(self, name: str, tile: Tile, units: tuple = (), result: Tile | None = None,
               **attributes) -> None:
        groups = [part.name for part in BY_NAME[name].operands]
        self.emit(name, (result or tile,), {group: self.value(tile) for group in groups}, units,
                  **attributes)

    def flush(self, tile: Tile, *more: str) -> tuple[str, ...]:
        units = tuple(unit for unit in more if self.chance())
        return units + ("flush_to_zero",) if tile.element == F32 and self.chance() else units

    def float_tile(self) -> Tile:
        return self.pieces.tile(BASE_FLOATS)

    def integer_tile(self) -> Tile:
        return self.pieces.tile(INTEGERS)

    def one_of(self, enumeration: str) -> str:
        return self.random.choice(ENUMERATIONS[enumeration])

    @makes()
    def plain_float(self) -> None:
        self.unary(self.random.choice(("absf", "ceil", "cos", "cosh", "floor", "log", "log2",
                                       "negf", "sin", "sinh", "tan")), self.float_tile())

    @makes()
    def exponential(self) -> None:
        tile = self.float_tile()
        name, since = self.random.choice((("exp", V13_3), ("tanh", V13_2)))
        modes = ("full", "approx") if tile.element == F32 and self.version >= since else ("full",)
        self.unary(name, tile, rounding_mode=self.random.choice(modes))

    @makes()
    def flushing_unary(self) -> None:
        tile = self.float_tile()
        self.unary(self.random.choice(("exp2", "rsqrt")), tile, self.flush(tile))

    @makes()
    def root(self) -> None:
        tile = self.float_tile()
        modes = IEEE_MODES + (("approx",) if tile.element == F32 else ())
        self.unary("sqrt", tile, self.flush(tile), rounding_mode=self.random.choice(modes))

    @makes()
    def rounded_binary(self) -> None:
        tile = self.float_tile()
        name = self.random.choice(("addf", "subf", "mulf", "divf", "fma"))
        modes = IEEE_MODES
        if name == "divf" and tile.element == F32:
            modes += ("approx", "full")
        self.binary(name, tile, self.flush(tile), rounding_mode=self.random.choice(modes))

    @makes()
    def float_extremum(self) -> None:
        tile = self.float_tile()
        self.binary(self.random.choice(("maxf", "minf")), tile, self.flush(tile, "propagate_nan"))

    @makes()
    def float_binary(self) -> None:
        names = ("remf", "pow") + (("atan2",) if self.version >= V13_2 else ())
        self.binary(self.random.choice(names), self.float_tile())

    @makes()
    def integer_unary(self) -> None:
        self.unary("absi", self.integer_tile())

    @makes()
    def negation(self) -> None:
        modes = ("none", "no_signed_wrap", "no_wrap") if self.version >= V13_2 else ("none",)
        self.unary("negi", self.integer_tile(), overflow=self.random.choice(modes))

    @makes()
    def integer_binary(self) -> None:
        self.binary(self.random.choice(("andi", "ori", "xori", "mulhii")), self.integer_tile())

    @makes()
    def overflowing(self) -> None:
        self.binary(self.random.choice(("addi", "subi", "muli", "shli")), self.integer_tile(),
                    overflow=self.one_of("IntegerOverflow"))

    @makes()
    def signed_binary(self) -> None:
        self.binary(self.random.choice(("maxi", "mini", "remi", "shri")), self.integer_tile(),
                    signedness=self.one_of("Signedness"))

    @makes(pure=False)
    def division(self) -> None:
        signedness = self.one_of("Signedness")
        modes = ("zero", "positive_inf") + (("negative_inf",) if signedness == "signed" else ())
        self.binary("divi", self.integer_tile(), signedness=signedness,
                    rounding=self.random.choice(modes))

    @makes()
    def integer_comparison(self) -> None:
        tile = self.integer_tile()
        self.binary("cmpi", tile, result=Tile(I1, tile.shape), signedness=self.one_of("Signedness"),
                    comparison_predicate=self.one_of("ComparisonPredicate"))

    @makes()
    def float_comparison(self) -> None:
        tile = self.float_tile()
        self.binary("cmpf", tile, result=Tile(I1, tile.shape),
                    comparison_predicate=self.one_of("ComparisonPredicate"),
                    comparison_ordering=self.one_of("ComparisonOrdering"))

    @makes()
    def selection(self) -> None:
        tile = self.pieces.any_tile()
        if tile.element == FOUR_BITS:
            return
        self.emit("select", (tile,), {"cond": self.value(Tile(I1, tile.shape)),
                                      "val_if_true": self.value(tile),
                                      "val_if_false": self.value(tile)})

    # --- Conversions ----------------------------------------------------------------------

    @makes()
    def widening(self) -> None:
        elements = INTEGERS + ((I4,) if self.version >= V13_3 else ())
        narrow, wide = sorted(self.random.sample(elements, 2), key=lambda e: BITS[e.name])
        shape = self.pieces.shape()
        if self.chance():
            self.emit("exti", (Tile(wide, shape),), {"from": self.value(Tile(narrow, shape))},
                      signedness=self.one_of("Signedness"))
        else:
            self.emit("trunci", (Tile(narrow, shape),), {"from": self.value(Tile(wide, shape))},
                      overflow=self.one_of("IntegerOverflow"))

    @makes()
    def float_conversion(self) -> None:
        source, target = self.random.sample(self.pieces.floats(), 2)
        shape = self.pieces.shape(FOUR_BITS)
        modes = ("zero", "positive_inf") if target == SCALE else ("nearest_even",)
        self.emit("ftof", (Tile(target, shape),), {"from": self.value(Tile(source, shape))},
                  rounding_mode=self.random.choice(modes))

    @makes()
    def number_conversion(self) -> None:
        integer, signedness = self.random.choice(INTEGERS), self.one_of("Signedness")
        number = self.random.choice(self.pieces.floats())
        shape = self.pieces.shape(FOUR_BITS)
        if self.chance() or number == SCALE:
            self.emit("ftoi", (Tile(integer, shape),), {"from": self.value(Tile(number, shape))},
                      signedness=signedness, rounding_mode="nearest_int_to_zero")
        else:
            self.emit("itof", (Tile(number, shape),), {"from": self.value(Tile(integer, shape))},
                      signedness=signedness, rounding_mode="nearest_even")

    @makes()
    def same_bits(self) -> None:
        source = self.random.choice(self.pieces.numbers())
        targets = [e for e in self.pieces.numbers() if BITS[e.name] == BITS[source.name]]
        shape = self.pieces.shape(FOUR_BITS)
        self.emit("bitcast", (Tile(self.random.choice(targets), shape),),
                  {"source": self.value(Tile(source, shape))})

    @makes()
    def pointer_conversion(self) -> None:
        shape, pointee = self.pieces.shape(), self.random.choice(self.pieces.numbers())
        pointer = self.value(Tile(Pointer(F32), shape))
        if self.chance():
            self.emit("ptr_to_int", (Tile(I64, shape),), {"source": pointer})
        else:
            self.emit("ptr_to_ptr", (Tile(Pointer(pointee), shape),), {"source": pointer})

    @makes(V13_3)
    def packing(self) -> None:
        elements = [e for e in self.pieces.numbers() + (I4,) if BITS[e.name] != 8]
        tile = Tile(self.random.choice(elements), (self.random.choice((8, 16, 32)),))
        packed = Tile(I8, (total_bits(tile) // 8,))
        if self.chance():
            self.emit("pack", (packed,), {"source": self.value(tile)})
        else:
            self.emit("unpack", (tile,), {"source": self.value(packed)})

    # --- Matrix products ------------------------------------------------------------------

    def product_shapes(self, k: int) -> tuple[tuple, tuple, tuple]:
        batch = (2,) if self.chance() else ()
        m, n = self.random.choice((2, 4)), self.random.choice((1, 2))
        return batch + (m, k), batch + (k, n), batch + (m, n)

    @makes()
    def matrix_product(self) -> None:
        element, sum_ = self.random.choice((
            ("f8E4M3FN", "f16"), ("f8E4M3FN", "f32"), ("f8E5M2", "f16"), ("f8E5M2", "f32"),
            ("f16", "f16"), ("f16", "f32"), ("bf16", "f32"), ("tf32", "f32"), ("f32", "f32"),
            ("f64", "f64"), ("i8", "i32")))
        left, right, result = self.product_shapes(4)
        acc = Tile(Scalar(sum_), result)
        operands = {"lhs": self.value(Tile(Scalar(element), left)),
                    "rhs": self.value(Tile(Scalar(element), right)), "acc": self.value(acc)}
        if element == "i8":
            self.emit("mmai", (acc,), operands, signedness_lhs=self.one_of("Signedness"),
                      signedness_rhs=self.one_of("Signedness"))
        else:
            fast = self.version >= V13_3 and self.chance()
            self.emit("mmaf", (acc,), operands, ("fast_acc",) if fast else ())

    @makes(V13_3)
    def scaled_product(self) -> None:
        element, scale, run = self.random.choice((
            ("f8E4M3FN", "f8E8M0FNU", 32), ("f8E5M2", "f8E8M0FNU", 32),
            ("f4E2M1FN", "f8E8M0FNU", 16), ("f4E2M1FN", "f8E8M0FNU", 32),
            ("f4E2M1FN", "f8E4M3FN", 16)))
        left, right, result = self.product_shapes(64)
        acc, scale, runs = Tile(F32, result), Scalar(scale), 64 // run
        self.emit("mmaf_scaled", (acc,), {
            "lhs": self.value(Tile(Scalar(element), left)),
            "rhs": self.value(Tile(Scalar(element), right)), "acc": self.value(acc),
            "lhs_scale": self.value(Tile(scale, left[:-1] + (runs,))),
            "rhs_scale": self.value(Tile(scale, right[:-2] + (runs,) + right[-1:]))})

    # --- Shapes ---------------------------------------------------------------------------

    @makes()
    def rearrangement(self) -> None:
        tile = self.pieces.any_tile()
        count = count_elements(tile)
        flat = Tile(tile.element, (count,))
        self.emit("reshape", (flat,), {"source": self.value(tile)})
        row = self.emit("reshape", (Tile(tile.element, (1, count)),), {"source": self.value(flat)})
        wide = self.emit("broadcast", (Tile(tile.element, (4, count)),), {"source": row[0]})
        self.emit("permute", (Tile(tile.element, (count, 4)),), {"source": wide[0]},
                  permutation=(1, 0))

    @makes()
    def three_axes(self) -> None:
        order = tuple(self.random.sample(range(3), 3))
        source = Tile(I32, (2, 4, 8))
        self.emit("permute", (Tile(I32, tuple(source.shape[axis] for axis in order)),),
                  {"source": self.value(source)}, permutation=order)

    @makes()
    def concatenation(self) -> None:
        tile = self.pieces.tile(self.pieces.numbers(), least_rank=1)
        dim = self.random.randrange(len(tile.shape))
        shape = tuple(extent << (axis == dim) for axis, extent in enumerate(tile.shape))
        self.binary("cat", tile, result=Tile(tile.element, shape), dim=dim)

    @makes()
    def extraction(self) -> None:
        tile = self.pieces.any_tile()
        shape = tuple(self.random.choice((extent, max(extent // 2, 1))) for extent in tile.shape)
        if tile.element == FOUR_BITS:
            shape = tile.shape
        self.emit("extract", (Tile(tile.element, shape),), {
            "source": self.value(tile), "indices": [self.value(Tile(I32)) for _ in shape]})

    @makes()
    def counting(self) -> None:
        element = self.random.choice((I8, I32, I64))
        self.emit("iota", (Tile(element, (self.random.choice((2, 64, 256)),)),))

    @makes()
    def grid(self) -> None:
        name = self.random.choice(("get_tile_block_id", "get_num_tile_blocks"))
        self.emit(name, (Tile(I32),) * 3)

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
        """Ordering and scope; no scope with weak (core operations, 2.4)."""
        ordering = self.random.choice(("weak", *strong))
        scope = {} if ordering == "weak" else {"memory_scope": self.one_of("MemoryScope")}
        return {"memory_ordering_semantics": ordering} | scope

    def hinted(self, of_view: bool) -> dict:
        return {"optimization_hints": self.pieces.memory_hints(of_view)} if self.chance(0.3) else {}

    def maybe(self, type_: Type) -> list[Value]:
        return [self.value(type_)] if self.chance() else []

    @makes(pure=False)
    def pointer_load(self) -> None:
        tile = self.pieces.tile(self.pieces.numbers())
        mask = self.maybe(Tile(I1, tile.shape))
        self.emit("load_ptr_tko", (tile, TOKEN), {
            "source": self.value(Tile(Pointer(tile.element), tile.shape)), "mask": mask,
            # Padding without a mask is not an error, but has no custom form.
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
            # bf16 came with 13.3 (core operations, 9.1).
            return mode, self.random.choice([e for e in BASE_FLOATS
                                             if e.name != "bf16" or self.version >= V13_3])
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

    # --- Views ----------------------------------------------------------------------------

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
                      **self.ordering("relaxed", "acquire"), **self.hinted(of_view=True))
        else:
            self.emit("store_view_tko", (TOKEN,), {"tile": self.value(tile)} | operands,
                      **self.ordering("relaxed", "release"), **self.hinted(of_view=True))

    @makes(V13_3, pure=False)
    def view_update(self) -> None:
        type_ = self.pieces.tile_view()
        if isinstance(type_, GatherScatterView) or type_.padding is not None:
            return
        mode, element = self.mode_and_element()
        if mode == "xchg":
            return
        # The type is rare enough already; let its element suit the operation.
        type_ = replace(type_, view=replace(type_.view, element=element))
        tile = Tile(element, type_.tile_shape)
        self.emit("atomic_red_view_tko", (TOKEN,), {
            "view": self.value(type_), "index": self.indices(type_), "value": self.value(tile),
            "token": self.maybe(TOKEN)}, memory_ordering_semantics="relaxed",
            memory_scope=self.random.choice(("tl_blk", "device")), mode=mode)

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
        if not newer:  # 13.1 has no way to use it
            self.visible[-1].remove(results[0])

    # --- Regions --------------------------------------------------------------------------

    def carried(self) -> tuple[Type, ...]:
        types = [TOKEN, Tile(I32), Tile(F32, (4,)), Tile(Pointer(F32)), Tile(I1)]
        return tuple(self.random.choice(types) for _ in range(self.random.choice((0, 0, 1, 3))))

    def size(self) -> int:
        return self.random.randint(0, 5) if len(self.nesting) < 5 else 0

    def innermost_loop(self) -> tuple | None:
        loops = [kind for kind in self.nesting if kind[0] != "if"]
        return loops[-1] if loops[-1][0] in ("for", "loop") else None

    def leave_branch(self, results: tuple[Type, ...]) -> None:
        """An `if` ends in yield, or leaves what is around it (core operations, 5)."""
        loop = self.innermost_loop()
        choice = self.random.random()
        if choice < 0.7:
            self.terminate("yield", results)
        elif loop is None:
            self.terminate("return", ())
        elif loop[0] == "loop" and choice < 0.85:
            self.terminate("break", loop[2])
        else:
            self.terminate("continue", loop[1])

    @makes(pure=False)
    def branch(self) -> None:
        results = self.carried()
        condition = self.value(Tile(I1))
        branches = 2 if results or self.chance() else 1
        regions = [self.nested(("if",), [], lambda body, block: body.leave_branch(results),
                               self.size()) for _ in range(branches)]
        self.emit("if", results, {"condition": condition}, regions=(regions + [[]])[:2])

    @makes(pure=False)
    def counted_loop(self) -> None:
        integer, types = Tile(self.random.choice(INTEGERS)), self.carried()
        bounds = {name: self.value(integer) for name in ("lowerBound", "upperBound", "step")}
        initial = [self.value(type_) for type_ in types]
        region = self.nested(("for", types), [integer, *types],
                             lambda body, block: body.terminate("continue", types), self.size())
        unsigned = self.version >= V13_2 and self.chance()
        self.emit("for", types, bounds | {"initValues": initial},
                  ("unsignedCmp",) if unsigned else (), [region])

    @makes(pure=False)
    def endless_loop(self) -> None:
        types, results = self.carried(), self.carried()
        initial = [self.value(type_) for type_ in types]
        name, out = self.random.choice((("break", results), ("continue", types)))
        region = self.nested(("loop", types, results), list(types),
                             lambda body, block: body.terminate(name, out), self.size())
        self.emit("loop", results, {"initValues": initial}, regions=[region])

    def identity(self, element: Scalar) -> Integer | Float:
        """f16 and bf16 may stand for each other (core operations, 4.11)."""
        halves = (Scalar("f16"), Scalar("bf16"))
        return self.pieces.number(self.random.choice(halves) if element in halves else element)

    @makes(pure=False)
    def aggregation(self) -> None:
        elements = [e for e in self.pieces.numbers() if e != FOUR_BITS]
        elements += [I4] if self.version >= V13_3 else []
        shape = self.pieces.shape(least_rank=1)
        tiles = [Tile(self.random.choice(elements), shape)
                 for _ in range(self.random.choice((1, 1, 2, 3)))]
        dim = self.random.randrange(len(shape))
        scalars = tuple(Tile(tile.element) for tile in tiles)
        operands = [self.value(tile) for tile in tiles]
        identities = tuple(self.identity(tile.element) for tile in tiles)
        region = self.nested(("aggregate",), [scalar for scalar in scalars for _ in range(2)],
                             lambda body, block: body.terminate("yield", scalars), self.size())
        if self.chance():
            results = tuple(Tile(tile.element, shape[:dim] + shape[dim + 1:]) for tile in tiles)
            self.emit("reduce", results, {"operands": operands}, regions=[region], dim=dim,
                      identities=identities)
        else:
            self.emit("scan", tuple(tiles), {"operands": operands}, regions=[region], dim=dim,
                      reverse=self.chance(), identities=identities)
