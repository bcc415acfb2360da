# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How are the places of kernels called that are defined in cells of a notebook?"""

from __future__ import annotations

import re
import sys

_PLACE = re.compile(r"^(.+?):(?=\d+:\d+: )", re.MULTILINE)


def named(text: str) -> str:
    """A report in which the files of cells are called `Cell In[3]`, as IPython calls them. They are
    temporary files, or none."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    name_of = getattr(getattr(shell, "compile", None), "format_code_name", None)
    if name_of is None:
        return text

    def cell(place: re.Match) -> str:
        found = name_of(place[1])
        return f"{' '.join(found)}:" if found else place[0]
    return _PLACE.sub(cell, text)
