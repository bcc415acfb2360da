# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates inputs that reveal wrong results: all values if there are at most 2^16; otherwise all
combinations of edge values, and random ones.

The random generator is seeded by the name of the case, so that a case has the same inputs in every
run and in every order.
"""

import zlib
from itertools import product

import numpy as np

from formats import FORMATS, SCALE, WIDTHS, encode, every_pattern, is_float, word

scale = 1  # multiplies the number of random inputs; --full increases it


def generator(name: object) -> np.random.Generator:
    return np.random.default_rng(zlib.crc32(str(name).encode()))


def edges(element: str) -> np.ndarray:
    return float_edges(element) if is_float(element) else integer_edges(WIDTHS[element])


def integer_edges(width: int) -> np.ndarray:
    half, bits = 1 << width - 1, word({v: k for k, v in WIDTHS.items() if k[0] == "i"}[width])
    around = [0, 1, 2, 3, 5, 7, 10, 100, half, half // 2, 1 << width // 2, (1 << width // 2) - 1]
    near = [base + step for base in around for step in (-1, 0, 1)]
    values = {v & (1 << width) - 1 for n in near for v in (n, -n)}
    return np.array(sorted(values), bits)


def float_edges(element: str) -> np.ndarray:
    if element == SCALE:
        return every_pattern(element)
    f = FORMATS[element]
    if f.width <= 8:
        return every_pattern(element)
    low = f.low_zeros
    one = int(encode(element, np.array([1.0]))[0])
    normal = 1 << f.fraction + low  # the smallest
    step = 1 << low  # to the next value
    positive = {0, step, 2 * step, normal - step, normal, normal + step, f.infinity - step,
                f.infinity, f.infinity - 2 * step, one, one + step, one - step}
    for value in (2.0, 0.5, 0.25, 1.5, 2.5, 3.0, 7.0, 10.0, 100.0):
        positive.add(int(encode(element, np.array([value]))[0]))
    # Exponents halfway to the edges, so that products, quotients and squares reach them.
    for exponent in (f.bias // 2, f.bias // 2 + 1, f.fraction, f.fraction + 1, f.bias - 1):
        for field in (f.bias - exponent, f.bias + exponent):
            base = field << f.fraction + low
            positive |= {base, base + step, base - step}
    nans = {f.nan, f.infinity + step, f.infinity | normal >> 1}
    both = sorted(positive | nans)
    return np.array([b | s for b in both for s in (0, f.sign)], word(element))


def random(element: str, count: int, rng: np.random.Generator) -> np.ndarray:
    """One half are arbitrary patterns; the rest are floats of moderate size, or integers with any
    number of digits."""
    width, kind = WIDTHS[element], word(element)
    count *= scale
    anything = rng.integers(0, 1 << width, count, dtype=np.uint64)
    if element in FORMATS:
        f = FORMATS[element]
        field = rng.integers(-8, 8, count) + f.bias
        field = np.clip(field, 0, (1 << f.exponent) - 2).astype(np.uint64)
        shift = np.uint64(f.fraction + f.low_zeros)
        sign = anything & np.uint64(f.sign)
        ordinary = anything & ((np.uint64(1) << shift) - np.uint64(1)) | field << shift | sign
        cut = ~np.uint64((1 << f.low_zeros) - 1)
    else:
        shift = rng.integers(0, width, count).astype(np.uint64)
        small = (anything >> shift).astype(np.uint64)
        mask = np.uint64((1 << width) - 1)
        ordinary = np.where(rng.random(count) < 0.5, small, ~small + np.uint64(1)) & mask
        cut = mask
    picked = np.where(rng.random(count) < 0.5, anything, ordinary) & cut
    return picked.astype(kind)


def unary(element: str, rng: np.random.Generator, count: int = 6000) -> np.ndarray:
    if element == "tf32" and scale > 1:
        return np.arange(1 << 19, dtype=np.uint32) << 13
    if WIDTHS[element] <= 16 and (element != "i16" or scale > 1):
        return every_pattern(element)
    return np.concatenate([edges(element), random(element, count, rng)])


def tuples(element: str, arity: int, rng: np.random.Generator, count: int = 3000):
    """Operands of an operation: one array for each."""
    if arity == 1:
        return [unary(element, rng)]
    if WIDTHS[element] <= 8 and arity == 2:
        corners = every_pattern(element)
    else:
        corners = edges(element)
    if arity == 3:
        corners = rng.choice(corners, 18, replace=False)
    crossed = np.array(list(product(corners, repeat=arity)), word(element)).T
    return [np.concatenate([c, random(element, count, rng)]) for c in crossed]


def tile_of(element: str, shape, rng: np.random.Generator) -> np.ndarray:
    """Any patterns, of any tile element."""
    anything = rng.integers(0, 1 << WIDTHS[element], shape, dtype=np.uint64)
    if element == "tf32":
        anything &= np.uint64(0xFFFFE000)
    return anything.astype(word(element))
