# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reduce and scan with functions that give the same result in every order.

These are associative (operations, 4.11): the usual sums and extrema; longer bodies that are
equivalent to a usual one; functions of several operands at once, of which matrix products and
affine maps are not commutative, so that they reveal reordered ranges. Sums of floats are exact
(small integers), or have an error bound.
"""

from builder import Builder
from checks import Ulps
from elementwise import choose, clamped, masked
from elements import ANY_NAN, BASE_FLOATS, FLOATS, INTEGERS, SCALE, UNSIGNED, WIDTHS, pattern
from memory import store_scaled
from tileir import Op, Region, Tile, Value


def aggregate(b: Builder) -> None:
    b.weighted({integer: 4, disguised: 2, extremum: 3, exact_sum: 2, any_sum: 2, product: 1,
                position: 2, affine: 1, matrix: 0.5, limited: 1, narrow: 1})(b)


# --- Emitting -----------------------------------------------------------------------------------


class Step:
    """The body of an aggregate under construction: an element and an accumulator per operand."""

    def __init__(self, b: Builder, elements: list[str]) -> None:
        self.b = b
        self.arguments = [Value(Tile(e)) for e in elements for _ in range(2)]
        self.elements, self.accumulated = self.arguments[0::2], self.arguments[1::2]


def combine(b: Builder, operands: list[Value], identities: list[str], body,
            scans: bool | None = None, dim: int | None = None,
            reverse: bool | None = None) -> list[Value]:
    """`body` takes a Step and returns the values to yield."""
    shape = operands[0].shape
    scans = b.chance(0.45) if scans is None else scans
    dim = b.random.randrange(len(shape)) if dim is None else dim
    step = Step(b, [o.element for o in operands])
    with b.region(step.arguments, pure=True) as region:
        results = body(step)
        types = ", ".join(f"$t{k}" for k in range(len(results)))
        names = ", ".join(f"${k}" for k in range(len(results)))
        b.effect(f"yield {names} : {types}", *results)
    reverse = b.chance(0.5) if reverse is None else reverse
    return emit(b, operands, identities, region, f" reverse={str(reverse).lower()}" if scans else "",
                dim)


def emit(b: Builder, operands: list[Value], identities: list[str], region: Region, scan: str,
         dim: int) -> list[Value]:
    """A `scan` in the given direction; a `reduce` if there is none."""
    shape, count = operands[0].shape, len(operands)
    to = shape if scan else shape[:dim] + shape[dim + 1:]
    gaps = range(count)
    arguments = ", ".join(f"$a{k}: $u{k}" for k in range(2 * count))
    listed = ", ".join(f"{i} : {o.element}" for i, o in zip(identities, operands))
    text = (f"{'scan' if scan else 'reduce'} {', '.join(f'${k}' for k in gaps)} "
            f"dim={dim}{scan} identities=[{listed}] : {', '.join(f'$t{k}' for k in gaps)} -> "
            f"{', '.join(f'$r{k}' for k in gaps)} ({arguments})")
    results = [Value(o.type.shaped(*to), any_nan=o.element in ANY_NAN) for o in operands]
    b.append(Op(text, list(operands), results, [region]))
    return results


def identity(element: str, bits: int) -> str:
    """A scalar attribute: integers signed, floats as bit patterns."""
    width = WIDTHS[element]
    if element in FLOATS:
        return f"0x{bits >> FLOATS[element].low_zeros:0{width // 4}X}"
    return str(bits - (1 << width) if bits >> width - 1 and width > 1 else bits)


# --- Integers -----------------------------------------------------------------------------------


def neutral(op: str, width: int) -> int:
    top, ones = 1 << width - 1, (1 << width) - 1
    return {"addi": 0, "ori": 0, "xori": 0, "muli": 1, "andi": ones, "maxi signed": top,
            "maxi unsigned": 0, "mini signed": top - 1, "mini unsigned": ones}[op]


INTEGER_OPS = ("addi", "muli", "andi", "ori", "xori", "maxi signed", "maxi unsigned",
               "mini signed", "mini unsigned")


def step_text(op: str) -> str:
    name, *sign = op.split()
    return f"{name} $0, $1{' ' + sign[0] if sign else ''} : $r0"


def integer(b: Builder) -> None:
    value = b.operand(b.tile(INTEGERS, least_rank=1))
    op = b.choice(INTEGER_OPS)

    def body(s: Step) -> list[Value]:
        pair = [s.elements[0], s.accumulated[0]]
        if b.chance(0.3):
            pair.reverse()
        return [b.op(step_text(op), *pair, to=pair[0].type)]
    b.finish(*combine(b, [value], [identity(value.element, neutral(op, WIDTHS[value.element]))],
                      body))


def disguised(b: Builder) -> None:
    """h(g(x) op g(y)) for a bijection g and its inverse h is as associative as `op`."""
    value = b.operand(b.tile(["i8", "i16", "i32", "i64"], least_rank=1))
    element, width = value.element, WIDTHS[value.element]
    scalar, mask = Tile(element), (1 << width) - 1
    op, way = b.choice(INTEGER_OPS), b.choice(["xor", "multiply", "rotate", "add"])
    key, turn = b.random.getrandbits(width) | 1, b.random.randrange(1, width)
    inverse, captured = pow(key, -1, 1 << width), b.constant(scalar, key)

    def rotate(x: Value, amount: int) -> Value:
        left = b.op("shli $0, $1 : $r0", x, b.constant(scalar, amount), to=scalar)
        right = b.op("shri $0, $1 unsigned : $r0", x, b.constant(scalar, width - amount),
                     to=scalar)
        return b.op("ori $0, $1 : $r0", left, right, to=scalar)

    def disguise(x: Value, back: bool) -> Value:
        if way == "xor":
            return b.op("xori $0, $1 : $r0", x, b.constant(scalar, key), to=scalar)
        if way == "multiply":
            factor = b.constant(scalar, inverse if back else key)
            return b.op("muli $0, $1 : $r0", x, factor, to=scalar)
        if way == "rotate":
            return rotate(x, width - turn if back else turn)
        return b.op(f"{'subi' if back else 'addi'} $0, $1 : $r0", x, captured, to=scalar)

    def body(s: Step) -> list[Value]:
        pair = [disguise(s.elements[0], False), disguise(s.accumulated[0], False)]
        return [disguise(b.op(step_text(op), *pair, to=scalar), True)]

    bits = neutral(op, width)
    hidden = {"xor": bits ^ key, "multiply": bits * inverse, "add": bits - key,
              "rotate": bits >> turn | bits << width - turn}[way]
    b.finish(*combine(b, [value], [identity(element, hidden & mask)], body))


def limited(b: Builder) -> None:
    """The largest element, clamped to a value from outside."""
    value = b.operand(b.tile(["i8", "i16", "i32", "i64"], least_rank=1))
    wide = [d for d, extent in enumerate(value.shape) if extent > 1]
    if not wide:
        return
    scalar = Tile(value.element)
    limit = b.operand(scalar)

    def body(s: Step) -> list[Value]:
        larger = b.op("maxi $0, $1 signed : $r0", s.elements[0], s.accumulated[0], to=scalar)
        return [b.op("mini $0, $1 signed : $r0", larger, limit, to=scalar)]
    least = identity(value.element, 1 << WIDTHS[value.element] - 1)
    b.finish(*combine(b, [value], [least], body, scans=False, dim=b.choice(wide)))


# --- Floats -------------------------------------------------------------------------------------


def float_body(b: Builder, text: str):
    return lambda s: [b.arithmetic(text, s.elements[0], s.accumulated[0],
                                   to=s.elements[0].type)]


def extremum(b: Builder) -> None:
    """A NaN wins or loses. Where it loses there is none, because a row of NaNs would reveal whether
    the identity was used."""
    value = b.operand(b.tile(BASE_FLOATS, least_rank=1))
    f, op = FLOATS[value.element], b.choice(["maxf", "minf"])
    nan = b.choice(["", " propagate_nan"])
    if not nan:
        is_nan = b.op("cmpf not_equal unordered $0, $0 : $t0 -> $r0", value,
                      to=value.type.of("i1"), any_nan=False)
        value = choose(b, is_nan, b.constant(value.type, 1.0), value)
    least = f.infinity | (1 << f.width - 1 if op == "maxf" else 0)
    b.finish(*combine(b, [value], [identity(value.element, least)],
                      float_body(b, f"{op} $0, $1{nan} : $r0")))


def narrow(b: Builder) -> None:
    """For formats without arithmetic: computed in a wider one, which represents all of their values
    exactly."""
    element = b.choice(["i4", "tf32", "f8E4M3FN", "f8E5M2", SCALE, UNSIGNED])
    value, scalar = b.operand(b.tile([element], least_rank=1)), Tile(element)
    sign = b.choice(["signed", "unsigned"])
    larger = b.chance(0.5)

    def widened(x: Value) -> Value:
        if element == "i4":
            return b.op(f"exti $0 {sign} : $t0 -> $r0", x, to=Tile("i8"))
        return b.arithmetic("ftof $0 : $t0 -> $r0", x, to=Tile("f32"))

    def body(s: Step) -> list[Value]:
        pair = [widened(s.elements[0]), widened(s.accumulated[0])]
        if element == "i4":
            best = b.op(f"{'maxi' if larger else 'mini'} $0, $1 {sign} : $r0", *pair,
                        to=Tile("i8"))
            return [b.op("trunci $0 : $t0 -> $r0", best, to=scalar)]
        best = b.arithmetic(f"{'maxf' if larger else 'minf'} $0, $1 propagate_nan : $r0", *pair,
                            to=Tile("f32"))
        mode = " rounding<zero>" if element == SCALE else ""
        return [b.arithmetic(f"ftof $0{mode} : $t0 -> $r0", best, to=scalar)]

    if element == "i4":
        bits = neutral(f"{'maxi' if larger else 'mini'} {sign}", 4)
    else:
        bits = least_of(element) if larger else least_of(element) & ~sign_bit(element)
        if element in (SCALE, UNSIGNED) and not larger:
            bits = FLOATS[element].largest
    b.finish(*combine(b, [value], [identity(element, bits)], body))


def sign_bit(element: str) -> int:
    return 0 if element in (SCALE, UNSIGNED) else 1 << FLOATS[element].width - 1


def least_of(element: str) -> int:
    """The identity for maxima: no value is smaller."""
    f = FLOATS[element]
    if element in (SCALE, UNSIGNED):
        return 0
    return (f.largest if f.infinity is None else f.infinity) | sign_bit(element)


def exact_sum(b: Builder) -> None:
    """Integers so small that all sums are exact."""
    tile = b.tile(BASE_FLOATS, least_rank=1)
    limit = {"f16": 2048, "bf16": 256}.get(tile.element, 1 << 24)
    top = 15 if tile.count * 16 < limit else 1
    if tile.count > limit:
        return
    value = whole(b, tile, top)
    if b.chance(0.2) and top == 1:  # 1 or 2: a product of powers of two, exact up to the largest
        if tile.count > 8:
            return
        value = b.arithmetic("addf $0, $1 : $r0", value, b.constant(tile, 1.0), to=tile)
        bits, text = pattern(tile.element, 1.0), "mulf $0, $1 : $r0"
    else:
        bits, text = 0, "addf $0, $1 : $r0"
    b.finish(*combine(b, [value], [identity(tile.element, bits)], float_body(b, text)))


def whole(b: Builder, tile: Tile, top: int) -> Value:
    """Integers from 0 to `top`, which is one less than a power of two."""
    few = masked(b, b.operand(tile.of("i8")), top)
    return b.arithmetic("itof $0 unsigned : $t0 -> $r0", few, to=tile)


def any_sum(b: Builder) -> None:
    tile = b.tile(BASE_FLOATS, least_rank=1)
    if not b.can_store or tile.count > 4096:
        return
    value = clamped(b, b.operand(tile), -4.0, 4.0)
    size = b.op("absf $0 : $r0", value, to=tile)
    dim, scans = b.random.randrange(len(tile.shape)), b.chance(0.4)
    reverse = b.chance(0.5)  # the same for both: the sums of magnitudes are the error bounds
    body = float_body(b, "addf $0, $1 : $r0")
    sums, scales = (combine(b, [v], [identity(tile.element, 0)], body, scans, dim, reverse)[0]
                    for v in (value, size))
    unit = 2.0 ** -FLOATS[tile.element].fraction
    least = {"f16": 2.0**-24, "f64": 2.0**-1074}.get(tile.element, 2.0**-133) * tile.shape[dim]
    store_scaled(b, sums, scales, 2 * tile.shape[dim] * unit, least)


def product(b: Builder) -> None:
    tile = b.tile(BASE_FLOATS, least_rank=1)
    dim = b.random.randrange(len(tile.shape))
    extent = tile.shape[dim]
    if not b.can_store or extent > (16 if tile.element == "f16" else 128):
        return
    value = clamped(b, b.operand(tile), 0.75, 1.25)
    made = combine(b, [value], [identity(tile.element, pattern(tile.element, 1.0))],
                   float_body(b, "mulf $0, $1 : $r0"), dim=dim)[0]
    b.store(made, Ulps(True, 2 * extent))


# --- Several operands at once -------------------------------------------------------------------


def position(b: Builder) -> None:
    """The largest element and its index; the first one if there are several."""
    tile = b.tile(["i8", "i16", "i32", "i64", "f16", "f32", "f64"], least_rank=1)
    value, dim = b.operand(tile), b.random.randrange(len(tile.shape))
    index = tile.of("i32")
    along = b.op("iota : $r0", to=Tile("i32", (tile.shape[dim],)))
    flat = b.op("reshape $0 : $t0 -> $r0", along,
                to=index.shaped(*(e if d == dim else 1 for d, e in enumerate(tile.shape))))
    places = flat if flat.type == index else b.op("broadcast $0 : $t0 -> $r0", flat, to=index)
    f = FLOATS.get(tile.element)
    if f:
        value = clamped(b, value, -1e4, 1e4)
        compare = ("cmpf {} ordered $0, $1 : $t0 -> $r0",)
        least = f.infinity | 1 << f.width - 1
    else:
        compare = ("cmpi {} $0, $1, signed : $t0 -> $r0",)
        least = 1 << WIDTHS[tile.element] - 1
    truth = Tile("i1")

    def body(s: Step) -> list[Value]:
        (x, i), (y, j) = s.elements, s.accumulated
        more = b.op(compare[0].format("greater_than"), x, y, to=truth, any_nan=False)
        same = b.op(compare[0].format("equal"), x, y, to=truth, any_nan=False)
        before = b.op("cmpi less_than $0, $1, signed : $t0 -> $r0", i, j, to=truth)
        tied = b.op("andi $0, $1 : $r0", same, before, to=truth)
        better = b.op("ori $0, $1 : $r0", more, tied, to=truth)
        return [choose(b, better, x, y), choose(b, better, i, j)]
    identities = [identity(tile.element, least), str((1 << 31) - 1)]
    best, where = combine(b, [value, places], identities, body, dim=dim)
    if f:  # the sign of a zero depends on the order
        best = b.op("absf $0 : $r0", best, to=best.type)
    b.finish(best, where)


def affine(b: Builder) -> None:
    """Composes maps x -> a x + c: associative, not commutative."""
    tile = b.tile(["i8", "i16", "i32", "i64"], least_rank=1)
    scalar = Tile(tile.element)

    def body(s: Step) -> list[Value]:
        (a, c), (p, q) = s.elements, s.accumulated
        scaled = b.op("muli $0, $1 : $r0", a, q, to=scalar)
        return [b.op("muli $0, $1 : $r0", a, p, to=scalar),
                b.op("addi $0, $1 : $r0", scaled, c, to=scalar)]
    b.finish(*combine(b, [b.operand(tile), b.operand(tile)], ["1", "0"], body))


def matrix(b: Builder) -> None:
    """Products of 2x2 matrices, with four operands."""
    tile = b.tile(["i16", "i32"], least_rank=1)
    scalar = Tile(tile.element)

    def body(s: Step) -> list[Value]:
        e, p = s.elements, s.accumulated
        made = []
        for row in (0, 2):
            for column in (0, 1):
                terms = [b.op("muli $0, $1 : $r0", p[row + k], e[2 * k + column], to=scalar)
                         for k in (0, 1)]
                made.append(b.op("addi $0, $1 : $r0", *terms, to=scalar))
        return made
    b.finish(*combine(b, [b.operand(tile) for _ in range(4)], ["1", "0", "0", "1"], body))
