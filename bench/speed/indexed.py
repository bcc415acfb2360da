# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Data-dependent accesses: gathers, and a histogram with atomic additions; and prefix sums."""

import os

import numpy as np

from .case import OURS, Case, Contestant
from .frameworks import by_frameworks
from .kernels import Const, Launch, as_f64, blocks, cutile, power_of_two
from .limits import copies
from .rows import by_hand, numpy


def cases() -> list[Case]:
    return [gather(1 << 20, 1 << 14), gather(1 << 20, 1 << 24), gather_rows(1 << 13, 1 << 15, 256),
            histogram(1 << 22), prefix_sum(1 << 20), prefix_sum(1 << 24)]


def gather(size: int, table: int) -> Case:
    def arrays(random):
        return {"table": random.standard_normal(table, np.float32),
                "i": random.integers(0, table, size, dtype=np.int32),
                "y": np.zeros(size, np.float32)}

    def check(arrays):
        return arrays["y"], as_f64(arrays["table"][arrays["i"]]), 0.0

    tile = 4096
    kernel = cutile(f"tile {tile}", Launch("indexed.gather", (blocks(size, tile),),
                                           ["table", "i", "y", Const(tile)]))
    return Case("indexed", f"gather {size} of {table}", arrays, check, [
        kernel, *by_hand("gather", "table", "i", "y", size),
        numpy(lambda x: np.take(x["table"], x["i"], out=x["y"], mode="clip")),
        *by_frameworks("gather", "table", "i", result="y"),
        *copies("i", "y", 4 * size)], 12 * size, "B", ["y"])


def gather_rows(rows: int, table: int, columns: int) -> Case:
    def arrays(random):
        return {"table": random.standard_normal((table, columns), np.float32),
                "i": random.integers(0, table, rows, dtype=np.int32),
                "y": np.zeros((rows, columns), np.float32)}

    def check(arrays):
        return arrays["y"], as_f64(arrays["table"][arrays["i"]]), 0.0

    tile = 16
    kernel = cutile(f"tile {tile}x{columns}", Launch(
        "indexed.gather_rows", (blocks(rows, tile),), ["table", "i", "y", Const(tile), Const(columns)]))
    return Case("indexed", f"gather {rows} rows", arrays, check, [
        kernel, *by_hand("gather_rows", "table", "i", "y", rows, columns),
        numpy(lambda x: np.take(x["table"], x["i"], axis=0, out=x["y"], mode="clip")),
        *by_frameworks("gather", "table", "i", result="y"),
        *copies("table", "y", 4 * rows * columns)], 8 * rows * columns, "B", ["y"])


def histogram(size: int) -> Case:
    def arrays(random):
        values = np.clip(random.normal(128, 40, size), 0, 255)  # like the pixels of an image
        return {"x": values.astype(np.uint8), "y": np.zeros(256, np.int32),
                "tables": np.zeros(parts * tables * 256, np.int32)}

    def check(arrays):
        return arrays["y"], as_f64(np.bincount(arrays["x"], minlength=256)), 0.0

    def by_numpy(arrays):
        arrays["y"][...] = np.bincount(arrays["x"], minlength=256)

    tile, steps, tables = 4096, 64, 4
    parts = blocks(size, tile * steps)
    kernel = cutile(f"{tables} tables per block", Launch(
        "indexed.histogram", (parts,), ["x", "tables", Const(steps), Const(tile), Const(tables)]),
        Launch("indexed.sum_tables", (1,), ["tables", "y", Const(parts * tables)]))
    return Case("indexed", f"histogram {size}", arrays, check,
                [kernel, *by_hand("histogram", "x", "y", size), numpy(by_numpy),
                 *by_frameworks("histogram", "x", result="y")], size, "B", ["y"])


def prefix_sum(size: int) -> Case:
    tile, most = 8192, 1024

    def arrays(random):
        return {"x": random.integers(-99, 99, size, dtype=np.int32), "y": np.zeros(size, np.int32),
                "sums": np.zeros(most, np.int32)}

    def check(arrays):
        return arrays["y"], as_f64(np.cumsum(arrays["x"], dtype=np.int32)), 0.0

    def prepare(library, arrays):
        """One part per thread, as in the hand-written loops: a single part needs no sums in advance."""
        parts = int(os.environ["TILEWRIGHT_THREADS"])
        steps = blocks(blocks(size, tile), parts)
        launches = [Launch("indexed.sum_parts", (parts - 1,), ["x", "sums", Const(steps), Const(tile)]),
                    Launch("indexed.scan_parts", (parts,), [
                        "x", "sums", "y", Const(power_of_two(parts)), Const(steps), Const(tile)])]
        return cutile("", *launches[parts == 1:]).prepare(library, arrays)

    return Case("indexed", f"prefix sum {size}", arrays, check, [
        Contestant(f"tile {tile}", "Tilewright", prepare, OURS),
        *by_hand("prefix_sum", "x", "y", size),
        numpy(lambda x: np.cumsum(x["x"], out=x["y"])),
        *by_frameworks("prefix_sum", "x", result="y"), *copies("x", "y", 4 * size)],
        8 * size, "B", ["y"])
