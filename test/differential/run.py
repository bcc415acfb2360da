# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Do the executors agree on random programs?

Each program runs on the reference machine, with all checks, and then on the CPU at every
optimisation level and with every number of threads. All arrays that it writes and all lines
that it prints must be the same. A program that differs is made small and left in a
folder, with the command that shows it.

A program is one random dataflow program with arguments of its own, from a seed and a
number. Sixteen share a launch; where one of them fails, they are told apart by running
alone.
"""

import argparse
import multiprocessing
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import generate
import mutate
import shrink
from compare import differences
from coverage import Coverage
from execute import Launch, Outcome, Variant
from tileir import Program, module_text

ROOT = pathlib.Path(__file__).resolve().parents[2]
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # for many small files
REFERENCE = Variant("reference", ())
DEVICES = ("reference", "random", "cpu")


def main() -> int:
    arguments = read_arguments()
    start = time.monotonic()
    tally = Tally()
    with multiprocessing.Pool(arguments.jobs, initializer=install, initargs=(arguments,)) as pool:
        for report in pool.imap_unordered(run_family, families(arguments)):
            tally.add(report)
            for failure in report.failures:
                print(f"DIFFERS {failure.program} on {failure.variant.name}\n  {failure.text}",
                      flush=True)
            if len(tally.failures) >= arguments.give_up:
                pool.terminate()
                break
    for failure in small_ones(tally.failures)[:arguments.shrink]:
        report_small(failure, arguments)
    status = tally.judge(arguments, time.monotonic() - start)
    return status


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build" / "bin",
                        help="the folder of tilewright (%(default)s)")
    parser.add_argument("--count", type=int, default=1600, help="programs (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="decides them all (%(default)s)")
    parser.add_argument("--only", metavar="SEED:NUMBER", help="a single program, alone")
    parser.add_argument("--devices", type=listed, default=["reference", "cpu"],
                        help="what is compared: reference, and any of random (the reference "
                        "machine in random order) and cpu; reference alone means reference,random")
    parser.add_argument("--threads", type=listed, default=["1", "2", "5"])
    parser.add_argument("--levels", type=listed, default=["0", "2"])
    parser.add_argument("--with", dest="extra", action="append", default=[], metavar="OPTIONS",
                        help="more options for the CPU, such as '--target x86-64'; may be "
                        "repeated: each is a way to run")
    parser.add_argument("--mutate", action="store_true",
                        help="change an operation for the device; each change must be found")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("differential-found"),
                        help="where small failing programs go (%(default)s)")
    parser.add_argument("--shrink", type=int, default=3, help="how many to make small (%(default)s)")
    parser.add_argument("--give-up", type=int, default=20, metavar="N",
                        help="stop after so many differences (%(default)s)")
    parser.add_argument("--show", action="store_true", help="print the program of --only")
    arguments = parser.parse_args()

    arguments.tilewright = (arguments.programs / "tilewright").resolve()
    if not arguments.tilewright.exists():
        parser.error(f"there is no program {arguments.tilewright}")
    for device in arguments.devices:
        if device not in DEVICES:
            parser.error(f"no device '{device}'; there are {', '.join(DEVICES)}")
    if arguments.devices == ["reference"]:
        arguments.devices.append("random")
    if arguments.only:
        seed, number = map(int, arguments.only.split(":"))
        arguments.seed, arguments.number = seed, number
        if arguments.show:
            print(module_text([generate.program(seed, number)]))
            sys.exit(0)
    if "cpu" in arguments.devices:
        text = subprocess.run([arguments.tilewright, "run", "--help"], capture_output=True,
                              text=True, check=True).stdout
        if "--device" not in text:
            parser.error(f"{arguments.tilewright} has no CPU device: 'tilewright run' knows no "
                         "--device; compare with --devices reference")
    arguments.variants = variants(arguments)
    return arguments


def listed(text: str) -> list[str]:
    return [part for part in text.split(",") if part]


def variants(arguments: argparse.Namespace) -> list[Variant]:
    """Ways to run a program, besides the reference machine's."""
    made = []
    if "random" in arguments.devices:
        made.append(Variant("random", ("--schedule", "random", "--seed", str(arguments.seed))))
    if "cpu" in arguments.devices:
        for k, extra in enumerate(arguments.extra or [""]):
            for level in arguments.levels:
                for threads in arguments.threads:
                    flags = ("--device", "cpu", "--threads", threads, f"-O{level}",
                             *shlex.split(extra))
                    made.append(Variant(f"cpu-O{level}-t{threads}{f'-{k}' if k else ''}", flags))
    return made


def families(arguments: argparse.Namespace) -> list[list[int]]:
    """The numbers of programs that run together."""
    if arguments.only:
        return [[arguments.number]]
    numbers = range(arguments.count)
    return [list(numbers[at:at + generate.FAMILY])
            for at in range(0, arguments.count, generate.FAMILY)]


# --- A family -----------------------------------------------------------------------------------


@dataclass
class Failure:
    program: str  # seed:number
    variant: Variant
    text: str
    size: int


@dataclass
class Report:
    programs: int = 0
    runs: int = 0
    unclean: dict[str, str] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)
    mutants: int = 0  # changed programs whose change can be seen
    missed: list[str] = field(default_factory=list)
    coverage: Coverage = field(default_factory=Coverage)


def install(arguments: argparse.Namespace) -> None:
    global options
    options = arguments


def run_family(numbers: list[int]) -> Report:
    report = Report()
    programs = [generate.program(options.seed, number) for number in numbers]
    expected = clean(programs, report)
    report.programs = len(programs)
    for program in programs:
        report.coverage.add(program)
    if options.mutate:
        look_for_mutants(programs, report)
        return report
    for variant in options.variants:
        found = compare_on(variant, programs, expected, report)
        report.failures += found
        failed = {f.program for f in found}
        kept = [k for k, p in enumerate(programs) if p.name not in failed]
        programs = [programs[k] for k in kept]  # the first way that fails is enough
        expected.arrays = [expected.arrays[k] for k in kept]
        if not programs:
            break
    return report


def launch(programs: list[Program], variant: Variant, text: str | None = None) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="tilewright-differential-", dir=MEMORY) as folder:
        return Launch(options.tilewright, programs, pathlib.Path(folder)).run(variant, text)


def clean(programs: list[Program], report: Report) -> Outcome:
    """What the reference machine says. Programs in which it finds something are the
    generator's fault: they are taken out and counted."""
    while programs:
        outcome = launch(programs, REFERENCE)
        report.runs += len(programs)
        if not outcome.complaint:
            return outcome
        alone = {id(p): launch([p], REFERENCE).complaint for p in programs}
        report.unclean |= {p.name: alone[id(p)] for p in programs if alone[id(p)]}
        if not any(alone.values()):  # together they do what none does alone
            report.unclean |= {p.name: f"together: {outcome.complaint}" for p in programs}
            programs.clear()
        programs[:] = [p for p in programs if not alone[id(p)]]
    return Outcome(0)


def compare_on(variant: Variant, programs: list[Program], expected: Outcome,
               report: Report) -> list[Failure]:
    found = launch(programs, variant)
    report.runs += len(programs)
    if not found.complaint:
        return [failure(programs[p], variant, text)
                for p, text in differences(programs, expected, found).items()]
    if len(programs) == 1:
        return [failure(programs[0], variant, found.complaint)]
    failures = []
    for p, program in enumerate(programs):
        one = Outcome(0, expected.stdout, "", [expected.arrays[p]])
        failures += compare_on(variant, [program], one, report)
    if not failures:
        failures = [failure(p, variant, f"only beside others of its family: {found.complaint}")
                    for p in programs[:1]]
    return failures


def failure(program: Program, variant: Variant, text: str) -> Failure:
    return Failure(program.name, variant, text, shrink.size(program))


# --- Changed programs ---------------------------------------------------------------------------


def look_for_mutants(programs: list[Program], report: Report) -> None:
    """The device runs each program with one operation changed. If the change can be seen, on
    the reference machine, then it must be seen on the device."""
    for program in programs:
        changed = mutate.mutant(program)
        if not changed:
            continue
        expected, seen = launch([program], REFERENCE), launch([changed], REFERENCE)
        report.runs += 2
        if seen.complaint or not differences([program], expected, seen):
            continue
        report.mutants += 1
        for variant in options.variants:
            found = launch([program], variant, module_text([changed]))
            report.runs += 1
            if not found.complaint and not differences([program], expected, found):
                report.missed.append(f"{program.name} on {variant.name}")


# --- Telling ------------------------------------------------------------------------------------


def small_ones(failures: list[Failure]) -> list[Failure]:
    return sorted(failures, key=lambda f: f.size)


def report_small(found: Failure, arguments: argparse.Namespace) -> None:
    """Makes a failing program small, writes it to the folder and prints it."""
    install(arguments)
    seed, number = map(int, found.program.split(":"))
    small = shrink.shrink(generate.program(seed, number),
                          lambda p: complaint_of(p, found.variant), launch)
    folder = arguments.keep / found.program.replace(":", "-")
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    made = Launch(arguments.tilewright, [small], folder.resolve())
    commands = [shlex.join(made.command(v)) for v in (REFERENCE, found.variant)]
    (folder / "commands.txt").write_text("\n".join(commands) + "\n")
    print(f"\n{found.program} on {found.variant.name}, made small: "
          f"{complaint_of(small, found.variant)}\n{module_text([small])}"
          f"{folder / 'commands.txt'}:\n  {commands[1]}\n", flush=True)


def complaint_of(program: Program, variant: Variant) -> str:
    """How the variant differs on a program that the reference machine finds nothing in;
    empty if it does not."""
    expected = launch([program], REFERENCE)
    if expected.complaint:
        return ""
    found = launch([program], variant)
    return found.complaint or differences([program], expected, found).get(0, "")


@dataclass
class Tally(Report):
    def add(self, report: Report) -> None:
        self.programs += report.programs
        self.runs += report.runs
        self.unclean |= report.unclean
        self.failures += report.failures
        self.mutants += report.mutants
        self.missed += report.missed
        self.coverage.merge(report.coverage)

    def judge(self, arguments: argparse.Namespace, seconds: float) -> int:
        ways = ", ".join(v.name for v in arguments.variants)
        for name, why in list(self.unclean.items())[:5]:
            print(f"UNCLEAN {name}: {why}")
        missing = self.coverage.missing(arguments.tilewright) if self.programs >= 1000 else []
        for what in missing:
            print(f"MISSING {what}: no program has it")
        tail = f"{self.runs} runs, {seconds:.0f} s"
        if arguments.mutate:
            for name in self.missed:
                print(f"MISSED {name}: a change that the reference machine shows")
            print(f"{self.mutants} changed programs of {self.programs}, "
                  f"{self.mutants - len(self.missed)} found on {ways}; {tail}")
            return 1 if self.missed or self.mutants * 3 < self.programs else 0
        print(f"{self.programs} programs on {ways}: {len(self.failures)} differ, "
              f"{len(self.unclean)} unclean; {self.coverage.summary()}; {tail}")
        too_unclean = len(self.unclean) * 100 > self.programs
        return 1 if self.failures or missing or too_unclean or not self.programs else 0


if __name__ == "__main__":
    sys.exit(main())
