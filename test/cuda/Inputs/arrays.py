# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy arrays as cuTile takes them: objects with `__cuda_array_interface__`."""

import ctypes

import numpy as np


class Array:
    def __init__(self, array: np.ndarray):
        self.array = array
        self.__cuda_array_interface__ = dict(array.__array_interface__, version=3)


driver = ctypes.CDLL("libcuda.so.1")


def synchronise() -> int:
    """The error that kernels left behind, as the driver numbers it."""
    return driver.cuCtxSynchronize()
