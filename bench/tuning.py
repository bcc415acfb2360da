#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sweeps the thresholds of a compiler (Tuning.h): which values change the code of a benchmarked kernel, and
its speed?

For each value of each threshold (half, twice, and the one that switches it off), compiles all kernels that
kernel_speed.py launches, and compares the code with that of the default. Kernels whose code differs are
timed against the default, in turns (--time). A ratio below 1 means that the value is slower.

    tuning.py                              which values change code, for all thresholds of the CPU compiler
    tuning.py '^chains$|row-' --time       these thresholds, with timings
    tuning.py --target sm_80 --target sm_90a
"""

import argparse
import os
import pathlib
import re
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "scripts")]

from kernels import launched_by_benchmarks  # noqa: E402
from speed import cases, record, sweep  # noqa: E402
from speed.thresholds import OFF, Threshold, thresholds_of  # noqa: E402

TARGETS = ("cpu=x86-64-v3", "cpu=x86-64-v4", "cpu")


def main() -> int:
    arguments = parse_arguments()
    chosen = [threshold for threshold in thresholds_of(ROOT / "tilewright" / arguments.room)
              if re.search(arguments.filter, threshold.name)]
    if not chosen:
        sys.exit(f"no threshold matches '{arguments.filter}'")
    launched, left_out = launched_by_benchmarks()
    print(*left_out, sep="\n", end="\n" if left_out else "")
    started, rows, failed = time.monotonic(), [], False
    with tempfile.TemporaryDirectory(prefix="tilewright-tuning-") as folder, \
            sweep.Compiler(pathlib.Path(folder), arguments.jobs) as compiler, \
            sweep.Track(arguments.rounds, arguments.seconds) as track:
        for kernel in (kernel for found in launched.values() for kernel in found):
            kernel.write(pathlib.Path(folder))
        for threshold in chosen:
            for value in threshold.values():
                if arguments.off and value != OFF.get(threshold.name):
                    continue
                trial = Trial(threshold, value, launched, arguments)
                trial.compile(compiler)
                if arguments.time:
                    trial.race(track)
                print(*trial.lines(), sep="\n", flush=True)
                failed |= bool(trial.problems)
                rows.append(trial.row())
    print(f"{len(chosen)} thresholds, {len(rows)} values, {time.monotonic() - started:.0f} s")
    if arguments.json:
        record.write(arguments.json, table_of(arguments) | {"rows": rows})
    return 1 if failed else 0


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("filter", nargs="?", default="", help="a regular expression for thresholds")
    parser.add_argument("--target", action="append", metavar="cpu=NAME|sm_NN",
                        help=f"as of compile ({', '.join(TARGETS)})")
    parser.add_argument("--kernels", default="", metavar="REGEX", help="only cases with such a name")
    parser.add_argument("--off", action="store_true", help="only the values that switch a heuristic off")
    parser.add_argument("--time", action="store_true", help="time kernels whose code differs")
    parser.add_argument("--slow", action="store_true", help="time slow cases, too")
    parser.add_argument("--rounds", type=int, default=15, help="turns of each variant (%(default)s)")
    parser.add_argument("--seconds", type=float, default=0.01, help="of each turn (%(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilations at a time")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE",
                        help="replace the measurements in this file, as bench/results/tuning.json")
    arguments = parser.parse_args()
    arguments.target = arguments.target or list(TARGETS)
    rooms = {"nvidia" if target.startswith("sm_") else "cpu" for target in arguments.target}
    if len(rooms) > 1:
        parser.error("--target: CPUs and GPUs have different thresholds")
    arguments.room = rooms.pop()
    if arguments.off and arguments.room != "cpu":
        parser.error("--off: only for thresholds of the CPU compiler is it known which value switches them off")
    if arguments.time and arguments.room != "cpu":
        parser.error("--time: only kernels for CPUs are timed")
    return arguments


class Trial:
    """One value of a threshold."""

    def __init__(self, threshold: Threshold, value: int, launched: dict, arguments: argparse.Namespace):
        self.threshold, self.value, self.arguments = threshold, value, arguments
        self.launched = {names: found for names, found in launched.items()
                         if re.search(arguments.kernels, names[0])}
        self.options = ["--tuning", f"{threshold.name}={value}"]
        self.changed: dict[str, list[str]] = {}  # per target
        self.problems: list[str] = []
        self.duels: list[sweep.Duel] = []

    def compile(self, compiler: sweep.Compiler) -> None:
        kernels = sorted({kernel.name for found in self.launched.values() for kernel in found})
        for target in self.arguments.target:
            self.changed[target], fail = compiler.changed(kernels, target, self.options)
            self.problems += [f"{name} ({target}) does not compile" for name in fail]

    def race(self, track: sweep.Track) -> None:
        """Each kernel is timed in one case, the first that launches it."""
        for target, changed in self.changed.items():
            waiting = set(changed)
            for (case, contestant), kernels in self.launched.items():
                names = {kernel.name for kernel in kernels}
                if not names & waiting or cases.find(case).slow and not self.arguments.slow:
                    continue
                waiting -= names
                result = track.duel(case, contestant, target, self.options)
                if isinstance(result, sweep.Duel):
                    self.duels.append(result)
                else:
                    self.problems.append(f"{case}, {contestant} ({target}): {result}")

    def lines(self) -> list[str]:
        off = " (off)" if OFF.get(self.threshold.name) == self.value else ""
        counts = ", ".join(f"{len(names)} {target}" for target, names in self.changed.items())
        found = [f"{self.threshold.name}={self.value}{off}, default {self.threshold.default}: {counts}"]
        ordered = sorted(self.duels, key=lambda duel: duel.fastest)
        return found + [f"  {line}" for line in [*ordered, *self.problems]]

    def row(self) -> list:
        ordered = sorted(self.duels, key=lambda duel: duel.fastest)
        ends = [end for duel in (ordered[:1] + ordered[-1:]) for end in
                (round(duel.fastest, 3), round(duel.low, 3), round(duel.high, 3), described(duel))]
        return [self.threshold.name, self.threshold.default, self.value,
                OFF.get(self.threshold.name) == self.value,
                *(len(names) for names in self.changed.values()), *(ends or [None] * 8)]


def described(duel: sweep.Duel) -> str:
    return f"{duel.case}, {duel.contestant} ({duel.target.removeprefix('cpu=')})"


def table_of(arguments: argparse.Namespace) -> dict:
    targets = [target.removeprefix("cpu=").replace("cpu", "this one") for target in arguments.target]
    columns = [["threshold", "{threshold}"], ["default", "{default}"], ["value", "{value}"]]
    columns += [[target, f"{{changed{number}}}"] for number, target in enumerate(targets)]
    columns += [["slowest", "{slowest:.2f}: {slowest_kernel}"], ["fastest", "{fastest:.2f}: {fastest_kernel}"]]
    return {"columns": columns,
            "fields": ["threshold", "default", "value", "off", *(f"changed{n}" for n in range(len(targets))),
                       "slowest", "slowest_low", "slowest_high", "slowest_kernel",
                       "fastest", "fastest_low", "fastest_high", "fastest_kernel"]}


if __name__ == "__main__":
    sys.exit(main())
