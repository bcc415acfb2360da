# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types: width, representation in memory, and bit patterns that reveal bugs.

Everything here works on bit patterns in unsigned NumPy words. A tf32 is an f32 word whose low 13
bits are zero; f4 and i4 have a byte each, except in files, where two f4 share one (types, 2.3).
"""

import math
from dataclasses import dataclass

import ml_dtypes
import numpy as np

INTEGERS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
SCALE = "f8E8M0FNU"  # only an exponent: no sign, no zero
UNSIGNED = "f8E5M3FNU"  # no sign, and missing in ml_dtypes
# Its values (13.4, section 8.2): eight for each power of two; the first eight have the next ones' spacing.
UNSIGNED_VALUES = np.array([math.ldexp(p % 8 + 8 * (p > 7), max(p // 8, 1) - 18) for p in range(255)]
                           + [math.nan])


@dataclass(frozen=True)
class Format:
    """A float format, with its NumPy or ml_dtypes type."""

    width: int
    values: type | None
    fraction: int  # stored mantissa bits
    low_zeros: int = 0  # bits of the memory word below the mantissa
    infinity: int | None = None  # pattern of +Inf
    nan: int | None = None  # pattern of NaNs that operations create (arithmetic, 3.3)
    largest: int = 0  # pattern of the largest finite value


FLOATS = {
    "f16": Format(16, np.float16, 10, 0, 0x7C00, 0x7FFF, 0x7BFF),
    "bf16": Format(16, ml_dtypes.bfloat16, 7, 0, 0x7F80, 0x7FFF, 0x7F7F),
    "f32": Format(32, np.float32, 23, 0, 0x7F800000, 0x7FFFFFFF, 0x7F7FFFFF),
    "tf32": Format(32, np.float32, 10, 13, 0x7F800000, 0x7FFFE000, 0x7F7FE000),
    "f64": Format(64, np.float64, 52, 0, 0x7FF0 << 48, 0x7FF8 << 48, (0x7FF0 << 48) - 1),
    "f8E4M3FN": Format(8, ml_dtypes.float8_e4m3fn, 3, 0, None, 0x7F, 0x7E),
    "f8E5M2": Format(8, ml_dtypes.float8_e5m2, 2, 0, 0x7C, 0x7F, 0x7B),
    "f8E8M0FNU": Format(8, ml_dtypes.float8_e8m0fnu, 0, 0, None, 0xFF, 0xFE),
    "f4E2M1FN": Format(4, ml_dtypes.float4_e2m1fn, 1, 0, None, None, 0x7),
    UNSIGNED: Format(8, None, 3, 0, None, 0xFF, 0xFE),
}
BASE_FLOATS = ("f16", "bf16", "f32", "f64")
NUMBERS = (*INTEGERS, *FLOATS)  # element types that memory can hold
WIDTHS = INTEGERS | {name: f.width for name, f in FLOATS.items()} | {"i4": 4}
# Operations on these may create any NaN; the narrow formats have only one.
ANY_NAN = ("f32", "f64", "tf32")


def word(element: str) -> np.dtype:
    """The NumPy type for the patterns of an element type."""
    return np.dtype(f"u{max(1, WIDTHS[element] // 8)}")


def storage(element: str) -> int:
    """The bytes of an element in memory; f4 is an exception, two of which share a byte."""
    return max(1, WIDTHS[element] // 8)


def values(element: str, bits: np.ndarray) -> np.ndarray:
    """The exact values of float patterns, as float64."""
    if element == UNSIGNED:
        return UNSIGNED_VALUES[bits]
    with np.errstate(invalid="ignore"):
        return np.ascontiguousarray(bits, word(element)).view(FLOATS[element].values) \
            .astype(np.float64)


def pattern(element: str, value: float) -> int:
    """The pattern of a value that the format can represent."""
    f = FLOATS[element]
    if element == UNSIGNED:
        return int(np.flatnonzero(UNSIGNED_VALUES == value)[0])
    with np.errstate(over="ignore"):
        held = np.array([value], np.float64).astype(f.values)
    return int(held.view(word(element))[0])


def is_nan(element: str, bits: np.ndarray) -> np.ndarray:
    if element not in FLOATS:
        return np.zeros(bits.shape, bool)
    return np.isnan(values(element, bits))


def below(element: str, limit: float) -> float:
    """The largest value in the format below the limit, a power of two."""
    f = FLOATS[element]
    largest = float(values(element, np.array([f.largest], word(element)))[0])
    return min(largest, limit * (1 - 2.0 ** -(f.fraction + 1)))


# --- Random patterns --------------------------------------------------------------------------


def random_patterns(element: str, count: int, rng: np.random.Generator,
                    flavour: str) -> np.ndarray:
    """`any`: random patterns; `ordinary`: moderate values; `mixed`: mostly ordinary ones, with edges."""
    if element not in FLOATS:
        bits = _random_integers(WIDTHS[element], count, rng, flavour)
    else:
        bits = _random_floats(element, count, rng, flavour)
    if flavour == "mixed":
        edges = np.array(EDGES[element], np.uint64)
        bits = np.where(rng.random(count) < 0.2, rng.choice(edges, count), bits)
    return bits.astype(word(element))


def _random_integers(width: int, count: int, rng: np.random.Generator,
                     flavour: str) -> np.ndarray:
    bits = rng.integers(0, 1 << width, count, dtype=np.uint64)
    if flavour == "any" or width == 1:
        return bits
    shift = rng.integers(0, width, count).astype(np.uint64)  # integers with any number of digits
    small = bits >> shift
    return np.where(rng.random(count) < 0.5, small, ~small) & np.uint64((1 << width) - 1)


def _random_floats(element: str, count: int, rng: np.random.Generator,
                   flavour: str) -> np.ndarray:
    f = FLOATS[element]
    bits = rng.integers(0, 1 << f.width, count, dtype=np.uint64)
    if f.width >= 16 and flavour != "any":
        span = 4 if flavour == "ordinary" else 12
        bias = (1 << f.width - f.fraction - f.low_zeros - 2) - 1
        field = (rng.integers(-span, span, count) + bias).astype(np.uint64)
        shift = np.uint64(f.fraction + f.low_zeros)
        kept = (np.uint64(1) << shift) - np.uint64(1) | np.uint64(1 << f.width - 1)
        bits = bits & kept | field << shift
    elif element == SCALE and flavour != "any":
        bits = rng.integers(120, 134, count, dtype=np.uint64)
    bits = bits & ~np.uint64((1 << f.low_zeros) - 1)
    if flavour == "ordinary" and f.nan is not None:  # without NaNs
        bits = np.where(is_nan(element, bits.astype(word(element))), np.uint64(f.largest), bits)
    return bits


def _integer_edges(width: int) -> list[int]:
    half, mask = 1 << width - 1, (1 << width) - 1
    around = (0, 1, 2, 3, 7, 8, width - 1, width, half, half >> 1)
    return sorted({n + step & mask for v in around for n in (v, -v) for step in (-1, 0, 1)})


def _float_edges(element: str) -> list[int]:
    f = FLOATS[element]
    if f.width <= 8:
        return list(range(1 << f.width))
    step, normal, top = 1 << f.low_zeros, 1 << f.fraction + f.low_zeros, 1 << f.width - 1
    positive = {0, step, normal - step, normal, normal + step, f.largest, f.infinity, f.nan,
                f.infinity + step, f.infinity | normal >> 1}
    for value in (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 7.0, 127.0, 128.0, 255.0, 256.0):
        positive.add(pattern(element, value))
    for power in (15, 16, 31, 32, 63, 64):  # the limits of conversions to integers
        if power < math.log2(float(values(element, np.array([f.largest], word(element)))[0])):
            positive |= {pattern(element, 2.0**power), pattern(element, 2.0**power) - step}
    return sorted(b | s for b in positive for s in (0, top))


EDGES = {**{name: _integer_edges(w) for name, w in INTEGERS.items()},
         **{name: _float_edges(name) for name in FLOATS}}
