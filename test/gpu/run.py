# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the GPU checks, and writes a page of results (./dev gpu).

The checks run on the first GPU of this machine, through `tilewright run --device gpu`: the case files, the
conformance suite, litmus tests and random programs, which other tests run on the PTX machine. PTX
instructions and kernels from other compilers must compute the same as on the PTX machine, f32 functions
must be within their error bounds, and kernels are timed. Before that, probes.py asks questions that
only a GPU can answer; a "no" there is a result, not a failure. The page has the date and the name of the
GPU. It is written again after each step, so that a run that is interrupted leaves what it has found.
On a machine without a GPU everything is skipped, and the exit status is 0.

The first checks are small: one launch, then one program of each kind. If they fail, so will the others.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import time
from dataclasses import dataclass

import probes
import speed
import timed
from driver import DriverError, Gpu

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CASES = ("test/ops", "examples")
LIMIT = 300  # seconds for one check
ALL = 600  # seconds for all checks together
PARTS = ("smoke", "probes", "speed", "checks")
SPEED = "speed of "
SMALL = 64  # the size of the first kernels
SMOKE = ("vector_add", "softmax", "gemm --tile 64", "gemm --aligned --tile 128x128",
         "gemm --aligned --tile 128x256", "attention --columns 64")
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
    parser.add_argument("--ask", default="", metavar="PATTERN", help="probes that are asked (all)")
    parser.add_argument("--timed", default="", metavar="PATTERN", help="kernels that are timed (all)")
    parser.add_argument("--elements", type=int, default=1 << 26,
                        help="of the arrays that are timed (%(default)s)")
    parser.add_argument("--extent", type=int, default=8192,
                        help="of the matrices that are timed (%(default)s)")
    parser.add_argument("--vendor", type=pathlib.Path, metavar="FOLDER",
                        help="cubins of NVIDIA's compiler, which vendor.py has written (not measured)")
    parser.add_argument("--only", choices=PARTS, nargs="*", default=PARTS,
                        help="which parts run (all)")
    parser.add_argument("--seconds", type=int, default=ALL, help="for everything (%(default)s)")
    arguments = parser.parse_args()
    end = time.monotonic() + arguments.seconds
    try:
        gpu = Gpu()
    except DriverError as error:
        print(f"skipped: {error}")
        return 0
    answers, steps = {}, []
    for make in (lambda: smoke(arguments, steps, end), lambda: ask(arguments, answers, end),
                 lambda: time_kernels(arguments, steps, end), lambda: check(arguments, steps, end)):
        for _ in make():
            arguments.page.write_text(page(gpu, answers, steps))
    failed = [step.what for step in steps if step.ended]
    failed += [name for name, answer in answers.items() if answer.word == "failed"]
    count = len(steps) + len(answers)
    print(f"{gpu.name}: {count - len(failed)} of {count} checks and probes ended well; "
          f"{arguments.page}")
    return 1 if failed else 0


def smoke(arguments: argparse.Namespace, steps: list[Step], end: float):
    """Small kernels, from simple to difficult: each needs what those before it need."""
    for line in SMOKE if "smoke" in arguments.only else ():
        steps.append(run(f"first: {line}", speed_command(arguments, line, SMALL), end))
        yield


def ask(arguments: argparse.Namespace, answers: dict[str, probes.Answer], end: float):
    for name in probes.PROBES if "probes" in arguments.only else ():
        if not re.search(arguments.ask, name):
            continue
        is_late = time.monotonic() >= end
        answers[name] = (probes.not_asked("the time for all checks was over") if is_late else
                         probes.ask_apart(name, arguments.extent))
        yield


def time_kernels(arguments: argparse.Namespace, steps: list[Step], end: float):
    """Timings run alone."""
    for line in timed.TIMED if "speed" in arguments.only else ():
        if not re.search(arguments.timed, line):
            continue
        size = arguments.extent if line.split()[0] in timed.OF_MATRICES else arguments.elements
        command = [*speed_command(arguments, line, size), "--json"]
        if arguments.vendor:
            command += ["--vendor", arguments.vendor.resolve()]
        steps.append(run(f"{SPEED}{line}", command, end))
        yield


def speed_command(arguments: argparse.Namespace, line: str, size: int) -> list:
    name, *options = line.split()
    return [HERE / "speed.py", "--tilewright", arguments.programs / "tilewright", name, size, *options]


def check(arguments: argparse.Namespace, steps: list[Step], end: float):
    """The other checks run concurrently."""
    listed = checks(arguments) if "checks" in arguments.only else ()
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        for step in pool.map(lambda step: run(*step, end), listed):
            steps.append(step)
            yield


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
    """The page: the answers of the probes, the kernels beside their peers, one line for all case files if they pass,
    and a line for each other check."""
    date = datetime.datetime.now(datetime.timezone.utc).date()
    cases = [step for step in steps if step.what.startswith("cases of ")]
    held = [step for step in cases if not step.ended]
    speeds = [step for step in steps if step.what.startswith(SPEED) and not step.ended]
    rows = [f"| case files | {len(held)} of {len(cases)} hold | "
            f"{sum(step.seconds for step in cases):.0f} s in all |"]
    for step in steps:
        if step.ended or step not in cases + speeds:
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
        *speed.TITLES, *(speed.row(json.loads(step.said)) for step in speeds), "",
        "| check | outcome | time |", "|---|---|---|", *rows, ""])


if __name__ == "__main__":
    sys.exit(main())
