# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names the notebook cells in which kernels are defined."""

from __future__ import annotations

import re
import sys

_PLACE = re.compile(r"^(.+?):(?=\d+:\d+: )", re.MULTILINE)


def named(text: str) -> str:
    """Replaces the file names of notebook cells, which are temporary or do not exist, by IPython's
    `Cell In[3]`."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    name_of = getattr(getattr(shell, "compile", None), "format_code_name", None)
    if name_of is None:
        return text

    def cell(place: re.Match) -> str:
        found = name_of(place[1])
        return f"{' '.join(found)}:" if found else place[0]
    return _PLACE.sub(cell, text)
