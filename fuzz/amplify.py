# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generates small bytecode files that could make a reader use much memory or time: they refer
to one large item many times, or contain an item that grows when it is written out. Random
mutation hardly ever finds such files, so they are built here, each of about a given size.
Most are valid frames around one idea; the reader may accept or refuse them.
"""

import argparse
import itertools
import pathlib

MAGIC = b"\x7fTileIR\0"
STRING, FUNCTION, DEBUG, CONSTANT, TYPE, GLOBAL = 1, 2, 3, 4, 5, 6
ALIGNMENT = {STRING: 4, FUNCTION: 8, DEBUG: 8, CONSTANT: 8, TYPE: 4}
RETURN = b"\x5c\0\0"

# Types that every file starts with, and their indexes.
I8, SCALAR, NO_ARGUMENTS, TOKEN, BARE_POINTER, POINTER = range(6)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--size", type=int, default=1 << 16, help="bytes of a file (%(default)s)")
    arguments = parser.parse_args()
    write_all(arguments.folder, arguments.size)


def write_all(folder: pathlib.Path, size: int) -> list[pathlib.Path]:
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for amplifier in AMPLIFIERS:
        files.append(folder / f"{amplifier.__name__}-{size}.tileirbc")
        files[-1].write_bytes(amplifier(size))
    return files


# --- Amplifiers ---------------------------------------------------------------------------


def one_constant_many_types(size):
    """One constant, used with every shape that has the same number of elements."""
    log = (size // 2).bit_length() - 1
    shapes = (tuple(1 << part for part in parts) for rank in range(1, 6)
              for parts in itertools.product(range(log + 1), repeat=rank) if sum(parts) == log)
    file = File()
    body, spent = b"", 0
    data = bytes(i * 37 % 251 for i in range(1 << log))
    for shape in shapes:
        if spent > size // 2:
            break
        body += b"\x10" + varint(file.type(tile(I8, shape))) + b"\0"
        spent += 14 + 8 * len(shape)
    return file.constant(data).entry(body + RETURN).bytes()


def one_signature_many_entries(size):
    """Thousands of arguments for each of thousands of entries."""
    file = File()
    signature = file.type(function([SCALAR] * (size // 2)))
    for _ in range(size // 40):
        file.entry(RETURN, signature)
    return file.bytes()


def one_string_many_prints(size):
    file = File()
    text = varint(file.string(b"x" * (size // 2)))
    return file.entry((b"\x55\0" + text + b"\0") * (size // 2 // 6) + RETURN).bytes()


def one_name_many_places(size):
    """Many operations in an entry with a long name, each of which could be marked with that name."""
    return File(name=b"k" * (size // 2)).entry(b"\x44\x03" * (size // 4) + RETURN).bytes()


def tokens(size):
    """The shortest operation with a result."""
    return File().entry(b"\x44\x03" * (size // 2) + RETURN).bytes()


def results(size):
    return File().entry(b"\x41" + varint(size) + b"\x01" * size + b"\0\x01\x01\0\x01\x11\0\0"
                        + RETURN).bytes()


def block_arguments(size):
    return File().entry(b"\x41\0\0\x01\x01" + varint(size) + b"\x01" * size + b"\x01\x11\0\0"
                        + RETURN).bytes()


def blocks(size):
    return File().entry(b"\x41\0\0\x01" + varint(size // 2) + b"\0\0" * (size // 2)).bytes()


def nested_loops(size):
    return File().entry(b"\x41\0\0\x01\x01\0\x02" * (size // 10) + b"\x0a\0\0" * (size // 10)
                        + RETURN).bytes()


def flat_loops(size):
    return File().entry(b"\x41\0\0\x01\x01\0\x01\x0a\0\0" * (size // 10) + RETURN).bytes()


def doubling_function_types(size):
    """A type whose levels each refer to the one below twice: its text is exponential."""
    file = File()
    below = NO_ARGUMENTS
    for _ in range(min(size // 10, 200)):
        below = file.type(function([below, below]))
    return file.entry(RETURN, below).bytes()


def doubling_type_in_an_error(size):
    """The same type in an error message."""
    file = File()
    below = NO_ARGUMENTS
    for _ in range(min(size // 10, 200)):
        below = file.type(function([below, below]))
    file.globals.append(b"\0" + varint(below) + b"\0\0")
    return file.constant(b"\x01").bytes()


def deep_function_types(size):
    file = File()
    below = NO_ARGUMENTS
    for _ in range(size // 10):
        below = file.type(function([below]))
    return file.entry(RETURN, below).bytes()


def doubling_call_sites(size):
    """Locations that each refer to the one below twice, as the location of a return."""
    file = File()
    attributes = [b"\x02\0\0", b"\x01\x01", b"\x05\x01\x01\0\0\x02\x01", b"\x04\x03\0\x01\x01"]
    for _ in range(min(size // 10, 200)):
        attributes.append(b"\x06" + varint(len(attributes)) * 2)
    return file.debug([[4, len(attributes)]], attributes).entry(RETURN, row=1).bytes()


def deep_lexical_blocks(size):
    file = File()
    attributes = [b"\x02\0\0", b"\x01\x01", b"\x05\x01\x01\0\0\x02\x01", b"\x04\x03\0\x01\x01"]
    scope = 3
    for _ in range(size // 12):
        attributes.append(b"\x03" + varint(scope) + b"\x01\x01\x01")
        scope = len(attributes)
    attributes.append(b"\x04" + varint(scope) + b"\0\x01\x01")
    return file.debug([[4, len(attributes)]], attributes).entry(RETURN, row=1).bytes()


def long_shape_many_operations(size):
    """Each reshape counts the elements of a shape with very many dimensions."""
    file = File()
    shape = varint(file.type(tile(I8, (1,) * min(size // 16, 2048))))
    body = b"\x10" + shape + b"\0" + b"".join(b"\x5b" + shape + varint(value)
                                              for value in range(size // 2 // 6))
    return file.constant(b"\x01").entry(body + RETURN).bytes()


def many_globals_many_uses(size):
    """A symbol is looked up by name for each use."""
    file = File().constant(b"\x01")
    vector = file.type(tile(I8, (1,)))
    count = size // 2 // 18
    names = [file.string(b"%x" % number) for number in range(count)]
    for name in names:
        file.globals.append(varint(name) + varint(vector) + b"\0\0")
    body = b"\x2c" + varint(POINTER) + varint(names[-1])
    return file.entry(body * (size // 2 // len(body)) + RETURN).bytes()


def many_entries(size):
    """The shortest entry, which still needs a unique name."""
    file = File()
    for _ in range(size // 14):
        file.entry(RETURN)
    return file.bytes()


AMPLIFIERS = [
    one_constant_many_types, one_signature_many_entries, one_string_many_prints,
    one_name_many_places, tokens, results, block_arguments, blocks, nested_loops, flat_loops,
    doubling_function_types, doubling_type_in_an_error, deep_function_types,
    doubling_call_sites, deep_lexical_blocks, long_shape_many_operations,
    many_globals_many_uses, many_entries]


# --- The frame (bytecode format, 2 to 8 and 13) ---------------------------------------------


class File:
    """A file of version 13.1; string 0 names the first entry, later ones are named by number."""

    def __init__(self, name=b"k"):
        self.strings, self.constants, self.globals, self.entries = [name], [], [], []
        self.types = [b"\x01", tile(I8, ()), function([]), b"\x11", b"\x0c\0",
                      tile(BARE_POINTER, ())]
        self.debug_section = b""

    def string(self, text):
        self.strings.append(text)
        return len(self.strings) - 1

    def type(self, entry):
        self.types.append(entry)
        return len(self.types) - 1

    def constant(self, data):
        self.constants.append(varint(len(data)) + data)
        return self

    def entry(self, body, signature=NO_ARGUMENTS, row=0):
        name = self.string(b"e%x" % len(self.entries)) if self.entries else 0
        self.entries.append(varint(name) + varint(signature) + b"\x02" + varint(row)
                            + varint(len(body)) + body)
        return self

    def debug(self, rows, attributes):
        starts = list(itertools.accumulate(map(len, rows[:-1]), initial=0))
        refs = list(itertools.chain(*rows))
        section = pad(varint(len(rows)), 4) + b"".join(u(start, 4) for start in starts)
        section = pad(section + varint(len(refs)), 8) + b"".join(u(ref, 8) for ref in refs)
        section = pad(section + varint(len(attributes)), 4)
        offsets = itertools.accumulate(map(len, attributes[:-1]), initial=0)
        self.debug_section = (section + b"".join(u(offset, 4) for offset in offsets)
                              + b"".join(attributes))
        return self

    def bytes(self):
        file = MAGIC + b"\x0d\x01\0\0"
        payloads = {
            FUNCTION: varint(len(self.entries)) + b"".join(self.entries),
            GLOBAL: varint(len(self.globals)) + b"".join(self.globals) if self.globals else b"",
            CONSTANT: table(self.constants, 8), DEBUG: self.debug_section,
            TYPE: table(self.types, 4), STRING: table(self.strings, 4)}
        for section, payload in payloads.items():
            if not payload:
                continue
            alignment = ALIGNMENT.get(section)
            file += bytes([section | (0x80 if alignment else 0)]) + varint(len(payload))
            if alignment:
                file = pad(file + varint(alignment), alignment)
            file += payload
        return file + b"\0"


def table(entries, width):
    offsets = itertools.accumulate(map(len, entries[:-1]), initial=0) if entries else ()
    return (pad(varint(len(entries)), width) + b"".join(u(offset, width) for offset in offsets)
            + b"".join(entries))


def tile(element, shape):
    return b"\x0d" + varint(element) + varint(len(shape)) + b"".join(u(n, 8) for n in shape)


def function(inputs):
    return b"\x10" + varint(len(inputs)) + b"".join(map(varint, inputs)) + b"\0"


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def u(value, width):
    return value.to_bytes(width, "little")


def pad(data, alignment):
    return data + b"\xcb" * (-len(data) % alignment)


if __name__ == "__main__":
    main()
