# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls cuBLAS from Python: libcublas, loaded at run time if it is installed."""

import ctypes

NAMES = ("libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so")
NOT_TRANSPOSED, TRANSPOSED = 0, 1  # cublasOperation_t
F32, F16, I8, I32, BF16 = 0, 2, 3, 10, 14  # cudaDataType
COMPUTE_F32, COMPUTE_I32, COMPUTE_TF32 = 68, 72, 77  # cublasComputeType_t
# For an operand type: its data type, the accumulators' data type, the compute type, the scalar type.
PRODUCTS = {"f16": (F16, F32, COMPUTE_F32, ctypes.c_float),
            "bf16": (BF16, F32, COMPUTE_F32, ctypes.c_float),
            "tf32": (F32, F32, COMPUTE_TF32, ctypes.c_float),
            "f32": (F32, F32, COMPUTE_F32, ctypes.c_float),
            "i8": (I8, I32, COMPUTE_I32, ctypes.c_int32)}
DEFAULT = -1  # cublasGemmAlgo_t


class LibraryError(Exception):
    """The reason why there is no library, or the error that it returned."""


class Library:
    """cuBLAS in the current context; work goes to its default stream."""

    def __init__(self, type_name: str):
        if type_name not in PRODUCTS:
            raise LibraryError(f"cublasGemmEx does not multiply {type_name}")
        self.product = PRODUCTS[type_name]
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

    def multiply(self, extents: tuple[int, int, int], left: ctypes.c_uint64, right: ctypes.c_uint64,
                 result: ctypes.c_uint64) -> None:
        """result (m x n) = left (m x k) right (k x n), for (m, n, k) and column-major matrices; for i8, left is
        row-major. Accumulators and result are f32, in full precision except for tf32, or i32."""
        factors, sums, compute, scalar = self.product
        m, n, k = extents
        one, zero = scalar(1), scalar(0)

        def given(array: ctypes.c_uint64, kind: int, leading: int) -> tuple:
            return ctypes.c_void_p(array.value), kind, leading

        stored, leading = (TRANSPOSED, k) if factors == I8 else (NOT_TRANSPOSED, m)
        self.call("cublasGemmEx", self.handle, stored, NOT_TRANSPOSED, m, n, k,
                  ctypes.byref(one), *given(left, factors, leading), *given(right, factors, k),
                  ctypes.byref(zero), *given(result, sums, m), compute, DEFAULT)
