# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes in products by `wgmma` (planted.py). `warpgroup_mistakes.py TILEWRIGHT FOLDER`"""

from planted import BARRIERS, LINE, MAPS, plant
from warpgroup_kernels import Case, load, loop, store
from warpgroup_loops import persistent
from warpgroup_stores import twice

WGMMA = [
    ("no wgmma.fence", r"wgmma\.fence\.sync\.aligned; ", ""),
    ("no commit", r"wgmma\.commit_group\.sync\.aligned; ", ""),
    ("no wait for the group", r"wgmma\.wait_group\.sync\.aligned 0; ", ""),
    ("a wait for all groups but one", r"wgmma\.wait_group\.sync\.aligned 0; ", "wgmma.wait_group.sync.aligned 1; "),
    ("rhs along k", r"(wgmma\.mma_async[^;]*), 1;", r"\1, 0;"),
    ("lhs not along k", r"(wgmma\.mma_async[^;]*), 0, 1;", r"\1, 1, 1;"),
    ("a step along k of lhs from elsewhere", r"(add\.s64 a, %rd\d+), (?!0;)\d+;", r"\1, 0;"),
    ("a step along k of rhs from elsewhere", r"(add\.s64 b, %rd\d+), (?!0;)\d+;", r"\1, 0;"),
]
# Three stages, seven iterations, with edges on all sides.
extents = {"m": 8, "n": 8, "k": 8}
plant("product", Case("", tile=(64, 64, 128), sizes=(56, 56, 824), assumes=extents), BARRIERS + WGMMA + MAPS)
# The rings go on from tile to tile.
nest = persistent()
nest.assumes, nest.sizes, nest.tile = extents, (56, 184, 264), (64, 64, 32)
plant("tiles in turn", nest, BARRIERS[:9] + WGMMA[:4])
# Threads transpose rhs of tf32 beside the ring of lhs. (A warp that writes lhs writes what it reads itself.)
written = Case("", element="tf32", tile=(256, 128, 16), sizes=(200, 120, 120), assumes=extents)
plant("rhs of threads", written, [
    ("no proxy fence", LINE.format(r"fence\.proxy\.async"), ""),
    ("a barrier of the consumers less", r"^\s*bar\.sync \s*1, 256;$", ""),
    BARRIERS[0], WGMMA[2]])
# All threads copy.
NO_MAP = "sm_90 = {allow_tma = false}"
copied = Case("", tile=(64, 64, 128), sizes=(56, 56, 824), load_hints=(NO_MAP, NO_MAP), assumes=extents)
plant("copies of all threads", copied, [
    ("no proxy fence", LINE.format(r"fence\.proxy\.async"), ""),
    ("a barrier less", BARRIERS[-1][1], ""),
    ("no wait for copies", LINE.format(r"cp\.async\.wait_group"), ""),
    *WGMMA[:4]])
# The producer meets the consumers behind a store.
case = Case("")
half, view = case.tile_of("a"), case.view("a")
meeting = Case("", f"""{load(case, "a", "u", "%0", "%0")}
    %uu = addf %u, %u : {half}
    %st = store_view_tko weak %uu, %ap[%0, %0] token=%u_t : {half}, {view}, tile<i32> -> token
    {loop(case, tokens=" token=%st")}
    {store(case, "sum", "%0", "%0")}""", sizes=(56, 56, 120), assumes=extents)
SYNC = ("lanes do not wait for each other", r"^\s*bar\.warp\.sync -1;$", "")
plant("a store before", meeting, [BARRIERS[0], BARRIERS[3], SYNC, ("no proxy fence", LINE.format(r"fence\.proxy\.async"), "")])
# Lanes read fragments of `mma.sync` at different times.
plant("mma.sync", Case("", tile=(32, 64, 32), sizes=(24, 56, 248), assumes=extents), [BARRIERS[0], BARRIERS[3], SYNC])
# A tile is stored, loaded, and stored again.
plant("stores by maps", Case("", twice(), total="f16", sizes=(56, 56, 120), assumes=extents), [
    ("no proxy fence", r"^\s*fence\.proxy\.async;$", ""),
    ("a barrier of the consumers less", r"^\s*bar\.sync \s*1, 128;$", ""),
    ("a copy less", LINE.format(r"cp\.async\.bulk\.tensor\S*global\.shared"), ""),
    ("no commit", LINE.format(r"cp\.async\.bulk\.commit_group"), ""),
    ("no wait", LINE.format(r"cp\.async\.bulk\.wait_group"), ""),
    ("a wait for reads only", r"cp\.async\.bulk\.wait_group 0;", "cp.async.bulk.wait_group.read 0;"),
    ("a map is not copied", LINE.format(r"tensormap\.cp_fenceproxy"), ""),
    ("a map is not acquired", LINE.format(r"fence\.proxy\.tensormap"), "")])
