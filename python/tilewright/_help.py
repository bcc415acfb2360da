# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How to correct a kernel of cuTile, for each check: in the words of cuTile, where the library's own
advice names operations of Tile IR and options of the command line."""

from __future__ import annotations

import dataclasses

from tilewright._records import Finding

_PADDING = "padding_mode=ct.PaddingMode.ZERO to ct.load, or padding_value= to ct.gather with a mask"

ADVICE = {
    "bounds": "leave out check_bounds=False: then ct.gather, ct.scatter and the atomics do nothing outside "
              "of the array; or pass a mask= that compares the indices with array.shape",
    "alignment": "pass arrays whose address is a multiple of the element size, as "
                 "np.require(x, requirements=\"A\") makes them",
    "index-space": "launch no more tile blocks than there are tiles, ct.cdiv(extent, tile size), and end "
                   "loops over tiles at ct.num_tiles",
    "undefined": "find in the note what makes the value undefined: give " + _PADDING + ", and keep "
                 "operands in the range of the operation",
    "unspecified": "give " + _PADDING + "; if nobody looks at these elements, launch with "
                   "check=\"no-unspecified\"",
    "overflow": "compute in a wider type, by ct.astype(x, ct.int64)",
    "division": "choose another divisor than 0 by ct.where, where the quotient is not wanted",
    "shift": "shift by less than the number of bits: twice, or choose the result by ct.where",
    "promise": "ct.assume_divisible_by must hold for all arguments; what is known of arrays comes from "
               "the launch that compiled the kernel",
    "race": "give each tile block elements of its own, or use ct.atomic_add and the other atomics; to hand "
            "data on, ct.store with memory_order=ct.MemoryOrder.RELEASE and ct.load with "
            "ct.MemoryOrder.ACQUIRE, both with memory_scope=ct.MemoryScope.DEVICE",
    "scatter": "make the indices of ct.scatter distinct, or add by ct.atomic_add",
    "control": "range needs a step greater than 0: count backwards in the loop",
    "print": "ct.printf takes %d, %u or %x for integers, with ll for int64, and %f, %e or %g for floats",
    "deadlock": "look at what each tile block waits for, and at the one that should write it: does it run, "
                "and does it get as far? What takes a lock by ct.atomic_cas or ct.atomic_xchg has to give "
                "it back on every path",
}


def in_words_of_cutile(findings: list[Finding] | None) -> list[Finding] | None:
    """The findings at lines of scripts, with this advice."""
    return findings and [_advised(finding) for finding in findings]


def _advised(finding: Finding) -> Finding:
    is_of_script = finding.place.file.endswith((".py", ">"))  # <ipython-input-1-...>
    if is_of_script and (advice := ADVICE.get(finding.rule)):
        return dataclasses.replace(finding, help=advice)
    return finding
