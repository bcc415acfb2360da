# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates random vector functions, with layouts for some of the values.

A function is built one operation at a time from existing values. Values are small integers, clamped
after operations that could make them large, so sums of floats are exact in any order. A value is
*anchored* if layout propagation reaches it without a to_layout; only such values are used
finally, and a to_layout anchors others.
"""

import random
from dataclasses import dataclass, field
from math import prod

from layouts import Dim, Layout, Workgroup, other_registers, random_layout, text

LIMIT = 8
MOST_ELEMENTS = 1024


@dataclass(frozen=True)
class Value:
    name: str
    shape: tuple[int, ...]
    element: str
    layout: Layout | None = None  # set by a to_layout

    @property
    def type(self) -> str:
        return f"vector<{''.join(f'{extent}x' for extent in self.shape)}{self.element}>"


@dataclass
class Function:
    rng: random.Random
    workgroup: Workgroup
    name: str
    lines: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)
    values: list[Value] = field(default_factory=list)
    counter: int = 0
    depth: int = 0

    # --- Text ---------------------------------------------------------------------------

    def fresh(self) -> str:
        self.counter += 1
        return f"%{self.counter}"

    def line(self, line: str) -> None:
        self.lines.append("  " * (self.depth + 1) + line)

    def emit(self, operation: str) -> str:
        name = self.fresh()
        self.line(f"{name} = {operation}")
        return name

    def argument(self, type_: str) -> str:
        name = f"%arg{len(self.arguments)}"
        self.arguments.append(f"{name}: {type_}")
        return name

    def finish(self) -> str:
        constants = [f"  %c{i} = arith.constant {i} : index" for i in range(4)]
        constants += ["  %f = arith.constant 3.0 : f32", "  %i = arith.constant 3 : i32",
                      "  %no = arith.constant false"]
        return "\n".join([f"func.func @{self.name}({', '.join(self.arguments)}) {{", *constants,
                          *self.lines, "  return", "}"])

    # --- Values -------------------------------------------------------------------------

    def constant(self, shape: tuple[int, ...], element: str, value: int) -> Value:
        type_ = Value("", shape, element).type
        number = f"{value}.0" if element == "f32" else str(value)
        return Value(self.emit(f"arith.constant dense<{number}> : {type_}"), shape, element)

    def binary(self, operation: str, a: Value, b: Value) -> Value:
        return Value(self.emit(f"{operation} {a.name}, {b.name} : {a.type}"), a.shape, a.element)

    def clamp(self, value: Value) -> Value:
        kind = ("imumf" if value.element == "f32" else "si")
        for operation, bound in (("min", LIMIT), ("max", -LIMIT)):
            value = self.binary(f"arith.{operation}{kind}", value,
                                self.constant(value.shape, value.element, bound))
        return value

    def anchor(self, value: Value, layout: Layout | None = None, attributes: str = "") -> Value:
        layout = layout or random_layout(self.rng, value.shape, self.workgroup)
        name = self.emit(f"iree_vector_ext.to_layout {value.name} to layout({text(layout)})"
                         f"{attributes} : {value.type}")
        return Value(name, value.shape, value.element, layout)

    def keep(self, value: Value) -> Value:
        self.values.append(value)
        return value

    def pick(self, shape: tuple[int, ...] | None = None, element: str | None = None) -> Value | None:
        fitting = [v for v in self.values if (shape is None or v.shape == shape)
                   and (element is None or v.element == element)]
        return self.rng.choice(fitting) if fitting else None

    def pick_or_load(self, shape: tuple[int, ...], element: str) -> Value:
        return self.pick(shape, element) or self.load(shape, element)

    def random_shape(self) -> tuple[int, ...]:
        while True:
            shape = tuple(self.rng.choice([1, 2, 3, 4, 6, 8, 16, 32])
                          for _ in range(self.rng.choice([1, 2, 2, 2, 3])))
            if 1 < prod(shape) <= MOST_ELEMENTS:
                return shape

    # --- Memory -------------------------------------------------------------------------

    def memory(self, shape: tuple[int, ...], element: str) -> tuple[str, str]:
        type_ = f"memref<{''.join(f'{extent}x' for extent in shape)}{element}>"
        return self.argument(type_), type_

    def padding(self, element: str) -> str:
        return {"f32": "%f", "i32": "%i", "i1": "%no", "index": "%c0"}[element]

    def transfer(self, shape: tuple[int, ...], element: str) -> tuple[str, str, str, str]:
        """The memory, type, indices and attributes of a transfer of such a vector, which may permute
        dimensions and extend beyond the memory."""
        rng = self.rng
        order = rng.sample(range(len(shape)), len(shape))
        extents, in_bounds = [0] * len(shape), [True] * len(shape)
        for place, dim in enumerate(order):  # dimension `place` of memory is `dim` of the vector
            less = rng.randrange(shape[dim]) if rng.random() < 0.2 else 0
            extents[place] = shape[dim] - less
            in_bounds[dim] = less == 0
        dims = ", ".join(f"d{i}" for i in range(len(shape)))
        results = ", ".join(f"d{order.index(i)}" for i in range(len(shape)))
        memory, type_ = self.memory(tuple(extents), element)
        attributes = (f"{{in_bounds = [{', '.join(str(b).lower() for b in in_bounds)}], "
                      f"permutation_map = affine_map<({dims}) -> ({results})>}}")
        self.order = order
        return memory, type_, ", ".join(["%c0"] * len(shape)), attributes

    def mask_in_order(self, shape: tuple[int, ...]) -> str:
        """A mask for the last transfer, with the dimensions in memory order."""
        return ", " + self.create_mask(tuple(shape[dim] for dim in self.order)).name

    def create_mask(self, shape: tuple[int, ...]) -> Value:
        bounds = []
        for extent in shape:
            bound = self.argument("index")  # from 0 to 3
            if self.rng.random() < 0.7:
                scale = self.emit(f"arith.constant {self.rng.randrange(-2, extent + 3)} : index")
                bound = self.emit(f"arith.muli {bound}, {scale} : index")
            bounds.append(bound)
        type_ = Value("", shape, "i1").type
        return Value(self.emit(f"vector.create_mask {', '.join(bounds)} : {type_}"), shape, "i1")

    def load(self, shape: tuple[int, ...], element: str) -> Value:
        memory, type_, indices, attributes = self.transfer(shape, element)
        mask = self.mask_in_order(shape) if self.rng.random() < 0.3 else ""
        vector = Value("", shape, element).type
        name = self.emit(f"vector.transfer_read {memory}[{indices}], {self.padding(element)}{mask} "
                         f"{attributes} : {type_}, {vector}")
        return self.keep(self.anchor(Value(name, shape, element)))

    def store(self, value: Value) -> None:
        memory, type_, indices, attributes = self.transfer(value.shape, value.element)
        mask = self.mask_in_order(value.shape) if self.rng.random() < 0.3 else ""
        self.line(f"vector.transfer_write {value.name}, {memory}[{indices}]{mask} {attributes} : "
                  f"{value.type}, {type_}")

    def through_memory(self) -> None:
        """Stored in the current layout, loaded in another one."""
        value = self.pick()
        memory, type_ = self.memory(value.shape, value.element)
        indices = ", ".join(["%c0"] * len(value.shape))
        bounds = f"{{in_bounds = [{', '.join(['true'] * len(value.shape))}]}}"
        self.line(f"vector.transfer_write {value.name}, {memory}[{indices}] {bounds} : "
                  f"{value.type}, {type_}")
        name = self.emit(f"vector.transfer_read {memory}[{indices}], {self.padding(value.element)} "
                         f"{bounds} : {type_}, {value.type}")
        self.keep(self.anchor(Value(name, value.shape, value.element)))

    # --- Operations ---------------------------------------------------------------------

    def elementwise(self) -> None:
        a = self.pick()
        b = self.pick(a.shape, a.element) or a
        suffix = "f" if a.element == "f32" else "i"
        kind = self.rng.choice(["add", "sub", "mul", "select", "convert"])
        if kind == "select":
            predicate = "olt" if suffix == "f" else "slt"
            condition = self.emit(f"arith.cmp{suffix} {predicate}, {a.name}, {b.name} : {a.type}")
            mask = Value("", a.shape, "i1").type
            result = self.emit(f"arith.select {condition}, {b.name}, {a.name} : {mask}, {a.type}")
            self.keep(Value(result, a.shape, a.element))
        elif kind == "convert":
            to = "i32" if a.element == "f32" else "f32"
            operation = "fptosi" if to == "i32" else "sitofp"
            name = self.emit(f"arith.{operation} {a.name} : {a.type} to "
                             f"{Value('', a.shape, to).type}")
            self.keep(Value(name, a.shape, to))
        else:
            self.keep(self.clamp(self.binary(f"arith.{kind}{suffix}", a, b)))

    def with_constant(self) -> None:
        a = self.pick()
        if self.rng.random() < 0.5 and prod(a.shape) <= 64:
            numbers = [self.rng.randrange(-4, 5) for _ in range(prod(a.shape))]
            listing = self.nested(numbers, a.shape, a.element)
            b = Value(self.emit(f"arith.constant dense<{listing}> : {a.type}"), a.shape, a.element)
        else:
            b = self.constant(a.shape, a.element, self.rng.randrange(-4, 5))
        self.keep(self.clamp(self.binary("arith.addf" if a.element == "f32" else "arith.addi", a, b)))

    def nested(self, numbers: list[int], shape: tuple[int, ...], element: str) -> str:
        if not shape:
            return f"{numbers[0]}.0" if element == "f32" else str(numbers[0])
        step = len(numbers) // shape[0]
        return "[" + ", ".join(self.nested(numbers[i * step:(i + 1) * step], shape[1:], element)
                               for i in range(shape[0])) + "]"

    def with_step(self) -> None:
        a = self.pick(element="i32") or self.load(self.random_shape(), "i32")
        extent = a.shape[-1]
        step = self.emit(f"vector.step : vector<{extent}xindex>")
        integers = self.emit(f"arith.index_cast {step} : vector<{extent}xindex> to "
                             f"vector<{extent}xi32>")
        wide = self.emit(f"vector.broadcast {integers} : vector<{extent}xi32> to {a.type}")
        self.keep(self.clamp(self.binary("arith.subi", a, Value(wide, a.shape, "i32"))))

    def masked(self) -> None:
        a = self.pick()
        b = self.pick(a.shape, a.element) or a
        mask = self.create_mask(a.shape)
        name = self.emit(f"arith.select {mask.name}, {a.name}, {b.name} : {mask.type}, {a.type}")
        self.keep(Value(name, a.shape, a.element))

    def transpose(self) -> None:
        a = self.pick()
        order = self.rng.sample(range(len(a.shape)), len(a.shape))
        result = Value("", tuple(a.shape[i] for i in order), a.element)
        name = self.emit(f"vector.transpose {a.name}, [{', '.join(map(str, order))}] : "
                         f"{a.type} to {result.type}")
        self.keep(Value(name, result.shape, a.element))

    def shape_cast(self) -> None:
        a = self.pick()
        count, shape = prod(a.shape), []
        while count > 1 and len(shape) < 2:
            shape.append(self.rng.choice([d for d in range(1, count + 1) if count % d == 0]))
            count //= shape[-1]
        result = Value("", (*shape, count), a.element)
        name = self.emit(f"vector.shape_cast {a.name} : {a.type} to {result.type}")
        self.keep(self.anchor(Value(name, result.shape, a.element)))

    def broadcast(self) -> None:
        a = self.pick()
        room = MOST_ELEMENTS // prod(a.shape)
        if room < 2 or len(a.shape) > 2:
            return
        shape = [extent if extent > 1 or self.rng.random() < 0.5 else min(room, 4)
                 for extent in a.shape]
        room = MOST_ELEMENTS // prod(shape)
        if room > 1:
            shape.insert(0, self.rng.choice([e for e in (2, 3, 4, 8) if e <= room] or [1]))
        result = Value("", tuple(shape), a.element)
        name = self.emit(f"vector.broadcast {a.name} : {a.type} to {result.type}")
        self.keep(self.anchor(Value(name, result.shape, a.element)))

    def reduce(self) -> None:
        a = self.pick()
        dims = sorted(self.rng.sample(range(len(a.shape)), self.rng.randint(1, len(a.shape))))
        rest = tuple(e for i, e in enumerate(a.shape) if i not in dims)
        kinds = ["add", "maximumf", "minnumf"] if a.element == "f32" else ["add", "minsi", "maxui", "xor"]
        kind = self.rng.choice(kinds)
        result = Value("", rest, a.element)
        if rest:
            acc = self.constant(rest, a.element, self.rng.randrange(-3, 4)).name
        else:
            acc, result = self.padding(a.element), None
        to = result.type if result else a.element
        operation = (f"vector.multi_reduction <{kind}>, {a.name}, {acc} "
                     f"[{', '.join(map(str, dims))}] : {a.type} to {to}")
        if self.rng.random() < 0.3:
            mask = self.create_mask(a.shape)
            operation = f"vector.mask {mask.name} {{ {operation} }} : {mask.type} -> {to}"
        name = self.emit(operation)
        if result:
            value = Value(name, rest, a.element)
            # With reversed clamp bounds, any unsigned maximum may occur.
            self.keep(self.clamp(value))
        else:
            memory, type_ = self.memory((), a.element)
            self.line(f"memref.store {name}, {memory}[] : {type_}")

    def scan(self) -> None:
        a = self.pick()
        if len(a.shape) < 2:
            return
        dim = self.rng.randrange(len(a.shape))
        rest = tuple(extent for i, extent in enumerate(a.shape) if i != dim)
        init = self.constant(rest, a.element, self.rng.randrange(-3, 4))
        kind = self.rng.choice(["add", "maxnumf"] if a.element == "f32" else ["add", "minsi"])
        name = self.fresh()
        inclusive = self.rng.choice(["true", "false"])
        self.line(f"{name}:2 = vector.scan <{kind}>, {a.name}, {init.name} {{inclusive = {inclusive}, "
                  f"reduction_dim = {dim} : i64}} : {a.type}, {init.type}")
        self.keep(self.clamp(Value(f"{name}#0", a.shape, a.element)))
        self.keep(self.clamp(Value(f"{name}#1", rest, a.element)))

    def convert(self) -> None:
        a = self.pick()
        if a.layout and self.rng.random() < 0.3:
            self.keep(self.anchor(a, other_registers(self.rng, a.layout)))
        else:
            asked = " {shared_memory_conversion}" if self.rng.random() < 0.3 else ""
            self.keep(self.anchor(a, attributes=asked))

    def gather(self) -> None:
        """Gathers from a matrix: along either dimension or both, with indices that depend on either or
        both, in any order of dimensions, partly out of bounds."""
        rng = self.rng
        slice_ = tuple(rng.choice([2, 4, 6, 8, 16]) for _ in range(2))
        order = rng.choice([(0, 1), (1, 0)])  # the slice dimension for each dimension of the vector
        shape = tuple(slice_[dim] for dim in order)
        gathered = rng.choice([[0], [1], [0, 1]])
        entries, maps = ["None", "None"], []
        for dim in gathered:
            along = rng.choice([(0,), (1,), (0, 1), (1, 0)])
            indices = self.pick_or_load(tuple(slice_[d] for d in along), "i32")
            type_ = Value("", indices.shape, "index").type
            wide = self.emit(f"arith.index_cast {indices.name} : {indices.type} to {type_}")
            entries[dim] = f"{wide} : {type_}"
            maps.append(f"affine_map<(i, j) -> ({', '.join('ij'[d] for d in along)})>")
        memory, type_ = self.memory((rng.randint(3, 20), rng.randint(3, 20)), "f32")
        self.order = [order.index(0), order.index(1)]
        mask = self.mask_in_order(shape) if rng.random() < 0.4 else ""
        attributes = (f"{{indexed_maps = [{', '.join(maps)}], in_bounds = [false, false], "
                      f"permutation_map = affine_map<(i, j) -> ({', '.join('ij'[d] for d in order)})>}}")
        result = Value("", shape, "f32")
        name = self.emit(f"iree_vector_ext.transfer_gather {memory}[%c0, %c1][{', '.join(entries)}], "
                         f"%f{mask} {attributes} : {type_}, {result.type}")
        self.keep(self.anchor(Value(name, shape, "f32")))

    def contract(self) -> None:
        rng = self.rng
        element = rng.choice(["f32", "i32"])
        space = random_layout(rng, tuple(rng.choice([2, 4, 8, 16]) for _ in range(3)),
                              self.workgroup)
        m, n, k = (dim.extent for dim in space)
        lhs_dims, rhs_dims = rng.sample([0, 2], 2), rng.sample([1, 2], 2)
        operands = []
        for dims in (lhs_dims, rhs_dims):
            shape = tuple(space[d].extent for d in dims)
            operands.append(self.anchor(self.pick_or_load(shape, element),
                                        tuple(space[d] for d in dims)))
        names = "mnk"
        maps = ", ".join(f"affine_map<(m, n, k) -> ({', '.join(names[d] for d in dims)})>"
                         for dims in (lhs_dims, rhs_dims, [0, 1]))
        acc = self.constant((m, n), element, rng.randrange(-2, 3))
        name = self.emit(
            f"vector.contract {{indexing_maps = [{maps}], iterator_types = [\"parallel\", "
            f"\"parallel\", \"reduction\"], kind = #vector.kind<add>}} {operands[0].name}, "
            f"{operands[1].name}, {acc.name} : {operands[0].type}, {operands[1].type} into "
            f"{acc.type}")
        self.keep(self.clamp(Value(name, (m, n), element)))

    def product_of_fragments(self) -> None:
        """m16n8k8 in tf32, on one or all subgroups along M."""
        rng = self.rng
        if self.workgroup.lanes != 32:
            return
        subgroups = rng.choice([1, self.workgroup.threads // 32])
        m, n, k = rng.choice([1, 2]), rng.choice([1, 2]), rng.choice([1, 2])
        stride = 1 if subgroups > 1 else 0
        along_m = Dim(subgroups, m, 2, 8, 1, stride, 4)
        a = (along_m, Dim(1, k, 2, 4, 1, 0, 1))
        b = (Dim(1, k, 2, 4, 1, 0, 1), Dim(1, n, 1, 8, 1, 0, 4))
        c = (along_m, Dim(1, n, 1, 4, 2, 0, 1))
        kind = ' {mma_kind = "m16n8k8_tf32"}'
        operands = [self.anchor(self.pick_or_load(tuple(d.extent for d in layout), "f32"), layout, kind)
                    for layout in (a, b)]
        acc = self.anchor(self.constant(tuple(d.extent for d in c), "f32", 1), c)
        name = self.emit(
            "vector.contract {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, "
            "affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = "
            "[\"parallel\", \"parallel\", \"reduction\"], kind = #vector.kind<add>} "
            f"{operands[0].name}, {operands[1].name}, {acc.name} : {operands[0].type}, "
            f"{operands[1].type} into {acc.type}")
        self.keep(self.clamp(Value(name, acc.shape, "f32")))

    # --- Control flow -------------------------------------------------------------------

    def body(self, operations: int, carried: Value) -> Value:
        """Some operations that end with a value of the type of `carried`; their results are not visible
        outside."""
        outside = list(self.values)
        self.depth += 1
        for _ in range(operations):
            self.operation()
        result = self.pick(carried.shape, carried.element)
        self.line(f"scf.yield {result.name} : {result.type}")
        self.depth -= 1
        self.values = outside
        return result

    def loop(self) -> None:
        init = self.pick()
        count = self.argument("index")
        name, argument, induction = self.fresh(), self.fresh(), self.fresh()
        self.line(f"{name} = scf.for {induction} = %c0 to {count} step %c1 iter_args({argument} = "
                  f"{init.name}) -> ({init.type}) {{")
        outside = list(self.values)
        self.keep(Value(argument, init.shape, init.element))
        self.body(self.rng.randint(1, 4), init)
        self.line("}")
        self.values = outside
        self.keep(Value(name, init.shape, init.element))

    def branch(self) -> None:
        value = self.pick()
        condition = self.emit(f"arith.cmpi sgt, {self.argument('index')}, %c1 : index")
        name = self.fresh()
        self.line(f"{name} = scf.if {condition} -> ({value.type}) {{")
        self.body(self.rng.randint(0, 3), value)
        self.line("} else {")
        self.body(self.rng.randint(0, 2), value)
        self.line("}")
        self.keep(Value(name, value.shape, value.element))

    def operation(self) -> None:
        steps = [self.elementwise, self.elementwise, self.with_constant, self.with_step, self.masked,
                 self.transpose, self.shape_cast, self.broadcast, self.reduce, self.reduce, self.scan,
                 self.convert, self.convert, self.gather, self.contract, self.product_of_fragments,
                 self.through_memory, lambda: self.load(self.random_shape(), "f32")]
        if self.depth < 2:
            steps += [self.loop, self.branch]
        self.rng.choice(steps)()


def random_function(rng: random.Random, workgroup: Workgroup, name: str) -> str:
    function = Function(rng, workgroup, name)
    function.load(function.random_shape(), "f32")
    for _ in range(rng.randint(3, 10)):
        function.operation()
    for value in rng.sample(function.values, min(3, len(function.values))):
        function.store(value)
    function.store(function.values[-1])
    return function.finish()
