# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of many small matrices, and products with a long reduced extent, split between blocks."""

import ctypes

import numpy as np

from .case import Case, Contestant
from .gemm import peers as gemm_peers
from .kernels import Const, Launch, as_f64, blocks, cutile
from .libraries import AS_IS, ROW_MAJOR, address
from .limits import peak


def cases() -> list[Case]:
    return [batched(256, 64), batched(64, 128), batched(16, 256), split_k(128, 32768), split_k(256, 16384)]


def batched(count: int, extent: int) -> Case:
    def arrays(random):
        a, b = random.standard_normal((2, count, extent, extent), np.float32)
        return {"a": a, "b": b, "c": np.zeros((count, extent, extent), np.float32)}

    def check(arrays):
        return arrays["c"], as_f64(arrays["a"]) @ as_f64(arrays["b"]), 1e-5

    def kernel(tile):
        grid = (blocks(extent, tile), blocks(extent, tile), count)
        return cutile(f"tile {tile}", Launch("products.batched", grid,
                                             ["a", "b", "c", Const(tile), Const(tile), Const(64)]))

    def onednn(library, x):
        return library.primitive("onednn_matmul", "f32", "f32", count, *(extent,) * 3, x["a"],
                                 x["b"], x["c"])
    contestants = [kernel(tile) for tile in (64, 128) if tile <= extent] + [
        Contestant("OpenBLAS", "OpenBlas", one_by_one), Contestant("BLIS", "Blis", one_by_one),
        Contestant("MKL", "Mkl", mkl_batch),
        Contestant("oneDNN 2.6", "OneDnn", onednn),
        Contestant("newest oneDNN", "NewOneDnn", onednn), *peak("f32")]
    return Case("products", f"batched gemm {count}x{extent}", arrays, check, contestants,
                2.0 * count * extent**3, "flop", ["c"])


def one_by_one(library, x):
    calls = [library.product("cblas_sgemm", *matrices) for matrices in zip(x["a"], x["b"], x["c"])]

    def all_calls():
        for call in calls:
            call()
    return all_calls


def mkl_batch(library, x):
    count, extent, _ = x["a"].shape
    size, stride = ctypes.c_int(extent), ctypes.c_int(extent**2)
    return library.call(
        "cblas_sgemm_batch_strided", ROW_MAJOR, AS_IS, AS_IS, size, size, size, ctypes.c_float(1),
        address(x["a"]), size, stride, address(x["b"]), size, stride, ctypes.c_float(0),
        address(x["c"]), size, stride, ctypes.c_int(count))


def split_k(extent: int, common: int) -> Case:
    tile, step, shares = 128, 64, 16

    def arrays(random):
        return {"a": random.standard_normal((extent, common), np.float32),
                "b": random.standard_normal((common, extent), np.float32),
                "parts": np.zeros((shares, extent, extent), np.float32),
                "c": np.zeros((extent, extent), np.float32)}

    def check(arrays):
        return arrays["c"], as_f64(arrays["a"]) @ as_f64(arrays["b"]), 1e-5

    tiles = blocks(extent, tile)
    kernel = cutile(
        f"tile {tile}, {shares} parts",
        Launch("products.partial", (tiles, tiles, shares),
               ["a", "b", "parts", *map(Const, (common // step // shares, tile, tile, step))]),
        Launch("products.sum_parts", (blocks(extent, 8), blocks(extent, 64)),
               ["parts", "c", *map(Const, (shares, 8, 64))]))
    contestants = [kernel, *gemm_peers("f32", (extent, extent, common)), *peak("f32")]
    return Case("products", f"split-k {extent}x{extent}x{common}", arrays, check, contestants,
                2.0 * extent**2 * common, "flop", ["c", "parts"])
