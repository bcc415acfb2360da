# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in Triton, and how triton-80.ptx, triton-90.ptx and triton-100*.ptx are made of them.

    python triton_kernels.py      with Triton in the environment; it needs no GPU

The lines of the source are left out, since they name files of Triton's own library.
"""

import os
import pathlib
import re

os.environ["TRITON_DISABLE_LINE_INFO"] = "1"
os.environ["TRITON_DEFAULT_FP_FUSION"] = "1"

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource


@triton.jit
def softmax(out, x, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    row = tl.program_id(0) * columns
    values = tl.load(x + row + at, mask=at < columns, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row + at, powers / tl.sum(powers, axis=0), mask=at < columns)


@triton.jit
def layer_norm(x, weight, bias, out, columns, epsilon, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    row = tl.program_id(0) * columns
    values = tl.load(x + row + at, mask=at < columns, other=0.0).to(tl.float32)
    centered = tl.where(at < columns, values - tl.sum(values, axis=0) / columns, 0.0)
    scale = 1 / tl.sqrt(tl.sum(centered * centered, axis=0) / columns + epsilon)
    result = centered * scale * tl.load(weight + at, mask=at < columns) + tl.load(bias + at, mask=at < columns)
    tl.store(out + row + at, result, mask=at < columns)


@triton.jit
def sort(x, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.sort(tl.load(x + at)))


@triton.jit
def running_sum(x, out, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(out + at, tl.cumsum(tl.load(x + at), axis=0))


@triton.jit
def histogram(x, counts, BLOCK: tl.constexpr, BINS: tl.constexpr):
    values = tl.load(x + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))
    tl.atomic_add(counts + tl.arange(0, BINS), tl.histogram(values, BINS))


@triton.jit
def locked(lock, x, BLOCK: tl.constexpr):
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    at = tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at) + 1)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@triton.jit
def product(a, b, out, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    depth = tl.arange(0, BK)
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        inside = start + depth < k
        left = tl.load(a + rows[:, None] * k + (start + depth)[None, :],
                       mask=(rows[:, None] < m) & inside[None, :], other=0.0)
        right = tl.load(b + (start + depth)[:, None] * n + columns[None, :],
                        mask=inside[:, None] & (columns[None, :] < n), other=0.0)
        sums = tl.dot(left, right, sums)
    tl.store(out + rows[:, None] * n + columns[None, :], sums, mask=(rows[:, None] < m) & (columns[None, :] < n))


@triton.jit
def attention(query, key, value, out, scale, length, BM: tl.constexpr, BN: tl.constexpr, WIDTH: tl.constexpr):
    first = tl.program_id(0) * BM
    base = tl.program_id(1) * length * WIDTH
    rows = first + tl.arange(0, BM)
    width = tl.arange(0, WIDTH)
    q = tl.load(query + base + rows[:, None] * WIDTH + width[None, :])
    highest = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    sums = tl.zeros((BM, WIDTH), tl.float32)
    for start in range(0, first + BM, BN):
        columns = start + tl.arange(0, BN)
        keys = tl.load(key + base + columns[None, :] * WIDTH + width[:, None])
        scores = tl.where(rows[:, None] >= columns[None, :], tl.dot(q, keys) * scale, -float("inf"))
        now = tl.maximum(highest, tl.max(scores, 1))
        powers = tl.exp2(scores - now[:, None])
        factor = tl.exp2(highest - now)
        total = total * factor + tl.sum(powers, 1)
        values = tl.load(value + base + columns[:, None] * WIDTH + width[None, :])
        sums = tl.dot(powers.to(tl.float16), values, sums * factor[:, None])
        highest = now
    tl.store(out + base + rows[:, None] * WIDTH + width[None, :], (sums / total[:, None]).to(tl.float16))


@triton.jit
def described_product(a, b, out, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, ROLES: tl.constexpr):
    """Tensor maps that the kernel makes itself, copies by them, and products of a warpgroup. ROLES: copies, products
    and the rest are divided among warps."""
    left = tl.make_tensor_descriptor(a, [m, k], [k, 1], [BM, BK])
    right = tl.make_tensor_descriptor(b, [n, k], [k, 1], [BN, BK])
    to = tl.make_tensor_descriptor(out, [m, n], [n, 1], [BM, BN])
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for start in tl.range(0, k, BK, warp_specialize=ROLES):
        sums = tl.dot(left.load([row, start]), right.load([column, start]).T, sums)
    to.store([row, column], sums.to(tl.float16))


@triton.jit
def persistent_product(a, b, out, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, ROLES: tl.constexpr):
    left = tl.make_tensor_descriptor(a, [m, k], [k, 1], [BM, BK])
    right = tl.make_tensor_descriptor(b, [n, k], [k, 1], [BN, BK])
    to = tl.make_tensor_descriptor(out, [m, n], [n, 1], [BM, BN])
    across = tl.cdiv(n, BN)
    for tile in tl.range(tl.program_id(0), tl.cdiv(m, BM) * across, tl.num_programs(0), flatten=True,
                         warp_specialize=ROLES):
        row, column = tile // across * BM, tile % across * BN
        sums = tl.zeros((BM, BN), dtype=tl.float32)
        for start in range(0, k, BK):
            sums = tl.dot(left.load([row, start]), right.load([column, start]).T, sums)
        to.store([row, column], sums.to(tl.float16))


@triton.jit
def scaled_product(a, a_scale, b, b_scale, out, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
                   TYPE: tl.constexpr, PACK: tl.constexpr, GROUP: tl.constexpr):
    """Threads load the scales in rows. A byte has PACK elements of a row, and GROUP of them one scale."""
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    depth, groups = tl.arange(0, BK // PACK), tl.arange(0, BK // GROUP)
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        left = tl.load(a + rows[:, None] * (k // PACK) + (start // PACK + depth)[None, :])
        right = tl.load(b + columns[:, None] * (k // PACK) + (start // PACK + depth)[None, :])
        left_scale = tl.load(a_scale + rows[:, None] * (k // GROUP) + (start // GROUP + groups)[None, :])
        right_scale = tl.load(b_scale + columns[:, None] * (k // GROUP) + (start // GROUP + groups)[None, :])
        sums = tl.dot_scaled(left, left_scale, TYPE, right.T, right_scale, TYPE, sums)
    tl.store(out + rows[:, None] * n + columns[None, :], sums)


@triton.jit
def scales_of(at, row, group, ROWS: tl.constexpr, GROUPS: tl.constexpr):
    blocks = at.load([0, row // 128, group // 4, 0, 0]).reshape(ROWS // 128, GROUPS // 4, 32, 4, 4)
    return blocks.trans(0, 3, 2, 1, 4).reshape(ROWS, GROUPS)


@triton.jit
def copied_scales(a, a_scale, b, b_scale, out, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
                  TYPE: tl.constexpr, PACK: tl.constexpr, GROUP: tl.constexpr):
    """Scales of 128 rows and 4 groups are 512 bytes in the order of tensor memory, where tcgen05.cp puts them."""
    left = tl.make_tensor_descriptor(a, [m, k // PACK], [k // PACK, 1], [BM, BK // PACK])
    right = tl.make_tensor_descriptor(b, [n, k // PACK], [k // PACK, 1], [BN, BK // PACK])
    blocks = k // GROUP // 4
    left_scale = tl.make_tensor_descriptor(a_scale, [1, m // 128, blocks, 2, 256], [m * blocks * 4, blocks * 512, 512, 256, 1],
                                           [1, BM // 128, BK // GROUP // 4, 2, 256])
    right_scale = tl.make_tensor_descriptor(b_scale, [1, n // 128, blocks, 2, 256], [n * blocks * 4, blocks * 512, 512, 256, 1],
                                            [1, BN // 128, BK // GROUP // 4, 2, 256])
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        sums = tl.dot_scaled(left.load([row, start // PACK]), scales_of(left_scale, row, start // GROUP, BM, BK // GROUP), TYPE,
                             right.load([column, start // PACK]).T,
                             scales_of(right_scale, column, start // GROUP, BN, BK // GROUP), TYPE, sums)
    rows, columns = row + tl.arange(0, BM), column + tl.arange(0, BN)
    tl.store(out + rows[:, None] * n + columns[None, :], sums)


@triton.jit
def described_attention(query, key, value, out, scale, length, BM: tl.constexpr, BN: tl.constexpr, WIDTH: tl.constexpr,
                        CAUSAL: tl.constexpr, ROLES: tl.constexpr):
    first = tl.program_id(0) * BM
    base = tl.program_id(1) * length
    height = tl.num_programs(1) * length
    queries = tl.make_tensor_descriptor(query, [height, WIDTH], [WIDTH, 1], [BM, WIDTH])
    keys = tl.make_tensor_descriptor(key, [height, WIDTH], [WIDTH, 1], [BN, WIDTH])
    values = tl.make_tensor_descriptor(value, [height, WIDTH], [WIDTH, 1], [BN, WIDTH])
    to = tl.make_tensor_descriptor(out, [height, WIDTH], [WIDTH, 1], [BM, WIDTH])
    rows = first + tl.arange(0, BM)
    q = queries.load([base + first, 0])
    highest = tl.full((BM,), -float("inf"), tl.float32)
    total = tl.zeros((BM,), tl.float32)
    sums = tl.zeros((BM, WIDTH), tl.float32)
    for start in tl.range(0, first + BM if CAUSAL else length, BN, warp_specialize=ROLES):
        scores = tl.dot(q, keys.load([base + start, 0]).T) * scale
        if CAUSAL:
            scores = tl.where(rows[:, None] >= (start + tl.arange(0, BN))[None, :], scores, -float("inf"))
        now = tl.maximum(highest, tl.max(scores, 1))
        powers = tl.exp2(scores - now[:, None])
        factor = tl.exp2(highest - now)
        total = total * factor + tl.sum(powers, 1)
        sums = tl.dot(powers.to(tl.float16), values.load([base + start, 0]), sums * factor[:, None])
        highest = now
    to.store([base + first, 0], (sums / total[:, None]).to(tl.float16))


def text_of(kernel, arguments: str, constants: dict, sm: int, name: str = "", **options) -> str:
    """`arguments`: types by commas. Pointers and integers are promised to be multiples of 16. A comment in front of the
    kernel says how it is launched."""
    names = [name for name in kernel.arg_names if name not in constants]
    types = arguments.split(",")
    signature = dict(zip(names, types, strict=True)) | dict.fromkeys(constants, "constexpr")
    promises = {(number,): [["tt.divisibility", 16]] for number, type in enumerate(types) if type != "fp32"}
    source = ASTSource(kernel, signature=signature, constexprs=constants, attrs=promises)
    made = triton.compile(source, target=GPUTarget("cuda", sm, 32), options={"num_stages": 3, "ptx_version": 88} | options)
    name = name or kernel.__name__
    text = re.sub(rf"\b{kernel.__name__}(?=\b|_param)", name, made.asm["ptx"])
    launch = f"// {name}: {made.metadata.shared} bytes of shared memory, {made.metadata.global_scratch_size} of scratch memory"
    return text.replace(".visible .entry", f"{launch}\n.visible .entry")


def joined(texts: list[str]) -> str:
    """One module of several: the head, and each variable of the module once."""
    variable = re.compile(r"^\.(?:extern \.shared|global) .*\n", re.MULTILINE)
    start = texts[0].index("\t// .globl")
    variables = dict.fromkeys(variable.findall("".join(texts)))
    return texts[0][:start] + "".join(variables) + "".join(
        variable.sub("", text[text.index("\t// .globl"):]) for text in texts)


HALVES, BYTES = "*fp16,*fp16", "*fp8e4nv,*fp8e4nv"
EXTENTS = "i32,i32,i32"


def blackwell() -> dict[str, list[str]]:
    """File -> kernels of sm_100a; their names say which tiles they have."""
    files: dict[str, list[str]] = {}

    def add(file: str, kernel, name: str, arguments: str, tile: tuple, **more) -> None:
        options = {key: more.pop(key) for key in ("num_warps", "num_stages") if key in more}
        constants = dict(zip(("BM", "BN", "WIDTH" if kernel is described_attention else "BK"), tile)) | more
        files.setdefault(file, []).append(
            text_of(kernel, arguments, constants, 100, name + "_" + "x".join(map(str, tile)), **options))

    add("triton-100", product, "product", f"{HALVES},*fp32,{EXTENTS}", (64, 64, 32))
    add("triton-100", product, "product", f"{HALVES},*fp32,{EXTENTS}", (128, 256, 64), num_warps=8)
    add("triton-100", product, "product", f"{HALVES},*fp32,{EXTENTS}", (256, 128, 32), num_warps=8)
    add("triton-100", described_product, "described", f"{BYTES},*fp16,{EXTENTS}", (128, 128, 128), ROLES=False)
    add("triton-100", described_product, "roles", f"{HALVES},*fp16,{EXTENTS}", (128, 64, 64), ROLES=True)
    add("triton-100-persistent", persistent_product, "persistent", f"{HALVES},*fp16,{EXTENTS}", (128, 128, 64), ROLES=False)
    add("triton-100-persistent", persistent_product, "persistent_roles", f"{HALVES},*fp16,{EXTENTS}", (128, 256, 64),
        ROLES=True, num_warps=8, num_stages=2)
    add("triton-100-persistent", persistent_product, "persistent_roles", f"{BYTES},*fp16,{EXTENTS}", (128, 64, 128), ROLES=True)

    eight, four, nvidia = (dict(TYPE=type, PACK=pack, GROUP=group)
                           for type, pack, group in (("e4m3", 1, 32), ("e2m1", 2, 32), ("e2m1", 2, 16)))
    mx8, mx4, nvf4 = "*fp8e4nv,*u8,*fp8e4nv,*u8", "*u8,*u8,*u8,*u8", "*u8,*fp8e4nv,*u8,*fp8e4nv"
    for kernel, name, format, tile, more in (
            (scaled_product, "mxf8", mx8, (128, 64, 128), eight), (scaled_product, "mxf4", mx4, (128, 128, 128), four),
            (scaled_product, "nvf4", nvf4, (128, 128, 128), nvidia), (copied_scales, "copied_mxf8", mx8, (128, 128, 128), eight),
            (copied_scales, "copied_mxf4", mx4, (128, 256, 256), four), (copied_scales, "copied_nvf4", nvf4, (128, 128, 256), nvidia)):
        add("triton-100-scaled", kernel, name, f"{format},*fp32,{EXTENTS}", tile, num_stages=2, **more)

    arguments = f"{HALVES},{HALVES},fp32,i32"
    for name, tile, more in (("attention", (128, 64, 64), dict(CAUSAL=False, ROLES=False)),
                             ("causal_attention", (128, 64, 128), dict(CAUSAL=True, ROLES=False, num_warps=8, num_stages=2)),
                             ("attention_roles", (128, 64, 64), dict(CAUSAL=False, ROLES=True)),
                             ("attention_roles", (128, 128, 128), dict(CAUSAL=False, ROLES=True, num_stages=2))):
        add("triton-100-attention", described_attention, name, arguments, tile, **more)
    return files


def main() -> None:
    tiles = {"BM": 64, "BN": 64, "BK": 32}
    here = pathlib.Path(__file__).resolve().parent
    (here / "triton-80.ptx").write_text(joined([
        text_of(softmax, "*fp32,*fp32,i32", {"BLOCK": 512}, 80),
        text_of(layer_norm, "*fp16,*fp32,*fp32,*fp16,i32,fp32", {"BLOCK": 512}, 80),
        text_of(sort, "*fp32,*fp32", {"BLOCK": 256}, 80),
        text_of(running_sum, "*fp32,*fp32", {"BLOCK": 512}, 80),
        text_of(histogram, "*i32,*i32", {"BLOCK": 512, "BINS": 64}, 80),
        text_of(locked, "*i32,*i32", {"BLOCK": 128}, 80),
        text_of(product, f"{HALVES},*fp32,{EXTENTS}", tiles, 80),
        text_of(attention, f"{HALVES},{HALVES},fp32,i32", {"BM": 64, "BN": 32, "WIDTH": 64}, 80)]))
    (here / "triton-90.ptx").write_text(joined([
        text_of(product, f"{HALVES},*fp32,{EXTENTS}", tiles, 90),
        text_of(described_product, f"{HALVES},*fp16,{EXTENTS}", {"BM": 64, "BN": 64, "BK": 64, "ROLES": False}, 90)]))
    for file, texts in blackwell().items():
        (here / f"{file}.ptx").write_text(joined(texts))


if __name__ == "__main__":
    main()
