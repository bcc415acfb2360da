# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the commands on a program, and decides which outcomes are failures."""

import collections
import json
import pathlib
import random
import re
import shlex
from dataclasses import dataclass

from corpus import ALLOW
from edits import FLOATS, INTEGERS
from server import Ending, Server

SECONDS = 60  # per command, to tell an infinite loop from a busy machine
STEPS = 20000  # operations per launch
EMISSIONS = ("tile", "plan", "loops", "llvm", "asm", "obj", "obj", "obj")
TARGETS = ("cpu", "cpu", "cpu=x86-64", "cpu=x86-64-v3", "cpu=x86-64-v4", "cpu=aarch64")
GRIDS = ("1", "2", "3", "2,2", "1,1,2")
SCHEDULES = ("program", "random")
CHECKS = ("all", "none", "undefined", "no-undefined", "race,bounds")
# Programs that the custom form cannot represent: padding without a mask, which the public tools print like
# a mask (textual format, 11.1); a symbol without a name, for which MLIR prints this.
UNSPEAKABLE = re.compile(r"load_ptr_tko.*operandSegmentSizes = array<i32: 1, 0, 1|INVALID EMPTY SYMBOL")
SUBJECT = re.compile(r"(?:#iree_vector_ext\.nested_layout|!?(?:cuda_tile\.)?"
                     r"(?:partition_view|strided_view|gather_scatter_view))<")
FORMATS = INTEGERS + FLOATS
SCALARS = ("0", "1", "2", "7", "64")
ARRAYS = ("zeros(4096x{})", "zeros(2x2x{})", "random(1000x{};seed=3)", "empty(16x{})", "zeros(0x{})")


@dataclass
class Complaint:
    arguments: list[str]
    ending: Ending

    @property
    def kind(self) -> str:
        """A key that most failures with the same cause share."""
        return re.sub(r"/\S+|\d+", "N", f"{self.arguments[0]}: {self.ending}")

    def __str__(self) -> str:
        return f"tilewright {shlex.join(self.arguments)}\n  {self.ending}"


class Commands:
    def __init__(self, server: Server, folder: pathlib.Path):
        self.server = server
        self.folder = folder
        self.file = folder / "program.mlir"

    def try_all(self, kind: str, text: str, rng: random.Random):
        """Counts executed commands by name, and collects a line for each failure."""
        self.facts, self.complaints, self.rng = collections.Counter(), [], rng
        self.file.write_text(text)
        if kind == "layout":
            self.try_layouts(text)
        else:
            self.try_tile(text)
        return self.facts, self.complaints

    def command(self, *arguments, allowed=(0, 1, 3)) -> Ending:
        """Executes a command and records a failure."""
        ending = self.server.run(*arguments, seconds=SECONDS)
        self.facts[arguments[0]] += 1
        if ending.is_out_of_memory:
            self.facts["out of memory"] += 1
        elif not ending.is_exit(*allowed):
            self.complaints.append(Complaint([str(argument) for argument in arguments], ending))
        return ending

    # --- Tile IR --------------------------------------------------------------------------

    def try_tile(self, text: str) -> None:
        allow = [ALLOW] if self.rng.random() < 0.5 else []
        if not self.command("check", self.file, *allow, allowed=(0, 1)).is_exit(0):
            return
        self.facts["accepted"] += 1
        self.print_again(text, allow)
        self.assemble(allow)
        stricter = self.rng.choice((["--strict"], ["--target-version", "13.1"]))
        self.command("check", self.file, *allow, *stricter, allowed=(0, 1))
        self.compile(allow)
        info = self.command("info", "--json", self.file, *allow, allowed=(0, 1))
        if info.is_exit(0):
            entries = [entry for entry in json.loads(info.out)["entries"]
                       if entry["name"] and "\0" not in entry["name"]]  # can be a command-line argument
            for entry in self.rng.sample(entries, min(2, len(entries))):
                self.run(entry, allow)
        self.draw(text)

    def print_again(self, text: str, allow: list[str]) -> None:
        """Prints an accepted program, and checks that the text is accepted."""
        form = self.rng.choice(([], [], ["--generic"], ["--locations"]))
        printed = self.command("print", *form, self.file, *allow, allowed=(0,))
        if printed.is_exit(0) and not UNSPEAKABLE.search(text + printed.out):
            again = self.folder / "printed.mlir"
            again.write_text(printed.out)
            self.command("check", again, *allow, allowed=(0,))

    def assemble(self, allow: list[str]) -> None:
        """All commands must read what `as` writes."""
        bytecode = self.folder / "program.tileirbc"
        if not self.command("as", self.file, "-o", bytecode, *allow, allowed=(0, 1)).is_exit(0):
            return
        reader = self.rng.choice((["dis"], ["dis"], ["info"], ["as", "-o", self.folder / "again"]))
        self.command(*reader, bytecode, allowed=(0,))

    def compile(self, allow: list[str]) -> None:
        rng = self.rng
        options = [f"--emit={rng.choice(EMISSIONS)}", f"--target={rng.choice(TARGETS)}",
                   f"-O{rng.randrange(4)}", "-o", self.folder / "code"]
        if rng.random() < 0.3:
            options += ["-g", "--remarks"]
        self.command("compile", self.file, *options, *allow, allowed=(0, 1))

    def run(self, entry: dict, allow: list[str]) -> None:
        """Runs on the reference machine; then compiled, unless the behaviour is undefined."""
        arguments = [self.argument(kind) for kind in entry["parameters"]]
        if None in arguments:
            arguments = []  # cannot be launched: expect an error without a crash
        rng = self.rng
        launch = ["run", self.file, "--entry", entry["name"], "--grid", rng.choice(GRIDS), *allow,
                  *(f"--arg={argument}" for argument in arguments)]
        allowed = (0, 1, 3) if len(arguments) == len(entry["parameters"]) else (0, 1, 2, 3)
        judge = [*launch, "--max-steps", STEPS]
        if rng.random() < 0.5:
            self.command(*judge, "--schedule", rng.choice(SCHEDULES), "--check", rng.choice(CHECKS),
                         allowed=allowed)
        if self.command(*judge, "--check", "all", allowed=allowed).is_exit(0):
            self.command(*launch, "--device=cpu", f"-O{rng.randrange(4)}", "--no-cache",
                         f"--threads={rng.choice((1, 2, 3))}", allowed=(0, 1))

    def argument(self, kind: str) -> str | None:
        """An argument for a parameter of this type; None if there is none."""
        match = re.fullmatch(r"tile<(ptr<)?(\w+?)>?>", kind)
        if not match or match[2] not in FORMATS:
            return None
        if match[1]:
            return self.rng.choice(ARRAYS).format(match[2])
        if match[2] in ("i1", "f8E8M0FNU", "f4E2M1FN", "f8E5M3FNU"):
            return "1"
        return self.rng.choice(SCALARS)

    # --- Layouts --------------------------------------------------------------------------

    def try_layouts(self, text: str) -> None:
        rng = self.rng
        threads = rng.choice(("1", "32", "64", "128", "256", "8,8", "64,2"))
        workgroup = ["--threads", threads, "--subgroup-size", rng.choice(("32", "32", "64", "4"))]
        distributed = self.command("distribute", self.file, *workgroup, allowed=(0, 1))
        if distributed.is_exit(0):
            self.facts["accepted"] += 1
            self.command("distribute", self.file, *workgroup, "--check", "--runs=1", allowed=(0, 1))
        for function in re.findall(r"func\.func @([\w$.]+)", text)[:3]:
            self.command("simt", self.file, "--function", function, "--random=1", *workgroup,
                         allowed=(0, 1, 2, 3))
        self.draw(text)

    def draw(self, text: str) -> None:
        subjects = {balanced(text, match) for match in SUBJECT.finditer(text)} - {""}
        subjects = sorted(subjects)
        for subject in self.rng.sample(subjects, min(2, len(subjects))):
            form = self.rng.choice(("--text", "--svg", "--html"))
            what = ["--layout"] if "layout" in subject else ["--view"]
            if what == ["--layout"] and self.rng.random() < 0.5:
                layouts = [s for s in subjects if "layout" in s]
                what = ["--convert", self.rng.choice(layouts)]
            self.command("draw", *what, subject, form, allowed=(0, 1, 2))


def balanced(text: str, start: re.Match) -> str:
    """The text from `start` to the matching closing bracket; empty if it is too far away."""
    depth = 0
    for at in range(start.end() - 1, min(len(text), start.end() + 1000)):
        depth += (text[at] == "<") - (text[at] == ">")
        if depth == 0:
            return text[start.start():at + 1]
    return ""
