# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cuTile kernels compared with PyTorch on "cuda", in the way of GPU samples: matrix products, layer norm
with its gradients, and attention, in f16, bf16 and f32, with `torch.testing.assert_close`. A test runs
all functions under `tilewright exec` (test_torch_exact.py)."""

import math

import cuda.tile as ct
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

ZERO = ct.PaddingMode.ZERO


@ct.kernel
def matmul_kernel(a, b, c, tile: ct.Constant):
    m, n, k = tile
    row, column = ct.bid(0), ct.bid(1)
    total = ct.zeros((m, n), ct.float32)
    for i in range(ct.cdiv(a.shape[1], k)):
        total = ct.mma(ct.load(a, (row, i), (m, k), padding_mode=ZERO),
                       ct.load(b, (i, column), (k, n), padding_mode=ZERO), total)
    ct.store(c, (row, column), total.astype(c.dtype))


def multiplies_matrices():
    for dtype in (torch.float16, torch.bfloat16, torch.float32):
        a = torch.randn(512, 768, dtype=dtype, device="cuda")
        b = torch.randn(768, 512, dtype=dtype, device="cuda")
        c = torch.empty(512, 512, dtype=dtype, device="cuda")
        ct.launch(torch.cuda.current_stream(), (8, 8), matmul_kernel, (a, b, c, (64, 64, 32)))
        # f32 sums of 768 products: where they cancel, the kernel's own error is 4e-5.
        torch.testing.assert_close(c, a @ b, atol=2e-4, rtol=torch.finfo(dtype).eps)


@ct.kernel
def batched_kernel(a, b, c, tile: ct.Constant):
    m, n, k = tile
    batch, row, column = ct.bid(0), ct.bid(1), ct.bid(2)
    total = ct.zeros((m, n), ct.float32)
    for i in range(ct.cdiv(a.shape[2], k)):
        left = ct.load(a, (batch, row, i), (1, m, k), padding_mode=ZERO).reshape((m, k))
        right = ct.load(b, (batch, i, column), (1, k, n), padding_mode=ZERO).reshape((k, n))
        total = ct.mma(left, right, total)
    ct.store(c, (batch, row, column), total.astype(c.dtype).reshape((1, m, n)))


def multiplies_batches():
    for dtype in (torch.float16, torch.bfloat16):
        a = torch.randn(4, 128, 256, dtype=dtype, device="cuda")
        b = torch.randn(4, 256, 192, dtype=dtype, device="cuda")
        c = torch.empty(4, 128, 192, dtype=dtype, device="cuda")
        ct.launch(torch.cuda.current_stream(), (4, 2, 3), batched_kernel, (a, b, c, (64, 64, 64)))
        torch.testing.assert_close(c, torch.bmm(a, b), atol=1e-4, rtol=torch.finfo(dtype).eps)


# --- Layer norm ---------------------------------------------------------------------------------


@ct.function
def row_of(array, row, columns: ct.Constant[int]):
    return ct.load(array, (row, 0), (1, columns)).reshape((columns,)).astype(ct.float32)


@ct.kernel
def norm_kernel(x, weight, bias, y, mean, rstd, eps: float, columns: ct.Constant[int]):
    row = ct.bid(0)
    values = row_of(x, row, columns)
    center = ct.sum(values) / columns
    scale = ct.rsqrt(ct.sum((values - center) * (values - center)) / columns + eps)
    weights = ct.load(weight, (0,), (columns,)).astype(ct.float32)
    result = (values - center) * scale * weights + ct.load(bias, (0,), (columns,)).astype(ct.float32)
    ct.store(y, (row, 0), result.astype(y.dtype).reshape((1, columns)))
    ct.store(mean, (row,), center)
    ct.store(rstd, (row,), scale)


@ct.kernel
def norm_backward_kernel(dy, x, weight, mean, rstd, dx, dweight, dbias, rows: ct.Constant[int],
                         columns: ct.Constant[int]):
    weights = ct.load(weight, (0,), (columns,)).astype(ct.float32)
    weight_sum, bias_sum = ct.zeros((columns,), ct.float32), ct.zeros((columns,), ct.float32)
    for i in range(rows):
        row = ct.bid(0) * rows + i
        scale = ct.load(rstd, (row,), ())
        normal = (row_of(x, row, columns) - ct.load(mean, (row,), ())) * scale
        gradient = row_of(dy, row, columns)
        inner = gradient * weights
        along, level = ct.sum(inner * normal) / columns, ct.sum(inner) / columns
        ct.store(dx, (row, 0), ((inner - level - normal * along) * scale).astype(dx.dtype).reshape((1, columns)))
        weight_sum += gradient * normal
        bias_sum += gradient
    ct.store(dweight, (ct.bid(0), 0), weight_sum.reshape((1, columns)))
    ct.store(dbias, (ct.bid(0), 0), bias_sum.reshape((1, columns)))


class Norm(torch.autograd.Function):
    BLOCKS = 16

    @staticmethod
    def forward(context, x, weight, bias, eps):
        rows, columns = x.shape
        y, mean = torch.empty_like(x), torch.empty(rows, dtype=torch.float32, device="cuda")
        rstd = torch.empty_like(mean)
        ct.launch(torch.cuda.current_stream(), (rows,), norm_kernel, (x, weight, bias, y, mean, rstd, eps, columns))
        context.save_for_backward(x, weight, mean, rstd)
        return y

    @staticmethod
    def backward(context, dy):
        x, weight, mean, rstd = context.saved_tensors
        rows, columns = x.shape
        dx = torch.empty_like(dy)
        dweight, dbias = (torch.empty(Norm.BLOCKS, columns, dtype=torch.float32, device="cuda") for _ in range(2))
        ct.launch(torch.cuda.current_stream(), (Norm.BLOCKS,), norm_backward_kernel,
                  (dy, x, weight, mean, rstd, dx, dweight, dbias, rows // Norm.BLOCKS, columns))
        return dx, dweight.sum(0).to(weight.dtype), dbias.sum(0).to(weight.dtype), None


def normalises_layers():
    for dtype in (torch.float16, torch.bfloat16, torch.float32):
        weight, bias = (torch.rand(2048, dtype=dtype, device="cuda").requires_grad_() for _ in range(2))
        x = (-2.3 + 0.5 * torch.randn(1024, 2048, dtype=dtype, device="cuda")).requires_grad_()
        dy = 0.1 * torch.randn_like(x)
        operands, gradients = (x, weight, bias), []
        for norm in (lambda: Norm.apply(x, weight, bias, 1e-5), lambda: F.layer_norm(x, (2048,), weight, bias, 1e-5)):
            y = norm()
            y.backward(dy)
            gradients.append([y, *(operand.grad for operand in operands)])
            for operand in operands:
                operand.grad = None
        for found, expected in zip(*gradients):
            torch.testing.assert_close(found, expected, atol=1e-2, rtol=0 if dtype == torch.float32 else 1e-2)


# --- Attention ----------------------------------------------------------------------------------


@ct.kernel
def attention_kernel(q, k, v, out, scale: float, causal: ct.Constant[bool], n: ct.Constant[int], d: ct.Constant[int]):
    head, i = ct.bid(1), ct.bid(0)
    query = ct.load(q, (head, i, 0), (1, n, d)).reshape((n, d))
    row = i * n + ct.arange(n, dtype=ct.int32)[:, None]
    maximum, total = ct.full((n, 1), -math.inf, ct.float32), ct.zeros((n, 1), ct.float32)
    weighted = ct.zeros((n, d), ct.float32)
    for j in range(ct.cdiv(k.shape[1], n)):
        key = ct.load(k, (head, 0, j), (1, d, n), order=(0, 2, 1)).reshape((d, n))
        scores = ct.mma(query, key, ct.zeros((n, n), ct.float32)) * scale
        if causal:
            scores = ct.where(j * n + ct.arange(n, dtype=ct.int32)[None, :] <= row, scores, -math.inf)
        higher = ct.maximum(maximum, ct.max(scores, axis=1, keepdims=True))
        powers, shrink = ct.exp(scores - higher), ct.exp(maximum - higher)
        total = total * shrink + ct.sum(powers, axis=1, keepdims=True)
        value = ct.load(v, (head, j, 0), (1, n, d)).reshape((n, d))
        weighted = ct.mma(powers.astype(v.dtype), value, weighted * shrink)
        maximum = higher
    ct.store(out, (head, i, 0), (weighted / total).astype(out.dtype).reshape((1, n, d)))


def attends():
    """With each GPU backend, selected in all ways. PyTorch has two of them on the CPU."""
    for dtype in (torch.float16, torch.bfloat16, torch.float32):
        q, k, v = (torch.randn(2, 4, 128, 64, dtype=dtype, device="cuda") for _ in range(3))
        for causal in (False, True):
            out = torch.empty_like(q)
            flat = [tensor.view(8, 128, 64) for tensor in (q, k, v, out)]
            ct.launch(torch.cuda.current_stream(), (2, 8), attention_kernel, (*flat, 1 / 8, causal, 64, 64))
            for backend in (SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.CUDNN_ATTENTION,
                            SDPBackend.MATH, [SDPBackend.CUDNN_ATTENTION, SDPBackend.EFFICIENT_ATTENTION]):
                with sdpa_kernel(backend):
                    expected = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
                torch.testing.assert_close(out, expected, atol=1e-3 if dtype != torch.bfloat16 else 1e-2, rtol=1e-2)


def remembers_which_backend_was_chosen():
    switches = {SDPBackend.FLASH_ATTENTION: "flash", SDPBackend.EFFICIENT_ATTENTION: "mem_efficient",
                SDPBackend.MATH: "math", SDPBackend.CUDNN_ATTENTION: "cudnn"}
    before = {name: getattr(torch.backends.cuda, name + "_sdp_enabled")() for name in switches.values()}
    q = torch.randn(1, 4, 16, 8, device="cuda", dtype=torch.float16, requires_grad=True)
    mask = torch.ones(16, 16, dtype=torch.bool, device="cuda").tril()
    for backend, name in switches.items():
        with sdpa_kernel([backend], set_priority=True):
            assert [other for other in before if getattr(torch.backends.cuda, other + "_sdp_enabled")()] == [name]
            found = F.scaled_dot_product_attention(q, q[:, :2], q[:, :2], attn_mask=mask, enable_gqa=True)
            found.sum().backward()
            assert found.is_cuda and q.grad.is_cuda
            assert F.scaled_dot_product_attention(q, q, q, dropout_p=0.5).shape == q.shape
            torch.nn.MultiheadAttention(8, 2, device="cuda")(*[torch.randn(4, 3, 8, device="cuda")] * 3)
    assert before == {name: getattr(torch.backends.cuda, name + "_sdp_enabled")() for name in before}
    torch.backends.cuda.enable_mem_efficient_sdp(False)
    assert not torch.backends.cuda.mem_efficient_sdp_enabled()
    torch.backends.cuda.enable_mem_efficient_sdp(True)


torch.manual_seed(0)
for sample in (multiplies_matrices, multiplies_batches, normalises_layers, attends, remembers_which_backend_was_chosen):
    sample()
    print(sample.__name__, flush=True)
