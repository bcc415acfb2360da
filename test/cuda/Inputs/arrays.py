# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Wraps NumPy arrays as objects with `__cuda_array_interface__`, which cuTile accepts."""

import ctypes

import numpy as np


class Array:
    def __init__(self, array: np.ndarray):
        self.array = array
        self.__cuda_array_interface__ = dict(array.__array_interface__, version=3)


driver = ctypes.CDLL("libcuda.so.1")


def synchronise() -> int:
    """Synchronises; returns the driver's error number."""
    return driver.cuCtxSynchronize()
