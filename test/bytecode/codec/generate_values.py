# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates random operations on values alone: arithmetic, conversions, products and shapes. All
except division are pure.
"""

from .builder import Builder, makes
from .layouts import BY_NAME, ENUMERATIONS, V13_2, V13_3, V13_4
from .pieces import BASE_FLOATS, F32, FOUR_BITS, I32, I4, I64, I8, INTEGERS, SCALE
from .program import BITS, I1, Pointer, Scalar, Tile, count_elements

IEEE_MODES = ENUMERATIONS["RoundingMode"][:4]


def total_bits(tile: Tile) -> int:
    """The size of the whole tile, for pack and unpack (arithmetic operations, 4.29)."""
    bits = 32 if tile.element.name == "tf32" else BITS[tile.element.name]
    return count_elements(tile) * bits


class Values(Builder):
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
        if (source.name, target.name) == ("f32", "tf32") and self.version >= V13_4:
            modes = ("nearest_even", "zero", "nearest_away")
        self.emit("ftof", (Tile(target, shape),), {"from": self.value(Tile(source, shape))},
                  rounding_mode=self.random.choice(modes))

    @makes()
    def number_conversion(self) -> None:
        integer, signedness = self.random.choice(INTEGERS), self.one_of("Signedness")
        number = self.random.choice(self.pieces.floats())
        shape = self.pieces.shape(FOUR_BITS)
        if self.chance() or number == SCALE:
            saturates = self.version >= V13_4 and self.chance()
            self.emit("ftoi", (Tile(integer, shape),), {"from": self.value(Tile(number, shape))},
                      ("saturating",) if saturates else (), signedness=signedness, rounding_mode="nearest_int_to_zero")
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

    @makes(V13_4)
    def integer_power(self) -> None:
        shape = self.pieces.shape()
        tile = Tile(self.random.choice(BASE_FLOATS), shape)
        exponent = self.random.choice([e for e in INTEGERS if BITS[e.name] <= 32])
        self.emit("fpowi", (tile,), {"source": self.value(tile),
                                     "exponent": self.value(Tile(exponent, shape))})

    @makes(V13_4)
    def insertion(self) -> None:
        element = self.random.choice(self.pieces.numbers())
        part = self.pieces.shape(FOUR_BITS)
        whole = Tile(element, tuple(extent * self.random.choice((1, 2)) for extent in part))
        self.emit("insert", (whole,), {
            "source": self.value(Tile(element, part)), "destination": self.value(whole),
            "indices": [self.value(Tile(I32)) for _ in part]})

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
        young = (("f4E2M1FN", "f8E5M3FNU", 16), ("f4E2M1FN", "f8E5M3FNU", 32))
        element, scale, run = self.random.choice((
            ("f8E4M3FN", "f8E8M0FNU", 32), ("f8E5M2", "f8E8M0FNU", 32),
            ("f4E2M1FN", "f8E8M0FNU", 16), ("f4E2M1FN", "f8E8M0FNU", 32),
            ("f4E2M1FN", "f8E4M3FN", 16), *(young if self.version >= V13_4 else ())))
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
