# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the reference machine and compiled code follow the specification, for every
combination of operation, element type and modifier.

Expected values come from the model in this folder, never from the machine. Prints a table: for each
operation the number of compared elements, their types and modifiers, and for float functions the
largest error compared with MPFR. Fails if an element differs, if an operation of `tilewright ops` has
no case, or if no element was compared for a combination that the specification allows.
"""

import argparse
import json
import multiprocessing
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass, field

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import samples
from combinations import ALLOWED, NARROWER, TILE_ELEMENTS, Combination
from kernel import GPUS, Case, Kernel, describe, differences, falsify, worst_ulp

ROOT = pathlib.Path(__file__).resolve().parents[2]
ORDER = {combination: place for place, combination in enumerate(ALLOWED)}
GROUP = 24  # cases per run of the machine
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # for thousands of small files
SHOWN = 3  # differences shown per array


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / "build" / "bin",
                        help="the folder of tilewright (%(default)s)")
    parser.add_argument("--device", default="reference", choices=("reference", "cpu", "ptx", "gpu"),
                        help="who runs the kernels (%(default)s)")
    parser.add_argument("--target", metavar="sm_NN", help="the GPU that --device ptx and gpu compile for")
    parser.add_argument("--schedule", choices=("up", "down", "random"),
                        help="the order in which the threads of --device ptx run")
    parser.add_argument("--share", metavar="K/N", type=share, default=(0, 1),
                        help="every Nth of the runs, from the Kth on, 0 <= K < N: a part of the "
                        "suite, which does not look for what is missing")
    parser.add_argument("--full", action="store_true", help="many more random inputs")
    parser.add_argument("--only", action="append", default=[], metavar="TEXT",
                        help="the cases whose name starts so, such as 'fma' or 'ftof f32'; may be "
                        "given several times")
    parser.add_argument("--keep", type=pathlib.Path, metavar="DIR",
                        help="leave the kernels of failed cases there")
    parser.add_argument("--falsify", action="store_true",
                        help="expect a wrong bit of every array: every case must fail")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    tilewright = (arguments.programs / "tilewright").resolve()
    if not tilewright.exists():
        parser.error(f"there is no program {tilewright}")
    samples.scale = 20 if arguments.full else 1

    start = time.monotonic()
    cases = [c for c in all_cases() if c.name.startswith(tuple(arguments.only) or "")]
    if idle := [text for text in arguments.only if not any(c.name.startswith(text) for c in cases)]:
        parser.error(f"no case has a name that starts with '{idle[0]}'")
    first, step = arguments.share
    groups = grouped(cases, arguments.device)[first::step]
    cases = [case for group in groups for case in group]
    options = [part for name in ("target", "schedule") if (value := getattr(arguments, name))
               for part in (f"--{name}", value)]
    if arguments.schedule and arguments.device != "ptx":
        parser.error("only --device ptx supports --schedule")
    if options and arguments.device not in GPUS:
        parser.error("only --device ptx and gpu support --target")
    work = Worker(tilewright, arguments.device, options, arguments.keep, arguments.falsify)
    with multiprocessing.Pool(arguments.jobs, initializer=work.install, initargs=(groups,)) as pool:
        outcomes = [outcome for group in pool.imap_unordered(run_group, range(len(groups)))
                    for outcome in group]
    outcomes.sort(key=lambda outcome: ORDER.get(outcome.shows[0], len(ORDER)))
    if arguments.falsify:
        return blind(outcomes)
    failures = report(outcomes)
    if not arguments.only and step == 1:
        failures += missing(tilewright, cases, outcomes)
    compared = sum(o.compared for o in outcomes)
    print(f"{len(cases)} cases, {compared:,} elements compared, {failures} failures, "
          f"{time.monotonic() - start:.0f} s")
    return 1 if failures else 0


def share(text: str) -> tuple[int, int]:
    first, _, step = text.partition("/")
    if not (first.isdigit() and step.isdigit() and int(first) < int(step)):
        raise argparse.ArgumentTypeError(f"expected K/N, such as 0/4, found '{text}'")
    return int(first), int(step)


def all_cases() -> list[Case]:
    from cases import (aggregates, atomics, control, elementwise, matrices, memory, miscellany,
                       shapes, vectors, views)
    chapters = (vectors, elementwise, shapes, aggregates, matrices, control, memory, atomics,
                views, miscellany)
    return [case for chapter in chapters for case in chapter.cases()]


def grouped(cases: list[Case], device: str) -> list[list[Case]]:
    """Cases that need their own run, and groups of the others. Cases of one operation take similar
    time, so they are spread over the groups."""
    single = {id(c) for c in cases if c.alone or c.refusal(device)}
    shared = [c for c in cases if id(c) not in single]
    count = -(-len(shared) // GROUP)
    return ([shared[i::count] for i in range(count)]
            + [[c] for c in cases if id(c) in single])


# --- Running ------------------------------------------------------------------------------


@dataclass
class Outcome:
    """The outcome of a case; small enough to be sent between processes."""

    name: str
    shows: tuple[Combination, ...]
    compared: int = 0
    arrays: int = 0
    refused: bool = False
    ulp: float | None = None
    complaints: list[str] = field(default_factory=list)


@dataclass
class Worker:
    tilewright: pathlib.Path
    device: str
    options: list[str]
    keep: pathlib.Path | None
    falsify: bool

    def install(self, groups: list[list[Case]]) -> None:
        global worker, work
        worker, work = self, groups


def run_group(index: int) -> list[Outcome]:
    return run_cases(work[index])


def run_cases(cases: list[Case]) -> list[Outcome]:
    """Runs all cases at once; if the machine refuses the kernel or prints something unexpected,
    bisects to the failing case."""
    kernel = Kernel()
    for kernel.case in cases:
        kernel.case.build(kernel)
    with tempfile.TemporaryDirectory(prefix="tilewright-conformance-", dir=MEMORY) as folder:
        folder = pathlib.Path(folder)
        ended = kernel.run(worker.tilewright, [worker.device, *worker.options], folder,
                           cases[0].grid)
        complaint = wrong_end(kernel, cases[0], ended)
        if complaint and len(cases) > 1:
            half = len(cases) // 2
            return run_cases(cases[:half]) + run_cases(cases[half:])
        outcomes = {id(case): Outcome(case.name, case.shows) for case in cases}
        if complaint:
            outcomes[id(cases[0])].complaints.append(complaint)
        elif cases[0].refusal(worker.device):
            outcomes[id(cases[0])].refused = True
        else:
            for check, found in kernel.found(folder):
                if worker.falsify:
                    falsify(check)
                judge(outcomes[id(check.case)], check, found)
            for case, *_, count in kernel.printed + kernel.accepted:
                outcomes[id(case)].compared += count
        if worker.keep and any(o.complaints for o in outcomes.values()):
            worker.keep.mkdir(parents=True, exist_ok=True)
            (worker.keep / f"{cases[0].name.replace(' ', '_')}.mlir").write_text(kernel.text())
    return list(outcomes.values())


def wrong_end(kernel: Kernel, case: Case, ended: subprocess.CompletedProcess) -> str | None:
    if refusal := case.refusal(worker.device):
        refused = ended.returncode == 1 and refusal in ended.stderr
        return None if refused else f"expected to be refused: {refusal}"
    if ended.returncode != 0:
        return f"exit status {ended.returncode}: {ended.stderr.strip()[:600]}"
    expected = "".join(text for _, text, _ in kernel.printed)
    if kernel.printed and ended.stdout != expected:
        return f"printed {ended.stdout!r}, expected {expected!r}"
    return None


def judge(outcome: Outcome, check, found) -> None:
    wrong = differences(check, found, worker.device)
    outcome.compared += check.count
    outcome.arrays += 1
    for index in wrong[:SHOWN]:
        outcome.complaints.append(describe(check, found, index))
    if len(wrong) > SHOWN:
        outcome.complaints.append(f"... and {len(wrong) - SHOWN} more of {check.count}")
    if check.exact:
        outcome.ulp = max(outcome.ulp or 0.0, worst_ulp(check, found))


# --- Reporting ------------------------------------------------------------------------------


def report(outcomes: list[Outcome]) -> int:
    by_op = defaultdict(list)
    for outcome in outcomes:
        for shown in outcome.shows:
            by_op[shown.op].append((shown, outcome))
    print(f"{'operation':<26}{'elements':>10}{'combinations':>14}  {'max ulp':<22}types")
    for op in sorted(by_op):
        rows = by_op[op]
        types = list(dict.fromkeys(t for shown, _ in rows for t in shown.types))
        ulps = defaultdict(float)
        for shown, o in rows:
            if o.ulp is not None and not directed(shown):
                ulps[shown.types[0]] = max(ulps[shown.types[0]], o.ulp)
        error = " ".join(f"{t} {u:.4f}" for t, u in sorted(ulps.items()))
        compared = sum(o.compared for o in {id(o): o for _, o in rows}.values())
        print(f"{op:<26}{compared:>10,}{len({s for s, _ in rows}):>14}  {error:<22}"
              f"{' '.join(types)}")
    failed = [o for o in sorted(outcomes, key=lambda o: o.name) if o.complaints]
    for outcome in failed:
        print(f"FAILED {outcome.name}")
        for complaint in outcome.complaints:
            print(f"    {complaint}")
    return len(failed)


def blind(outcomes: list[Outcome]) -> int:
    """For runs with wrong expectations: the cases that compare arrays and still pass."""
    holding = [o for o in outcomes if o.arrays and not o.complaints]
    for outcome in holding:
        print(f"BLIND {outcome.name}")
    print(f"{len(outcomes)} cases, of which {sum(bool(o.arrays) for o in outcomes)} compare "
          f"arrays; {len(holding)} hold although what they expect is wrong")
    return 1 if holding else 0


def directed(c: Combination) -> bool:
    return any(m in c.modifiers for m in
               ("rounding<zero>", "rounding<negative_inf>", "rounding<positive_inf>"))


def missing(tilewright: pathlib.Path, cases: list[Case], outcomes: list[Outcome]) -> int:
    """Operations and combinations for which nothing was compared."""
    command = [tilewright, "ops", "--json"]
    listing = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    operations = {operation["mnemonic"] for operation in listing}
    compared, refused = defaultdict(int), set()
    for outcome in outcomes:
        refused |= set(outcome.shows) if outcome.refused else set()
        for shown in outcome.shows:
            compared[shown] += outcome.compared
    for c in sorted(refused, key=ORDER.get):
        print(f"REFUSED {c}: the machine says that it does not support this")
    lacking = [f"{op}: the tables of combinations.py lack this operation"
               for op in sorted(operations - {c.op for c in ALLOWED})]
    lacking += [f"{op}: tilewright knows no such operation"
                for op in sorted({c.op for c in ALLOWED} - operations)]
    lacking += [f"{c}: no element was compared" for c in ALLOWED
                if not compared[c] and c not in refused]
    lacking += [f"{c}: a case for what the tables do not have"
                for c in sorted(set(compared) - set(ALLOWED), key=str)]
    lacking += [line for operation in listing for line in missing_types(operation)]
    for line in lacking:
        print(f"MISSING {line}")
    return len(lacking)


def missing_types(operation: dict) -> list[str]:
    """Element types that the constraints of operands and results allow, but the tables lack. A
    constraint with only one type, such as a mask's, is ignored."""
    op, missed = operation["mnemonic"], []
    known = {t for c in ALLOWED if c.op == op for t in c.types} | NARROWER.get(op, set())
    for field_ in operation["fields"]:
        names = set(re.findall(r"\b[bt]?[fi]\d\w*", field_["constraint"])) & set(TILE_ELEMENTS)
        if field_["kind"] in ("operand", "result") and len(names) > 1 and names - known:
            missed.append(f"{op}: the tables lack {', '.join(sorted(names - known))}, "
                          f"which its {field_['name']} may have")
    return missed


if __name__ == "__main__":
    sys.exit(main())
