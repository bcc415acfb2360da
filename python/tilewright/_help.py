# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How to correct a kernel of cuTile, for each check: in the words of cuTile, where the library's own
advice names operations of Tile IR and options of the command line. `tilewright exec` says the same
(tools/CutileAdvice.def)."""

from __future__ import annotations

import dataclasses

from tilewright import _native
from tilewright._records import Finding

ADVICE: dict[str, str] = _native.cutile_advice()


def in_words_of_cutile(findings: list[Finding] | None) -> list[Finding] | None:
    """The findings at lines of scripts, with this advice."""
    return findings and [_advised(finding) for finding in findings]


def _advised(finding: Finding) -> Finding:
    is_of_script = finding.place.file.endswith((".py", ">"))  # <ipython-input-1-...>
    if is_of_script and (advice := ADVICE.get(finding.rule)):
        return dataclasses.replace(finding, help=advice)
    return finding
