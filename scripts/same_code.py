#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks whether a compiler change affects the emitted code.

    same_code.py --before OLD/tilewright [--after build/bin/tilewright] [--only REGEX]
    same_code.py --save before.txt            saves hashes of the output of `--after`
    same_code.py --against before.txt         compares with saved hashes

Both programs compile the same kernels (the examples, test/ops, test/cpu, test/nvidia, and the
benchmarks' kernels) for the same processors: CPUs, or the GPUs of `--target sm_80 --target sm_90a`.
Output, messages and exit status must be identical to the byte. A kernel that does not compile for a
processor must fail in both, with the same message. The exit status is 0 if everything is identical, 1
if something differs, 2 if nothing could be compared.

Kernels written with cuTile need the modules of bench/: run this with .venv-bench/bin/python, which
./dev bench creates. Hashes contain no code, so they only show which outputs differ.
"""

import argparse
import hashlib
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from kernels import Kernel, collect_kernels, kernels_in_folder, short_hash

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGETS = ("x86-64", "x86-64-v3", "znver4", "sapphirerapids", "aarch64")
SECONDS = 120  # per compilation
HEADER = "# same_code.py: output, kernel, status, target, stage, name; options:"


def main() -> int:
    arguments = parse_arguments()
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="tilewright-same-code-") as folder:
        scratch = pathlib.Path(folder)
        kernels, left_out = kernels_in_folder(arguments.kernels) if arguments.kernels else \
            collect_kernels(scratch / "made")
        kernels = [k for k in kernels if re.search(arguments.only, k.name)]
        if not kernels:
            sys.exit(f"same_code: no kernel's name has '{arguments.only}'")
        for kernel in kernels:
            kernel.write(scratch)
        jobs = [Job(kernel, target, stage) for kernel in kernels
                for target in arguments.target for stage in stages_of(arguments, target)]
        after = Compiler(arguments.after, scratch, arguments.option + arguments.after_option)
        with ThreadPoolExecutor(arguments.jobs) as pool:
            if arguments.save:
                status = save(arguments, pool, jobs, after)
            elif arguments.against:
                status = compare_with_saved(arguments, pool, jobs, after)
            else:
                before = Compiler(arguments.before, scratch, arguments.option)
                status = compare(arguments, pool, jobs, before, after)
    for reason in left_out:
        print(f"left out: {reason}")
    print(f"same_code: {len(kernels)} kernels, {time.perf_counter() - start:.0f} s")
    return status


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--before", metavar="PROGRAM", help="the compiler before the change")
    mode.add_argument("--against", type=pathlib.Path, metavar="FILE", help="what --save wrote")
    mode.add_argument("--save", type=pathlib.Path, metavar="FILE", help="write hashes for --against")
    parser.add_argument("--after", metavar="PROGRAM", default=ROOT / "build/bin/tilewright",
                        help="the compiler after it (%(default)s)")
    parser.add_argument("--kernels", type=pathlib.Path, metavar="FOLDER",
                        help="what is there, in place of the kernels of the repository")
    parser.add_argument("--only", metavar="REGEX", default="", help="only kernels with such a name")
    parser.add_argument("--target", action="append", metavar="CPU|sm_NN",
                        help=f"({', '.join(TARGETS)})")
    parser.add_argument("--emit", action="append", metavar="STAGE",
                        help="as of compile (asm; for a GPU, ptx)")
    parser.add_argument("--option", action="append", default=[], help="for both, as in --option=-g")
    parser.add_argument("--after-option", action="append", default=[], help="only for the second")
    parser.add_argument("--show", type=int, default=20, metavar="N",
                        help="print where they differ for so many pairs (%(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="(%(default)s)")
    arguments = parser.parse_args()
    arguments.target = arguments.target or list(TARGETS)
    for program in (arguments.before, arguments.after):
        if program and not os.access(program, os.X_OK):
            parser.error(f"there is no program '{program}'")
    return arguments


def is_gpu(target: str) -> bool:
    return target.startswith("sm_")


def stages_of(arguments, target: str) -> list[str]:
    return arguments.emit or ["ptx" if is_gpu(target) else "asm"]


# --- Compiling ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Job:
    kernel: Kernel
    target: str
    stage: str

    def __str__(self) -> str:
        return f"{self.kernel.name} {self.target} {self.stage}"


@dataclass(frozen=True)
class Outcome:
    status: int
    output: bytes
    messages: bytes

    def digest(self) -> str:
        both = hashlib.sha256(self.output).digest() + hashlib.sha256(self.messages).digest()
        return short_hash(both)

    def ended_badly(self) -> bool:
        return self.status not in (0, 1)


class Compiler:
    def __init__(self, program: str | pathlib.Path, folder: pathlib.Path, options: list[str]):
        self.program, self.folder, self.options = pathlib.Path(program).resolve(), folder, options

    def run(self, job: Job) -> Outcome:
        """Runs in the folder of the kernels, so that messages contain no path of this machine."""
        target = job.target if is_gpu(job.target) else f"cpu={job.target}"
        command = [self.program, "compile", job.kernel.name, "--target", target,
                   "--emit", job.stage, "-o", "-", *self.options]
        try:
            ended = subprocess.run(command, cwd=self.folder, capture_output=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return Outcome(124, b"", b"too slow: %d s" % SECONDS)
        return Outcome(ended.returncode, ended.stdout, ended.stderr)


# --- Comparing ----------------------------------------------------------------------------


class Count:
    """Collects the results for the final report."""

    def __init__(self) -> None:
        self.same = self.differ = self.badly = 0
        self.failures: list[str] = []  # the same in both

    def add(self, job: Job, outcome: Outcome, is_same: bool) -> None:
        if outcome.ended_badly():
            self.badly += 1
            print(f"{job}: ended with status {outcome.status}: {first_line(outcome.messages)}")
        elif not is_same:
            self.differ += 1
        elif outcome.status != 0:
            self.failures.append(f"{job}: {first_line(outcome.messages)}")
        else:
            self.same += 1

    def report(self) -> int:
        pairs = self.same + len(self.failures) + self.differ + self.badly
        for failure in self.failures:
            print(f"fails alike: {failure}")
        badly = f", {self.badly} ended badly" if self.badly else ""
        print(f"{pairs} pairs: {self.same} same, {len(self.failures)} fail alike, "
              f"{self.differ} differ{badly}")
        if pairs == 0 or self.same + self.differ == 0 and not self.badly:
            print("nothing was compiled, so nothing was compared")
            return 2
        return 1 if self.differ or self.badly else 0


def compare(arguments, pool, jobs: list[Job], before: Compiler, after: Compiler) -> int:
    count = Count()
    results = pool.map(lambda job: (job, before.run(job), after.run(job)), jobs)
    for job, old, new in results:
        worse = old if old.ended_badly() else new
        count.add(job, worse, old == new)
        if old != new:
            print(f"{job}: differs")
            if count.differ <= arguments.show:
                print(first_difference(old, new))
    return count.report()


def first_difference(old: Outcome, new: Outcome, lines: int = 3) -> str:
    """The first lines that differ, from the first difference of status, messages and output."""
    if old.status != new.status:
        return "".join(f"  {sign} status {o.status}: {first_line(o.messages)}\n"
                       for sign, o in (("-", old), ("+", new))).rstrip()
    part = "messages" if old.messages != new.messages else "output"
    texts = [getattr(o, part).decode(errors="replace").splitlines() for o in (old, new)]
    pairs = list(itertools.zip_longest(*texts))
    numbers = [n for n, (a, b) in enumerate(pairs) if a != b]
    if not numbers:
        return f"  {part}: only line ends differ"
    first = numbers[0]
    found = [f"  {part}, line {first + 1}{place_of(texts[0], first)}; lines: {len(texts[0])} and "
             f"{len(texts[1])}"]
    for sign, text in zip("-+", texts):
        found += [f"  {sign} {line.expandtabs(8)}" for line in text[first:first + lines]]
    return "\n".join(found)


def place_of(lines: list[str], number: int) -> str:
    """The function that contains this line of assembly."""
    for line in reversed(lines[:number + 1]):
        if label := re.match(r"(\w[\w$]*):", line):
            return f" in {label[1]}"
    return ""


def first_line(messages: bytes) -> str:
    lines = messages.decode(errors="replace").strip().splitlines()
    return lines[0] if lines else "no message"


# --- Files of hashes ------------------------------------------------------------------------


def save(arguments, pool, jobs: list[Job], compiler: Compiler) -> int:
    count, rows = Count(), []
    for job, outcome in pool.map(lambda job: (job, compiler.run(job)), jobs):
        count.add(job, outcome, is_same=True)
        rows.append(f"{outcome.digest()} {job.kernel.identity()} {outcome.status} "
                    f"{job.target} {job.stage} {job.kernel.name}")
    arguments.save.write_text("\n".join([header(arguments), *rows]) + "\n")
    print(f"saved: {count.same} outputs and {len(count.failures)} messages in {arguments.save}")
    return 1 if count.badly else 0 if count.same else 2


def compare_with_saved(arguments, pool, jobs: list[Job], compiler: Compiler) -> int:
    saved = read_saved(arguments)
    known, strangers = [], set()
    for job in jobs:
        row = saved.pop((job.target, job.stage, job.kernel.name), None)
        if row and row[1] == job.kernel.identity():
            known.append((job, row))
        else:
            strangers.add(f"{job.kernel.name}: {'has changed since' if row else 'was not saved'}")
    count = Count()
    for (job, row), outcome in zip(known, pool.map(compiler.run, [job for job, _ in known])):
        is_same = row[0] == outcome.digest() and row[2] == str(outcome.status)
        count.add(job, outcome, is_same)
        if not is_same:
            print(f"{job}: differs; its status was {row[2]} and is {outcome.status}")
    gone = {f"{name}: was saved and is gone" for target, stage, name in saved
            if re.search(arguments.only, name) and target in arguments.target
            and stage in stages_of(arguments, target)}
    for line in sorted(strangers | gone):
        print(f"not compared: {line}")
    return count.report()


def read_saved(arguments) -> dict[tuple[str, str, str], list[str]]:
    lines = arguments.against.read_text().splitlines()
    if not lines or not lines[0].startswith(HEADER):
        sys.exit(f"same_code: {arguments.against} is no file that --save wrote")
    if lines[0] != header(arguments):
        sys.exit(f"same_code: {arguments.against} was saved with other options: "
                 f"'{lines[0].removeprefix(HEADER).strip()}'")
    rows = [line.split(" ", 5) for line in lines[1:]]
    return {(target, stage, name): [output, kernel, status]
            for output, kernel, status, target, stage, name in rows}


def header(arguments) -> str:
    return " ".join([HEADER, *arguments.option])


if __name__ == "__main__":
    sys.exit(main())
