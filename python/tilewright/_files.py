# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where are the programs and libraries that come with the package?"""

from __future__ import annotations

import pathlib

_PACKAGE = pathlib.Path(__file__).parent
# A build tree has the package in python/tilewright, and the rest as it is installed.
_BUILD = _PACKAGE.parents[1]


def find(name: str) -> pathlib.Path:
    """A file of the package, or of the build tree that the package is in: `bin/tilewright`.
    Raises FileNotFoundError with both places."""
    for folder in (_PACKAGE, _BUILD):
        if (folder / name).exists():
            return folder / name
    raise FileNotFoundError(f"{name} of Tilewright is neither in {_PACKAGE} nor in {_BUILD}")
