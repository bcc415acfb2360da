# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the GPU checks, and writes a page of results (./dev gpu).

The checks run on the first GPU of this machine, through `tilewright run --device gpu`: the case files, the
conformance suite, litmus tests and random programs, which other tests run on the PTX machine. PTX
instructions and kernels from other compilers must compute the same as on the PTX machine, f32 functions
must be within their error bounds, and kernels are timed. Before that, probes.py asks questions that
only a GPU can answer; a "no" there is a result, not a failure. The page has the date and the name of the
GPU. On a machine without a GPU everything is skipped, and the exit status is 0.
"""

import argparse
import concurrent.futures
import datetime
import os
import pathlib
import subprocess
import sys
import time
from dataclasses import dataclass

import probes
import speed
from driver import DriverError, Gpu

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CASES = ("test/ops", "examples")
LIMIT = 300  # seconds for one check
ALL = 600  # seconds for all checks together
JOBS = max(2, os.cpu_count() * 3 // 4)  # concurrent processes, except for timings


@dataclass
class Step:
    what: str
    ended: int
    said: str  # the last line, which is the result
    seconds: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build" / "bin",
                        help="the folder of tilewright (%(default)s)")
    parser.add_argument("--page", type=pathlib.Path, default=ROOT / "docs" / "gpu.md",
                        help="what is written (%(default)s)")
    parser.add_argument("--cases", nargs="*", type=pathlib.Path, help="case files (all)")
    parser.add_argument("--share", default="0/2", metavar="K/N", help="of the conformance suite")
    parser.add_argument("--count", type=int, default=100, help="random programs (%(default)s)")
    parser.add_argument("--forms", default="", metavar="PATTERN", help="of instructions (all)")
    parser.add_argument("--every", type=int, default=257, help="f32 for functions (%(default)s)")
    parser.add_argument("--kernels", nargs="*", default=[], help="of other compilers (all)")
    parser.add_argument("--elements", type=int, default=1 << 26,
                        help="of the arrays that are timed (%(default)s)")
    parser.add_argument("--extent", type=int, default=8192,
                        help="of the matrices that are timed (%(default)s)")
    parser.add_argument("--seconds", type=int, default=ALL, help="for everything (%(default)s)")
    arguments = parser.parse_args()
    end = time.monotonic() + arguments.seconds
    try:
        gpu = Gpu()
    except DriverError as error:
        print(f"skipped: {error}")
        return 0
    answers = {name: probes.ask_apart(name) for name in probes.PROBES}
    steps = [run(what, command, end) for what, command in timed(arguments)]
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        steps += pool.map(lambda step: run(*step, end), checks(arguments))
    arguments.page.write_text(page(gpu, answers, steps))
    failed = [step.what for step in steps if step.ended]
    failed += [name for name, answer in answers.items() if answer.word == "failed"]
    count = len(steps) + len(answers)
    print(f"{gpu.name}: {count - len(failed)} of {count} checks and probes ended well; "
          f"{arguments.page}")
    return 1 if failed else 0


def timed(arguments: argparse.Namespace):
    """The timings, which run alone: names and commands."""
    for kernel in speed.TIMED:
        name, *options = kernel.split()
        size = arguments.extent if name in speed.OF_MATRICES else arguments.elements
        yield f"speed of {kernel}", [HERE / "speed.py", "--tilewright",
                                     arguments.programs / "tilewright", name, size, *options]


def checks(arguments: argparse.Namespace):
    """The other checks, which run concurrently; long ones first."""
    tilewright, test = arguments.programs / "tilewright", ROOT / "test"
    yield "conformance suite, a share", [test / "conformance" / "run.py", "--programs",
                                         arguments.programs, "--device", "gpu", "--jobs", JOBS,
                                         "--share", arguments.share]
    yield "random programs", [test / "differential" / "run.py", "--programs", arguments.programs,
                              "--devices", "reference,gpu", "--count", arguments.count,
                              "--seed", "21", "--jobs", JOBS]
    yield "instructions of PTX", [HERE / "instructions.py", "--tilewright",
                                  tilewright, arguments.forms]
    yield "functions of f32", [HERE / "accuracy.py", "--tilewright", tilewright,
                               "--every", arguments.every]
    yield "kernels of other compilers", [HERE / "foreign_kernels.py", *arguments.kernels]
    yield "litmus tests", [test / "litmus" / "check.py", "--tilewright", tilewright, "--device",
                           "gpu", "--seeds", "3", test / "litmus" / "section13.test"]
    files = arguments.cases or [file for folder in CASES
                                for file in sorted((ROOT / folder).glob("*.mlir"))
                                if "// CASE" in file.read_text()]
    for file in files:
        yield f"cases of {file.name}", [test / "case_runner.py", file, "--tilewright", tilewright,
                                        "--on", "gpu"]


def run(what: str, command: list, end: float) -> Step:
    start = time.monotonic()
    limit = min(LIMIT, end - start)
    if limit <= 0:
        return Step(what, 1, "not run: the time for all checks was over", 0)
    try:
        ended = subprocess.run([sys.executable, *map(str, command)], capture_output=True, text=True,
                               timeout=limit)
    except subprocess.TimeoutExpired:
        return Step(what, 1, f"it had not ended after {limit:.0f} s", time.monotonic() - start)
    lines = (ended.stdout + ended.stderr).strip().splitlines()
    if ended.returncode:
        print(f"FAILED {what}:\n{ended.stdout}{ended.stderr}", flush=True)
    return Step(what, ended.returncode, lines[-1] if lines else "", time.monotonic() - start)


def page(gpu: Gpu, answers: dict[str, probes.Answer], steps: list[Step]) -> str:
    """The page: the answers of the probes, one line for all case files if they pass, and a line for each
    other check."""
    date = datetime.datetime.now(datetime.timezone.utc).date()
    cases = [step for step in steps if step.what.startswith("cases of ")]
    held = [step for step in cases if not step.ended]
    rows = [f"| case files | {len(held)} of {len(cases)} hold | "
            f"{sum(step.seconds for step in cases):.0f} s in all |"]
    for step in steps:
        if step.ended or step not in cases:
            outcome = "FAILED: " if step.ended else ""
            rows.append(f"| {step.what} | {outcome}{step.said.replace('|', '/')} | "
                        f"{step.seconds:.0f} s |")
    asked = [f"| {name} | {probes.PROBES[name][0]}? | {found.word} | "
             f"{found.seen.replace('|', '/')} |" for name, found in answers.items()]
    major, minor = divmod(gpu.capability, 10)
    return "\n".join([
        "# On a GPU", "",
        f"{gpu.name}, compute capability {major}.{minor}, {date}; written by `./dev gpu`.", "",
        "| probe | question | answer | seen |", "|---|---|---|---|", *asked, "",
        "| check | outcome | time |", "|---|---|---|", *rows, ""])


if __name__ == "__main__":
    sys.exit(main())
