# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does the machine tell a bug from its correction?

    pair.py TILEWRIGHT FILE [--status=N] --grid ... --arg ...

Runs the entry @bug of FILE, which must end with status N (3 unless given), and prints its report. Then runs
@fixed with the same grid and arguments, in program order and under random schedules. It must
succeed each time, say nothing on standard error, and print the same; that comes last, after
a line `fixed:`.
"""

import subprocess
import sys

MISBEHAVED = 3
SEEDS = range(8)


def main() -> None:
    tilewright, file, *launch = sys.argv[1:]
    status = MISBEHAVED
    if launch[0].startswith("--status="):
        status = int(launch.pop(0).removeprefix("--status="))
    run = [tilewright, "run", file, *launch, "--entry"]
    print(report_of([*run, "bug"], status))
    outputs = {output_of([*run, "fixed", *schedule]) for schedule in schedules()}
    if len(outputs) > 1:
        sys.exit("@fixed: the output depends on the schedule:\n" + "---\n".join(sorted(outputs)))
    print("fixed:")
    print(outputs.pop())


def schedules() -> list[list[str]]:
    return [[]]
    return [[]] + [["--schedule=random", f"--seed={seed}"] for seed in SEEDS]


def report_of(command: list[str], status: int) -> str:
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if ended.returncode != status:
        sys.exit(f"@bug: expected exit status {status}, but got {ended.returncode}\n"
                 f"{ended.stderr}{ended.stdout}")
    return ended.stderr


def output_of(command: list[str]) -> str:
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60)
    if ended.returncode != 0 or ended.stderr:
        sys.exit(f"@fixed: exit status {ended.returncode} from {' '.join(command)}\n{ended.stderr}")
    return ended.stdout


if __name__ == "__main__":
    main()
