# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes in products by `tcgen05.mma` (planted.py). `tensor_product_mistakes.py TILEWRIGHT FOLDER`"""

from tensor_lhs import chained
from planted import BARRIERS, HANDING_OVER, LINE, before, immediate, plant
from warpgroup_kernels import Case, loop, store
from warpgroup_loops import persistent

ALLOCATION = [
    ("no allocation", LINE.format(r"tcgen05\.alloc"), ""),
    ("half of the columns", r"(tcgen05\.alloc\S* \[%r\d+\], )(%r\d+);", immediate(lambda columns: columns // 2)),
    ("columns are not freed", LINE.format(r"tcgen05\.dealloc"), ""),
]
PRODUCT = r"tcgen05\.mma\S* \[(%r\d+)\], (%rd\d+), (%rd\d+), (%r\d+)"
PRODUCTS = [
    ("a step less", r"tcgen05\.mma[^;]*;", ""),
    ("each step adds", r"setp\.ne\.b32 p, %r\d+, 0;", "setp.eq.b32 p, 0, 0;"),
    ("no step adds", r"setp\.ne\.b32 p, %r\d+, 0;", "setp.ne.b32 p, 0, 0;"),
    ("other columns", PRODUCT, before("add.s32 {1}, {1}, 8;")),
    ("other steps of lhs", PRODUCT, before("xor.b64 {2}, {2}, 2;")),
    ("other steps of rhs", PRODUCT, before("xor.b64 {3}, {3}, 2;")),
    ("lhs not along k", PRODUCT, before("xor.b32 {4}, {4}, 0x8000;")),
    ("rhs along k", PRODUCT, before("xor.b32 {4}, {4}, 0x10000;")),
    ("another type of lhs", PRODUCT, before("xor.b32 {4}, {4}, 0x80;")),
    ("half of the rows", PRODUCT, before("xor.b32 {4}, {4}, 0xC000000;")),
    ("another swizzle of lhs", PRODUCT, before("xor.b64 {2}, {2}, 0xC000000000000000;")),
    ("other rows of lhs", PRODUCT, before("xor.b64 {2}, {2}, 0x100000000;")),
]
MOVES = [
    ("another row", r"tcgen05\.(ld|st)\S* [^;]*\[(%r\d+)", before("xor.b32 {2}, {2}, 0x200000;")),
    ("another column", r"tcgen05\.(ld|st)\S* [^;]*\[(%r\d+)", before("add.s32 {2}, {2}, 1;")),
]


def on_blackwell(case: Case) -> Case:
    case.target, case.assumes = "sm_100a", {"m": 8, "n": 8, "k": 8}
    return case


# Three stages, seven iterations, with edges on all sides.
product = Case("", tile=(128, 64, 128), sizes=(120, 56, 824))
plant("product", on_blackwell(product), BARRIERS + HANDING_OVER + ALLOCATION + PRODUCTS + MOVES)
# 64 rows, which half of the lanes have.
plant("64 rows", on_blackwell(Case("", tile=(64, 64, 128), sizes=(56, 56, 824))), HANDING_OVER[:5] + MOVES)
# The accumulators of a tile are written again for the next one.
nest = persistent((128, 64, 32))
nest.sizes = (120, 184, 264)
plant("tiles in turn", on_blackwell(nest), BARRIERS[:3] + HANDING_OVER)
# Initial accumulators are stored.
case = Case("", tile=(128, 64, 32))
stored = Case("", f"""%three = constant <f32: 3.0> : {case.tile_of("c")}
    {loop(case, initial="three")}
    {store(case, "sum")}""", tile=case.tile, sizes=(120, 56, 264))
plant("initial accumulators", on_blackwell(stored), BARRIERS[:3] + HANDING_OVER + PRODUCTS[2:3] + MOVES)
# Threads compute lhs from other accumulators, and store it to tensor memory.
plant("lhs in tensor memory", on_blackwell(chained(128, q=7, sizes=(120, 448, 64), grid=(1, 1))), BARRIERS[:3] + HANDING_OVER + MOVES + [
    ("other columns of lhs", r"tcgen05\.mma\S* \[\S+\], \[(%r\d+)\]", before("add.s32 {1}, {1}, 1;")),
    ("no store", r"tcgen05\.st\S* [^;]*; ", "")])
# Threads compute lhs, so accumulators are handed over for each product.
half = case.tile_of("a")
computed = Case("", f"""{loop(case).replace("mmaf %l,", "mmaf %d,").replace("%more =", f"%d = addf %l, %l : {half}" + chr(10) + "%more =")}
    {store(case, "sum")}""", tile=case.tile, sizes=(120, 56, 264))
plant("lhs of threads", on_blackwell(computed), [
    ("no proxy fence", LINE.format(r"fence\.proxy\.async"), ""), *BARRIERS[:3], *HANDING_OVER])
