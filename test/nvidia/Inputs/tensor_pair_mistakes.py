# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes in products by pairs of CTAs (planted.py). `tensor_pair_mistakes.py TILEWRIGHT FOLDER`"""

from planted import BARRIERS, PAIR, plant
from warpgroup_kernels import Case
from warpgroup_loops import persistent


def on_blackwell(case: Case) -> Case:
    case.target, case.assumes = "sm_100a", {"m": 8, "n": 8, "k": 8}
    return case


# Three stages, seven iterations, with edges on all sides.
plant("pair", on_blackwell(Case("", tile=(256, 64, 64), sizes=(248, 56, 440))), BARRIERS[:3] + BARRIERS[4:] + PAIR)
# The accumulators of a tile are written again for the next one.
nest = persistent((256, 64, 32))
nest.sizes = (248, 184, 264)
plant("tiles in turn", on_blackwell(nest), BARRIERS[:3] + PAIR[:5] + PAIR[7:9])
