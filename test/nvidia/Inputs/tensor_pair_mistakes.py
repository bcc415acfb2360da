# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes in products by pairs of CTAs (planted.py). `tensor_pair_mistakes.py TILEWRIGHT FOLDER`"""

from planted import BARRIERS, LINE, plant
from warpgroup_kernels import Case
from warpgroup_loops import persistent

PAIR = [
    ("a barrier of the cluster less", r"^\s*barrier\.cluster\.arrive\.aligned;\s*barrier\.cluster\.wait\.aligned;$", ""),
    ("no commit", LINE.format(r"tcgen05\.commit"), ""),
    ("a commit for CTA 0", r"(tcgen05\.commit[^;]*), %rs\d+;", r"\1, 1;"),
    ("no arrival", LINE.format(r"mbarrier\.arrive\.release"), ""),
    ("the own barrier", r"mapa\.shared::cluster\.u32 (%r\d+), (%r\d+), 0;",
     r"{ .reg .b32 own; mov.u32 own, %cluster_ctarank; mapa.shared::cluster.u32 \1, \2, own; }"),
    ("copies signal one CTA", r"complete_tx::bytes\.cta_group::2", "complete_tx::bytes"),
    ("both expect bytes, or multiply", r"mov\.u32 \t(%r\d+), %cluster_ctarank;", r"mov.u32 \t\1, 0;"),
    ("no fence before", LINE.format(r"tcgen05\.fence::before"), ""),
    ("no fence after", LINE.format(r"tcgen05\.fence::after"), ""),
    ("the columns of one CTA", r"(tcgen05\.(alloc|dealloc|relinquish_alloc_permit|mma)\.cta_group)::2", r"\1::1"),
    ("columns are not freed", LINE.format(r"tcgen05\.dealloc"), ""),
]


def on_blackwell(case: Case) -> Case:
    case.target, case.assumes = "sm_100a", {"m": 8, "n": 8, "k": 8}
    return case


# Three stages, seven iterations, with edges on all sides.
plant("pair", on_blackwell(Case("", tile=(256, 64, 64), sizes=(248, 56, 440))), BARRIERS[:3] + BARRIERS[4:] + PAIR)
# The accumulators of a tile are written again for the next one.
nest = persistent((256, 64, 32))
nest.sizes = (248, 184, 264)
plant("tiles in turn", on_blackwell(nest), BARRIERS[:3] + PAIR[:5] + PAIR[7:9])
