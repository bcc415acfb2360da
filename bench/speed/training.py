# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of a model's training: cross entropy, and the gradients of a layer norm."""

import numpy as np

from .case import OURS, Case, Contestant
from .frameworks import by_frameworks
from .kernels import Const, Launch, as_f64, blocks, cutile
from .rows import by_hand


def cases() -> list[Case]:
    return [cross_entropy(512, 32768), layer_norm_backward(1024, 4096)]


def cross_entropy(m: int, n: int) -> Case:
    def arrays(random):
        return {"x": random.standard_normal((m, n), np.float32),
                "targets": random.integers(0, n, m, dtype=np.int32), "y": np.zeros(m, np.float32)}

    def check(arrays):
        x = as_f64(arrays["x"])
        largest = x.max(axis=1)
        total = np.exp(x - largest[:, None]).sum(axis=1)
        return arrays["y"], np.log(total) + largest - x[np.arange(m), arrays["targets"]], 1e-6

    kernel = cutile("row per block",
                    Launch("training.cross_entropy", (m,), ["x", "targets", "y", Const(n)]))
    return Case("training", f"cross entropy {m}x{n}", arrays, check, [
        kernel, *by_hand("cross_entropy", "x", "targets", "y", m, n),
        *by_frameworks("cross_entropy", "x", "targets", result="y")], 4 * m * n, "B", ["y"])


def layer_norm_backward(m: int, n: int) -> Case:
    share, tile = 64, 256  # rows per block; columns whose partial sums one block adds up

    def arrays(random):
        x, dy = random.standard_normal((2, m, n), np.float32)
        return {"x": x, "w": random.standard_normal(n, np.float32), "dy": dy,
                "sums": np.zeros((m // share, 2, n), np.float32),
                "both": np.zeros((m + 2, n), np.float32)}  # gradients of x, the weight, and the bias

    def check(arrays):
        x, w, dy = (as_f64(arrays[name]) for name in ("x", "w", "dy"))
        centred = x - x.mean(axis=1, keepdims=True)
        scale = 1 / np.sqrt(np.mean(centred**2, axis=1, keepdims=True) + 1e-5)
        normal, weighted = centred * scale, dy * w
        along = np.mean(weighted * normal, axis=1, keepdims=True)
        dx = (weighted - weighted.mean(axis=1, keepdims=True) - normal * along) * scale
        gradients = np.stack([(dy * normal).sum(axis=0), dy.sum(axis=0)])
        both = arrays["both"]
        relative = np.abs(gradients).max() / np.abs(dx).max()
        return (np.concatenate([both[:m] * relative, both[m:]]),
                np.concatenate([dx * relative, gradients]), 4e-6)

    launches = cutile("", Launch("training.layer_norm_backward", (m // share,),
                                 ["x", "w", "dy", "dx", "sums", Const(share), Const(n)]),
                      Launch("training.sum_gradients", (blocks(n, tile),),
                             ["sums", "gradients", Const(m // share), Const(tile)]))

    def prepare(library, arrays):
        parts = {"dx": arrays["both"][:m], "gradients": arrays["both"][m:]}
        return launches.prepare(library, arrays | parts)
    return Case("training", f"layer norm backward {m}x{n}", arrays, check, [
        Contestant("row per iteration", "Tilewright", prepare, OURS),
        *by_hand("layer_norm_backward", "x", "w", "dy", "both", m, n),
        *by_frameworks("layer_norm_backward", "x", "w", "dy", result="both")],
        12 * m * n, "B", ["both"])
