# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The thresholds of a compiler, read from its Tuning.h, and the values that a sweep tries: half and twice
the default, and the value that switches off what the threshold is for.
"""

import pathlib
import re
from dataclasses import dataclass

NO_LIMIT = 1 << 30  # the highest value that --tuning accepts

# The value with which the compiler does without the heuristic: nothing is eligible, there is no limit, or
# the value is that of the general case. A threshold of the CPU compiler without a row is an error; for those
# of GPU compilers, both ends are tried.
OFF = {
    "most-cheap-cost": 0, "most-fused-cost": NO_LIMIT,
    "least-reloaded-row-bytes": NO_LIMIT,
    "most-group-members": NO_LIMIT, "most-loop-work": NO_LIMIT,
    "least-busy-work": 0,
    "access-bytes": 1, "least-access-lanes": 1,
    "tile-lanes": 1, "atomic-updates": 1, "most-scalar-address-cost": 0,
    "independent-vectors": 1, "chains": 1, "chains-of-few-registers": 4,
    "least-scan-bytes": 1,
    "row-registers": 1, "row-registers-of-avx512": 8, "most-block-rows": 1, "most-repeated-percent": 0,
    "most-work-for-whole-loops": 0,
    "most-tracked-elements": 0, "most-shuffle-work": NO_LIMIT, "cost-per-instruction": NO_LIMIT,
    "shuffled-vectors": 1, "shuffled-vectors-of-avx2": 16,
    "most-interleaved-rows": 0, "most-transposed-rows": 1,
    "least-tile-extent": NO_LIMIT, "accumulators": 1, "accumulators-of-avx512": 8, "column-vectors": 1,
    "column-vectors-of-avx512": 2, "rows-of-two-vectors": 4, "rows-of-last-blocks": 1,
    "steps": NO_LIMIT, "many-steps": 64, "panel-numerator": 0, "panel-denominator": NO_LIMIT,
    "steps-of-tiles": 64, "unrolled-products": 0, "most-unrolled-steps": 1, "packed-words": 1,
    "most-epilogue-cost": 0,
    "most-cached-operand-bytes": 0, "most-cached-bytes": 0, "interleaved-columns": 1,
    "most-interleaved-blocks": 1,
    "row-prefetch-bytes": 0, "gather-prefetch-bytes": 0, "least-prefetched-rows": NO_LIMIT,
    "near-prefetch-numerator": 0, "near-prefetch-denominator": NO_LIMIT, "least-prefetched-columns": 0,
    "non-temporal-numerator": NO_LIMIT, "non-temporal-denominator": NO_LIMIT,
    "shared-non-temporal-numerator": NO_LIMIT, "shared-non-temporal-denominator": NO_LIMIT,
    "most-inline-operations": NO_LIMIT, "least-called-operations": 0,
    "least-outlined-operations": NO_LIMIT, "least-long-kernel-operations": NO_LIMIT,
}


@dataclass(frozen=True)
class Threshold:
    name: str
    default: int
    kind: str  # as ThresholdValues in codegen/Tuning.h

    def values(self) -> list[int]:
        """The values to try, without the default."""
        tried = {self.default // 2, self.default * 2}
        tried |= {OFF[self.name]} if self.name in OFF else {0, NO_LIMIT}
        return sorted(value for value in tried - {self.default} if value or self.kind == "FromZero")


def thresholds_of(room: pathlib.Path) -> list[Threshold]:
    """The fields of the room's Tuning.h, with what Tuning.cpp allows."""
    allowed = dict(re.findall(r'\{"([\w-]+)", &Tuning::\w+(?:,\s*ThresholdValues::(\w+))?',
                              (room / "Tuning.cpp").read_text()))
    found = re.findall(r"^  int64_t (\w+) = ([^;]+);", (room / "Tuning.h").read_text(), re.MULTILINE)
    thresholds = [Threshold(spelled(field), number(text), allowed[spelled(field)] or "FromZero")
                  for field, text in found]
    if room.name == "cpu" and (unlisted := {t.name for t in thresholds} ^ OFF.keys()):
        raise ValueError(f"bench/speed/thresholds.py, OFF: expected the thresholds of the CPU compiler, but "
                         f"differs in {', '.join(sorted(unlisted))}")
    return thresholds


def spelled(field: str) -> str:
    """The name of a field on the command line: mostFusedCost is most-fused-cost."""
    return re.sub(r"[A-Z]", lambda letter: "-" + letter[0].lower(), field)


def number(text: str) -> int:
    """The value of an initializer: a number, which may be shifted, as in `int64_t(4) << 20`."""
    value, _, shift = re.sub(r"int64_t\((\d+)\)", r"\1", text).partition("<<")
    return int(value) << int(shift or 0)
