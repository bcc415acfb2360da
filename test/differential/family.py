# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs families of programs in several configurations, and finds the programs that differ.

A family runs as one launch. If it fails as a whole, each of its programs runs alone; a program that
has differed once is left out afterwards.
"""

import argparse
import os
import pathlib
import re
import tempfile
from dataclasses import dataclass, field

import generate
import mutate
import shrink
from builder import Builder
from compare import differences
from coverage import Coverage
from execute import Launch, Outcome, Variant
from tileir import Program

MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # holds many small files
REFERENCE = Variant("reference", ("--check", "all", "--max-steps", "10000000"))
# For the shrinker's candidates, which may have an infinite loop.
IMPATIENT = Variant("reference", ("--check", "all", "--max-steps", "100000"))


@dataclass
class Failure:
    program: str  # seed:number
    variant: Variant
    text: str
    size: int

    @property
    def kind(self) -> str:
        """A key that similar failures share."""
        line = re.sub(r"%\w+|0x\w+|\d+x(?=\w+\))|\(-?[\d.e+-]+\)|\[\d+\]|\b\d+\b", "#",
                      self.text.splitlines()[0])
        return line.split(",")[0][:120]


@dataclass
class Report:
    """The results for some programs."""

    programs: int = 0
    runs: int = 0
    unclean: dict[str, str] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    mutants: int = 0  # mutations with a visible effect
    missed: list[str] = field(default_factory=list)
    coverage: Coverage = field(default_factory=Coverage)

    def add(self, other: "Report") -> None:
        self.programs += other.programs
        self.runs += other.runs
        self.unclean |= other.unclean
        self.failures += other.failures
        self.mutants += other.mutants
        self.missed += other.missed
        self.coverage.merge(other.coverage)


def install(arguments: argparse.Namespace) -> None:
    """Called first in each process."""
    global options
    options = arguments
    Builder.has_multicast = not {"ptx", "gpu"} & set(arguments.devices)


def run_family(numbers: list[int]) -> Report:
    report = Report()
    programs = [generate.program(options.seed, number) for number in numbers]
    with Folder() as folder:
        expected = clean(programs, folder, report)
        report.programs = len(programs)
        for program in programs:
            report.coverage.add(program)
        if options.mutate:
            look_for_mutants(programs, report)
            return report
        for variant in ways(numbers[0] // generate.together(options.seed)):
            if not programs:
                break
            found = compare_on(variant, programs, expected, folder, report)
            report.failures += found
            failed = {f.program for f in found}
            kept = [k for k, p in enumerate(programs) if p.name not in failed]
            programs = [programs[k] for k in kept]
            expected.arrays = [expected.arrays[k] for k in kept]
    return report


def ways(family: int) -> list[Variant]:
    """The variants for a family: all, or a sample, such that all variants get as many families."""
    count = len(options.variants)
    if not options.sample or options.sample >= count or options.only:
        return options.variants
    return [options.variants[(family + k * count // options.sample) % count]
            for k in range(options.sample)]


class Folder:
    """A place for launches, each in its own folder next to the cache that they share. Launches of the
    same programs share a folder, too."""

    def __enter__(self) -> "Folder":
        self.whole = tempfile.TemporaryDirectory(prefix="tilewright-differential-", dir=MEMORY)
        self.path = pathlib.Path(self.whole.name)
        self.made: dict[tuple[str, ...], Launch] = {}
        return self

    def __exit__(self, *_) -> None:
        self.whole.cleanup()

    def launch(self, programs: list[Program]) -> Launch:
        names = tuple(p.name for p in programs)
        if names not in self.made:
            inner = self.path / str(len(self.made))
            inner.mkdir()
            self.made[names] = Launch(options.tilewright, programs, inner, self.path / "cache")
        return self.made[names]


def launch(programs: list[Program], variant: Variant) -> Outcome:
    """A single run."""
    with Folder() as folder:
        return folder.launch(programs).run(variant)


def complaint_of(program: Program, variant: Variant) -> str:
    """How the variant differs for a program without findings on the reference machine; empty if it
    does not differ."""
    with Folder() as folder:
        expected = folder.launch([program]).run(IMPATIENT)
        if expected.complaint:
            return ""
        found = folder.launch([program]).run(variant)
        return found.complaint or differences([program], expected, found).get(0, "")


# --- Comparing ----------------------------------------------------------------------------------


def clean(programs: list[Program], folder: Folder, report: Report) -> Outcome:
    """Runs the reference machine. Programs with findings are errors of the generator: they are removed
    and counted."""
    while programs:
        outcome = folder.launch(programs).run(REFERENCE)
        report.runs += len(programs)
        if not outcome.complaint:
            return outcome
        alone = {p.name: folder.launch([p]).run(REFERENCE).complaint for p in programs}
        if not any(alone.values()):
            alone = {p.name: f"beside others: {outcome.complaint}" for p in programs}
        report.unclean |= {name: why for name, why in alone.items() if why}
        programs[:] = [p for p in programs if not alone[p.name]]
    return Outcome(0)


def compare_on(variant: Variant, programs: list[Program], expected: Outcome, folder: Folder,
               report: Report) -> list[Failure]:
    found = folder.launch(programs).run(variant)
    report.runs += len(programs)
    if not found.complaint:
        return [Failure(programs[p].name, variant, text, shrink.size(programs[p]))
                for p, text in differences(programs, expected, found).items()]
    if len(programs) == 1:
        return [Failure(programs[0].name, variant, found.complaint, shrink.size(programs[0]))]
    failures = []
    for program, arrays in zip(programs, expected.arrays):
        alone = Outcome(0, expected.stdout, "", [arrays])
        failures += compare_on(variant, [program], alone, folder, report)
    if not failures:
        text = f"only beside others of its family: {found.complaint}"
        failures = [Failure(programs[0].name, variant, text, shrink.size(programs[0]))]
    return failures


# --- Changed programs ---------------------------------------------------------------------------


def look_for_mutants(programs: list[Program], report: Report) -> None:
    """Runs each program with one operation changed. If the reference machine shows a difference, the
    devices must show it, too."""
    for program in programs:
        with Folder() as folder:
            made = folder.launch([program])
            expected = made.run(REFERENCE)
            report.runs += 1
            for changed in mutate.mutants(program):
                seen = made.run(REFERENCE, [changed])
                report.runs += 1
                if not seen.complaint and differences([program], expected, seen):
                    break
            else:
                continue
            report.mutants += 1
            for variant in options.variants:
                found = made.run(variant, [changed])
                report.runs += 1
                if not found.complaint and not differences([program], expected, found):
                    report.missed.append(f"{program.name} on {variant.name}")
