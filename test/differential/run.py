# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the executors on random programs.

Each program runs on the reference machine, with all checks, and then on the CPU, in process and as a
library in another program, for every processor, optimisation level and number of threads; or in a sample
of these configurations. All arrays that it writes and all lines that it prints must be the same. A
program that differs is reduced and saved to a folder, with the command that reproduces
the difference.

A program is a random dataflow program with its own arguments, determined by a seed and a number. Four
programs share a launch (a family); if one of them fails, each runs alone.
"""

import argparse
import itertools
import multiprocessing
import os
import pathlib
import random
import sys
import time
from dataclasses import replace

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import generate
import shrink
from builder import Builder
from execute import Launch, Variant, build_host
from family import IMPATIENT, REFERENCE, Failure, Report, complaint_of, install, launch, run_family
from tileir import module_text

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEVICES = ("reference", "random", "cpu", "library", "ptx", "gpu")
PATIENCE = 500  # programs between progress reports
SHOWN = 3  # programs listed for each kind of failure


def main() -> int:
    arguments = read_arguments()
    start = time.monotonic()
    tally, kinds = Report(), {}
    with multiprocessing.Pool(arguments.jobs, initializer=install, initargs=(arguments,)) as pool:
        for report in pool.imap_unordered(run_family, families(arguments)):
            before = tally.programs
            tally.add(report)
            if tally.programs // PATIENCE > before // PATIENCE:
                print(f"... {tally.programs} programs, {len(tally.failures)} differ, "
                      f"{len(tally.unclean)} unclean, {time.monotonic() - start:.0f} s", flush=True)
            for failure in report.failures:
                alike = kinds.setdefault(failure.kind, [])
                alike.append(failure)
                if len(alike) <= SHOWN:
                    print(f"DIFFERS {failure.program} on {failure.variant.name}\n  {failure.text}",
                          flush=True)
            if len(tally.failures) >= arguments.give_up:
                pool.terminate()
                break
    install(arguments)
    small = [report_small(min(alike, key=lambda f: f.size), arguments)
             for alike in list(kinds.values())[:arguments.shrink]]
    for kind, alike in sorted(kinds.items(), key=lambda item: -len(item[1])):
        print(f"{len(alike):5} x {kind}")
    return judge(arguments, tally, small, time.monotonic() - start)


# --- Arguments ----------------------------------------------------------------------------------


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build" / "bin",
                        help="the folder of tilewright (%(default)s)")
    parser.add_argument("--count", type=int, default=1600, help="programs (%(default)s)")
    parser.add_argument("--seed", default="1", metavar="N[-SUBJECT]",
                        help="decides them all (%(default)s); with a subject the programs have "
                        f"more of it: {', '.join(filter(None, generate.SUBJECTS))}")
    parser.add_argument("--only", metavar="SEED:NUMBER", help="a single program, alone")
    parser.add_argument("--show", action="store_true", help="print the program of --only")
    parser.add_argument("--devices", type=listed, default=["reference", "cpu"], metavar="LIST",
                        help="what is compared: reference, and any of random (the reference "
                        "machine in random order), cpu, library (what `tilewright compile` makes, "
                        "called by another program), ptx (code for a GPU, on the PTX machine) and "
                        "gpu (the same on a GPU); reference alone means reference,random (reference,cpu)")
    parser.add_argument("--threads", type=listed, default=["1", "2", "4"], metavar="LIST",
                        help="of the CPU (1,2,4)")
    parser.add_argument("--levels", type=listed, default=["0", "1", "2", "3"], metavar="LIST",
                        help="of optimisation (0,1,2,3)")
    parser.add_argument("--cpus", type=listed, default=["native"], metavar="LIST",
                        help="processors that are compiled for (native)")
    parser.add_argument("--targets", type=listed, default=["sm_90a"], metavar="LIST",
                        help="GPUs that are compiled for (sm_90a)")
    parser.add_argument("--schedules", type=listed, default=["up", "random"], metavar="LIST",
                        help="orders in which the threads of the PTX machine run (up,random)")
    parser.add_argument("--sample", type=int, metavar="N",
                        help="run each family in N of all these ways, which change from family to "
                        "family")
    parser.add_argument("--sanitize", choices=("address", "thread"),
                        help="libraries are sanitized, and so is the program that calls them")
    parser.add_argument("--coverage", action="store_true",
                        help="list what the programs had: operations, element types, modifiers")
    parser.add_argument("--mutate", action="store_true",
                        help="change an operation of each program for the devices; every change "
                        "that shows must be found")
    parser.add_argument("--fault", metavar="OLD=>NEW",
                        help="the devices read NEW for OLD in every program, such as "
                        "'mulhii =>muli '; this must be found and made small")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", type=pathlib.Path, default=ROOT / "build" / "differential",
                        metavar="DIR", help="where small failing programs go (build/differential)")
    parser.add_argument("--shrink", type=int, default=3, metavar="N",
                        help="make so many kinds of failures small (%(default)s)")
    parser.add_argument("--give-up", type=int, default=100, metavar="N",
                        help="stop after so many differences (%(default)s)")
    arguments = parser.parse_args()

    arguments.tilewright = (arguments.programs / "tilewright").resolve()
    if not arguments.tilewright.exists():
        parser.error(f"there is no program {arguments.tilewright}")
    if arguments.only:
        arguments.seed, number = arguments.only.split(":")
        arguments.number = int(number)
    if arguments.seed.partition("-")[2] not in generate.SUBJECTS:
        parser.error(f"no programs are about '{arguments.seed.partition('-')[2]}'")
    if arguments.show:
        install(arguments)
        print(module_text([generate.program(arguments.seed, arguments.number)]))
        sys.exit(0)
    for device in arguments.devices:
        if device not in DEVICES:
            parser.error(f"no device '{device}'; there are {', '.join(DEVICES)}")
    if arguments.devices == ["reference"]:
        arguments.devices.append("random")
    arguments.variants = variants(arguments)
    return arguments


def listed(text: str) -> list[str]:
    return [part for part in text.split(",") if part]


def variants(arguments: argparse.Namespace) -> list[Variant]:
    """The configurations, besides the reference machine."""
    made = []
    if "random" in arguments.devices:
        made.append(Variant("random", ("--schedule", "random", "--seed",
                                       arguments.seed.partition("-")[0])))
    if "gpu" in arguments.devices:
        made.append(Variant("gpu", ("--device", "gpu")))
    if "ptx" in arguments.devices:
        for target, order in itertools.product(arguments.targets, arguments.schedules):
            flags = ("--device", "ptx", "--target", target, "--schedule", order)
            made.append(Variant(f"{target}-{order}", flags))
    for device in arguments.devices:
        for cpu, level, threads in itertools.product(arguments.cpus, arguments.levels,
                                                     arguments.threads):
            if device == "cpu":
                flags = ("--device", "cpu", "--cpu", cpu, f"-O{level}", "--threads", threads)
                made.append(Variant(f"{cpu}-O{level}-t{threads}", flags))
            elif device == "library":
                flags, host = ("--target", f"cpu={cpu}", f"-O{level}"), None
                if arguments.sanitize:
                    flags += ("--sanitize", arguments.sanitize)
                    host = arguments.keep.resolve() / f"host-{arguments.sanitize}"
                name = f"library-{cpu}-O{level}-t{threads}"
                made.append(Variant(name, flags, int(threads), host))
    if arguments.sample:  # so that consecutive ones are not similar
        random.Random(1).shuffle(made)
    if arguments.sanitize and "library" in arguments.devices:
        build_host(arguments.sanitize, arguments.tilewright, arguments.keep.resolve())
    if arguments.fault:
        return [replace(v, fault=tuple(arguments.fault.split("=>"))) for v in made]
    return made


def families(arguments: argparse.Namespace) -> list[list[int]]:
    """The numbers of programs that run together."""
    if arguments.only:
        return [[arguments.number]]
    numbers = range(arguments.count)
    together = generate.together(arguments.seed)
    return [list(numbers[at:at + together]) for at in range(0, arguments.count, together)]


# --- Telling ------------------------------------------------------------------------------------


def report_small(found: Failure, arguments: argparse.Namespace) -> int:
    """Reduces a failing program, writes it to the folder and prints it; returns its number of
    operations."""
    seed, number = found.program.split(":")
    small = shrink.shrink(generate.program(seed, int(number)),
                          lambda p: complaint_of(p, found.variant),
                          lambda p: launch([p], IMPATIENT))
    folder = arguments.keep / found.program.replace(":", "-")
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    made = Launch(arguments.tilewright, [small], folder.resolve(), folder)
    commands = [made.command_line(v) for v in (REFERENCE, found.variant)]
    (folder / "commands.txt").write_text("\n".join(commands) + "\n")
    print(f"\n{found.program} on {found.variant.name}, made small: "
          f"{complaint_of(small, found.variant)}\n{module_text([small])}"
          f"{folder / 'commands.txt'}:\n  {commands[1]}\n", flush=True)
    return shrink.size(small)


def judge(arguments: argparse.Namespace, tally: Report, small: list[int],
          seconds: float) -> int:
    """Prints the last lines, and returns the exit status."""
    ways = ", ".join(v.name for v in arguments.variants)
    if arguments.sample:
        ways = f"{arguments.sample} each of {len(arguments.variants)} ways"
    for name, why in list(tally.unclean.items())[:5]:
        print(f"UNCLEAN {name}: {why}")
    tail = f"{tally.runs} runs, {seconds:.0f} s"
    if arguments.mutate:
        for name in tally.missed:
            print(f"MISSED {name}: a change that the reference machine shows")
        print(f"{tally.mutants} changed programs of {tally.programs}, {len(tally.missed)} not "
              f"found on {ways}; {tail}")
        return 1 if tally.missed or tally.mutants * 2 < tally.programs else 0
    if arguments.coverage:
        print(tally.coverage.table(arguments.tilewright))
    is_broad = tally.programs >= 1000 and not generate.is_launches(arguments.seed)
    missing = tally.coverage.missing(arguments.tilewright) if is_broad else []
    if not Builder.has_multicast:
        missing = [what for what in missing if not what.startswith("multimem_")]
    for what in missing:
        print(f"MISSING {what}: no program has it")
    print(f"{tally.programs} programs on {ways}: {len(tally.failures)} differ, "
          f"{len(tally.unclean)} unclean; {tally.coverage.summary()}; {tail}")
    if arguments.fault:
        return 0 if small and max(small) <= 25 else 1
    too_unclean = len(tally.unclean) * 100 > tally.programs
    return 1 if tally.failures or missing or too_unclean or not tally.programs else 0


if __name__ == "__main__":
    sys.exit(main())
