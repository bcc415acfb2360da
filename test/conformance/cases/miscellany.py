# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The remaining cases: assertions and assumptions that hold, printing, the grid, and the arguments
of an entry (operations, 3.1, 3.2, 4.10 and 6)."""

import functools
import math

import numpy as np

import samples
from combinations import Combination, of
from formats import INTEGERS, WIDTHS, decode, encode, every_pattern, is_float, patterns, word
from kernel import Case, Kernel, tile
from model.integers import signed


def cases() -> list[Case]:
    builders = {"assert": assertion, "assume": promise, "print_tko": printing, "entry": parameter}
    made = [Case((c,), functools.partial(build, c), alone="optimization_hints" in c.modifiers)
            for op, build in builders.items() for c in of(op)]
    grids = {"rank 1": (5,), "rank 2": (2, 3), "rank 3": (3, 2, 2)}
    made += [Case((c,), functools.partial(grid, c, grids[c.modifiers[0]]), alone=True,
                  grid=grids[c.modifiers[0]])
             for c in of("get_tile_block_id", "get_num_tile_blocks")]
    return made + [Case((c,), functools.partial(module, c), alone=True) for c in of("module")]


# --- Assertions and assumptions ------------------------------------------------------------------


def assertion(c: Combination, k: Kernel) -> None:
    for shape in {"rank 0": [()], "rank 1": [(1,), (64,)], "rank 2": [(4, 8), (1, 1)]}[c.modifiers[0]]:
        a = samples.tile_of("i32", shape, samples.generator(c))
        value = k.load("i32", shape, a)
        same = k.value(f"cmpi equal {value}, {value}, signed : {tile('i32', shape)} "
                       f"-> {tile('i1', shape)}")
        k.emit(f'assert {same}, "100% equal" : {tile("i1", shape)}')
        k.accepts(math.prod(shape))


def promise(c: Combination, k: Kernel) -> None:
    """An assumption that holds changes nothing (operations, 6.2; types, 8)."""
    (element,), (kind,) = c.types, c.modifiers
    if element == "tensor_view":
        return aligned_tensor(k)
    width = WIDTHS[element]
    for predicate, shape, values in kept(element, kind, width):
        bits = patterns(element, values)
        value = k.load(element, shape, bits)
        k.store(k.value(f"assume {predicate}, {value} : {tile(element, shape)}"), element, shape, bits)
    return None


def kept(element: str, kind: str, width: int):
    low, high = -(1 << width - 1), (1 << width - 1) - 1
    if element == "i1":
        low, high = -1, 0
    step = 1  # between elements of a run: the pointers here are to bytes
    if kind == "div_by":
        yield "div_by<1>", (4,), [0, -1, low, high]
        yield "div_by<2>", (2, 2), [0, 0, low & -2, high & -2]
        if width > 1:
            yield f"div_by<{1 << width - 2}>", (2,), [low, 0]
            yield "div_by<4>", (), [-4]
    elif kind == "div_by every":
        yield "div_by<1, every 2 along 0>", (2, 2), [0, -1, 0 + step, -1 + step]
        if width > 1:
            yield "div_by<4, every 2 along 0>", (4,), [4, 5, -8, -7]
            yield "div_by<4, every 3 along 1>", (2, 4), [0, 1, 2, 4, -4, -3, -2, 0]
        else:
            yield "div_by<2, every 1 along 0>", (2,), [0, 0]
    elif kind == "same_elements":
        yield "same_elements<[2, 1]>", (4, 2), [0, 1, 0, 1, high, low, high, low]
        yield "same_elements<[1, 1]>", (2, 2), [0, 1, 1, 0]
        yield "same_elements<[3]>", (4,), [low, low, low, high]
        yield "same_elements<[]>", (), [high]
    else:
        yield f"bounded<{low}, {high}>", (2,), [low, high]
        yield "bounded<?, ?>", (2,), [low, high]
        yield f"bounded<?, {low}>", (2,), [low, low]
        yield "bounded<0, ?>", (2,), [0, high]
        yield f"bounded<{high}, {high}>", (), [high]


def aligned_tensor(k: Kernel) -> None:
    """Arrays are aligned to their element size."""
    type_ = "tensor_view<4xi64, strides=[1]>"
    view = f"partition_view<tile=(4), {type_}>"
    bits = np.arange(4, dtype=np.uint64) * 11
    made = k.value(f"make_tensor_view {k.array('i64', bits)}, shape = [4], strides = [1] : {type_}")
    same = k.value(f"assume div_by<8>, {made} : {type_}")
    tiles = k.value(f"make_partition_view {same} : {view}")
    value = k.value(f"load_view_tko weak {tiles}[{k.constant('i32', 0)}] : {view}, tile<i32> "
                    f"-> tile<4xi64>, token", 2)[0]
    k.store(value, "i64", (4,), bits)


# --- Printing -----------------------------------------------------------------------------------


def printing(c: Combination, k: Kernel) -> None:
    """Expects Python's %, which formats as C does; other formats are computed first (operations, 6.3)."""
    if not c.types:
        return {"no arguments": plain_text, "rank 2": nested_tile, "flags": flags,
                "token": printed_in_order}[c.modifiers[0]](k)
    (element,) = c.types
    if element == "ptr":
        bits = np.array([0x1000, 0xFFFFFFFFFFFFFFFF], np.uint64)
        show(k, element, bits, "%p", [f"0x{int(b):x}" for b in bits])
        return show(k, element, bits, "%llx", [f"{int(b):x}" for b in bits])
    bits = every_pattern("i4") if element == "i4" else np.resize(samples.edges(element), 8)
    if is_float(element):
        numbers = decode(element, samples.edges(element))
        # C prints the sign of a NaN, which is unspecified.
        bits = np.resize(samples.edges(element)[~np.isnan(numbers) & (np.abs(numbers) < 1e15)], 32)
        for conversion in ("%f", "%.3e", "%g", "%+.1f"):
            show(k, element, bits, conversion, [conversion % v for v in decode(element, bits)])
        return None
    long = "ll" if element == "i64" else ""
    as_signed = [b if element == "i1" else signed(int(b), WIDTHS[element]) for b in bits]
    for conversion in ("d", "i"):
        show(k, element, bits, f"%{long}{conversion}", [f"{int(v)}" for v in as_signed])
    for conversion, spelled in (("u", "d"), ("x", "x"), ("X", "X"), ("o", "o")):
        show(k, element, bits, f"%{long}{conversion}", [format(int(b), spelled) for b in bits])
    return None


def show(k: Kernel, element: str, bits: np.ndarray, conversion: str, texts: list[str],
         shape: tuple[int, ...] | None = None) -> None:
    shape = shape or bits.shape
    value = k.load(element, shape, bits)
    k.emit(f'%{k.name()} = print_tko "{k.case.name}: {conversion}.\\n", {value} : '
           f"{tile(element, shape)} -> token")
    k.prints(f"{k.case.name}: {bracketed(texts, shape)}.\n", len(texts))


def bracketed(texts: list[str], shape) -> str:
    if not shape:
        return texts[0]
    step = len(texts) // shape[0]
    rows = [bracketed(texts[i * step:(i + 1) * step], shape[1:]) for i in range(shape[0])]
    return f"[{', '.join(rows)}]"


def plain_text(k: Kernel) -> None:
    k.emit(f'%{k.name()} = print_tko "100%% of [it], no more\\n" -> token')
    k.prints("100% of [it], no more\n", 1)


def nested_tile(k: Kernel) -> None:
    for shape in ((2, 4), (2, 1), (1, 2, 2)):
        bits = np.arange(math.prod(shape), dtype=np.uint32) + 1
        show(k, "i32", bits, "%d", [str(b) for b in bits], shape)


def flags(k: Kernel) -> None:
    """Each element; also several arguments, and values that are not finite."""
    numbers = [0.0, 1.0, -2.5, math.inf, -math.inf]
    bits = encode("f32", np.array(numbers + [0.5, 100.0, -0.0]))
    values = decode("f32", bits)
    for conversion in ("%10.4f", "%-8.1f", "%+e", "% g", "%#.0f", "%5.1F"):
        show(k, "f32", bits, conversion, [conversion % v for v in values])
    finite = np.isfinite(values).nonzero()[0][:4]  # C pads infinities with spaces, Python with zeros
    show(k, "f32", bits[finite], "%08.2f", ["%08.2f" % v for v in values[finite]])
    bits = patterns("i32", [0, 7, -7, 123456])
    for conversion in ("%5d", "%-5d", "%05d", "%+d", "% d", "%.3d"):
        show(k, "i32", bits, conversion, [conversion % signed(int(b), 32) for b in bits])
    count, half = k.load("i32", (), patterns("i32", [3])), k.load("f16", (), encode("f16", [1.5]))
    pair = k.load("i8", (2,), patterns("i8", [-1, 65]))
    k.emit(f'%{k.name()} = print_tko "<%d|%.2f|%d>\\n", {count}, {half}, {pair} : '
           f"tile<i32>, tile<f16>, tile<2xi8> -> token")
    k.prints("<3|1.50|[-1, 65]>\n", 4)


def printed_in_order(k: Kernel) -> None:
    token = k.value("make_token : token")
    for i in range(3):
        token = k.value(f'print_tko "turn %d\\n", {k.constant("i32", i)} token={token} : tile<i32> '
                        "-> token")
        k.prints(f"turn {i}\n", 1)


# --- The grid and the entry -----------------------------------------------------------------------


def grid(c: Combination, extents: tuple[int, ...], k: Kernel) -> None:
    """Every block stores its grid values at its own location, x fastest."""
    sizes = (*extents, 1, 1)[:3]
    x, y, z = k.value("get_tile_block_id : tile<i32>", 3)
    counts = k.value("get_num_tile_blocks : tile<i32>", 3)
    place = k.value(f"muli {z}, {counts[1]} : tile<i32>")
    place = k.value(f"addi {place}, {y} : tile<i32>")
    place = k.value(f"muli {place}, {counts[0]} : tile<i32>")
    place = k.value(f"addi {place}, {x} : tile<i32>")
    blocks = [(i, j, n) for n in range(sizes[2]) for j in range(sizes[1]) for i in range(sizes[0])]
    for d, (number, count) in enumerate(zip((x, y, z), counts)):
        value = number if c.op == "get_tile_block_id" else count
        expected = [b[d] for b in blocks] if value == number else [sizes[d]] * len(blocks)
        out = k.result("i32", np.array(expected))
        pointer = k.value(f"offset {out}, {place} : tile<ptr<i32>>, tile<i32> -> tile<ptr<i32>>")
        k.write(value, "i32", (), pointer)


def parameter(c: Combination, k: Kernel) -> None:
    """Scalars are passed bit for bit; a pointer points to the first element."""
    if not c.types:
        k.hints = " optimization_hints=<sm_90 = {num_cta_in_cga = 2}, default = {occupancy = 4}>"
        k.store(k.constant("i32", 5), "i32", (), np.array([5]))
        return
    (element,) = c.types
    if element == "ptr":
        bits = np.arange(8, dtype=np.uint32) + 3
        k.store(k.read("i32", (8,), k.array("i32", bits)), "i32", (8,), bits)
        return
    for text, bits in arguments(element):
        k.store(k.scalar(element, text), element, (), np.array([bits], word(element)))


def arguments(element: str) -> list[tuple[str, int]]:
    width = WIDTHS[element]
    if element == "i1":
        return [("0", 0), ("1", 1)]
    if element in INTEGERS:
        return [(str(v), v & (1 << width) - 1) for v in (0, 1, -1, 7, -(1 << width - 1),
                                                         (1 << width - 1) - 1)]
    values = ([1.0, 2.0, 0.5] if element == "f8E8M0FNU" else
              [0.0, 1.0, 1.5, 0.25, 114688.0] if element == "f8E5M3FNU" else
              [0.0, 1.0, -1.5, 0.25, -2.0])
    return [(str(v), int(encode(element, np.array([v]))[0])) for v in values]


def module(c: Combination, k: Kernel) -> None:
    if c.modifiers == ("producer",):
        k.attributes = ' attributes {producer = "conformance suite"}'
    k.store(k.constant("i32", 5), "i32", (), np.array([5]))
