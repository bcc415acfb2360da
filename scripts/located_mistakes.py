# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does `tilewright diff` find the operation that a compiler gets wrong?

Each mistake (mistakes/located.py) is planted as in planted_mistakes.py, into a separate program. That
program compares the reference machine with a compiled kernel (test/diff/Inputs/), and must report the
operation that the mistake is about, and reduce the kernel to at most 15 operations in which it is still
wrong. The exit status is 1 if it does not.

    ./dev build && .venv/bin/python scripts/located_mistakes.py [--only TEXT...]
"""

import argparse
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
from dataclasses import dataclass

from mistakes import ROOT
from mistakes.located import LAUNCHES, LOCATED, Located
from planted_mistakes import build_with

KERNELS = ROOT / "test/diff/Inputs"


MOST_OPERATIONS = 15  # of a reduced kernel


@dataclass
class Found:
    """What `tilewright diff` reports: the line of the kernel, and the size of the reduced one."""

    line: str
    operations: int | None = None
    repeats: bool = False

    def verdict(self, operation: str) -> str:
        if operation not in self.line:
            return f"{self.line}, NOT {operation}"
        if self.operations is None:
            return f"`{operation}`, NOT REDUCED"
        size = f"{self.operations} operations" + (", TOO MANY" if self.operations > MOST_OPERATIONS else "")
        return f"`{operation}`, {size}" + ("" if self.repeats else ", NOT REPEATED")

    def is_right(self, operation: str) -> bool:
        return operation in self.line and self.repeats and self.operations <= MOST_OPERATIONS


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build", help="(%(default)s)")
    parser.add_argument("--only", nargs="+", default=[""], metavar="TEXT", help="mistakes whose name has one of these")
    arguments = parser.parse_args()
    chosen = [each for each in LOCATED if any(text in each.mistake.name for text in arguments.only)]
    if not chosen:
        sys.exit("no mistake has that name")
    right = 0
    with tempfile.TemporaryDirectory(prefix="tilewright-located-") as folder:
        for library in (arguments.build / "lib").resolve().glob("libtilewright-runtime.so*"):
            pathlib.Path(folder, library.name).symlink_to(library)
        for each in chosen:
            found = diff_with(each, arguments.build.resolve(), pathlib.Path(folder))
            right += found.is_right(each.operation)
            print(f"| {each.mistake.name} | `{each.kernel}.mlir` | {each.device} | {found.verdict(each.operation)} |",
                  flush=True)
    print(f"{right} of {len(chosen)} mistakes located and reduced")
    return 0 if right == len(chosen) else 1


def diff_with(located: Located, build: pathlib.Path, folder: pathlib.Path) -> Found:
    """What the program with the mistake reports, or why it reports nothing."""
    try:
        program = build_with(located.mistake, located.compiler, build, folder)
    except subprocess.CalledProcessError:
        return Found("does not compile")
    kernel = KERNELS / f"{located.kernel}.mlir"
    grid, *values = LAUNCHES[located.kernel]
    command = [program, "diff", kernel, "--grid", grid, "--devices", located.device, "--report", "json",
               "--reduce", folder / "reduced.mlir"]
    for value in values:
        command += ["--arg", value]
    status, output, findings = run(command)
    if not findings:
        return Found(f"no finding, status {status}")
    found = Found(line_of(findings[0], kernel))
    if reduced := re.search(r"^reduced to (\d+) operations: tilewright (.*)", output, re.MULTILINE):
        found.operations = int(reduced[1])
        _, _, again = run([program, *shlex.split(reduced[2]), "--report", "json"])
        found.repeats = bool(again) and again[0]["operation"] == findings[0]["operation"]
    return found


def run(command: list) -> tuple[int, str, list]:
    """The exit status, the output and the findings."""
    ended = subprocess.run(command, capture_output=True, text=True, timeout=600)
    report = ended.stderr if ended.stderr.startswith("{") else '{"findings": []}'
    return ended.returncode, ended.stdout, json.loads(report)["findings"]


def line_of(finding: dict, kernel: pathlib.Path) -> str:
    line = finding["location"]["line"]
    return kernel.read_text().splitlines()[line - 1].strip() if line else "no line"


if __name__ == "__main__":
    sys.exit(main())
