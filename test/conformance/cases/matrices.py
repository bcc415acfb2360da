# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of mmaf, mmai and mmaf_scaled (arithmetic, 4.30 to 4.32).

Small integers first, for which every order of summation is exact. Then arbitrary values: for these
the model is the chain of fused multiply-adds that the text proposes for a reference machine, from
the accumulator and with ascending k.
"""

import functools

import numpy as np

import samples
from combinations import Combination, of
from formats import EXACT, FORMATS, SCALE, context, decode, encode, is_nan, numbers, to_bits, word
from kernel import Case, Kernel, tile
from model.integers import read, wrap

# M, N and K; with a batch of two for rank 3.
SHAPES = ((4, 8, 16), (1, 1, 1), (2, 1, 64), (16, 4, 2))


def cases() -> list[Case]:
    builders = {"mmaf": mmaf, "mmai": mmai, "mmaf_scaled": mmaf_scaled}
    return [Case((c,), functools.partial(build, c))
            for op, build in builders.items() for c in of(op)]


def batched(c: Combination, *shapes):
    return [(2, *s) for s in shapes] if "rank 3" in c.modifiers else list(shapes)


def mmaf(c: Combination, k: Kernel) -> None:
    element, sum_element = c.types
    rng = samples.generator(c)
    fast = " fast_acc" if "fast_acc" in c.modifiers else ""
    for kind in (small_integers, ordinary, anything):
        for m, n, depth in SHAPES:
            left, right, to = batched(c, (m, depth), (depth, n), (m, n))
            a, b, acc = (kind(e, s, rng) for e, s in ((element, left), (element, right),
                                                      (sum_element, to)))
            x, y, z = k.load(element, left, a), k.load(element, right, b), k.load(sum_element, to, acc)
            made = k.value(f"mmaf {x}, {y}, {z}{fast} : {tile(element, left)}, "
                           f"{tile(element, right)}, {tile(sum_element, to)}")
            products = multiplied(values(element, a), values(element, b))
            k.store(made, sum_element, to, chain(products, values(sum_element, acc), sum_element))


def mmaf_scaled(c: Combination, k: Kernel) -> None:
    """Negative scales are undefined, so none is used."""
    element, scale = c.types
    rng, block = samples.generator(c), int(c.modifiers[0].split()[1])
    for kind in (small_integers, anything):
        for m, n, blocks in ((4, 8, 2), (2, 2, 1), (1, 2, 4)):
            depth = blocks * block
            left, right, to = batched(c, (m, depth), (depth, n), (m, n))
            left_scale, right_scale = batched(c, (m, blocks), (blocks, n))
            a, b = kind(element, left, rng), kind(element, right, rng)
            s, t = scales(scale, left_scale, rng), scales(scale, right_scale, rng)
            acc = kind("f32", to, rng)
            loads = ((element, left, a), (element, right, b), ("f32", to, acc),
                     (scale, left_scale, s), (scale, right_scale, t))
            names = ", ".join(k.load(*x) for x in loads)
            types = ", ".join(tile(e, shape) for e, shape, _ in loads)
            made = k.value(f"mmaf_scaled {names} : {types}")
            left_values = multiply(values(element, a), np.repeat(values(scale, s), block, axis=-1))
            right_values = multiply(values(element, b), np.repeat(values(scale, t), block, axis=-2))
            products = multiplied(left_values, right_values)
            k.store(made, "f32", to, chain(products, values("f32", acc), "f32"))


def mmai(c: Combination, k: Kernel) -> None:
    """Sums wrap around, so every order gives the same result."""
    rng, (left_sign, right_sign, _) = samples.generator(c), c.modifiers
    for m, n, depth in (*SHAPES, (8, 4, 256)):
        left, right, to = batched(c, (m, depth), (depth, n), (m, n))
        a, b = samples.tile_of("i8", left, rng), samples.tile_of("i8", right, rng)
        acc = samples.tile_of("i32", to, rng)
        names = ", ".join(k.load(e, s, x)
                          for e, s, x in (("i8", left, a), ("i8", right, b), ("i32", to, acc)))
        made = k.value(f"mmai {names} {left_sign} {right_sign} : {tile('i8', left)}, "
                       f"{tile('i8', right)}, {tile('i32', to)}")
        x = np.vectorize(lambda v: read(int(v), 8, left_sign))(a)
        y = np.vectorize(lambda v: read(int(v), 8, right_sign))(b)
        total = acc.astype(np.int64) + x @ y
        k.store(made, "i32", to, [wrap(int(v), 32) for v in total.reshape(-1)])


# --- Inputs -----------------------------------------------------------------------------------


def small_integers(element: str, shape, rng: np.random.Generator) -> np.ndarray:
    return encode(element, rng.choice(np.array([-2.0, -1.0, 0.0, 1.0, 2.0]), shape))


def ordinary(element: str, shape, rng: np.random.Generator) -> np.ndarray:
    """Values with different exponents, without infinities and NaN."""
    bits = samples.random(element, 4000, rng)
    number = decode(element, bits)
    return rng.choice(bits[np.isfinite(number) & (np.abs(number) < 256) & (np.abs(number) > 2**-9)],
                      shape)


def anything(element: str, shape, rng: np.random.Generator) -> np.ndarray:
    """Including edges, but with few infinities and NaNs, so that most sums are finite."""
    bits = np.concatenate([samples.edges(element), samples.random(element, 2000, rng)])
    special = ~np.isfinite(decode(element, bits))
    keep = ~special | (rng.random(len(bits)) < 0.05)
    return rng.choice(bits[keep], shape)


def scales(element: str, shape, rng: np.random.Generator) -> np.ndarray:
    if element == SCALE:
        bits = rng.integers(120, 135, shape).astype(np.uint8)
        return np.where(rng.random(shape) < 0.05, 0xFF, bits).astype(np.uint8)
    # The last one is NaN.
    return rng.integers(0, FORMATS[element].magnitudes, shape).astype(np.uint8)


# --- The model -----------------------------------------------------------------------------------


def values(element: str, bits: np.ndarray) -> np.ndarray:
    return np.array(numbers(element, bits.reshape(-1)), object).reshape(bits.shape)


def multiply(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    return np.vectorize(EXACT.mul, otypes=[object])(x, y)


def multiplied(left: np.ndarray, right: np.ndarray):
    """(..., M, N, K) pairs of operands."""
    return np.broadcast_arrays(left[..., :, None, :], np.swapaxes(right, -1, -2)[..., None, :, :])


def chain(factors, acc: np.ndarray, to: str) -> np.ndarray:
    """One rounding per multiply-add, in f32, or in f64 for f64; then to an f16 accumulator."""
    wide = context("f64" if to == "f64" else "f32")
    left, right = (f.reshape(-1, f.shape[-1]) for f in factors)
    results = []
    for xs, ys, total in zip(left, right, acc.reshape(-1)):
        for x, y in zip(xs, ys):
            total = wide.fma(x, y, total)
        results.append(context(to).plus(total))
    bits = to_bits(to, results)
    assert bits.dtype == word(to) and FORMATS[to].nan in bits or not is_nan(to, bits).any()
    return bits
