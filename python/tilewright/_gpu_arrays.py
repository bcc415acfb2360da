# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays in the memory of a GPU, through DLPack or `__cuda_array_interface__`, and streams."""

from __future__ import annotations

import ctypes
import dataclasses
import math
import operator
import sys

import numpy as np

from tilewright import _arrays, _native

_LEGACY_STREAM = 1  # CU_STREAM_LEGACY


@dataclasses.dataclass(frozen=True)
class GpuArray:
    """An array in the memory of the first GPU, which is alive as long as this object."""

    address: int
    dtype: np.dtype
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    """In elements."""
    read_only: bool
    owner: object

    @property
    def place(self) -> tuple[int, int, tuple[int, ...], tuple[int, ...]]:
        """As `_native.place_of_array`: the address, the one behind the last element, extents, strides."""
        if 0 in self.shape:
            return self.address, self.address, self.shape, self.strides
        last = sum((extent - 1) * stride for extent, stride in zip(self.shape, self.strides))
        return (self.address, self.address + (last + 1) * self.dtype.itemsize, self.shape,
                self.strides)


    @property
    def is_row_major(self) -> bool:
        expected = _row_major(self.shape)
        return all(extent == 1 or stride == wanted for extent, stride, wanted
                   in zip(self.shape, self.strides, expected))


def view(object, stream: int) -> GpuArray | None:
    """The object as an array in the memory of a GPU; None if it is none.

    `stream`: the CUstream of the launch; 0 for a launch that first waits for all work on the GPU.
    Raises TypeError or ValueError for arrays that no kernel can take.
    """
    if isinstance(object, GpuArray):
        return object
    if isinstance(object, np.ndarray):
        return None
    if hasattr(object, "__dlpack_device__") and object.__dlpack_device__()[0] in (_CUDA, _MANAGED):
        array = _through_dlpack(object, stream)
    elif hasattr(object, "__cuda_array_interface__"):
        array = _through_interface(object, stream)
    else:
        return None
    if array.address % array.dtype.itemsize:
        raise ValueError(f"its address is not a multiple of its elements' {array.dtype.itemsize} bytes")
    if any(stride < 0 for stride in array.strides):
        raise ValueError("it has a negative stride; pass a copy")
    return array


# --- DLPack -------------------------------------------------------------------------------------

_CUDA, _MANAGED = 2, 13  # kDLCUDA, kDLCUDAManaged

# By code, bits and lanes.
_DTYPES = {
    (0, 8, 1): "int8", (0, 16, 1): "int16", (0, 32, 1): "int32", (0, 64, 1): "int64",
    (1, 8, 1): "uint8", (1, 16, 1): "uint16", (1, 32, 1): "uint32", (1, 64, 1): "uint64",
    (2, 16, 1): "float16", (2, 32, 1): "float32", (2, 64, 1): "float64",
    (4, 16, 1): "bfloat16", (6, 8, 1): "bool",
    (10, 8, 1): "float8_e4m3fn", (12, 8, 1): "float8_e5m2", (14, 8, 1): "float8_e8m0fnu",
    (17, 4, 2): "float4_e2m1fn_x2",
}


def _through_dlpack(object, stream: int) -> GpuArray:
    number = object.__dlpack_device__()[1]
    if number:
        raise ValueError(f"it is on GPU {number}, but the kernel runs on GPU 0")
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(object, torch.Tensor):
        object = object.detach()
        if object.is_neg() or object.is_conj():
            raise TypeError("it is a lazy negative or conjugate; pass a copy (resolve_neg, resolve_conj)")
    capsule = _export(object, stream or _LEGACY_STREAM)
    address, dtype, shape, strides, is_read_only = _native.read_dlpack(capsule)
    if dtype not in _DTYPES:
        raise TypeError(f"Tile IR has no elements like its, with DLPack's code {dtype[0]}, {dtype[1]} "
                        f"bits and {dtype[2]} lanes")
    # JAX's arrays never change, but their capsules have no flag that says so.
    return GpuArray(address, _arrays.dtype_named(_DTYPES[dtype]), shape,
                    _row_major(shape) if strides is None else strides,
                    is_read_only or _arrays._is_jax(object), (capsule, object))


def _export(object, stream: int):
    """The capsule. The producer makes its elements available on the stream."""
    try:
        return object.__dlpack__(stream=stream, max_version=(1, 1))
    except TypeError as error:
        if "max_version" not in str(error):  # the argument of version 1 of the protocol
            raise
        return object.__dlpack__(stream=stream)


# --- __cuda_array_interface__, version 3 (Numba's documentation) ----------------------------------


def _through_interface(object, stream: int) -> GpuArray:
    described = object.__cuda_array_interface__
    if described.get("mask") is not None:
        raise ValueError("it has a mask")
    address, is_read_only = described["data"]
    writer = described.get("stream")
    if stream and writer not in (None, stream):
        raise ValueError(f"it is in use on stream {writer:#x}: launch the kernel there, as "
                         f"kernel[grid].on({writer:#x})")
    dtype, shape = np.dtype(described["typestr"]), tuple(described["shape"])
    return GpuArray(address or 0, dtype, shape, _strides(described.get("strides"), shape, dtype),
                    bool(is_read_only), object)


def _strides(in_bytes, shape: tuple[int, ...], dtype: np.dtype) -> tuple[int, ...]:
    if in_bytes is None:
        return _row_major(shape)
    for dim, stride in enumerate(in_bytes):
        if stride % dtype.itemsize:
            raise ValueError(f"its stride of {stride} bytes along dimension {dim} is not a multiple of "
                             f"its elements' {dtype.itemsize} bytes")
    return tuple(stride // dtype.itemsize for stride in in_bytes)


def _row_major(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(math.prod(shape[dim + 1:]) for dim in range(len(shape)))


# --- Streams ------------------------------------------------------------------------------------


def stream_handle(stream) -> int:
    """The CUstream of an object of PyTorch, CuPy or Numba, or with `__cuda_stream__`, or of a number.
    The default stream is CU_STREAM_LEGACY, because 0 means a launch that waits."""
    if hasattr(stream, "__cuda_stream__"):
        handle = stream.__cuda_stream__()[1]
    else:
        names = ("cuda_stream", "ptr", "handle")  # of PyTorch, CuPy, Numba
        handle = next((getattr(stream, name) for name in names if hasattr(stream, name)), stream)
    if isinstance(handle, ctypes.c_void_p):  # Numba's, whose value is None for 0
        handle = handle.value or 0
    try:
        handle = operator.index(handle)
    except TypeError:
        raise TypeError("expected a stream of PyTorch, CuPy or Numba, an object with __cuda_stream__, "
                        f"or the number of a CUstream, but got {type(stream).__name__}") from None
    if not 0 <= handle < 1 << 64:
        raise ValueError(f"expected the number of a CUstream, but got {handle}")
    return handle or _LEGACY_STREAM
