# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every operation, with every element type and modifier, compiles for every GPU or is
refused by name.

The kernels are those of run.py. Each is compiled for each target, and assembled by NVIDIA's assembler,
if it is installed and supports the target. Exactly the combinations in docs/nvidia-refused.md must be
refused, with the messages there. A kernel with many cases that fails is bisected to the failing
case.
"""

import argparse
import multiprocessing
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass

sys.path.insert(0, str(pathlib.Path(__file__).parent))

from kernel import Case, Kernel
from run import MEMORY, ROOT, all_cases, grouped, share

TARGETS = ("sm_75", "sm_80", "sm_86", "sm_87", "sm_89", "sm_90a", "sm_100a", "sm_103a", "sm_110a",
           "sm_120a", "sm_121a")
PAGE = ROOT / "docs/nvidia-refused.md"


@dataclass
class Refusal:
    """A row of the page; None means all element types or targets."""

    operations: set[str]
    elements: set[str] | None
    targets: set[str] | None
    message: str

    def is_meant(self, case: Case) -> bool:
        return any(shown.op in self.operations
                   and (self.elements is None or self.elements & set(shown.types))
                   for shown in case.shows)

    def is_on(self, target: str) -> bool:
        return self.targets is None or target in self.targets


@dataclass
class Task:
    tilewright: pathlib.Path
    ptxas: str | None
    target: str
    cases: list[Case]
    refusal: str | None  # the message of the refusal


@dataclass
class Result:
    compiled: int
    refused: int
    complaints: list[str]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build" / "bin",
                        help="the folder of tilewright (%(default)s)")
    parser.add_argument("--targets", default=",".join(TARGETS), help="(%(default)s)")
    parser.add_argument("--only", default="", metavar="TEXT", help="cases whose name starts so")
    parser.add_argument("--share", metavar="K/N", type=share, default=(0, 1),
                        help="every Nth of the kernels, each for each target, from the Kth on")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    ptxas = shutil.which("ptxas") or shutil.which("/usr/local/cuda/bin/ptxas")
    assembled = targets_of(ptxas) if ptxas else set()
    cases = [case for case in all_cases() if case.name.startswith(arguments.only)]
    rows = refusals()
    targets = arguments.targets.split(",")
    complaints = [f"{PAGE.name}: no case has a refused operation: {row.message}" for row in rows
                  if not arguments.only and not any(map(row.is_meant, cases))]
    totals = dict.fromkeys(targets, 0)
    refused = 0
    global work
    work = tasks_for(cases, rows, targets, arguments.share,
                     (arguments.programs / "tilewright").resolve(),
                     {target: ptxas for target in targets if target in assembled})
    with multiprocessing.Pool(arguments.jobs) as pool:  # cases are not pickled: pass indices
        for task, result in zip(work, pool.imap(run_task, range(len(work)))):
            totals[task.target] += result.compiled
            refused += result.refused
            complaints += [f"{task.target}: {complaint}" for complaint in result.complaints]
            for complaint in result.complaints:
                print(f"FAILED {task.target}: {complaint}", flush=True)
    unknown = [target for target in targets if target not in assembled]
    skipped = (f", not assembled for {', '.join(unknown)}: "
               + (f"{ptxas} does not know them" if ptxas else "there is no ptxas"))
    print(", ".join(f"{count} cases for {target}" for target, count in totals.items())
          + f" compiled and assembled{skipped if unknown else ''}; "
          f"{refused} refused by name, {len(complaints)} failures")
    return 1 if complaints or not all(totals.values()) else 0


def targets_of(ptxas: str) -> set[str]:
    shown = subprocess.run([ptxas, "--help"], capture_output=True, text=True, check=True).stdout
    return set(re.findall("'(sm_[0-9a-z]+)'", shown))


def refusals() -> list[Refusal]:
    """Leaves out rows about bodies, which depend on more than operation and type: Legality_test.cpp covers them."""
    rows = []
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if len(cells) != 5 or not cells[0].startswith("`") or cells[1]:
            continue
        operations, _, elements, targets, message = cells
        named = [set(re.findall("`([^`]+)`", cell)) for cell in (operations, elements, targets)]
        rows.append(Refusal(named[0], named[1] if elements != "all" else None,
                            named[2] if targets != "all" else None, message))
    if not rows:
        sys.exit(f"{PAGE}: the page has no table of refused operations")
    return rows


def tasks_for(cases: list[Case], rows: list[Refusal], targets: list[str], part: tuple[int, int],
              tilewright: pathlib.Path, ptxas: dict[str, str]) -> list[Task]:
    """`ptxas`: by supported target. Neighbours differ in the target, so that each share has kernels for all."""
    first, step = part
    meant = {id(case): next((row for row in rows if row.is_meant(case)), None) for case in cases}
    groups = grouped(cases, "ptx")
    # Cases that are refused somewhere get their own kernel.
    groups = [[case for case in group if not meant[id(case)]] for group in groups]
    groups = [group for group in groups if group] + [[case] for case in cases if meant[id(case)]]
    tasks = []
    for number, group in enumerate(groups):
        row = meant[id(group[0])]
        tasks += [Task(tilewright, ptxas.get(target), target, group,
                       row.message if row and row.is_on(target) else None)
                  for place, target in enumerate(targets) if (number + place) % step == first]
    return tasks


def run_task(index: int) -> Result:
    task = work[index]
    return attempt(task, task.cases)


def attempt(task: Task, cases: list[Case]) -> Result:
    complaint = complaint_of(task, cases)
    if not complaint:
        return Result(0, 1, []) if task.refusal else Result(len(cases), 0, [])
    if len(cases) == 1:
        return Result(0, 0, [f"{cases[0].name}: {complaint}"])
    half = len(cases) // 2
    first, second = attempt(task, cases[:half]), attempt(task, cases[half:])
    return Result(first.compiled + second.compiled, 0, first.complaints + second.complaints)


def complaint_of(task: Task, cases: list[Case]) -> str | None:
    kernel = Kernel()
    for kernel.case in cases:
        kernel.case.build(kernel)
    with tempfile.TemporaryDirectory(prefix="tilewright-assemble-", dir=MEMORY) as folder:
        source, ptx = pathlib.Path(folder) / "case.mlir", pathlib.Path(folder) / "case.ptx"
        source.write_text(kernel.text())
        made = subprocess.run([task.tilewright, "compile", source, "--target", task.target,
                               "-o", ptx], capture_output=True, text=True)
        if task.refusal:
            message = f": {task.refusal} is not supported on {task.target}"
            named = made.returncode == 1 and message in made.stderr
            return None if named else f"expected to be refused{message}"
        if made.returncode:
            return made.stderr.strip()[:600]
        if not task.ptxas:
            return None
        # The fastest optimisation level: it does not affect whether the text is legal.
        ended = subprocess.run([task.ptxas, "-O1", f"-arch={task.target}", ptx, "-o",
                                ptx.with_suffix(".cubin")], capture_output=True, text=True)
        return (ended.stderr + ended.stdout).strip()[:600] if ended.returncode else None


if __name__ == "__main__":
    sys.exit(main())
