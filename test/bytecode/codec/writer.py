# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Encodes sections: bytes in the primitive encodings of bytecode format, 1, and tables whose
entries are looked up by content.
"""

from collections.abc import Hashable

from .conventions import Convention, zigzag


class Inexpressible(Exception):
    """The version cannot represent the program (bytecode format, 14.1)."""


class Writer:
    """Bytes of a section, or of a part of one that is appended later."""

    def __init__(self, convention: Convention):
        self.convention, self.data = convention, bytearray()

    def bytes(self, data: bytes) -> None:
        self.data += data

    def u8(self, value: int) -> None:
        self.data.append(value)

    def fixed(self, value: int, size: int) -> None:
        self.data += value.to_bytes(size, "little", signed=value < 0)

    def flag(self, value: bool) -> None:
        self.u8(self.convention.true_byte() if value else 0)

    def varint(self, value: int) -> None:
        self.data += self.convention.varint(value)

    def svarint(self, value: int) -> None:
        self.varint(zigzag(value))

    def vector(self, values: tuple[int, ...], size: int) -> None:
        self.varint(len(values))
        for value in values:
            self.fixed(value, size)

    def align(self, alignment: int) -> None:
        self.data += self.convention.padding(-len(self.data) % alignment)


class Table:
    """Table entries, looked up by content and added if missing."""

    def __init__(self, convention: Convention, entries: list):
        self.convention, self.entries = convention, list(entries)
        self.places: dict[Hashable, list[int]] = {}
        for index, entry in enumerate(entries):
            self.places.setdefault(entry, []).append(index)

    def index(self, entry: Hashable) -> int:
        places = self.places.setdefault(entry, [])
        if not places:
            places.append(len(self.entries))
            self.entries.append(entry)
        return self.convention.choose(places)
