# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Memory-bound operations."""

import numpy as np

from .case import Case
from .frameworks import by_frameworks
from .kernels import Const, Launch, as_f64, blocks, cutile, ours
from .limits import copies
from .rows import by_hand, numpy


def cases() -> list[Case]:
    return ([vector_add(size) for size in (1 << 16, 1 << 20, 1 << 25)] +
            [transpose(extent) for extent in (512, 2048, 8192)])


def vector_add(size: int) -> Case:
    def arrays(random):
        a, b = random.standard_normal((2, size), np.float32)
        return {"a": a, "b": b, "c": np.zeros(size, np.float32)}

    def check(arrays):
        return arrays["c"], as_f64(arrays["a"] + arrays["b"]), 0.0

    kernels = [ours(f"tile {tile}", "vector_add", "vector_add", (blocks(size, tile),),
                    ["a", "b", "c", size], N=tile) for tile in (1024, 8192)]
    gathers = cutile("tile 1024, by gathers", Launch("pointers.vector_add", (blocks(size, 1024),),
                                                     ["a", "b", "c", Const(1024)]))
    return Case("memory", f"vector add {size}", arrays, check, [
        *kernels, gathers, *by_hand("vector_add", "a", "b", "c", size),
        *by_frameworks("vector_add", "a", "b", result="c"),
        numpy(lambda x: np.add(x["a"], x["b"], out=x["c"])), *copies("a", "c", 4 * size)],
        12 * size, "B", ["c"])


def transpose(extent: int) -> Case:
    def arrays(random):
        x = random.standard_normal((extent, extent), np.float32)
        return {"x": x, "y": np.zeros((extent, extent), np.float32)}

    def check(arrays):
        return arrays["y"], as_f64(arrays["x"].T), 0.0

    kernels = [ours(f"tile {tile}", "transpose", "transpose",
                    (blocks(extent, tile), blocks(extent, tile)), ["x", "y", extent, extent],
                    TM=tile, TN=tile) for tile in (32, 64)]
    return Case("memory", f"transpose {extent}", arrays, check, [
        *kernels, *by_hand("transpose", "x", "y", extent, extent),
        numpy(lambda x: np.copyto(x["y"], x["x"].T)),
        *by_frameworks("transpose", "x", result="y"), *copies("x", "y", 4 * extent**2)],
        8 * extent**2, "B", ["y"])
