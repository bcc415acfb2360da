# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of memory accessed by pointers: loads, stores, allocations and globals (operations, 3.3 and 7)."""

import functools

import numpy as np

import samples
from combinations import Combination, of
from formats import WIDTHS
from kernel import Case, Kernel, tile
from model.integers import signed

from .shapes import nested

SHAPE = (4, 16)


def cases() -> list[Case]:
    builders = {"load_ptr_tko": load, "store_ptr_tko": store, "alloca": allocation,
                "global": global_array, "get_global": global_pointer, "make_token": tokens,
                "join_tokens": tokens, "gdc_wait_tko": dependence,
                "gdc_launch_dependents_tko": dependence, "memory_fence_alias_tko": dependence}
    return [Case((c,), functools.partial(build, c), refused=refusal(c))
            for op, build in builders.items() for c in of(op)]


def refusal(c: Combination) -> str:
    """Compilers accept pointers to 4-bit elements only if they can prove that accesses are pairs
    (types, 2.4); the machine proves nothing and reports that."""
    if c.types == ("f4E2M1FN",) and c.op in ("load_ptr_tko", "store_ptr_tko"):
        return "access to f4E2M1FN elements through pointers is not supported"
    return ""


def order_of(c: Combination, default: str = "weak") -> str:
    orders = ("weak", "relaxed", "acquire", "release", "acq_rel")
    return next((m for m in c.modifiers if m.startswith(orders)), default)


# --- Addresses ------------------------------------------------------------------------------


def addresses(k: Kernel, pointer: str, element: str, indices: np.ndarray) -> str:
    """Pointers to these elements, as a tile of the shape of `indices`."""
    shape, ones = indices.shape, tuple(1 for _ in indices.shape)
    many, one = tile("ptr", shape, element), tile("ptr", ones, element)
    first = k.value(f"reshape {pointer} : tile<ptr<{element}>> -> {one}")
    all_first = k.value(f"broadcast {first} : {one} -> {many}")
    if element == "f4E2M1FN":  # provably pairs (operations, 4.9)
        assert (indices.reshape(-1) == np.arange(indices.size)).all() and len(shape) == 1
        offsets = k.value(f"iota : {tile('i32', shape)}")
    else:
        offsets = k.load("i32", shape, (indices & 0xFFFFFFFF).astype(np.uint32))
    return k.value(f"offset {all_first}, {offsets} : {many}, {tile('i32', shape)} -> {many}")


def gathered(c: Combination, rng: np.random.Generator, size: int) -> np.ndarray:
    """The memory indices of the tile's elements: random, but consecutive for 4-bit elements."""
    if c.types[0] == "f4E2M1FN":
        return np.arange(64)
    return rng.permutation(size)[:64].reshape(SHAPE)


# --- Loads and stores ------------------------------------------------------------------------


def load(c: Combination, k: Kernel) -> None:
    """Masked-off elements are not accessed: the pointers of some are far outside."""
    (element,), rng = c.types, samples.generator(c)
    masked = c.modifiers[0].startswith("mask")
    array, content = readable(k, element, rng)
    where = gathered(c, rng, 100)
    shape = where.shape
    mask = rng.integers(0, 2, shape).astype(np.uint8)
    if element == "f4E2M1FN":
        mask = np.repeat(mask[::2], 2)
    wild = where if element == "f4E2M1FN" or not masked else np.where(mask, where, 1 << 28)
    pointers = addresses(k, array, element, wild)
    types, operands = tile("ptr", shape, element), pointers
    expected = content[where]
    if masked:
        operands += f", {k.load('i1', shape, mask)}"
        types += f", {tile('i1', shape)}"
    if "padding" in c.modifiers[0]:
        padding = samples.tile_of(element, shape, rng)
        operands += f", {k.load(element, shape, padding)}"
        types += f", {tile(element, shape)}"
        expected = np.where(mask, expected, padding)
    made = k.value(f"load_ptr_tko {order_of(c)} {operands} : {types} "
                   f"-> {tile(element, shape)}, token", 2)[0]
    if c.modifiers[0] != "mask":
        k.store(made, element, shape, expected.reshape(-1))
        return
    # Masked-off elements without padding have no value: only the others are stored.
    out = k.result(element, np.where(mask, expected, 0).reshape(-1))
    places = addresses(k, out, element, np.arange(64).reshape(shape))
    k.emit(f"%{k.name()} = store_ptr_tko weak {places}, {made}, {k.load('i1', shape, mask)} : "
           f"{tile('ptr', shape, element)}, {tile(element, shape)}, {tile('i1', shape)} -> token")


def readable(k: Kernel, element: str, rng: np.random.Generator) -> tuple[str, np.ndarray]:
    """A pointer to 100 elements, and their patterns. Every nonzero byte is a true i1, and the low
    bits of a tf32 are ignored (types, 2.2 and 2.3)."""
    if element == "i1":
        memory = rng.integers(0, 256, 100) * rng.integers(0, 2, 100)
        return pointer_as(k, "i1", "i8", k.array("i8", memory)), (memory != 0).astype(np.uint8)
    if element == "tf32":
        memory = samples.tile_of("i32", (100,), rng)
        return pointer_as(k, "tf32", "i32", k.array("i32", memory)), memory & 0xFFFFE000
    content = samples.tile_of(element, (100,), rng)
    return k.array(element, content), content


def pointer_as(k: Kernel, element: str, stored: str, pointer: str) -> str:
    return k.value(f"ptr_to_ptr {pointer} : tile<ptr<{stored}>> -> tile<ptr<{element}>>")


def store(c: Combination, k: Kernel) -> None:
    """An i1 is stored as a byte 0 or 1, whatever was there before."""
    (element,), rng = c.types, samples.generator(c)
    where = gathered(c, rng, 100)
    shape = where.shape
    start, bits = samples.tile_of(element, (100,), rng), samples.tile_of(element, shape, rng)
    mask = np.ones(shape, np.uint8)
    if c.modifiers[0] == "mask":
        mask = rng.integers(0, 2, shape).astype(np.uint8)
        if element == "f4E2M1FN":
            mask = np.repeat(mask[::2], 2)
    expected = start.copy()
    if element == "i1":
        start = rng.integers(0, 256, 100).astype(np.uint8)
        expected = start.copy()
    expected[where[mask == 1]] = bits[mask == 1]
    if element == "i1":
        array = pointer_as(k, "i1", "i8", k.result("i8", expected, start))
    else:
        array = k.result(element, expected, start)
    pointers = addresses(k, array, element, where)
    masked, masked_type = "", ""
    if c.modifiers[0] == "mask":
        masked, masked_type = f", {k.load('i1', shape, mask)}", f", {tile('i1', shape)}"
    k.emit(f"%{k.name()} = store_ptr_tko {order_of(c)} {pointers}, {k.load(element, shape, bits)}"
           f"{masked} : {tile('ptr', shape, element)}, {tile(element, shape)}{masked_type} -> token")


# --- Allocations -------------------------------------------------------------------------------


def allocation(c: Combination, k: Kernel) -> None:
    """Loads return what was stored; two allocations do not overlap; the requested alignment holds."""
    (element,), rng = c.types, samples.generator(c)
    space = " global" if "global" in c.modifiers else ""
    shape, names, contents, stored = (64,), [], [], []
    for alignment in (16, 256):
        names.append(k.value(f"alloca num_elem = 64, alignment = {alignment}{space} : "
                             f"tile<ptr<{element}>>"))
        address = k.value(f"ptr_to_int {names[-1]} : tile<ptr<{element}>> -> tile<i64>")
        low = k.value(f"andi {address}, {k.constant('i64', alignment - 1)} : tile<i64>")
        k.store(low, "i64", (), np.array([0], np.uint64))
        contents.append(samples.tile_of(element, shape, rng))
        stored.append(k.write(k.load(element, shape, contents[-1]), element, shape, names[-1]))
    both = k.value(f"join_tokens {', '.join(stored)} : token")
    for name, content in zip(names, contents):
        read_back(k, name, element, content, both)


def read_back(k: Kernel, pointer: str, element: str, content: np.ndarray, token: str = "") -> None:
    k.store(k.read(element, content.shape, pointer, token), element, content.shape, content)


def literal_of(element: str, bits: np.ndarray) -> str:
    """The patterns as the literal of a constant: hexadecimal for floats."""
    if element == "i1":
        texts = ["true" if b else "false" for b in bits]
    elif element.startswith("i"):
        texts = [str(signed(int(b), WIDTHS[element])) for b in bits]
    else:
        texts = [f"0x{int(b) >> (13 if element == 'tf32' else 0):X}" for b in bits]
    return nested(texts, (len(texts),))


def global_array(c: Combination, k: Kernel) -> None:
    (element,), (modifier,), rng = c.types, c.modifiers, samples.generator(c)
    content = samples.tile_of(element, (16,), rng)
    name = k.name("g")
    visibility = " private" if modifier == "private" else ""
    constant = " constant" if modifier == "constant" else ""
    alignment = " alignment = 128" if modifier == "alignment" else ""
    k.globals.append(f"global{visibility}{constant} @{name}{alignment} "
                     f"<{element}: {literal_of(element, content)}> : tile<16x{element}>")
    pointer = k.value(f"get_global @{name} : tile<ptr<{element}>>")
    if modifier == "alignment":
        address = k.value(f"ptr_to_int {pointer} : tile<ptr<{element}>> -> tile<i64>")
        k.store(k.value(f"andi {address}, {k.constant('i64', 127)} : tile<i64>"), "i64", (),
                np.array([0], np.uint64))
    token = ""
    if modifier == "stored":
        content = samples.tile_of(element, (16,), rng)
        token = k.write(k.load(element, (16,), content), element, (16,), pointer)
        pointer = k.value(f"get_global @{name} : tile<ptr<{element}>>")
    read_back(k, pointer, element, content, token)


def global_pointer(c: Combination, k: Kernel) -> None:
    """A pointer to element 0 of the correct one of two globals, one of them a splat."""
    (element,), rng = c.types, samples.generator(c)
    name, other = k.name("g"), k.name("g")
    content = samples.tile_of(element, (8,), rng)
    splat = samples.tile_of(element, (1,), rng)
    k.globals.append(f"global @{other} <{element}: {literal_of(element, splat)[1:-1]}> : "
                     f"tile<8x{element}>")
    k.globals.append(f"global @{name} <{element}: {literal_of(element, content)}> : "
                     f"tile<8x{element}>")
    for symbol, expected in ((name, content), (other, np.repeat(splat, 8))):
        pointer = k.value(f"get_global @{symbol} : tile<ptr<{element}>>")
        read_back(k, pointer, element, expected)


# --- Tokens ------------------------------------------------------------------------------------


def dependence(c: Combination, k: Kernel) -> None:
    """A load after the operation sees a store before it (13.4, sections 4 and 5)."""
    place = k.result("i32", np.array([7]))
    if "alone" in c.modifiers:
        k.value(f"{c.op} -> token")
    token = k.value(f"store_ptr_tko weak {place}, {k.constant('i32', 7)} : tile<ptr<i32>>, "
                    f"tile<i32> -> token")
    text = f"{token}" if c.op == "memory_fence_alias_tko" else f"token = {token} -> token"
    token = k.value(f"{c.op} {text}")
    value = k.value(f"load_ptr_tko weak {place} token={token} : tile<ptr<i32>> -> tile<i32>, token",
                    2)[0]
    k.store(value, "i32", (), np.array([7]))


def tokens(c: Combination, k: Kernel) -> None:
    """Stores to one location, ordered by tokens, followed by a load."""
    count = int(c.modifiers[0]) if c.modifiers else 1
    places = [k.result("i32", np.array([10 + i])) for i in range(count)]
    first, made = k.value("make_token : token"), []
    for i, place in enumerate(places):
        token = first
        for value in (i, 10 + i):
            token = k.value(f"store_ptr_tko weak {place}, {k.constant('i32', value)} token={token} : "
                            f"tile<ptr<i32>>, tile<i32> -> token")
        made.append(token)
    token = made[0] if count == 1 else k.value(f"join_tokens {', '.join(made)} : token")
    for i, place in enumerate(places):
        value, token = k.value(f"load_ptr_tko weak {place} token={token} : tile<ptr<i32>> "
                               f"-> tile<i32>, token", 2)
        k.store(value, "i32", (), np.array([10 + i]))
