# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How does a family of programs run, and what did it leave?

Starting a process costs more than a program does, so the programs of a family share a
launch: one entry, all parameters one after the other. Arrays travel as .npy files, the
inputs written once for all variants.
"""

import os
import pathlib
import re
import shlex
import subprocess
from dataclasses import dataclass, field

import numpy as np

from elements import word
from tileir import Parameter, Program, module_text

TIME_LIMIT = 300  # seconds for one launch
NATIVE = {"f16": "f2", "f32": "f4", "f64": "f8", "i1": "b1",
          "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8"}


@dataclass(frozen=True)
class Variant:
    """A way to run a program, by the options that it takes."""

    name: str
    flags: tuple[str, ...]
    fault: tuple[str, str] | None = None  # what it reads in place of what stands in a program


@dataclass
class Outcome:
    status: int
    stdout: str = ""
    stderr: str = ""
    arrays: list[list[np.ndarray]] = field(default_factory=list)  # of each program's outputs

    @property
    def complaint(self) -> str:
        """What went wrong, in a line; nothing if all went well."""
        if self.status == 0:
            return ""
        if self.status < 0:
            return f"died from signal {-self.status}"
        lines = self.stderr.strip().splitlines()
        first = re.sub(r"^\S*/", "", lines[0]) if lines else ""
        return f"exit status {self.status}: {first}"


class Launch:
    """Programs in a folder, ready to run. What is compiled is kept in `cache`, so that a
    program is not compiled again for another number of threads."""

    def __init__(self, tilewright: pathlib.Path, programs: list[Program],
                 folder: pathlib.Path, cache: pathlib.Path) -> None:
        self.tilewright = tilewright
        self.programs = programs
        self.folder = folder
        self.environment = os.environ | {"TILEWRIGHT_CACHE_DIR": str(cache)}
        self.file = folder / "program.mlir"
        self.file.write_text(module_text(programs))
        self.arguments: list[tuple[Parameter, str]] = []
        for p, program in enumerate(programs):
            for k, parameter in enumerate(program.parameters):
                self.arguments.append((parameter, self.argument(parameter, f"{p}-{k}")))

    def argument(self, parameter: Parameter, name: str) -> str:
        if parameter.scalar:
            bits = int(parameter.content[0])
            top = 8 * parameter.content.itemsize - 1
            return str(bits - (2 << top) if bits >> top and top > 0 else bits)
        if parameter.check and not parameter.content.any():
            return f"zeros({len(parameter.content)}x{parameter.element})"
        return write_array(self.folder / f"in{name}.npy", parameter)

    def command(self, variant: Variant, file: pathlib.Path | None = None) -> list[str]:
        made = [str(self.tilewright), "run", str(file or self.file), "--quiet", "--grid",
                ",".join(map(str, self.programs[0].grid)), *variant.flags]
        for number, (parameter, argument) in enumerate(self.arguments):
            if parameter.check:
                argument += f",out={self.result(number, variant)}"
            made += ["--arg", argument]
        return made

    def command_line(self, variant: Variant) -> str:
        return shlex.join(self.command(variant))

    def result(self, number: int, variant: Variant) -> pathlib.Path:
        return self.folder / f"out-{variant.name}-{number}.npy"

    def run(self, variant: Variant, text: str | None = None) -> Outcome:
        """`text` may be another module of the same parameters."""
        file = None
        if variant.fault:
            text = (text or self.file.read_text()).replace(*variant.fault)
        if text is not None:
            file = self.folder / f"{variant.name}.mlir"
            file.write_text(text)
        try:
            ended = subprocess.run(self.command(variant, file), capture_output=True, text=True,
                                   errors="replace", timeout=TIME_LIMIT,
                                   env=self.environment)
        except subprocess.TimeoutExpired:
            return Outcome(124, stderr=f"did not end within {TIME_LIMIT} s")
        outcome = Outcome(ended.returncode, ended.stdout, ended.stderr)
        if ended.returncode == 0:
            number = 0
            for program in self.programs:
                outcome.arrays.append([])
                for parameter in program.parameters:
                    if parameter.check:
                        outcome.arrays[-1].append(
                            read_array(self.result(number, variant), parameter))
                    number += 1
        return outcome


# --- Arrays -------------------------------------------------------------------------------------


def write_array(file: pathlib.Path, parameter: Parameter) -> str:
    """As NumPy would write it, without its deliberation."""
    words = np.asarray(parameter.content, word(parameter.element))
    if parameter.element == "f4E2M1FN":  # two per byte, the even one low (types, 2.3)
        words = np.append(words, np.zeros(len(words) % 2, np.uint8))
        words = words[0::2] | words[1::2] << 4
    kind = NATIVE.get(parameter.element, f"u{words.itemsize}")
    order = "|" if words.itemsize == 1 else "<"
    head = f"{{'descr': '{order}{kind}', 'fortran_order': False, 'shape': ({len(words)},), }}"
    head = head.ljust(117) + "\n"
    file.write_bytes(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode()
                     + words.tobytes())
    return str(file)


def read_array(file: pathlib.Path, parameter: Parameter) -> np.ndarray:
    data = file.read_bytes()
    begin = 10 + int.from_bytes(data[8:10], "little")
    if parameter.element == "f4E2M1FN":
        pairs = np.frombuffer(data, np.uint8, offset=begin)
        return np.stack([pairs & 15, pairs >> 4], axis=-1).reshape(-1)[:len(parameter.content)]
    return np.frombuffer(data, word(parameter.element), offset=begin)
