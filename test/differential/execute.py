# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a family of programs, and collects the outcome.

Starting a process takes longer than running a program, so the programs of a family share a launch:
one entry, with all parameters one after the other. In a library, each program has its own entry, and
another program (`host.py`) launches them in turn. Arrays are passed as .npy files; inputs are
written once for all variants.
"""

import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass, field

import numpy as np

from elements import FLOATS, word
from tileir import Parameter, Program, entry_name, module_text

HOST = pathlib.Path(__file__).parent / "host.py"
TIME_LIMIT = 300  # seconds per launch
NATIVE = {"f16": "f2", "f32": "f4", "f64": "f8", "i1": "b1",
          "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8"}


@dataclass(frozen=True)
class Variant:
    """A configuration in which programs run, with its command-line options."""

    name: str
    flags: tuple[str, ...]
    threads: int = 0  # if not 0: compile a library with the flags, and run it on this many threads
    host: pathlib.Path | None = None  # the program that runs it, if not host.py
    fault: tuple[str, str] | None = None  # a replacement of text in the program, to simulate a bug


# Warnings of the reference machine about unspecified values, which may differ between executors.
WARNING = re.compile(r"warning: .*\[(?:unspecified|shift)\]$", re.MULTILINE)


@dataclass
class Outcome:
    status: int
    stdout: str = ""
    stderr: str = ""
    arrays: list[list[np.ndarray]] = field(default_factory=list)  # the outputs of each program
    on_gpu: bool = False

    @property
    def complaint(self) -> str:
        """A one-line error message; empty on success."""
        if self.status == 0:
            warning = WARNING.search(self.stderr)
            return warning[0] if warning else ""
        if self.status < 0:
            return f"died from signal {-self.status}"
        lines = self.stderr.strip().splitlines()
        first = re.sub(r"^\S*/", "", lines[0]) if lines else ""
        return f"exit status {self.status}: {first}"


class Launch:
    """Programs in a folder, ready to run. Compiled code is kept in `cache`, so that a program is
    not compiled again for another number of threads."""

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
            return scalar_text(parameter)
        if parameter.check and not parameter.content.any():
            return f"zeros({len(parameter.content)}x{parameter.element})"
        return write_array(self.folder / f"in{name}.npy", parameter)

    # --- Commands -----------------------------------------------------------------------------

    def commands(self, variant: Variant, file: pathlib.Path | None = None) -> list[list[str]]:
        """Runs one program after the other; `file` may be another module with the same parameters."""
        if variant.threads:
            return self.library_commands(variant, file)
        made = [str(self.tilewright), "run", str(file or self.file), "--quiet", "--grid",
                ",".join(map(str, self.programs[0].grid)), *variant.flags]
        for number, (parameter, argument) in enumerate(self.arguments):
            if parameter.check:
                argument += f",out={self.result(number, variant)}"
            made += ["--arg", argument]
        return [made]

    def library_commands(self, variant: Variant, file: pathlib.Path | None) -> list[list[str]]:
        """Compiles, then runs. Each program is a separate entry."""
        if file is None:
            file = self.folder / "library.mlir"
            file.write_text(module_text(self.programs, entries=True))
        library, plan = self.folder / f"{variant.name}.so", self.folder / f"{variant.name}.plan"
        contents = {"grid": (*self.programs[0].grid, 1, 1)[:3], "threads": variant.threads,
                    "entries": self.library_entries(variant)}
        plan.write_text(plain_plan(contents) if variant.host else json.dumps(contents))
        host = [variant.host] if variant.host else [sys.executable, "-I", "-S", HOST]
        return [[str(self.tilewright), "compile", str(file), *variant.flags, "-o", str(library)],
                [*map(str, host), str(library), str(plan)]]

    def library_entries(self, variant: Variant) -> list:
        made, number = [], 0
        for p, program in enumerate(self.programs):
            parameters = []
            for k, parameter in enumerate(program.parameters):
                if parameter.scalar:
                    parameters.append((parameter.element, int(parameter.content[0])))
                else:
                    source = self.folder / f"in{p}-{k}.npy"
                    if not source.exists():
                        write_array(source, parameter)
                    result = str(self.result(number, variant)) if parameter.check else None
                    parameters.append(("array", str(source), result))
                number += 1
            made.append((entry_name(p), parameters))
        return made

    def command_line(self, variant: Variant) -> str:
        return " && ".join(map(shlex.join, self.commands(variant)))

    def result(self, number: int, variant: Variant) -> pathlib.Path:
        return self.folder / f"out-{variant.name}-{number}.npy"

    # --- Running ------------------------------------------------------------------------------

    def run(self, variant: Variant, instead: list[Program] | None = None) -> Outcome:
        """`instead` may contain other programs with the same parameters."""
        file = None
        if instead or variant.fault:
            text = module_text(instead or self.programs, entries=variant.threads > 0)
            file = self.folder / f"{variant.name}.mlir"
            file.write_text(text.replace(*variant.fault) if variant.fault else text)
        outcome = Outcome(0)
        for command in self.commands(variant, file):
            try:
                ended = subprocess.run(command, capture_output=True, text=True, errors="replace",
                                       timeout=TIME_LIMIT, env=self.environment)
            except subprocess.TimeoutExpired:
                return Outcome(124, stderr=f"did not end within {TIME_LIMIT} s")
            outcome = Outcome(ended.returncode, ended.stdout, ended.stderr,
                              on_gpu="gpu" in variant.flags)
            if ended.returncode != 0:
                return outcome
        number = 0
        for program in self.programs:
            outcome.arrays.append([])
            for parameter in program.parameters:
                if parameter.check:
                    outcome.arrays[-1].append(read_array(self.result(number, variant), parameter))
                number += 1
        return outcome


def plain_plan(plan: dict) -> str:
    """Writes the plan for the host in C."""
    lines = [f"grid {' '.join(map(str, plan['grid']))}", f"threads {plan['threads']}"]
    for name, parameters in plan["entries"]:
        lines.append(f"entry {name} {len(parameters)}")
        lines += [f"array {p[1]} {p[2] or '-'}" if p[0] == "array" else f"scalar {p[1]}"
                  for p in parameters]
    return "\n".join([*lines, ""])


def build_host(sanitizer: str, tilewright: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """Builds the host in C, which finds data races and out-of-bounds accesses."""
    folder.mkdir(parents=True, exist_ok=True)
    made, libraries = folder / f"host-{sanitizer}", tilewright.parent.parent / "lib"
    root = HOST.parents[2]
    subprocess.run(["cc", f"-fsanitize={sanitizer}", "-O1", "-g", f"-I{root}",
                    str(HOST.parent / "sanitized.c"), f"-L{libraries}", "-ltilewright-runtime",
                    f"-Wl,-rpath,{libraries}", "-o", str(made)], check=True)
    return made


def scalar_text(parameter: Parameter) -> str:
    bits, element = int(parameter.content[0]), parameter.element
    if element in FLOATS:
        return f"0x{bits >> FLOATS[element].low_zeros:X}"
    top = 8 * parameter.content.itemsize - 1
    return str(bits - (2 << top) if bits >> top and top > 0 else bits)


# --- Arrays -------------------------------------------------------------------------------------


def write_array(file: pathlib.Path, parameter: Parameter) -> str:
    """Writes an array like NumPy, but faster."""
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
