# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes of one compiler, and the tests that shall find them: see planted_mistakes.py."""

import pathlib
import subprocess
import sys
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]


@dataclass
class Mistake:
    """An edit of a file, relative to tilewright/COMPILER: `right`, which occurs once, becomes `wrong`."""

    name: str
    file: str
    right: str
    wrong: str


def lit_tests(build: pathlib.Path, program: pathlib.Path, names: tuple[str, ...]):
    """Names and commands of tests below test/, such as "nvidia/order"."""
    llvm = subprocess.run(["llvm-config-22", "--bindir"], check=True, capture_output=True, text=True)
    lit = pathlib.Path(llvm.stdout.strip()) / "lit"
    for name in names:
        yield f"`test/{name}.test`", [lit, "-q", "--param", f"tilewright={program}",
                                      build / "test" / f"{name}.test"]


def case_files(program: pathlib.Path, device: str):
    """Names and commands of the case files of operations."""
    for file in sorted((ROOT / "test/ops").glob("*.mlir")):
        if "// CASE" in file.read_text():
            yield f"`test/ops/{file.name}`", [sys.executable, ROOT / "test/case_runner.py", file,
                                              "--tilewright", program, "--on", device]
