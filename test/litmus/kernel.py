# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Translates a litmus test (notation.py) to a kernel. The memory is one array, and the register
values after each read are stored to another one, each at its own index.

Bodies return the values that they change: the token of the last executed operation, that of all
executed operations, and the registers that are read into.
"""

import notation

ORDERINGS = {"wk": "weak", "rlx": "relaxed", "acq": "acquire", "rel": "release", "a/r": "acq_rel"}
SCOPES = {None: "", "device": " device", "blk": " tl_blk", "sys": " sys"}
PASSES = {"fence": "memory_fence_alias_tko", "wait": "gdc_wait_tko",
          "launch": "gdc_launch_dependents_tko"}
I32, PTR = "tile<i32>", "tile<ptr<i32>>"
LAST, ALL = "the last", "all"


class Kernel:
    """The text of a kernel `@k(memory, registers)`."""

    def __init__(self, test):
        self.test, self.lines, self.count = test, [], 0
        # The enclosing loops, innermost last: (node, index, carried values).
        self.loops = []
        self.emit("%bx, %by, %bz = get_tile_block_id : tile<i32>")
        self.places = {name: self.place("%memory", self.constant(i))
                       for i, name in enumerate(test.locations)}
        for number, body in enumerate(test.blocks):
            # The registers and the two tokens, with their names in the kernel.
            self.values = {name: self.constant(0) for name in notation.assigned_in(body)}
            self.values[LAST] = self.values[ALL] = self.let("make_token : token")
            is_mine = self.let(f"cmpi equal %bx, {self.constant(number)}, signed : {I32} -> tile<i1>")
            self.emit(f"if {is_mine} {{")
            self.body(body)
            self.emit("}")

    def __str__(self):
        body = "\n".join("    " + line for line in self.lines)
        return (f"cuda_tile.module @litmus {{\n  entry @k(%memory: {PTR}, %registers: {PTR}) {{\n"
                f"{body}\n  }}\n}}\n")

    def emit(self, line):
        self.lines.append(line)

    def name(self):
        self.count += 1
        return f"%v{self.count}"

    def let(self, text):
        name = self.name()
        self.emit(f"{name} = {text}")
        return name

    def constant(self, value):
        return self.let(f"constant <i32: {value}> : {I32}")

    def place(self, base, index):
        return self.let(f"offset {base}, {index} : {PTR}, {I32} -> {PTR}")

    def equal(self, value, constant):
        return self.let(f"cmpi equal {value}, {self.constant(constant)}, signed : {I32} -> tile<i1>")

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

    # -- Control flow

    def body(self, nodes):
        """Returns whether the end is reachable."""
        for node in nodes:
            if isinstance(node, notation.Jump):
                self.jump(node.kind)
                return False
            if isinstance(node, notation.Op):
                self.operation(node)
            elif isinstance(node, notation.Pass):
                self.hand_on(node)
            elif isinstance(node, notation.If):
                self.branch(node)
            else:
                self.loop(node)
        return True

    @staticmethod
    def types(names):
        return ", ".join("token" if name in (LAST, ALL) else I32 for name in names)

    def current(self, names):
        return ", ".join(self.values[name] for name in names)

    def results(self, names):
        """A name for the results of an operation."""
        base = self.name()
        return f"{base}:{len(names)}", {name: f"{base}#{i}" for i, name in enumerate(names)}

    def branch(self, node):
        names = [LAST, ALL, *notation.assigned_in(node.then, node.otherwise)]
        text, results = self.results(names)
        holds = self.equal(self.values[node.register], node.value)
        self.emit(f"{text} = if {holds} -> ({self.types(names)}) {{")
        for part, end in ((node.then, "} else {"), (node.otherwise, "}")):
            before = dict(self.values)
            if self.body(part):
                self.emit(f"yield {self.current(names)} : {self.types(names)}")
            self.emit(end)
            self.values = before
        self.values |= results

    def loop(self, node):
        names = [LAST, ALL, *notation.assigned_in(node.body)]
        text, results = self.results(names)
        zero, one, end = (self.constant(i) for i in (0, 1, node.count))
        index, inside = self.name(), {name: self.name() for name in names}
        carried = ", ".join(f"{inside[name]} = {self.values[name]}" for name in names)
        types = self.types(names)
        if node.kind == "for":
            self.emit(f"{text} = for {index} in ({zero} to {end}, step {one}) : {I32} "
                      f"iter_values({carried}) -> ({types}) {{")
        else:
            self.emit(f"{text} = loop iter_values({index} = {zero}, {carried}) : "
                      f"{I32}, {types} -> {types} {{")
        before = dict(self.values)
        self.values |= inside
        self.loops.append((node, index, names))
        if node.kind == "loop":
            self.emit(f"if {self.equal(index, node.count)} {{")
            self.jump("break")
            self.emit("}")
        if self.body(node.body):
            self.jump("continue")
        self.emit("}")
        self.loops.pop()
        self.values = before | results

    def jump(self, kind):
        if kind == "return":
            return self.emit("return")
        node, index, names = self.loops[-1]
        values, types = self.current(names), self.types(names)
        if kind == "continue" and node.kind == "loop":
            following = self.let(f"addi {index}, {self.constant(1)} : {I32}")
            values, types = f"{following}, {values}", f"{I32}, {types}"
        self.emit(f"{kind} {values} : {types}")

    # -- Operations

    def hand_on(self, node):
        token = {"->": self.values[LAST], "=>": self.values[ALL], ";": None}[node.join]
        if node.kind == "fence":
            token = token or self.let("make_token : token")
        after = f" token = {token}" if token else ""
        text = f"{PASSES['fence']} {token}" if node.kind == "fence" else \
            f"{PASSES[node.kind]}{after} -> token"
        self.values[LAST] = self.let(text)
        self.values[ALL] = self.let(f"join_tokens {self.values[ALL]}, {self.values[LAST]} : token")

    def operation(self, op):
        token = {"->": self.values[LAST], "=>": self.values[ALL], ";": None,
                 "&": getattr(self, "input", None)}[op.join]
        self.input = token
        if op.until is None:
            value, after = self.access(op, token)
        else:
            value, after = self.spin(op, token)
        self.values[ALL] = self.let(f"join_tokens {self.values[ALL]}, {after} : token")
        self.values[LAST] = after
        if op.register:
            self.values[op.register] = value
            slot = self.constant(self.test.first_slots[op.register])
            stride = 1
            for node, index, _ in reversed(self.loops):
                step = self.let(f"muli {index}, {self.constant(stride)} : {I32}")
                slot = self.let(f"addi {slot}, {step} : {I32}")
                stride *= node.count
            place = self.place("%registers", slot)
            self.let(f"store_ptr_tko weak {place}, {value} : {PTR}, {I32} -> token")

    def spin(self, op, token):
        start = token or self.let("make_token : token")
        carried, result = self.name(), self.name()
        self.emit(f"{result}:2 = loop iter_values({carried} = {start}) : token -> {I32}, token {{")
        value, after = self.access(op, carried)
        self.emit(f"if {self.equal(value, op.until)} {{ break {value}, {after} : {I32}, token }}")
        self.emit(f"continue {after} : token")
        self.emit("}")
        return f"{result}#0", f"{result}#1"

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
        value, token = self.name(), self.name()
        self.emit(f"{value}, {token} = {text}{after} : {types} -> {I32}, token")
        return value, token
