# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Encodes the body of a function (bytecode format, 9). The layout of each operation determines the
fields; values become numbers.
"""

from .layouts import BY_NAME, Layout, Part
from .program import Block, CallSite, Entry, Location, Operation, Value
from .writer import Inexpressible


class Body:
    def __init__(self, encoder: "Encoder", entry: Entry):
        self.encoder, self.version = encoder, encoder.version
        self.writer = encoder.part()
        self.locations: list[Location | CallSite | None] = []
        self.numbers: dict[Value, int] = {}
        self.next = 0
        self.number(entry.body.arguments)
        for operation in entry.body.operations:
            self.write_operation(operation)

    def number(self, values: list[Value]) -> None:
        for value in values:
            self.numbers[value] = self.next
            self.next += 1

    def value(self, value: Value) -> None:
        if value not in self.numbers:
            raise Inexpressible("a result that the version does not have is used")
        self.writer.varint(self.numbers[value])

    def write_operation(self, operation: Operation) -> None:
        layout, writer = BY_NAME[operation.name], self.writer
        self.encoder.require(layout.since, operation.name)
        self.locations.append(operation.location)
        writer.varint(layout.opcode)
        numbered = self.write_results(layout, operation)
        self.write_flags(layout, operation)
        for part in layout.attributes:
            self.write_attribute(part, operation)
        self.write_operands(layout, operation)
        if layout.regions:
            writer.varint(layout.regions)
            for region in operation.regions:
                writer.varint(len(region))
                for block in region:
                    self.write_block(block)
        self.number(numbered)

    def write_results(self, layout: Layout, operation: Operation) -> list[Value]:
        """Returns the results that get numbers: those that the version has (9.3)."""
        absent = sum(part.since > self.version for part in layout.results)
        present = operation.results[:len(operation.results) - absent]
        if layout.counts_results:
            self.writer.varint(len(present))
        for result in present:
            self.writer.varint(self.encoder.type_index(result.type))
        return present

    def write_flags(self, layout: Layout, operation: Operation) -> None:
        present = operation.units | operation.attributes.keys() | {
            name for name, values in operation.operands.items() if values}
        flags = sum(1 << bit for bit, name in enumerate(layout.flags) if name in present)
        if layout.has_flags(self.version):
            self.writer.varint(flags)
        elif flags:
            raise Inexpressible(f"a flag of {operation.name}")

    def write_attribute(self, part: Part, operation: Operation) -> None:
        value = operation.attributes.get(part.name)
        if part.kind == "boolarray" and part.since <= self.version and value is None:
            value = (False,) * len(operation.operands["index"])
        if part.since > self.version:
            if value != part.default:
                raise Inexpressible(f"{part.name} of {operation.name}")
        elif value is not None:
            self.encoder.inline(self.writer, part.kind, value)

    def write_operands(self, layout: Layout, operation: Operation) -> None:
        if layout.operand_style == "N":
            self.writer.varint(sum(len(operation.operands[part.name]) for part in layout.operands))
        for part in layout.operands:
            values = operation.operands[part.name]
            if layout.operand_style == "S" and part.variadic:
                self.writer.varint(len(values))
            for value in values:
                self.value(value)

    def write_block(self, block: Block) -> None:
        outer = self.next
        self.writer.varint(len(block.arguments))
        for argument in block.arguments:
            self.writer.varint(self.encoder.type_index(argument.type))
        self.number(block.arguments)
        self.writer.varint(len(block.operations))
        for operation in block.operations:
            self.write_operation(operation)
        self.next = outer
