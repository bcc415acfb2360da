# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decodes a file, and records the free choices of its writer. This is a strict reader: every byte
belongs to a field, and forms that no public writer uses are errors, unless `tolerant` allows every
form that the format permits.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from .cursor import Cursor, Malformed, unzigzag
from .decode_body import Body
from .layouts import (
    CONSTANT, DEBUG, ENUMERATIONS, FUNCTION, GLOBAL, MAGIC, PRODUCER, REQUIRED_ALIGNMENT, STRING,
    TYPE, V13_4, V13_5, VERSIONS, YOUNG_ENUMERANTS)
from .program import (
    BITS, SCALARS, Array, Attribute, Block, Bool, Bounded, CallSite, CompileUnit, Constant,
    Dictionary, DivBy, Entry, File, Float, Function, GatherScatterView, Global, Integer,
    LexicalBlock, Location, Module, OptimizationHints, PartitionView, Pointer, SameElements, Scalar,
    StridedView, String, Subprogram, TensorView, Tile, Type, TypeAttribute, Value, make_constant)

SCALAR_TAGS = {tag: (Scalar(name), (13, since)) for tag, name, since in SCALARS}


@dataclass
class Decoded:
    """A program, with the tables and orders of its file."""

    version: tuple[int, int]
    module: Module
    sections: list[int]
    strings: list[bytes]
    types: list[Type | bytes]
    constants: list[bytes]
    debug: list = field(default_factory=list)


def decode(data: bytes, tolerant: bool = False) -> Decoded:
    return Decoder(data, tolerant).run()


class Decoder:
    def __init__(self, data: bytes, tolerant: bool):
        self.data, self.tolerant = data, tolerant
        self.version: tuple[int, int] = (0, 0)
        self.payloads: dict[int, Cursor] = {}
        self.strings: list[bytes] = []
        self.type_entries: list[Cursor] = []
        self.types: dict[int, Type] = {}
        self.open_types: set[int] = set()  # being decoded; bad types stay here
        self.constants: list[bytes] = []
        self.debug_entries: list[Cursor] = []
        self.debug: dict[int, object] = {}
        self.open_debug: set[int] = set()
        self.symbols: set[bytes] = set()
        self.rows: list[tuple[int, int]] = []  # ranges in `references`
        self.references: list[int] = []

    def run(self) -> Decoded:
        self.read_frame()
        self.strings = [entry.data[entry.at:entry.end]
                        for entry in self.read_table(STRING, 4)]
        module = Module()
        if PRODUCER in self.payloads:
            producer = self.payloads[PRODUCER]
            module.producer = self.string(producer)
            producer.done("the producer section")
        self.type_entries = self.read_table(TYPE, 4)
        types = self.all_of(self.type_entries, self.type_at)
        self.constants = [self.read_constant(entry) for entry in self.read_table(CONSTANT, 8)]
        self.read_debug()
        debug = self.all_of(self.debug_entries, lambda index: self.debug_at(index + 1))
        self.read_globals(module)
        self.read_functions(module)
        return Decoded(self.version, module, list(self.payloads), self.strings, types,
                       self.constants, debug)

    def all_of(self, entries: list[Cursor], decode_at: Callable[[int], object]) -> list:
        """Decodes a table. Readers ignore unused entries, so those of a foreign file may be malformed
        (bytecode format, 4); they are represented by their bytes."""
        found = []
        for index, entry in enumerate(entries):
            raw = self.data[entry.at:entry.end]
            try:
                found.append(decode_at(index))
            except Malformed:
                if not self.tolerant:
                    raise
                found.append(raw)
        return found

    # --- Frame and tables (bytecode format, 2 to 5) ---------------------------------------

    def read_frame(self) -> None:
        file = Cursor(self.data, 0, len(self.data), self.tolerant)
        file.check(file.bytes(8) == MAGIC, "not the magic")
        self.version = (file.u8(), file.u8())
        file.check(self.version in VERSIONS, f"version {self.version}")
        file.check(file.fixed(2) == 0 or self.tolerant and self.version < V13_5, "a version tag")
        while id_and_flag := file.u8():
            section, aligned = id_and_flag & 0x7F, id_and_flag >> 7
            file.check(1 <= section <= 7, f"section {section}")
            file.check(section not in self.payloads, f"a second section {section}")
            length = file.varint()
            alignment = file.varint() if aligned else 0
            required = REQUIRED_ALIGNMENT.get(section, 0)
            file.check(alignment == required or self.tolerant and alignment >= required
                       and alignment & alignment - 1 == 0, f"alignment {alignment}")
            file.align(alignment or 1)
            self.payloads[section] = file.part(length)
            self.payloads[section].base = self.payloads[section].at
        file.done("the file")
        file.check(STRING in self.payloads and FUNCTION in self.payloads, "a section is missing")

    def read_table(self, section: int, offset_size: int) -> list[Cursor]:
        payload = self.payloads.get(section)
        if payload is None:
            return []
        return self.read_entries(payload, offset_size)

    def read_entries(self, payload: Cursor, offset_size: int) -> list[Cursor]:
        """`varint count, align, offset[count], data` to the end of the payload."""
        count = payload.varint()
        # In a foreign file, an empty table may end before its padding.
        if not self.tolerant or payload.at < payload.end:
            payload.align(offset_size)
        offsets = [payload.fixed(offset_size) for _ in range(count)]
        start, end = payload.at, payload.end
        bounds = offsets + [end - start]
        payload.check(not count or offsets[0] == 0 or self.tolerant, "a gap before the data")
        payload.check(bounds == sorted(bounds), "decreasing offsets")
        payload.check(count or start == end, "data of an empty table")
        payload.at = end
        return [Cursor(self.data, start + here, start + there, self.tolerant)
                for here, there in zip(bounds, bounds[1:])]

    def read_constant(self, entry: Cursor) -> bytes:
        raw = entry.bytes(entry.varint())
        entry.done("a constant")
        return raw

    def string(self, cursor: Cursor) -> bytes:
        return self.strings[cursor.varint(len(self.strings) - 1)]

    def name(self, cursor: Cursor) -> bytes:
        text = self.string(cursor)
        cursor.check(text, "an empty name")
        return text

    def symbol(self, cursor: Cursor) -> bytes:
        name = self.name(cursor)
        cursor.check(name not in self.symbols, f"a second {name}")
        self.symbols.add(name)
        return name

    # --- Types (bytecode format, 4) -------------------------------------------------------

    def type(self, cursor: Cursor) -> Type:
        return self.type_at(cursor.varint(len(self.type_entries) - 1))

    def type_at(self, index: int) -> Type:
        if index not in self.types:
            entry = self.type_entries[index]
            entry.check(index not in self.open_types, "a type that holds itself")
            self.open_types.add(index)
            type_ = self.read_type(entry)
            entry.done("a type")
            self.types[index] = type_
        return self.types[index]

    def read_type(self, entry: Cursor) -> Type:
        tag = entry.varint()
        if tag in SCALAR_TAGS:
            scalar, since = SCALAR_TAGS[tag]
            entry.check(since <= self.version, f"type tag {tag} is too new")
            return scalar
        entry.check(tag in (12, 13, 14, 15, 16) or tag in (20, 21) and self.version >= (13, 3),
                    f"type tag {tag}")
        match tag:
            case 12:
                flags = self.pointer_flags(entry)
                return Pointer(self.type(entry), self.pointer_attribute(entry, flags))
            case 13:
                return Tile(self.type(entry), entry.vector(8))
            case 14:
                flags = self.pointer_flags(entry)
                return TensorView(self.type(entry), entry.vector(8), entry.vector(8),
                                  self.pointer_attribute(entry, flags))
            case 16:
                inputs = tuple(self.type(entry) for _ in range(entry.varint()))
                return Function(inputs, tuple(self.type(entry) for _ in range(entry.varint())))
        return self.read_tile_view(tag, entry)

    def pointer_flags(self, entry: Cursor) -> int:
        """Whether a pointer or tensor view has an attribute (13.4, section 8.1)."""
        return entry.varint(1) if self.version >= V13_4 else 0

    def pointer_attribute(self, entry: Cursor, flags: int) -> str | None:
        return self.enumerant(entry, "PointerAttribute") if flags else None

    def read_tile_view(self, tag: int, entry: Cursor) -> Type:
        leading_flags = self.version >= (13, 3)
        padded = entry.varint(1) if leading_flags else 0
        tile_shape = entry.vector(4)
        traversal_strides = entry.vector(4) if tag == 21 else ()
        view = self.type(entry)
        entry.check(isinstance(view, TensorView), f"a view over {view}")
        sparse_dim = entry.varint((1 << 32) - 1) if tag == 20 else 0
        dim_map = entry.vector(4) if tag != 20 else ()
        if not leading_flags:
            padded = entry.flag()
        padding = self.enumerant(entry, "PaddingValue") if padded else None
        match tag:
            case 15:
                return PartitionView(tile_shape, view, dim_map, padding)
            case 20:
                return GatherScatterView(tile_shape, view, sparse_dim, padding)
        return StridedView(tile_shape, traversal_strides, view, dim_map, padding)

    def enumerant(self, cursor: Cursor, enumeration: str) -> str:
        names = ENUMERATIONS[enumeration]
        name = names[cursor.varint(len(names) - 1)]
        since = YOUNG_ENUMERANTS.get((enumeration, name), self.version)
        cursor.check(since <= self.version, f"{name} is too new")
        return name

    # --- Attributes (bytecode format, 10) -------------------------------------------------

    def attribute(self, cursor: Cursor) -> Attribute:
        tag = cursor.varint()
        match tag:
            case 1:
                type_ = self.type(cursor)
                bits = BITS[type_.name]
                value = cursor.flag() if bits == 1 else cursor.varint((1 << bits) - 1)
                return Integer(type_, int(value))
            case 2:
                type_ = self.type(cursor)
                bits = BITS[type_.name]
                pattern = (cursor.u8() if bits <= 8 else self.double(cursor) if bits == 64
                           else cursor.svarint() % (1 << 64))
                cursor.check(pattern < 1 << bits, f"{pattern:#x} has more than {bits} bits")
                return Float(type_, pattern)
            case 3:
                return Bool(cursor.flag())
            case 4:
                return TypeAttribute(self.type(cursor))
            case 5:
                return String(self.string(cursor))
            case 6:
                return Array(self.array(cursor))
            case 8:
                divisor, flags = cursor.varint(), cursor.u8()
                cursor.check(flags < 4, f"flags {flags}")
                return DivBy(divisor, cursor.svarint() if flags & 1 else None,
                             cursor.svarint() if flags & 2 else None)
            case 9:
                return SameElements(cursor.vector(8))
            case 10:
                return self.dictionary(cursor)
            case 11:
                return OptimizationHints(self.hints(cursor).entries)
            case 12:
                flags = cursor.u8()
                cursor.check(flags < 4, f"flags {flags}")
                return Bounded(cursor.svarint() if flags & 1 else None,
                               cursor.svarint() if flags & 2 else None)
        cursor.check(False, f"attribute tag {tag}")

    def double(self, cursor: Cursor) -> int:
        """cuTile Python writes negative integers with 65 bits (bytecode format, 17, item 4)."""
        doubled = cursor.varint((1 << 65) - 1 if self.tolerant else (1 << 64) - 1)
        return doubled >> 1 if doubled >> 64 else unzigzag(doubled) % (1 << 64)

    def array(self, cursor: Cursor) -> tuple[Attribute, ...]:
        return tuple(self.attribute(cursor) for _ in range(cursor.varint()))

    def dictionary(self, cursor: Cursor) -> Dictionary:
        entries = tuple((self.name(cursor), self.attribute(cursor))
                        for _ in range(cursor.varint()))
        cursor.check(len(dict(entries)) == len(entries), "a key twice")
        return Dictionary(entries)

    def hints(self, cursor: Cursor) -> Dictionary:
        hints = self.dictionary(cursor)
        cursor.check(all(isinstance(value, Dictionary) for _, value in hints.entries),
                     "a target whose hints are no dictionary")
        return hints

    def inline(self, cursor: Cursor, kind: str, results: list[Value]) -> object:
        match kind:
            case "uint32":
                return cursor.varint((1 << 32) - 1)
            case "uint64":
                return cursor.varint()
            case "bool":
                return cursor.flag()
            case "str":
                return self.string(cursor)
            case "sym":
                return self.name(cursor)
            case "const":
                return self.constant(cursor, results[0].type)
            case "i32array":
                return cursor.vector(4)
            case "boolarray":
                return tuple(cursor.flag() for _ in range(cursor.varint()))
            case "array":
                return self.array(cursor)
            case "hints":
                return self.hints(cursor)
            case "tagged":
                return self.attribute(cursor)
        return self.enumerant(cursor, kind)

    def constant(self, cursor: Cursor, type_: Type) -> Constant:
        cursor.check(isinstance(type_, Tile), f"a constant of {type_}")
        return make_constant(type_, self.constants[cursor.varint(len(self.constants) - 1)])

    # --- Globals and functions (bytecode format, 6 to 9) ----------------------------------

    def read_globals(self, module: Module) -> None:
        payload = self.payloads.get(GLOBAL)
        if payload is None:
            return
        for _ in range(payload.varint()):
            name, type_ = self.symbol(payload), self.type(payload)
            item = Global(name, self.constant(payload, type_), payload.varint())
            if self.version >= (13, 3):
                item.private = payload.varint(1) == 1
                item.constant = payload.varint() != 0
            module.globals.append(item)
        payload.done("the global section")

    def read_functions(self, module: Module) -> None:
        payload = self.payloads[FUNCTION]
        for _ in range(payload.varint()):
            module.entries.append(self.read_function(payload))
        if not self.tolerant and payload.at < payload.end:
            payload.align(8)
            payload.done("the function section")

    def read_function(self, payload: Cursor) -> Entry:
        name, signature = self.symbol(payload), self.type(payload)
        payload.check(isinstance(signature, Function), f"a signature {signature}")
        flags = payload.u8()
        always = self.version >= V13_5  # hints and attributes of arguments (13.5, section 9.1)
        payload.check(flags == 2 or not always and (flags & ~4 == 2 or self.tolerant
                                                    and flags & ~5 == 2), f"flags {flags}")
        locations = self.locations_of(payload.varint(len(self.rows)))
        hints = None
        if always or flags & 4:
            payload.check(payload.varint() == 11, "hints of another kind")
            hints = self.hints(payload)
        if always:
            hints = hints if hints.entries else None
            self.read_argument_attributes(payload)
        location = next(locations)
        body = Block([Value(type_) for type_ in signature.inputs])
        Body(self, payload.part(payload.varint()), locations).read_outermost(body)
        return Entry(name, signature, body, hints, location)

    def read_argument_attributes(self, payload: Cursor) -> None:
        """An array of dictionaries. No keys are defined yet, so all of them must be empty."""
        payload.check(payload.varint() == 6, "argument attributes of another kind")
        count = payload.varint()
        payload.check(count == 0 or self.tolerant, "argument attributes")
        for _ in range(count):
            payload.check((payload.varint(), payload.varint()) == (10, 0), "an argument attribute")

    # --- Debug information (bytecode format, 13) ------------------------------------------

    def read_debug(self) -> None:
        payload = self.payloads.get(DEBUG)
        if payload is None:
            return
        row_count = payload.varint()
        payload.align(4)
        starts = [payload.fixed(4) for _ in range(row_count)]
        reference_count = payload.varint()
        payload.align(8)
        self.references = [payload.fixed(8) for _ in range(reference_count)]
        self.debug_entries = self.read_entries(payload, 4)
        bounds = sorted(starts) + [reference_count]
        self.rows = [(start, min([b for b in bounds if b > start], default=start))
                     for start in starts]

    def locations_of(self, row: int) -> Iterator[Location | CallSite | None]:
        """Yields the location of the function, then those of its operations, indefinitely."""
        if row == 0:
            while True:
                yield None
        start, end = self.rows[row - 1]
        for reference in self.references[start:end]:
            yield self.location(reference)
        raise Malformed(f"row {row} is too short")

    def location(self, index: int) -> Location | CallSite | None:
        attribute = self.debug_at(index)
        if not isinstance(attribute, Location | CallSite | None):
            raise Malformed(f"debug attribute {index} is no location")
        return attribute

    def debug_at(self, index: int) -> object:
        if index == 0:
            return None
        if index > len(self.debug_entries):
            raise Malformed(f"debug attribute {index} of {len(self.debug_entries)}")
        if index not in self.debug:
            entry = self.debug_entries[index - 1]
            entry.check(index not in self.open_debug, "a debug attribute that holds itself")
            self.open_debug.add(index)
            attribute = self.read_debug_attribute(entry)
            entry.done("a debug attribute")
            self.debug[index] = attribute
        return self.debug[index]

    def read_debug_attribute(self, entry: Cursor) -> object:
        tag = entry.varint()

        def scope(*kinds: type) -> object:
            attribute = self.debug_at(entry.varint())
            entry.check(isinstance(attribute, kinds), f"{attribute} is not of {kinds}")
            return attribute

        def number() -> int:
            return entry.varint((1 << 32) - 1)

        match tag:
            case 0:
                return None
            case 1:
                return CompileUnit(scope(File))
            case 2:
                return File(self.string(entry), self.string(entry))
            case 3:
                return LexicalBlock(scope(Subprogram, LexicalBlock), scope(File), number(),
                                    number())
            case 4:
                return Location(scope(Subprogram, LexicalBlock), self.string(entry), number(),
                                number())
            case 5:
                found = Subprogram(scope(File), number(), self.string(entry), self.string(entry),
                                   scope(CompileUnit), number())
                if self.version >= V13_5:
                    entry.check(entry.varint() == 0, "flags of a subprogram")
                return found
            case 6:
                return CallSite(self.location(entry.varint()), self.location(entry.varint()))
        entry.check(False, f"debug tag {tag}")
