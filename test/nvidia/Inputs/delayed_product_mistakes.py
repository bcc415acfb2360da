# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes in delayed products (planted.py). `delayed_product_mistakes.py TILEWRIGHT FOLDER`"""

import re

from delayed_products import LESS, ROWS, below_maximum, kernel, total
from planted import BARRIERS, LINE, plant



def operand(text: str, number: int) -> str:
    """The first register of the accumulators (0) or of lhs (1) of a product in the delayed group."""
    both = re.search(r"\$without; wgmma\.fence[^;]*;[^;]*; wgmma\.mma_async\S* \{(%r\d+)[^}]*\}, \{(%r\d+)", text)
    return both.groups()[number]


# Five iterations, which use the three stages again. Accumulators are doubled in each.
case = kernel("", between=LESS, lhs="less", rescaled=ROWS, sums="s0", expected=total(2, below_maximum), q=5)
plant("delayed", case, [
    BARRIERS[0],
    BARRIERS[3],
    ("no fence", r"wgmma\.fence\.sync\.aligned; ", ""),
    ("no commit", r"wgmma\.commit_group\.sync\.aligned; ", ""),
    ("no wait for the first product", r"wgmma\.wait_group\.sync\.aligned 1; ", ""),
    ("no wait for the delayed product", r"^\s*wgmma\.wait_group\.sync\.aligned 0;$", ""),
    ("no wait for the last product", r"wgmma\.wait_group\.sync\.aligned 0; ", ""),
    ("the delayed product is always left out", r"@p bra \$without;", "bra.uni $without;"),
    ("the delayed product is never left out", r"@p bra \$without;", ""),
    ("the first product adds to something", r"(wgmma\.mma_async[^;]*\}, a, b, )0, ", r"\g<1>1, "),
    ("lhs is copied while it is read", r"^(\s*)wgmma\.wait_group\.sync\.aligned 0;$",
     lambda place: f"mov.b32 {operand(place.string, 1)}, 0;\n{place[0]}"),
    ("accumulators are read before the wait", r"^(\s*)wgmma\.wait_group\.sync\.aligned 0;$",
     lambda place: f"mov.b32 %r1, {operand(place.string, 0)};\n{place[0]}"),
])
