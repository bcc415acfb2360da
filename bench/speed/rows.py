# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operations on the rows of a matrix, from one that fits into the L2 cache to one that fits into no cache:
softmax, layer norm, RMS norm, SwiGLU in f32, and two of them in bf16."""

import ml_dtypes
import numpy as np

from .case import Case, Contestant
from .frameworks import by_frameworks
from .kernels import Const, Launch, as_f64, blocks, cutile, ours
from .limits import copies

SHAPES = ((512, 1024), (1024, 4096), (4096, 8192))


def cases() -> list[Case]:
    makers = (softmax, layer_norm, rms_norm, swiglu, softmax_bf16, rms_norm_bf16)
    return [make(*shape) for make in makers for shape in SHAPES]


def softmax_of(arrays) -> np.ndarray:
    x = as_f64(arrays["x"])
    powers = np.exp(x - x.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def rms_norm_of(arrays) -> np.ndarray:
    x = as_f64(arrays["x"])
    normal = x / np.sqrt(np.mean(x**2, axis=1, keepdims=True) + 1e-5)
    return normal * as_f64(arrays["w"])


def softmax(m: int, n: int) -> Case:
    def check(arrays):
        return arrays["y"], softmax_of(arrays), 4e-6

    kernel = ours("row per block", "softmax", "softmax", (m,), ["x", "y", m], N=n)
    return row_case("softmax", m, n, {}, check, [
        kernel, *by_hand("softmax", "x", "y", m, n),
        *onednn("onednn_softmax", m, n, "x", "y"), numpy(softmax_by_numpy),
        *by_frameworks("softmax", "x", result="y")])


def layer_norm(m: int, n: int) -> Case:
    def check(arrays):
        x = as_f64(arrays["x"])
        centred = x - x.mean(axis=1, keepdims=True)
        normal = centred / np.sqrt(np.mean(centred**2, axis=1, keepdims=True) + 1e-5)
        scale, shift = as_f64(arrays["w"])
        return arrays["y"], normal * scale + shift, 4e-6

    kernel = ours("row per block", "layer_norm", "layer_norm", (m,), ["x", "w", "y", m], N=n,
                  share=1 / n)
    return row_case("layer norm", m, n, {"w": (2, n)}, check, [
        kernel, *by_hand("layer_norm", "x", "w", "y", m, n),
        *onednn("onednn_layer_norm", m, n, "x", "w", "y"),
        *by_frameworks("layer_norm", "x", "w", result="y")])


def rms_norm(m: int, n: int) -> Case:
    def check(arrays):
        return arrays["y"], rms_norm_of(arrays), 4e-6

    kernel = ours("row per block", "rms_norm", "rms_norm", (m,), ["x", "w", "y", m], N=n, share=1 / n)
    gathers = cutile("row, by gathers", Launch("pointers.rms_norm", (m,), ["x", "w", "y", Const(n)]))
    return row_case("RMS norm", m, n, {"w": (n,)}, check, [
        kernel, gathers, *by_hand("rms_norm", "x", "w", "y", m, n),
        *by_frameworks("rms_norm", "x", "w", result="y")])


def swiglu(m: int, n: int) -> Case:
    def check(arrays):
        gate = as_f64(arrays["x"])
        return arrays["y"], gate / (1 + np.exp(-gate)) * arrays["w"], 1e-6

    tile = 4096
    kernel = ours(f"tile {tile}", "swiglu", "swiglu", (blocks(m * n, tile),),
                  ["x", "w", "y", m * n], N=tile)
    return row_case("SwiGLU", m, n, {"w": (m, n)}, check, [
        kernel, *by_hand("swiglu", "x", "w", "y", m * n),
        *by_frameworks("swiglu", "x", "w", result="y")])


# --- bf16 in and out; results are rounded to 8 bits -----------------------------------------

def softmax_bf16(m: int, n: int) -> Case:
    def check(arrays):
        return as_f64(arrays["y"]), softmax_of(arrays), 2.0**-8

    kernel = cutile("row per block", Launch("rows.softmax", (m,), ["x", "y", Const(n)]))
    return row_case("softmax bf16", m, n, {}, check, [
        kernel, *by_frameworks("softmax_bf16", "x", result="y")], ml_dtypes.bfloat16)


def rms_norm_bf16(m: int, n: int) -> Case:
    def check(arrays):
        return as_f64(arrays["y"]), rms_norm_of(arrays), 2.0**-8

    kernel = cutile("row per block", Launch("rows.rms_norm", (m,), ["x", "w", "y", Const(n)]))
    return row_case("RMS norm bf16", m, n, {"w": (n,)}, check, [
        kernel, *by_hand("rms_norm_bf16", "x", "w", "y", m, n),
        *by_frameworks("rms_norm_bf16", "x", "w", result="y")], ml_dtypes.bfloat16)


# --- Shared helpers -----------------------------------------------------------------------

def row_case(name: str, m: int, n: int, weights: dict, check, contestants, of=np.float32) -> Case:
    def arrays(random):
        def some(*shape):
            return random.standard_normal(shape, np.float32).astype(of)
        return {"x": some(m, n)} | {w: some(*shape) for w, shape in weights.items()} | {
            "y": np.zeros((m, n), of)}

    size = np.dtype(of).itemsize
    moved = size * (2 * m * n + sum(int(np.prod(shape)) for shape in weights.values()))
    return Case("rows", f"{name} {m}x{n}", arrays, check,
                contestants + copies("x", "y", size * m * n), moved, "B", ["y"])


def by_hand(function: str, *arguments) -> list[Contestant]:
    """Calls the C++ functions of bench/peers with the named arrays."""
    def prepare(library, arrays):
        return library.call(function, *(arrays[a] if isinstance(a, str) else a for a in arguments))
    return [Contestant("C++", "Cpp", prepare), Contestant("C++, narrow", "Cpp256", prepare)]


def onednn(function: str, m: int, n: int, *names: str) -> list[Contestant]:
    def prepare(library, arrays):
        return library.primitive(function, m, n, *(arrays[name] for name in names))
    return [Contestant("oneDNN 2.6", "OneDnn", prepare),
            Contestant("newest oneDNN", "NewOneDnn", prepare)]


def numpy(function) -> Contestant:
    return Contestant("NumPy", "NumPy", lambda _, arrays: lambda: function(arrays))


def softmax_by_numpy(arrays) -> None:
    x, y = arrays["x"], arrays["y"]
    np.subtract(x, x.max(axis=1, keepdims=True), out=y)
    np.exp(y, out=y)
    y /= y.sum(axis=1, keepdims=True)
