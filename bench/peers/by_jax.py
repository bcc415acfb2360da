# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The benchmarks' computations as a JAX user writes them. All are compiled; JAX allocates the
results."""

import jax
from jax import lax, numpy


def softmax(x):
    return jax.nn.softmax(x, axis=1)


def softmax_bf16(x):
    return jax.nn.softmax(x.astype(numpy.float32), axis=1).astype(x.dtype)


def rms_norm_bf16(x, w):
    return rms_norm(x.astype(numpy.float32), w.astype(numpy.float32)).astype(x.dtype)


def layer_norm(x, w):
    centred = x - x.mean(axis=1, keepdims=True)
    scale = lax.rsqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5)
    return centred * scale * w[0] + w[1]


def rms_norm(x, w):
    return x * lax.rsqrt((x**2).mean(axis=1, keepdims=True) + 1e-5) * w


def swiglu(x, w):
    return jax.nn.silu(x) * w


def vector_add(a, b):
    return a + b


def transpose(x):
    return x.T


def gather(table, i):
    return table[i]


def attention(q, k, v, causal=False):
    scores = numpy.einsum("hmd,hnd->hmn", q, k, preferred_element_type=numpy.float32)
    scores = scores / q.shape[2]**0.5
    if causal:
        scores = numpy.where(numpy.tri(q.shape[1], dtype=bool), scores, -numpy.inf)
    weights = jax.nn.softmax(scores, axis=2).astype(v.dtype)
    return numpy.einsum("hmn,hnd->hmd", weights, v, preferred_element_type=numpy.float32)


def attention_causal(q, k, v):
    return attention(q, k, v, causal=True)


def gemv(w, x):
    return w.astype(numpy.float32) @ x  # accumulating in bf16 would be less exact than ours


def gemv_int4(w, scales, x):
    groups = scales.shape[1]

    def sums(weights, x):
        return ((weights.astype(numpy.float32) - 8).reshape(len(w), groups, -1) *
                x.reshape(groups, -1)).sum(axis=2)
    return ((sums(w & 15, x[0]) + sums(w >> 4, x[1])) * scales).sum(axis=1)


def scaled_gemm(a, b, rows, columns):
    sums = numpy.matmul(a, b, preferred_element_type=numpy.int32)
    return sums.astype(numpy.float32) * rows[:, None] * columns


def cross_entropy(x, targets):
    target = numpy.take_along_axis(x, targets[:, None], axis=1)[:, 0]
    return jax.nn.logsumexp(x, axis=1) - target


def layer_norm_backward(x, w, dy):
    _, gradients = jax.vjp(lambda x, w, b: layer_norm(x, (w, b)), x, w, numpy.zeros_like(w))
    dx, dw, db = gradients(dy)
    return numpy.concatenate((dx, dw[None], db[None]))


def row_sums(x):
    return numpy.cumsum(x, axis=1)


def largest(x, y):
    return lax.top_k(x, y.shape[1])[0]


def sort_rows(x):
    return numpy.sort(x, axis=1)


def prefix_sum(x):
    return numpy.cumsum(x)


def histogram(x):
    return numpy.bincount(x, length=256)
