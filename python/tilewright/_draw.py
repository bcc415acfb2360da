# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws layouts, layout conversions and the tiles of views (docs/drawing.md)."""

from __future__ import annotations

import functools
import subprocess

from tilewright import _files
from tilewright._public import public


@public
class Picture:
    """A picture as text, SVG and HTML, each rendered on first use. Notebooks display it."""

    def __init__(self, options: list[str]):
        self._options = options

    @functools.cached_property
    def text(self) -> str:
        """For terminals."""
        return self._draw("--text")

    @functools.cached_property
    def svg(self) -> str:
        """An SVG document."""
        return self._draw("--svg")

    @functools.cached_property
    def html(self) -> str:
        """A standalone page that shows details of the cell under the pointer."""
        return self._draw("--html")

    def _draw(self, form: str) -> str:
        command = [str(_files.find("bin/tilewright")), "draw", form, *self._options]
        ended = subprocess.run(command, capture_output=True, text=True)
        if ended.returncode:
            raise ValueError(ended.stderr.rstrip("\n").removeprefix("tilewright draw: "))
        return ended.stdout

    def __repr__(self) -> str:
        return self.text

    def _repr_svg_(self) -> str:
        return self.svg


@public
def draw(*, view: str | None = None, layout: str | None = None,
         convert: tuple[str, str] | None = None, extents=(), index: str | None = None,
         slice: str | None = None, threads: int | None = None,
         subgroup_size: int | None = None) -> Picture:
    """Draws which tile of a view covers each element, which thread holds each element of a layout, or
    how elements move from one layout to another.

    `view`, `layout`: a type or an attribute in Tile IR's syntax. `extents`: the view's dynamic extents,
    in order.

    The other options are those of `tilewright draw`.

    Raises TypeError unless exactly one of `view`, `layout` and `convert` is given, and ValueError for
    anything that cannot be drawn.
    """
    subjects = {"view": view, "layout": layout, "convert": convert}
    given = [name for name, subject in subjects.items() if subject is not None]
    if len(given) != 1:
        raise TypeError(f"expected one of view, layout and convert, found {' and '.join(given) or 'none'}")
    [name] = given
    options = [f"--{name}", *(convert if convert is not None else [subjects[name]])]
    if extents:
        options += ["--extents", ",".join(str(extent) for extent in extents)]
    for option, value in (("--index", index), ("--slice", slice), ("--threads", threads),
                          ("--subgroup-size", subgroup_size)):
        if value is not None:
            options += [option, str(value)]
    picture = Picture(options)
    picture.text  # raises errors now rather than on first use
    return picture
