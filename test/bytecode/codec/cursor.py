# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decodes the primitive encodings of bytecode format, section 1, at a position. A cursor stays
within its part of the file; a `tolerant` one accepts any legal form.
"""


class Malformed(Exception):
    pass


def unzigzag(value: int) -> int:
    return value >> 1 ^ -(value & 1)


class Cursor:
    """A position in the payload of a section, or in a part of it that ends early."""

    def __init__(self, data: bytes, start: int, end: int, tolerant: bool, base: int | None = None):
        self.data, self.at, self.end, self.tolerant = data, start, end, tolerant
        self.base = start if base is None else base  # alignment counts from here

    def check(self, truth: object, what: str) -> None:
        if not truth:
            raise Malformed(f"byte {self.at:#x}: {what}")

    def bytes(self, count: int) -> bytes:
        self.check(count <= self.end - self.at, f"{count} bytes wanted, {self.end - self.at} left")
        self.at += count
        return self.data[self.at - count:self.at]

    def fixed(self, size: int, signed: bool = False) -> int:
        return int.from_bytes(self.bytes(size), "little", signed=signed)

    def u8(self) -> int:
        return self.fixed(1)

    def flag(self) -> bool:
        byte = self.u8()
        self.check(byte < 2 or self.tolerant, f"a boolean is {byte}")
        return byte != 0

    def varint(self, limit: int = (1 << 64) - 1) -> int:
        value = 0
        for group in range(10):
            byte = self.u8()
            value |= (byte & 0x7F) << 7 * group
            if byte < 0x80:
                self.check(byte or group == 0 or self.tolerant, "a padded varint")
                self.check(value <= limit, f"{value} exceeds {limit}")
                return value
        self.check(False, "a varint longer than 10 bytes")

    def svarint(self) -> int:
        return unzigzag(self.varint())

    def vector(self, size: int) -> tuple[int, ...]:
        count = self.varint(self.end - self.at)
        return tuple(self.fixed(size, signed=True) for _ in range(count))

    def align(self, alignment: int) -> None:
        padding = self.bytes((self.base - self.at) % alignment)
        self.check(self.tolerant or padding.count(0xCB) == len(padding), "odd padding")

    def done(self, what: str) -> None:
        self.check(self.at == self.end, f"{self.end - self.at} bytes left at the end of {what}")

    def part(self, length: int) -> "Cursor":
        start = self.at
        self.bytes(length)
        return Cursor(self.data, start, self.at, self.tolerant, self.base)
