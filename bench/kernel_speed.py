#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares compiled kernels with the best libraries and hand-written C++ on this machine.

Prints for each kernel: its rate; the fraction of the machine's peak rate, measured in the same rounds; and
its speed relative to the best peer, with quartiles. Every result is compared with NumPy in f64 before
anything is timed. docs/benchmarks.md explains the output.
"""

import argparse
import os
import pathlib
import re
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from speed import avx2  # noqa: E402

if "--avx2" in sys.argv:
    avx2.restrict()

from speed import cases, figures, kernels, record, report  # noqa: E402
from speed.libraries import BUILT, LIBRARIES, BuiltLibrary  # noqa: E402
from speed.race import Stadium  # noqa: E402


def main() -> int:
    arguments = parse_arguments()
    kernels.OPTIONS += arguments.option + (avx2.OPTIONS if arguments.avx2 else [])
    os.environ["BENCH_OPTIONS"] = "\n".join(kernels.OPTIONS)
    chosen = [case for case in cases.all_cases().values()
              if re.search(arguments.filter, case.name, re.IGNORECASE)
              and not (arguments.quick and case.slow)]
    if arguments.list:
        print(*(case.name for case in chosen), sep="\n")
        return 0
    if not chosen:
        sys.exit(f"no kernel matches '{arguments.filter}'; --list shows all")
    build_peers(chosen)

    races, started = [], time.monotonic()
    print(f"{load()}\n{report.HEADER}")
    for threads in arguments.threads:
        with Stadium(threads) as stadium:
            for case in chosen:
                rounds = max(3, arguments.rounds // 2) if case.slow else arguments.rounds
                race = stadium.race(case, rounds, arguments.seconds)
                races.append(race)
                print(*report.lines_of(race), sep="\n")
                if arguments.peers:
                    print(*report.peer_lines(race), sep="\n")
                sys.stdout.flush()
    if scaling := report.scaling_lines(races):
        print(f"\nSpeed on {arguments.threads[-1]} threads over speed on one: ours, the best peer",
              *scaling, sep="\n")

    BUILT.mkdir(parents=True, exist_ok=True)
    data = report.table_of(sorted(set(arguments.threads))) | {"cases": [figures.recorded(race) for race in races]}
    record.write(BUILT / "kernel_speed.json", data, keep_table=False)
    report.plot(races, BUILT / "kernel_speed.svg")
    print(f"\n{load()}; {time.monotonic() - started:.0f} s; "
          f"{BUILT / 'kernel_speed.json'}, {BUILT / 'kernel_speed.svg'}")
    wrong = [(race.case.name, r) for race in races for r in race.results if r.wrong]
    if arguments.json and not wrong:
        record.write(arguments.json, data)
        print(f"{arguments.json}; scripts/benchmark_page.py --update writes its table")
    for problem in dict.fromkeys(result.problem for _, result in wrong):
        names = [name for name, result in wrong if result.problem == problem]
        print(f"\n{', '.join(dict.fromkeys(names))}:\n{problem}")
    return 1 if wrong else 0


def parse_arguments() -> argparse.Namespace:
    processors = len(os.sched_getaffinity(0))
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("filter", nargs="?", default="", help="a regular expression for names")
    parser.add_argument("--list", action="store_true", help="only print the names")
    parser.add_argument("--quick", action="store_true", help="few rounds, no large products")
    parser.add_argument("--peers", action="store_true", help="a line for the peers of each, too")
    parser.add_argument("--threads", type=int, nargs="+",
                        default=sorted({1, processors}), help="(%(default)s)")
    parser.add_argument("--rounds", type=int, help="how often each takes its turn")
    parser.add_argument("--seconds", type=float, default=0.02, help="of each turn (%(default)s)")
    parser.add_argument("--avx2", action="store_true",
                        help="as on a processor without AVX-512, for ours and for all peers")
    parser.add_argument("--json", type=pathlib.Path, metavar="FILE",
                        help="replace the measurements in this file, as bench/results/zen5.json")
    parser.add_argument("--option", action="append", default=[],
                        help="an option for 'tilewright compile', such as --option=-O3")
    arguments = parser.parse_args()
    arguments.rounds = arguments.rounds or (5 if arguments.quick else 9)
    return arguments


def build_peers(chosen) -> None:
    """Builds libraries before anything is timed; a build failure is reported with each case."""
    for name in dict.fromkeys(c.library for case in chosen for c in case.contestants):
        if issubclass(LIBRARIES[name], BuiltLibrary):
            try:
                LIBRARIES[name].build()
            except Exception as problem:
                print(problem)


def load() -> str:
    return (f"{time.strftime('%Y-%m-%d %H:%M')}, {len(os.sched_getaffinity(0))} processors, "
            f"load {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    sys.exit(main())
