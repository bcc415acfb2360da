# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The values in the specification itself (arithmetic, section 10, and the examples of section 4).
They verify the machine, and also the model."""

import functools

import numpy as np

from combinations import ALLOWED, Combination
from formats import FORMATS, WIDTHS, encode, is_float, numbers, patterns, to_bits, word
from kernel import Case, Kernel
from model import conversions, floats, integers

from .elementwise import conversion as converted
from .elementwise import same_type

# "addi i8" stands for the combination without an assumption, nearest_even and so on.
KNOWN = {str(c).replace(" rounding<nearest_even>", ""): c for c in ALLOWED}

# Operands and results are numbers, or patterns in hexadecimal strings.
NAN, INF = "nan", float("inf")
VECTORS = (
    ("addi i8", (100, 100), -56), ("muli i8", (100, 3), 44), ("mulhii i8", (200, 3), 2),
    ("absi i8", (-128,), "0x80"),
    ("divi i8 signed", (-7, 2), -3), ("divi i8 signed rounding<negative_inf>", (-7, 2), -4),
    ("divi i8 signed rounding<positive_inf>", (-7, 2), -3),
    ("divi i8 unsigned rounding<positive_inf>", (7, 2), 4),
    ("remi i8 signed", (-7, 3), -1), ("remi i8 signed", (7, -3), 1),
    ("shri i8 signed", ("0x80", 3), "0xF0"), ("shri i8 unsigned", ("0x80", 3), "0x10"),
    ("addf f32", (1.0, 2.0**-25), 1.0),
    ("addf f32 rounding<positive_inf>", (1.0, 2.0**-25), 1 + 2.0**-23),
    ("fma f32", (1 + 2.0**-12, 1 + 2.0**-12, -(1 + 2.0**-11)), 2.0**-24),
    ("remf f32", (-5.5, 2.0), -1.5), ("remf f32", (5.5, -2.0), 1.5), ("remf f32", (-4.0, 2.0), -0.0),
    ("maxf f32", (-0.0, 0.0), 0.0), ("minf f32", (-0.0, 0.0), -0.0),
    ("maxf f32", (NAN, 1.0), 1.0), ("maxf f32 propagate_nan", (NAN, 1.0), NAN),
    ("mulf f32 flush_to_zero", (2.0**-126, -0.5), -0.0),
    ("mulf f32 flush_to_zero", ("0x3F7FFFFF", "0x00800000"), "0x00800000"),
    ("mulf f32 rounding<zero> flush_to_zero", ("0x3F7FFFFF", "0x00800000"), "0x00000000"),
    ("maxf f32 flush_to_zero", (-2.0**-130, -2.0**-127), -0.0),
    ("maxf f32 flush_to_zero", (2.0**-130, -1.0), 0.0),
    ("divf f32 flush_to_zero", (1.0, 2.0**-127), INF),
    ("exp2 f32 flush_to_zero", (2.0**-130,), 1.0), ("sqrt f32 flush_to_zero", (-2.0**-127,), -0.0),
    ("pow f32", (NAN, 0.0), 1.0), ("pow f32", (1.0, NAN), 1.0), ("pow f32", (-8.0, "0x3EAAAAAB"), NAN),
    ("pow f32", (-0.0, -3.0), -INF),
    ("atan2 f32", (0.0, -0.0), "0x40490FDB"), ("atan2 f32", (-0.0, 0.0), -0.0),
    ("atan2 f32", (INF, -INF), "0x4016CBE4"),
    ("trunci i8->i1", (2,), 0), ("trunci i8->i1", (3,), 1),
    ("exti i4->i8 signed", (9,), "0xF9"), ("exti i4->i8 unsigned", (9,), "0x09"),
    ("ftof f64->f8E4M3FN", (0.3,), "0x2A"), ("ftof f32->f8E4M3FN", (464.0,), "0x7E"),
    ("ftof f32->f8E4M3FN", (-1000.0,), "0xFE"), ("ftof f32->f8E4M3FN", (2.0**-10,), "0x00"),
    ("ftof f32->f8E4M3FN", (3 * 2.0**-10,), "0x02"), ("ftof f32->f8E4M3FN", (INF,), "0x7E"),
    ("ftof f64->f8E5M2", (0.3,), "0x35"), ("ftof f32->f8E5M2", (500.0,), "0x60"),
    ("ftof f32->f8E5M2", (70000.0,), "0x7B"), ("ftof f32->f8E5M2", (3 * 2.0**-17,), "0x02"),
    ("ftof f32->f8E5M2", (-INF,), "0xFB"),
    ("ftof f32->f4E2M1FN", (2.5,), "0x4"), ("ftof f32->f4E2M1FN", (5.0,), "0x6"),
    ("ftof f32->f4E2M1FN", (0.75,), "0x2"), ("ftof f32->f4E2M1FN", (0.25,), "0x0"),
    ("ftof f32->f4E2M1FN", (-0.25,), "0x8"), ("ftof f32->f4E2M1FN", (1.25,), "0x2"),
    ("ftof f32->f4E2M1FN", (3.5,), "0x6"), ("ftof f32->f4E2M1FN", (100.0,), "0x7"),
    ("ftof f32->f4E2M1FN", (-INF,), "0xF"),
    ("ftof f32->f8E8M0FNU rounding<zero>", (3.0,), "0x80"),
    ("ftof f32->f8E8M0FNU rounding<positive_inf>", (3.0,), "0x81"),
    # 13.4, section 8.2
    *(("ftof f32->f8E5M3FNU", (value,), bits) for bits, value in (
        ("0x00", 0.0), ("0x01", 2.0**-17), ("0x07", 7 * 2.0**-17), ("0x08", 2.0**-14), ("0x70", 0.5),
        ("0x78", 1.0), ("0x79", 1.125), ("0x80", 2.0), ("0xF0", 32768.0), ("0xF8", 65536.0),
        ("0xFE", 114688.0), ("0xFE", 118784.0), ("0xFE", 200000.0), ("0xFE", INF), ("0xFF", NAN),
        ("0x00", 2.0**-18), ("0x01", 3 * 2.0**-19), ("0x78", -1.0))),
    *(("ftof f8E5M3FNU->f32", (bits,), value) for bits, value in (
        ("0x00", 0.0), ("0x01", 2.0**-17), ("0x07", 7 * 2.0**-17), ("0x08", 2.0**-14), ("0x70", 0.5),
        ("0x78", 1.0), ("0x79", 1.125), ("0x80", 2.0), ("0xF0", 32768.0), ("0xF8", 65536.0),
        ("0xFE", 114688.0), ("0xFF", NAN))),
    ("ftof f8E5M3FNU->f16", ("0xFE",), "0x7C00"), ("ftof f8E5M3FNU->f16 rounding<zero>", ("0xF8",), "0x7BFF"),
    ("itof i32->f8E5M3FNU signed", (131072,), "0xFE"), ("itof i8->f8E5M3FNU signed", (17,), "0x98"),
    ("ftof f32->tf32", (1 + 2.0**-11,), 1.0),
    ("ftof f8E8M0FNU->bf16", ("0x00",), "0x0040"), ("ftof f8E8M0FNU->f32", ("0x00",), "0x00400000"),
    ("ftof f8E8M0FNU->f16", ("0x00",), "0x0000"), ("ftof f8E8M0FNU->f16", ("0xFE",), "0x7C00"),
    ("ftof f32->bf16", ("0x3DCCCCCD",), "0x3DCD"), ("ftof f32->f16", ("0x3DCCCCCD",), "0x2E66"),
    ("itof i32->f16 signed", (65519,), "0x7BFF"), ("itof i32->f16 signed", (65520,), "0x7C00"),
    ("itof i32->f8E4M3FN signed", (449,), "0x7E"), ("itof i32->f8E4M3FN signed", (-1000,), "0xFE"),
)


def cases() -> list[Case]:
    return [Case((combination(name),), functools.partial(vector, combination(name), operands, result))
            for name, operands, result in VECTORS]


def combination(name: str) -> Combination:
    return KNOWN[name]


def bits_of(element: str, value) -> np.ndarray:
    if value == NAN:
        return np.array([FORMATS[element].nan], word(element))
    if isinstance(value, str):
        return np.array([int(value, 16)], word(element))
    return encode(element, np.array([value])) if is_float(element) else patterns(element, [value])


def vector(c: Combination, operands, result, k: Kernel) -> None:
    source, to = c.types[0], c.types[-1]
    inputs, expected = [bits_of(source, v) for v in operands], bits_of(to, result)
    modelled = model(c, inputs)
    assert modelled == int(expected[0]), f"{c}: the model gives 0x{modelled:X} for {operands}"
    if len(c.types) == 2:
        converted(c, k, inputs[0], expected)
    else:
        same_type(c, k, source, inputs, expected)


def model(c: Combination, inputs: list[np.ndarray]) -> int:
    source, to = c.types[0], c.types[-1]
    integer = [int(bits[0]) for bits in inputs]
    widths = WIDTHS[source], WIDTHS[to]
    if c.op in floats.FUNCTIONS:
        function = floats.operation(c.op, source, c.modifiers)
        return int(to_bits(to, [function(*(numbers(source, bits)[0] for bits in inputs))])[0])
    if c.op == "ftof":
        rounding = c.modifiers[0] if c.modifiers else ""
        value = conversions.float_to_float(numbers(source, inputs[0])[0], to, rounding)
        return int(to_bits(to, [value])[0])
    if c.op == "itof":
        value = integers.read(integer[0], widths[0], *c.modifiers)
        return int(to_bits(to, [conversions.integer_to_float(value, to)])[0])
    if c.op in ("exti", "trunci"):
        function = conversions.extend if c.op == "exti" else conversions.truncate
        return function(integer[0], *widths, *c.modifiers)
    function = integers.BINARY.get(c.op) or integers.UNARY[c.op]
    return function(*integer, widths[0], *c.modifiers)
