# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shows what a kernel does, what it costs, and what is wrong (docs/explore.md)."""

from __future__ import annotations

import functools
import html
import json
import os
import pathlib

from tilewright import _module
from tilewright._public import public


@public
class Explored:
    """What a kernel does, costs and does wrong: a JSON document, and a page that shows it. Notebooks
    display the page."""

    def __init__(self, text: str, page: str, succeeded: bool):
        self.json = text
        """The document as text."""
        self.html = page
        """A standalone page."""
        self.succeeded = succeeded
        """Whether the launch on the reference machine ran to its end without findings other than
        warnings."""

    @functools.cached_property
    def data(self) -> dict:
        """The document."""
        return json.loads(self.json)

    def save(self, path: str | os.PathLike) -> None:
        """Writes the page to a file, or the document if the name ends with `.json`."""
        is_document = os.fspath(path).endswith(".json")
        pathlib.Path(path).write_text(self.json if is_document else self.html, encoding="utf-8")

    def __repr__(self) -> str:
        findings = len(self.data["findings"])
        return (f"<tilewright.Explored @{self.data['kernel']} on {self.data['target']}, "
                f"{findings} finding{'s' if findings != 1 else ''}>")

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{html.escape(self.html)}" width="100%" height="800" '
                'style="border: 0" sandbox="allow-scripts"></iframe>')


@public
def explore(kernel, args, grid, *, target: str | None = None, sources: bool | None = None, compare=None,
            max_steps: int = 0) -> Explored:
    """Runs a kernel on the reference machine and on the PTX machine, compiles it for a GPU and for this
    CPU, and shows everything by source line: executions, memory traffic, findings, generated code,
    arrays, accesses, and costs. The arrays keep their contents, and what the kernel prints is
    discarded. A kernel that misbehaves raises nothing: the document has its findings.

    `kernel`: an `Entry`, with `args` as a launch takes them, or a cuTile kernel, with `args` as
    `cutile.launch` takes them. `grid`: an int or a tuple of one to three. `target`: a GPU; None:
    "sm_90a". `sources`: add the text of the Python files that source locations name; an `Entry` may
    come from others and name any file, so by default only for cuTile kernels. `compare`: another version
    of the kernel, which runs on the same arguments; the document says how results, findings and costs
    differ, with this as the version before. `max_steps`: as in `compile`, for each launch.

    Ctrl-C stops it. Raises TypeError or ValueError for arguments that do not fit or an unknown target.
    """
    native, name, names, values, texts = _explorable(kernel, args)
    if sources is None:
        sources = not isinstance(kernel, _module.Entry)
    other = None
    if compare is not None:
        *other, _, _, more = _explorable(compare, args)
        texts = [*texts, *(text for text in more if text not in texts)]
    return Explored(*native.explore(name, grid, *values, target=target or "", reads_sources=bool(sources),
                                    sources=texts if sources else [], names=names,
                                    compare=other and tuple(other), max_steps=max_steps))


def _explorable(kernel, args):
    """The native module of a kernel, its name, the names of its parameters, the arguments of a launch, and
    pairs of a file and its text."""
    if isinstance(kernel, _module.Entry):
        return kernel._module, kernel.name, [], list(args), []
    from tilewright import cutile
    return cutile._explorable(kernel, args)
