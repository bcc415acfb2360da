# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of reduce and scan, with common bodies, and with bodies that reveal the order (operations,
4.11 and 4.12).

Where every order gives the same result, the text determines it. Where orders differ (sums of
floats, and bodies that are not associative), the model follows the order that the text proposes
for a reference machine: reduce is a tree over halves, with the first half as the accumulator and
without the identity; scan is a left fold that starts with it.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import samples
from combinations import TOGETHER, Combination, of
from formats import FORMATS, SCALE, WIDTHS, is_float, numbers, to_bits, word
from kernel import Case, Kernel, tile
from model import floats, integers

SHAPES = ((16,), (4, 8), (2, 4, 8), (4, 1), (256,))


def cases() -> list[Case]:
    return [Case((c,), functools.partial(aggregate, c)) for c in of("reduce", "scan")]


@dataclass
class Body:
    elements: tuple[str, ...]
    identities: tuple[str, ...]  # as text
    neutral: tuple[int, ...]  # as bit patterns
    text: Callable[[list[str], list[str]], str]  # given elements and accumulators
    function: Callable  # (elements, accumulators) -> results, all tuples of patterns


# --- The order ----------------------------------------------------------------------------


def reduce_tree(body: Body, row: list[tuple]) -> tuple:
    if len(row) == 1:
        return row[0]
    half = len(row) // 2
    return body.function(reduce_tree(body, row[half:]), reduce_tree(body, row[:half]))


def scan_fold(body: Body, row: list[tuple], reverse: bool) -> list[tuple]:
    running, results = body.neutral, []
    for element in reversed(row) if reverse else row:
        running = body.function(element, running)
        results.append(running)
    return results[::-1] if reverse else results


def aggregate(c: Combination, k: Kernel) -> None:
    body, rng = body_of(c), samples.generator(c)
    for shape in SHAPES:
        arrays = [operand(e, c, shape, rng) for e in body.elements]
        for dim in range(len(shape)):
            values = [k.load(e, shape, a) for e, a in zip(body.elements, arrays)]
            rows = np.stack([np.moveaxis(a, dim, -1).reshape(-1, shape[dim]).astype(object)
                             for a in arrays], axis=-1)
            rows = [[tuple(x) for x in row] for row in rows.tolist()]
            if c.op == "reduce":
                to = shape[:dim] + shape[dim + 1:]
                results = [reduce_tree(body, row) for row in rows]
                expected = [np.array([r[i] for r in results], word(e))
                            for i, e in enumerate(body.elements)]
            else:
                to, reverse = shape, "reverse=true" in c.modifiers
                results = [scan_fold(body, row, reverse) for row in rows]
                moved = np.moveaxis(np.empty(shape), dim, -1).shape
                expected = [np.moveaxis(np.array([[x[i] for x in row] for row in results], word(e))
                                        .reshape(moved), -1, dim).reshape(-1)
                            for i, e in enumerate(body.elements)]
            made = emit(c, k, body, values, shape, to, dim)
            slack = order_slack(c, arrays[0], dim)
            for value, e, bits in zip(made, body.elements, expected):
                k.store(value, e, to, bits, slack=slack)


def order_slack(c: Combination, bits: np.ndarray, dim: int) -> np.ndarray | None:
    """The tolerance for sums of f32 and f64: compiled code may choose another order."""
    if c.modifiers[:1] != ("addf",) or c.types[0] not in ("f32", "f64"):
        return None
    element = c.types[0]
    magnitudes = np.abs(numbers_of(element, bits))
    if c.op == "reduce":
        summed = magnitudes.sum(axis=dim)
    elif "reverse=true" in c.modifiers:
        summed = np.flip(np.flip(magnitudes, dim).cumsum(axis=dim), dim)
    else:
        summed = magnitudes.cumsum(axis=dim)
    return summed.reshape(-1) * bits.shape[dim] * 2.0 ** (-23 if element == "f32" else -52)


def numbers_of(element: str, bits: np.ndarray) -> np.ndarray:
    return np.array(numbers(element, bits.reshape(-1)), np.float64).reshape(bits.shape)


def operand(element: str, c: Combination, shape, rng: np.random.Generator) -> np.ndarray:
    """Floats of moderate size for arithmetic: sums of arbitrary ones are infinite or NaN."""
    if not is_float(element) or c.modifiers[0] in ("element", "accumulator"):
        return samples.tile_of(element, shape, rng)
    bits = samples.random(element, 4096, rng)
    values = np.array([float(x) for x in numbers(element, bits)])
    ordinary = bits[(np.abs(values) < 300) & (np.abs(values) > 1e-3)]
    return rng.choice(ordinary, shape)


def emit(c: Combination, k: Kernel, body: Body, values, shape, to, dim: int) -> list[str]:
    elements = [f"%{k.name('e')}" for _ in values]
    running = [f"%{k.name('a')}" for _ in values]
    results = [f"%{k.name()}" for _ in values]
    arguments = ", ".join(f"{e}: tile<{t}>, {a}: tile<{t}>"
                          for e, a, t in zip(elements, running, body.elements))
    reverse = f" {c.modifiers[1]}" if c.op == "scan" else ""
    k.emit(f"{', '.join(results)} = {c.op} {', '.join(values)} dim={dim}{reverse} "
           f"identities=[{', '.join(body.identities)}] : "
           f"{', '.join(tile(e, shape) for e in body.elements)} -> "
           f"{', '.join(tile(e, to) for e in body.elements)} ({arguments}) {{\n"
           f"{body.text(elements, running)}\n}}")
    return results


# --- The bodies -------------------------------------------------------------------------------


def body_of(c: Combination) -> Body:
    name = c.modifiers[0]
    if name in TOGETHER:
        return {"argmax": argmax, "affine": affine, "three": three}[name]()
    (element,) = c.types
    if name in ("element", "accumulator"):
        return picking(element, name == "element")
    return binary(element, name)


def binary(element: str, name: str) -> Body:
    op, *modifiers = name.split()
    width = WIDTHS[element]
    tail = "".join(f" {m}" for m in modifiers)
    if element in FORMATS:
        function = floats.operation(op, element, tuple(modifiers))

        def combine(e, a):
            x, y = numbers(element, np.array([e[0], a[0]], word(element)))
            return (int(to_bits(element, [function(x, y)])[0]),)
        infinity = FORMATS[element].infinity
        pattern = {"addf": 0, "mulf": int(to_bits(element, [1.0])[0]),
                   "maxf": infinity | FORMATS[element].sign, "minf": infinity}[op]
        identity = f"0x{pattern:0{width // 4}X} : {element}"
    else:
        modifiers = modifiers or ([""] if op in ("addi", "muli") else [])
        smallest, largest = 1 << width - 1, (1 << width - 1) - 1
        pattern = {"addi": 0, "muli": 1, "andi": (1 << width) - 1, "ori": 0, "xori": 0,
                   "maxi signed": smallest, "maxi unsigned": 0, "mini signed": largest,
                   "mini unsigned": (1 << width) - 1}[name]
        identity = f"{integers.signed(pattern, width)} : {element}"

        def combine(e, a):
            return (integers.BINARY[op](e[0], a[0], width, *modifiers),)

    def text(e, a):
        return f"%r = {op} {e[0]}, {a[0]}{tail} : tile<{element}>\nyield %r : tile<{element}>"
    return Body((element,), (identity,), (pattern,), text, combine)


def picking(element: str, later: bool) -> Body:
    """Associative, not commutative, and independent of the element type."""
    if element == SCALE:
        identity, pattern = f"1.0 : {element}", 127
    else:
        identity, pattern = f"{'0.0' if is_float(element) else '0'} : {element}", 0
    return Body((element,), (identity,), (pattern,),
                lambda e, a: f"yield {(e if later else a)[0]} : tile<{element}>",
                lambda e, a: e if later else a)


def argmax() -> Body:
    """The largest element, and the smallest index among equal ones."""
    def text(e, a):
        return f"""%more = cmpf greater_than ordered {e[0]}, {a[0]} : tile<f32> -> tile<i1>
%same = cmpf equal ordered {e[0]}, {a[0]} : tile<f32> -> tile<i1>
%first = cmpi less_than {e[1]}, {a[1]}, signed : tile<i32> -> tile<i1>
%tie = andi %same, %first : tile<i1>
%take = ori %more, %tie : tile<i1>
%x = select %take, {e[0]}, {a[0]} : tile<i1>, tile<f32>
%i = select %take, {e[1]}, {a[1]} : tile<i1>, tile<i32>
yield %x, %i : tile<f32>, tile<i32>"""

    def function(e, a):
        x, y = (float(v) for v in numbers("f32", np.array([e[0], a[0]], np.uint32)))
        i, j = (integers.signed(v, 32) for v in (e[1], a[1]))
        return e if x > y or (x == y and i < j) else a
    return Body(("f32", "i32"), ("0xFF800000 : f32", "0 : i32"), (0xFF800000, 0), text, function)


def affine() -> Body:
    """Composes maps x -> m x + n, earlier ones first: associative, not commutative."""
    def text(e, a):
        return f"""%m = muli {e[0]}, {a[0]} : tile<i32>
%part = muli {e[0]}, {a[1]} : tile<i32>
%n = addi %part, {e[1]} : tile<i32>
yield %m, %n : tile<i32>, tile<i32>"""

    def function(e, a):
        return integers.wrap(e[0] * a[0], 32), integers.wrap(e[0] * a[1] + e[1], 32)
    return Body(("i32", "i32"), ("1 : i32", "0 : i32"), (1, 0), text, function)


def three() -> Body:
    """Not associative: 3 a + e, the larger float, and the difference. Reveals the order."""
    def text(e, a):
        return f"""%three = constant <i32: 3> : tile<i32>
%scaled = muli {a[0]}, %three : tile<i32>
%x = addi %scaled, {e[0]} : tile<i32>
%y = maxf {e[1]}, {a[1]} : tile<f16>
%z = subi {e[2]}, {a[2]} : tile<i8>
yield %x, %y, %z : tile<i32>, tile<f16>, tile<i8>"""
    larger = floats.operation("maxf", "f16", ())

    def function(e, a):
        x, y = numbers("f16", np.array([e[1], a[1]], np.uint16))
        return (integers.wrap(3 * a[0] + e[0], 32), int(to_bits("f16", [larger(x, y)])[0]),
                integers.wrap(e[2] - a[2], 8))
    return Body(("i32", "f16", "i8"), ("0 : i32", "0xFC00 : f16", "0 : i8"), (0, 0xFC00, 0),
                text, function)
