# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types: their constants, and conversions between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from elements import BASE_FLOATS, FLOATS, INTEGERS, SCALE, UNSIGNED, WIDTHS
from tileir import Tile, Value

if TYPE_CHECKING:
    from builder import Builder


def legal(tile: Tile) -> Tile:
    """A tile of f4 has an even extent (types, 2.4)."""
    if tile.element == "f4E2M1FN" and all(e == 1 for e in tile.shape):
        return tile.of("f8E4M3FN")
    return tile


def literal(element: str, bits: int) -> str:
    """A pattern as `constant` reads it (operations, 4.1)."""
    if element == "i1":
        return "true" if bits & 1 else "false"
    if element in INTEGERS:
        width = INTEGERS[element]
        bits &= (1 << width) - 1
        return str(bits - (1 << width) if bits >> width - 1 else bits)
    return f"0x{bits >> FLOATS[element].low_zeros:X}"


def exact_bits(b: Builder, value: Value) -> Value:
    """Replaces every NaN that an operation may have created by one known pattern. Compares bit
    patterns: as a number, a NaN could be replaced by any other one."""
    if not value.any_nan:
        return value
    tile, f = value.type, FLOATS[value.element]
    assert tile.element in BASE_FLOATS, tile
    bits = tile.of(f"i{f.width}")
    first = len(b.scope.region.ops)
    pattern = b.op("bitcast $0 : $t0 -> $r0", value, to=bits, any_nan=False)
    magnitude = b.op("andi $0, $1 : $r0", pattern, b.constant(bits, (1 << f.width - 1) - 1),
                     to=bits)
    nan = b.op("cmpi greater_than $0, $1, unsigned : $t0 -> $r0", magnitude,
               b.constant(bits, f.infinity), to=tile.of("i1"))
    one = b.op("select $0, $1, $2 : $t0, $r0", nan, b.constant(bits, f.nan), pattern, to=bits)
    made = b.op("bitcast $0 : $t0 -> $r0", one, to=tile, any_nan=False)
    for op in b.scope.region.ops[first:]:
        op.settled = True
    return made


# Formats whose values are all representable in another format (13.4, section 7.3). All floats are
# representable in f64.
SMALL = ("f8E5M2", "f8E4M3FN", "f4E2M1FN")
WIDENED = {"f32": ("tf32", "f16", "bf16", *SMALL), "tf32": ("f16", "bf16", *SMALL),
           "bf16": SMALL, "f16": SMALL}


def rounding_modes(source: str, to: str) -> list[str]:
    """The rounding mode of `ftof` (13.4, section 7.3)."""
    if to == "f64" or source in WIDENED.get(to, ()):
        return ["nearest_even", "zero", "negative_inf", "positive_inf", "nearest_away"]
    if to == SCALE:
        return ["zero", "positive_inf"]
    if WIDTHS[to] <= 8:
        return ["nearest_even"]
    modes = ["nearest_even", "zero"]
    if (source, to) == ("f64", "f32"):
        modes += ["negative_inf", "positive_inf"]
    return modes + ["nearest_away"] * ((source, to) == ("f32", "tf32"))


def convert(b: Builder, value: Value, element: str) -> Value | None:
    """Converts the elements to another type, if a single operation can."""
    source, to = value.element, value.type.of(element)
    if legal(to) != to or value.type.pointee or to.pointee or element == source:
        return None
    integers = (*INTEGERS, "i4")
    if source in integers and element in integers:
        if WIDTHS[source] < WIDTHS[element]:
            return b.op(f"exti $0 {b.choice(['signed', 'unsigned'])} : $t0 -> $r0", value, to=to)
        return b.op("trunci $0 : $t0 -> $r0", value, to=to)
    if WIDTHS[source] == WIDTHS[element] and "tf32" not in (source, element) and b.chance(0.4) \
            and "i4" not in (source, element):
        return b.op("bitcast $0 : $t0 -> $r0", exact_bits(b, value), to=to, any_nan=False)
    if source in INTEGERS and element in FLOATS and element != SCALE:
        signs = ["signed", "unsigned"] if element != UNSIGNED else ["unsigned"]
        return b.arithmetic(f"itof $0 {b.choice(signs)} : $t0 -> $r0", value, to=to)
    if element == UNSIGNED and source not in (*BASE_FLOATS, SCALE):
        return None  # the result for negative numbers is unspecified
    if element == UNSIGNED and source != SCALE:
        value = b.op("absf $0 : $r0", value, to=value.type)
    if source in FLOATS and element in FLOATS and source != element:
        modes = rounding_modes(source, element)
        mode = f" rounding<{b.choice(modes)}>" if element == SCALE or b.chance(0.3) else ""
        return b.arithmetic(f"ftof $0{mode} : $t0 -> $r0", value, to=to)
    return None
