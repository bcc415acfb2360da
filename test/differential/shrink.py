# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reduces a program as long as it still shows the difference.

Edits are tried on copies and kept if the difference remains: fewer stores, values replaced by the
reference machine's results, `if` replaced by a branch, smaller extents, one block, simpler arrays. An
edit may create invalid or undefined programs: a candidate that the verifier or the sanitizer rejects
shows no difference, and is dropped.
"""

import math
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from checks import Check
from edits import clone, delete, inline, tidy
from elements import NUMBERS, word
from execute import Outcome
from tileir import TOKEN, Op, Parameter, Program, Tensor, Tile, Value, View, walk

TIME_LIMIT = 180  # seconds per program
EFFECTS = ("store_ptr_tko", "store_view_tko", "atomic_rmw_tko", "atomic_cas_tko",
           "atomic_red_view_tko", "print_tko", "assert")
MOVES = ("select", "reshape", "broadcast", "permute", "cat", "extract", "negf", "absf", "if")
TERMINATORS = ("yield", "continue", "break", "return")


def shrink(program: Program, complaint: Callable[[Program], str],
           reference: Callable[[Program], Outcome]) -> Program:
    """`complaint` describes how a program differs. Returns the program unchanged if it does not."""
    if not complaint(program):
        return program
    return Shrinker(program, complaint, reference).run()


def size(program: Program) -> int:
    return sum(1 for _ in walk(program.body))


def kind_of(complaint: str) -> str:
    """The kind of failure: a wrong result must not be reduced to a crash, or vice versa."""
    return complaint.split(" ", 1)[0] if complaint.startswith(("exit", "died")) else "result"


class Shrinker:
    def __init__(self, program: Program, complaint: Callable[[Program], str],
                 reference: Callable[[Program], Outcome]) -> None:
        self.program = program
        self.complaint = complaint
        self.kind = kind_of(complaint(program))
        self.reference = reference
        self.end = time.monotonic() + TIME_LIMIT

    def run(self) -> Program:
        self.attempt(lambda p: True)  # removes unused operations
        self.attempt(to_one_block)
        self.fewer_stores()
        before = None
        while before != (before := self.measure()) and not self.late:
            self.attempt(without_tokens)
            self.regions()
            self.cuts()
            self.deletions()
            self.plain_stores()
            self.smaller_extents()
            self.attempt(to_one_block)
            self.simpler_arrays()
        return self.program

    @property
    def late(self) -> bool:
        return time.monotonic() > self.end

    def measure(self) -> tuple[int, int, int]:
        elements = sum(v.type.count for op in walk(self.program.body) for v in op.results
                       if isinstance(v.type, Tile))
        content = sum(int(np.count_nonzero(p.content)) for p in self.program.parameters)
        return size(self.program), elements, content

    def attempt(self, edit: Callable[[Program], object]) -> bool:
        """Tries an edit, which returns False if it has nothing to do."""
        candidate = clone(self.program)
        if self.late or edit(candidate) is False:
            return False
        tidy(candidate)
        if shows_any_nan(candidate):
            return False
        text = self.complaint(candidate)
        if not text or kind_of(text) != self.kind:
            return False
        self.program = candidate
        return True

    # --- Passes -------------------------------------------------------------------------------

    def fewer_stores(self) -> None:
        """Removes half of the effects, then a quarter, and so on, down to single ones."""
        def effects(program: Program) -> list[Op]:
            return [op for op in walk(program.body) if op.mnemonic in EFFECTS]

        chunk = len(effects(self.program))
        while chunk >= 1:
            at = 0
            while at < (count := len(effects(self.program))):
                def without(program: Program, at: int = at) -> None:
                    for op in effects(program)[at:at + chunk]:
                        delete(program, op)
                if count <= 1 or not self.attempt(without):
                    at += chunk
            chunk //= 2

    def cuts(self) -> None:
        """From the last value to the first, so that little remains after the first success."""
        at = len(self.program.body.ops)
        while at > 0 and not self.late:
            at = min(at, len(self.program.body.ops)) - 1
            op = self.program.body.ops[at] if at >= 0 else None
            if op is None or not op.results or trivial(op):
                continue
            wanted = [k for k, v in enumerate(op.results) if can_be_stored(v)]
            others = {v for k, v in enumerate(op.results) if k not in wanted}
            if not wanted or any(others & set(o.operands) for o in walk(self.program.body)):
                continue
            contents = self.computed(at, wanted)
            if contents:
                self.attempt(lambda p: replace_by_loads(p, at, wanted, contents))

    def computed(self, at: int, wanted: list[int]) -> list[np.ndarray]:
        """The reference machine's results of a top-level operation."""
        watched = clone(self.program)
        op = watched.body.ops[at]
        made = []
        for k in wanted:
            made.append(add_array(watched, op.results[k], None))
            watched.body.ops[at + 1:at + 1] = access(watched, op.results[k], made[-1], "store")
        outcome = self.reference(watched)
        if outcome.complaint:
            return []
        return outcome.arrays[0][-len(made):]

    def regions(self) -> None:
        """Outer regions first: this avoids work on inner ones that are removed with them."""
        number = 0
        while number < size(self.program) and not self.late:
            for way in (2, 0, 1):
                def edit(program: Program) -> bool:
                    op = nth(program, number)
                    return op is not None and inline(program, op, way)
                if self.attempt(edit):
                    break
            else:
                number += 1

    def deletions(self) -> None:
        """Removes operations from the last to the first, many at once and then one by one, with their
        results replaced by zeros or an operand."""
        chunk = size(self.program) // 2
        while chunk >= 1 and not self.late:
            end = size(self.program)
            while end > 0:
                for zeros in (True, False):
                    if self.attempt(lambda p: delete_range(p, max(0, end - chunk), end, zeros)):
                        break
                end = min(end - chunk, size(self.program))
            chunk //= 2

    def plain_stores(self) -> None:
        for number in range(size(self.program)):
            self.attempt(lambda p: plain_store(p, number))

    def smaller_extents(self) -> None:
        extents = {e for op in walk(self.program.body) for v in op.results
                   for e in getattr(v.type, "shape", ())}
        for extent in sorted(extents - {1}, reverse=True):
            for smaller in (1, extent // 2):
                if self.attempt(lambda p: with_extent(p, extent, smaller)):
                    break

    def simpler_arrays(self) -> None:
        for index in range(len(self.program.parameters)):
            for edit in (zeroed, shortened, one_kept, repeated):
                self.attempt(lambda p: edit(p, index))


def shows_any_nan(program: Program) -> bool:
    """Whether an operation depends on the bits of a NaN that may be arbitrary. Facts about an operation's
    result may not hold for the replacement that an edit has made."""
    for op in walk(program.body):
        if op.mnemonic in MOVES and not op.settled:
            for result in op.results:
                result.any_nan |= any(o.any_nan and o.type.element == result.type.element
                                      for o in op.operands if isinstance(o.type, Tile))
        looks = {"bitcast": op.operands, "pack": op.operands, "atomic_cas_tko": op.operands[1:3]}
        if not op.settled and any(o.any_nan for o in looks.get(op.mnemonic, ())):
            return True
        if op.mnemonic.startswith("store") and any(o.any_nan for o in op.operands):
            target = origin(program, op.operands[op.mnemonic == "store_view_tko"])
            if target and target.check:
                target.check = replace(target.check, any_nan=True)
    return False


# --- Edits --------------------------------------------------------------------------------------


def nth(program: Program, number: int) -> Op | None:
    return next((op for k, op in enumerate(walk(program.body)) if k == number), None)


def trivial(op: Op) -> bool:
    return op.settled or op.mnemonic in ("constant", "make_token", "iota", "get_tile_block_id")


def delete_range(program: Program, begin: int, end: int, zeros: bool) -> bool:
    changed = False
    for op in list(walk(program.body))[begin:end]:
        if op.mnemonic in (*TERMINATORS, *EFFECTS):
            continue
        if trivial(op) and op.mnemonic not in ("offset", "ptr_to_ptr"):
            continue
        changed |= delete(program, op, zeros)
    return changed


def without_tokens(program: Program) -> None:
    """Replaces tokens that may not be needed, because they keep operations alive."""
    for op in walk(program.body):
        token = re.search(r" token ?= ?\$(\d+)", op.text)
        if token and int(token[1]) == len(op.operands) - 1:
            op.text = op.text.replace(token[0], "")
            op.operands.pop()


def to_one_block(program: Program) -> bool:
    if math.prod(program.grid) == 1:
        return False
    program.grid = (1,)
    return True


def with_extent(program: Program, old: int, new: int) -> None:
    def change(values: list[Value]) -> None:
        for value in values:
            value.type = value.type.with_extent(old, new)
    for op in walk(program.body):
        change(op.results)
        for region in op.regions:
            change(region.arguments)


def content_edit(edit: Callable[[np.ndarray], np.ndarray]) -> Callable[[Program, int], bool]:
    def apply(program: Program, index: int) -> bool:
        if index >= len(program.parameters):
            return False
        parameter = program.parameters[index]
        changed = edit(parameter.content)
        if np.array_equal(changed, parameter.content):
            return False
        parameter.content = changed
        return True
    return apply


zeroed = content_edit(np.zeros_like)
shortened = content_edit(lambda c: c[:max(2, len(c) // 2)] if len(c) > 2 else c)
repeated = content_edit(lambda c: np.full_like(c, c[0]))


def _one(content: np.ndarray) -> np.ndarray:
    made = np.zeros_like(content)
    made[0] = content[0]
    return made


one_kept = content_edit(_one)


# --- Cutting ------------------------------------------------------------------------------------


def can_be_stored(value: Value) -> bool:
    t = value.type
    if not isinstance(t, Tile) or t.element not in NUMBERS:
        return False
    return t.element != "f4E2M1FN" or bool(t.shape) and t.shape[-1] > 1


def add_array(program: Program, value: Value, content: np.ndarray | None) -> Parameter:
    element, count = value.element, max(2, value.type.count) * math.prod(program.grid)
    check = Check() if content is None else None
    made = Parameter(Value(Tile(f"ptr<{element}>")), element,
                     np.zeros(count, word(element)) if content is None else content, check)
    program.parameters.append(made)
    return made


def replace_by_loads(program: Program, at: int, wanted: list[int],
                     contents: list[np.ndarray]) -> None:
    op = program.body.ops[at]
    made: list[Op] = []
    for k, content in zip(wanted, contents):
        parameter = add_array(program, op.results[k], content)
        made += access(program, op.results[k], parameter, "load")
    for simple in made:
        simple.settled = True
    program.body.ops[at:at + 1] = made


def plain_store(program: Program, number: int) -> bool:
    """A value that is stored to a separate array, in order of its elements."""
    op = nth(program, number)
    if op is None or op.settled or op not in program.body.ops or \
            op.mnemonic not in ("store_view_tko", "store_ptr_tko"):
        return False
    value, base = op.operands[:2] if op.mnemonic == "store_view_tko" else op.operands[1::-1]
    target = origin(program, base)
    if target is None or not target.check:
        return False
    array = add_array(program, value, None)
    array.check = target.check
    made = access(program, value, array, "store")
    made[-1].results = op.results
    for simple in made:
        simple.settled = True
    place = program.body.ops.index(op)
    program.body.ops[place:place + 1] = made
    return True


def origin(program: Program, value: Value) -> Parameter | None:
    """The array that a pointer or view points to, by following first operands."""
    makers = {r: op for op in walk(program.body) for r in op.results}
    while value in makers and makers[value].operands:
        value = makers[value].operands[0]
    return next((p for p in program.parameters if p.value is value), None)


def access(program: Program, value: Value, array: Parameter, way: str) -> list[Op]:
    """Operations that load or store a whole tile, a separate one for each block."""
    made: list[Op] = []

    def op(text: str, operands: list[Value], *types) -> Value:
        made.append(Op(text, operands, [Value(t) for t in types]))
        return made[-1].results[0]

    scalar, tile, count = Tile("i32"), value.type, max(2, value.type.count)
    base = array.value
    if math.prod(program.grid) > 1:
        ids = Op("get_tile_block_id : $r0", [], [Value(scalar) for _ in range(3)])
        sizes = Op("get_num_tile_blocks : $r0", [], [Value(scalar) for _ in range(3)])
        made += [ids, sizes]
        (x, y, z), (nx, ny, _) = ids.results, sizes.results
        row = op("addi $0, $1 : $r0", [op("muli $0, $1 : $r0", [z, ny], scalar), y], scalar)
        block = op("addi $0, $1 : $r0", [op("muli $0, $1 : $r0", [row, nx], scalar), x], scalar)
        unit = "i8" if value.element == "f4E2M1FN" else value.element
        base = op("ptr_to_ptr $0 : $t0 -> $r0", [base], Tile(f"ptr<{unit}>"))
        region = op(f"constant <i32: {count // 2 if unit != value.element else count}> : $r0", [],
                    scalar)
        away = op("muli $0, $1 : $r0", [block, region], scalar)
        base = op("offset $0, $1 : $t0, $t1 -> $r0", [base, away], base.type)
        base = op("ptr_to_ptr $0 : $t0 -> $r0", [base], array.value.type)
    return made + list(whole(base, value, tile, way))


def whole(base: Value, value: Value, tile: Tile, way: str) -> Iterator[Op]:
    token = Value(TOKEN)
    if not tile.shape:
        if way == "store":
            yield Op("store_ptr_tko weak $0, $1 : $t0, $t1 -> token", [base, value], [token])
        else:
            yield Op("load_ptr_tko weak $0 : $t0 -> $r0, token", [base], [value, token])
        return
    strides = tuple(math.prod(tile.shape[d + 1:]) for d in range(len(tile.shape)))
    tensor = Tensor(tile.element, tile.shape, strides)
    made, zero = Value(tensor), Value(Tile("i32"))
    view = Value(View("partition_view", tile.shape, tensor))
    yield Op(f"make_tensor_view $0, shape = {list(tile.shape)}, strides = {list(strides)} : $r0",
             [base], [made])
    yield Op("make_partition_view $0 : $r0", [made], [view])
    yield Op("constant <i32: 0> : $r0", [], [zero])
    index = [zero] * len(tile.shape)
    names = ", ".join(f"${k}" for k in range(1, 1 + len(index)))
    if way == "store":
        names = ", ".join(f"${k}" for k in range(2, 2 + len(index)))
        yield Op(f"store_view_tko weak $0, $1[{names}] : $t0, $t1, $t2 -> token",
                 [value, view, *index], [token])
    else:
        yield Op(f"load_view_tko weak $0[{names}] : $t0, $t1 -> $r0, token", [view, *index],
                 [value, token])
