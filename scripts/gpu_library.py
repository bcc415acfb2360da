# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cuBLAS, as Python calls it: libcublas, opened at run time where it is installed."""

import ctypes

NAMES = ("libcublas.so.13", "libcublas.so.12", "libcublas.so.11", "libcublas.so")
NOT_TRANSPOSED = 0  # cublasOperation_t
F32, F16 = 0, 2
KINDS = {"f16": F16, "f32": F32}  # cudaDataType
COMPUTE_F32 = 68  # cublasComputeType_t
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

    def multiply(self, extent: int, kind: str, left: ctypes.c_uint64, right: ctypes.c_uint64,
                 result: ctypes.c_uint64) -> None:
        """result = left right, square matrices whose columns are contiguous: factors of this kind, sums
        and result in f32, to all of its bits."""
        one, zero = ctypes.c_float(1), ctypes.c_float(0)

        def given(array: ctypes.c_uint64, kind: int) -> tuple:
            return ctypes.c_void_p(array.value), kind, extent

        self.call("cublasGemmEx", self.handle, NOT_TRANSPOSED, NOT_TRANSPOSED, extent, extent,
                  extent, ctypes.byref(one), *given(left, KINDS[kind]), *given(right, KINDS[kind]),
                  ctypes.byref(zero), *given(result, F32), COMPUTE_F32, DEFAULT)
