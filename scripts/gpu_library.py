# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cuBLAS, as Python calls it: libcublas, opened at run time where it is installed."""

import ctypes

NAMES = ("libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so")
NOT_TRANSPOSED, TRANSPOSED = 0, 1  # cublasOperation_t
F32, F16, I8, I32 = 0, 2, 3, 10  # cudaDataType
COMPUTE_F32, COMPUTE_I32 = 68, 72  # cublasComputeType_t
# Of factors of a type: their kind, that of sums, how these are computed, the type of a scalar.
PRODUCTS = {"f16": (F16, F32, COMPUTE_F32, ctypes.c_float),
            "f32": (F32, F32, COMPUTE_F32, ctypes.c_float),
            "i8": (I8, I32, COMPUTE_I32, ctypes.c_int32)}
DEFAULT = -1  # cublasGemmAlgo_t


class LibraryError(Exception):
    """Why there is no library, or what it refuses."""


class Library:
    """In the context that is current; work goes to its default stream."""

    def __init__(self):
        for name in NAMES:
            try:
                self.library = ctypes.CDLL(name)
                break
            except OSError:
                continue
        else:
            raise LibraryError("there is no cuBLAS: " + ", ".join(NAMES))
        self.handle = ctypes.c_void_p()
        self.call("cublasCreate_v2", ctypes.byref(self.handle))

    def call(self, name: str, *arguments) -> None:
        if status := getattr(self.library, name)(*arguments):
            raise LibraryError(f"{name}: status {status}")

    def multiply(self, extent: int, type_name: str, left: ctypes.c_uint64, right: ctypes.c_uint64,
                 result: ctypes.c_uint64) -> None:
        """result = left right, square matrices whose columns are contiguous; with i8, the rows of left.
        Factors of this type, sums and result in f32, to all of its bits, or in i32."""
        factors, sums, compute, scalar = PRODUCTS[type_name]
        one, zero = scalar(1), scalar(0)

        def given(array: ctypes.c_uint64, kind: int) -> tuple:
            return ctypes.c_void_p(array.value), kind, extent

        stored = TRANSPOSED if factors == I8 else NOT_TRANSPOSED
        self.call("cublasGemmEx", self.handle, stored, NOT_TRANSPOSED, extent, extent, extent,
                  ctypes.byref(one), *given(left, factors), *given(right, factors),
                  ctypes.byref(zero), *given(result, sums), compute, DEFAULT)
