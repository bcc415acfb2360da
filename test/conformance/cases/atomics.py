# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of atomic updates, by pointers and through views, of one array or of all copies in
multicast memory (operations, 9; 13.5, section 9.2)."""

import functools
import itertools
from collections import defaultdict

import numpy as np

import samples
from combinations import Combination, of
from formats import BASE_FLOATS, FORMATS, WIDTHS, context, is_nan, numbers, to_bits, word
from kernel import Case, Kernel, by, row_major, tensor_view, tile
from model.integers import signed, wrap

from .memory import SHAPE, addresses, order_of


def cases() -> list[Case]:
    builders = {"atomic_rmw_tko": update, "atomic_cas_tko": exchange,
                "atomic_red_view_tko": reduction, "multimem_load_reduce_view_tko": multicast,
                "multimem_reduce_view_tko": multicast, "multimem_store_view_tko": multicast}
    return [Case((c,), functools.partial(build, c), refused_on_gpu=refusal(c))
            for op, build in builders.items() for c in of(op)]


def refusal(c: Combination) -> str:
    """Multicast memory needs sm_100 or sm_103 (13.5, section 9.2). Addresses of arrays are not in
    multicast memory, even there; the machine has no other memory."""
    return "multicast memory" if c.op.startswith("multimem") else ""


# --- One address ------------------------------------------------------------------------------


def combine(mode: str, element: str, old: int, new: int) -> int:
    """The resulting memory contents (operations, 9.1), without flushing."""
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


def flushed(element: str, bits: int) -> int:
    """Zero of the same sign for a subnormal."""
    f = FORMATS[element]
    return bits & f.sign if not bits & f.infinity else bits


def combine_flushed(mode: str, element: str, old: int, new: int) -> int:
    """The addition of f32 in a GPU's global memory (operations, 9.1)."""
    return flushed(element, combine(mode, element, flushed(element, old), flushed(element, new)))


def ways_of(mode: str, element: str) -> tuple:
    return (combine, combine_flushed) if (mode, element) == ("addf", "f32") else (combine,)


def same(element: str, found, expected) -> np.ndarray:
    """Equal bits, or any NaN for a NaN in f32 or f64."""
    found, expected = np.asarray(found, word(element)), np.asarray(expected, word(element))
    equal = found == expected
    if element in ("f32", "f64"):
        equal |= is_nan(element, found) & is_nan(element, expected)
    return equal


def inputs(element: str, count: int, rng: np.random.Generator) -> np.ndarray:
    return rng.choice(np.concatenate([samples.edges(element), samples.random(element, 500, rng)]),
                      count)


class Updates:
    """The updates of a tile, several of which may have the same address. Their order is not
    specified: the reference machine's is ascending (operations, 9.1)."""

    def __init__(self, mode: str, element: str, memory, where, mask, arguments) -> None:
        self.mode, self.element, self.memory = mode, element, [int(bits) for bits in memory]
        self.arguments = [int(bits) for bits in arguments.reshape(-1)]
        self.at = defaultdict(list)  # the elements that update each place
        for number, place in enumerate(where.reshape(-1)):
            if mask.reshape(-1)[number]:
                self.at[int(place)].append(number)

    def run(self, place: int, order, combine_) -> tuple[list[int], int]:
        """The old values that the updates return, and the final memory contents."""
        olds, value = [], self.memory[place]
        for number in order:
            olds.append(value)
            value = combine_(self.mode, self.element, value, self.arguments[number])
        return olds, value

    def ascending(self) -> tuple[np.ndarray, np.ndarray]:
        after, olds = np.array(self.memory, word(self.element)), np.zeros(len(self.arguments))
        olds = olds.astype(word(self.element))
        for place, order in self.at.items():
            olds[order], after[place] = self.run(place, order, combine)
        return after, olds

    @functools.cached_property
    def possible(self) -> dict[int, list]:
        """All outcomes for each place: old values in the order of elements, and the final value."""
        outcomes = defaultdict(list)
        for place, numbers_ in self.at.items():
            for order in itertools.permutations(numbers_):
                for way in ways_of(self.mode, self.element):
                    olds, value = self.run(place, order, way)
                    outcomes[place].append((np.array(olds, word(self.element))[np.argsort(order)],
                                            value))
        return outcomes

    def right_after(self, found: np.ndarray) -> np.ndarray:
        right = np.zeros(len(found), bool)
        for place, outcomes in self.possible.items():
            right[place] = any(same(self.element, found[place], end) for _, end in outcomes)
        return right

    def right_olds(self, found: np.ndarray) -> np.ndarray:
        right = np.zeros(len(found), bool)
        for place, outcomes in self.possible.items():
            numbers_ = self.at[place]
            right[numbers_] = any(same(self.element, found[numbers_], olds).all()
                                  for olds, _ in outcomes)
        return right


# --- By pointers ------------------------------------------------------------------------------


def update(c: Combination, k: Kernel) -> None:
    """Several elements update one address."""
    (element,), rng, mode = c.types, samples.generator(c), c.modifiers[0]
    memory, argument = inputs(element, 48, rng), inputs(element, 64, rng).reshape(SHAPE)
    where = rng.integers(0, 48, SHAPE)
    mask = rng.integers(0, 2, SHAPE).astype(np.uint8) if "mask" in c.modifiers else \
        np.ones(SHAPE, np.uint8)
    updates = Updates(mode, element, memory, where, mask, argument)
    after, olds = updates.ascending()
    array = k.result(element, after, memory, right_on_gpu=updates.right_after)
    pointers = addresses(k, array, element, where)
    masked, masked_type = masking(c, k, mask)
    old = k.value(f"atomic_rmw_tko {order_of(c, 'relaxed device')} {pointers}, {mode}, "
                  f"{k.load(element, SHAPE, argument)}{masked} : {tile('ptr', SHAPE, element)}, "
                  f"{tile(element, SHAPE)}{masked_type} -> {tile(element, SHAPE)}, token", 2)[0]
    out = k.result(element, olds, right_on_gpu=updates.right_olds)
    places = addresses(k, out, element, np.arange(64).reshape(SHAPE))
    k.emit(f"%{k.name()} = store_ptr_tko weak {places}, {old}, {k.load('i1', SHAPE, mask)} : "
           f"{tile('ptr', SHAPE, element)}, {tile(element, SHAPE)}, {tile('i1', SHAPE)} -> token")


def masking(c: Combination, k: Kernel, mask: np.ndarray) -> tuple[str, str]:
    if "mask" not in c.modifiers:
        return "", ""
    return f", {k.load('i1', SHAPE, mask)}", f", {tile('i1', SHAPE)}"


def exchange(c: Combination, k: Kernel) -> None:
    """Compared bit by bit: a NaN equals itself, -0 is not +0. A masked-off element returns its
    comparison operand (operations, 9.2)."""
    (element,), rng = c.types, samples.generator(c)
    memory = inputs(element, 64, rng)
    value = inputs(element, 64, rng)
    comparand = np.where(rng.random(64) < 0.6, memory, inputs(element, 64, rng))
    if element in BASE_FLOATS:  # zeros with the other sign
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


# --- Through views ----------------------------------------------------------------------------


def reduction(c: Combination, k: Kernel) -> None:
    """Into a 6x13 tensor, by tiles of 4x8, the last of which extend beyond it. The two indices
    may have different types."""
    rng, mode = samples.generator(c), c.modifiers[0]
    element, number = ("i32", c.types[0]) if "index" in c.modifiers else (c.types[0], "i32")
    kind = next((m for m in c.modifiers if m.endswith("view")), "partition_view")
    order = order_of(c, "relaxed device")
    inbounds = " inbounds = [true, true]" if "inbounds" in c.modifiers else ""
    extents, shape = ((8, 16) if inbounds else (6, 13)), (4, 8)
    steps = (3, 5) if kind == "strided_view" else shape
    start = inputs(element, extents[0] * extents[1], rng)
    argument = inputs(element, 32, rng).reshape(shape)
    tiles = [(i, j) for i in range(-(-extents[0] // steps[0]))
             for j in range(-(-extents[1] // steps[1]))]
    afters = []
    for way in ways_of(mode, element):
        afters.append(start.reshape(extents).copy())
        for i, j in tiles:
            for e in np.ndindex(shape):
                place = i * steps[0] + e[0], j * steps[1] + e[1]
                if place[0] < extents[0] and place[1] < extents[1]:
                    afters[-1][place] = way(mode, element, int(afters[-1][place]), int(argument[e]))
    after, *others = (a.reshape(-1) for a in afters)
    right = functools.partial(right_as_one_of, element, others) if others else None
    tensor = tensor_view(element, extents)
    traversal = f" traversal_strides=[{steps[0]},{steps[1]}]," if kind == "strided_view" else ""
    type_ = f"{kind}<tile=({by(shape)}),{traversal} {tensor}>"
    array = k.result(element, after, start, right_on_gpu=right)
    made = k.value(f"make_tensor_view {array}, shape = {list(extents)}, strides = {row_major(extents)} : {tensor}")
    view = k.value(f"make_{kind} {made} : {type_}")
    value, token = k.load(element, shape, argument), k.value("make_token : token")
    for i, j in tiles:
        indices = f"{k.constant(number, i)}, {k.constant('i32', j)}"
        token = k.value(f"atomic_red_view_tko {order} {view}[{indices}], {mode}, {value} "
                        f"token = {token}{inbounds} : {tile(element, shape)}, {type_}, tile<{number}>, "
                        f"tile<i32> -> token")


def right_as_one_of(element: str, others: list[np.ndarray], found: np.ndarray) -> np.ndarray:
    return np.any([same(element, found, other) for other in others], axis=0)


def multicast(c: Combination, k: Kernel) -> None:
    """For an array that is one copy of multicast memory: loads, reductions and stores (13.5,
    section 9.2). Tiles of 4x8 over 6x13 elements."""
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
    tensor = tensor_view(element, extents).removesuffix(">") + ", #cuda_tile.ptr_attr<multicast>>"
    base = f"tile<ptr<{element}, <multicast>>>"
    type_ = f"partition_view<tile=({by(shape)}), padding_value = zero, {tensor}>"
    pointer = k.value(f"ptr_to_ptr {k.result(element, after.reshape(-1), start)} : "
                      f"tile<ptr<{element}>> -> {base}")
    made = k.value(f"make_tensor_view {pointer}, shape = {list(extents)}, "
                   f"strides = {row_major(extents)} : {base} -> {tensor}")
    view = k.value(f"make_partition_view {made} : {type_}")
    value, token = k.load(element, shape, argument), k.value("make_token : token")
    attributes = f" attributes {{reduction = #cuda_tile.multimem_reduction_kind<{kind}>}}" \
        if kind not in ("", "add") else ""
    for i, j in np.ndindex(2, 2):
        index = f"[{k.constant('i32', i)}, {k.constant('i32', j)}]"
        after_it = f"token = {token}{attributes} : {type_}"
        if name == "load_reduce":
            part = np.zeros(shape, start.dtype)
            inside = start.reshape(extents)[i * 4:i * 4 + 4, j * 8:j * 8 + 8]
            part[:inside.shape[0], :inside.shape[1]] = inside
            read, token = k.value(f"{c.op} {order} {view}{index} {after_it}, tile<i32>, token -> "
                                  f"{tile(element, shape)}, token", 2)
            k.store(read, element, shape, part.reshape(-1))
            continue
        token = k.value(f"{c.op} {order} {view}, {value}{index} {after_it}, {tile(element, shape)}, "
                        f"tile<i32>, token -> token")
