# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of a language model's inference: matrix times vector, with f32, bf16 and 4-bit weights; scaled i8
products; and a mixture of experts. Rates count the bytes of the weights, which are read once, or the
operations of the products."""

import ml_dtypes
import numpy as np

from .case import OURS, Case, Contestant
from .frameworks import by_frameworks
from .kernels import Const, Launch, as_f64, blocks, cutile
from .limits import peak
from .rows import by_hand, numpy

TYPES = {"f32": np.float32, "bf16": ml_dtypes.bfloat16}
GROUP = 128  # 4-bit weights per scale


def cases() -> list[Case]:
    return [gemv("f32", 1024), gemv("f32", 4096), gemv("bf16", 4096), gemv_int4(4096),
            scaled_gemm(1024), experts(1024)]


def gemv(of: str, n: int) -> Case:
    def arrays(random):
        w, x = random.standard_normal((n, n), np.float32), random.standard_normal(n, np.float32)
        return {"w": w.astype(TYPES[of]), "x": x, "y": np.zeros(n, np.float32)}

    def check(arrays):
        return arrays["y"], as_f64(arrays["w"]) @ as_f64(arrays["x"]), 1e-5

    kernels = [cutile(f"tile {tn}x{tk}", Launch("inference.gemv", (blocks(n, tn),),
                                                ["w", "x", "y", Const(tn), Const(tk)]))
               for tn, tk in ((4, 512), (16, 64), (4, 64))]
    peers = by_hand(f"gemv_{of}", "w", "x", "y", n) + by_frameworks("gemv", "w", "x", result="y")
    if of == "f32":
        peers += [Contestant(name, library, by_blas) for name, library in (
            ("OpenBLAS", "OpenBlas"), ("BLIS", "Blis"), ("MKL", "Mkl"))]
        peers += [numpy(lambda x: np.matmul(x["w"], x["x"], out=x["y"]))]
    size = np.dtype(TYPES[of]).itemsize * n * n
    return Case("inference", f"gemv {of} {n}", arrays, check, kernels + peers, size, "B", ["y"])


def by_blas(library, x):
    n = x["x"].size
    return library.matrix_times_vector(n, n, x["w"], x["x"], x["y"])


def gemv_int4(n: int) -> Case:
    def arrays(random):
        return {"w": random.integers(0, 256, (n, n // 2), dtype=np.uint8),
                "scales": random.standard_normal((n, n // GROUP), np.float32),
                # The elements for weights in low bits, and for those in high bits.
                "x": random.standard_normal((2, n // 2), np.float32),
                "y": np.zeros(n, np.float32)}

    def check(arrays):
        w, scales = arrays["w"], np.repeat(as_f64(arrays["scales"]), GROUP // 2, axis=1)
        first, second = ((w & 15) - 8.0) * scales, ((w >> 4) - 8.0) * scales
        x = as_f64(arrays["x"])
        return arrays["y"], first @ x[0] + second @ x[1], 1e-5

    tile = 8
    kernel = cutile(f"tile {tile}x{GROUP}", Launch("inference.gemv_int4", (blocks(n, tile),),
                                                   ["w", "scales", "x", "y", Const(tile), Const(GROUP)]))
    return Case("inference", f"gemv int4 {n}", arrays, check, [
        kernel, *by_hand("gemv_int4", "w", "scales", "x", "y", n, GROUP),
        *by_frameworks("gemv_int4", "w", "scales", "x", result="y")], n * n / 2, "B", ["y"])


def scaled_gemm(n: int) -> Case:
    def arrays(random):
        a, b = random.integers(0, 64, (2, n, n), dtype=np.int8)
        rows, columns = random.random((2, n), np.float32)
        return {"a": a, "b": b, "rows": rows, "columns": columns, "c": np.zeros((n, n), np.float32)}

    def check(arrays):
        scales = np.outer(as_f64(arrays["rows"]), as_f64(arrays["columns"]))
        return arrays["c"], as_f64(arrays["a"]) @ as_f64(arrays["b"]) * scales, 1e-6

    kernels = [cutile(f"tile {tile}", Launch(
        "inference.scaled_gemm", (blocks(n, tile),) * 2,
        ["a", "b", "rows", "columns", "c", *map(Const, (tile, tile, 64))])) for tile in (64, 128)]
    return Case("inference", f"scaled gemm i8 {n}", arrays, check, [
        *kernels, *by_frameworks("scaled_gemm", "a", "b", "rows", "columns", result="c"),
        *peak("i8")], 2.0 * n**3, "op", ["c"])


def experts(tokens: int) -> Case:
    """Each token is processed by one of eight experts."""
    count, d, tile = 8, 512, 64

    def arrays(random):
        expert = np.sort(random.integers(0, count, tokens, dtype=np.int32))
        order = random.permutation(tokens).astype(np.int32)
        of_tile, padded = [], []
        for e in range(count):
            own = order[expert == e]
            fill = -len(own) % tile
            padded += [own, np.full(fill, tokens, np.int32)]
            of_tile += [e] * ((len(own) + fill) // tile)
        return {"x": random.standard_normal((tokens, d), np.float32),
                "w": random.standard_normal((count, d, d), np.float32),
                "tokens": np.concatenate(padded), "tiles": np.array(of_tile, np.int32),
                "order": order, "ends": np.cumsum(np.bincount(expert, minlength=count)),
                "y": np.zeros((tokens, d), np.float32)}

    def check(arrays):
        expected = np.empty((tokens, d))
        for e, end in enumerate(arrays["ends"]):
            own = arrays["order"][arrays["ends"][e - 1] if e else 0:end]
            expected[own] = as_f64(arrays["x"][own]) @ as_f64(arrays["w"][e])
        return arrays["y"], expected, 1e-5

    def prepare(library, arrays):
        launch = Launch("inference.experts", (arrays["tiles"].size, blocks(d, tile)),
                        ["x", "w", "tokens", "tiles", "y", *map(Const, (tile, tile, 64))])
        return cutile("", launch).prepare(library, arrays)

    def by_numpy(arrays):
        first = 0
        for e, end in enumerate(arrays["ends"]):
            own = arrays["order"][first:end]
            arrays["y"][own] = arrays["x"][own] @ arrays["w"][e]
            first = end

    return Case("inference", f"experts {tokens}x{d}", arrays, check, [
        Contestant(f"tile {tile}", "Tilewright", prepare, OURS), numpy(by_numpy),
        *by_frameworks("experts", "x", "w", "order", "ends", result="y"), *peak("f32")],
        2.0 * tokens * d * d, "flop", ["y"])
