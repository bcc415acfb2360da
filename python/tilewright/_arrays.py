# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Maps dtypes to Tile IR element types, and views other libraries' arrays as NumPy arrays."""

from __future__ import annotations

import functools
import math
import sys

import numpy as np

from tilewright._public import public
from tilewright._records import ElementType

float4_e2m1fn_x2 = np.dtype([("float4_e2m1fn_x2", np.uint8)])
"""The dtype of two 4-bit floats in a byte, the first in the low half, as in PyTorch's type of the same name.
`ml_dtypes` uses one byte for each."""
float8_e5m3fnu = np.dtype([("float8_e5m3fnu", np.uint8)])
"""The dtype of the bits of an f8E5M3FNU element; `ml_dtypes` has no such type."""
_OURS = {float4_e2m1fn_x2: ElementType.f4E2M1FN, float8_e5m3fnu: ElementType.f8E5M3FNU}

# By dtype name. Tile IR's integers are signless.
_ELEMENTS = {
    "bool": ElementType.i1,
    "int8": ElementType.i8, "uint8": ElementType.i8,
    "int16": ElementType.i16, "uint16": ElementType.i16,
    "int32": ElementType.i32, "uint32": ElementType.i32,
    "int64": ElementType.i64, "uint64": ElementType.i64,
    "float16": ElementType.f16, "bfloat16": ElementType.bf16,
    "float32": ElementType.f32, "float64": ElementType.f64,
    "float8_e4m3fn": ElementType.f8E4M3FN, "float8_e5m2": ElementType.f8E5M2,
    "float8_e8m0fnu": ElementType.f8E8M0FNU,
}

# The dtypes that a parameter with these elements accepts, for messages.
_DTYPES = {
    ElementType.i1: "bool", ElementType.i8: "int8 or uint8", ElementType.i16: "int16 or uint16",
    ElementType.i32: "int32 or uint32", ElementType.i64: "int64 or uint64",
    ElementType.f16: "float16", ElementType.bf16: "bfloat16 (of ml_dtypes)",
    ElementType.tf32: "float32", ElementType.f32: "float32", ElementType.f64: "float64",
    ElementType.f8E4M3FN: "float8_e4m3fn (of ml_dtypes)",
    ElementType.f8E5M2: "float8_e5m2 (of ml_dtypes)",
    ElementType.f8E8M0FNU: "float8_e8m0fnu (of ml_dtypes)",
    ElementType.f4E2M1FN: "float4_e2m1fn_x2 or uint8, with two elements in a byte "
                          "(tilewright.pack_f4)",
    ElementType.f8E5M3FNU: "float8_e5m3fnu (of tilewright) or uint8, with the bits of the elements",
}


def element_of(dtype: np.dtype) -> ElementType:
    """The element type of a dtype; `none` if Tile IR has no such elements."""
    if dtype in _OURS:
        return _OURS[dtype]
    return _ELEMENTS.get(dtype.name, ElementType.none) if dtype.isnative else ElementType.none


def zeros(element: str, count: int) -> np.ndarray:
    """An array that a parameter with this element type accepts: `f32`. It has `count` elements, which is even
    for f4E2M1FN."""
    dtype = _DTYPES[ElementType[element]].split()[0]
    return np.zeros(count // 2 if element == "f4E2M1FN" else count, dtype_named(dtype))


def mismatch(expected: int, found: np.dtype) -> str:
    """The message for an array whose dtype does not match its parameter's elements."""
    what = name_of(found) if found.isnative else f"{found.name} in the other byte order"
    return f"expected an array of {_DTYPES[ElementType(expected)]}, but got one of {what}"


def name_of(dtype: np.dtype) -> str:
    return dtype.names[0] if dtype in _OURS else dtype.name


# --- Other libraries' arrays --------------------------------------------------------------------


def as_ndarray(object) -> np.ndarray:
    """Views an array in CPU memory as a NumPy array, without a copy.

    Takes PyTorch tensors, JAX arrays, and objects with DLPack, `__array_interface__` or the buffer
    protocol. Raises TypeError for anything else, and for memory on another device.
    """
    if isinstance(object, np.ndarray):
        return object
    if isinstance(object, np.generic):
        raise TypeError(f"expected an array, but got a number of NumPy's type {object.dtype}")
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(object, torch.Tensor):
        return _from_torch(object, torch)
    if hasattr(object, "__dlpack_device__"):
        return _from_dlpack(object)
    if hasattr(object, "__array_interface__"):
        return np.asarray(object)
    try:
        return np.asarray(memoryview(object))
    except (TypeError, ValueError):
        raise TypeError(f"expected an array, but got {type(object).__name__}; an array is one of "
                        "NumPy, or speaks DLPack, __array_interface__ or the buffer "
                        "protocol") from None


# Types that NumPy has only through ml_dtypes, and integers of the same width.
_TORCH_DTYPES = {
    "torch.bfloat16": ("bfloat16", "int16"),
    "torch.float8_e4m3fn": ("float8_e4m3fn", "uint8"),
    "torch.float8_e5m2": ("float8_e5m2", "uint8"),
    "torch.float8_e8m0fnu": ("float8_e8m0fnu", "uint8"),
    "torch.float4_e2m1fn_x2": ("float4_e2m1fn_x2", "uint8"),
}


def _from_torch(tensor, torch) -> np.ndarray:
    if tensor.device.type != "cpu":
        raise TypeError(f"expected a tensor on the CPU, but got one on {tensor.device}")
    tensor = tensor.detach()
    if str(tensor.dtype) not in _TORCH_DTYPES:
        return tensor.numpy()
    name, integers = _TORCH_DTYPES[str(tensor.dtype)]
    return tensor.view(getattr(torch, integers)).numpy().view(dtype_named(name))


_CPU, _CUDA_HOST = 1, 3  # kDLCPU, kDLCUDAHost


def _from_dlpack(object) -> np.ndarray:
    device, number = object.__dlpack_device__()
    if device not in (_CPU, _CUDA_HOST):
        raise TypeError("expected an array on the CPU, but got one on the device "
                        f"({int(device)}, {number}) of DLPack")
    try:
        return np.from_dlpack(object)
    except (BufferError, RuntimeError, TypeError):
        # NumPy's DLPack import lacks the ml_dtypes types; JAX also converts through `__array__`.
        if hasattr(object, "__array__") and _is_jax(object):
            return np.asarray(object)
        raise


def _is_jax(object) -> bool:
    jax = sys.modules.get("jax")
    return jax is not None and isinstance(object, jax.Array)


def dtype_named(name: str) -> np.dtype:
    """The NumPy, ml_dtypes or Tilewright dtype with this name."""
    for dtype in _OURS:
        if dtype.names[0] == name:
            return dtype
    try:
        return np.dtype(name)
    except TypeError:
        import ml_dtypes
        return np.dtype(getattr(ml_dtypes, name))


# --- Numbers ------------------------------------------------------------------------------------


@functools.cache
def _scalar_type(element: ElementType):
    names = {ElementType.bf16: "bfloat16",
             ElementType.f8E4M3FN: "float8_e4m3fn", ElementType.f8E5M2: "float8_e5m2",
             ElementType.f8E8M0FNU: "float8_e8m0fnu", ElementType.f4E2M1FN: "float4_e2m1fn"}
    return dtype_named(names[element]).type


def float_bits(value: float, element: int) -> int:
    """The bits of a number in a floating-point format, rounded to nearest even."""
    if element == ElementType.f16:
        with np.errstate(over="ignore"):
            return int(np.float16(value).view(np.uint16))
    if element == ElementType.f8E5M3FNU:
        return _e5m3_bits(value)
    single = _round_to_odd(value)
    if element == ElementType.tf32:
        bits = int(single.view(np.uint32))
        if value != value:
            return bits
        # Round to a 10-bit fraction, ties to even; the lower 13 bits are ignored.
        return (bits + 0xFFF + (bits >> 13 & 1)) & ~0x1FFF & 0xFFFFFFFF
    with np.errstate(over="ignore"):
        number = _scalar_type(ElementType(element))(single)
    return int(np.array(number).view(f"u{number.dtype.itemsize}"))


_SIGNED_WIDTHS = {ElementType.i8: 8, ElementType.i16: 16, ElementType.i32: 32, ElementType.i64: 64}


def number_of(bits: int, element: int) -> int | float | bool:
    """The number with these bits; the bits themselves if the element type is `none`."""
    element = ElementType(element)
    if element == ElementType.i1:
        return bits != 0
    if element == ElementType.none:
        return bits
    if element in _SIGNED_WIDTHS:
        sign = 1 << _SIGNED_WIDTHS[element] - 1
        return (bits ^ sign) - sign
    if element == ElementType.f8E5M3FNU:
        return _e5m3_value(bits)
    widths = {ElementType.f16: "float16", ElementType.tf32: "float32", ElementType.f32: "float32",
              ElementType.f64: "float64"}
    dtype = np.dtype(widths[element]) if element in widths else np.dtype(_scalar_type(element))
    return float(np.array(bits, f"u{dtype.itemsize}").view(dtype))


def _e5m3_value(bits: int) -> float:
    exponent, fraction = bits >> 3, bits & 7
    if bits == 0xFF:
        return math.nan
    return math.ldexp(fraction + (8 if exponent else 0), max(exponent, 1) - 18)


def _e5m3_bits(value: float) -> int:
    """The bits in f8E5M3FNU: there are eight values per exponent, from -14 up. Raises ValueError."""
    if math.copysign(1, value) < 0 and value == value:
        raise ValueError(f"{value!r} does not fit into f8E5M3FNU, which has no sign")
    if not math.isfinite(value):
        return 0xFF
    exponent = max(math.frexp(value)[1] - 1, -14) if value else -14
    bits = 8 * (exponent + 14) + round(math.ldexp(value, 3 - exponent))
    return min(bits, 0xFF)


def _round_to_odd(value: float) -> np.float32:
    """Rounds to f32 so that rounding the result to a narrower format equals rounding `value` directly:
    an inexact result gets its last bit set."""
    with np.errstate(over="ignore"):
        single = np.float32(value)
    if float(single) == value or not np.isfinite(single):
        return single
    bits = int(single.view(np.uint32))
    if abs(float(single)) > abs(value):
        bits -= 1
    return np.uint32(bits | 1).view(np.float32)


# --- f4E2M1FN -----------------------------------------------------------------------------------


@public
def pack_f4(array) -> np.ndarray:
    """Packs float4_e2m1fn elements two to a byte, the first in the low half, as kernels expect. Returns a
    new array of `tilewright.float4_e2m1fn_x2` with half the last extent.

    `array`: ml_dtypes.float4_e2m1fn, with an even last extent. Raises TypeError or ValueError.
    """
    array = np.asarray(array)
    if array.dtype.name != "float4_e2m1fn":
        raise TypeError(f"expected an array of float4_e2m1fn, but got one of {name_of(array.dtype)}")
    if not array.ndim or array.shape[-1] % 2:
        raise ValueError(f"expected an array with an even last extent, but its shape is {array.shape}")
    bits = np.ascontiguousarray(array).view(np.uint8) & 0xF
    return (bits[..., 0::2] | bits[..., 1::2] << 4).view(float4_e2m1fn_x2)


@public
def unpack_f4(array) -> np.ndarray:
    """Reverses `pack_f4`: returns a new array of ml_dtypes.float4_e2m1fn, whose last extent is twice as
    large.

    `array`: `tilewright.float4_e2m1fn_x2`, PyTorch's type of the same name, or uint8. Raises TypeError or
    ValueError.
    """
    array = as_ndarray(array)
    if array.dtype not in (float4_e2m1fn_x2, np.uint8):
        raise TypeError("expected an array of float4_e2m1fn_x2 or uint8, but got one of "
                        f"{name_of(array.dtype)}")
    if not array.ndim:
        raise ValueError("expected an array with at least one dimension, but it has none")
    array = array.view(np.uint8)
    bits = np.stack([array & 0xF, array >> 4], axis=-1)
    return bits.reshape(*array.shape[:-1], -1).view(dtype_named("float4_e2m1fn"))
