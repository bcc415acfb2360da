# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of memory by pointers: loads, stores, atomics, allocations and globals
(operations, 3.3, 7 and 9)."""

import functools

import numpy as np

import samples
from combinations import Combination, of
from formats import BASE_FLOATS, WIDTHS, context, numbers, to_bits, word
from kernel import Case, Kernel, by, row_major, tensor_view, tile
from model.integers import signed, wrap

from .shapes import nested

SHAPE = (4, 16)


def cases() -> list[Case]:
    builders = {"load_ptr_tko": load, "store_ptr_tko": store, "atomic_rmw_tko": update,
                "atomic_cas_tko": exchange, "atomic_red_view_tko": reduction, "alloca": allocation,
                "global": global_array, "get_global": global_pointer, "make_token": tokens,
                "join_tokens": tokens, "gdc_wait_tko": dependence,
                "gdc_launch_dependents_tko": dependence, "memory_fence_alias_tko": dependence,
                "multimem_load_reduce_view_tko": multicast,
                "multimem_reduce_view_tko": multicast, "multimem_store_view_tko": multicast}
    return [Case((c,), functools.partial(build, c), refused=refusal(c))
            for op, build in builders.items() for c in of(op)]


def refusal(c: Combination) -> str:
    """Of 4-bit elements a compiler takes through pointers what it can prove to be pairs
    (types, 2.4); the machine proves nothing and says so."""
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
    if element == "f4E2M1FN":  # pairs that are seen to be pairs (operations, 4.9)
        assert (indices.reshape(-1) == np.arange(indices.size)).all() and len(shape) == 1
        offsets = k.value(f"iota : {tile('i32', shape)}")
    else:
        offsets = k.load("i32", shape, (indices & 0xFFFFFFFF).astype(np.uint32))
    return k.value(f"offset {all_first}, {offsets} : {many}, {tile('i32', shape)} -> {many}")


def gathered(c: Combination, rng: np.random.Generator, size: int) -> np.ndarray:
    """Where the elements of the tile are: anywhere, but 4-bit ones in order."""
    if c.types[0] == "f4E2M1FN":
        return np.arange(64)
    return rng.permutation(size)[:64].reshape(SHAPE)


# --- Loads and stores ------------------------------------------------------------------------


def load(c: Combination, k: Kernel) -> None:
    """A masked-off element is not looked at: some of those are far outside."""
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
    # Without padding a masked-off element has no value: only the others are stored.
    out = k.result(element, np.where(mask, expected, 0).reshape(-1))
    places = addresses(k, out, element, np.arange(64).reshape(shape))
    k.emit(f"%{k.name()} = store_ptr_tko weak {places}, {made}, {k.load('i1', shape, mask)} : "
           f"{tile('ptr', shape, element)}, {tile(element, shape)}, {tile('i1', shape)} -> token")


def readable(k: Kernel, element: str, rng: np.random.Generator) -> tuple[str, np.ndarray]:
    """A pointer to 100 elements, and their patterns. Every byte but zero is a true i1, and
    the low bits of a tf32 do not count (types, 2.2 and 2.3)."""
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
    """An i1 becomes a byte 0 or 1, whatever was there."""
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


# --- Atomics ---------------------------------------------------------------------------------


def combine(mode: str, element: str, old: int, new: int) -> int:
    """What is in memory afterwards (operations, 9.1)."""
    width = WIDTHS[element]
    if mode == "addf":
        a, b = numbers(element, np.array([old, new], word(element)))
        return int(to_bits(element, [context(element).add(a, b)])[0])
    return {
        "and": lambda: old & new, "or": lambda: old | new, "xor": lambda: old ^ new,
        "add": lambda: wrap(old + new, width), "xchg": lambda: new,
        "umax": lambda: max(old, new), "umin": lambda: min(old, new),
        "max": lambda: wrap(max(signed(old, width), signed(new, width)), width),
        "min": lambda: wrap(min(signed(old, width), signed(new, width)), width),
    }[mode]()


def inputs(element: str, count: int, rng: np.random.Generator) -> np.ndarray:
    return rng.choice(np.concatenate([samples.edges(element), samples.random(element, 500, rng)]),
                      count)


def update(c: Combination, k: Kernel) -> None:
    """Several elements meet at one address; the old values they see follow from ascending
    order, which is our choice (operations, 9.1)."""
    (element,), rng, mode = c.types, samples.generator(c), c.modifiers[0]
    memory, argument = inputs(element, 48, rng), inputs(element, 64, rng).reshape(SHAPE)
    where = rng.integers(0, 48, SHAPE)
    mask = rng.integers(0, 2, SHAPE).astype(np.uint8) if "mask" in c.modifiers else \
        np.ones(SHAPE, np.uint8)
    after, olds = memory.tolist(), []
    for place, enabled, value in zip(where.reshape(-1), mask.reshape(-1), argument.reshape(-1)):
        olds.append(after[place] if enabled else 0)
        if enabled:
            after[place] = combine(mode, element, after[place], int(value))
    pointers = addresses(k, k.result(element, np.array(after, word(element)), memory), element, where)
    masked, masked_type = masking(c, k, mask)
    old = k.value(f"atomic_rmw_tko {order_of(c, 'relaxed device')} {pointers}, {mode}, "
                  f"{k.load(element, SHAPE, argument)}{masked} : {tile('ptr', SHAPE, element)}, "
                  f"{tile(element, SHAPE)}{masked_type} -> {tile(element, SHAPE)}, token", 2)[0]
    out = k.result(element, np.array(olds, word(element)))
    places = addresses(k, out, element, np.arange(64).reshape(SHAPE))
    k.emit(f"%{k.name()} = store_ptr_tko weak {places}, {old}, {k.load('i1', SHAPE, mask)} : "
           f"{tile('ptr', SHAPE, element)}, {tile(element, SHAPE)}, {tile('i1', SHAPE)} -> token")


def masking(c: Combination, k: Kernel, mask: np.ndarray) -> tuple[str, str]:
    if "mask" not in c.modifiers:
        return "", ""
    return f", {k.load('i1', SHAPE, mask)}", f", {tile('i1', SHAPE)}"


def exchange(c: Combination, k: Kernel) -> None:
    """Compared bit by bit: a NaN equals itself, -0 is not +0. A masked-off element
    returns what it was compared with (operations, 9.2)."""
    (element,), rng = c.types, samples.generator(c)
    memory = inputs(element, 64, rng)
    value = inputs(element, 64, rng)
    comparand = np.where(rng.random(64) < 0.6, memory, inputs(element, 64, rng))
    if element in BASE_FLOATS:  # zeros of the other sign
        sign = word(element).type(1 << WIDTHS[element] - 1)
        memory[:8], comparand[:8] = 0, sign
    mask = rng.integers(0, 2, 64) if "mask" in c.modifiers else np.ones(64, int)
    hit = (memory == comparand) & (mask == 1)
    pointers = addresses(k, k.result(element, np.where(hit, value, memory), memory), element,
                         np.arange(64).reshape(SHAPE))
    masked, masked_type = masking(c, k, mask.astype(np.uint8))
    old = k.value(f"atomic_cas_tko {order_of(c, 'relaxed device')} {pointers}, "
                  f"{k.load(element, SHAPE, comparand)}, {k.load(element, SHAPE, value)}{masked} : "
                  f"{tile('ptr', SHAPE, element)}, {tile(element, SHAPE)}{masked_type} "
                  f"-> {tile(element, SHAPE)}, token", 2)[0]
    k.store(old, element, SHAPE, np.where(mask == 1, memory, comparand))


def reduction(c: Combination, k: Kernel) -> None:
    """Into a tensor of 6x13, by tiles of 4x8 of which the last ones stick out. The two
    indices may have different types."""
    rng, mode = samples.generator(c), c.modifiers[0]
    element, number = ("i32", c.types[0]) if "index" in c.modifiers else (c.types[0], "i32")
    kind = next((m for m in c.modifiers if m.endswith("view")), "partition_view")
    order = order_of(c, "relaxed device")
    inbounds = " inbounds = [true, true]" if "inbounds" in c.modifiers else ""
    extents, shape = ((8, 16) if inbounds else (6, 13)), (4, 8)
    steps = (3, 5) if kind == "strided_view" else shape
    start = inputs(element, extents[0] * extents[1], rng)
    after = start.reshape(extents).copy()
    argument = inputs(element, 32, rng).reshape(shape)
    tiles = [(i, j) for i in range(-(-extents[0] // steps[0]))
             for j in range(-(-extents[1] // steps[1]))]
    for i, j in tiles:
        for e in np.ndindex(shape):
            place = i * steps[0] + e[0], j * steps[1] + e[1]
            if place[0] < extents[0] and place[1] < extents[1]:
                after[place] = combine(mode, element, int(after[place]), int(argument[e]))
    tensor = tensor_view(element, extents)
    traversal = f" traversal_strides=[{steps[0]},{steps[1]}]," if kind == "strided_view" else ""
    type_ = f"{kind}<tile=({by(shape)}),{traversal} {tensor}>"
    made = k.value(f"make_tensor_view {k.result(element, after.reshape(-1), start)}, "
                   f"shape = {list(extents)}, strides = {row_major(extents)} : {tensor}")
    view = k.value(f"make_{kind} {made} : {type_}")
    value, token = k.load(element, shape, argument), k.value("make_token : token")
    for i, j in tiles:
        indices = f"{k.constant(number, i)}, {k.constant('i32', j)}"
        token = k.value(f"atomic_red_view_tko {order} {view}[{indices}], {mode}, {value}{inbounds} "
                        f"token = {token} : {tile(element, shape)}, {type_}, tile<{number}>, "
                        f"tile<i32> -> token")


def multicast(c: Combination, k: Kernel) -> None:
    """Of an array that is one copy of multicast memory: what the copy holds, is combined with or
    becomes (13.5, section 9.2). Tiles of 4x8 over 6x13 elements."""
    element, rng, extents, shape = c.types[0], samples.generator(c), (6, 13), (4, 8)
    name = c.op.removeprefix("multimem_").removesuffix("_view_tko")
    kind = c.modifiers[0] if name != "store" else ""
    order = order_of(c, "relaxed device" if name == "reduce" else "weak")
    start, argument = inputs(element, 6 * 13, rng), inputs(element, 32, rng).reshape(shape)
    after = start.reshape(extents).copy()
    mode = "addf" if kind == "add" and element in BASE_FLOATS else kind
    for place in np.ndindex(extents):
        value = int(argument[place[0] % 4, place[1] % 8])
        if name == "reduce":
            after[place] = combine(mode, element, int(after[place]), value)
        elif name == "store":
            after[place] = value
    tensor = tensor_view(element, extents).removesuffix(">") + ", multicast>"
    type_ = f"partition_view<tile=({by(shape)}), padding_value = zero, {tensor}>"
    pointer = k.value(f"ptr_to_ptr {k.result(element, after.reshape(-1), start)} : "
                      f"tile<ptr<{element}>> -> tile<ptr<{element}, multicast>>")
    made = k.value(f"make_tensor_view {pointer}, shape = {list(extents)}, "
                   f"strides = {row_major(extents)} : {tensor}")
    view = k.value(f"make_partition_view {made} : {type_}")
    value, token = k.load(element, shape, argument), k.value("make_token : token")
    for i, j in np.ndindex(2, 2):
        place = f"{view}[{k.constant('i32', i)}, {k.constant('i32', j)}]"
        after_it = f"token = {token} : "
        if name == "load_reduce":
            part = np.zeros(shape, start.dtype)
            inside = start.reshape(extents)[i * 4:i * 4 + 4, j * 8:j * 8 + 8]
            part[:inside.shape[0], :inside.shape[1]] = inside
            read, token = k.value(f"{c.op} {order} {place}, {kind} {after_it}{type_}, tile<i32> -> "
                                  f"{tile(element, shape)}, token", 2)
            k.store(read, element, shape, part.reshape(-1))
            continue
        what = f"{place}, {kind}, {value}" if name == "reduce" else f"{value}, {place}"
        token = k.value(f"{c.op} {order} {what} {after_it}{tile(element, shape)}, {type_}, "
                        f"tile<i32> -> token")


# --- Allocations -------------------------------------------------------------------------------


def allocation(c: Combination, k: Kernel) -> None:
    """What is stored is what is loaded; two allocations do not overlap; aligned as asked."""
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
    """A pointer to element 0 of the right one of two, one of them a splat."""
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
    """A load after it sees a store before it (13.4, sections 4 and 5)."""
    place = k.result("i32", np.array([7]))
    if "alone" in c.modifiers:
        k.value(f"{c.op} -> token")
    token = k.value(f"store_ptr_tko weak {place}, {k.constant('i32', 7)} : tile<ptr<i32>>, "
                    f"tile<i32> -> token")
    token = k.value(f"{c.op} token = {token} -> token")
    value = k.value(f"load_ptr_tko weak {place} token={token} : tile<ptr<i32>> -> tile<i32>, token",
                    2)[0]
    k.store(value, "i32", (), np.array([7]))


def tokens(c: Combination, k: Kernel) -> None:
    """Stores into one place, in the order that tokens give them, and a load after them."""
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
