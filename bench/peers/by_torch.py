# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The benchmarks' computations as a PyTorch user writes them. `out` is the tensor to write to, for PyTorch
functions that take it, or None in compiled code; functions that return another tensor
allocate it."""

import torch
from torch.nn import functional


def softmax(x, out):
    return torch.softmax(x, 1, out=out)


softmax_bf16 = softmax  # computes in f32 internally


def rms_norm_bf16(x, w, out):
    row = x.float()
    result = row * torch.rsqrt((row * row).mean(1, keepdim=True) + 1e-5) * w.float()
    return result.to(x.dtype) if out is None else out.copy_(result)


def layer_norm(x, w, out):
    return functional.layer_norm(x, x.shape[1:], w[0], w[1])


def rms_norm(x, w, out):
    return functional.rms_norm(x, x.shape[1:], w, 1e-5)


def swiglu(x, w, out):
    return torch.mul(functional.silu(x), w, out=out)


def vector_add(a, b, out):
    return torch.add(a, b, out=out)


def transpose(x, out):
    return x.T.contiguous() if out is None else out.copy_(x.T)


def gather(table, i, out):
    return torch.index_select(table, 0, i, out=out)


def attention(q, k, v, out):
    return functional.scaled_dot_product_attention(q, k, v)


def attention_causal(q, k, v, out):
    return functional.scaled_dot_product_attention(q, k, v, is_causal=True)


def gemv(w, x, out):
    return torch.mv(w.float(), x, out=out)  # accumulating in bf16 would be less exact than ours


def gemv_int4(w, scales, x, out):
    groups = scales.shape[1]
    first = ((w & 15).float() - 8).view(len(w), groups, -1) * x[0].view(1, groups, -1)
    second = ((w >> 4).float() - 8).view(len(w), groups, -1) * x[1].view(1, groups, -1)
    return ((first + second).sum(2) * scales).sum(1)


def scaled_gemm(a, b, rows, columns, out):
    return torch._int_mm(a, b) * rows[:, None] * columns


def experts(x, w, order, ends, out):
    result = torch.empty_like(x) if out is None else out
    first = 0
    for e, end in enumerate(ends.tolist()):
        own = order[first:end]
        result[own] = x[own] @ w[e]
        first = end
    return result


def cross_entropy(x, targets, out):
    return functional.cross_entropy(x, targets.long(), reduction="none")


def layer_norm_backward(x, w, dy, out):
    mean = x.mean(1, keepdim=True)
    scale = torch.rsqrt(x.var(1, correction=0, keepdim=True) + 1e-5)
    dx, dw, db = torch.ops.aten.native_layer_norm_backward(
        dy, x, x.shape[1:], mean, scale, w, torch.zeros_like(w), [True, True, True])
    return torch.cat((dx, dw[None], db[None]))


def row_sums(x, out):
    return torch.cumsum(x, 1, out=out)


def largest(x, y, out):
    return torch.topk(x, y.shape[1], 1)[0]


def sort_rows(x, out):
    return torch.sort(x, 1)[0]


def prefix_sum(x, out):
    return torch.cumsum(x, 0, dtype=x.dtype, out=out)


def histogram(x, out):
    return torch.bincount(x, minlength=256).int()
