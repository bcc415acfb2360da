# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that one run with the default schedule finds the races of small programs.

    predict.py --tilewright PROGRAM --count N --seed N [--least PERCENT] [--verbose]

The races of each random program (protocols.py) are known from `--schedule exhaustive`. A run with the
default schedule must report no race if there is none, each error that it reports for another schedule
must happen again in that schedule, and of the programs with a race it must find at least --least
percent.
"""

import argparse
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import kernel
from protocols import protected_test

ERROR = re.compile(r": error: (.*)")
SCHEDULE = re.compile(r"note: in the schedule (\S+)")


def errors_of_other_schedules(report):
    """Pairs of an error and its schedule."""
    message, found = None, []
    for line in report.splitlines():
        if match := ERROR.search(line):
            message = match.group(1)
        elif match := SCHEDULE.search(line):
            found.append((message, match.group(1)))
    return found


class Program:
    """A litmus test, and what the runs of its kernel report."""

    def __init__(self, test, tilewright):
        self.test, self.tilewright, self.why = test, tilewright, None
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(str(kernel.Kernel(test)))
            file.flush()
            explored = self.run(file.name, "exhaustive")
            self.is_racy = self.reports_race(explored)
            default = self.run(file.name, "program")
            self.others = errors_of_other_schedules(default)
            self.is_found = self.reports_race(default)
            self.is_found_at_once = self.is_found and not any("race on" in e for e, _ in self.others)
            if self.is_found and not self.is_racy:
                self.why = "a race is reported, but there is none"
            for error, schedule in self.others:
                if error not in self.run(file.name, schedule):
                    self.why = f"{schedule} does not repeat: {error}"

    def run(self, file, schedule):
        zeros = ", ".join(["0"] * len(self.test.locations))
        registers = ", ".join(["-1"] * max(len(self.test.registers), 1))
        done = subprocess.run(
            [self.tilewright, "run", file, "--grid", str(len(self.test.blocks)), "--check", "race",
             "--schedule", schedule, "--arg", f"i32[{zeros}]", "--arg", f"i32[{registers}]"],
            capture_output=True, text=True, timeout=600, check=False)
        # Of a program with a deadlock, all other executions are explored.
        if done.returncode not in (0, 1, 3) or "not all executions" in done.stdout:
            raise RuntimeError(f"{self.test.text}: status {done.returncode}: {done.stdout}{done.stderr}")
        return done.stderr

    @staticmethod
    def reports_race(report):
        return "race on" in report


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--tilewright", required=True)
    parser.add_argument("--count", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--least", type=float, default=95)
    parser.add_argument("--verbose", action="store_true", help="print the programs that were missed")
    options = parser.parse_args()
    choose = random.Random(options.seed)
    tests = [protected_test(choose) for _ in range(options.count)]
    with ThreadPoolExecutor(2) as pool:
        programs = list(pool.map(lambda test: Program(test, options.tilewright), tests))

    wrong = [p for p in programs if p.why]
    racy = [p for p in programs if p.is_racy]
    missed = [p for p in racy if not p.is_found]
    for program in wrong:
        print(f"FAILED {program.test.text}\n  {program.why}")
    if options.verbose:
        for program in missed:
            print(f"missed {program.test.text}")
    found = len(racy) - len(missed)
    at_once = sum(p.is_found_at_once for p in racy)
    percent = 100 * found / len(racy) if racy else 0
    print(f"{len(programs)} programs, {len(racy)} with a race, {found} found ({percent:.1f} %): {at_once} "
          f"in the schedule 'program', {found - at_once} in others with "
          f"{sum(len(p.others) for p in programs)} replayed schedules; {len(wrong)} wrong")
    sys.exit(1 if wrong or percent < options.least else 0)


if __name__ == "__main__":
    main()
