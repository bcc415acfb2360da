# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of elementwise operations: integers, floats and conversions.

All have the same form: tiles of inputs, the operation, a tile of results. Inputs for which
the model has no result are left out.
"""

import functools

import gmpy2
import numpy as np
from gmpy2 import mpfr

import samples
from combinations import Combination, of
from formats import (EXACT, FORMATS, SCALE, WIDTHS, context, decode, every_pattern, numbers,
                     to_bits, word)
from kernel import Case, Kernel, flat, tile
from model import conversions, floats, integers

ULP_SAMPLES = 3000  # results per case for which distances are measured


def cases() -> list[Case]:
    rules = {
        binary_integer: (*integers.BINARY,), unary_integer: (*integers.UNARY,),
        float_operation: (*floats.FUNCTIONS,), sign_operation: ("absf", "negf"),
        integer_power: ("fpowi",), float_comparison: ("cmpf",), extension: ("exti",), truncation: ("trunci",),
        float_to_float: ("ftof",), float_to_integer: ("ftoi",), integer_to_float: ("itof",),
        bitcast: ("bitcast",), packing: ("pack",), unpacking: ("unpack",), selection: ("select",),
        pointer_conversion: ("int_to_ptr", "ptr_to_int", "ptr_to_ptr"),
    }
    return [Case((c,), functools.partial(build, c))
            for build, ops in rules.items() for c in of(*ops)]


# --- Integers ---------------------------------------------------------------------------


def binary_integer(c: Combination, k: Kernel) -> None:
    (element,), rng = c.types, samples.generator(c)
    a, b = samples.tuples(element, 2, rng)
    if c.op in ("shli", "shri"):  # amounts up to the width
        amounts = rng.integers(0, WIDTHS[element], len(b)).astype(b.dtype)
        b = np.where(rng.random(len(b)) < 0.7, amounts, b)
    function = integers.BINARY[c.op]
    results = [function(x, y, WIDTHS[element], *c.modifiers)
               for x, y in zip(a.tolist(), b.tolist())]
    if c.op == "cmpi":
        predicate, signedness = c.modifiers
        elementwise(k, [(element, a), (element, b)], "i1", results,
                    lambda s, v: f"cmpi {predicate} {v[0]}, {v[1]}, {signedness} : "
                                 f"{tile(element, s)} -> {tile('i1', s)}")
    else:
        same_type(c, k, element, [a, b], results)


def unary_integer(c: Combination, k: Kernel) -> None:
    (element,) = c.types
    a = samples.unary(element, samples.generator(c))
    results = [integers.UNARY[c.op](x, WIDTHS[element], *c.modifiers) for x in a.tolist()]
    same_type(c, k, element, [a], results)


# --- Floats -------------------------------------------------------------------------------


ARITY = {"fma": 3, "addf": 2, "subf": 2, "mulf": 2, "divf": 2, "remf": 2, "maxf": 2, "minf": 2,
         "pow": 2, "atan2": 2}


def float_operation(c: Combination, k: Kernel) -> None:
    (element,), rng = c.types, samples.generator(c)
    inputs = samples.tuples(element, ARITY.get(c.op, 1), rng)
    if c.op == "fma":
        inputs = [np.concatenate(rows) for rows in zip(inputs, cancelling(element, rng),
                                                       near_ties(element, rng))]
    operands = list(zip(*(numbers(element, bits) for bits in inputs)))
    function = floats.operation(c.op, element, c.modifiers)
    results = to_bits(element, [function(*x) for x in operands])

    exact = None
    if element in ("f32", "f64") and "flush_to_zero" not in c.modifiers \
            and c.op not in ("ceil", "floor", "maxf", "minf", "remf"):
        # The last ones are random.
        inputs, results = [i[::-1] for i in inputs], results[::-1]
        real = floats.exact(c.op, element)
        exact = [real(*x) for x in operands[:-ULP_SAMPLES - 1:-1]]
        if c.modifiers[:1] == ("rounding<approx>",) and c.op == "divf":
            exact = None  # zero beyond 2^126, by its rule
    same_type(c, k, element, inputs, results, exact=exact,
              any_nan=c.op in ("ceil", "floor"))  # the specification does not say if these keep a NaN's bits


def integer_power(c: Combination, k: Kernel) -> None:
    """The exponent is signed, whatever its width (13.4, section 3)."""
    (element, integer), rng = c.types, samples.generator(c)
    count = 4000
    a = np.resize(rng.permutation(samples.unary(element, rng)), count)
    n = np.resize(rng.permutation(samples.unary(integer, rng)), count)
    if WIDTHS[integer] > 8:  # makes most results finite and nonzero
        n[::2] = rng.integers(-40, 40, len(n[::2])).astype(n.dtype)
    function = floats.operation("pow", element, ())
    operands = [(x, mpfr(integers.signed(int(m), WIDTHS[integer])))
                for x, m in zip(numbers(element, a), n)]
    results = to_bits(element, [function(*pair) for pair in operands])
    exact = None
    if element in ("f32", "f64"):
        real = floats.exact("pow", element)
        exact = [real(*pair) for pair in operands[:ULP_SAMPLES]]
    elementwise(k, [(element, a), (integer, n)], element, results,
                lambda s, v: f"fpowi {v[0]}, {v[1]} : {tile(element, s)}, {tile(integer, s)}",
                exact=exact)


def cancelling(element: str, rng: np.random.Generator) -> list[np.ndarray]:
    """a * b + c where c is the rounded -(a * b) or a neighbour: the result is nonzero only with a
    single rounding."""
    f = FORMATS[element]
    a, b = (samples.random(element, 1500, rng) for _ in range(2))
    product = floats.operation("mulf", element, ())
    rounded = to_bits(element, [-product(x, y) for x, y in zip(numbers(element, a),
                                                               numbers(element, b))])
    step = rng.integers(-1, 2, len(a))
    step = np.where(rounded & word(element).type(f.infinity - 1) == 0, 0, step)
    return [a, b, (rounded.astype(np.int64) + step).astype(word(element))]


def near_ties(element: str, rng: np.random.Generator) -> list[np.ndarray]:
    """a * b + c halfway between two values, or closer to that than a wider format can represent: two
    rounding steps give a wrong result."""
    f, c = FORMATS[element], context(element)
    toward = context(element, "zero")
    a, b = (samples.random(element, 4000, rng) for _ in range(2))
    kept, terms = [], []
    for i, (x, y) in enumerate(zip(numbers(element, a), numbers(element, b))):
        product = EXACT.mul(x, y)
        below = toward.plus(product)
        if gmpy2.is_finite(product) and 2.0**(2 - f.bias) < abs(below) < f.largest / 2:
            above = c.next_above(below) if product > 0 else c.next_below(below)
            middle = EXACT.div(EXACT.add(below, above), 2)
            kept.append(i)
            terms.append(c.plus(EXACT.sub(middle, product)))
    a, b, third = a[kept], b[kept], to_bits(element, terms).astype(np.int64)
    below_zero = np.uint64(f.sign | 1).astype(np.int64)
    tiny = {-1: below_zero, 0: 0, 1: 1}  # for products that are halfway themselves
    beside = [np.where(third & f.sign - 1 > 1, third + d, tiny[d]) for d in (-1, 0, 1)]
    return [np.tile(a, 3), np.tile(b, 3), np.concatenate(beside).astype(word(element))]


def sign_operation(c: Combination, k: Kernel) -> None:
    """Changes only the sign bit, also for a NaN (our choice: arithmetic, 4.11)."""
    (element,) = c.types
    sign = word(element).type(FORMATS[element].sign)
    a = samples.unary(element, samples.generator(c))
    same_type(c, k, element, [a], a & ~sign if c.op == "absf" else a ^ sign)


def float_comparison(c: Combination, k: Kernel) -> None:
    (element,), (predicate, ordering) = c.types, c.modifiers
    a, b = samples.tuples(element, 2, samples.generator(c))
    results = [floats.ieee754_compare(predicate, ordering, x, y)
               for x, y in zip(decode(element, a).tolist(), decode(element, b).tolist())]
    elementwise(k, [(element, a), (element, b)], "i1", results,
                lambda s, v: f"cmpf {predicate} {ordering} {v[0]}, {v[1]} : "
                             f"{tile(element, s)} -> {tile('i1', s)}")


# --- Conversions -----------------------------------------------------------------------------


def extension(c: Combination, k: Kernel) -> None:
    source, to = c.types
    a = samples.unary(source, samples.generator(c))
    results = [conversions.extend(x, WIDTHS[source], WIDTHS[to], *c.modifiers) for x in a.tolist()]
    conversion(c, k, a, results)


def truncation(c: Combination, k: Kernel) -> None:
    source, to = c.types
    a = samples.unary(source, samples.generator(c))
    results = [conversions.truncate(x, WIDTHS[source], WIDTHS[to], *c.modifiers)
               for x in a.tolist()]
    conversion(c, k, a, results)


def float_to_float(c: Combination, k: Kernel) -> None:
    source, to = c.types
    a = samples.unary(source, samples.generator(c))
    if WIDTHS[source] >= 32:
        a = np.concatenate([a, halfway(source, to)])
    rounding = c.modifiers[0] if c.modifiers else ""
    results = to_bits(to, [conversions.float_to_float(x, to, rounding) for x in numbers(source, a)])
    conversion(c, k, a, results)


def halfway(source: str, to: str) -> np.ndarray:
    """Halfway between two neighbours in the destination, and one source step beside that."""
    if to == SCALE:
        return np.array([], word(source))
    f = FORMATS[to]
    low = samples.generator(to).integers(0, f.magnitudes - 1, 3000, dtype=np.uint64)
    low = np.unique(low >> np.uint64(f.low_zeros) << np.uint64(f.low_zeros))
    ends = [decode(to, (low + np.uint64(d << f.low_zeros)).astype(word(to))) for d in (0, 1)]
    with np.errstate(invalid="ignore", over="ignore"):
        middle = ends[0] / 2 + ends[1] / 2
        middle = np.concatenate([middle, -middle])
        middle = middle[np.isfinite(middle) & (middle != 0)]
        if source != "f64":
            middle = middle[middle.astype(np.float32) == middle]
    bits = to_bits("f64" if source == "f64" else "f32", middle.tolist())
    bits = bits[bits % (1 << FORMATS[source].low_zeros) == 0].astype(word(source))
    step = bits.dtype.type(1 << FORMATS[source].low_zeros)
    return np.concatenate([bits, bits + step, bits - step])


def float_to_integer(c: Combination, k: Kernel) -> None:
    source, to = c.types
    rng = samples.generator(c)
    a = samples.unary(source, rng)
    if source in ("f32", "f64", "tf32"):  # the ends of the range, and around integers
        width = WIDTHS[to]
        ends = [sign * (2.0**e + d) for e in range(width + 1) for d in (-1, -.5, 0, .5, 1)
                for sign in (1, -1)]
        near = np.array(ends)
        if source != "f64":
            near = near.astype(np.float32).astype(np.float64)
        bits = to_bits("f64" if source == "f64" else "f32", near.tolist())
        a = np.concatenate([a, bits & word(source).type(0xFFFFE000) if source == "tf32" else bits])
    results = [conversions.float_to_integer(x, to, *c.modifiers) for x in numbers(source, a)]
    results = [None if r is None else r & (1 << WIDTHS[to]) - 1 for r in results]
    conversion(c, k, a, results)


def integer_to_float(c: Combination, k: Kernel) -> None:
    source, to = c.types
    width, rng = WIDTHS[source], samples.generator(c)
    a = every_pattern(source) if width <= 16 else samples.unary(source, rng)
    if width > 16:  # ties: a one, followed by zeros up to the middle of the last place, and neighbours
        digits = FORMATS[to].fraction + 1
        tops = rng.integers(0, 1 << min(digits, width), 2000, dtype=np.uint64) | np.uint64(1)
        shift = np.uint64(max(width - digits - 1, 0))
        a = np.concatenate([a, *[((tops << shift) + np.uint64(d & (1 << 64) - 1)).astype(a.dtype)
                                 for d in (-1, 0, 1)]])
    values = [integers.read(x, width, *c.modifiers) for x in a.tolist()]
    results = to_bits(to, [conversions.integer_to_float(n, to) for n in values])
    conversion(c, k, a, results)


def bitcast(c: Combination, k: Kernel) -> None:
    source, to = c.types
    a = samples.unary(source, samples.generator(c))
    conversion(c, k, a, a.astype(word(to)))


def packing(c: Combination, k: Kernel) -> None:
    source, _ = c.types
    a, _ = flat(samples.unary(source, samples.generator(c)), 16)
    data = conversions.to_bytes(source, a)
    value = k.load(source, a.shape, a)
    made = k.value(f"pack {value} : {tile(source, a.shape)} -> {tile('i8', data.shape)}")
    k.store(made, "i8", data.shape, data)


def unpacking(c: Combination, k: Kernel) -> None:
    _, to = c.types
    data = samples.generator(c).integers(0, 256, 4096).astype(np.uint8)
    bits = conversions.from_bytes(to, data)
    value = k.load("i8", data.shape, data)
    made = k.value(f"unpack {value} : {tile('i8', data.shape)} -> {tile(to, bits.shape)}")
    k.store(made, to, bits.shape, bits)


def selection(c: Combination, k: Kernel) -> None:
    (element,), rng = c.types, samples.generator(c)
    count = 4096
    bits = np.resize(samples.edges(element), count) if element not in ("i4", "ptr") else \
        rng.integers(0, 16, count).astype(word(element))
    other = rng.permutation(bits)
    condition = rng.integers(0, 2, count).astype(np.uint8)
    elementwise(k, [("i1", condition), (element, bits), (element, other)], element,
                np.where(condition == 1, bits, other),
                lambda s, v: f"select {v[0]}, {v[1]}, {v[2]} : {tile('i1', s)}, {tile(element, s)}")


def pointer_conversion(c: Combination, k: Kernel) -> None:
    """Addresses are 64-bit numbers, and are not changed (arithmetic, 4.28)."""
    a, _ = flat(samples.edges("i64"))
    shape = a.shape
    value = k.load("i64", shape, a)
    first = c.types[1] if c.op == "int_to_ptr" else c.types[0]
    pointer = k.value(f"int_to_ptr {value} : {tile('i64', shape)} -> {tile('ptr', shape, first)}")
    last = c.types[1] if c.op == "ptr_to_ptr" else first
    if c.op == "ptr_to_ptr":
        pointer = k.value(f"ptr_to_ptr {pointer} : {tile('ptr', shape, first)} "
                          f"-> {tile('ptr', shape, last)}")
    back = k.value(f"ptr_to_int {pointer} : {tile('ptr', shape, last)} -> {tile('i64', shape)}")
    k.store(back, "i64", shape, a)


# --- The common form -----------------------------------------------------------------------------


def same_type(c: Combination, k: Kernel, element: str, inputs, results, **more) -> None:
    elementwise(k, [(element, bits) for bits in inputs], element, results,
                lambda s, v: f"{c.op} {', '.join(v)}{c.tail} : {tile(element, s)}", **more)


def conversion(c: Combination, k: Kernel, inputs: np.ndarray, results) -> None:
    source, to = c.types
    elementwise(k, [(source, inputs)], to, results,
                lambda s, v: f"{c.op} {v[0]}{c.tail} : {tile(source, s)} -> {tile(to, s)}")


def elementwise(k: Kernel, inputs, to: str, results, expression, **more) -> None:
    """Inputs without a result are dropped; the rest is one tile of rank 1."""
    if isinstance(results, list):
        kept = np.array([r is not None for r in results])
        results = np.array([r for r in results if r is not None], word(to))
        inputs = [(element, bits[kept]) for element, bits in inputs]
    padded, count = flat(np.asarray(results))
    inputs = [(element, flat(bits)[0]) for element, bits in inputs]
    shape = padded.shape
    values = [k.load(element, shape, bits) for element, bits in inputs]
    k.store(k.value(expression(shape, values)), to, shape, padded, count=count, inputs=inputs,
            **more)
