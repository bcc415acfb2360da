# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests with_section_size of test/gpu/probe_code.py with a hand-made ELF file, whose sections and segments are those that
ptxas 13.0 writes for 32 KiB of static shared memory.

    section_size.py FOLDER
"""

import struct
import sys

sys.path.insert(0, sys.argv[1])
import probe_code

NAMES = b"\0.shstrtab\0.text.k\0.nv.shared.k\0"
TEXT, AT = 0x40, 0x80  # offsets of names and code
SECTIONS, SEGMENTS = 0x100, 0x300


def section(name: bytes, kind: int, offset: int, size: int) -> bytes:
    return struct.pack("<IIQQQQIIQQ", NAMES.index(name) if name else 0, kind, 0, 0, offset, size, 0, 0, 1, 0)


def segment(offset: int, in_file: int, in_memory: int) -> bytes:
    return struct.pack("<IIQQQQQQ", 1, 4, offset, 0, 0, in_file, in_memory, 8)


def elf() -> bytes:
    sections = [section(b"", 0, 0, 0), section(b".shstrtab", 3, TEXT, len(NAMES)),
                section(b".text.k", 1, AT, 64), section(b".nv.shared.k", 8, AT + 64, 0x8000)]
    segments = [segment(AT, 64, 64), segment(AT + 64, 0, 0x8000)]
    header = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 2, 190, 1, 0, SEGMENTS, SECTIONS, 0, 64, 56,
                         len(segments), 64, len(sections), 1)
    file = bytearray(0x400)
    for at, part in ((0, header), (TEXT, NAMES), (SECTIONS, b"".join(sections)), (SEGMENTS, b"".join(segments))):
        file[at:at + len(part)] = part
    return bytes(file)


before = elf()
after = probe_code.with_section_size(before, ".nv.shared.k", 65536)
words = [struct.unpack_from("<Q", after, at)[0] for at in (SECTIONS + 3 * 64 + 0x20, SEGMENTS + 56 + 0x28)]
differ = sum(before[at:at + 4] != after[at:at + 4] for at in range(0, len(before), 4))
print(f".nv.shared.k: {words[0]} bytes, its segment {words[1]} bytes, {differ} numbers differ")
for name in (".text.k", ".data"):
    try:
        probe_code.with_section_size(before, name, 1)
    except ValueError as error:
        print(f"{name}: {error}")
