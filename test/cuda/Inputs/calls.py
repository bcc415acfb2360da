# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls driver functions through their C interface."""

import ctypes

driver = ctypes.CDLL("libcuda.so.1")


def call(name, *arguments):
    """Passes numbers as 64 bits, which also works for small 32-bit ones."""
    return getattr(driver, name)(*(
        ctypes.c_void_p(x) if isinstance(x, int) else x for x in arguments))


def made(name, *arguments):
    """Returns what the function writes through its first parameter."""
    result = ctypes.c_void_p()
    assert call(name, ctypes.byref(result), *arguments) == 0, name
    return result.value or 0
