# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes in block-scaled products by `tcgen05.mma` (planted.py). `scaled_product_mistakes.py TILEWRIGHT FOLDER`"""

import numpy as np
from planted import BARRIERS, HANDING_OVER, LINE, before, plant_in, rng
from scaled_products import TENSOR, Case, folder, run, save, text_of, whole_values

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
    arguments = [save(name, type_, bits[name]) for name, type_ in types.items()]
    np.save(folder / "c.npy", bits["c"])
    m, n, _ = case.sizes
    plant_in(name, run("compile", source, "--target", case.target, "--emit", "ptx", "-o", "-"),
             [*arguments, folder / "c.npy", f"zeros({m}x{n}xf32),out={folder / 'out.npy'}"], mistakes)


# Two stages, eight iterations.
plant_scaled("fp8", Case("f8E4M3FN", "f8E8M0FNU", 32, "sm_100a", TENSOR, tile=(128, 64, 128), sizes=(128, 64, 1024)),
             BARRIERS + HANDING_OVER + SCALES)
