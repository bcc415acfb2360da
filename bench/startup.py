#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the start-up time of `tilewright dis`: whole processes for a small file, compared with
`tilewright --version`, which only starts and exits. Both load LLVM's libraries, which takes most
of the time. They alternate, so that other load affects both; the result is the ratio within each
pair, which must not exceed 1.2.
"""

import argparse
import os
import pathlib
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = pathlib.Path(os.environ.get("TILEWRIGHT_PROGRAMS", ROOT / "build" / "bin"))
SMALL = ROOT / "test" / "bytecode" / "vectors" / "00_worked_example_v13_3.tileirbc"
LIMIT = 1.2


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pairs", type=int, default=300, help="how often (%(default)s)")
    parser.add_argument("--file", type=pathlib.Path, default=SMALL, help="what to print (%(default)s)")
    arguments = parser.parse_args()

    program = str(PROGRAMS / "tilewright")
    version, dis = [program, "--version"], [program, "dis", str(arguments.file)]
    for command in (version, dis) * 3:  # fills the page cache
        seconds_of(command)
    pairs = [(seconds_of(version), seconds_of(dis)) for _ in range(arguments.pairs)]

    show("tilewright --version", [1e3 * first for first, _ in pairs], "ms")
    show("tilewright dis", [1e3 * second for _, second in pairs], "ms")
    ratios = [second / first for first, second in pairs]
    show("ratio", ratios, "")
    return 0 if statistics.median(ratios) <= LIMIT else 1


def seconds_of(command: list[str]) -> float:
    """The run time of a process whose output is discarded."""
    nowhere = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    started = time.perf_counter()
    process = os.posix_spawn(command[0], command, os.environ, file_actions=nowhere)
    _, status, _ = os.wait4(process, 0)
    elapsed = time.perf_counter() - started
    if status != 0:
        sys.exit(f"{' '.join(command)}: ended with status {os.waitstatus_to_exitcode(status)}")
    return elapsed


def show(what: str, values: list[float], unit: str) -> None:
    """The median and the quartiles."""
    low, middle, high = statistics.quantiles(values, n=4)
    print(f"{what:22}{middle:7.3f} {unit:2}  (middle half {low:.3f} to {high:.3f}, n = {len(values)})")


if __name__ == "__main__":
    sys.exit(main())
