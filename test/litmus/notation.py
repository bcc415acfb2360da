# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The notation for litmus tests, as in the table of the memory model (section 13):

    W D 1 rlx -> W F 1 rel || f=R F acq -> iff f=1 { d=R D rlx }

`||` separates blocks. Operations, with their ordering (wk rlx acq rel a/r) and, after a
dot, their scope if it is not `device` (blk, sys):

    W X 1 wk        store; the value may be a number, a register, r+1 or 2r+1
    S X 4 rlx       one store of the elements 0, 1, 2, 3, all to X
    r=R X rlx       load
    r=U X +1 rlx    atomic add; `:=1` is an exchange, `cas(0,1)` a compare-and-swap,
                    `max(2)` a signed maximum
    spin r=R X acq 1   repeats a load or an atomic, each after the one before, until r=1

Operations that access nothing and return a token (13.4, sections 4 and 5):

    fence           memory_fence_alias_tko
    wait, launch    gdc_wait_tko, gdc_launch_dependents_tko; after `;` they have no token

A register holds 0 until it is read into. Control flow:

    iff r=1 {...} else {...}   the else is optional
    for 2 {...}                two iterations; `continue` starts the next one
    loop 2 {...}               the same as a loop that counts, which `break` can also end
    return, break, continue    at the end of a branch of an `iff`

The separator between two operations determines the token of the second: `->` the result of the previous
executed one, `&` the same input as the previous one in the text, `=>` all executed before; `;` none. In
front of `iff`, `for` and `loop` it applies to the first operation inside.

The value of a register at the end of iteration 1 of a loop is the result `r.1`.
"""

import re
from dataclasses import dataclass, field


@dataclass(eq=False)
class Op:
    kind: str                      # W, S, R, add, xchg, max, cas
    location: str
    ordering: str
    scope: str
    value: tuple = (0, None, 0)    # factor, register, constant
    expected: int = 0              # of cas
    register: str = None
    until: int = None              # of spin
    join: str = ";"


@dataclass(eq=False)
class Pass:
    kind: str                      # fence, wait, launch
    join: str


@dataclass(eq=False)
class If:
    register: str
    value: int
    then: list = field(default_factory=list)
    otherwise: list = field(default_factory=list)


@dataclass(eq=False)
class Loop:
    kind: str                      # for, loop
    count: int
    body: list = field(default_factory=list)


@dataclass(eq=False)
class Jump:
    kind: str                      # return, break, continue


def parts_of(node):
    """The bodies inside a node."""
    if isinstance(node, If):
        return [node.then, node.otherwise]
    return [node.body] if isinstance(node, Loop) else []


def ops_in(body, counts=()):
    """Each operation below, and the iteration counts of the enclosing loops."""
    for node in body:
        if isinstance(node, Op):
            yield node, counts
        inside = counts + (node.count,) if isinstance(node, Loop) else counts
        for part in parts_of(node):
            yield from ops_in(part, inside)


def assigned_in(*bodies):
    """The registers that are read into."""
    return sorted({op.register for body in bodies for op, _ in ops_in(body) if op.register})


def slots_of(register, counts):
    """`r` outside loops, else one name per iteration."""
    names = [register]
    for count in counts:
        names = [f"{name}.{i}" for name in names for i in range(count)]
    return names


class Test:
    """Blocks of operations in program order."""

    def __init__(self, text):
        self.text = text
        self.blocks = [Parser(part.strip()).body() for part in text.split("||")]
        self.ops = [found for block in self.blocks for found in ops_in(block)]
        self.locations = sorted({op.location for op, _ in self.ops})
        self.first_slots, self.registers = {}, []
        for op, counts in self.ops:
            if op.register:
                assert op.register not in self.first_slots, "registers have one name each"
                self.first_slots[op.register] = len(self.registers)
                self.registers += slots_of(op.register, counts)


PASSES = ("fence", "wait", "launch")
TOKEN = re.compile(r"\s*(->|=>|[;&{}]|[^\s;&{}]+)")


class Parser:
    def __init__(self, text):
        self.words = TOKEN.findall(text)
        self.join = ";"

    def body(self):
        """Parses up to the closing brace, which is consumed, or the end."""
        nodes = []
        while self.words:
            word = self.words.pop(0)
            if word == "}":
                break
            if word in ("->", "=>", ";", "&"):
                assert word != "&" or isinstance(nodes[-1], Op), "& is between two operations"
                self.join = word
            elif word == "iff":
                nodes.append(self.branch())
            elif word in ("for", "loop"):
                nodes.append(Loop(word, int(self.words.pop(0)), self.inside()))
            elif word in PASSES:
                nodes.append(Pass(word, self.join))
                self.join = ";"
            elif word in ("return", "break", "continue"):
                nodes.append(Jump(word))
            else:
                nodes.append(self.operation(word))
        return nodes

    def inside(self):
        assert self.words.pop(0) == "{"
        body = self.body()
        self.join = ";"
        return body

    def branch(self):
        register, value = self.words.pop(0).split("=")
        node, join = If(register, int(value)), self.join
        node.then = self.inside()
        if self.words[:1] == ["else"]:
            self.words.pop(0)
            self.join = join
            node.otherwise = self.inside()
        return node

    def operation(self, word):
        spins = word == "spin"
        if spins:
            word = self.words.pop(0)
        register, _, kind = word.rpartition("=")
        op = Op(kind, self.words.pop(0), None, None, register=register or None)
        if kind in ("W", "S"):
            op.value = value_of(self.words.pop(0))
        elif kind == "U":
            self.atomic(op, self.words.pop(0))
        else:
            assert kind == "R", f"no such operation: {kind}"
        op.ordering, _, scope = self.words.pop(0).partition(".")
        op.scope = None if op.ordering == "wk" else scope or "device"
        if spins:
            op.until = int(self.words.pop(0))
        op.join, self.join = self.join, ";"
        return op

    @staticmethod
    def atomic(op, text):
        if text.startswith("+"):
            op.kind, op.value = "add", value_of(text[1:])
        elif text.startswith(":="):
            op.kind, op.value = "xchg", value_of(text[2:])
        elif text.startswith("max"):
            op.kind, op.value = "max", value_of(text[4:-1])
        else:
            expected, value = re.fullmatch(r"cas\((-?\d+),(-?\d+)\)", text).groups()
            op.kind, op.expected, op.value = "cas", int(expected), value_of(value)


def value_of(text):
    factor, register, constant = re.fullmatch(
        r"(\d+(?=[a-z]))?([a-z]\w*)?\+?(-?\d+)?", text).groups()
    return int(factor or 1), register, int(constant or 0)
