# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products, for every type that has a fast path somewhere, with extents from 256 to 4096 and
tiles from 32 to 256."""

import ml_dtypes
import numpy as np

from .case import PEER, Case, Contestant
from .kernels import as_f64, blocks, ours
from .limits import peak

EXTENTS = (256, 512, 1024, 2048, 4096)
TILES = (32, 64, 128, 256)
TYPES = {"f32": np.float32, "bf16": ml_dtypes.bfloat16, "i8": np.int8, "f16": np.float16,
         "f8E4M3FN": ml_dtypes.float8_e4m3fn}


def cases() -> list[Case]:
    return [case(of, extent) for of in TYPES for extent in EXTENTS]


def case(of: str, extent: int) -> Case:
    sums = np.int32 if of == "i8" else np.float32
    unit = "op" if of == "i8" else "flop"

    def arrays(random):
        if of == "i8":  # no peer has a different product for them (benchmarks.md)
            a, b = random.integers(0, 64, (2, extent, extent), dtype=np.int8)
        else:
            a, b = random.standard_normal((2, extent, extent), np.float32).astype(TYPES[of])
        return {"a": a, "b": b, "c": np.zeros((extent, extent), sums)}

    def check(arrays):
        # Checks one row and one column of each tile, in full precision.
        random = np.random.default_rng(seed=7)
        lines = np.concatenate([i + random.integers(0, 32, 1) for i in range(0, extent, 32)])
        a, b = as_f64(arrays["a"]), as_f64(arrays["b"])
        computed = np.concatenate([arrays["c"][lines], arrays["c"][:, lines].T])
        expected = np.concatenate([a[lines] @ b, (a @ b[:, lines]).T])
        return computed, expected, 0.0 if of == "i8" else 1e-5

    kernels = [gemm_kernel(of, extent, tile) for tile in TILES if tile <= extent]
    return Case("gemm", f"gemm {short(of)} {extent}", arrays, check,
                kernels + peers(of, (extent,) * 3) + peak(of), 2.0 * extent**3, unit, ["c"],
                slow=extent >= 2048)


def gemm_kernel(of: str, extent: int, tile: int) -> Contestant:
    step = min(tile, 64)
    grid = (blocks(extent, tile), blocks(extent, tile))
    mma = dict(mma="mmai", signs="signed signed", S="i32", nothing="0") if of == "i8" else \
        dict(mma="mmaf", signs="", S="f32", nothing="0.0")
    return ours(f"tile {tile}", "gemm", "gemm", grid, ["a", "b", "c", extent, extent, extent],
                T=of, TM=tile, TN=tile, TK=step, **mma)


def peers(of: str, size: tuple[int, int, int]) -> list[Contestant]:
    output = "i32" if of == "i8" else "f32"

    def blas(function):
        return lambda library, x: library.product(function, x["a"], x["b"], x["c"])

    def onednn(library, x):
        return library.primitive("onednn_matmul", of, output, 1, *size, x["a"], x["b"], x["c"])

    def widened(library, x):
        if of == "f8E4M3FN":
            values = np.arange(256, dtype=np.uint8).view(TYPES[of]).astype(np.float32)
            return library.call("product_8", x["a"], x["b"], x["c"], *size, values)
        return library.call(f"product_{of}", x["a"], x["b"], x["c"], *size)

    found = []
    if of == "f32":
        found += [Contestant("OpenBLAS", "OpenBlas", blas("cblas_sgemm")),
                  Contestant("BLIS", "Blis", blas("cblas_sgemm")),
                  Contestant("NumPy", "NumPy", lambda _, x: lambda: np.matmul(x["a"], x["b"], x["c"])),
                  Contestant("MKL", "Mkl", blas("cblas_sgemm")),
                  Contestant("C++", "Cpp", lambda library, x: library.call(
                      "gemm", x["a"], x["b"], x["c"], size[0], size[1], size[2]))]
    elif of == "i8":
        found += [Contestant("MKL", "Mkl", lambda library, x: library.product_i8(x["a"], x["b"], x["c"]))]
    else:
        found += [Contestant("widen + OpenBLAS", "ConvertOpenBlas", widened)]
    if of in ("bf16", "f16"):
        found += [Contestant("MKL", "Mkl", blas(f"cblas_gemm_{of}{of}f32"))]
    return found + [Contestant("oneDNN 2.6", "OneDnn", onednn, PEER),
                    Contestant("newest oneDNN", "NewOneDnn", onednn, PEER)]


def short(of: str) -> str:
    return "fp8" if of == "f8E4M3FN" else of
