# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of operations that create tiles or move elements: NumPy's operations on arrays of bit
patterns, independent of their meaning (operations, 4.1 to 4.9)."""

import functools
import math
from collections.abc import Iterator
from itertools import permutations

import gmpy2
import numpy as np

import samples
from combinations import Combination, of
from formats import FORMATS, INTEGERS, SCALE, WIDTHS, context, is_float, to_bits, word
from kernel import Case, Kernel, tile


def cases() -> list[Case]:
    builders = {"broadcast": broadcast, "reshape": reshape, "permute": permute, "cat": cat,
                "extract": extract, "insert": insert, "iota": iota, "constant": constant, "offset": offset}
    return [Case((c,), functools.partial(build, c))
            for op, build in builders.items() for c in of(op)]


def is_tile(element: str, shape) -> bool:
    """A tile of f4 has an even number of elements (types, 2.4)."""
    return element != "f4E2M1FN" or math.prod(shape) > 1


def loaded(c: Combination, k: Kernel, *sources) -> Iterator[tuple]:
    """For each source shape that the type allows: the shape, an array, and a tile of it."""
    (element,), rng = c.types, samples.generator(c)
    for shape in sources:
        if is_tile(element, shape):
            bits = samples.tile_of(element, shape, rng)
            yield shape, bits, k.load(element, shape, bits)


# --- Moving elements ----------------------------------------------------------------------


def broadcast(c: Combination, k: Kernel) -> None:
    (element,) = c.types
    wanted = {(): [()], (1,): [(1,), (16,)], (1, 4): [(8, 4)], (2, 1): [(2, 8)],
              (1, 1, 1): [(4, 2, 8)], (2, 1, 4): [(2, 16, 4)], (1, 8, 1, 2): [(2, 8, 4, 2)]}
    for shape, bits, value in loaded(c, k, *wanted):
        for to in wanted[shape]:
            made = k.value(f"broadcast {value} : {tile(element, shape)} -> {tile(element, to)}")
            k.store(made, element, to, np.broadcast_to(bits, to).reshape(-1))


def reshape(c: Combination, k: Kernel) -> None:
    (element,) = c.types
    wanted = {(): [(1,), (1, 1, 1)], (1, 1): [()], (4, 8): [(32,), (8, 4), (2, 2, 8), (1, 32, 1)],
              (64,): [(2, 2, 2, 2, 2, 2)]}
    for shape, bits, value in loaded(c, k, *wanted):
        for to in wanted[shape]:
            made = k.value(f"reshape {value} : {tile(element, shape)} -> {tile(element, to)}")
            k.store(made, element, to, bits.reshape(-1))


def permute(c: Combination, k: Kernel) -> None:
    (element,) = c.types
    for shape, bits, value in loaded(c, k, (4, 8), (2, 4, 8), (2, 1, 4, 8)):
        for order in list(permutations(range(len(shape))))[:12]:
            to = tuple(shape[p] for p in order)
            made = k.value(f"permute {value} {list(order)} : {tile(element, shape)} "
                           f"-> {tile(element, to)}")
            k.store(made, element, to, bits.transpose(order).reshape(-1))


def cat(c: Combination, k: Kernel) -> None:
    (element,), rng = c.types, samples.generator(f"{c} right")
    for shape, left, value in loaded(c, k, (1,), (8,), (4, 8), (2, 1, 4)):
        for dim in range(len(shape)):
            right = samples.tile_of(element, shape, rng)
            other = k.load(element, shape, right)
            both = np.concatenate([left, right], axis=dim)
            made = k.value(f"cat {value}, {other} dim = {dim} : {tile(element, shape)}, "
                           f"{tile(element, shape)} -> {tile(element, both.shape)}")
            k.store(made, element, both.shape, both.reshape(-1))


def extract(c: Combination, k: Kernel) -> None:
    """An index is the index of a slice."""
    (element,) = c.types
    wanted = {(8,): [(2,), (8,)], (8, 16): [(2, 4), (8, 1), (1, 16)], (4, 2, 8): [(2, 2, 2)],
              (): [()]}
    for shape, bits, value in loaded(c, k, *wanted):
        for part in wanted[shape]:
            counts = [s // p for s, p in zip(shape, part)]
            for index in list(np.ndindex(*counts))[::max(1, math.prod(counts) // 6)]:
                indices = ", ".join(k.constant("i32", i) for i in index)
                made = k.value(f"extract {value}[{indices}] : {tile(element, shape)} "
                               f"-> {tile(element, part)}")
                cut = bits[tuple(slice(i * p, i * p + p) for i, p in zip(index, part))]
                k.store(made, element, part, cut.reshape(-1))


def insert(c: Combination, k: Kernel) -> None:
    """The reverse: the destination, except for one slice (13.4, section 2)."""
    (element,), rng = c.types, samples.generator(f"{c} part")
    wanted = {(8,): [(2,), (8,)], (8, 16): [(2, 4), (8, 1), (1, 16)], (4, 2, 8): [(2, 2, 2)],
              (): [()]}
    for shape, bits, value in loaded(c, k, *wanted):
        for part in wanted[shape]:
            if not is_tile(element, part):
                continue
            source = samples.tile_of(element, part, rng)
            counts = [s // p for s, p in zip(shape, part)]
            for index in list(np.ndindex(*counts))[::max(1, math.prod(counts) // 6)]:
                indices = ", ".join(k.constant("i32", i) for i in index)
                made = k.value(f"insert {k.load(element, part, source)}, {value}[{indices}] : "
                               f"{tile(element, part)}, {tile(element, shape)}")
                whole = bits.copy()
                whole[tuple(slice(i * p, i * p + p) for i, p in zip(index, part))] = source
                k.store(made, element, shape, whole.reshape(-1))


# --- Making tiles ---------------------------------------------------------------------------


def iota(c: Combination, k: Kernel) -> None:
    (element,) = c.types
    for digits in range(min(WIDTHS[element], 12) + 1):
        shape = (1 << digits,)
        k.store(k.value(f"iota : {tile(element, shape)}"), element, shape, np.arange(1 << digits))


def offset(c: Combination, k: Kernel) -> None:
    """Offsets are signed and count elements (operations, 4.9)."""
    (pointee, element), rng = c.types, samples.generator(c)
    shape, size = (256,), WIDTHS[pointee] // 8 or 1
    base = rng.integers(1 << 40, 1 << 41, shape).astype(np.uint64)
    by = samples.random(element, 256, rng)[:256]
    width = WIDTHS[element]
    signed = by.astype(np.int64) - (by.astype(np.int64) >> width - 1 << width) if width < 64 else \
        rng.integers(-(1 << 36), 1 << 36, shape)
    by = by if width < 64 else signed.astype(np.uint64)
    pointers, offsets = tile("ptr", shape, pointee), tile(element, shape)
    first = k.value(f"int_to_ptr {k.load('i64', shape, base)} : {tile('i64', shape)} -> {pointers}")
    moved = k.value(f"offset {first}, {k.load(element, shape, by)} : {pointers}, {offsets} "
                    f"-> {pointers}")
    back = k.value(f"ptr_to_int {moved} : {pointers} -> {tile('i64', shape)}")
    k.store(back, "i64", shape, (base.astype(np.int64) + signed * size).astype(np.uint64))


# --- Literals ---------------------------------------------------------------------------------


def constant(c: Combination, k: Kernel) -> None:
    """Splats, lists, nested lists; numbers and bit patterns (operations, 4.1)."""
    (element,) = c.types
    literals = literals_of(element)
    texts, bits = [text for text, _ in literals], np.array([b for _, b in literals], word(element))
    count = 1 << len(texts).bit_length()
    index = np.resize(np.arange(len(texts)), count)
    for shape in ((count,), (4, count // 4), (2, 2, count // 4)):
        listed = nested([texts[i] for i in index], shape)
        made = k.value(f"constant <{element}: {listed}> : {tile(element, shape)}")
        k.store(made, element, shape, bits[index])
    for text, pattern in literals[:40]:
        made = k.value(f"constant <{element}: {text}> : {tile(element, (2, 4))}")
        k.store(made, element, (2, 4), np.full(8, pattern))


def nested(texts: list[str], shape) -> str:
    if not shape:
        return texts[0]
    step = len(texts) // shape[0]
    return "[" + ", ".join(nested(texts[i * step:(i + 1) * step], shape[1:])
                           for i in range(shape[0])) + "]"


# None of these is so close to the middle between two values that a double could not distinguish
# them: MLIR's lexer converts a literal to a double, which is rounded afterwards.
DECIMALS = ("0.0", "-0.0", "1.0", "-1.0", "0.1", "-0.3", "1.5", "2.5", "3.0", "5.0", "0.75", "0.25",
            "6.0", "7.0", "100.0", "-100.0", "448.0", "464.0", "465.0", "57344.0", "61439.0",
            "61440.0", "65504.0", "65519.0", "65520.0", "70000.0", "1.0e9", "-1.0e9", "3.4e38",
            "3.5e38", "1.0e39", "1.0e-7", "6.0e-8", "2.9802322387695312e-08", "1.0e-40", "1.0e-45",
            "7.0e-46", "1.0e-46", "1.0e308", "1.8e308", "4.9e-324", "2.4e-324", "1.0e-330",
            "3.14159265358979323846", "0.333333333333333333333", "1.000000059604645")


def literals_of(element: str) -> list[tuple[str, int]]:
    """Literals and their patterns."""
    width = WIDTHS[element]
    if element == "i1":
        return [("true", 1), ("false", 0), ("1", 1), ("0", 0), ("-1", 1)]
    if element in INTEGERS:
        signed = [(str(v), v & (1 << width) - 1) for v in
                  (0, 1, -1, 7, 100, (1 << width - 1) - 1, -(1 << width - 1), -(1 << width - 1) + 1)]
        unsigned = [(str(v), v) for v in (1 << width - 1, (1 << width) - 1)] if width < 64 else []
        return signed + unsigned + [("0x10", 16), ("0x7F", 0x7F), ("-0x1", (1 << width) - 1)]
    assert is_float(element)
    # A hexadecimal literal is the pattern of the format, which for tf32 has 19 bits.
    shift = FORMATS[element].low_zeros if element in FORMATS else 0
    some = samples.edges(element)
    written = [(f"0x{int(b) >> shift:X}", int(b)) for b in some]
    decimals = [text for text in DECIMALS if element != "f8E5M3FNU" or text[0] != "-"]
    return [(text, literal(element, text)) for text in decimals] + written


def literal(element: str, text: str) -> int:
    """The nearest value; for out-of-range values infinity, NaN, or for f4 the largest."""
    exact = gmpy2.mpfr(text, 4000)
    if element == SCALE:
        if exact < 0:
            return 0xFF
        if exact == 0:  # -0.0 counts as zero: it is not below it
            return 0
        exponent, fraction = gmpy2.frexp(exact)
        exponent += int(fraction >= 0.75) - 1  # halfway is up: 3.0 becomes 4.0
        return 0xFF if exponent > 127 else max(exponent + 127, 0)
    f = FORMATS[element]
    rounded = context(element, unbounded=True).plus(exact)
    if abs(rounded) > f.largest:
        if f.infinity is not None:
            rounded = gmpy2.mpfr("-inf" if exact < 0 else "inf")
        elif element == "f4E2M1FN":
            rounded = gmpy2.mpfr(-f.largest if exact < 0 else f.largest)
        else:
            return f.nan | (f.sign if exact < 0 else 0)
    return int(to_bits(element, [rounded])[0])
