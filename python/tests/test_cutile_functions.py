# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the functions of cuda.tile with NumPy, for the element types and shapes that they support.

A case is the body of a kernel and the expected result, computed with NumPy from the same arrays. Each runs
compiled, and on the reference machine with all checks, which must report nothing. Cases are skipped if
the cuda-tile release lacks the function.
"""

import itertools
import linecache
import re
import textwrap

import cuda.tile as ct
import ml_dtypes
import numpy as np
import pytest
from tilewright import cutile

SIGNED = ["int8", "int16", "int32", "int64"]
INTEGERS = SIGNED + ["u" + name for name in SIGNED]
FLOATS = ["float16", "bfloat16", "float32", "float64"]
EIGHT_BIT = ["float8_e4m3fn", "float8_e5m2"]
_numbers = itertools.count()


def dtype(name: str):
    return np.dtype(getattr(ml_dtypes, name, None) or name.rstrip("_"))


def kernel_of(body: str, parameters: str):
    """A kernel with this text as its body."""
    for name in re.findall(r"\bct\.(\w+)", body):
        if not hasattr(ct, name):
            pytest.skip(f"this release of cuda-tile has no {name}")
    text = f"@ct.kernel\ndef kernel({parameters}):\n" + textwrap.indent(body.strip(), "    ") + "\n"
    file = f"<kernel {next(_numbers)}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    scope = {"ct": ct, "np": np}
    exec(compile(text, file, "exec"), scope)
    return scope["kernel"]


def runs(body: str, grid=1, **arguments):
    """The arguments after a launch: compiled, then checked."""
    kernel = kernel_of(body, ", ".join(arguments))
    for options in ({"device": "cpu"}, {"check": True}):
        copies = {name: value.copy(order="K") if isinstance(value, np.ndarray) else value
                  for name, value in arguments.items()}
        cutile.launch(grid, kernel, tuple(copies.values()), **options)
        yield copies


def check(cases: dict, inputs: dict, *, ulps=0, tiny=0):
    """Compares expressions of the inputs' tiles with expected values. `tiny` is an absolute error."""
    expected = {f"out{i}": np.asarray(value) for i, value in enumerate(cases.values())}
    body = "\n".join([f"{name} = ct.load({name}_array, {(0,) * array.ndim}, {array.shape})"
                      for name, array in inputs.items()]
                     + [f"ct.store({out}, {(0,) * value.ndim}, {expression})"
                        for expression, (out, value) in zip(cases, expected.items())])
    arrays = {f"{name}_array": array for name, array in inputs.items()}
    for found in runs(body, **arrays, **{out: np.zeros_like(value) for out, value in expected.items()}):
        for expression, (out, value) in zip(cases, expected.items()):
            compare(found[out], value, ulps, tiny, expression)


def compare(found, expected, ulps=0, tiny=0, what=""):
    if expected.dtype.kind in "biu":
        np.testing.assert_array_equal(found, expected, what)
        return
    unit = float(ml_dtypes.finfo(expected.dtype).eps)
    np.testing.assert_allclose(found.astype(np.float64), expected.astype(np.float64),
                               rtol=ulps * unit, atol=tiny, err_msg=what)


def edges(name: str):
    """Pairs of edge values, as many as fit into a tile."""
    if name in INTEGERS:
        limits = np.iinfo(dtype(name))
        values = {limits.min, limits.min + 1, 0, 1, 2, 7, limits.max - 1, limits.max}
        values = np.array(sorted(values | ({-1, -2} if limits.min else set())), object).astype(dtype(name))
    else:
        limits = ml_dtypes.finfo(dtype(name))
        values = np.array([0, -0.0, 1, -1, 1.5, -2.5, 7.25, float(limits.max), float(limits.tiny),
                           float(limits.smallest_subnormal), np.inf, -np.inf, np.nan]).astype(dtype(name))
    x, y = (grid.ravel() for grid in np.meshgrid(values, values, indexing="ij"))
    chosen = np.arange(1 << (len(x) - 1).bit_length()) % len(x)
    return x[chosen], y[chosen]


def numbers(name: str, shape, seed=0):
    random = np.random.default_rng(seed)
    values = random.integers(0, 100, shape) if name in INTEGERS else random.uniform(-4, 4, shape)
    return values.astype(dtype(name))


# --- Arithmetic ---------------------------------------------------------------------------------

COMPARISONS = {"x < y": np.less, "x <= y": np.less_equal, "x > y": np.greater,
               "x >= y": np.greater_equal, "x == y": np.equal, "x != y": np.not_equal}


@pytest.mark.parametrize("name", INTEGERS)
def test_integers(name):
    x, y = edges(name)
    check({"x + y": x + y, "x - y": x - y, "x * y": x * y, "x & y": x & y, "x | y": x | y,
           "x ^ y": x ^ y, "~x": ~x, "-x": (0 - x).astype(x.dtype),
           "min(x, y)": np.minimum(x, y), "ct.maximum(x, y)": np.maximum(x, y),
           "ct.where(x < y, x, y)": np.where(x < y, x, y),
           **{text: function(x, y) for text, function in COMPARISONS.items()}}, {"x": x, "y": y})
    if name in SIGNED:  # cuTile's abs treats unsigned numbers as signed
        check({"abs(x)": np.abs(x), "ct.abs(y)": np.abs(y)}, {"x": x, "y": y})


@pytest.mark.parametrize("name", INTEGERS)
def test_division_and_shifts(name):
    x, y = edges(name)
    y[y == 0] = 3
    if name in SIGNED:
        y[(x == np.iinfo(x.dtype).min) & (y == -1)] = 3  # the quotient would overflow
    bits = (np.arange(x.size) % np.iinfo(x.dtype).bits).astype(x.dtype)
    check({"x // y": x // y, "x % y": x % y, "divmod(x, y)[0]": x // y, "x << bits": x << bits,
           "x >> bits": x >> bits}, {"x": x, "y": y, "bits": bits})
    quotient = x.astype(np.float64) / y.astype(np.float64)
    check({"x / y": quotient.astype(np.float32)}, {"x": x, "y": y}, ulps=4)


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_floats(name):
    x, y = edges(name)
    check({"x + y": x + y, "x - y": x - y, "x * y": x * y, "-x": -x, "abs(x)": abs(x),
           "ct.minimum(x, y)": np.fmin(x, y), "ct.maximum(x, y)": np.fmax(x, y),
           "ct.minimum(x, y, propagate_nan=True)": np.minimum(x, y),
           "ct.maximum(x, y, propagate_nan=True)": np.maximum(x, y), "ct.floor(x)": np.floor(x),
           "ct.ceil(x)": np.ceil(x), "ct.isnan(x)": np.isnan(x),
           **{text: function(x, y) for text, function in COMPARISONS.items()}}, {"x": x, "y": y})


@pytest.mark.parametrize("name", FLOATS)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_functions(name):
    x = np.linspace(-7.9, 7.9, 64).astype(dtype(name))
    wide = x.astype(np.float64)
    functions = {"exp": np.exp, "exp2": np.exp2, "log": np.log, "log2": np.log2, "sqrt": np.sqrt,
                 "rsqrt": lambda v: 1 / np.sqrt(v), "sin": np.sin, "cos": np.cos, "tan": np.tan,
                 "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh}
    cases = {f"ct.{key}(x)": function(wide).astype(x.dtype) for key, function in functions.items()}
    cases["x / 3"] = (wide / 3).astype(x.dtype)
    cases["abs(x) ** 1.5"] = (abs(wide) ** 1.5).astype(x.dtype)
    if hasattr(ct, "atan2"):
        cases["ct.atan2(x, 2 * x - 1)"] = np.arctan2(wide, (2 * x - 1).astype(np.float64)).astype(x.dtype)
    check(cases, {"x": x}, ulps=16, tiny=float(ml_dtypes.finfo(x.dtype).tiny))


@pytest.mark.parametrize("name", ["bool_", *INTEGERS, *FLOATS])
def test_casts(name):
    targets = INTEGERS + FLOATS
    if name in FLOATS:
        x = np.array([0, 1, 1.5, 2.5, 100, 0.9, 63.5, 120]).astype(dtype(name))
    else:
        x = np.arange(8) % 2 == 1 if name == "bool_" else edges(name)[1][:8]
        # NumPy rounds a 64-bit integer to these twice.
        targets = [target for target in targets if target not in ("float16", "bfloat16")] + ["bool_"]
    check({f"x.astype(ct.{target})": x.astype(dtype(target)) for target in targets}, {"x": x})


@pytest.mark.parametrize("first, second, result", [
    ("int32", "float32", "float32"), ("int8", "int32", "int32"), ("float16", "float32", "float32"),
    ("bfloat16", "float32", "float32"), ("int64", "float16", "float16"), ("float32", "float64", "float64")])
def test_promotion(first, second, result):
    x, y = (np.arange(16) % 7).astype(dtype(first)), (np.arange(16) % 3 + 1).astype(dtype(second))
    both = x.astype(dtype(result)), y.astype(dtype(result))
    check({"x + y": both[0] + both[1], "y * x": both[0] * both[1]}, {"x": x, "y": y})


@pytest.mark.parametrize("left, right", [
    ((4,), (1,)), ((1,), (8,)), ((4, 1), (1, 8)), ((2, 4), (4,)), ((2, 1, 4), (8, 1)),
    ((1, 1, 1, 2), (4, 2, 1, 1))], ids=str)
def test_broadcasting(left, right):
    x = np.arange(1, 1 + np.prod(left), dtype=np.float32).reshape(left)
    y = np.arange(3, 3 + np.prod(right), dtype=np.float32).reshape(right)
    check({"x * y + 1": x * y + 1}, {"x": x, "y": y})


# --- Shapes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["int8", "uint16", "int64", *FLOATS])
def test_shapes(name):
    t = numbers(name, (4, 8))
    cases = {
        "t.reshape((2, -1, 4))": t.reshape(2, -1, 4), "ct.reshape(t, (-1,))": t.reshape(-1),
        "t.transpose()": t.T, "t[:, None, :]": t[:, None],
        "ct.permute(t.reshape((4, 2, 4)), (2, 0, 1))": t.reshape(4, 2, 4).transpose(2, 0, 1),
        "t.reshape((2, 2, 2, 4)).transpose(1, 3)": t.reshape(2, 2, 2, 4).swapaxes(1, 3),
        "ct.expand_dims(t, -1)": t[..., None],
        "ct.broadcast_to(t, (2, 4, 8))": np.broadcast_to(t, (2, 4, 8)),
        "ct.cat((t, t + 1), 0)": np.concatenate([t, t + 1], 0),
        "ct.cat((t, t + 1), -1)": np.concatenate([t, t + 1], 1),
        "ct.extract(t, (1, 1), (2, 4))": t[2:4, 4:],
        "ct.arange(8, dtype=t.dtype)": np.arange(8).astype(t.dtype),
        "ct.full((2, 2), 7, t.dtype)": np.full((2, 2), 7, t.dtype)}
    check(cases, {"t": t})


@pytest.mark.parametrize("name", [*INTEGERS, *FLOATS, *EIGHT_BIT])
def test_bytes(name):
    data = np.random.default_rng(0).integers(0, 256, 16 * dtype(name).itemsize, np.uint8)
    for found in runs(f"""
packed = ct.pack_to_bytes(ct.load(x, (0,), (16,)))
ct.store(bytes, (0,), packed)
ct.store(y, (0,), ct.unpack_from_bytes(packed, ct.{name}))""",
          x=data.view(dtype(name)), bytes=np.zeros_like(data), y=np.zeros(16, dtype(name))):
        assert found["bytes"].tobytes() == found["y"].tobytes() == data.tobytes()


# --- Reductions and products --------------------------------------------------------------------


@pytest.mark.parametrize("shape, axis", [
    ((16,), None), ((4, 8), 0), ((4, 8), -1), ((4, 8), None), ((2, 4, 8), (0, 2)), ((2, 2, 2, 4), (0, 1, 3)),
    ((1, 8), 0)], ids=str)
@pytest.mark.parametrize("name", ["int8", "uint32", "float16", "float32", "float64"])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_reductions(name, shape, axis):
    t = (numbers(name, shape).astype(np.float64) % 3 + 1).astype(dtype(name))
    wide = t.astype(np.int64 if name in INTEGERS else np.float64)
    cases = {f"ct.{key}(t, {axis}, keepdims=True)":
             getattr(np, key)(wide, axis=axis, keepdims=True).astype(t.dtype)
             for key in ("sum", "prod", "max", "min")}
    if not isinstance(axis, tuple):
        cases |= {f"ct.{key}(t, {axis}, keepdims=True)":
                  getattr(np, key)(t, axis=axis, keepdims=True).astype(np.int32)
                  for key in ("argmax", "argmin")}
    check(cases, {"t": t}, ulps=8)


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("name", ["int32", "int64", "float32", "float64"])
def test_scans(name, axis, reverse):
    t = (numbers(name, (2, 4, 8)).astype(np.float64) % 2 + 1).astype(dtype(name))

    def scan(function):
        turned = np.flip(t, axis) if reverse else t
        result = function(turned, axis).astype(t.dtype)
        return np.flip(result, axis) if reverse else result

    options = f"{axis}, reverse={reverse}"
    check({f"ct.cumsum(t, {options})": scan(np.cumsum), f"ct.cumprod(t, {options})": scan(np.cumprod)},
          {"t": t}, ulps=8)


PRODUCTS = [("float16", "float16"), ("float16", "float32"), ("bfloat16", "float32"), ("float32", "float32"),
            ("float64", "float64"), ("float8_e4m3fn", "float32"), ("float8_e5m2", "float16"),
            ("int8", "int32"), ("uint8", "int32")]


@pytest.mark.parametrize("element, total", PRODUCTS, ids=str)
@pytest.mark.parametrize("left, right", [
    ((4, 8), (8, 4)), ((2, 4, 8), (2, 8, 4)), ((2, 4, 8), (8, 4)), ((1, 4), (4, 1)), ((64, 32), (32, 16))],
    ids=str)
def test_products(element, total, left, right):
    x, y = numbers(element, left), numbers(element, right, 1)
    wide = np.int64 if element in INTEGERS else np.float64
    product = x.astype(wide) @ y.astype(wide)
    # Each product rounds once, by at most half an ulp of the total, which is at most 16 per product.
    tiny = 0 if element in INTEGERS else left[-1] ** 2 * 16 * float(ml_dtypes.finfo(dtype(total)).eps)
    check({f"ct.mma(x, y, ct.ones({product.shape}, ct.{total}))": (product + 1).astype(dtype(total))},
          {"x": x, "y": y}, tiny=tiny)


@pytest.mark.parametrize("element", EIGHT_BIT)
def test_scaled_products(element):
    x, y = numbers(element, (16, 64)), numbers(element, (64, 8), 1)
    random = np.random.default_rng(5)
    scales = [2.0 ** random.integers(-3, 4, shape) for shape in ((16, 2), (2, 8))]
    product = (x.astype(np.float64) * np.repeat(scales[0], 32, 1)) @ (
        y.astype(np.float64) * np.repeat(scales[1], 32, 0))
    check({"ct.mma_scaled(x, a, y, b, ct.zeros((16, 8), ct.float32))": product.astype(np.float32)},
          {"x": x, "y": y, **{key: scale.astype(ml_dtypes.float8_e8m0fnu)
                              for key, scale in zip("ab", scales)}}, ulps=64, tiny=1e-3)


# --- Memory -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bool_", *INTEGERS, *FLOATS, *EIGHT_BIT])
def test_tiles_beyond_the_end(name):
    x = numbers(name, (5, 7)) if name != "bool_" else numbers("int8", (5, 7)) % 2 == 1
    padded = np.zeros((8, 8), x.dtype)
    padded[:5, :7] = x
    for found in runs("""
tile = ct.load(x, (0, 0), (8, 8), padding_mode=ct.PaddingMode.ZERO)
ct.store(all, (0, 0), tile)
ct.store(turned, (0, 0), tile.transpose(), order=(1, 0))
row, column = ct.arange(8, dtype=ct.int32)[:, None], ct.arange(8, dtype=ct.int32)[None, :]
ct.store(gathered, (0, 0), ct.gather(x, (row, column)))
ct.scatter(scattered, (row, column), tile)""", x=x, all=np.zeros_like(padded), turned=np.zeros_like(x),
                      gathered=np.zeros_like(padded), scattered=np.zeros_like(x)):
        for key, expected in (("all", padded), ("turned", x), ("gathered", padded), ("scattered", x)):
            assert found[key].tobytes() == expected.tobytes(), key


@pytest.mark.parametrize("shape, tile", [
    ((13,), (4,)), ((6, 9), (4, 4)), ((6, 9), (1, 16)), ((3, 4, 5), (2, 2, 4)), ((2, 3, 2, 3), (1, 2, 2, 2)),
    ((2, 3, 2, 3, 2), (2, 1, 2, 2, 2))], ids=str)
@pytest.mark.parametrize("order", ["C", "F"])
def test_tile_space(shape, tile, order):
    x = numbers("float32", shape)
    counts = [-(-extent // size) for extent, size in zip(shape[::-1 if order == "F" else 1], tile)]
    index = ", ".join(f"block // {int(np.prod(counts[k + 1:]))} % {counts[k]}" for k in range(len(tile)))
    for found in runs(f"""
block = ct.bid(0)
ct.store(y, ({index},), ct.load(x, ({index},), {tile}, order="{order}") * 2, order="{order}")
ct.scatter(counts, block, ct.num_tiles(x, 0, {tile}, order="{order}"))""", grid=int(np.prod(counts)),
                      x=x, y=np.zeros_like(x), counts=np.zeros(np.prod(counts), np.int32)):
        np.testing.assert_array_equal(found["y"], x * 2)
        assert (found["counts"] == counts[0]).all()


ATOMICS = {"add": np.add, "max": np.maximum, "min": np.minimum, "and": np.bitwise_and,
           "or": np.bitwise_or, "xor": np.bitwise_xor, "xchg": lambda old, new: new}


@pytest.mark.parametrize("operation", ATOMICS)
@pytest.mark.parametrize("name", ["int32", "uint32", "int64", "uint64", "float32", "float64", "float16"])
def test_atomics(operation, name):
    if name in FLOATS and operation not in ("add", "xchg") or name == "float16" and operation == "xchg":
        pytest.skip("cuTile has this for integers only")
    x, update = numbers(name, 8), numbers(name, 8, 1)
    for found in runs(f"""
index = ct.arange(16, dtype=ct.int32) - 4  # eight of them are beyond the ends
ct.scatter(old, index, ct.atomic_{operation}(x, index, ct.gather(update, index)))""",
                      x=x, update=update, old=np.zeros_like(x)):
        np.testing.assert_array_equal(found["old"], x)
        np.testing.assert_array_equal(found["x"], ATOMICS[operation](x, update))


@pytest.mark.parametrize("scope", ["BLOCK", "DEVICE", "SYS"])
@pytest.mark.parametrize("order", ["RELAXED", "ACQUIRE", "RELEASE", "ACQ_REL"])
def test_orders_and_scopes(order, scope):
    options = f"memory_order=ct.MemoryOrder.{order}, memory_scope=ct.MemoryScope.{scope}"
    blocks = 1 if scope == "BLOCK" else 3
    for found in runs(f"ct.atomic_add(x, ct.arange(4, dtype=ct.int32), 1, {options})\n"
                      f"ct.atomic_cas(x, 4, 0, 1, {options})", grid=blocks, x=np.zeros(5, np.int32)):
        assert found["x"].tolist() == [blocks] * 4 + [1]


@pytest.mark.skipif(not hasattr(ct, "TiledView"), reason="this release of cuda-tile has no tiled views")
@pytest.mark.parametrize("steps", [(4, 4), (2, 3), (6, 8)], ids=str)
def test_tiled_views(steps):
    x = numbers("float32", (7, 10))
    counts = [-(-extent // step) for extent, step in zip(x.shape, steps)]
    padded = np.zeros((16, 16), np.float32)
    padded[:7, :10] = x
    tiles = [padded[i * steps[0]:, j * steps[1]:][:4, :4] for i in range(counts[0]) for j in range(counts[1])]
    for found in runs(f"""
view = x.tiled_view((4, 4), traversal_steps={steps}, padding_mode=ct.PaddingMode.ZERO)
for i in range(view.num_tiles(0)):
    for j in range(view.num_tiles(1)):
        ct.store(tiles, (i * {counts[1]} + j, 0, 0), view.load((i, j)).reshape((1, 4, 4)))""",
                      x=x, tiles=np.zeros((len(tiles), 4, 4), np.float32)):
        np.testing.assert_array_equal(found["tiles"], tiles)


def test_rows_that_are_indexed():
    x, rows = numbers("int32", (8, 8)), np.array([6, 1, 1, 3], np.int32)
    for found in runs("""
tile = ct.load_advanced_indexing(x, (ct.load(rows, (0,), 4), ct.Slice(2, 4)))
ct.store(y, (0, 0), tile)
ct.store_advanced_indexing(x, (ct.arange(4, dtype=ct.int32) * 2, ct.Slice(4, 4)), tile)""",
                      x=x, rows=rows, y=np.zeros((4, 4), np.int32)):
        np.testing.assert_array_equal(found["y"], x[rows, 2:6])
        np.testing.assert_array_equal(found["x"][::2, 4:], x[rows, 2:6])


# --- The language -------------------------------------------------------------------------------
PROGRAMS = {
    "first, second = 0, 1\nfor i in range(n):\n    first, second = second, first + second\nresult = first": 5,
    "result = 0\nfor i in range(2, 20, n):\n    result += i": 2 + 7 + 12 + 17,
    "result = 0\nwhile True:\n    result += 1\n    if result * result > n:\n        break": 3,
    "result = 0\nfor i in range(9):\n    if i % 3 == 0:\n        continue\n    elif i > 6:\n        break\n    result += i": 12,
    "result = 0\nfor i in range(n):\n    for j in range(i, n):\n        result += i * j": 65,
    "if n > 9:\n    result = 1\nelif n > 4:\n    result = 2\nelse:\n    result = 3": 2,
    "result = 10 if n == 5 and not n > 9 else 20": 10, "result = 7\nfor i in range(n, n):\n    result = 0": 7,
    "pair = (0, 1)\nfor i in range(6):\n    pair = (pair[1], pair[0] + pair[1])\nresult = pair[0]": 8,
    "result = -n // 2 * 100 + -n % 3": -299,
    "add = lambda a, b=3: a * b + n\nresult = add(2) + add(2, b=10)": 36,
    "def outer(a):\n    def inner(b):\n        return a + b + n\n    return inner(1)\nresult = outer(5)": 11,
    "total = ct.zeros((4,), ct.int32)\nfor i in range(n):\n    total = total + i\nresult = ct.sum(total)": 40,
    "ct.scatter(out, 0, 7)\nif n == 5:\n    return\nresult = 8": 7,
}


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda text: text.splitlines()[-1].strip())
def test_programs(program):
    for found in runs(program + "\nct.scatter(out, 0, result)", out=np.zeros(1, np.int32), n=5):
        assert found["out"][0] == PROGRAMS[program]
