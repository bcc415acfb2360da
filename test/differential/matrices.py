# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products whose results are the same everywhere, or have an error bound.

Integer products are exact, and so are those of small integers in any format. For other numbers, chains
of fused multiply-adds in the order of k are reproducible, too (arithmetic, 4.30). Formats for which a
machine sums in another way, or without subnormals, and "mmaf_scaled", are in LOOSE: they may differ
by a fraction of the sum of the magnitudes of their terms, which the program computes as another
product.
"""

from builder import Builder
from elementwise import SIGNS, clamped, masked
from elements import BASE_FLOATS, FLOATS, SCALE, UNSIGNED
from memory import store_scaled
from tileir import Tile, Value

# Operand and accumulator (arithmetic, 4.30); operand, scale, elements per scale (4.32).
PAIRS = (("f8E4M3FN", "f16"), ("f8E4M3FN", "f32"), ("f8E5M2", "f16"), ("f8E5M2", "f32"),
         ("f16", "f16"), ("f16", "f32"), ("bf16", "f32"), ("tf32", "f32"), ("f32", "f32"),
         ("f64", "f64"))
SCALED = (("f8E4M3FN", SCALE, 32), ("f8E5M2", SCALE, 32), ("f4E2M1FN", SCALE, 16),
          ("f4E2M1FN", SCALE, 32), ("f4E2M1FN", "f8E4M3FN", 16), ("f4E2M1FN", UNSIGNED, 16),
          ("f4E2M1FN", UNSIGNED, 32))
LOOSE = ("bf16", "f8E4M3FN", "f8E5M2", "mmaf_scaled")


def product(b: Builder) -> None:
    b.weighted({integers: 2, floats: 5, scaled: 1.5})(b)


def shapes(b: Builder, least: int = 1) -> tuple[tuple[int, ...], int, int, int]:
    """The batch extent, if any, and M, N, K."""
    m, n = (1 << b.random.randrange(b.choice([3, 5, 6, 8])) for _ in range(2))
    k = max(least, 1 << b.random.randrange(7))
    work = b.weighted({16384: 8, 1 << 17: 1})
    while m * n * k > work:
        m, n = max(1, m // 2), max(1, n // 2)
    return ((2,) if b.chance(0.2) and m * n * k <= 8192 else ()), m, n, k


def integers(b: Builder) -> None:
    batch, m, n, k = shapes(b)
    lhs = b.operand(Tile("i8", (*batch, m, k)))
    rhs = b.operand(Tile("i8", (*batch, k, n)))
    acc = b.operand(Tile("i32", (*batch, m, n)))
    b.finish(b.op(f"mmai $0, $1, $2 {b.choice(SIGNS)} {b.choice(SIGNS)} : $t0, $t1, $t2", lhs,
                  rhs, acc, to=acc.type))


def floats(b: Builder) -> None:
    element, sum_ = b.choice(PAIRS)
    batch, m, n, k = shapes(b)
    tiles = [Tile(element, (*batch, m, k)), Tile(element, (*batch, k, n)),
             Tile(sum_, (*batch, m, n))]
    fast = " fast_acc" if b.chance(0.2) else ""
    text = f"mmaf $0, $1, $2{fast} : $t0, $t1, $t2"
    if b.chance(0.3):
        operands = [whole(b, t) for t in tiles]
        b.finish(b.op(text, *operands, to=tiles[2], any_nan=True))
    elif element not in LOOSE:
        operands = [b.operand(t) for t in tiles]
        b.finish(b.op(text, *operands, to=tiles[2], any_nan=True))
    elif b.can_store:
        loose(b, text, tiles, [], k)


def loose(b: Builder, text: str, tiles: list[Tile], scales: list[Value], k: int) -> None:
    """The product, and the product of the operands' magnitudes."""
    pairs = [bounded(b, tile) for tile in tiles]
    made, size = (b.op(text, *(pair[way] for pair in pairs), *scales, to=tiles[2], any_nan=True)
                  for way in (0, 1))
    unit = 2.0 ** -FLOATS[tiles[2].element].fraction
    store_scaled(b, made, size, 2 * (k + 2) * unit, 2.0**-110)


def bounded(b: Builder, tile: Tile) -> tuple[Value, Value]:
    """Numbers so small that no sum overflows, and their magnitudes."""
    wide = tile if tile.element in BASE_FLOATS else tile.of("f32")
    value = clamped(b, b.operand(wide), -16.0, 16.0)
    both = (value, b.op("absf $0 : $r0", value, to=wide))
    if wide == tile:
        return both
    return tuple(b.op("ftof $0 : $t0 -> $r0", v, to=tile, any_nan=False) for v in both)


def whole(b: Builder, tile: Tile) -> Value:
    """0, 1, 2 or 3: products and sums are exact in every format."""
    few = masked(b, b.operand(tile.of("i8")), 3)
    return b.arithmetic("itof $0 unsigned : $t0 -> $r0", few, to=tile)


def bounded_scale(b: Builder, value: Value) -> Value:
    """Scales with which no sum overflows; results for negative ones are undefined."""
    word = value.type.of("i8")
    bits = b.op("bitcast $0 : $t0 -> $r0", value, to=word)
    if value.type.element == SCALE:  # from 2^-16 to 2^15
        bits = b.op("addi $0, $1 : $r0", masked(b, bits, 0x1F), b.constant(word, 127 - 16), to=word)
    else:
        bits = masked(b, bits, 0x7F)
    return b.op("bitcast $0 : $t0 -> $r0", bits, to=value.type)


def scaled(b: Builder) -> None:
    element, scale, block = b.choice(SCALED)
    batch, m, n, k = shapes(b, least=2 * block if b.chance(0.5) else block)
    operands = [b.operand(Tile(element, (*batch, m, k))), b.operand(Tile(element, (*batch, k, n))),
                b.operand(Tile("f32", (*batch, m, n)))]
    for shape in ((*batch, m, k // block), (*batch, k // block, n)):
        value = b.operand(Tile(scale, shape))
        operands.append(bounded_scale(b, value))
    text = "mmaf_scaled $0, $1, $2, $3, $4 : $t0, $t1, $t2, $t3, $t4"
    if "mmaf_scaled" not in LOOSE:
        b.finish(b.op(text, *operands, to=operands[2].type, any_nan=True))
    elif b.can_store:
        loose(b, text, [o.type for o in operands[:3]], operands[3:], k)
