# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementwise operations, and the guards that keep them defined.

A table row for each operation states its operands. Divisions, shifts, conversions to integers and
overflow assumptions are guarded: before, by operands for which the result is defined, or after, by a
`select` that replaces undefined results (then the operation still runs on the bad operands, which
must do no harm).

Functions whose results may differ in the last bits are stored together with their error bound, and
their results are not used.
"""

from builder import Builder
from checks import Ulps
from conversions import convert
from elements import BASE_FLOATS, FLOATS, INTEGERS, WIDTHS, below
from tileir import Tile, Value

SIGNS = ("signed", "unsigned")
IEEE = ("", " rounding<zero>", " rounding<negative_inf>", " rounding<positive_inf>")
PREDICATES = ("equal", "not_equal", "less_than", "less_than_or_equal", "greater_than",
              "greater_than_or_equal")
# The allowed distance from the correctly rounded result in ulps, for f32 and f64; f16 and bf16 may be
# off by one (arithmetic, 3.4; the CPU compiler guarantees more for the first line).
MAX_ULPS = {"exp": (1, 1), "exp2": (1, 1), "log": (1, 1), "log2": (1, 1), "sin": (1, 1),
            "cos": (1, 1), "tanh": (1, 1), "rsqrt": (1, 1),
            "tan": (4, 2), "sinh": (3, 2), "cosh": (2, 1), "atan2": (3, 2), "pow": (4, 2),
            "fpowi": (4, 2)}
APPROXIMATE = {"divf": 2, "sqrt": 3, "exp": 106, "tanh": 1 << 13}


def elementwise(b: Builder) -> Value | None:
    """One operation; those that are easier to get wrong are more frequent."""
    return b.weighted(KINDS)(b)


# --- Integers -----------------------------------------------------------------------------------


def bitwise(b: Builder) -> Value:
    tile = b.tile(INTEGERS)
    op = b.choice(["andi", "ori", "xori", "mulhii", "maxi", "mini"])
    sign = f" {b.choice(SIGNS)}" if op in ("maxi", "mini") else ""
    return b.op(f"{op} $0, $1{sign} : $r0", b.operand(tile), b.operand(tile), to=tile)


def integer_sum(b: Builder) -> Value:
    tile = b.tile(INTEGERS)
    op = b.choice(["addi", "subi", "muli"])
    lhs, rhs = b.operand(tile), b.operand(tile)
    if tile.element == "i1" or b.chance(0.7):
        return b.op(f"{op} $0, $1 : $r0", lhs, rhs, to=tile)
    # Both are small and nonnegative, and so is the difference: no assumption is violated.
    bits = WIDTHS[tile.element] // 2 + 1 if op == "muli" else 2
    lhs, rhs = (shifted_right(b, v, bits) for v in (lhs, rhs))
    if op == "subi":
        lhs, rhs = (b.op(f"{o} $0, $1 unsigned : $r0", lhs, rhs, to=tile)
                    for o in ("maxi", "mini"))
    return b.op(f"{op} $0, $1 overflow<{promise(b)}> : $r0", lhs, rhs, to=tile)


def promise(b: Builder) -> str:
    return b.choice(["no_signed_wrap", "no_unsigned_wrap", "no_wrap"])


def shifted_right(b: Builder, value: Value, bits: int) -> Value:
    amount = b.constant(value.type, bits)
    return b.op("shri $0, $1 unsigned : $r0", value, amount, to=value.type)


def masked(b: Builder, value: Value, mask: int) -> Value:
    return b.op("andi $0, $1 : $r0", value, b.constant(value.type, mask), to=value.type)


def sign_change(b: Builder) -> Value:
    tile = b.tile(INTEGERS)
    value = b.operand(tile)
    if b.chance(0.4):
        return b.op("absi $0 : $r0", value, to=tile)
    if tile.element != "i1" and b.chance(0.3):
        value = b.op("shri $0, $1 signed : $r0", value, b.constant(tile, 1), to=tile)
        return b.op("negi $0 overflow<no_signed_wrap> : $r0", value, to=tile)
    return b.op("negi $0 : $r0", value, to=tile)


def shift(b: Builder) -> Value:
    tile = b.tile(INTEGERS)
    value, amount, width = b.operand(tile), b.operand(tile), WIDTHS[tile.element]
    op, tail = b.choice([("shli", ""), ("shri", " signed"), ("shri", " unsigned")])
    if op == "shli" and width > 1 and b.chance(0.3):
        value, amount = shifted_right(b, value, width // 2), masked(b, amount, width // 4 - 1)
        return b.op(f"shli $0, $1 overflow<{promise(b)}> : $r0", value, amount, to=tile)
    if width == 1 or b.chance(0.6):
        return b.op(f"{op} $0, $1{tail} : $r0", value, masked(b, amount, width - 1), to=tile)
    result = b.op(f"{op} $0, $1{tail} : $r0", value, amount, to=tile)
    fits = b.op("cmpi less_than $0, $1, unsigned : $t0 -> $r0", amount,
                b.constant(tile, width), to=tile.of("i1"))
    return choose(b, fits, result, value)


def choose(b: Builder, condition: Value, yes: Value, no: Value) -> Value:
    return b.op("select $0, $1, $2 : $t0, $r0", condition, yes, no, to=yes.type,
                any_nan=yes.any_nan or no.any_nan)


def division(b: Builder) -> Value:
    tile = b.tile(INTEGERS)
    lhs, rhs, width = b.operand(tile), b.operand(tile), WIDTHS[tile.element]
    op, sign = b.choice(["divi", "remi"]), b.choice(SIGNS)
    tail = sign
    if op == "divi":
        modes = ["", "", " rounding<positive_inf>"]
        tail += b.choice(modes + [" rounding<negative_inf>"] * (sign == "signed"))
    overflows = op == "divi" and sign == "signed"
    condition = tile.of("i1")
    equal = "cmpi equal $0, $1, signed : $t0 -> $r0"
    if b.chance(0.5) and not (overflows and width == 1):
        if overflows:  # avoid the smallest number as an operand
            lhs = b.op("shri $0, $1 signed : $r0", lhs, b.constant(tile, 1), to=tile)
        if b.chance(0.5):
            rhs = b.op("ori $0, $1 : $r0", rhs, b.constant(tile, 1), to=tile)
        else:
            zero = b.op(equal, rhs, b.constant(tile, 0), to=condition)
            rhs = choose(b, zero, b.constant(tile, b.choice([1, 3, -1])), rhs)
        return b.op(f"{op} $0, $1 {tail} : $r0", lhs, rhs, to=tile)
    result = b.op(f"{op} $0, $1 {tail} : $r0", lhs, rhs, to=tile)
    bad = b.op(equal, rhs, b.constant(tile, 0), to=condition)
    if overflows:
        least = b.op(equal, lhs, b.constant(tile, 1 << width - 1), to=condition)
        minus = b.op(equal, rhs, b.constant(tile, -1), to=condition)
        both = b.op("andi $0, $1 : $r0", least, minus, to=condition)
        bad = b.op("ori $0, $1 : $r0", bad, both, to=condition)
    return choose(b, bad, lhs, result)


def integer_comparison(b: Builder) -> Value:
    tile = b.tile(INTEGERS)
    return b.op(f"cmpi {b.choice(PREDICATES)} $0, $1, {b.choice(SIGNS)} : $t0 -> $r0",
                b.operand(tile), b.operand(tile), to=tile.of("i1"))


# --- Floats -------------------------------------------------------------------------------------


def flush(b: Builder, tile: Tile) -> str:
    return " flush_to_zero" if tile.element == "f32" and b.chance(0.25) else ""


def float_sum(b: Builder) -> Value:
    """Correctly rounded in each of the four modes."""
    tile = b.tile(BASE_FLOATS)
    op, arity = b.choice([("addf", 2), ("subf", 2), ("mulf", 2), ("divf", 2), ("fma", 3),
                          ("sqrt", 1)])
    mode = b.choice(IEEE) if b.chance(0.5) else ""
    gaps = ", ".join(f"${i}" for i in range(arity))
    return b.arithmetic(f"{op} {gaps}{mode}{flush(b, tile)} : $r0",
                        *(b.operand(tile) for _ in range(arity)), to=tile)


def float_choice(b: Builder) -> Value:
    tile = b.tile(BASE_FLOATS)
    nan = b.choice(["", " propagate_nan"])
    return b.arithmetic(f"{b.choice(['maxf', 'minf'])} $0, $1{flush(b, tile)}{nan} : $r0",
                        b.operand(tile), b.operand(tile), to=tile)


def float_unary(b: Builder) -> Value:
    tile = b.tile(BASE_FLOATS)
    op, value = b.choice(["absf", "negf", "ceil", "floor"]), b.operand(tile)
    # Whether `ceil` and `floor` keep a NaN's bits is unspecified.
    any_nan = value.any_nan or op in ("ceil", "floor")
    return b.op(f"{op} $0 : $r0", value, to=tile, any_nan=any_nan)


def float_remainder(b: Builder) -> Value:
    tile = b.tile(BASE_FLOATS)
    return b.arithmetic("remf $0, $1 : $r0", b.operand(tile), b.operand(tile), to=tile)


def float_comparison(b: Builder) -> Value:
    tile = b.tile(BASE_FLOATS)
    order = b.choice(["ordered", "unordered"])
    return b.op(f"cmpf {b.choice(PREDICATES)} {order} $0, $1 : $t0 -> $r0",
                b.operand(tile), b.operand(tile), to=tile.of("i1"), any_nan=False)


def clamped(b: Builder, value: Value, low: float, high: float) -> Value:
    """Clamps to the bounds; a NaN becomes the lower one."""
    tile = value.type
    above = b.op("maxf $0, $1 : $r0", value, b.constant(tile, low), to=tile, any_nan=False)
    return b.op("minf $0, $1 : $r0", above, b.constant(tile, high), to=tile, any_nan=False)


def function(b: Builder) -> None:
    """A math function, which is close to the exact result, and stored immediately."""
    if not b.can_store:
        return
    tile = b.tile(BASE_FLOATS)
    op, tail = b.choice(list(MAX_ULPS)), ""
    ulps = MAX_ULPS[op][tile.element == "f64"] if tile.element in ("f32", "f64") else 1
    if tile.element == "f32" and b.chance(0.2):
        op = b.choice(list(APPROXIMATE))
        tail, ulps = " rounding<approx>", APPROXIMATE[op]
    values = [b.operand(tile)]
    if op in ("pow", "atan2", "divf"):
        values.append(b.operand(tile))
    if op == "fpowi":
        values.append(b.operand(tile.of(b.choice(["i1", "i8", "i16", "i32"]))))
    if op == "divf":  # `approx` is only accurate between these bounds
        tail = b.choice([tail, " rounding<full>"])
        size = b.op("absf $0 : $r0", values[1], to=tile)
        values[1] = clamped(b, size, 2.0**-126, 2.0**126)
    if op in ("exp2", "rsqrt", "divf", "sqrt"):
        tail += flush(b, tile)
    names = ", ".join(f"${k}" for k in range(len(values)))
    types = "$r0, $t1" if op == "fpowi" else "$r0"
    result = b.op(f"{op} {names}{tail} : {types}", *values, to=tile, any_nan=True)
    b.store(moved(b, result), Ulps(True, ulps, "flush" in tail))


def moved(b: Builder, value: Value) -> Value:
    """The same magnitudes, possibly with other signs or permuted."""
    tile = value.type
    if b.chance(0.3):
        value = b.op(f"{b.choice(['negf', 'absf'])} $0 : $r0", value, to=tile)
    if b.chance(0.3) and not b.scope.ragged:
        flat = tile.shaped(tile.count)
        if flat != tile:
            value = b.op("reshape $0 : $t0 -> $r0", value, to=flat)
    return value


# --- Conversions --------------------------------------------------------------------------------


def conversion(b: Builder) -> Value | None:
    value = b.operand(b.tile([*INTEGERS, *FLOATS, "i4"]))
    return convert(b, value, b.element())


def promised_truncation(b: Builder) -> Value | None:
    tile = b.tile(["i16", "i32", "i64"])
    to = b.choice([e for e in (*INTEGERS, "i4") if e != "i1"])
    drop = WIDTHS[tile.element] - WIDTHS[to]
    if drop <= 0:
        return None
    small = shifted_right(b, b.operand(tile), drop + 1)
    return b.op(f"trunci $0 overflow<{promise(b)}> : $t0 -> $r0", small, to=tile.of(to))


def to_integer(b: Builder) -> Value:
    tile = b.tile(FLOATS)
    to, sign = tile.of(b.element(INTEGERS)), b.choice(SIGNS)
    value, width = b.operand(tile), WIDTHS[to.element]
    if b.chance(0.3):
        return b.op(f"ftoi $0 {sign} saturating : $t0 -> $r0", value, to=to, any_nan=False)
    if to.element == "i1":  # defined for every float
        return b.op(f"ftoi $0 {sign} : $t0 -> $r0", value, to=to, any_nan=False)
    high = 2.0 ** (width - (sign == "signed"))
    low = -2.0 ** (width - 1) if sign == "signed" else -0.75
    if tile.element in BASE_FLOATS and b.chance(0.5):
        largest = below(tile.element, high)
        low = max(low, -below(tile.element, 2.0**200))
        return b.op(f"ftoi $0 {sign} : $t0 -> $r0", clamped(b, value, low, largest), to=to)
    result = b.op(f"ftoi $0 {sign} : $t0 -> $r0", value, to=to, any_nan=False)
    wide = value
    if tile.element not in BASE_FLOATS or tile.element in ("f16", "bf16"):
        wide = b.arithmetic("ftof $0 : $t0 -> $r0", value, to=tile.of("f32"))
    inside = []
    for predicate, bound in (("greater_than_or_equal", low), ("less_than", high)):
        inside.append(b.op(f"cmpf {predicate} ordered $0, $1 : $t0 -> $r0", wide,
                           b.constant(wide.type, bound), to=tile.of("i1"), any_nan=False))
    fits = b.op("andi $0, $1 : $r0", *inside, to=tile.of("i1"))
    return choose(b, fits, result, b.operand(to))


def selection(b: Builder) -> Value:
    tile = b.tile([e for e in b.elements if e != "f4E2M1FN"])
    return choose(b, b.operand(tile.of("i1")), b.operand(tile), b.operand(tile))


KINDS = {bitwise: 3, integer_sum: 4, sign_change: 1, shift: 3, division: 3, integer_comparison: 2,
         float_sum: 8, float_choice: 2, float_unary: 2, float_remainder: 1, float_comparison: 2,
         function: 6, conversion: 5, promised_truncation: 0.5, to_integer: 2, selection: 3}
