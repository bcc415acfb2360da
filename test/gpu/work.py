# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arrays, launches and expected results of the kernels that speed.py times."""

import argparse
import ctypes
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import timed
from driver import Gpu
from elements import ELEMENTS
from library import Library, LibraryError

ADDED = 1024  # elements per tile block of vector_add
CHECKED = 1000  # rows of softmax and layer_norm that are checked
CHECKED_OF_PRODUCTS = 256


@dataclass
class Work:
    """A kernel with its arrays, and its peer in a library."""

    what: str
    starter: Callable  # (function, threads) -> a function without arguments, which starts the kernel
    start: Callable[[], None]
    check: Callable  # takes a function that starts a kernel; raises Wrong
    amount: float  # bytes, or floating-point operations
    unit: str
    library_name: str
    start_library: Callable[[], None] | str  # or why it is not measured
    library_amount: float


class Wrong(Exception):
    """A kernel computed a wrong result."""


class Kernel:
    """A kernel compiled for the GPU. The methods named like kernels prepare their check and timing."""

    def __init__(self, gpu: Gpu, options: argparse.Namespace):
        self.gpu, self.options = gpu, options
        self.columns, self.tile, self.element = options.columns, options.tile, ELEMENTS[options.type]
        self.random = np.random.default_rng(6)
        self.function, self.threads = gpu.compiled(options.tilewright, timed.text_of(options), options.kernel,
                                                   options.target, options.tuning)

    def vector_add(self, count: int) -> Work:
        # Sums of small integers are exact.
        left = np.arange(count, dtype=np.uint32) % 4093
        right = np.arange(count, dtype=np.uint32) % 1021
        a, b = (self.gpu.array(content.astype(np.float32).tobytes()) for content in (left, right))
        c = self.gpu.array(bytes(4 * count))
        starter = self.starter((-(-count // ADDED),), [
            p for array in (a, b, c) for p in (array, ctypes.c_uint32(count), ctypes.c_uint32(1))])
        check = self.checker(c, (count,), lambda found: found, (left + right).astype(np.float64), 0)
        work = self.beside_copies(f"vector_add of {count} f32", starter, check, a, c, 4 * count)
        work.amount = 12 * count
        return work

    def softmax(self, count: int) -> Work:
        x, given, found, starter = self.rows(count, [])
        powers = np.exp(x[:CHECKED].astype(np.float64))
        check = self.checker(found, x.shape, lambda y: y[:CHECKED], powers / powers.sum(1, keepdims=True), 1e-6)
        return self.beside_copies(f"softmax of {len(x)} rows of {self.columns} f32", starter, check, given, found, x.nbytes)

    def layer_norm(self, count: int) -> Work:
        scale, shift = weights = self.random.standard_normal((2, self.columns), np.float32)
        x, given, found, starter = self.rows(count, [self.gpu.array(weights.tobytes())])
        some = x[:CHECKED].astype(np.float64)
        centred = some - some.mean(1, keepdims=True)
        expected = centred / np.sqrt(centred.var(1, keepdims=True) + 1e-5) * scale + shift
        check = self.checker(found, x.shape, lambda y: y[:CHECKED], expected, 1e-5)
        return self.beside_copies(f"layer_norm of {len(x)} rows of {self.columns} f32", starter, check, given, found,
                                  x.nbytes)

    def rows(self, count: int, weights: list) -> tuple:
        """Random rows with about `count` elements; the arrays for them and their results; the launch."""
        rows = -(-count // self.columns)
        x = self.random.standard_normal((rows, self.columns), np.float32)
        given, found = self.gpu.array(x.tobytes()), self.gpu.array(bytes(x.nbytes))
        return x, given, found, self.starter((rows,), [given, *weights, found, ctypes.c_uint32(rows)])

    def transpose(self, extent: int) -> Work:
        x = (np.arange(extent * extent) % (1 << 24)).astype(np.float32).reshape(extent, extent)
        given, found = self.gpu.array(x.tobytes()), self.gpu.array(bytes(x.nbytes))
        starter = self.starter(self.tiles(extent), [given, found, *[ctypes.c_uint32(extent)] * 2])
        check = self.checker(found, x.shape, lambda y: y, x.T, 0)
        return self.beside_copies(f"transpose of {extent}x{extent} f32, blocks of {'x'.join(map(str, self.tile))}",
                                  starter, check, given, found, x.nbytes)

    def beside_copies(self, what: str, starter: Callable, check: Callable, given, found, count: int) -> Work:
        """For a kernel that reads and writes an array with this many bytes."""
        return Work(what, starter, starter(self.function, self.threads), check, 2 * count, "GB/s", "copies",
                    lambda: self.gpu.copy(found, given, count), 2 * count)

    def matmul(self, extent: int) -> Work:
        return self.product(extent, lambda a, b, c, *_: [
            p for array in (a, b, c) for p in matrix(array, extent, extent)])

    def gemm(self, extent: int) -> Work:
        return self.product(extent, lambda a, b, c, extent, common: [
            a, b, c, *map(ctypes.c_uint32, (extent, extent, common))])

    def product(self, extent: int, parameters: Callable) -> Work:
        """cuBLAS matrices are column-major, so it computes the transposed product: its columns are our rows. With i8
        it is only fast if both operands are contiguous along the reduced extent; so one is transposed beforehand."""
        extent = extent // 2 if self.options.half else extent
        common = min(extent, self.options.common or extent)
        left, right = self.factors((extent, common)), self.factors((common, extent))
        expected = left[:CHECKED_OF_PRODUCTS].astype(np.float64) @ right.astype(np.float64)
        a, b = (self.gpu.array(self.element.encoded(content).tobytes()) for content in (left, right))
        c = self.gpu.array(bytes(4 * extent * extent))
        starter = self.starter(self.tiles(extent), parameters(a, b, c, extent, common))
        check = self.checker(c, (extent, extent), lambda found: found[:CHECKED_OF_PRODUCTS], expected,
                             self.tolerance(common))
        what = (f"{self.options.kernel} of {extent}x{extent}x{common} {self.options.type}, "
                f"blocks of {'x'.join(map(str, self.tile))}, {self.options.factors}"
                + "".join(f", {way}" for way in (self.options.target, *self.options.tuning) if way))
        amount = 2 * extent * extent * common / 1000
        return Work(what, starter, starter(self.function, self.threads), check, amount, "TFLOP/s", "cuBLAS",
                    self.cublas((extent, extent, common), a, b, c, right, check), amount)

    def tolerance(self, common: int) -> float:
        """Sums of integers are exact. Those of normally distributed products have errors far below the first bound;
        of f8 tensor cores keep fewer bits of a sum."""
        if self.options.factors == "integers":
            return 0
        return common / 4096 if self.options.type == "f8" else 1e-5 * common

    def factors(self, shape: tuple[int, int]) -> np.ndarray:
        values = (self.random.integers(-4, 5, shape).astype(np.float32) if self.options.factors == "integers" else
                  self.random.standard_normal(shape, np.float32))
        return self.element.rounded(values).astype(np.float32)

    def cublas(self, extents: tuple[int, int, int], a, b, c, right: np.ndarray, check: Callable):
        try:
            library = Library(self.options.type)
        except LibraryError as error:
            return str(error)
        first = self.gpu.array(self.element.encoded(right.T).tobytes()) if self.options.type == "i8" else b

        def start() -> None:
            library.multiply(extents, first, a, c)

        try:
            check(start)
        except (LibraryError, Wrong) as error:
            return str(error)
        return start

    def attention(self, positions: int) -> Work:
        """Positions are rounded up to whole tiles. The last head's last queries are checked."""
        d, rows = self.columns, timed.ATTENTION[self.columns][0]
        heads, n = self.heads_of_attention(d, positions)
        q, k, v = (self.element.rounded(self.random.standard_normal((heads, n, d), np.float32)) for _ in "qkv")
        arrays = [self.gpu.array(self.element.encoded(content).tobytes()) for content in (q, k, v)]
        out = self.gpu.array(bytes(4 * heads * n * d))
        starter = self.starter((n // rows, heads), [*arrays, out, ctypes.c_uint32(heads), ctypes.c_uint32(n)])
        expected, tolerance = self.attended(q[-1, -rows:], k[-1], v[-1], n)
        check = self.checker(out, (heads, n, d), lambda found: found[-1, -rows:], expected, tolerance)
        what = f"attention of {heads} heads, {n} positions, {d} {self.options.type}{', causal' * self.options.causal}"
        amount = 4 * heads * n * n * d / 1000 * (0.5 if self.options.causal else 1)
        return Work(what, starter, starter(self.function, self.threads), check, amount, "TFLOP/s", "library",
                    "cuBLAS has no attention", amount)

    @staticmethod
    def heads_of_attention(d: int, positions: int) -> tuple[int, int]:
        """Their number, and that of positions."""
        rows = timed.ATTENTION[d][0]
        n = -(-positions // rows) * rows
        return max(1, min(2048 // d, n // 256)), n

    def attended(self, q: np.ndarray, k: np.ndarray, v: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
        """The results for the last queries, and their error bounds: weights are rounded to the element type."""
        scores = q.astype(np.float64) @ k.T.astype(np.float64) * timed.scale_of(self.columns)
        if self.options.causal:
            scores[np.arange(n - len(q), n)[:, None] < np.arange(n)] = -np.inf
        weights = np.exp2(scores - scores.max(1, keepdims=True))
        weights /= weights.sum(1, keepdims=True)
        unit = 2.0 ** (-7 if self.options.type == "bf16" else -10)
        return weights @ v, unit * (weights @ np.abs(v))

    def tiles(self, extent: int) -> tuple[int, int]:
        return tuple(-(-extent // of_tile) for of_tile in self.tile)

    def starter(self, grid: tuple[int, ...], parameters: list) -> Callable:
        return lambda function, threads: lambda: self.gpu.start(function, grid, threads, *parameters)

    def checker(self, array: ctypes.c_uint64, shape: tuple[int, ...], part: Callable, expected: np.ndarray,
                tolerance) -> Callable:
        """A function that starts a kernel and compares a part of its result. Before, the result is overwritten, so that
        the one of another kernel does not count."""
        dtype = self.element.accumulator if self.options.kernel in ("matmul", "gemm") else np.float32
        count = int(np.prod(shape)) * np.dtype(dtype).itemsize

        def check(start: Callable[[], None]) -> None:
            self.gpu.write(array, b"\xee" * count)
            start()
            self.gpu.wait()
            found = part(np.frombuffer(self.gpu.read(array, count), dtype).reshape(shape))
            if wrong := np.count_nonzero(~(np.abs(found - expected) <= tolerance)):
                raise Wrong(f"{self.options.kernel}: {wrong} of {expected.size} elements are wrong")

        return check


def matrix(array: ctypes.c_uint64, rows: int, columns: int) -> list:
    """The kernel arguments for an array: pointer, extents, strides."""
    return [array, *(ctypes.c_uint32(value) for value in (rows, columns, columns, 1))]
