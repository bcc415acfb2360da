# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The choices that the format leaves to a writer, made in three ways: as the reference writer
makes them, as cuTile Python makes them (both in bytecode format, 2, 16 and 17), and randomly
among all legal ones.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from .layouts import CONSTANT, DEBUG, FUNCTION, GLOBAL, PRODUCER, STRING, TYPE
from .program import (
    I1, Attribute, Bool, Constant, Dictionary, Integer, Scalar, count_elements, element_size,
    read_booleans)


@dataclass
class Tables:
    """The initial contents of the tables."""

    strings: list = field(default_factory=list)
    types: list = field(default_factory=list)
    constants: list = field(default_factory=list)
    debug: list = field(default_factory=list)


def minimal_varint(value: int) -> bytes:
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(encoded) + bytes([value])


def zigzag(value: int) -> int:
    """Encodes 64 bits, read as signed (bytecode format, 1.2)."""
    value &= (1 << 64) - 1
    return (value << 1 ^ -(value >> 63)) & (1 << 64) - 1


class Convention:
    """The choices of the reference writer, which our own writer follows."""

    def __init__(self, tables: Tables | None = None):
        self.tables = tables or Tables()

    def version_tag(self) -> int:
        return 0

    def section_order(self) -> Sequence[int]:
        return GLOBAL, FUNCTION, CONSTANT, DEBUG, TYPE, PRODUCER, STRING

    def writes_empty(self, section: int) -> bool:
        return False

    def alignment(self, section: int, required: int | None) -> int | None:
        return required

    def padding(self, count: int) -> bytes:
        return b"\xcb" * count

    def pads_empty_tables(self) -> bool:
        return True

    def end_functions(self, payload) -> None:
        payload.align(8)

    def varint(self, value: int) -> bytes:
        return minimal_varint(value)

    def double(self, bits: int) -> bytes:
        """Encodes the bits of an f64 attribute."""
        return self.varint(zigzag(bits))

    def true_byte(self) -> int:
        return 1

    def private_flag(self) -> int:
        return 0

    def choose(self, places: list[int]) -> int:
        """Selects one of the equal entries of a table."""
        return places[0]

    def constant_entry(self, constant: Constant) -> Constant | bytes:
        """The key for comparing constants: the bytes alone, or with their type."""
        return constant

    def boolean(self, attribute: Attribute) -> Attribute:
        """A boolean is an integer of one bit."""
        return Integer(I1, int(attribute.value)) if isinstance(attribute, Bool) else attribute

    def entries(self, dictionary: Dictionary) -> Sequence[tuple[bytes, Attribute]]:
        return sorted(dictionary.entries, key=lambda entry: entry[0])

    def rows(self, locations: list) -> list[int]:
        """The rows for functions with these locations."""
        located = 0
        return [(located := located + 1) if location is not None else 0 for location in locations]

    def place_rows(self, rows: dict[int, list[int]]) -> tuple[list[int], list[int]]:
        """The start of each row, and all references."""
        starts, references = [], []
        for row in sorted(rows):
            starts.append(len(references))
            references += rows[row]
        return starts, references

    def dummy_attributes(self) -> list:
        """The replacement for an empty table of debug attributes."""
        return []

    def unknown_reference(self, unknowns: list[int]) -> int:
        """An ID for `unknown`, given its entries in the table."""
        return 0


class CuTile(Convention):
    def __init__(self, tables: Tables | None = None):
        super().__init__(tables or Tables(types=[I1, Scalar("i32")]))

    def section_order(self) -> Sequence[int]:
        return FUNCTION, GLOBAL, CONSTANT, DEBUG, TYPE, STRING, PRODUCER

    def writes_empty(self, section: int) -> bool:
        return section in (CONSTANT, DEBUG)

    def end_functions(self, payload) -> None:
        pass

    def double(self, bits: int) -> bytes:
        return minimal_varint(2 * bits)  # with a bit 64 if it is negative (17, item 4)

    def constant_entry(self, constant: Constant) -> bytes:
        return constant.raw

    def boolean(self, attribute: Attribute) -> Attribute:
        match attribute:
            case Integer(type_, value) if type_ == I1:
                return Bool(value == 1)
        return attribute

    def entries(self, dictionary: Dictionary) -> Sequence[tuple[bytes, Attribute]]:
        return dictionary.entries

    def rows(self, locations: list) -> list[int]:
        return list(range(1, len(locations) + 1))

    def dummy_attributes(self) -> list:
        return [None]


class Anything(Convention):
    """Makes every choice randomly. `tables` is what the reference convention would write."""

    def __init__(self, seed: int, tables: Tables):
        self.random = random.Random(seed)
        # Each file has its own probability of unusual choices; with a low one, choices occur alone.
        self.wildness = self.random.choice((0.0, 0.05, 0.3))
        self.bytewise = self.random.random() < 0.5  # booleans of constants
        super().__init__(Tables(
            self.shuffled(tables.strings, [b"", b"unused", bytes([0xFF, 0x00]), b"unused"]),
            self.shuffled(tables.types, [Scalar("f64"), I1, b"\x7f", b"\x0d\x01", b""]),
            self.shuffled([], [b"", b"\x05", bytes(24), b"\x05"]),
            self.shuffled(tables.debug, [None, None])))

    def rarely(self) -> bool:
        return self.random.random() < self.wildness

    def shuffled(self, entries: list, unused: list) -> list:
        again = [entry for entry in entries if self.rarely()]
        extra = self.random.sample(unused, self.random.randint(0, len(unused)))
        mixed = list(entries) + again + extra
        self.random.shuffle(mixed)
        return mixed

    def version_tag(self) -> int:
        return self.random.choice((0, 0, 1, 0xFFFF))

    def section_order(self) -> Sequence[int]:
        return self.random.sample(super().section_order(), 7)

    def writes_empty(self, section: int) -> bool:
        return self.random.random() < 0.5

    def alignment(self, section: int, required: int | None) -> int | None:
        if required is None:
            return self.random.choice((None, 1, 2, 16))
        return required << self.random.choice((0, 0, 1, 4))

    def padding(self, count: int) -> bytes:
        return self.random.randbytes(count)

    def pads_empty_tables(self) -> bool:
        return self.random.random() < 0.5

    def end_functions(self, payload) -> None:
        payload.bytes(self.random.randbytes(self.random.choice((0, 1, 7, 8, 100))))

    def varint(self, value: int) -> bytes:
        encoded = minimal_varint(value)
        if self.rarely():
            zeros = self.random.randint(0, 10 - len(encoded))
            for _ in range(zeros):
                encoded = encoded[:-1] + bytes([encoded[-1] | 0x80, 0])
        return encoded

    def true_byte(self) -> int:
        return self.random.choice((1, 1, 2, 0x7F))

    def choose(self, places: list[int]) -> int:
        return self.random.choice(places)

    def constant_entry(self, constant: Constant) -> bytes:
        tile, raw, count = constant.type, constant.raw, count_elements(constant.type)
        if tile.element == I1:
            values = read_booleans(count, raw)
            if count == 1 and values[0]:
                return bytes([self.random.choice((0x01, 0xFF, 0x80))])
            if not self.bytewise:
                return raw
            # A single byte 0x01 means "all true" only if it cannot be packed data (5.1).
            if raw == b"\xff" and count > 8 and self.random.random() < 0.5:
                return b"\x01"
            return bytes(values)
        whole = len(raw) == element_size(tile) and count < 1000 and self.random.random() < 0.3
        return raw * count if whole else raw

    def boolean(self, attribute: Attribute) -> Attribute:
        match attribute:
            case Integer(type_, value) if type_ == I1 and self.random.random() < 0.5:
                return Bool(value == 1)
            case Bool(value) if self.random.random() < 0.5:
                return Integer(I1, int(value))
        return attribute

    def entries(self, dictionary: Dictionary) -> Sequence[tuple[bytes, Attribute]]:
        return self.random.sample(dictionary.entries, len(dictionary.entries))

    def rows(self, locations: list) -> list[int]:
        numbers = self.random.sample(range(1, len(locations) + 3), len(locations))
        return [row if location is not None or self.random.random() < 0.5 else 0
                for row, location in zip(numbers, locations)]

    def place_rows(self, rows: dict[int, list[int]]) -> tuple[list[int], list[int]]:
        """Some rows in another order, some with unused references between them."""
        count = max(rows, default=0)
        starts, references = [0] * count, [0] * self.random.randint(0, 2)
        for row in self.random.sample(range(1, count + 1), count):
            starts[row - 1] = len(references)
            references += rows.get(row, [0]) + [0] * self.random.choice((0, 0, 3))
        return starts, references

    def dummy_attributes(self) -> list:
        return self.random.choice(([], [None]))

    def unknown_reference(self, unknowns: list[int]) -> int:
        return self.random.choice([0] + [place + 1 for place in unknowns])
