# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in Triton, and how triton-80.ptx, triton-90.ptx and triton-100.ptx are made of them.

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
def described_product(a, b, out, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    """Tensor maps that the kernel makes itself, copies by them, and products of a warpgroup."""
    left = tl.make_tensor_descriptor(a, [m, k], [k, 1], [BM, BK])
    right = tl.make_tensor_descriptor(b, [n, k], [k, 1], [BN, BK])
    to = tl.make_tensor_descriptor(out, [m, n], [n, 1], [BM, BN])
    row, column = tl.program_id(0) * BM, tl.program_id(1) * BN
    sums = tl.zeros((BM, BN), dtype=tl.float32)
    for start in range(0, k, BK):
        sums = tl.dot(left.load([row, start]), right.load([column, start]).T, sums)
    to.store([row, column], sums.to(tl.float16))


def text_of(kernel, arguments: str, constants: dict, sm: int) -> str:
    """`arguments`: types by commas. Pointers and integers are promised to be multiples of 16."""
    names = [name for name in kernel.arg_names if name not in constants]
    types = arguments.split(",")
    signature = dict(zip(names, types, strict=True)) | dict.fromkeys(constants, "constexpr")
    promises = {(number,): [["tt.divisibility", 16]] for number, type in enumerate(types) if type != "fp32"}
    source = ASTSource(kernel, signature=signature, constexprs=constants, attrs=promises)
    return triton.compile(source, target=GPUTarget("cuda", sm, 32), options={"num_stages": 3, "ptx_version": 88}).asm["ptx"]


def joined(texts: list[str]) -> str:
    """One module of several: the head, and each variable of the module once."""
    variable = re.compile(r"^\.(?:extern \.shared|global) .*\n", re.MULTILINE)
    start = texts[0].index("\t// .globl")
    variables = dict.fromkeys(variable.findall("".join(texts)))
    return texts[0][:start] + "".join(variables) + "".join(
        variable.sub("", text[text.index("\t// .globl"):]) for text in texts)


def main() -> None:
    tiles = {"BM": 64, "BN": 64, "BK": 32}
    halves = "*fp16,*fp16"
    here = pathlib.Path(__file__).resolve().parent
    (here / "triton-80.ptx").write_text(joined([
        text_of(softmax, "*fp32,*fp32,i32", {"BLOCK": 512}, 80),
        text_of(layer_norm, "*fp16,*fp32,*fp32,*fp16,i32,fp32", {"BLOCK": 512}, 80),
        text_of(sort, "*fp32,*fp32", {"BLOCK": 256}, 80),
        text_of(running_sum, "*fp32,*fp32", {"BLOCK": 512}, 80),
        text_of(histogram, "*i32,*i32", {"BLOCK": 512, "BINS": 64}, 80),
        text_of(locked, "*i32,*i32", {"BLOCK": 128}, 80),
        text_of(product, halves + ",*fp32,i32,i32,i32", tiles, 80),
        text_of(attention, f"{halves},{halves},fp32,i32", {"BM": 64, "BN": 32, "WIDTH": 64}, 80)]))
    (here / "triton-90.ptx").write_text(joined([
        text_of(product, halves + ",*fp32,i32,i32,i32", tiles, 90),
        text_of(described_product, halves + ",*fp16,i32,i32,i32", {"BM": 64, "BN": 64, "BK": 64}, 90)]))
    (here / "triton-100.ptx").write_text(text_of(product, halves + ",*fp32,i32,i32,i32", tiles, 100))


if __name__ == "__main__":
    main()
