# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares an array between two executors.

Usually all bits must be equal. An operation on f32 or f64 may return any NaN. Math functions may be
off by some ulps, and reordered sums may differ by a fraction of the sum of magnitudes, which the
program also computes.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from elements import FLOATS, is_nan, values, word


@dataclass(frozen=True)
class Check:
    """How an array that a program writes is compared."""

    any_nan: bool = False

    def wrong(self, element: str, expected: np.ndarray, found: np.ndarray,
              scale: np.ndarray | None = None) -> np.ndarray:
        """True where the difference is larger than allowed."""
        wrong = expected != found
        if wrong.any() and self.any_nan:
            wrong &= ~(is_nan(element, expected) & is_nan(element, found))
        return wrong


@dataclass(frozen=True)
class Anything(Check):
    """Accepts any values: only the reference machine's are used."""

    def wrong(self, element, expected, found, scale=None):
        return np.zeros(expected.shape, bool)


@dataclass(frozen=True)
class Ulps(Check):
    """The distance is at most this many ulps of the expected value, which is the correctly rounded
    exact result."""

    ulps: int = 1
    flushes: bool = False  # results near the smallest normal value may be zero

    def wrong(self, element, expected, found, scale=None):
        wrong = super().wrong(element, expected, found)
        if not wrong.any():
            return wrong
        fraction = FLOATS[element].fraction
        mantissa = (1 << fraction) - 1
        # Below a power of two, an ulp is half as large as above.
        allowed = np.where(expected & word(element).type(mantissa) == 0, 2, 1) * self.ulps
        far = distance(element, expected, found) > allowed
        if self.flushes:
            smallest = 2.0**-126 * (1 + 2.0**-20)
            far &= ~((abs(values(element, expected)) <= smallest)
                     & (abs(values(element, found)) <= smallest))
        nan = is_nan(element, expected) | is_nan(element, found)
        return wrong & (far | nan)


@dataclass(frozen=True)
class Scaled(Check):
    """The distance is at most a fraction of the elements of another array of the program."""

    factor: float = 0.0
    array: Any = None  # the parameter with the other array
    least: float = 0.0  # a distance that is always accepted

    def wrong(self, element, expected, found, scale=None):
        wrong = super().wrong(element, expected, found)
        if scale is None or scale.shape != wrong.shape:  # the shrinker has removed or cut it
            return np.zeros(expected.shape, bool)
        with np.errstate(invalid="ignore", over="ignore"):
            far = abs(values(element, expected) - values(element, found))
            allowed = self.factor * abs(values(element, scale)) + self.least
            return wrong & ~(far <= allowed)


def distance(element: str, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The distance in values of the format; both zeros count as one value."""
    shift = np.uint64(FLOATS[element].low_zeros)
    top = np.uint64(1 << FLOATS[element].width - 1)

    def place(bits: np.ndarray) -> np.ndarray:
        bits = bits.astype(np.uint64)
        magnitude = ((bits & ~top) >> shift).astype(np.int64)
        return np.where(bits & top != 0, -magnitude, magnitude)
    p, q = place(a), place(b)
    apart = abs(p.astype(np.float64)) + abs(q.astype(np.float64))
    return np.where((p < 0) == (q < 0), abs(p - q).astype(np.float64), apart)
