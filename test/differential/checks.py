# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""When do two executors agree about an array?

Nearly always when all bits are equal. An operation on f32 or f64 may make any NaN. The math
functions may be some units in the last place off, and sums in another order may differ
by a part of the sum of magnitudes, which the program computes beside the sum.
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
        """True where the two differ by more than they may."""
        wrong = expected != found
        if wrong.any() and self.any_nan:
            wrong &= ~(is_nan(element, expected) & is_nan(element, found))
        return wrong


@dataclass(frozen=True)
class Anything(Check):
    """What the device has there does not matter: only the reference machine's values are used."""

    def wrong(self, element, expected, found, scale=None):
        return np.zeros(expected.shape, bool)


@dataclass(frozen=True)
class Ulps(Check):
    """The distance is at most so many units in the last place of the expected value, which
    is the exact result correctly rounded."""

    ulps: int = 1
    flushes: bool = False  # next to the smallest normal value a result may be zero

    def wrong(self, element, expected, found, scale=None):
        wrong = super().wrong(element, expected, found)
        if not wrong.any():
            return wrong
        fraction = FLOATS[element].fraction
        mantissa = (1 << fraction) - 1
        # A unit below a power of two is half the one above it.
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
    """The distance is at most a part of what another array of the program holds."""

    factor: float = 0.0
    array: Any = None  # the parameter that is the other array
    least: float = 0.0  # a distance that is always allowed

    def wrong(self, element, expected, found, scale=None):
        wrong = super().wrong(element, expected, found)
        if scale is None or scale.shape != wrong.shape:  # the shrinker took it away or cut it
            return np.zeros(expected.shape, bool)
        with np.errstate(invalid="ignore", over="ignore"):
            far = abs(values(element, expected) - values(element, found))
            allowed = self.factor * abs(values(element, scale)) + self.least
            return wrong & ~(far <= allowed)


def distance(element: str, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """How many steps from one value of the format to the other; the zeros are one value."""
    shift = np.uint64(FLOATS[element].low_zeros)
    top = np.uint64(1 << FLOATS[element].width - 1)

    def place(bits: np.ndarray) -> np.ndarray:
        bits = bits.astype(np.uint64)
        magnitude = ((bits & ~top) >> shift).astype(np.int64)
        return np.where(bits & top != 0, -magnitude, magnitude)
    p, q = place(a), place(b)
    apart = abs(p.astype(np.float64)) + abs(q.astype(np.float64))
    return np.where((p < 0) == (q < 0), abs(p - q).astype(np.float64), apart)
