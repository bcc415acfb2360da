# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Edits programs without making them invalid. Works on a copy: removes operations, replaces their
results by other values of the same type, and removes everything that is then unused.
"""

from copy import copy

from elements import FLOATS, INTEGERS
from tileir import TOKEN, Op, Program, Region, Tile, Token, Type, Value, walk

LOSSLESS = ("yield", "continue", "break", "return", "store_ptr_tko", "store_view_tko",
            "atomic_rmw_tko", "atomic_cas_tko", "atomic_red_view_tko", "print_tko", "assert")


def clone(program: Program) -> Program:
    """A deep copy, except for the elements of the arrays."""
    values: dict[Value, Value] = {}

    def value(old: Value) -> Value:
        if old not in values:
            values[old] = copy(old)
        return values[old]

    def region(old: Region) -> Region:
        return Region([value(a) for a in old.arguments], [op(o) for o in old.ops])

    def op(old: Op) -> Op:
        return Op(old.text, [value(o) for o in old.operands], [value(r) for r in old.results],
                  [region(r) for r in old.regions], old.literal, old.settled)

    made = copy(program)
    made.body = region(program.body)
    parameters = {id(p): copy(p) for p in program.parameters}
    made.parameters = list(parameters.values())
    for parameter in made.parameters:
        parameter.value = value(parameter.value)
        other = getattr(parameter.check, "array", None)
        if other is not None:
            parameter.check = type(parameter.check)(
                parameter.check.any_nan, parameter.check.factor, parameters.get(id(other), other),
                parameter.check.least)
    made.globals = list(program.globals)
    return made


def tidy(program: Program) -> None:
    """Removes operations, parameters and globals without effects and uses."""
    while _sweep(program.body, _used(program)):
        pass
    used = _used(program)
    # A scale is still needed for comparison after its store was removed, so it goes with its sum.
    program.parameters = [p for p in program.parameters if p.value in used]
    text = " ".join(op.text for op in walk(program.body))
    program.globals = [g for g in program.globals if g.split("@$P")[1].split()[0] in text]


def _used(program: Program) -> set[Value]:
    return {operand for op in walk(program.body) for operand in op.operands}


def _sweep(region: Region, used: set[Value]) -> bool:
    changed = False
    for op in list(region.ops):
        for inner in op.regions:
            changed |= _sweep(inner, used)
        keeps = op.mnemonic in LOSSLESS or any(r in used for r in op.results)
        if not keeps and not any(has_effect(r) for r in op.regions):
            region.ops.remove(op)
            changed = True
    return changed


def has_effect(region: Region) -> bool:
    """Whether it has effects. Leaving an outer region counts as an effect."""
    inner = [op for op in walk(region) if op.mnemonic in LOSSLESS]
    return any(op.mnemonic not in ("yield", "continue") for op in inner)


# --- Taking out ---------------------------------------------------------------------------------


def delete(program: Program, op: Op, zeros: bool = False) -> bool:
    """Removes an operation. Its results are replaced by operands of the same type, or zeros."""
    where = home(program.body, op)
    if where is None:
        return False
    used, made = _used(program), []
    for result in op.results:
        if result not in used:
            continue
        same = [o for o in op.operands if o.type == result.type]
        if same and not zeros:
            substitute(program, result, same[0])
            continue
        defaults = default(result.type)
        if not defaults:
            return False
        made += defaults
        substitute(program, result, made[-1].results[0])
    place = where.ops.index(op)
    where.ops[place:place + 1] = made
    return True


def home(region: Region, op: Op) -> Region | None:
    """The region that contains the operation."""
    if op in region.ops:
        return region
    for other in region.ops:
        for inner in other.regions:
            found = home(inner, op)
            if found:
                return found
    return None


def substitute(program: Program, old: Value, new: Value) -> None:
    for op in walk(program.body):
        op.operands = [new if o is old else o for o in op.operands]


def default(t: Type) -> list[Op]:
    """Operations whose last one creates some value of the type; none if that is not possible."""
    if isinstance(t, Token):
        return [Op("make_token : token", [], [Value(TOKEN)])]
    if not isinstance(t, Tile):
        return []
    if t.element in INTEGERS or t.element in FLOATS:
        zero = {"i1": "false"}.get(t.element, "0x0" if t.element in FLOATS else "0")
        return [Op(f"constant <{t.element}: {zero}> : $r0", [], [Value(t)])]
    source = default(t.of("i8" if t.element == "i4" else "i64"))
    name = "trunci" if t.element == "i4" else "int_to_ptr"
    return [*source, Op(f"{name} $0 : $t0 -> $r0", [source[0].results[0]], [Value(t)])]


# --- Regions ------------------------------------------------------------------------------------


def inline(program: Program, op: Op, way: int) -> bool:
    """Replaces an `if` by one of its branches, or a loop by one iteration; `way` 2 removes it
    completely, and a loop's results become its initial values."""
    where = home(program.body, op)
    if where is None or op.mnemonic not in ("if", "for", "loop"):
        return False
    if way == 2:
        return take_out(program, op)
    if way >= len(op.regions):
        return False
    region = op.regions[way]
    if op.mnemonic == "if":
        if region.ops and region.ops[-1].mnemonic in ("continue", "break", "return"):
            return False
        body, results = until(region, "yield")
    else:
        first = 3 if op.mnemonic == "for" else 0
        starts = [*op.operands[:first][:1], *op.operands[first:]]
        for argument, start in zip(region.arguments, starts):
            substitute(program, argument, start)
        body, results = one_turn(region, op.mnemonic)
    place = where.ops.index(op)
    where.ops[place:place + 1] = body
    for result, value in zip(op.results, results):
        substitute(program, result, value)
    return True


def take_out(program: Program, op: Op) -> bool:
    starts = op.operands[{"if": 1, "for": 3, "loop": 0}[op.mnemonic]:]
    for result in op.results:
        same = [s for s in starts if s.type == result.type]
        if same:
            substitute(program, result, same[0])
    return delete(program, op, zeros=True)


def until(region: Region, terminator: str) -> tuple[list[Op], list[Value]]:
    """The operations without the terminator, and the terminator's operands."""
    if region.ops and region.ops[-1].mnemonic == terminator:
        return region.ops[:-1], region.ops[-1].operands
    return region.ops, []


def one_turn(region: Region, loop: str) -> tuple[list[Op], list[Value]]:
    """The body without branches that leave it in the middle, and the values with which the loop ends."""
    leaving = [op for op in region.ops if any(
        inner.mnemonic in ("continue", "break") for r in op.regions for inner in r.ops[-1:])]
    body, results = until(region, "continue")
    if loop == "loop":
        breaks = [inner.operands for op in leaving for r in op.regions for inner in r.ops[-1:]
                  if inner.mnemonic == "break"]
        results = breaks[0] if breaks else []
    return [op for op in body if op not in leaving], results
