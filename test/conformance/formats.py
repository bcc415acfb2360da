# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Converts between bit patterns and values.

Written from the tables of the specification (types, 2.1 and 2.2; arithmetic, 3.2). Every value of
every float format is a float64, so a tile's values are a float64 array. MPFR computes with them, and
rounds to a format in a context with the format's precision and exponents. Bit patterns are
those in memory: a tf32 is an f32 word whose low 13 bits are zero; sub-byte elements are in the low
bits of a byte.
"""

from dataclasses import dataclass
from functools import cache, lru_cache

import gmpy2
import numpy as np

MODES = {  # types, 7: the rounding modes that IEEE 754 has
    "nearest_even": gmpy2.RoundToNearest,
    "zero": gmpy2.RoundToZero,
    "negative_inf": gmpy2.RoundDown,
    "positive_inf": gmpy2.RoundUp,
    "away": gmpy2.RoundAwayZero,  # not one of them: the neighbour farther from zero
}


@dataclass(frozen=True)
class Format:
    """A float format; `fraction` is the number of stored mantissa bits."""

    name: str
    exponent: int
    fraction: int
    bias: int
    nan: int  # the pattern of NaNs that operations produce (arithmetic, 3.3)
    infinity: int | None  # the pattern of +Inf
    largest: float
    low_zeros: int = 0  # bits of the memory pattern below the mantissa
    has_sign: bool = True

    @property
    def width(self) -> int:
        return self.has_sign + self.exponent + self.fraction + self.low_zeros

    @property
    def sign(self) -> int:
        return 1 << self.width - 1 if self.has_sign else 0

    @property
    def magnitudes(self) -> int:
        """The number of patterns with the same sign."""
        return 1 << self.width - self.has_sign


FORMATS = {f.name: f for f in (
    Format("f16", 5, 10, 15, 0x7FFF, 0x7C00, 65504.0),
    Format("bf16", 8, 7, 127, 0x7FFF, 0x7F80, 2.0**127 * (2 - 2.0**-7)),
    Format("f32", 8, 23, 127, 0x7FFFFFFF, 0x7F800000, 2.0**127 * (2 - 2.0**-23)),
    Format("tf32", 8, 10, 127, 0x3FFFF << 13, 0x7F800000, 2.0**127 * (2 - 2.0**-10), 13),
    Format("f64", 11, 52, 1023, 0x7FF8000000000000, 0x7FF0000000000000,
           2.0**1023 * (2 - 2.0**-52)),
    Format("f8E4M3FN", 4, 3, 7, 0x7F, None, 448.0),
    Format("f8E5M2", 5, 2, 15, 0x7F, 0x7C, 57344.0),
    Format("f4E2M1FN", 2, 1, 1, 0, None, 6.0),  # has no NaN
    Format("f8E5M3FNU", 5, 3, 15, 0xFF, None, 114688.0, has_sign=False),  # 13.4, section 8.2
)}
SCALE = "f8E8M0FNU"  # only an exponent: no sign, no zero, no fraction
BASE_FLOATS = ("f16", "bf16", "f32", "f64")
FLOATS = (*FORMATS, SCALE)
INTEGERS = {"i1": 1, "i8": 8, "i16": 16, "i32": 32, "i64": 64}
NUMBERS = (*INTEGERS, *FLOATS)  # element types that memory can hold
WIDTHS = ({name: f.width for name, f in FORMATS.items()} | {SCALE: 8}
          | INTEGERS | {"i4": 4, "ptr": 64})
# The widths for `bitcast`: a tf32 has 19 bits (types, 2.5).
CAST_WIDTHS = WIDTHS | {"tf32": 19}


def word(element: str) -> np.dtype:
    """The NumPy type for the patterns of an element type."""
    return np.dtype(f"u{max(1, WIDTHS[element] // 8)}")


def patterns(element: str, values) -> np.ndarray:
    """Python integers of either sign as bit patterns."""
    mask = (1 << WIDTHS[element]) - 1
    return np.array([int(v) & mask for v in values], word(element))


def every_pattern(element: str) -> np.ndarray:
    assert WIDTHS[element] <= 16, f"too many {element} patterns"
    return np.arange(1 << WIDTHS[element]).astype(word(element))


def is_float(element: str) -> bool:
    return element in FORMATS or element == SCALE


# --- Decoding ---------------------------------------------------------------------------


def decode(element: str, bits: np.ndarray) -> np.ndarray:
    """The values of float patterns, exactly, as float64."""
    if element == SCALE:
        with np.errstate(invalid="ignore"):
            return np.where(bits == 0xFF, np.nan, np.ldexp(1.0, bits.astype(np.int64) - 127))
    f = FORMATS[element]
    bits = bits.astype(np.uint64) >> np.uint64(f.low_zeros)
    fraction = (bits & np.uint64((1 << f.fraction) - 1)).astype(np.int64)
    field = (bits >> np.uint64(f.fraction)).astype(np.int64) & (1 << f.exponent) - 1
    hidden = np.where(field > 0, 1 << f.fraction, 0)
    with np.errstate(over="ignore"):  # where the exponent means infinity
        magnitude = np.ldexp((hidden + fraction).astype(np.float64),
                             np.maximum(field, 1) - f.bias - f.fraction)
    top = field == (1 << f.exponent) - 1
    if f.infinity is not None:
        magnitude = np.where(top, np.where(fraction == 0, np.inf, np.nan), magnitude)
    elif element in ("f8E4M3FN", "f8E5M3FNU"):
        magnitude = np.where(top & (fraction == 7), np.nan, magnitude)
    negative = (bits >> np.uint64(f.exponent + f.fraction)) & np.uint64(1)
    return np.where(negative == 1, -magnitude, magnitude)


def is_nan(element: str, bits: np.ndarray) -> np.ndarray:
    if not is_float(element):
        return np.zeros(bits.shape, bool)
    return np.isnan(decode(element, bits))


# --- Encoding ---------------------------------------------------------------------------


def encode(element: str, values: np.ndarray) -> np.ndarray:
    """The patterns of values that the format can represent; every NaN becomes the one of
    arithmetic, 3.3."""
    values = np.asarray(values, np.float64)
    nan, finite = np.isnan(values), np.where(np.isfinite(values), values, 0.0)
    _, exponent = np.frexp(finite)  # the value is in [0.5, 1) * 2^exponent
    if element == SCALE:
        bits = np.where(nan, 0xFF, exponent - 1 + 127)
        assert (decode(element, bits)[~nan] == values[~nan]).all()
        return bits.astype(word(element))

    f = FORMATS[element]
    field = np.maximum(exponent - 1 + f.bias, 1)  # subnormals have the same ulp as the smallest normals
    field = np.where(finite == 0, 1, field)
    count = np.ldexp(np.abs(finite), -(field - f.bias - f.fraction))
    assert (count == np.floor(count)).all(), f"not representable in {element}"
    bits = count.astype(np.uint64) + ((field - 1).astype(np.uint64) << np.uint64(f.fraction))
    bits <<= np.uint64(f.low_zeros)
    if f.infinity is not None:
        bits = np.where(np.isinf(values), np.uint64(f.infinity), bits)
    bits = np.where(np.signbit(values), bits | np.uint64(f.sign), bits)
    bits = np.where(nan, np.uint64(f.nan), bits)
    return bits.astype(word(element))


# --- Rounding ---------------------------------------------------------------------------


@cache
def context(element: str, mode: str = "nearest_even", unbounded: bool = False) -> gmpy2.context:
    """A context that rounds results once, to the format, including subnormals. `unbounded`: with an
    unlimited maximum exponent."""
    f = FORMATS[element]
    return gmpy2.context(precision=f.fraction + 1, round=MODES[mode], subnormalize=True,
                         emin=1 - f.bias - f.fraction + 1,  # MPFR's mantissas are below 1
                         emax=1 << 20 if unbounded else f.bias + 1)


EXACT = gmpy2.context(precision=300, emin=-(1 << 20), emax=1 << 20)


def numbers(element: str, bits: np.ndarray) -> list[gmpy2.mpfr]:
    """The values of patterns as MPFR numbers, exactly."""
    return _numbers(element, np.ascontiguousarray(bits, word(element)).tobytes())


@lru_cache(maxsize=8)  # most cases of a 16-bit format use all of its values
def _numbers(element: str, data: bytes) -> list[gmpy2.mpfr]:
    return [gmpy2.mpfr(v) for v in decode(element, np.frombuffer(data, word(element))).tolist()]


def to_bits(element: str, values: list[gmpy2.mpfr]) -> np.ndarray:
    """The patterns of numbers that the format can represent."""
    return encode(element, np.array([float(v) for v in values]))
