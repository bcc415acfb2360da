# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A `tilewright` whose `run` compiles for AArch64 and launches under qemu.

    emulate.py make FOLDER --tilewright PROGRAM

builds our runtime and launcher.c for AArch64 and writes FOLDER/tilewright. It accepts
`run FILE [--device cpu] --entry NAME --grid X[,Y[,Z]] [--threads N] [--arg VALUE[,out=FILE]]...`
where a VALUE is an array in a .npy file, zeros(NxELEMENT), or a scalar; everything else is passed to PROGRAM. So tests
of `tilewright run --device cpu` can also test the compiler for AArch64.
"""

import argparse
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
LAUNCHER = pathlib.Path(__file__).with_name("launcher.c")
TRIPLE = "aarch64-linux-gnu"
# C types of scalar parameters, as struct packs them.
CODES = {"bool": "?", "int8_t": "b", "int16_t": "h", "int32_t": "i", "int64_t": "q",
         "uint8_t": "B", "uint16_t": "H", "float": "f", "double": "d"}


def main() -> int:
    if sys.argv[1:2] == ["make"]:
        return make(sys.argv[2:])
    folder, program, *rest = sys.argv[1:]
    if rest[:1] != ["run"] or "--help" in rest:
        return subprocess.run([program, *rest]).returncode
    return run(pathlib.Path(folder), program, rest[1:])


def make(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tilewright", required=True)
    options = parser.parse_args(words)
    options.folder.mkdir(parents=True, exist_ok=True)

    runtime = ROOT / "tilewright" / "runtime"
    sources = [file for file in sorted(runtime.glob("*.cpp")) if not file.stem.endswith("_test")]
    launcher = options.folder / "launcher.o"
    flags = ["-O1", "-Wno-psabi", f"-I{ROOT}"]
    subprocess.run([f"{TRIPLE}-gcc", *flags, "-c", LAUNCHER, "-o", launcher], check=True)
    # Kernels use the runtime of the program that loads them.
    subprocess.run([f"{TRIPLE}-g++", *flags, "-std=c++20", *sources, launcher, "-rdynamic",
                    "-pthread", "-o", options.folder / "launcher"], check=True)
    script = options.folder / "tilewright"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{__file__}" "{options.folder}" '
                      f'"{options.tilewright}" "$@"\n')
    script.chmod(0o755)
    return 0


def run(folder: pathlib.Path, program: str, words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="tilewright run")
    parser.add_argument("file")
    parser.add_argument("--device", choices=["cpu"])
    parser.add_argument("--entry", required=True)
    parser.add_argument("--grid", required=True)
    parser.add_argument("--threads", default="0")
    parser.add_argument("--arg", action="append", default=[], dest="arguments")
    options = parser.parse_args(words)

    with tempfile.TemporaryDirectory(prefix="tilewright-emulated-") as work:
        library, header = pathlib.Path(work, "k.so"), pathlib.Path(work, "k.h")
        compiled = subprocess.run([program, "compile", options.file, "--target", "cpu=aarch64",
                                   "-o", library, "--header", header])
        if compiled.returncode:
            return compiled.returncode
        types = parameter_types(header.read_text(), options.entry)
        arguments = [Argument(text, c_type, pathlib.Path(work, f"{i}.bin"))
                     for i, (text, c_type) in enumerate(zip(options.arguments, types, strict=True))]
        ended = subprocess.run(
            ["qemu-aarch64", "-L", f"/usr/{TRIPLE}", folder / "launcher", library,
             f"{options.entry}_kernel", options.grid, options.threads,
             *(argument.slot for argument in arguments)])
        if ended.returncode == 0:
            for argument in arguments:
                argument.finish()
        return ended.returncode


def parameter_types(header: str, entry: str) -> list[str]:
    """The parameter types in the header."""
    listed = re.search(rf"^int {entry}_launch\(const uint32_t grid\[3\](.*), int threads\);$",
                       header, re.MULTILINE)[1]
    return [re.sub(r" ?arg\d+$", "", part).strip() for part in listed.split(",")[1:]]


class Argument:
    """A scalar, or an array that the launcher reads from and writes to `file`."""

    def __init__(self, text: str, c_type: str, file: pathlib.Path):
        value, *wishes = text.split(",")
        self.array, self.file, self.output = None, file, None
        for wish in wishes:
            self.output = wish.removeprefix("out=")
        if c_type.endswith("*"):
            self.array = array_of(value)
            file.write_bytes(self.array.tobytes())
            self.slot = str(file)
        else:
            self.slot = hex(bits_of(value, c_type))

    def finish(self) -> None:
        if self.output:
            found = np.frombuffer(self.file.read_bytes(), self.array.dtype)
            np.save(self.output, found.reshape(self.array.shape))


def array_of(text: str) -> np.ndarray:
    if text.endswith(".npy"):
        return np.load(text, allow_pickle=False)
    count, element = re.fullmatch(r"zeros\((\d+)x(\w+)\)", text).groups()
    bits = 64 if element == "ptr" else 32 if element == "tf32" else \
        int(re.match(r"[a-z]+(\d+)", element)[1])
    # Two f4E2M1FN share a byte (types, 2.3).
    size = (int(count) + 1) // 2 if bits == 4 else int(count)
    return np.zeros(size, f"u{max(bits, 8) // 8}")


def bits_of(text: str, c_type: str) -> int:
    """The bits of a scalar; a float type that C lacks is given as bits."""
    if text.startswith("0x"):
        return int(text, 16)
    number = float(text) if c_type in ("float", "double") else int(text)
    return int.from_bytes(struct.pack("<" + CODES[c_type], number), "little")


if __name__ == "__main__":
    sys.exit(main())
