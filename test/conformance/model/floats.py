# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The model of the float operations: MPFR's correctly rounded functions, with the rules of the
text for flushing, special values, and the two roundings of f16 and bf16 (arithmetic, 3.3 to 3.5,
4.10 to 4.20).

Every function maps MPFR numbers that the format can represent to such a number.
"""

import math
from collections.abc import Callable

import gmpy2
from gmpy2 import mpfr

from formats import FORMATS, context

INF, NAN, ZERO = mpfr("inf"), mpfr("nan"), mpfr(0)
HALVES = ("f16", "bf16")


def is_negative(x: mpfr) -> bool:
    return gmpy2.is_signed(x)


def with_sign(magnitude: mpfr, negative: bool) -> mpfr:
    return -magnitude if negative else magnitude


def flush(x: mpfr) -> mpfr:
    """Flushes a subnormal f32 to a zero with the same sign."""
    if gmpy2.is_finite(x) and abs(x) < 2.0**-126:
        return with_sign(ZERO, is_negative(x))
    return x


def operation(op: str, element: str, modifiers: tuple[str, ...]) -> Callable[..., mpfr]:
    """The function of one combination, for numbers in the format."""
    rounding = next((m[9:-1] for m in modifiers if m.startswith("rounding<")), "nearest_even")
    if rounding in ("approx", "full"):  # the machine rounds correctly (arithmetic, 3.4)
        ieee = context(element)
        meaning = divide_approximately if op == "divf" and rounding == "approx" else FUNCTIONS[op]
    else:
        ieee, meaning = context(element, rounding), FUNCTIONS[op]
    if op in ("maxf", "minf"):
        meaning = extreme(op == "maxf", "propagate_nan" in modifiers)

    if "flush_to_zero" in modifiers:
        def function(*operands):
            return flush(meaning(ieee, *map(flush, operands)))
    elif element in HALVES and op in EMULATED:
        # Math functions on f16 and bf16: correctly rounded f32, then rounded again (arithmetic, 3.3).
        single = context("f32")

        def function(*operands):
            return ieee.plus(meaning(single, *operands))
    else:
        def function(*operands):
            return meaning(ieee, *operands)
    return function


def exact(op: str, element: str) -> Callable[..., mpfr]:
    """The exact function, approximated with sixty more bits than the format has."""
    wide = gmpy2.context(precision=FORMATS[element].fraction + 61, emin=-(1 << 30), emax=1 << 30)
    return lambda *operands: FUNCTIONS[op](wide, *operands)


# --- The functions, where C and MPFR agree ----------------------------------------------------


def fmod(c: gmpy2.context, a: mpfr, b: mpfr) -> mpfr:
    return c.fmod(a, b)


# --- ... and where the text has more rules ------------------------------------------------------


def reciprocal_root(c: gmpy2.context, x: mpfr) -> mpfr:
    if x == 0:
        return with_sign(INF, is_negative(x))  # MPFR gives +Inf for -0 too
    return c.rec_sqrt(x)


def divide_approximately(c: gmpy2.context, a: mpfr, b: mpfr) -> mpfr:
    """The approximate reciprocal is zero beyond 2^126 (arithmetic, 4.15)."""
    if gmpy2.is_finite(b) and abs(b) > 2.0**126:
        if gmpy2.is_nan(a) or gmpy2.is_infinite(a):
            return NAN
        return with_sign(ZERO, is_negative(a) != is_negative(b))
    return c.div(a, b)


def integral(pick) -> Callable:
    """ceil and floor; MPFR drops the sign of some zero results."""
    def function(c: gmpy2.context, x: mpfr) -> mpfr:
        if not gmpy2.is_finite(x) or x == 0:
            return x
        found = mpfr(int(pick(x)), 1100)
        return with_sign(abs(found), is_negative(x))
    return function


def extreme(largest: bool, propagate: bool) -> Callable:
    """IEEE 754-2019 maximum and minimum, and maximumNumber and minimumNumber
    (arithmetic, 4.20): -0 is below +0."""
    def function(c: gmpy2.context, a: mpfr, b: mpfr) -> mpfr:
        if gmpy2.is_nan(a) or gmpy2.is_nan(b):
            if propagate or (gmpy2.is_nan(a) and gmpy2.is_nan(b)):
                return NAN
            return b if gmpy2.is_nan(a) else a
        if a == b:
            first_is_larger = not is_negative(a)
        else:
            first_is_larger = a > b
        return a if first_is_larger == largest else b
    return function


def ieee754_compare(predicate: str, ordering: str, a: float, b: float) -> int:
    if math.isnan(a) or math.isnan(b):
        return int(ordering == "unordered")
    return int({"equal": a == b, "not_equal": a != b, "less_than": a < b,
                "less_than_or_equal": a <= b, "greater_than": a > b,
                "greater_than_or_equal": a >= b}[predicate])


def power(c: gmpy2.context, x: mpfr, y: mpfr) -> mpfr:
    """Follows the table of arithmetic, 3.5, in its order; then MPFR."""
    if y == 0 or x == 1:
        return mpfr(1)
    if gmpy2.is_nan(x) or gmpy2.is_nan(y):
        return NAN
    odd = gmpy2.is_finite(y) and gmpy2.is_integer(y) and int(y) % 2 == 1
    if gmpy2.is_infinite(y):
        if abs(x) == 1:
            return mpfr(1)
        return INF if (abs(x) > 1) == (y > 0) else ZERO
    if x == 0 or gmpy2.is_infinite(x):
        magnitude = INF if (x == 0) == (y < 0) else ZERO
        return with_sign(magnitude, odd and is_negative(x))
    if x < 0 and not gmpy2.is_integer(y):
        return NAN
    return c.pow(x, y)


FUNCTIONS = {
    "addf": lambda c, a, b: c.add(a, b),
    "subf": lambda c, a, b: c.sub(a, b),
    "mulf": lambda c, a, b: c.mul(a, b),
    "divf": lambda c, a, b: c.div(a, b),
    "fma": lambda c, a, b, d: c.fma(a, b, d),
    "remf": fmod,
    "sqrt": lambda c, x: c.sqrt(x),
    "rsqrt": reciprocal_root,
    "pow": power,
    "atan2": lambda c, a, b: c.atan2(a, b),
    "ceil": integral(math.ceil),
    "floor": integral(math.floor),
    "maxf": None, "minf": None,  # depend on their modifiers
    **{name: (lambda c, x, name=name: getattr(c, name)(x))
       for name in ("exp", "exp2", "log", "log2", "sin", "cos", "tan", "sinh", "cosh", "tanh")},
}
# "Emulated in f32" means two roundings; for sqrt and the four basic operations one gives the same result.
EMULATED = ("rsqrt", "pow", "atan2", "exp", "exp2", "log", "log2", "sin", "cos", "tan", "sinh",
            "cosh", "tanh")
