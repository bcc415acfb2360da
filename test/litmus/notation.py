# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How is a litmus test written down? As in the table of the memory model (section 13):

    W D 1 rlx -> W F 1 rel || f=R F acq -> iff f=1 { d=R D rlx }

`||` separates blocks. Operations, with their ordering (wk rlx acq rel a/r) and, after a
dot, their scope if it is not `device` (blk, sys):

    W X 1 wk        store; the value may be a number, a register, r+1 or 2r+1
    S X 4 rlx       one store of the elements 0, 1, 2, 3, all to X
    r=R X rlx       load
    r=U X +1 rlx    atomic add; `:=1` is an exchange, `cas(0,1)` a compare-and-swap
    spin r=R X acq 1   repeats a load or an atomic, each after the one before, until r=1

What is between two operations says where the token of the second comes from: `->` the one
before, `&` the same as the one before has, `=>` all before; `;` nowhere. In front of
`iff r=1 {...}` it is meant for the first operation inside.
"""

import re
from dataclasses import dataclass, field


@dataclass
class Op:
    kind: str                      # W, S, R, add, xchg, cas
    location: str
    ordering: str
    scope: str
    value: tuple = (0, None, 0)    # factor, register, constant
    expected: int = 0              # of cas
    register: str = None
    until: int = None              # of spin
    after: list = field(default_factory=list)   # operations that the token comes from
    guards: list = field(default_factory=list)  # (register, value) of each `iff` around it


class Test:
    """Blocks of operations in program order."""

    def __init__(self, text):
        self.text = text
        self.blocks = [Block(part.strip()).ops for part in text.split("||")]
        ops = [op for block in self.blocks for op in block]
        self.locations = sorted({op.location for op in ops})
        self.registers = [op.register for op in ops if op.register]
        assert len(set(self.registers)) == len(self.registers), "registers have one name each"


TOKEN = re.compile(r"\s*(->|=>|[;&{}]|[^\s;&{}]+)")


class Block:
    def __init__(self, text):
        self.words = TOKEN.findall(text)
        self.ops, self.guards = [], []
        self.join = ";"
        while self.words:
            word = self.words.pop(0)
            if word in ("->", "=>", ";", "&"):
                self.join = word
            elif word == "iff":
                register, value = self.words.pop(0).split("=")
                assert self.words.pop(0) == "{"
                self.guards = self.guards + [(register, int(value))]
            elif word == "}":
                self.guards = self.guards[:-1]
            else:
                self.operation(word)

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
        op.guards = list(self.guards)
        if self.join == "->":
            op.after = [self.ops[-1]]
        elif self.join == "&":
            op.after = list(self.ops[-1].after)
        elif self.join == "=>":
            op.after = list(self.ops)
        self.join = ";"
        self.ops.append(op)

    @staticmethod
    def atomic(op, text):
        if text.startswith("+"):
            op.kind, op.value = "add", value_of(text[1:])
        elif text.startswith(":="):
            op.kind, op.value = "xchg", value_of(text[2:])
        else:
            expected, value = re.fullmatch(r"cas\((-?\d+),(-?\d+)\)", text).groups()
            op.kind, op.expected, op.value = "cas", int(expected), value_of(value)


def value_of(text):
    factor, register, constant = re.fullmatch(
        r"(\d+(?=[a-z]))?([a-z]\w*)?\+?(-?\d+)?", text).groups()
    return int(factor or 1), register, int(constant or 0)


# The same as a kernel. Memory lies in one array, and what registers hold in the end goes to
# another one, each to a place of its own.

ORDERINGS = {"wk": "weak", "rlx": "relaxed", "acq": "acquire", "rel": "release", "a/r": "acq_rel"}
SCOPES = {None: "", "device": " device", "blk": " tl_blk", "sys": " sys"}
I32, PTR = "tile<i32>", "tile<ptr<i32>>"


class Kernel:
    """The text of a kernel `@k(memory, registers)`."""

    def __init__(self, test):
        self.test, self.lines, self.count, self.depth = test, [], 0, 0
        self.emit("%bx, %by, %bz = get_tile_block_id : tile<i32>")
        self.places = {name: self.place("%memory", i) for i, name in enumerate(test.locations)}
        self.slots = {name: self.place("%registers", i) for i, name in enumerate(test.registers)}
        for number, ops in enumerate(test.blocks):
            self.values, self.tokens = {}, {}
            is_mine = self.let(f"cmpi equal %bx, {self.constant(number)}, signed : {I32} -> tile<i1>")
            self.emit(f"if {is_mine} {{")
            self.guards = []
            for op in ops:
                self.enter(op.guards)
                self.operation(op)
            self.enter([])
            self.emit("}")

    def __str__(self):
        body = "\n".join("    " + line for line in self.lines)
        return (f"cuda_tile.module @litmus {{\n  entry @k(%memory: {PTR}, %registers: {PTR}) {{\n"
                f"{body}\n  }}\n}}\n")

    def emit(self, line):
        self.lines.append(line)

    def let(self, text):
        self.count += 1
        self.emit(f"%v{self.count} = {text}")
        return f"%v{self.count}"

    def constant(self, value):
        return self.let(f"constant <i32: {value}> : {I32}")

    def place(self, base, index):
        return self.let(f"offset {base}, {self.constant(index)} : {PTR}, {I32} -> {PTR}")

    def enter(self, guards):
        while self.guards != guards[:len(self.guards)]:
            self.guards.pop()
            self.emit("}")
        for register, value in guards[len(self.guards):]:
            holds = self.let(f"cmpi equal {self.values[register]}, {self.constant(value)}, signed "
                             f": {I32} -> tile<i1>")
            self.emit(f"if {holds} {{")
            self.guards.append((register, value))

    def value(self, value):
        factor, register, constant = value
        if register is None:
            return self.constant(constant)
        text = self.values[register]
        if factor != 1:
            text = self.let(f"muli {text}, {self.constant(factor)} : {I32}")
        if constant:
            text = self.let(f"addi {text}, {self.constant(constant)} : {I32}")
        return text

    def token(self, op):
        tokens = [self.tokens[id(other)] for other in op.after]
        if len(tokens) > 1:
            return self.let(f"join_tokens {', '.join(tokens)} : token")
        return tokens[0] if tokens else None

    def operation(self, op):
        token = self.token(op)
        if op.until is None:
            value, self.tokens[id(op)] = self.access(op, token)
        else:
            start = token or self.let("make_token : token")
            self.count += 1
            carried, name = f"%t{self.count}", f"%l{self.count}"
            self.emit(f"{name}:2 = loop iter_values({carried} = {start}) : token -> {I32}, token {{")
            value, after = self.access(op, carried)
            done = self.let(f"cmpi equal {value}, {self.constant(op.until)}, signed "
                            f": {I32} -> tile<i1>")
            self.emit(f"if {done} {{ break {value}, {after} : {I32}, token }}")
            self.emit(f"continue {after} : token")
            self.emit("}")
            value, self.tokens[id(op)] = f"{name}#0", f"{name}#1"
        if op.register:
            self.values[op.register] = value
            self.let(f"store_ptr_tko weak {self.slots[op.register]}, {value} : {PTR}, {I32} -> token")

    def access(self, op, token):
        """The value read, if any, and the token."""
        how = ORDERINGS[op.ordering] + SCOPES[op.scope]
        place, after = self.places[op.location], f" token={token}" if token else ""
        if op.kind == "W":
            return None, self.let(f"store_ptr_tko {how} {place}, {self.value(op.value)}{after} "
                                  f": {PTR}, {I32} -> token")
        if op.kind == "S":
            n = op.value[2]
            ids = self.let(f"iota : tile<{n}xi32>")
            one = self.let(f"reshape {place} : {PTR} -> tile<1xptr<i32>>")
            all_ = self.let(f"broadcast {one} : tile<1xptr<i32>> -> tile<{n}xptr<i32>>")
            return None, self.let(f"store_ptr_tko {how} {all_}, {ids}{after} "
                                  f": tile<{n}xptr<i32>>, tile<{n}xi32> -> token")
        if op.kind == "R":
            text, types = f"load_ptr_tko {how} {place}", PTR
        elif op.kind == "cas":
            text = (f"atomic_cas_tko {how} {place}, {self.constant(op.expected)}, "
                    f"{self.value(op.value)}")
            types = f"{PTR}, {I32}"
        else:
            text = f"atomic_rmw_tko {how} {place}, {op.kind}, {self.value(op.value)}"
            types = f"{PTR}, {I32}"
        self.count += 1
        self.emit(f"%v{self.count}, %t{self.count} = {text}{after} : {types} -> {I32}, token")
        return f"%v{self.count}", f"%t{self.count}"
