# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Control flow: branches, counted loops, infinite loops with an exit, and blocks that return early.

Regions are filled with statements like the program itself; they yield, carry and break with
operands of random types. All loops end after a few iterations, independent of the data.
"""

from contextlib import contextmanager

from builder import Builder
from elements import BASE_FLOATS, WIDTHS
from tileir import TOKEN, Tile, Type, Value

TURNS = 4  # at most


def carried_types(b: Builder, most: int) -> list[Type]:
    made: list[Type] = [b.tile() for _ in range(b.random.randint(0, most))]
    if b.chance(0.1):
        made.append(Tile("ptr<f32>", b.shape()))
    if b.chance(0.1):
        made.append(TOKEN)
    return made


def operands(b: Builder, types: list[Type]) -> list[Value]:
    return [token(b) if t is TOKEN else b.operand(t) for t in types]


def token(b: Builder) -> Value:
    known = b.known(TOKEN)
    return b.choice(known) if known else b.op("make_token : token", to=TOKEN)


def gaps(first: int, count: int, kind: str = "") -> str:
    return ", ".join(f"${kind}{k}" for k in range(first, first + count))


def end(b: Builder, name: str, values: list[Value]) -> None:
    """Emits the terminator of a region."""
    text = f"{name} {gaps(0, len(values))} : {gaps(0, len(values), 't')}" if values else name
    b.effect(text, *values)


def fill(b: Builder, statement, most: int) -> None:
    for _ in range(b.random.randint(0, most)):
        statement(b)


def results_of(values: list[list[Value]], types: list[Type]) -> list[bool]:
    """Which results may hold any NaN: those for which some path provides one."""
    return [any(way[k].any_nan for way in values) for k in range(len(types))]


def publish(b: Builder, results: list[Value], any_nan: list[bool]) -> None:
    for result, anything in zip(results, any_nan):
        result.any_nan = anything
    b.offer(*(r for r in results if r.type is TOKEN))
    b.finish(*(r for r in results if r.type is not TOKEN))


# --- Branches -----------------------------------------------------------------------------------


def branch(b: Builder, statement) -> None:
    """A branch may leave the enclosing loop, iteration or block."""
    condition, types = b.operand(Tile("i1")), carried_types(b, 3)
    regions, ways = [], []
    leaves = b.random.randrange(2) if b.scope.leave and b.chance(0.3) else None
    for way in range(2 if types or b.chance(0.6) else 1):
        with b.region() as region:
            fill(b, statement, 3)
            if way == leaves:
                b.scope.leave()
            else:
                ways.append(close(b, "yield", types))
        regions.append(region)
    listed = f" -> ({gaps(0, len(types), 'r')})" if types else ""
    publish(b, b.ops(f"if $0{listed}", [condition], types, regions), results_of(ways, types))


def close(b: Builder, name: str, types: list[Type], first: list[Value] = ()) -> list[Value]:
    """Ends a region with operands of these types; other values may be stored."""
    values = [*first, *operands(b, types)]
    b.used.update(values)
    if b.can_store and b.chance(0.5):
        b.store_unused()
    if values or name != "yield":
        end(b, name, values)
    return values


# --- Counted loops ------------------------------------------------------------------------------


def counted(b: Builder, statement) -> None:
    element = b.weighted({"i32": 6, "i64": 2, "i16": 1, "i8": 2, "i1": 0.4})
    scalar, unsigned = Tile(element), b.choice(["", " unsigned"])
    if element == "i1":  # no step is positive as a signed number
        unsigned = " unsigned"
    from_zero = element == "i1" or b.chance(0.6)
    low, high, step = bounds(b, scalar, unsigned) if not from_zero else (
        b.constant(scalar, 0), few(b, scalar), b.constant(scalar, 1))
    types = carried_types(b, 3)
    initial = operands(b, types)
    turn = Value(scalar)
    inner = [Value(t, any_nan=can_be_nan(t)) for t in types]
    with turns(b, [turn, *inner], turn if from_zero else None) as region:
        b.scope.leave = lambda: end(b, "continue", operands(b, types))
        fill(b, statement, 4)
        close(b, "continue", types)
    iter_values = ""
    if types:
        pairs = ", ".join(f"$a{1 + k} = ${3 + k}" for k in range(len(types)))
        iter_values = f" iter_values({pairs}) -> ({gaps(0, len(types), 'r')})"
    publish(b, b.ops(f"for{unsigned} $a0 in ($0 to $1, step $2) : $t0{iter_values}",
                     [low, high, step, *initial], types, [region]),
            [can_be_nan(t) for t in types])


def can_be_nan(t: Type) -> bool:
    """Carried values may be NaNs with any bits. (The narrow formats have one pattern, except after
    operations that preserve bits.)"""
    return isinstance(t, Tile) and t.element in (*BASE_FLOATS, "tf32")


def few(b: Builder, scalar: Tile) -> Value:
    """0 to 4, possibly known only at run time."""
    if scalar.element == "i1":
        return b.operand(scalar)
    if b.chance(0.5):
        return b.constant(scalar, b.random.randint(0, TURNS))
    return b.op("remi $0, $1 unsigned : $r0", b.operand(scalar), b.constant(scalar, TURNS + 1),
                to=scalar)


def bounds(b: Builder, scalar: Tile, unsigned: str) -> tuple[Value, Value, Value]:
    """Any start and step, including those where the next step would overflow."""
    width = WIDTHS[scalar.element]
    top = (1 << width) - 1 if unsigned else (1 << width - 1) - 1
    step = b.random.randint(1, 20)
    low = b.choice([3, 7, top - 2 * step - 1, 0 if unsigned else -2 * step - 1])
    high = min(top, low + b.random.randint(-2, TURNS * step))
    return b.constant(scalar, low), b.constant(scalar, max(high, 0) if unsigned else high), \
        b.constant(scalar, step)


@contextmanager
def turns(b: Builder, arguments: list[Value], counter: Value | None):
    """The body of a loop; if there is a counter from 0, each iteration has its own memory."""
    outer, known = b.scope, counter is not None and b.scope.instances
    known = known and b.scope.instances * (TURNS + 1) <= 64
    with b.region(arguments, instances=outer.instances * (TURNS + 1) if known else 0) as region:
        if known:
            b.scope.instance = numbered_turn(b, outer.instance, counter)
        yield region


def numbered_turn(b: Builder, outer: Value, counter: Value) -> Value:
    to = Tile("i32")
    width = WIDTHS[counter.element]
    if width < 32:
        counter = b.op("exti $0 unsigned : $t0 -> $r0", counter, to=to)
    elif width > 32:
        counter = b.op("trunci $0 : $t0 -> $r0", counter, to=to)
    before = b.op("muli $0, $1 : $r0", outer, b.i32(TURNS + 1), to=to)
    return b.op("addi $0, $1 : $r0", before, counter, to=to)


# --- Endless loops ------------------------------------------------------------------------------


def endless(b: Builder, statement) -> None:
    scalar = Tile("i32")
    limit = few(b, scalar)
    types, results = carried_types(b, 2), carried_types(b, 2)
    initial = [b.i32(0), *operands(b, types)]
    counter = Value(scalar)
    inner = [Value(t, any_nan=can_be_nan(t)) for t in types]
    ways: list[list[Value]] = []

    def leave_loop() -> None:
        ways.append(operands(b, results))
        end(b, "break", ways[-1])

    def leave() -> None:
        if b.chance(0.5):
            end(b, "continue", [following(), *operands(b, types)])
        else:
            leave_loop()

    def following() -> Value:
        return b.op("addi $0, $1 : $r0", counter, b.i32(1), to=scalar)

    with turns(b, [counter, *inner], counter) as region:
        b.scope.leave = leave_loop  # `continue` would skip the counting
        fill(b, statement, 2)
        done = b.op("cmpi greater_than_or_equal $0, $1, signed : $t0 -> $r0", counter, limit,
                    to=Tile("i1"))
        with b.region() as last:
            fill(b, statement, 1)
            ways.append(close(b, "break", results))
        b.ops("if $0", [done], [], [last])
        b.scope.leave = leave
        fill(b, statement, 3)
        close(b, "continue", types, [following()])
    count = 1 + len(types)
    pairs = ", ".join(f"$a{k} = ${k}" for k in range(count))
    to = f" -> {gaps(0, len(results), 'r')}" if results else ""
    publish(b, b.ops(f"loop iter_values({pairs}) : {gaps(0, count, 'u')}{to}", initial, results,
                     [region]), results_of(ways, results))
