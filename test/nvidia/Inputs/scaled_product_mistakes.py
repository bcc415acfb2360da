# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes in block-scaled products by `tcgen05.mma` (planted.py). `scaled_product_mistakes.py TILEWRIGHT FOLDER`"""

import numpy as np
from planted import BARRIERS, HANDING_OVER, LINE, PAIR, before, plant_in, rng
from scaled_products import PACKED, TENSOR, Case, folder, in_memory, run, save, text_of, whole_values

COPY = r"tcgen05\.cp\S* \[(%r\d+)\], (%rd\d+);"
PRODUCT = r"tcgen05\.mma\S* \[%r\d+\], %rd\d+, %rd\d+, (%r\d+), \[(%r\d+)\], \[(%r\d+)\]"
SCALES = [
    ("no proxy fence", LINE.format(r"fence\.proxy\.async"), ""),
    ("a scale is not written", LINE.format(r"st\.shared\.b(?:8|32) \t?\[%rd"), ""),
    ("a copy of scales less", COPY, ""),
    ("other scales are copied", COPY, before("add.s64 {2}, {2}, 32;")),
    ("scales are copied to other columns", r"(tcgen05\.cp\S* \[%r\d+)\]", r"\1+4]"),
    ("the scales of another block", PRODUCT, before("xor.b32 {1}, {1}, 0x20000000;")),
    ("the scales of another block for rhs", PRODUCT, before("xor.b32 {1}, {1}, 0x10;")),
    ("scales from other columns", PRODUCT, before("add.s32 {2}, {2}, 4;")),
]


def plant_scaled(name: str, case: Case, mistakes: list) -> None:
    source = folder / "scaled.mlir"
    source.write_text(text_of(case))
    bits = whole_values(case, rng)
    types = {"a": case.element, "b": case.element, "s": case.scale, "t": case.scale}
    arguments = [save(name, type_, in_memory(case, name, bits[name])) for name, type_ in types.items()]
    np.save(folder / "c.npy", bits["c"])
    m, n, _ = case.sizes
    plant_in(name, run("compile", source, "--target", case.target, "--emit", "ptx", "-o", "-"),
             [*arguments, folder / "c.npy", f"zeros({m}x{n}xf32),out={folder / 'out.npy'}"], mistakes)


# Two stages, eight iterations.
plant_scaled("fp8", Case("f8E4M3FN", "f8E8M0FNU", 32, "sm_100a", TENSOR, tile=(128, 64, 128), sizes=(128, 64, 1024)),
             BARRIERS + HANDING_OVER + SCALES)
# Two elements of four bits share a byte; an instruction takes four scales of a row.
plant_scaled("fp4", Case("f4E2M1FN", "f8E4M3FN", 16, "sm_100a", PACKED[16], tile=(128, 64, 128), sizes=(120, 56, 1024), by_columns=True),
             BARRIERS[:8] + SCALES + [
                 ("other steps of lhs", r"tcgen05\.mma\S* \[%r\d+\], (%rd\d+)", before("xor.b64 {1}, {1}, 2;")),
                 ("an extent of 4 less", r"(tensormap\.replace\.tile\.global_dim\S* \[%r\d+\], \d, )(%r\d+);",
                  lambda p: f"sub.s32 {p[2]}, {p[2]}, 4;\n{p[0]}\nadd.s32 {p[2]}, {p[2]}, 4;"),
                 ("elements of two bytes", r"(tensormap\.replace\.tile\.elemtype\S* \[%r\d+\]), 0;", r"\1, 1;")])
# The producer copies scales in the order of a stage, and consumers do nothing in the loop.
plant_scaled("copied scales", Case("f8E4M3FN", "f8E8M0FNU", 32, "sm_100a", TENSOR, tile=(128, 128, 128), sizes=(120, 120, 1024),
                                   by_columns=True, blocked="st"),
             BARRIERS[4:8] + SCALES[2:4] + [
                 ("an extent of 8 less", r"(tensormap\.replace\.tile\.global_dim\S* \[%r\d+\], 0, )(%r\d+);",
                  lambda p: f"sub.s32 {p[2]}, {p[2]}, 8;\n{p[0]}\nadd.s32 {p[2]}, {p[2]}, 8;"),
                 ("a swizzle", r"(tensormap\.replace\.tile\.swizzle_mode\S* \[%r\d+\]), 0;", r"\1, 1;")])
# Consumers of both CTAs write scales: three stages, eight iterations.
plant_scaled("pair", Case("f8E4M3FN", "f8E8M0FNU", 32, "sm_100a", TENSOR, tile=(256, 64, 64), sizes=(248, 48, 512)),
             BARRIERS[:3] + BARRIERS[4:] + PAIR + HANDING_OVER[4:] + SCALES + [
                 ("a wait for threads of the CTA", r"(try_wait\.parity\.acquire)\.cluster", r"\1.cta")])
# The producers of both CTAs copy them.
plant_scaled("pair, copied scales", Case("f8E4M3FN", "f8E8M0FNU", 32, "sm_100a", TENSOR, tile=(256, 128, 128), sizes=(248, 120, 1024),
                                         by_columns=True, blocked="st"),
             BARRIERS[4:8] + PAIR[5:7] + SCALES[2:4])
