# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of the driver library, as from C."""

import ctypes

driver = ctypes.CDLL("libcuda.so.1")


def call(name, *arguments):
    """Numbers are 64 bits wide: those that are not are small."""
    return getattr(driver, name)(*(
        ctypes.c_void_p(x) if isinstance(x, int) else x for x in arguments))


def made(name, *arguments):
    """What the function writes through its first parameter."""
    result = ctypes.c_void_p()
    assert call(name, ctypes.byref(result), *arguments) == 0, name
    return result.value or 0
