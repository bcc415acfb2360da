# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests matrix products whose packed operands are shared by tile blocks, against NumPy. All elements are
small integers, so that every sum is exact. Arguments: tilewright, a folder, a target; the number of products
with random extents and tiles (10)."""

import ctypes
import pathlib
import re
import subprocess
import sys

import numpy as np

PROGRAM, FOLDER, TARGET = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
FOLDER.mkdir(exist_ok=True)
RANDOM = np.random.default_rng(seed=5)
READ_IN_TENSOR: dict[str, bool] = {}  # by kernel: whether lhs operands can be read without packing
RIGHT_IN_TENSOR: dict[str, bool] = {}


def compiled(name: str, text: str):
    """The functions of the kernel @k: k_launch and k_blocks (docs/cpu.md)."""
    source, library = FOLDER / f"{name}.mlir", FOLDER / f"{name}.so"
    source.write_text("cuda_tile.module @m {\n" + text + "}\n")
    options = ["--target", f"cpu={TARGET}", "--remarks"]
    ended = subprocess.run([PROGRAM, "compile", source, "-o", library, *options], check=True,
                           capture_output=True, text=True)
    READ_IN_TENSOR[name] = "lhs is read directly from the tensor" in ended.stderr
    RIGHT_IN_TENSOR[name] = "rhs is read directly from the tensor" in ended.stderr
    return ctypes.CDLL(str(library)), ended.stderr.count("packed-operand cache for")


def call(function, grid, *arguments):
    """Arrays are passed as addresses, integers as they are; the grid is x, y, z."""
    native = [ctypes.c_void_p(a.ctypes.data) if isinstance(a, np.ndarray) else a for a in arguments]
    assert function((ctypes.c_uint32 * 3)(*grid), *native) == 0


def view(name, shape, element, tile, padded=True):
    """The text that creates %name_p, tiles of the matrix %name."""
    tensor = f"tensor_view<{shape[0]}x{shape[1]}x{element}, strides=[{shape[1]}, 1]>"
    padding = ", padding_value = zero" if padded else ""
    tiles = f"partition_view<tile=({tile[0]}x{tile[1]}){padding}, {tensor}>"
    return tiles, f"""
    %{name}_t = make_tensor_view %{name}, shape = [{shape[0]}, {shape[1]}], strides = [{shape[1]}, 1] : {tensor}
    %{name}_p = make_partition_view %{name}_t : {tiles}"""


def product(element, size, tile, signs="", blocks="%x, %y, %z = get_tile_block_id : tile<i32>",
            last=None, before="", after=""):
    """c = a b with extents m, k, n. `blocks` computes the tile %x, %y of c for a block, `last` the number of
    steps to accumulate; `before` and `after` surround all of it."""
    (m, k, n), (tm, tk, tn) = size, tile
    sums, zero = ("i32", "0") if signs else ("f32", "0.0")
    (ta, a), (tb, b) = view("a", (m, k), element, (tm, tk)), view("b", (k, n), element, (tk, tn))
    tc, c = view("c", (m, n), sums, (tm, tn), padded=False)
    left, right, tiles = f"tile<{tm}x{tk}x{element}>", f"tile<{tk}x{tn}x{element}>", f"tile<{tm}x{tn}x{sums}>"
    return f"""
  entry @k(%a: tile<ptr<{element}>>, %b: tile<ptr<{element}>>, %c: tile<ptr<{sums}>>) {{{a}{b}{c}
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %steps = constant <i32: {-(-k // tk)}> : tile<i32>
    %zeros = constant <{sums}: {zero}> : {tiles}
    {before}
    {blocks}
    {last or ""}
    %sums = for %i in (%zero to {"%last" if last else "%steps"}, step %one) : tile<i32> iter_values(%acc = %zeros) -> ({tiles}) {{
      %l, %lt = load_view_tko weak %a_p[%x, %i] : {ta}, tile<i32> -> {left}, token
      %r, %rt = load_view_tko weak %b_p[%i, %y] : {tb}, tile<i32> -> {right}, token
      %more = {"mmai" if signs else "mmaf"} %l, %r, %acc {signs} : {left}, {right}, {tiles}
      continue %more : {tiles}
    }}
    %ct = store_view_tko weak %sums, %c_p[%x, %y] : {tiles}, {tc}, tile<i32> -> token
    {after}
    return
  }}
"""


def factors(element, size):
    """Both operands, as bit patterns and as numbers."""
    m, k, n = size
    numbers = [RANDOM.integers(-4, 5, shape) for shape in ((m, k), (k, n))]
    if element == "i8":
        return [x.astype(np.int8) for x in numbers], numbers
    if element == "f16":
        return [x.astype(np.float16) for x in numbers], numbers
    single = [x.astype(np.float32) for x in numbers]
    return (single if element == "f32" else
            [(x.view(np.uint32) >> 16).astype(np.uint16) for x in single]), numbers


# --- A block for each tile ------------------------------------------------------------------

def blocks_in_any_order():
    """Partial tiles in all directions; various thread counts and ranges of blocks."""
    size, tile = (100, 150, 90), (16, 16, 16)
    grid = (7, 6, 1)
    kinds = [("f32", ""), ("bf16", ""), ("f16", "")] + [
        ("i8", f"{a} {b}") for a in ("signed", "unsigned") for b in ("signed", "unsigned")]
    for element, signs in kinds:
        kernel, shared = compiled(f"grid-{element}-{signs.replace(' ', '-')}",
                                  product(element, size, tile, signs))
        assert shared == 2, (element, shared)
        memory, numbers = factors(element, size)
        if signs:
            numbers = [x % 256 if s == "unsigned" else x for x, s in zip(numbers, signs.split())]
        expected = numbers[0] @ numbers[1]
        c = np.zeros((100, 90), np.int32 if signs else np.float32)
        for threads in (1, 2, 3, 7):
            c[:] = -1
            call(kernel.k_launch, grid, *memory, c, threads)
            assert np.array_equal(c, expected), (element, signs, threads)
        c[:] = -1
        whole = np.full((112, 96), -1.0)
        whole[:100, :90] = expected
        first, end = ctypes.c_int64(9), ctypes.c_int64(25)
        call(kernel.k_blocks, grid, first, end, *memory, c)
        number = np.add.outer(np.arange(112) // 16, 7 * (np.arange(96) // 16))
        mine = np.where((number >= 9) & (number < 25), whole, -1)[:100, :90]
        assert np.array_equal(c, mine), (element, signs, "a range of blocks")


def other_loops():
    """Blocks that need the same tiles for different numbers of steps; tiles selected by other
    integers; more steps than an entry of the cache has room for."""
    for element, signs in (("f32", ""), ("i8", "signed signed")):
        sums = np.int32 if signs else np.float32
        size = (64, 80, 64)
        memory, (a, b) = factors(element, size)
        c = np.zeros((64, 64), sums)
        last = "%last = addi %x, %one : tile<i32>"
        kernel, shared = compiled(f"steps-{element}", product(element, size, (16, 16, 16), signs, last=last))
        # i8 corrections depend on the number of steps, so lhs operands are not shared then.
        assert shared == 2 or (signs and shared == 1)
        for threads in (1, 2):
            c[:] = -1
            call(kernel.k_launch, (4, 4, 1), *memory, c, threads)
            for x in range(4):
                rows, steps = slice(16 * x, 16 * x + 16), 16 * (x + 1)
                assert np.array_equal(c[rows], a[rows, :steps] @ b[:steps]), (element, x)

        # Ascending y and descending x, with a one-dimensional grid.
        blocks = """%g, %g1, %g2 = get_tile_block_id : tile<i32>
    %four = constant <i32: 4> : tile<i32>
    %three = constant <i32: 3> : tile<i32>
    %y = divi %g, %four signed : tile<i32>
    %up = remi %g, %four signed : tile<i32>
    %x = subi %three, %up : tile<i32>"""
        kernel, shared = compiled(f"divided-{element}", product(element, size, (16, 16, 16), signs, blocks))
        assert shared == 2
        c[:] = -1
        call(kernel.k_launch, (16, 1, 1), *memory, c, 2)
        assert np.array_equal(c, a @ b), element

        size = (32, 70000, 32)
        memory, (a, b) = factors(element, size)
        c = np.zeros((32, 32), sums)
        kernel, shared = compiled(f"long-{element}", product(element, size, (16, 16, 16), signs))
        assert shared == 2
        call(kernel.k_launch, (2, 2, 1), *memory, c, 1)
        assert np.array_equal(c, a @ b), element


ORDERS = {"onwards": ("%j = addi %i, %zero : tile<i32>", True),
          "backwards": ("%most = subi %steps, %one : tile<i32>\n      %j = subi %most, %i : tile<i32>", False),
          "rotated": ("%three = constant <i32: 3> : tile<i32>\n      %more3 = addi %i, %three : tile<i32>\n"
                      "      %j = remi %more3, %steps signed : tile<i32>", False),
          "wrapped": ("%most = constant <i8: 250> : tile<i8>\n      %few = trunci %i : tile<i32> -> tile<i8>\n"
                      "      %sum8 = addi %few, %most : tile<i8>\n"
                      "      %j = exti %sum8 unsigned : tile<i8> -> tile<i32>", False)}


def in_order(element, size, tile, signs, index):
    """A product whose step %i uses the tiles %j."""
    text = product(element, size, tile, signs).replace("%l, %lt", index + "\n      %l, %lt")
    return text.replace("[%x, %i]", "[%x, %j]").replace("[%i, %y]", "[%j, %y]")


def left_factors_in_any_order():
    """Steps whose lhs tiles are not consecutive: several are accumulated at once, and read from the
    tensor only if they are. With partial tiles, and with unaligned rows."""
    for element, signs in (("f32", ""), ("i8", "signed signed"), ("i8", "unsigned unsigned")):
        for order, (index, follows) in ORDERS.items():
            for size in ((50, 16 * 256, 40), (33, 16 * 255 + 5, 17)):
                name = f"left-{element}-{signs[:1]}-{order}-{size[0]}"
                kernel, _ = compiled(name, in_order(element, size, (16, 16, 16), signs, index))
                # Without VNNI, bytes are widened first.
                if element == "f32" or not follows:
                    assert READ_IN_TENSOR[name] == follows, name
                memory, (a, b) = factors(element, size)
                if signs.startswith("unsigned"):
                    a, b = a % 256, b % 256
                c = np.full((size[0], size[2]), -1, np.int32 if signs else np.float32)
                call(kernel.k_launch, [-(-size[0] // 16), -(-size[2] // 16), 1], *memory, c, 1)
                assert np.array_equal(c, a @ b), name


def right_factors_in_any_order():
    """An rhs tile that spans the tensor's rows, and is consecutive, is read without packing. If the tensor's rows are
    longer, or a tile is partial, it is packed."""
    for order, (index, follows) in ORDERS.items():
        for size, tile in (((40, 16 * 256, 16), (16, 16, 16)), ((33, 16 * 255 + 5, 16), (16, 16, 16)),
                           ((20, 16 * 256, 32), (16, 16, 16)), ((70, 32 * 256, 64), (32, 32, 64)),
                           ((70, 32 * 256, 50), (32, 32, 64))):
            name = f"right-{order}-{size[0]}-{size[2]}"
            kernel, _ = compiled(name, in_order("f32", size, tile, "", index))
            if tile[2] == 16:  # on AVX2, a block of accumulators has 16 columns
                assert RIGHT_IN_TENSOR[name] == follows, name
            memory, (a, b) = factors("f32", size)
            c = np.full((size[0], size[2]), -1, np.float32)
            call(kernel.k_launch, [-(-size[0] // tile[0]), -(-size[2] // tile[2]), 1], *memory, c, 1)
            assert np.array_equal(c, a @ b), name


def narrow_loops():
    """Tiles 255 and then 0, with i8 indices -1 and 0: indices are unsigned. The two are not consecutive among 258 tiles."""
    text = product("f32", (4, 64 * 258, 16), (4, 64, 16))
    text = text.replace("%zero to %steps, step %one) : tile<i32>", "%low to %high, step %high) : tile<i8>")
    text = text.replace("%sums = for", """%low = constant <i8: -1> : tile<i8>
    %high = constant <i8: 1> : tile<i8>
    %x8 = trunci %x : tile<i32> -> tile<i8>
    %y8 = trunci %y : tile<i32> -> tile<i8>
    %sums = for""")
    for view, index in (("%a_p", "[%x, %i]"), ("%b_p", "[%i, %y]")):
        text = text.replace(view + index, view + index.replace("%x", "%x8").replace("%y", "%y8"))
    text = re.sub(r"(load_view_tko .*), tile<i32> -> ", r"\1, tile<i8> -> ", text)
    kernel, _ = compiled("narrow", text)
    memory, (a, b) = factors("f32", (4, 64 * 258, 16))
    c = np.full((4, 16), -1, np.float32)
    call(kernel.k_launch, (1, 1, 1), *memory, c, 1)
    steps = np.r_[255 * 64:256 * 64, 0:64]
    assert np.array_equal(c, a[:, steps] @ b[steps])


def factors_without_dimensions():
    """Reshaped tiles of one matrix among many: both operands are read without packing. For contiguous matrices, and for
    matrices with gaps between their rows."""
    m, k, n, tm, tk, tn = 40, 96, 16, 16, 32, 16
    for gap in (0, 8):
        text, types = "", {}
        for name, shape, part in (("a", (m, k), (tm, tk)), ("b", (k, n), (tk, tn)), ("c", (m, n), (tm, tn))):
            rows, columns = shape
            row = columns + gap
            tensor = f"tensor_view<2x3x{rows}x{columns}xf32, strides=[{3 * rows * row},{rows * row},{row},1]>"
            types[name] = f"partition_view<tile=(1x1x{part[0]}x{part[1]}), padding_value = zero, {tensor}>"
            text += f"""
    %{name}_t = make_tensor_view %{name}, shape = [2, 3, {rows}, {columns}], strides = [{3 * rows * row}, {rows * row}, {row}, 1] : {tensor}
    %{name}_p = make_partition_view %{name}_t : {types[name]}"""
        left, right, sums = (f"tile<{x}x{y}xf32>" for x, y in ((tm, tk), (tk, tn), (tm, tn)))
        one = lambda tile: tile.replace("<", "<1x1x")
        kernel, _ = compiled(f"reshaped-{gap}", f"""
  entry @k(%a: tile<ptr<f32>>, %b: tile<ptr<f32>>, %c: tile<ptr<f32>>) {{{text}
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %steps = constant <i32: {k // tk}> : tile<i32>
    %none = constant <f32: 0.0> : {sums}
    %x, %y, %z = get_tile_block_id : tile<i32>
    %sums = for %i in (%zero to %steps, step %one) : tile<i32> iter_values(%acc = %none) -> ({sums}) {{
      %l4, %lt = load_view_tko weak %a_p[%y, %z, %x, %i] : {types["a"]}, tile<i32> -> {one(left)}, token
      %r4, %rt = load_view_tko weak %b_p[%y, %z, %i, %zero] : {types["b"]}, tile<i32> -> {one(right)}, token
      %l = reshape %l4 : {one(left)} -> {left}
      %r = reshape %r4 : {one(right)} -> {right}
      %more = mmaf %l, %r, %acc : {left}, {right}, {sums}
      continue %more : {sums}
    }}
    %sums4 = reshape %sums : {sums} -> {one(sums)}
    %ct = store_view_tko weak %sums4, %c_p[%y, %z, %x, %zero] : {one(sums)}, {types["c"]}, tile<i32> -> token
    return
  }}
""")
        assert READ_IN_TENSOR[f"reshaped-{gap}"] and RIGHT_IN_TENSOR[f"reshaped-{gap}"]
        a, b = (RANDOM.integers(-4, 5, (2, 3, x, y + gap)).astype(np.float32) for x, y in ((m, k), (k, n)))
        c = np.full((2, 3, m, n + gap), -1, np.float32)
        call(kernel.k_launch, [-(-m // tm), 2, 3], a, b, c, 2)
        assert np.array_equal(c[..., :n], a[..., :k] @ b[..., :n]), gap
        assert (c[..., n:] == -1).all(), gap


def left_factors_of_other_shapes():
    """Without a loop: batches, and f64; of a tile's 32 steps only 24 are packed, because the others are outside."""
    batches, m, n, tile, steps = 2, 40, 20, 16, 32
    for element, dtype, k in (("f32", np.float32, 32), ("f64", np.float64, 32), ("f64", np.float64, 24)):
        types, text = {}, ""
        for name, shape, part in (("a", (m, k), (tile, steps)), ("b", (k, n), (steps, tile)), ("c", (m, n), (tile, tile))):
            rows, columns = shape
            tensor = f"tensor_view<{batches}x{rows}x{columns}x{element}, strides=[{rows * columns},{columns},1]>"
            types[name] = f"partition_view<tile=({batches}x{part[0]}x{part[1]}), padding_value = zero, {tensor}>"
            text += f"""
    %{name}_t = make_tensor_view %{name}, shape = [{batches}, {rows}, {columns}], strides = [{rows * columns}, {columns}, 1] : {tensor}
    %{name}_p = make_partition_view %{name}_t : {types[name]}"""
        left, right, sums = (f"tile<{batches}x{x}x{y}x{element}>" for x, y in ((tile, steps), (steps, tile), (tile, tile)))
        kernel, _ = compiled(f"batched-{element}-{k}", f"""
  entry @k(%a: tile<ptr<{element}>>, %b: tile<ptr<{element}>>, %c: tile<ptr<{element}>>) {{{text}
    %zero = constant <i32: 0> : tile<i32>
    %none = constant <{element}: 0.0> : {sums}
    %x, %y, %z = get_tile_block_id : tile<i32>
    %l, %lt = load_view_tko weak %a_p[%zero, %x, %zero] : {types["a"]}, tile<i32> -> {left}, token
    %r, %rt = load_view_tko weak %b_p[%zero, %zero, %y] : {types["b"]}, tile<i32> -> {right}, token
    %sums = mmaf %l, %r, %none : {left}, {right}, {sums}
    %ct = store_view_tko weak %sums, %c_p[%zero, %x, %y] : {sums}, {types["c"]}, tile<i32> -> token
    return
  }}
""")
        assert READ_IN_TENSOR[f"batched-{element}-{k}"], element
        a, b = (RANDOM.integers(-4, 5, shape).astype(dtype) for shape in ((batches, m, k), (batches, k, n)))
        c = np.full((batches, m, n), -1, dtype)
        call(kernel.k_launch, [-(-m // tile), -(-n // tile), 1], a, b, c, 2)
        assert np.array_equal(c, a @ b), (element, k)


def random_products(count):
    for number in range(count):
        element, signs = [("f32", ""), ("bf16", ""), ("f16", ""), ("i8", "signed signed"),
                          ("i8", "unsigned signed")][RANDOM.integers(5)]
        size, tile = RANDOM.integers(1, 260, 3), 2 ** RANDOM.integers(2, 7, 3)
        kernel, shared = compiled(f"random-{number}", product(element, size, tile, signs))
        memory, numbers = factors(element, size)
        if signs.startswith("unsigned"):
            numbers[0] = numbers[0] % 256
        c = np.full((size[0], size[2]), -1, np.int32 if signs else np.float32)
        grid = -(-size[0] // tile[0]), -(-size[2] // tile[2]), 1
        threads = int(RANDOM.integers(1, 5))
        call(kernel.k_launch, [int(x) for x in grid], *memory, c, threads)
        assert np.array_equal(c, numbers[0] @ numbers[1]), (element, signs, size, tile, threads)


def asked_in_the_loop():
    """The block queries its ID in each step, so that the ID is not known before the loop."""
    text = product("f32", (64, 64, 64), (16, 16, 16))
    text = text.replace("%l, %lt", "%x2, %y2, %z2 = get_tile_block_id : tile<i32>\n      %l, %lt")
    text = text.replace("%a_p[%x, %i]", "%a_p[%x2, %i]").replace("%b_p[%i, %y]", "%b_p[%i, %y2]")
    kernel, shared = compiled("asked", text)
    assert shared == 0, shared
    memory, (a, b) = factors("f32", (64, 64, 64))
    c = np.zeros((64, 64), np.float32)
    call(kernel.k_launch, (4, 4, 1), *memory, c, 1)
    assert np.array_equal(c, a @ b)


# --- Stores that may alias an operand --------------------------------------------------------

LENGTH = 256  # along k, in tiles of 16: more than are accumulated at once


def repeated(a, b, c):
    """The first of two blocks accumulates a b four times, and each time stores the result to the next 16 of the
    last 64 columns of c, which are read last if c overlaps a;
    tokens order all accesses. a and c have 16 rows, b has 16 columns; `a`, `b` and `c` are pairs:
    a parameter, and an offset in elements."""
    text, types = "", {}
    for name, shape, (parameter, offset) in (("a", (16, LENGTH), a), ("b", (LENGTH, 16), b), ("c", (16, LENGTH), c)):
        types[name], made = view(name, shape, "f32", (16, 16), padded=False)
        text += f"""
    %{name}_o = constant <i64: {offset}> : tile<i64>
    %{name} = offset %{parameter}, %{name}_o : tile<ptr<f32>>, tile<i64> -> tile<ptr<f32>>{made}"""
    t = "tile<16x16xf32>"
    return f"""
  entry @k(%p: tile<ptr<f32>>, %q: tile<ptr<f32>>) {{{text}
    %zero = constant <i32: 0> : tile<i32>
    %one = constant <i32: 1> : tile<i32>
    %four = constant <i32: 4> : tile<i32>
    %steps = constant <i32: {LENGTH // 16}> : tile<i32>
    %before = constant <i32: {LENGTH // 16 - 4}> : tile<i32>
    %zeros = constant <f32: 0.0> : {t}
    %t0 = make_token : token
    %x, %y, %z = get_tile_block_id : tile<i32>
    %less = muli %x, %four : tile<i32>
    %turns = subi %four, %less : tile<i32>
    %t9 = for %turn in (%zero to %turns, step %one) : tile<i32> iter_values(%t1 = %t0) -> (token) {{
      %sums, %t8 = for %i in (%zero to %steps, step %one) : tile<i32> iter_values(%acc = %zeros, %t2 = %t1) -> ({t}, token) {{
        %l, %lt = load_view_tko weak %a_p[%zero, %i] token = %t1 : {types["a"]}, tile<i32> -> {t}, token
        %r, %rt = load_view_tko weak %b_p[%i, %zero] token = %t1 : {types["b"]}, tile<i32> -> {t}, token
        %more = mmaf %l, %r, %acc : {t}, {t}, {t}
        %t3 = join_tokens %t2, %lt, %rt : token
        continue %more, %t3 : {t}, token
      }}
      %at = addi %turn, %before : tile<i32>
      %t4 = store_view_tko weak %sums, %c_p[%zero, %at] token = %t8 : {t}, {types["c"]}, tile<i32> -> token
      continue %t4 : token
    }}
    return
  }}
"""


def stores_to_what_it_loads():
    """All ways in which the result can overlap an operand, in one array and through two pointers."""
    size = 16 * LENGTH  # of each
    a, b = ("p", 0), ("p", size)
    ways = {"c is a": (a, b, a), "c is b": (a, b, b), "a part of a": (a, b, ("p", size // 2)),
            "the last of b": (a, b, ("p", 2 * size - 1)),
            "the first of a": (("p", size - 1), ("p", 2 * size - 1), ("p", 0)),
            "behind b": (a, b, ("p", 2 * size)), "before a": (("p", size), ("p", 2 * size), ("p", 0)),
            "between": (a, ("p", 2 * size), ("p", size)), "another pointer": (a, b, ("q", 0)),
            "b by another pointer": (a, ("q", size), ("p", 0))}
    for number, (way, (a, b, c)) in enumerate(ways.items()):
        kernel, shared = compiled(f"alias-{number}", repeated(a, b, c))
        assert shared == 2, way
        # The same memory through both pointers, overlapping parts, and disjoint memory.
        for distance in (0, 16, size, 4 * size):
            memory = RANDOM.integers(-1, 2, 8 * size).astype(np.float32)
            expected = memory.copy()
            start = {"p": 0, "q": distance}
            at = [start[parameter] + offset for parameter, offset in (a, b, c)]
            left, right, result = (expected[x:x + size] for x in at)
            for turn in range(4):
                sums = left.reshape(16, LENGTH).astype(int) @ right.reshape(LENGTH, 16).astype(int)
                at = LENGTH - 64 + 16 * turn
                result.reshape(16, LENGTH)[:, at:at + 16] = sums
            assert np.abs(expected).max() < 2**24
            call(kernel.k_launch, (2, 1, 1), memory, memory[distance:], 1)
            assert np.array_equal(memory, expected), (way, distance)


def never_shared():
    """Memory that other blocks write, and stores with unknown destinations."""
    f32 = lambda **more: product("f32", (32, 32, 32), (16, 16, 16), **more)
    tiles, _ = view("a", (32, 32), "f32", (16, 16))
    store = lambda operand: (f"%{operand}s = store_view_tko weak %sums, %{operand}_p[%x, %y] "
                             f": tile<16x16xf32>, {tiles}, tile<i32> -> token\n")
    texts = {
        "a store through a pointer": f32(before="%some = constant <f32: 0.0> : tile<f32>",
                                         after="%at = store_ptr_tko weak %c, %some : tile<ptr<f32>>, tile<f32> -> token"),
        "stores to both operands": f32(after=store("a") + store("b")),
        "an ordered load": f32(before="%seen, %st = load_ptr_tko acquire device %c : tile<ptr<f32>> -> tile<f32>, token"),
        "an update": f32(before='%some = constant <f32: 0.0> : tile<f32>',
                         after="%old, %ot = atomic_rmw_tko relaxed device %c, addf, %some : tile<ptr<f32>>, tile<f32> -> tile<f32>, token"),
        "text": f32(before='%pt = print_tko "x" -> token'),
        "a result that depends on the block": f32().replace("%c: tile<ptr<f32>>", "%c0: tile<ptr<f32>>").replace(
            "%c_t =", """%h, %h1, %h2 = get_tile_block_id : tile<i32>
    %c = offset %c0, %h : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %c_t ="""),
        "factors that depend on the block": f32().replace("%a: tile<ptr<f32>>, %b: tile<ptr<f32>>", "%a0: tile<ptr<f32>>, %b0: tile<ptr<f32>>").replace(
            "%a_t =", """%h, %h1, %h2 = get_tile_block_id : tile<i32>
    %a = offset %a0, %h : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %b = offset %b0, %h : tile<ptr<f32>>, tile<i32> -> tile<ptr<f32>>
    %a_t ="""),
    }
    for number, (what, text) in enumerate(texts.items()):
        _, shared = compiled(f"never-{number}", text)
        assert shared == 0, what


blocks_in_any_order()
other_loops()
asked_in_the_loop()
left_factors_in_any_order()
right_factors_in_any_order()
narrow_loops()
factors_without_dimensions()
random_products(int(sys.argv[4]) if len(sys.argv) > 4 else 10)
left_factors_of_other_shapes()
stores_to_what_it_loads()
never_shared()
