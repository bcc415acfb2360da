# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes in products of clusters (planted.py). `cluster_mistakes.py TILEWRIGHT FOLDER`"""

from clusters import HINT
from planted import BARRIERS, LINE, plant
from warpgroup_kernels import Case
from warpgroup_loops import persistent

CLUSTER = [
    ("a barrier of the cluster less", r"^\s*barrier\.cluster\.arrive\.aligned;\s*barrier\.cluster\.wait\.aligned;$", ""),
    ("an arrival only at the own barrier", r"mapa\.shared::cluster\.u32 there, (%r\d+), %r\d+;",
     r"{ .reg .b32 own; mov.u32 own, %cluster_ctarank; mapa.shared::cluster.u32 there, \1, own; }"),
    ("arrivals are not at the other barrier", r"setp\.gt\.u32 (\t?%p\d+, %r\d+), 1;", r"setp.gt.u32 \1, 0;"),
    ("a stage is not released", r"mbarrier\.arrive\.release\.cluster\.shared::cluster\.b64 _, \[there\];", ""),
    ("copies only for CTA 0", r"(\.multicast::cluster [^;]*), %rs\d+;", r"\1, 1;"),
    ("a part of rhs from the other CTA", r"mov\.u32 \t(%r\d+), %cluster_ctarank;", r"mov.u32 \t\1, %cluster_ctarank;\nxor.b32 \1, \1, 1;"),
    ("the rank is 0", r"mov\.u32 \t(%r\d+), %cluster_ctarank;", r"mov.u32 \t\1, 0;"),
    ("the id of the CTA", r"%clusterid\.x", "%ctaid.x"),
]
extents = {"m": 8, "n": 8, "k": 8}
small = {"hints": HINT, "tile": (128, 64, 64), "sizes": (120, 56, 1016), "assumes": extents}
plant("cluster", Case("", **small), BARRIERS[:3] + BARRIERS[4:] + CLUSTER)
nest = persistent((128, 64, 32))
nest.assumes, nest.sizes, nest.hints = extents, (120, 184, 264), HINT
plant("tiles in turn", nest, BARRIERS[:3] + CLUSTER[:5])
# Two warpgroups in a CTA.
wide = small | {"tile": (256, 64, 64), "sizes": (248, 56, 440), "hints": HINT.replace("}", ", num_worker_warps_per_cta = 8}")}
plant("stored by maps", Case("", total="f16", **wide), [
    ("no proxy fence", r"^\s*fence\.proxy\.async;$", ""),
    ("a barrier of the consumers less", r"^\s*bar\.sync \s*1, 256;$", ""),
    ("a copy less", LINE.format(r"cp\.async\.bulk\.tensor\S*global\.shared"), ""),
    ("no wait", LINE.format(r"cp\.async\.bulk\.wait_group"), ""),
    *CLUSTER[5:7]])
