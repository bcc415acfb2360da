# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes the outcomes that the memory model allows, by brute force over its text (section 6): every
value that a read might return, every write that it might come from, every order of the writes to a
location; combinations that violate no rule are executions. It is compared with the reference machine and
shares nothing with it: relations are sets of pairs, the read and the write of an atomic are two events,
and coherence tries all permutations.
"""

from dataclasses import dataclass, field, replace
from itertools import permutations, product
from math import prod

import notation

MASK = 0xFFFFFFFF


@dataclass(eq=False)
class Event:
    block: int
    op: int                 # index of the executed operation in its block
    writes: bool
    location: str
    value: int
    ordering: str
    scope: str
    pair: "Event" = None    # the other half of an atomic
    depends: set = field(default_factory=set)


@dataclass(eq=False)
class Trace:
    events: list
    tokens: set             # pairs of operation numbers, transitive
    registers: dict


@dataclass(frozen=True)
class State:
    """The state of a block between two operations."""
    events: tuple = ()
    # Operation index -> the operations that are token-ordered before it.
    before: tuple = ()
    # Sources of tokens: the last operation, all, and the input of the last one in the text.
    last: frozenset = frozenset()
    all: frozenset = frozenset()
    input: frozenset = frozenset()
    # Register -> (value, reads it depends on); missing: 0.
    values: dict = field(default_factory=dict)
    noted: dict = field(default_factory=dict)
    # Reads that determine whether anything that follows is executed, and whether the rest of this
    # iteration is.
    always: frozenset = frozenset()
    iteration: frozenset = frozenset()

    def value(self, register):
        return self.values.get(register, (0, frozenset()))

    def but(self, **changes):
        return replace(self, **changes)

    def handing_on(self, registers, reads):
        """Makes the values of these registers also depend on these reads."""
        more = {r: (self.value(r)[0], self.value(r)[1] | reads) for r in registers}
        return self.but(values=self.values | more)


def may_go_elsewhere(node):
    """The ways to leave an `iff` other than to the operation after it."""
    found = set()
    for part in notation.parts_of(node):
        for inner in part:
            if isinstance(inner, notation.Jump):
                found.add(inner.kind)
            elif isinstance(inner, notation.Op):
                found |= {"stay"} if inner.until is not None else set()
            else:
                below = may_go_elsewhere(inner)
                if isinstance(inner, notation.Loop):
                    # `break` and `continue` refer to this loop. A `loop` might not end; a `for`
                    # does.
                    below -= {"break", "continue"}
                    found |= {"stay"} if inner.kind == "loop" else set()
                found |= below
    return found


class Runs:
    """All ways to execute a block whose reads return values from the location's domain.

    A write depends on the reads from which its value was computed, and on those that determine whether
    it is executed: by the condition of an enclosing `iff`, of an earlier one that may have jumped
    elsewhere, or of one that ended a loop. A body's results depend on the reads that determined how it
    was left. All of this is syntactic, independent of the values."""

    def __init__(self, number, domain):
        self.number, self.domain = number, domain

    def traces(self, body):
        for state, _ in self.body(body, State(), frozenset(), None):
            pairs = {(a, b) for b, all_ in enumerate(state.before) for a in all_}
            yield Trace(list(state.events), pairs, state.noted)

    # The functions below yield pairs of the state and how the node was left: None, or the
    # jump. `within`: the reads in enclosing conditions. `loop`: the innermost loop, with its
    # path of iterations.

    def body(self, nodes, state, within, loop):
        if not nodes:
            yield state, None
            return
        for after, jump in self.node(nodes[0], state, within, loop):
            if jump:
                yield after, jump
            else:
                yield from self.body(nodes[1:], after, within, loop)

    def node(self, node, state, within, loop):
        if isinstance(node, notation.Op):
            yield from ((s, None) for s in self.op(node, state, within, loop))
        elif isinstance(node, notation.Pass):
            # There is only one address space, and no earlier launch (13.4, sections 4, 5).
            after = {"->": state.last, "=>": state.all, ";": frozenset()}[node.join]
            yield state.but(last=after), None
        elif isinstance(node, notation.If):
            yield from self.branch(node, state, within, loop)
        elif isinstance(node, notation.Loop):
            path = loop[1] if loop else ()
            yield from self.iterate(node, 0, state, within, path, state.iteration, frozenset())
        elif node.kind == "return":
            yield state, "return"
        else:
            decided = within | state.iteration | state.always
            yield state.handing_on(notation.assigned_in(loop[0].body), decided), node.kind

    def branch(self, node, state, within, loop):
        value, reads = state.value(node.register)
        elsewhere = may_go_elsewhere(node)
        if elsewhere & {"return", "break", "stay"}:
            state = state.but(always=state.always | reads)
        if "continue" in elsewhere:
            state = state.but(iteration=state.iteration | reads)
        taken = node.then if value == node.value & MASK else node.otherwise
        registers = notation.assigned_in(node.then, node.otherwise)
        for after, jump in self.body(taken, state, within | reads, loop):
            if not jump:
                decided = within | reads | after.iteration | after.always
                after = after.handing_on(registers, decided)
            yield after, jump

    def iterate(self, node, number, state, within, path, outside, counter):
        """Executes a loop from an iteration on. `counter`: the reads on which a `loop`'s counter depends."""
        registers = notation.assigned_in(node.body)
        state = state.but(iteration=outside)
        if node.kind == "loop":
            state = state.but(always=state.always | counter)
        if number == node.count:
            if node.kind == "loop":
                state = state.handing_on(registers, within | state.iteration | state.always)
            yield state, None
            return
        for after, jump in self.body(node.body, state, within, (node, path + (number,))):
            decided = within | after.iteration | after.always
            if jump == "break":
                yield after.but(iteration=outside), None
            else:
                after = after.handing_on(registers, decided)
                yield from self.iterate(node, number + 1, after, within, path, outside,
                                        counter | decided)

    def op(self, op, state, within, loop):
        after = {"->": state.last, "=>": state.all, "&": state.input, ";": frozenset()}[op.join]
        state = state.but(input=after)
        slot = ".".join(map(str, (op.register, *(loop[1] if loop else ()))))
        yield from self.access(op, state, after, within, slot, False)

    def access(self, op, state, direct, within, slot, has_spun):
        n = len(state.before)
        ordered = frozenset(direct.union(*(state.before[d] for d in direct)))
        control = within | state.iteration | state.always
        factor, register, constant = op.value
        value, data = state.value(register)
        operand = (factor * value if register else 0) + constant

        def event(writes, value, depends=frozenset()):
            return Event(self.number, n, writes, op.location, value & MASK, op.ordering, op.scope,
                         depends=set(depends))

        def done(*events):
            return state.but(events=state.events + events, before=state.before + (ordered,),
                             last=frozenset({n}), all=state.all | {n})

        if op.kind == "W":
            yield done(event(True, operand, control | data))
            return
        if op.kind == "S":
            yield done(*(event(True, v, control) for v in range(constant)))
            return
        for old in sorted(self.domain[op.location]):
            read = event(False, old)
            made = [read]
            if op.kind == "add":
                made.append(event(True, old + operand, control | data | {read}))
            elif op.kind == "max":
                made.append(event(True, max(old, operand & MASK, key=signed),
                                  control | data | {read}))
            elif op.kind == "xchg":
                made.append(event(True, operand, control | data))
            elif op.kind == "cas" and old == op.expected & MASK:
                made.append(event(True, operand, control | data | {read}))
            if len(made) == 2:
                made[0].pair, made[1].pair = made[1], made[0]
            following = done(*made)
            if op.until is not None:
                following = following.but(always=state.always | {read})
                if old != op.until & MASK:
                    # A second unsuccessful iteration would change nothing.
                    if not has_spun:
                        yield from self.access(op, following, frozenset({n}), within, slot, True)
                    continue
            if op.register:
                following = following.but(
                    values=following.values | {op.register: (old, frozenset({read}))},
                    noted=following.noted | {slot: old})
            yield following


def signed(value):
    return value - 2 * (value & (MASK + 1) // 2)


def acyclic(pairs, nodes):
    pairs = set(pairs)
    remaining = set(nodes)
    while remaining:
        targets = {b for a, b in pairs if a in remaining and b in remaining}
        free = remaining - targets
        if not free:
            return False
        remaining -= free
    return True


def closure(pairs):
    reach = {}
    for a, b in pairs:
        reach.setdefault(a, set()).add(b)
    changed = True
    while changed:
        changed = False
        for a in reach:
            more = set().union(*(reach.get(b, set()) for b in reach[a])) - reach[a]
            if more:
                reach[a] |= more
                changed = True
    return {(a, b) for a in reach for b in reach[a]}


class Candidate:
    """The traces of all blocks; finds their executions."""

    def __init__(self, traces):
        self.events = [e for trace in traces for e in trace.events]
        self.reads = [e for e in self.events if not e.writes]
        self.writes = [e for e in self.events if e.writes]
        self.token = {(a, b) for trace in traces for a in trace.events for b in trace.events
                      if (a.op, b.op) in trace.tokens}
        self.locations = sorted({e.location for e in self.events})
        self.orders = {}
        self.strong = {(a, b) for a in self.events for b in self.events
                       if a is not b and a.location == b.location
                       and ((a, b) in self.token or (b, a) in self.token or self.scoped(a, b))}

    @staticmethod
    def scoped(a, b):
        def includes(x, y):
            return x.scope in ("device", "sys") or (x.scope == "blk" and x.block == y.block)
        return includes(a, b) and includes(b, a)

    def executions(self):
        """Yields (final memory, has a race) for each execution."""
        by_location = [self.choices_at(location) for location in self.locations]
        for chosen in product(*by_location):
            yield from self.with_sources({r: w for part in chosen for r, w in part.items()})

    def choices_at(self, location):
        """Sources for the reads of a location that the rules allow, considering tokens only."""
        reads = [r for r in self.reads if r.location == location]
        writes = [w for w in self.writes if w.location == location]
        self.orders[location] = [
            order for order in permutations(writes)
            if not any((order[j], order[i]) in self.token
                       for j in range(len(order)) for i in range(j))]
        sources = [[w for w in writes if w.value == r.value and w is not r.pair]
                   + [None] * (r.value == 0) for r in reads]
        assignments = (dict(zip(reads, chosen)) for chosen in product(*sources))
        return [a for a in assignments if self.coherent_finals(location, a, self.token)]

    def observed(self, read, source):
        """The writes that a read observes (definition 2)."""
        write = source[read]
        while write is not None and (write, read) in self.strong:
            yield write
            if write.pair is None:
                return
            read = write.pair
            write = source[read]

    def with_sources(self, source):
        rf = {(w, r) for r, w in source.items() if w is not None}
        thin = rf | {(r, w) for w in self.writes for r in w.depends}
        if not acyclic(thin, self.events):
            return
        synchronizes = {(w, r) for r in self.reads if r.ordering in ("acq", "a/r")
                        for w in self.observed(r, source)
                        if w.ordering in ("rel", "a/r") and self.scoped(w, r)}
        before = closure(self.token | synchronizes)
        if any(a is b for a, b in before):
            return
        race = any(a.location == b.location and (a.writes or b.writes) and a is not b
                   and a is not b.pair and (a, b) not in before and (b, a) not in before
                   and (a, b) not in self.strong for a in self.events for b in self.events)
        finals = []
        for location in self.locations:
            found = self.coherent_finals(location, source, before)
            if not found:
                return
            finals.append(found)
        for values in product(*finals):
            yield dict(zip(self.locations, values)), race

    def coherent_finals(self, location, source, before):
        """The final values of all coherence orders that the rules allow."""
        events = [e for e in self.events if e.location == location]
        writes = [e for e in events if e.writes]
        reads = [e for e in events if not e.writes]
        if any((r, source[r]) in before for r in reads):
            return set()                                                        # rule 5
        finals = set()
        for order in self.orders[location]:
            place = {w: i for i, w in enumerate(order)}
            older = {(a, b) for a in writes for b in writes if place[a] < place[b]}
            if any((b, a) in before for a, b in older):
                continue                                                        # rule 6
            rank = {r: -1 if source[r] is None else place[source[r]] for r in reads}
            from_read = {(r, w) for r in rank for w in writes if place[w] > rank[r]}
            if any((w, r) in before for r, w in from_read):
                continue                                                        # rule 5
            if any(rank[r] < place[w] < place[r.pair] and (w, r) in self.strong
                   for r in rank if r.pair for w in writes if w is not r.pair):
                continue                                                        # atomicity
            if any(place[r.pair] < rank[r] for r in rank if r.pair):
                continue                                       # it overwrites the write that it read
            rf = {(source[r], r) for r in rank if source[r] is not None}
            union = (before | rf | older | from_read) & self.strong
            if not acyclic(union, events):
                continue                                                        # rule 7
            finals.add(order[-1].value if order else 0)
        return finals


def outcomes(test):
    """The set of (location and register) -> value that the model allows; None if undefined. Registers
    that are not read have no entry."""
    domain = {location: {0} for location in test.locations}
    # A value passes through every write at most once; otherwise it would justify itself.
    for _ in range(1 + sum(prod(counts) for op, counts in test.ops if op.kind != "R")):
        traces = [list(Runs(i, domain).traces(body)) for i, body in enumerate(test.blocks)]
        before = sum(map(len, domain.values()))
        for event in (e for all_ in traces for t in all_ for e in t.events if e.writes):
            domain[event.location].add(event.value)
        if sum(map(len, domain.values())) == before:
            break

    # A value that is read must come from some write.
    found = set()

    def possible(chosen):
        written = {(e.location, e.value) for t in chosen for e in t.events if e.writes}
        return all(e.value == 0 or (e.location, e.value) in written
                   for t in chosen for e in t.events if not e.writes)

    for chosen in product(*traces):
        if not possible(chosen):
            continue
        for final, race in Candidate(chosen).executions():
            if race:
                return None
            outcome = {name: 0 for name in test.locations} | final
            for trace in chosen:
                outcome |= trace.registers
            found.add(frozenset(outcome.items()))
    return found
