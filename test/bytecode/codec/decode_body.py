# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decodes the operations in the body of a function (bytecode format, 9). The layout of each
operation determines the fields; value numbers become values.
"""

from .cursor import Cursor
from .layouts import BY_OPCODE, Layout, Part
from .program import TOKEN, Block, Operation, Value


class Body:
    def __init__(self, decoder: "Decoder", cursor: Cursor, locations):
        self.decoder, self.cursor, self.locations = decoder, cursor, locations
        self.values: list[Value] = []  # the visible values, by number

    def read_outermost(self, body: Block) -> None:
        self.values = list(body.arguments)
        while self.cursor.at < self.cursor.end:
            body.operations.append(self.read_operation())
        last = body.operations[-1].name if body.operations else "nothing"
        self.cursor.check(last == "return", f"the body ends with {last}")

    def read_operation(self) -> Operation:
        cursor, version = self.cursor, self.decoder.version
        opcode = cursor.varint()
        layout = BY_OPCODE.get(opcode)
        cursor.check(layout and layout.since <= version, f"opcode {opcode:#x}")
        operation = Operation(layout.name, location=next(self.locations))
        operation.results, numbered = self.read_results(layout)
        flags = cursor.varint((1 << len(layout.flags)) - 1) if layout.has_flags(version) else 0
        operation.units = frozenset(name for bit, name in enumerate(layout.flags)
                                    if flags >> bit & 1 and name in layout.units)
        for part in layout.attributes:
            if part.since > version:
                operation.attributes[part.name] = part.default
            elif part.bit is None or flags >> part.bit & 1:
                operation.attributes[part.name] = self.decoder.inline(cursor, part.kind,
                                                                      operation.results)
        operation.operands = self.read_operands(layout, flags)
        if flags_of_indices := operation.attributes.get("inbounds"):
            cursor.check(len(flags_of_indices) == len(operation.operands["index"]),
                         "another number of inbounds than of indices")
        elif flags_of_indices is not None:
            cursor.check(not operation.operands["index"], "no inbounds")
        if not any(flags_of_indices or ()):
            operation.attributes.pop("inbounds", None)
        if layout.regions:
            cursor.check(cursor.varint() == layout.regions, "another number of regions")
            operation.regions = [[self.read_block() for _ in range(cursor.varint())]
                                 for _ in range(layout.regions)]
        self.values += operation.results[:numbered]
        return operation

    def read_results(self, layout: Layout) -> tuple[list[Value], int]:
        """The results, and how many of them are in the file (9.3)."""
        version = self.decoder.version
        present = [part for part in layout.results if part.since <= version]
        variadic = any(part.variadic for part in present)
        count = self.cursor.varint() if layout.counts_results else len(present)
        self.cursor.check(variadic or count == len(present), f"{count} results of {layout.name}")
        types = [self.decoder.type(self.cursor) for _ in range(count)]
        # A result that is newer than the file's version is a token that was dropped (14.1).
        types += [TOKEN for part in layout.results if part.since > version]
        return [Value(type_) for type_ in types], count

    def read_operands(self, layout: Layout, flags: int) -> dict[str, list[Value]]:
        if layout.operand_style == "S":
            return {part.name: self.read_group(part, flags) for part in layout.operands}
        if not layout.operand_style:
            return {part.name: [self.value()] for part in layout.operands}
        values = [self.value() for _ in range(self.cursor.varint())]
        fixed = sum(not (part.variadic or part.optional) for part in layout.operands)
        self.cursor.check(len(values) >= fixed, f"{len(values)} operands of {layout.name}")
        groups = {}
        for part in layout.operands:
            count = len(values) if part.variadic else 1
            groups[part.name], values = values[:count], values[count:]
        self.cursor.check(not values, f"more operands of {layout.name}")
        return groups

    def read_group(self, part: Part, flags: int) -> list[Value]:
        if part.variadic:
            return [self.value() for _ in range(self.cursor.varint())]
        return [self.value()] if part.bit is None or flags >> part.bit & 1 else []

    def read_block(self) -> Block:
        """At the end of a block, the numbers of its values are released (9.3)."""
        outer = len(self.values)
        block = Block([Value(self.decoder.type(self.cursor)) for _ in range(self.cursor.varint())])
        self.values += block.arguments
        for _ in range(self.cursor.varint()):
            block.operations.append(self.read_operation())
        self.cursor.check(block.operations, "an empty block")
        del self.values[outer:]
        return block

    def value(self) -> Value:
        return self.values[self.cursor.varint(len(self.values) - 1)]
