# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention, forward: eight heads, 2048 positions, causal and not, in f32 and with bf16 operands.
Operations are counted as usual: those of the two products, half of them if causal."""

import math

import ml_dtypes
import numpy as np

from .case import Case, Contestant
from .frameworks import by_frameworks
from .kernels import Const, Launch, as_f64, blocks, cutile
from .limits import peak

HEADS, LENGTH = 8, 2048
TYPES = {"f32": np.float32, "bf16": ml_dtypes.bfloat16}


def cases() -> list[Case]:
    return [case(of, d, causal) for of in TYPES for d in (64, 128) for causal in (False, True)]


def case(of: str, d: int, causal: bool) -> Case:
    def arrays(random):
        q, k, v = random.standard_normal((3, HEADS, LENGTH, d), np.float32).astype(TYPES[of])
        return {"q": q, "k": k, "v": v, "y": np.zeros((HEADS, LENGTH, d), np.float32)}

    def check(arrays):
        q, k, v = (as_f64(arrays[name][::3]) for name in "qkv")
        scores = q @ np.swapaxes(k, 1, 2) / math.sqrt(d)
        if causal:
            scores[:, ~np.tri(LENGTH, dtype=bool)] = -np.inf
        weights = np.exp(scores - scores.max(axis=2, keepdims=True))
        expected = weights @ v / weights.sum(axis=2, keepdims=True)
        # The weights are rounded to bf16 before the second product.
        return arrays["y"][::3], expected, 1e-5 if of == "f32" else 1e-2

    scale = math.log2(math.e) / math.sqrt(d)
    kernels = [cutile(f"tile {m}x{n}", Launch(
        "attention.attention", (blocks(LENGTH, m), HEADS),
        ["q", "k", "v", "y", *map(Const, (scale, causal, d, m, n))]))
        for m, n in ((64, 64), (128, 64))]
    name = f"attention {of} {d}{' causal' if causal else ''}"
    work = 4.0 * HEADS * LENGTH**2 * d * (0.5 if causal else 1)
    return Case("attention", name, arrays, check, kernels + peers(of, d, causal) + peak(of),
                work, "flop", ["y"], slow=True)


def peers(of: str, d: int, causal: bool) -> list[Contestant]:
    def by(function):
        def prepare(library, arrays):
            # Libraries without bf16 get their operands in f32; the conversion is not timed.
            library.wide = [arrays[name].astype(np.float32) for name in "qkv"]
            return library.call(function, *library.wide, arrays["y"], HEADS, LENGTH, d, int(causal))
        return prepare
    return [Contestant("C++", "Cpp", by("attention")),
            Contestant("C++, narrow", "Cpp256", by("attention")),
            Contestant("OpenBLAS", "ConvertOpenBlas", by("attention_blas")),
            *by_frameworks("attention_causal" if causal else "attention", *"qkv", result="y")]
