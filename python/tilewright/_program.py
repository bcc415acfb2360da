# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command `tilewright` of an installed package: runs the program that the package contains."""

from __future__ import annotations

import os
import pathlib
import sys

PROGRAM = pathlib.Path(__file__).resolve().parent / "bin" / "tilewright"


def main() -> int:
    """Replaces this process by the program, with all arguments. Returns 2, after a message, if the
    program is missing or cannot be executed."""
    os.environ["TILEWRIGHT_PYTHON"] = sys.executable  # `tilewright exec` starts _exec.py with it
    try:
        os.execv(PROGRAM, ["tilewright", *sys.argv[1:]])
    except OSError as error:
        print(f"tilewright: cannot execute {PROGRAM}, the program of this package: {error.strerror}",
              file=sys.stderr)
    return 2
