# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads what a cubin says about a kernel: parameters, threads, registers, stack and shared memory.

A cubin is a 64-bit ELF file. Attributes are in the sections .nv.info, for all kernels, and .nv.info.KERNEL. An
attribute has a format (byte), a number (byte), and two bytes: a value, or with format 4 the size of the value that
follows.
"""

import struct
from dataclasses import dataclass

SIZED = 4  # the format of attributes whose value follows
REQUIRED_THREADS, PARAMETER, PARAMETER_NEW, FRAME, REGISTERS = 0x10, 0x17, 0x45, 0x11, 0x2F


class CubinError(Exception):
    """The file is not a cubin, or has no such kernel."""


@dataclass
class Kernel:
    parameters: list[tuple[int, int]]  # offset and size, in order
    threads: tuple[int, ...] | None  # that a launch must have; None if the kernel does not say
    registers: int
    stack: int  # bytes per thread
    shared: int  # bytes per CTA


def sections(elf: bytes) -> dict[str, tuple[bytes, int]]:
    """The contents of sections, and their sizes in memory."""
    if elf[:5] != b"\x7fELF\2":
        raise CubinError("it is not a 64-bit ELF file")
    start, = struct.unpack_from("<Q", elf, 0x28)
    step, count, strings = struct.unpack_from("<HHH", elf, 0x3A)
    names, = struct.unpack_from("<Q", elf, start + strings * step + 0x18)
    found = {}
    for header in range(start, start + count * step, step):
        name, = struct.unpack_from("<I", elf, header)
        offset, size = struct.unpack_from("<QQ", elf, header + 0x18)
        text = elf[names + name:elf.index(b"\0", names + name)].decode()
        found[text] = elf[offset:offset + size], size
    return found


def attributes(data: bytes) -> list[tuple[int, bytes]]:
    """The attributes that have a sized value."""
    found, at = [], 0
    while at + 4 <= len(data):
        form, number, size = struct.unpack_from("<BBH", data, at)
        at += 4
        if form == SIZED:
            found.append((number, data[at:at + size]))
            at += size
    return found


def kernel(elf: bytes, name: str) -> Kernel:
    found = sections(elf)
    if f".nv.info.{name}" not in found:
        raise CubinError(f"the cubin has no kernel {name}")
    own = attributes(found[f".nv.info.{name}"][0])
    both = attributes(found.get(".nv.info", (b"", 0))[0])  # of this kernel, if the cubin has only one

    def largest(number: int) -> int:
        return max((struct.unpack_from("<I", value, 4)[0] for which, value in both if which == number), default=0)

    threads = [struct.unpack("<3I", value) for which, value in own if which == REQUIRED_THREADS]
    return Kernel(parameters(own), threads[0] if threads else None, largest(REGISTERS), largest(FRAME),
                  found.get(f".nv.shared.{name}", (b"", 0))[1])


def parameters(own: list[tuple[int, bytes]]) -> list[tuple[int, int]]:
    """Offset and size by ordinal. The size has 14 bits above bit 18; in the new form, the low 16 bits."""
    found = {}
    for number, value in own:
        if number in (PARAMETER, PARAMETER_NEW):
            ordinal, offset, size = struct.unpack_from("<HHI", value, 4)
            found[ordinal] = offset, size & 0xFFFF if number == PARAMETER_NEW else size >> 18
    return [found[ordinal] for ordinal in sorted(found)]
