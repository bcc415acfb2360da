# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which memory orders, scopes and tokens a launch needs (docs/advise.md)."""

from __future__ import annotations

import functools
import json

from tilewright import _explore
from tilewright._public import public


@public
class Advice:
    """Which memory orders, scopes and tokens a launch needs, and which can be weaker: true if no error was
    found in the kernel as it is written."""

    def __init__(self, report: str, text: str, succeeded: bool):
        self.json = report
        """The document as text."""
        self.text = text
        """What the command line prints."""
        self.succeeded = succeeded
        """Whether no error was found in the kernel as it is written."""

    @functools.cached_property
    def data(self) -> dict:
        """The document: `operations` has a row for each memory order, scope and token."""
        return json.loads(self.json)

    def __bool__(self) -> bool:
        return self.succeeded

    def __str__(self) -> str:
        return self.text.rstrip()


@public
def advise(kernel, args, grid, *, exploration_runs: int = 20_000, random_schedules: int = 32) -> Advice:
    """Says for each memory order, scope and token of a kernel whether a launch needs it, what could be
    weaker, and what is too weak. The arrays keep their contents, and what the kernel prints is discarded.
    A kernel that misbehaves raises nothing: the advice has its errors.

    `kernel`: an `Entry`, with `args` as a launch takes them, or a cuTile kernel, with `args` as
    `cutile.launch` takes them. `grid`: an int or a tuple of one to three. `exploration_runs`: the
    exploration of all executions of one form ends after so many runs of tile blocks. `random_schedules`:
    how many random schedules of each form to run if not all executions can be explored. Both are at least
    one.

    Ctrl-C stops it. Raises TypeError or ValueError for arguments that do not fit, and for a kernel that the
    reference machine cannot run.
    """
    for name, count in (("exploration_runs", exploration_runs), ("random_schedules", random_schedules)):
        if count < 1:
            raise ValueError(f"{name}: expected a number from 1, but got {count}")
    native, name, names, values, _ = _explore._explorable(kernel, args)
    return Advice(*native.advise(name, grid, *values, names=names, exploration_runs=exploration_runs,
                                 random_schedules=random_schedules))
