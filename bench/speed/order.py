# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prefix sums of rows, the largest elements, and sorted rows, all in f32."""

import numpy as np

from .case import Case
from .frameworks import by_frameworks
from .kernels import Const, Launch, as_f64, cutile
from .limits import copies
from .rows import by_hand, numpy


def cases() -> list[Case]:
    return [row_sums(1024, 4096), largest(1024, 4096, 8), sort_rows(4096, 256)]


def row_sums(m: int, n: int) -> Case:
    def arrays(random):
        return {"x": random.standard_normal((m, n), np.float32), "y": np.zeros((m, n), np.float32)}

    def check(arrays):
        return arrays["y"], np.cumsum(as_f64(arrays["x"]), axis=1), 1e-5

    kernel = cutile("row per block", Launch("order.row_sums", (m,), ["x", "y", Const(n)]))
    return Case("order", f"row sums {m}x{n}", arrays, check, [
        kernel, *by_hand("row_sums", "x", "y", m, n),
        numpy(lambda x: np.cumsum(x["x"], axis=1, out=x["y"])),
        *by_frameworks("row_sums", "x", result="y"), *copies("x", "y", 4 * m * n)],
        8 * m * n, "B", ["y"])


def largest(m: int, n: int, k: int) -> Case:
    def arrays(random):
        return {"x": random.standard_normal((m, n), np.float32), "k": np.array([k]),
                "y": np.zeros((m, k), np.float32), "i": np.zeros((m, k), np.int32)}

    def check(arrays):
        return arrays["y"], -np.sort(-as_f64(arrays["x"]), axis=1)[:, :k], 0.0

    def by_numpy(arrays):
        x = arrays["x"]
        some = np.argpartition(x, n - k, axis=1)[:, n - k:]
        values = np.take_along_axis(x, some, axis=1)
        order = np.argsort(-values, axis=1)
        arrays["i"][...] = np.take_along_axis(some, order, axis=1)
        arrays["y"][...] = np.take_along_axis(values, order, axis=1)

    kernel = cutile("row per block",
                    Launch("order.largest", (m,), ["x", "y", "i", Const(k), Const(n)]))
    return Case("order", f"largest {k} of {m}x{n}", arrays, check, [
        kernel, *by_hand("largest", "x", "y", "i", m, n, k), numpy(by_numpy),
        *by_frameworks("largest", "x", "y", result="y")], 4 * m * n, "B", ["y", "i"])


def sort_rows(m: int, n: int) -> Case:
    def arrays(random):
        return {"x": random.standard_normal((m, n), np.float32), "y": np.zeros((m, n), np.float32)}

    def check(arrays):
        return arrays["y"], np.sort(as_f64(arrays["x"]), axis=1), 0.0

    def by_numpy(arrays):
        arrays["y"][...] = arrays["x"]
        arrays["y"].sort(axis=1)

    tile = 4
    kernel = cutile(f"tile {tile}x{n}", Launch("order.sort_rows", (m // tile,), [
        "x", "y", *map(Const, (tile, n, n.bit_length() - 1))]))
    return Case("order", f"sort rows {m}x{n}", arrays, check, [
        kernel, *by_hand("sort_rows", "x", "y", m, n), numpy(by_numpy),
        *by_frameworks("sort_rows", "x", result="y")], 8 * m * n, "B", ["y"])
