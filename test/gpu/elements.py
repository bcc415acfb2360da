# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types of products in NumPy: how f32 values are rounded to a type, and its bytes in memory."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


def cut(bits: int) -> Callable[[np.ndarray], np.ndarray]:
    """Clears the low bits of f32 values."""
    mask = np.uint32(0xFFFFFFFF << bits & 0xFFFFFFFF)
    return lambda values: (values.view(np.uint32) & mask).view(np.float32)


def e4m3_values() -> np.ndarray:
    """The values of the bytes 0 to 126 of f8E4M3FN; byte 127 is its NaN."""
    byte = np.arange(127)
    exponent, mantissa = byte >> 3, byte & 7
    return np.where(exponent > 0, (8 + mantissa) * 2.0 ** (exponent - 10), mantissa * 2.0 ** -9).astype(np.float32)


E4M3 = e4m3_values()


def e4m3_bytes(values: np.ndarray) -> np.ndarray:
    """Rounds magnitudes down to the next f8E4M3FN."""
    place = np.searchsorted(E4M3, np.minimum(np.abs(values), E4M3[-1]), side="right") - 1
    return (place | np.where(np.signbit(values), 128, 0)).astype(np.uint8)


def e4m3_rounded(values: np.ndarray) -> np.ndarray:
    bytes_ = e4m3_bytes(values)
    return np.copysign(E4M3[bytes_ & 127], values).astype(np.float32)


@dataclass(frozen=True)
class Element:
    """`rounded` returns f32 values that the type represents exactly; `encoded` takes such values."""

    name: str  # in Tile IR
    size: int  # bytes
    rounded: Callable[[np.ndarray], np.ndarray]
    encoded: Callable[[np.ndarray], np.ndarray]
    accumulator: type = np.float32


ELEMENTS = {
    "f16": Element("f16", 2, lambda x: x.astype(np.float16).astype(np.float32), lambda x: x.astype(np.float16)),
    "bf16": Element("bf16", 2, cut(16), lambda x: (x.view(np.uint32) >> 16).astype(np.uint16)),
    "tf32": Element("tf32", 4, cut(13), lambda x: x),
    "f32": Element("f32", 4, lambda x: x, lambda x: x),
    "i8": Element("i8", 1, np.rint, lambda x: x.astype(np.int8), np.int32),
    "f8": Element("f8E4M3FN", 1, e4m3_rounded, e4m3_bytes),
}
