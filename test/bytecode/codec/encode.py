# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Encodes a program. The format leaves choices to the writer: the order of sections and tables,
encodings of booleans and numbers, padding. A `Convention` makes these choices; `Encoder` queries
it and does the rest, which is fully determined.
"""

from .conventions import Convention
from .encode_body import Body
from .layouts import (
    CONSTANT, DEBUG, ENUMERATIONS, FUNCTION, GLOBAL, MAGIC, PRODUCER, REQUIRED_ALIGNMENT, STRING,
    TYPE, V13_4, V13_5, YOUNG_ENUMERANTS)
from .program import (
    BITS, SCALARS, Array, Attribute, Bool, Bounded, CallSite, CompileUnit, Constant, Dictionary,
    DivBy, Entry, File, Float, Function, GatherScatterView, Integer, LexicalBlock, Location, Module,
    OptimizationHints, PartitionView, Pointer, SameElements, Scalar, StridedView, String,
    Subprogram, TensorView, Tile, Type, TypeAttribute, components)
from .writer import Inexpressible, Table, Writer

SCALAR_TAGS = {name: (tag, (13, since)) for tag, name, since in SCALARS}


def encode(module: Module, version: tuple[int, int], convention: Convention) -> bytes:
    return Encoder(module, version, convention).run()


class Encoder:
    def __init__(self, module: Module, version: tuple[int, int], convention: Convention):
        self.module, self.version, self.convention = module, version, convention
        tables = convention.tables
        self.strings = Table(convention, tables.strings)
        self.types = Table(convention, tables.types)
        self.constants = Table(convention, tables.constants)
        self.debug = Table(convention, tables.debug)
        self.rows = convention.rows([entry.location for entry in module.entries])
        self.locations: list[list[Location | CallSite | None]] = []  # per entry, in preorder

    def run(self) -> bytes:
        # Indexes are assigned in the order of bytecode format, 16. Sections are encoded in the
        # same order: later ones fill the tables, which are therefore encoded last.
        for entry in self.module.entries:
            self.strings.index(entry.name)
            self.type_index(entry.signature)
        payloads = {GLOBAL: self.global_section(), FUNCTION: self.function_section()}
        payloads[CONSTANT] = self.constant_section()
        payloads[DEBUG] = self.debug_section()
        payloads[PRODUCER] = self.producer_section()
        payloads[TYPE] = self.type_section()
        payloads[STRING] = self.string_section()

        file = Writer(self.convention)
        file.bytes(MAGIC + bytes(self.version))
        file.fixed(self.convention.version_tag() if self.version < V13_5 else 0, 2)
        for section in self.convention.section_order():
            payload = payloads[section]
            if payload is not None:
                self.write_section(file, section, bytes(payload.data))
        file.u8(0)
        return bytes(file.data)

    def write_section(self, file: Writer, section: int, payload: bytes) -> None:
        alignment = self.convention.alignment(section, REQUIRED_ALIGNMENT.get(section))
        file.u8(section | (0x80 if alignment else 0))
        file.varint(len(payload))
        if alignment:
            file.varint(alignment)
            file.align(alignment)
        file.bytes(payload)

    def part(self) -> Writer:
        return Writer(self.convention)

    def require(self, since: tuple[int, int], what: str) -> None:
        if since > self.version:
            raise Inexpressible(f"{what} needs {since}")

    # --- Tables (bytecode format, 3 to 5) -------------------------------------------------

    def write_table(self, entries: list[bytes], offset_size: int,
                    payload: Writer | None = None) -> Writer:
        payload = payload or self.part()
        payload.varint(len(entries))
        if entries or self.convention.pads_empty_tables():
            payload.align(offset_size)
        offset = 0
        for entry in entries:
            payload.fixed(offset, offset_size)
            offset += len(entry)
        payload.bytes(b"".join(entries))
        return payload

    def string_section(self) -> Writer:
        return self.write_table(self.strings.entries, 4)

    def constant_section(self) -> Writer | None:
        if not self.constants.entries and not self.convention.writes_empty(CONSTANT):
            return None
        entries = []
        for constant in self.constants.entries:
            entry = self.part()
            raw = constant.raw if isinstance(constant, Constant) else constant
            entry.varint(len(raw))
            entry.bytes(raw)
            entries.append(bytes(entry.data))
        return self.write_table(entries, 8)

    def constant_index(self, constant: Constant) -> int:
        return self.constants.index(self.convention.constant_entry(constant))

    def type_section(self) -> Writer:
        entries = []
        while len(entries) < len(self.types.entries):  # encoding a type may add its components
            entries.append(self.encode_type(self.types.entries[len(entries)]))
        return self.write_table(entries, 4)

    def producer_section(self) -> Writer | None:
        if self.module.producer is None or self.version < (13, 3):
            return None
        payload = self.part()
        payload.varint(self.strings.index(self.module.producer))
        return payload

    # --- Types (bytecode format, 4) -------------------------------------------------------

    def type_index(self, type_: Type) -> int:
        for component in components(type_):
            self.type_index(component)
        return self.types.index(type_)

    def encode_type(self, type_: Type | bytes) -> bytes:
        if isinstance(type_, bytes):  # an unused entry, possibly malformed
            return type_
        entry = self.part()
        match type_:
            case Scalar(name):
                tag, since = SCALAR_TAGS[name]
                self.require(since, name)
                entry.varint(tag)
            case Pointer(pointee, attribute):
                entry.varint(12)
                self.pointer_flags(entry, attribute)
                entry.varint(self.type_index(pointee))
                self.pointer_attribute(entry, attribute)
            case Tile(element, shape):
                entry.varint(13)
                entry.varint(self.type_index(element))
                entry.vector(shape, 8)
            case TensorView(element, shape, strides, attribute):
                entry.varint(14)
                self.pointer_flags(entry, attribute)
                entry.varint(self.type_index(element))
                entry.vector(shape, 8)
                entry.vector(strides, 8)
                self.pointer_attribute(entry, attribute)
            case Function(inputs, results):
                entry.varint(16)
                for types in (inputs, results):
                    entry.varint(len(types))
                    for inner in types:
                        entry.varint(self.type_index(inner))
            case _:
                self.encode_tile_view(entry, type_)
        return bytes(entry.data)

    def pointer_flags(self, entry: Writer, attribute: str | None) -> None:
        if self.version >= V13_4:
            entry.varint(attribute is not None)

    def pointer_attribute(self, entry: Writer, attribute: str | None) -> None:
        if attribute is not None:
            self.require(V13_4, f"pointer attribute {attribute}")
            self.enumerant(entry, "PointerAttribute", attribute)

    def enumerant(self, writer: Writer, enumeration: str, name: str) -> None:
        self.require(YOUNG_ENUMERANTS.get((enumeration, name), self.version), name)
        writer.varint(ENUMERATIONS[enumeration].index(name))

    def encode_tile_view(self, entry: Writer, type_: Type) -> None:
        leading_flags = self.version >= (13, 3)
        if not isinstance(type_, PartitionView):
            self.require((13, 3), type(type_).__name__)
        entry.varint({PartitionView: 15, GatherScatterView: 20, StridedView: 21}[type(type_)])
        if leading_flags:
            entry.varint(type_.padding is not None)
        entry.vector(type_.tile_shape, 4)
        if isinstance(type_, StridedView):
            entry.vector(type_.traversal_strides, 4)
        entry.varint(self.type_index(type_.view))
        if isinstance(type_, GatherScatterView):
            entry.varint(type_.sparse_dim)
        else:
            entry.vector(type_.dim_map, 4)
        if not leading_flags:
            entry.flag(type_.padding is not None)
        if type_.padding is not None:
            entry.varint(ENUMERATIONS["PaddingValue"].index(type_.padding))

    # --- Attributes (bytecode format, 10) -------------------------------------------------

    def attribute(self, writer: Writer, attribute: Attribute) -> None:
        attribute = self.convention.boolean(attribute)
        match attribute:
            case Integer(type_, value):
                writer.varint(1)
                writer.varint(self.type_index(type_))
                if BITS[type_.name] == 1:
                    writer.flag(value == 1)
                else:
                    writer.varint(value)
            case Float(type_, bits):
                writer.varint(2)
                writer.varint(self.type_index(type_))
                if BITS[type_.name] <= 8:
                    writer.u8(bits)
                elif BITS[type_.name] == 64:
                    writer.bytes(self.convention.double(bits))
                else:
                    writer.svarint(bits)
            case Bool(value):
                writer.varint(3)
                writer.flag(value)
            case TypeAttribute(type_):
                writer.varint(4)
                writer.varint(self.type_index(type_))
            case String(value):
                writer.varint(5)
                writer.varint(self.strings.index(value))
            case Array(elements):
                writer.varint(6)
                self.array(writer, elements)
            case DivBy(divisor, every, along):
                writer.varint(8)
                writer.varint(divisor)
                self.optional_pair(writer, every, along)
            case SameElements(values):
                writer.varint(9)
                writer.vector(values, 8)
            case Dictionary() | OptimizationHints():
                writer.varint(10 if isinstance(attribute, Dictionary) else 11)
                self.dictionary(writer, attribute)
            case Bounded(lower, upper):
                writer.varint(12)
                self.optional_pair(writer, lower, upper)

    def optional_pair(self, writer: Writer, first: int | None, second: int | None) -> None:
        writer.u8((first is not None) | (second is not None) << 1)
        for value in (first, second):
            if value is not None:
                writer.svarint(value)

    def array(self, writer: Writer, elements: tuple[Attribute, ...]) -> None:
        writer.varint(len(elements))
        for element in elements:
            self.attribute(writer, element)

    def dictionary(self, writer: Writer, dictionary: Dictionary | OptimizationHints) -> None:
        writer.varint(len(dictionary.entries))
        for key, value in self.convention.entries(dictionary):
            writer.varint(self.strings.index(key))
            self.attribute(writer, value)

    def inline(self, writer: Writer, kind: str, value) -> None:
        match kind:
            case "uint32" | "uint64":
                writer.varint(value)
            case "bool":
                writer.flag(value)
            case "str" | "sym":
                writer.varint(self.strings.index(value))
            case "const":
                writer.varint(self.constant_index(value))
            case "i32array":
                writer.vector(value, 4)
            case "array":
                self.array(writer, value)
            case "hints":
                self.dictionary(writer, value)
            case "tagged":
                self.attribute(writer, value)
            case "boolarray":
                writer.varint(len(value))
                for flag in value:
                    writer.flag(flag)
            case _:
                self.enumerant(writer, kind, value)

    # --- Globals and functions (bytecode format, 6 to 8) ----------------------------------

    def global_section(self) -> Writer | None:
        if not self.module.globals and not self.convention.writes_empty(GLOBAL):
            return None
        payload = self.part()
        payload.varint(len(self.module.globals))
        for item in self.module.globals:
            payload.varint(self.strings.index(item.name))
            payload.varint(self.type_index(item.value.type))
            payload.varint(self.constant_index(item.value))
            payload.varint(item.alignment)
            if self.version >= (13, 3):
                payload.varint(item.private)
                payload.varint(self.convention.true_byte() if item.constant else 0)
            elif item.private or item.constant:
                raise Inexpressible(f"global {item.name} is private or constant")
        return payload

    def function_section(self) -> Writer:
        payload = self.part()
        payload.varint(len(self.module.entries))
        for entry, row in zip(self.module.entries, self.rows):
            self.write_function(payload, entry, row)
        self.convention.end_functions(payload)
        return payload

    def write_function(self, payload: Writer, entry: Entry, row: int) -> None:
        payload.varint(self.strings.index(entry.name))
        payload.varint(self.type_index(entry.signature))
        always = self.version >= V13_5  # hints and attributes of arguments (13.5, section 9.1)
        hints = OptimizationHints(()) if always and entry.hints is None else entry.hints
        payload.u8(2 if always else 2 | self.convention.private_flag()
                   | (4 if hints is not None else 0))
        payload.varint(row)
        if hints is not None:
            payload.varint(11)
            self.dictionary(payload, hints)
        if always:
            payload.varint(6)
            payload.varint(0)
        body = Body(self, entry)
        payload.varint(len(body.writer.data))
        payload.bytes(body.writer.data)
        self.locations.append(body.locations)

    # --- Debug information (bytecode format, 13) ------------------------------------------

    def debug_section(self) -> Writer | None:
        if not any(self.rows) and not self.convention.writes_empty(DEBUG):
            return None
        self.register_locations()
        rows = {row: [self.reference(location) for location in [entry.location] + locations]
                for row, entry, locations in zip(self.rows, self.module.entries, self.locations)
                if row}
        starts, references = self.convention.place_rows(rows)
        payload = self.part()
        payload.varint(len(starts))
        payload.align(4)
        for start in starts:
            payload.fixed(start, 4)
        payload.varint(len(references))
        payload.align(8)
        for reference in references:
            payload.fixed(reference, 8)
        attributes = self.debug.entries or self.convention.dummy_attributes()
        return self.write_table([self.encode_debug(item) for item in attributes], 4, payload)

    def register_locations(self) -> None:
        """The locations of all functions first, then those of operations, body by body."""
        located = [(entry, locations) for entry, locations
                   in zip(self.module.entries, self.locations) if entry.location is not None]
        for entry, _ in located:
            self.reference(entry.location)
        for _, locations in located:
            for location in locations:
                self.reference(location)

    def reference(self, attribute) -> int:
        """The ID of a debug attribute; nested ones come first (bytecode format, 16)."""
        match attribute:
            case None:
                return self.convention.unknown_reference(self.debug.places.get(None, []))
            case CompileUnit(file):
                inner = (file,)
            case LexicalBlock(scope, file):
                inner = (scope, file)
            case Location(scope):
                inner = (scope,)
            case Subprogram(file, unit=unit):
                inner = (file, unit)
            case CallSite(callee, caller):
                inner = (callee, caller)
            case _:
                inner = ()
        for component in inner:
            self.reference(component)
        return self.debug.index(attribute) + 1

    def encode_debug(self, attribute) -> bytes:
        entry = self.part()
        text, number = lambda value: entry.varint(self.strings.index(value)), entry.varint
        inner = lambda value: entry.varint(self.reference(value))
        match attribute:
            case None:
                number(0)
            case CompileUnit(file):
                number(1)
                inner(file)
            case File(name, directory):
                number(2)
                text(name)
                text(directory)
            case LexicalBlock(scope, file, line, column):
                number(3)
                inner(scope)
                inner(file)
                number(line)
                number(column)
            case Location(scope, file, line, column):
                number(4)
                inner(scope)
                text(file)
                number(line)
                number(column)
            case Subprogram(file, line, name, linkage, unit, scope_line):
                number(5)
                inner(file)
                number(line)
                text(name)
                text(linkage)
                inner(unit)
                number(scope_line)
                if self.version >= V13_5:
                    number(0)
            case CallSite(callee, caller):
                number(6)
                inner(callee)
                inner(caller)
        return bytes(entry.data)
