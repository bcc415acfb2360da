# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the speed of a kernel on a GPU with NVIDIA's libraries.

An example (vector_add, matmul) or a benchmark kernel (softmax, layer_norm, transpose, gemm) is compiled for
the GPU and checked; then it is timed alternately with its peer. For products the peer is cuBLAS
(`libcublas.so`, loaded at run time; without it only the rate is printed); for the others it is a copy by
the driver, counting bytes read and written. The last line has the median of the time ratios, and their
quartiles.
"""

import argparse
import ctypes
import pathlib
import re
import statistics
import string
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from driver import DriverError, Gpu
from library import Library, LibraryError

ROOT = pathlib.Path(__file__).resolve().parents[2]
ADDED = 1024  # elements per tile block of vector_add
ROUNDS = 21
FACTORS = {"f16": np.float16, "f32": np.float32, "i8": np.int8}
KERNELS = ("vector_add", "softmax", "layer_norm", "transpose", "matmul", "gemm")
OF_MATRICES = ("matmul", "gemm", "transpose")  # their size is an extent of the matrices
EXAMPLES = ("vector_add", "matmul")
# The kernels that ./dev gpu times: with common tile sizes, and with large ones.
TIMED = ("vector_add", "softmax", "softmax --columns 8192", "layer_norm", "layer_norm --columns 8192",
         "transpose", "transpose --tile 128", "matmul --tile 32", "gemm --tile 128", "gemm --tile 64 --type f32",
         "gemm --tile 128 --type i8", *(f"gemm --aligned --tile {tile} --factors {factors}"
                                        for tile in ("128x128", "128x256", "256x128") for factors in ("integers", "normal")))


@dataclass
class Work:
    """A checked kernel and its peer."""

    what: str
    start: Callable[[], None]
    amount: float  # bytes, or floating-point operations
    unit: str
    peer: str
    start_peer: Callable[[], None] | None
    peer_amount: float


class Wrong(Exception):
    """A kernel computed a wrong result."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tilewright", type=pathlib.Path, required=True)
    parser.add_argument("kernel", choices=KERNELS)
    parser.add_argument("size", type=int, help="elements of an array, or the extent of matrices")
    parser.add_argument("--columns", type=int, default=1024, help="of a row (%(default)s)")
    parser.add_argument("--tile", type=extents, default=(64, 64), metavar="N|ROWSxCOLUMNS",
                        help="its rows and columns (64x64); that of the example matmul is 32")
    parser.add_argument("--aligned", action="store_true", help="add the assumptions to gemm that cuTile adds for "
                        "aligned arrays, so that a producer warp may copy operands")
    parser.add_argument("--factors", choices=("integers", "normal"), default="integers",
                        help="of a product: small integers, with which GPUs draw less power, or normally distributed "
                        "(%(default)s)")
    parser.add_argument("--type", choices=tuple(FACTORS), default="f16", help="of factors (%(default)s)")
    arguments = parser.parse_args()
    try:
        gpu = Gpu()
        kernel = Kernel(gpu, arguments)
        print(measured(gpu, getattr(kernel, arguments.kernel)(arguments.size)))
    except (DriverError, LibraryError, Wrong) as error:
        print(error)
        return 1
    return 0


def extents(text: str) -> tuple[int, int]:
    rows, _, columns = text.partition("x")
    return int(rows), int(columns or rows)


def aligned(gemm: str, factor_bytes: int) -> str:
    """The kernel with assumptions: addresses are multiples of 16 bytes, and so are the rows of all matrices."""
    parameters = re.search(r"entry @gemm\((.*)\) \{\n", gemm)
    types = dict(re.findall(r"%(\w+): (tile<(?:ptr<\w+>|i32)>)", parameters[1]))
    assumptions = "".join(f"    %{name} = assume div_by<{16 if 'ptr' in type_ else 16 // factor_bytes}>, %{name}_given : {type_}\n"
                          for name, type_ in types.items())
    given = ", ".join(f"%{name}_given: {type_}" for name, type_ in types.items())
    return gemm.replace(parameters[0], f"entry @gemm({given}) {{\n{assumptions}")


def measured(gpu: Gpu, work: Work) -> str:
    rates = []
    for _ in range(ROUNDS):
        own = work.amount / gpu.milliseconds(work.start)
        other = work.peer_amount / gpu.milliseconds(work.start_peer) if work.start_peer else None
        rates.append((own, other))
    text = f"{work.what}: {statistics.median(own for own, _ in rates) / 1e6:.3g} {work.unit}, "
    if not work.start_peer:
        return text + work.peer
    first, middle, last = statistics.quantiles([own / other for own, other in rates], n=4)
    return text + (f"{work.peer} {statistics.median(other for _, other in rates) / 1e6:.3g} "
                   f"{work.unit}, ratio {middle:.2f} ({first:.2f} to {last:.2f})")


class Kernel:
    """A kernel compiled for the GPU. The methods named like kernels check it and prepare its timing."""

    def __init__(self, gpu: Gpu, options: argparse.Namespace):
        self.gpu, self.name, self.type = gpu, options.kernel, options.type
        self.columns, self.tile, self.factors = options.columns, options.tile, options.factors
        if self.name in EXAMPLES:
            text = (ROOT / "examples" / f"{self.name}.mlir").read_text()
        else:
            text = string.Template((ROOT / "bench" / "kernels" / f"{self.name}.mlir").read_text())
            text = text.substitute(self.values())
        if options.aligned:
            text = aligned(text, np.dtype(FACTORS[self.type]).itemsize)
        self.function, self.threads = gpu.compiled(options.tilewright, text, self.name)

    def values(self) -> dict:
        """The template parameters of a benchmark kernel."""
        if self.name == "gemm":
            tile = {"T": self.type, "TM": self.tile[0], "TN": self.tile[1],
                    "TK": 128 // np.dtype(FACTORS[self.type]).itemsize}
            return tile | ({"S": "i32", "mma": "mmai", "nothing": "0", "signs": "signed signed"}
                           if self.type == "i8" else
                           {"S": "f32", "mma": "mmaf", "nothing": "0.0", "signs": ""})
        if self.name == "transpose":
            return {"TM": self.tile[0], "TN": self.tile[1]}
        return {"N": self.columns, "share": 1 / self.columns}

    def vector_add(self, count: int) -> Work:
        # Sums of small integers are exact.
        left = np.arange(count, dtype=np.uint32) % 4093
        right = np.arange(count, dtype=np.uint32) % 1021
        a, b = (self.gpu.array(content.astype(np.float32).tobytes()) for content in (left, right))
        c = self.gpu.array(bytes(4 * count))
        start = self.starter((-(-count // ADDED),), [
            p for array in (a, b, c) for p in (array, ctypes.c_uint32(count), ctypes.c_uint32(1))])
        check("vector_add", self.result(start, c, (count,), np.float32), left + right, 0)
        return Work(f"vector_add of {count} f32", start, 12 * count, "GB/s", "copies",
                    lambda: self.gpu.copy(c, a, 4 * count), 8 * count)

    def softmax(self, count: int) -> Work:
        x, given, found, start = self.rows(count, [])
        powers = np.exp(x[:1000].astype(np.float64))
        check("softmax", self.result(start, found, x.shape, np.float32)[:1000],
              powers / powers.sum(1, keepdims=True), 1e-6)
        return self.beside_copies(f"softmax of {len(x)} rows of {self.columns} f32", start, given, found,
                                  x.nbytes)

    def layer_norm(self, count: int) -> Work:
        scale, shift = weights = np.random.default_rng(6).standard_normal((2, self.columns), np.float32)
        x, given, found, start = self.rows(count, [self.gpu.array(weights.tobytes())])
        some = x[:1000].astype(np.float64)
        centred = some - some.mean(1, keepdims=True)
        expected = centred / np.sqrt(centred.var(1, keepdims=True) + 1e-5) * scale + shift
        check("layer_norm", self.result(start, found, x.shape, np.float32)[:1000], expected, 1e-5)
        return self.beside_copies(f"layer_norm of {len(x)} rows of {self.columns} f32", start, given,
                                  found, x.nbytes)

    def rows(self, count: int, weights: list) -> tuple:
        """Random rows with about `count` elements; the arrays for them and their results; the launch."""
        rows = -(-count // self.columns)
        x = np.random.default_rng(5).standard_normal((rows, self.columns), np.float32)
        given, found = self.gpu.array(x.tobytes()), self.gpu.array(bytes(x.nbytes))
        return x, given, found, self.starter((rows,), [given, *weights, found, ctypes.c_uint32(rows)])

    def transpose(self, extent: int) -> Work:
        x = (np.arange(extent * extent) % (1 << 24)).astype(np.float32).reshape(extent, extent)
        given, found = self.gpu.array(x.tobytes()), self.gpu.array(bytes(x.nbytes))
        start = self.starter(self.tiles(extent), [given, found, *[ctypes.c_uint32(extent)] * 2])
        check("transpose", self.result(start, found, x.shape, np.float32), x.T, 0)
        return self.beside_copies(f"transpose of {extent}x{extent} f32, blocks of {'x'.join(map(str, self.tile))}",
                                  start, given, found, x.nbytes)

    def beside_copies(self, what: str, start: Callable[[], None], given, found, count: int) -> Work:
        """For a kernel that reads and writes an array with this many bytes."""
        return Work(what, start, 2 * count, "GB/s", "copies",
                    lambda: self.gpu.copy(found, given, count), 2 * count)

    def matmul(self, extent: int) -> Work:
        return self.product(extent, lambda a, b, c: [
            p for array in (a, b, c) for p in matrix(array, extent, extent)])

    def gemm(self, extent: int) -> Work:
        return self.product(extent, lambda a, b, c: [
            a, b, c, *[ctypes.c_uint32(extent)] * 3])

    def product(self, extent: int, parameters: Callable) -> Work:
        """Accumulators are f32, or i32 for i8. cuBLAS matrices are column-major, so it computes the transposed
        product: its columns are our rows. With i8 it is only fast if both operands are contiguous along the
        reduced extent; so one of them is transposed beforehand."""
        random = np.random.default_rng(6)
        left, right = (self.random(random, extent) for _ in "ab")
        expected = left[:256].astype(np.float64) @ right.astype(np.float64)
        # f32 sums of normally distributed products: far above the usual error, far below that of a lost product.
        tolerance = 0 if self.factors == "integers" else 1e-5 * extent
        sums = np.int32 if self.type == "i8" else np.float32
        a, b = (self.gpu.array(content.tobytes()) for content in (left, right))
        c = self.gpu.array(bytes(4 * extent * extent))
        start = self.starter(self.tiles(extent), parameters(a, b, c))
        shape = (extent, extent)
        check("product", self.result(start, c, shape, sums)[:256], expected, tolerance)
        what = (f"{self.name} of {extent}x{extent}x{extent} {self.type}, "
                f"blocks of {'x'.join(map(str, self.tile))}")
        amount = 2 * extent**3 / 1000
        try:
            library = Library()
        except LibraryError as error:
            return Work(what, start, amount, "TFLOP/s", f"no peer: {error}", None, 0)

        first = self.gpu.array(right.T.tobytes()) if self.type == "i8" else b

        def start_peer() -> None:
            library.multiply(extent, self.type, first, a, c)

        check("cuBLAS", self.result(start_peer, c, shape, sums)[:256], expected, tolerance)
        return Work(what, start, amount, "TFLOP/s", "cuBLAS", start_peer, amount)

    def random(self, random: np.random.Generator, extent: int) -> np.ndarray:
        shape = (extent, extent)
        values = random.integers(-4, 5, shape) if self.factors == "integers" else random.standard_normal(shape, np.float32)
        return values.astype(FACTORS[self.type])

    def tiles(self, extent: int) -> tuple[int, int]:
        return tuple(-(-extent // of_tile) for of_tile in self.tile)

    def starter(self, grid: tuple[int, ...], parameters: list) -> Callable[[], None]:
        return lambda: self.gpu.start(self.function, grid, self.threads, *parameters)

    def result(self, start: Callable[[], None], array: ctypes.c_uint64, shape: tuple[int, ...],
               dtype: type) -> np.ndarray:
        start()
        self.gpu.wait()
        count = int(np.prod(shape)) * np.dtype(dtype).itemsize
        return np.frombuffer(self.gpu.read(array, count), dtype).reshape(shape)


def matrix(array: ctypes.c_uint64, rows: int, columns: int) -> list:
    """The kernel arguments for an array: pointer, extents, strides."""
    return [array, *(ctypes.c_uint32(value) for value in (rows, columns, columns, 1))]


def check(what: str, found: np.ndarray, expected: np.ndarray, tolerance: float) -> None:
    if wrong := np.count_nonzero(~(np.abs(found - expected) <= tolerance)):
        raise Wrong(f"{what}: {wrong} of {expected.size} elements are wrong")


if __name__ == "__main__":
    sys.exit(main())
