# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lines of a script below the messages about them, as Python's tracebacks have them: operations
of Tile IR have other names than what the author of a kernel wrote."""

from __future__ import annotations

import linecache
import re

from tilewright import _cells

_PLACE = re.compile(r"(.+?):(\d+):(\d+): (?:error|warning|note): ")


def show_lines(error: BaseException) -> None:
    """Adds them to the message of an exception of this package, each place once."""
    text, *others = error.args
    error.args = (_cells.named(with_lines(text)), *others)


def with_lines(text: str, only_scripts: bool = False) -> str:
    """A report with the lines. `only_scripts`: of Python alone, if it may be about programs in other
    languages, which count columns in other ways."""
    shown, seen = [], set()
    for line in text.split("\n"):
        shown.append(line)
        place = _PLACE.match(line)
        if place and place.groups() not in seen:
            seen.add(place.groups())
            if only_scripts and not place[1].endswith((".py", ">")):  # <ipython-input-1-...>
                continue
            shown += _lines_at(place[1], int(place[2]), int(place[3]))
    return "\n".join(shown)


def _lines_at(file: str, number: int, column: int) -> list[str]:
    """The line and a mark; nothing if there is no such line. Columns are bytes of UTF-8, from 1."""
    linecache.checkcache(file)
    line = linecache.getline(file, number).rstrip()
    before = line.encode()[:max(column - 1, 0)].decode(errors="replace")
    if not line[len(before):]:
        return []
    margin = len(line) - len(line.lstrip())
    return ["    " + line[margin:], "    " + " " * (len(before) - margin) + "^"]
