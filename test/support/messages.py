# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Removes the source lines from findings, for tests of the messages: `... 2>&1 | messages.py`."""

import re
import sys


def without_source_lines(text: str) -> str:
    """Drops each caret, and the line above it."""
    return re.sub(r"^.*\n *\^\n", "", text, flags=re.MULTILINE)


if __name__ == "__main__":
    print(without_source_lines(sys.stdin.read()), end="")
