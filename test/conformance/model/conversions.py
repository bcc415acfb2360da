# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The model of the conversions (arithmetic, 4.22 to 4.29).

Decodes exactly, handles NaN, infinities and zero as in the tables of 4.25, rounds the exact value
once to the destination format, then handles overflow. None means that using the result is
undefined.
"""

import math

import gmpy2
import numpy as np
from gmpy2 import mpfr

from formats import EXACT, FORMATS, SCALE, WIDTHS, context, word

from .integers import fits, signed

# Destinations that saturate. A NaN becomes what `encode` returns for it: 0x7F for those with 8 bits
# (our choice for f8E4M3FN: arithmetic, section 9, item 2), and +6 for f4.
SATURATING = ("f8E4M3FN", "f8E5M2", "f4E2M1FN", "f8E5M3FNU")


def float_to_float(x: mpfr, to: str, rounding: str) -> mpfr:
    if to == SCALE:
        return to_scale(x, rounding)
    if rounding == "rounding<nearest_away>":
        return nearest_away(x, to)
    if to not in SATURATING:
        return context(to, rounding[9:-1] if rounding else "nearest_even").plus(x)
    return saturated(x, to)


def saturated(x: mpfr, to: str) -> mpfr:
    """Rounds to nearest. Formats without sign drop it, which is unspecified: this follows the proposal of
    13.4, section 8.2."""
    largest = mpfr(FORMATS[to].largest)
    x = x if FORMATS[to].has_sign else abs(x)
    if gmpy2.is_nan(x):
        return largest if to == "f4E2M1FN" else x
    return max(-largest, min(largest, context(to, unbounded=True).plus(x)))


def nearest_away(x: mpfr, to: str) -> mpfr:
    """Rounds ties to the larger magnitude (13.4, section 7.2)."""
    low, high = (context(to, mode, unbounded=True).plus(x) for mode in ("zero", "away"))
    if not gmpy2.is_finite(x) or low == high:
        return low
    is_low = EXACT.sub(abs(x), abs(low)) < EXACT.sub(abs(high), abs(x))
    return context(to).plus(low if is_low else high)


def to_scale(x: mpfr, rounding: str) -> mpfr:
    """Rounds the magnitude to a power of two between 2^-127 and 2^127."""
    if gmpy2.is_nan(x):
        return x
    magnitude = abs(x)
    if magnitude <= 2.0**-127:
        return mpfr(2.0**-127)
    if magnitude >= 2.0**127:
        return mpfr(2.0**127)
    exponent, fraction = gmpy2.frexp(magnitude)  # in [0.5, 1)
    up = rounding == "rounding<positive_inf>" and fraction != 0.5
    return gmpy2.exp2(exponent - 1 + up)


def float_to_integer(x: mpfr, to: str, signedness: str, saturating: str = "") -> int | None:
    if saturating:
        return saturated_integer(x, WIDTHS[to], signedness)
    if to == "i1":  # docs/decisions/float-to-i1.md
        return int(x != 0)  # true for a NaN
    if not gmpy2.is_finite(x):
        return None
    whole = int(math.trunc(x))  # `int` alone rounds to nearest
    return whole if fits(whole, WIDTHS[to], signedness) else None


def saturated_integer(x: mpfr, width: int, signedness: str) -> int:
    """Saturates out-of-range values; a NaN becomes 0 (13.4, section 7.1)."""
    least = -(1 << width - 1) if signedness == "signed" else 0
    most = least + (1 << width) - 1
    if gmpy2.is_nan(x):
        return 0
    if gmpy2.is_infinite(x):
        return most if x > 0 else least
    return max(least, min(most, int(math.trunc(x))))


def integer_to_float(n: int, to: str) -> mpfr:
    """Rounds the integer once, directly."""
    n = gmpy2.mpz(n)
    if to not in SATURATING:
        return context(to).plus(mpfr(n, 64))
    return saturated(mpfr(n, 64), to)


def extend(a: int, width: int, to: int, signedness: str) -> int:
    return (signed(a, width) if signedness == "signed" else a) & (1 << to) - 1


def truncate(a: int, width: int, to: int, promise: str) -> int | None:
    if promise in ("overflow<no_signed_wrap>", "overflow<no_wrap>"):
        if not fits(signed(a, width), to, "signed"):
            return None
    if promise in ("overflow<no_unsigned_wrap>", "overflow<no_wrap>"):
        if a >> to:
            return None
    return a & (1 << to) - 1


# --- Bytes --------------------------------------------------------------------------------


def to_bytes(element: str, bits: np.ndarray) -> np.ndarray:
    """Little-endian, elements below a byte from its low end (arithmetic, 4.29)."""
    width = WIDTHS[element]
    if width >= 8:
        return np.frombuffer(bits.astype(word(element)).astype(f"<u{width // 8}").tobytes(), np.uint8)
    stream = (bits[:, None] >> np.arange(width)) & 1
    return np.packbits(stream.astype(np.uint8).reshape(-1), bitorder="little")


def from_bytes(element: str, data: np.ndarray) -> np.ndarray:
    width = WIDTHS[element]
    if width >= 8:
        bits = np.frombuffer(data.tobytes(), f"<u{width // 8}").astype(word(element))
        return bits & np.uint32(0xFFFFE000) if element == "tf32" else bits
    stream = np.unpackbits(data, bitorder="little").reshape(-1, width)
    return (stream << np.arange(width)).sum(axis=1).astype(np.uint8)
