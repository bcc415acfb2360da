# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a program with an entry `add` for every GPU that has a cubin, and reads the ELF files:
`cubins.py TILEIRAS PROGRAM OUTPUT`."""

import pathlib
import struct
import subprocess
import sys

tileiras, program, output = sys.argv[1:]
CUDA_MACHINE, GLOBAL_FUNCTION = 190, 0x12  # EM_CUDA; STB_GLOBAL, STT_FUNC
CAPABILITIES = (75, 80, 86, 87, 89, 90, 100, 103, 110, 120, 121)


def text_at(strings: bytes, at: int) -> str:
    return strings[at:strings.index(b"\0", at)].decode()


def sections(elf: bytes) -> dict[str, bytes]:
    """By name. The ELF header is 64 bytes long, and has the offset, size, number of section headers, and which one
    has the names, at 40, 58, 60 and 62."""
    (first,), (size, count, names) = struct.unpack_from("<Q", elf, 40), struct.unpack_from("<HHH", elf, 58)
    rows = [struct.unpack_from("<IIQQQQ", elf, first + i * size) for i in range(count)]
    contents = [elf[offset:offset + length] for _, _, _, _, offset, length in rows]
    return {text_at(contents[names], name): content for (name, *_), content in zip(rows, contents)}


def functions(found: dict[str, bytes]) -> list[str]:
    symbols = struct.iter_unpack("<IBBHQQ", found[".symtab"])
    return [text_at(found[".strtab"], name) for name, kind, *_ in symbols if kind == GLOBAL_FUNCTION]


for capability in CAPABILITIES:
    subprocess.run([tileiras, program, "-o", output, "--gpu-name", f"sm_{capability}", "--lineinfo"], check=True)
    elf = pathlib.Path(output).read_bytes()
    assert elf.startswith(b"\x7fELF") and struct.unpack_from("<H", elf, 18) == (CUDA_MACHINE,)
    assert capability in struct.unpack_from("<4B", elf, 48), (capability, elf[48:52])  # the processor's flags
    found = sections(elf)
    assert functions(found) == ["add"] and found[".text.add"]
    assert pathlib.Path(program).name.encode() in found[".debug_line"]
