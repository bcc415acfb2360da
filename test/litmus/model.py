# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which outcomes does the memory model allow? Brute force over its text (section 6): every
value that a read might return, every write that it might come from, every order of the
writes of a location; what breaks no rule is an execution. Written to be compared with the
reference machine, so it shares nothing with it: relations are sets of pairs, the read and
the write of an atomic are two events, and coherence is tried in all permutations.
"""

from dataclasses import dataclass, field
from itertools import permutations, product

MASK = 0xFFFFFFFF


@dataclass(eq=False)
class Event:
    block: int
    op: int                 # number of the executed operation in its block
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
    waits: bool = False     # would read the same again for ever


def traces_of(number, ops, domain):
    """All ways to execute a block whose reads return values of the location's domain."""
    results = []

    def go(index, events, before, values, numbers, spun):
        # before: operation number -> those that are token ordered before it.
        # values: register -> (value, reads it depends on). spun: idle turns of this spin.
        while index < len(ops) and any(values.get(r, (None,))[0] != v for r, v in ops[index].guards):
            index += 1
        if index == len(ops):
            pairs = {(a, b) for b, all_ in before.items() for a in all_}
            results.append(Trace(events, pairs, {r: v for r, (v, _) in values.items()}))
            return
        op = ops[index]
        n = len(before)
        direct = {numbers[id(other)] for other in op.after if id(other) in numbers}
        if spun:
            direct = {n - 1}
        after = dict(before)
        after[n] = direct | {a for d in direct for a in before[d]}
        control = {e for r, _ in op.guards for e in values[r][1]}
        control |= {e for other in ops[:index] if other.until is not None
                    and other.register in values for e in values[other.register][1]}
        factor, register, constant = op.value
        operand = (factor * values[register][0] if register else 0) + constant
        data = values[register][1] if register else set()

        def event(writes, value, depends=frozenset()):
            return Event(number, n, writes, op.location, value & MASK, op.ordering, op.scope,
                         depends=set(depends))

        next_numbers = {**numbers, id(op): n}
        if op.kind == "W":
            return go(index + 1, events + [event(True, operand, control | data)], after, values,
                      next_numbers, 0)
        if op.kind == "S":
            stores = [event(True, v, control) for v in range(constant)]
            return go(index + 1, events + stores, after, values, next_numbers, 0)
        for old in sorted(domain[op.location]):
            read = event(False, old)
            made = [read]
            if op.kind == "add":
                made.append(event(True, old + operand, control | data | {read}))
            elif op.kind == "xchg":
                made.append(event(True, operand, control | data))
            elif op.kind == "cas" and old == op.expected & MASK:
                made.append(event(True, operand, control | data | {read}))
            if len(made) == 2:
                made[0].pair, made[1].pair = made[1], made[0]
            if op.until is not None and old != op.until & MASK:
                # One turn in vain changes nothing that a second one would not.
                if not spun:
                    go(index, events + made, after, values, numbers, 1)
                continue
            new = {**values, op.register: (old, control | {read})} if op.register else values
            go(index + 1, events + made, after, new, next_numbers, 0)

    go(0, [], {}, {}, {}, 0)
    return results


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
    """Traces of all blocks; finds their executions."""

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
        """Yields (final memory, has a race) of each."""
        by_location = [self.choices_at(location) for location in self.locations]
        for chosen in product(*by_location):
            yield from self.with_sources({r: w for part in chosen for r, w in part.items()})

    def choices_at(self, location):
        """Sources for the reads of a location that the rules allow as far as tokens go."""
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
        """The last values of all coherence orders that the rules allow."""
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
                continue                                       # it writes over what it read
            rf = {(source[r], r) for r in rank if source[r] is not None}
            union = (before | rf | older | from_read) & self.strong
            if not acyclic(union, events):
                continue                                                        # rule 7
            finals.add(order[-1].value if order else 0)
        return finals


def outcomes(test):
    """The set of (location and register) -> value that the model allows; None if undefined.
    What was not read has no entry."""
    domain = {location: {0} for location in test.locations}
    # A value goes through every write once at most, or it would justify itself.
    for _ in range(1 + sum(op.kind != "R" for ops in test.blocks for op in ops)):
        traces = [traces_of(i, ops, domain) for i, ops in enumerate(test.blocks)]
        before = sum(map(len, domain.values()))
        for event in (e for all_ in traces for t in all_ for e in t.events if e.writes):
            domain[event.location].add(event.value)
        if sum(map(len, domain.values())) == before:
            break

    # A value that is read must be written by somebody.
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
