# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does ptxas take what the compiler for GPUs makes of every operation, element type and modifier?

The kernels are those of run.py. Each is compiled for each target, and given to NVIDIA's
assembler; what the compiler does not support, it must refuse by name. A kernel of many cases
that does not go through is halved, and so on to the case that it is.
"""

import argparse
import multiprocessing
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from kernel import Case, Kernel
from run import MEMORY, ROOT, all_cases, grouped, share

TARGETS = "sm_75,sm_80,sm_86,sm_89,sm_90a,sm_100a,sm_120a"


@dataclass
class Task:
    tilewright: pathlib.Path
    ptxas: str
    target: str
    cases: list[Case]


@dataclass
class Result:
    assembled: int
    refused: int
    complaints: list[str]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build" / "bin",
                        help="the folder of tilewright (%(default)s)")
    parser.add_argument("--targets", default=TARGETS, help="(%(default)s)")
    parser.add_argument("--only", default="", metavar="TEXT", help="cases whose name starts so")
    parser.add_argument("--share", metavar="K/N", type=share, default=(0, 1),
                        help="every Nth of the kernels, each for each target, from the Kth on")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    ptxas = shutil.which("ptxas") or shutil.which("/usr/local/cuda/bin/ptxas")
    if not ptxas:
        print("skipped: there is no ptxas in the PATH or in /usr/local/cuda/bin")
        return 0
    tilewright = (arguments.programs / "tilewright").resolve()
    cases = [case for case in all_cases() if case.name.startswith(arguments.only)]
    first, step = arguments.share
    groups = list(enumerate(grouped(cases, "ptx")))
    # Neighbours differ in the target, so that a share has kernels for each.
    targets = arguments.targets.split(",")
    tasks = [Task(tilewright, ptxas, target, group) for number, group in groups
             for place, target in enumerate(targets) if (number + place) % step == first]
    totals = dict.fromkeys(targets, 0)
    refused = failed = 0
    global work
    work = tasks  # cases do not travel between processes
    with multiprocessing.Pool(arguments.jobs) as pool:
        for task, result in zip(tasks, pool.imap(run_task, range(len(tasks)))):
            totals[task.target] += result.assembled
            refused += result.refused
            failed += len(result.complaints)
            for complaint in result.complaints:
                print(f"FAILED {task.target}: {complaint}", flush=True)
    print(", ".join(f"{count} cases for {target}" for target, count in totals.items())
          + f" assembled; {refused} refused by name, {failed} failures")
    return 1 if failed or not all(totals.values()) else 0


def run_task(index: int) -> Result:
    task = work[index]
    return attempt(task, task.cases)


def attempt(task: Task, cases: list[Case]) -> Result:
    complaint = complaint_of(task, cases)
    if not complaint:
        is_refused = bool(cases[0].refusal("ptx"))
        return Result(0 if is_refused else len(cases), int(is_refused), [])
    if len(cases) == 1:
        return Result(0, 0, [f"{cases[0].name}: {complaint}"])
    half = len(cases) // 2
    first, second = attempt(task, cases[:half]), attempt(task, cases[half:])
    return Result(first.assembled + second.assembled, 0, first.complaints + second.complaints)


def complaint_of(task: Task, cases: list[Case]) -> str | None:
    kernel = Kernel()
    for kernel.case in cases:
        kernel.case.build(kernel)
    with tempfile.TemporaryDirectory(prefix="tilewright-assemble-", dir=MEMORY) as folder:
        source, ptx = pathlib.Path(folder) / "case.mlir", pathlib.Path(folder) / "case.ptx"
        source.write_text(kernel.text())
        made = subprocess.run([task.tilewright, "compile", source, "--target", task.target,
                               "-o", ptx], capture_output=True, text=True)
        if refusal := cases[0].refusal("ptx"):
            named = made.returncode == 1 and refusal in made.stderr
            return None if named else f"expected to be refused: {refusal}"
        if made.returncode:
            return made.stderr.strip()[:600]
        # The least optimisation that is fast: whether the text is legal does not depend on it.
        ended = subprocess.run([task.ptxas, "-O1", f"-arch={task.target}", ptx, "-o",
                                ptx.with_suffix(".cubin")], capture_output=True, text=True)
        return (ended.stderr + ended.stdout).strip()[:600] if ended.returncode else None


if __name__ == "__main__":
    sys.exit(main())
