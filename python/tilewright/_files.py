# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds the programs and libraries that come with the package."""

from __future__ import annotations

import pathlib

_PACKAGE = pathlib.Path(__file__).parent
# In a build tree, the package is in python/tilewright, and the rest is laid out as in an installation.
_BUILD = _PACKAGE.parents[1]


def find(name: str) -> pathlib.Path:
    """The path of a file in the package, or in the build tree that contains the package, for a name
    such as `bin/tilewright`. Raises FileNotFoundError, which lists both places."""
    for folder in (_PACKAGE, _BUILD):
        if (folder / name).exists():
            return folder / name
    raise FileNotFoundError(f"{name} of Tilewright is neither in {_PACKAGE} nor in {_BUILD}")
