# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of a model's training: a loss, and the gradients of a layer norm."""

import cuda.tile as ct

Const = ct.Constant[int]


@ct.kernel
def cross_entropy(x, targets, losses, N: Const):
    """The loss for each row of logits and its target."""
    r = ct.bid(0)
    row = ct.load(x, (r, 0), (1, N))
    largest = ct.max(row, 1, keepdims=True)
    total = ct.sum(ct.exp(row - largest), 1)
    target = ct.gather(x, (r, ct.load(targets, (r,), (1,))))
    ct.store(losses, (r,), ct.log(total) + largest.reshape((1,)) - target)


@ct.kernel
def layer_norm_backward(x, w, dy, dx, sums, S: Const, N: Const):
    """For S rows: the gradients of x, and the partial sums for the gradients of weight and bias."""
    b = ct.bid(0)
    weight = ct.load(w, (0,), (N,))[None, :]
    of_weight, of_bias = ct.zeros((1, N), ct.float32), ct.zeros((1, N), ct.float32)
    for i in range(S):
        row = ct.load(x, (b * S + i, 0), (1, N))
        given = ct.load(dy, (b * S + i, 0), (1, N))
        centred = row - ct.sum(row, 1, keepdims=True) / N
        scale = ct.rsqrt(ct.sum(centred * centred, 1, keepdims=True) / N + 1e-5)
        normal = centred * scale
        weighted = given * weight
        mean = ct.sum(weighted, 1, keepdims=True) / N
        along = ct.sum(weighted * normal, 1, keepdims=True) / N
        ct.store(dx, (b * S + i, 0), (weighted - mean - normal * along) * scale)
        of_weight += given * normal
        of_bias += given
    ct.store(sums, (b, 0, 0), of_weight.reshape((1, 1, N)))
    ct.store(sums, (b, 1, 0), of_bias.reshape((1, 1, N)))


@ct.kernel
def sum_gradients(sums, gradients, P: Const, T: Const):
    """Adds up the partial sums."""
    b = ct.bid(0)
    ct.store(gradients, (0, b), ct.sum(ct.load(sums, (0, 0, b), (P, 2, T)), 0))
