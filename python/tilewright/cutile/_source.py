# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds source lines to messages, as Python's tracebacks do: the names of Tile IR operations differ from
what the author of a kernel has written."""

from __future__ import annotations

import linecache
import re

from tilewright import _cells

_PLACE = re.compile(r"(.+?):(\d+):(\d+): (?:error|warning|note): ")


def show_lines(error: BaseException) -> None:
    """Adds the lines to the message of a Tilewright exception, once per position."""
    text, *others = error.args
    error.args = (_cells.named(with_lines(text)), *others)


def with_lines(text: str, only_scripts: bool = False) -> str:
    """Returns a report with its source lines. `only_scripts`: adds Python lines only, as other languages
    count columns differently."""
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
    """The line and a column marker; empty if there is no such line. Columns are UTF-8 bytes, from 1."""
    linecache.checkcache(file)
    line = linecache.getline(file, number).rstrip()
    before = line.encode()[:max(column - 1, 0)].decode(errors="replace")
    if not line[len(before):]:
        return []
    margin = len(line) - len(line.lstrip())
    return ["    " + line[margin:], "    " + " " * (len(before) - margin) + "^"]
