# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that the machine reports a bug, but not its corrected version.

    pair.py TILEWRIGHT FILE [--status=N] [--some-schedule] [--after=ENTRY] --grid ... --arg ...

Runs the entry @bug of FILE, which must end with status N (3 by default), and prints its report without source
lines. With --some-schedule, it need not fail in program order, if a random schedule shows the bug.
Then runs @fixed with the same grid and arguments with all schedules. It must succeed each time, print
nothing on standard error except that tile blocks synchronise, and always print the same output,
which comes last, after a line `fixed:`. With --after, both launches depend on one of that entry.
"""

import argparse
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from messages import without_source_lines

MISBEHAVED = 3
PROGRAM_ORDER = []
SYNCHRONISED = "note: the tile blocks synchronise, and "
SCHEDULES = [PROGRAM_ORDER] + [["--schedule=random", f"--seed={seed}"] for seed in range(8)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tilewright")
    parser.add_argument("file")
    parser.add_argument("--status", type=int, default=MISBEHAVED)
    parser.add_argument("--some-schedule", action="store_true")
    parser.add_argument("--after")
    options, launch = parser.parse_known_args()
    entry = [options.tilewright, "run", "--device", "reference", options.file, *launch]
    entry += ["--entry", options.after, "--dependent"] if options.after else ["--entry"]

    schedules = SCHEDULES if options.some_schedule else [PROGRAM_ORDER]
    print(report_of([[*entry, "bug", *schedule] for schedule in schedules], options.status))
    has_one = any("origin" in argument for argument in launch)  # these checks need program order
    outputs = {output_of([*entry, "fixed", *schedule]) for schedule in ([PROGRAM_ORDER] if has_one else SCHEDULES)}
    if len(outputs) > 1:
        sys.exit("@fixed: the output depends on the schedule:\n" + "---\n".join(sorted(outputs)))
    print("fixed:")
    print(outputs.pop())


def report_of(commands: list[list[str]], status: int) -> str:
    """The output of the first command that ends with the status."""
    for command in commands:
        ended = run(command)
        if ended.returncode == status:
            return without_source_lines(ended.stderr)
    sys.exit(f"@bug: expected exit status {status}, but got {ended.returncode} from "
             f"{' '.join(command)}\n{ended.stderr}{ended.stdout}")


def output_of(command: list[str]) -> str:
    ended = run(command)
    found = [line for line in ended.stderr.splitlines() if not line.startswith(SYNCHRONISED)]
    if ended.returncode != 0 or found:
        sys.exit(f"@fixed: exit status {ended.returncode} from {' '.join(command)}\n{ended.stderr}")
    return ended.stdout


def run(command: list[str]) -> subprocess.CompletedProcess:
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


if __name__ == "__main__":
    main()
