# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Help texts that say how to correct a cuTile kernel, one per check. They use cuTile's terms; the
library's own texts use Tile IR operations and command-line options. `tilewright exec` has the same
texts (tools/CutileAdvice.def)."""

from __future__ import annotations

import dataclasses

from tilewright import _native
from tilewright._records import Finding

ADVICE: dict[str, str] = _native.cutile_advice()


def in_words_of_cutile(findings: list[Finding] | None) -> list[Finding] | None:
    """Replaces the help texts of findings that are in scripts."""
    return findings and [_advised(finding) for finding in findings]


def _advised(finding: Finding) -> Finding:
    is_of_script = finding.place.file.endswith((".py", ">"))  # <ipython-input-1-...>
    if is_of_script and (advice := ADVICE.get(finding.rule)):
        return dataclasses.replace(finding, help=advice)
    return finding
