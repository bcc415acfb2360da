# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which operation a device computes wrongly (docs/diff.md)."""

from __future__ import annotations

import functools
import json
from collections.abc import Sequence

from tilewright import _module
from tilewright._public import public


@public
class Diff:
    """What devices compute differently: true if each of them computes what the specification allows."""

    def __init__(self, report: str, text: str, succeeded: bool):
        self.json = report
        """The report as text."""
        self.text = text
        """The findings, as the command line prints them; empty if there are none."""
        self.succeeded = succeeded
        """Whether every device computes what the specification allows."""

    @functools.cached_property
    def data(self) -> dict:
        """The report: `devices` has a row for each of them, `findings` the wrong operations."""
        return json.loads(self.json)

    def __bool__(self) -> bool:
        return self.succeeded

    def __str__(self) -> str:
        rows = [f"{row['device']}: {row['summary']}" for row in self.data["devices"]]
        return "\n".join([*rows, self.text]).rstrip()


@public
def diff(kernel, args, grid, *, devices: Sequence[str] = ("cpu", "ptx")) -> Diff:
    """Runs a kernel on the reference machine and on other devices, with equal arrays, and finds the first
    operation whose result leaves what the specification allows. The arrays keep their contents, and what
    the kernel prints is discarded. A kernel that misbehaves raises nothing: the report has its findings.

    `kernel`: an `Entry`, with `args` as a launch takes them, or a cuTile kernel, with `args` as
    `cutile.launch` takes them. `grid`: an int or a tuple of one to three. `devices`: "cpu", "ptx" or
    "gpu", each with an optional target: "ptx:sm_80".

    Raises TypeError or ValueError for arguments that do not fit or an unknown device.
    """
    if isinstance(devices, str):
        raise TypeError(f"expected a sequence of devices, but got the str {devices!r}")
    if isinstance(kernel, _module.Entry):
        native, name, names, values, is_trusted = kernel._module, kernel.name, [], list(args), False
    else:
        from tilewright import cutile
        native, name, names, values, _ = cutile._explorable(kernel, args)
        is_trusted = True
    return Diff(*native.diff(name, grid, *values, devices=list(devices), reads_sources=is_trusted, names=names))
