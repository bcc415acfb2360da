# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The driver-library functions that array libraries need, called through ctypes."""

from __future__ import annotations

import ctypes
import functools
import os

NAME = "libcuda.so.1"


@functools.cache
def load() -> ctypes.CDLL:
    """The library, initialised. Raises OSError if the process cannot find one."""
    library = ctypes.CDLL(NAME)
    check(library, library.cuInit(0))
    return library


def is_loaded() -> bool:
    """Whether this process has a driver library."""
    try:
        ctypes.CDLL(NAME, mode=os.RTLD_NOLOAD | os.RTLD_NOW)
    except OSError:
        return False
    return True


def synchronise() -> None:
    """Waits for all launches. Raises RuntimeError if one has failed since the last synchronisation.
    Does not load the library: without it there were no launches."""
    if is_loaded():
        library = load()
        check(library, library.cuCtxSynchronize())


def findings() -> str:
    """The findings of launches since the previous call, even if somebody has synchronised meanwhile.
    The first call starts the recording."""
    library = ctypes.CDLL(NAME)
    library.twCudaFindings.restype = ctypes.c_char_p
    return library.twCudaFindings().decode(errors="replace")


def check(library: ctypes.CDLL, status: int) -> None:
    if status:
        text = ctypes.c_char_p()
        library.cuGetErrorString(status, ctypes.byref(text))
        raise RuntimeError(f"CUDA error: {(text.value or b'unknown error').decode()} ({status})")


def attribute(number: int) -> int:
    value = ctypes.c_int()
    library = load()
    check(library, library.cuDeviceGetAttribute(ctypes.byref(value), number, 0))
    return value.value


def device_name() -> str:
    name = ctypes.create_string_buffer(256)
    library = load()
    check(library, library.cuDeviceGetName(name, len(name), 0))
    return name.value.decode()


def memory() -> tuple[int, int]:
    """Free and total device memory, in bytes."""
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    library = load()
    check(library, library.cuMemGetInfo_v2(ctypes.byref(free), ctypes.byref(total)))
    return free.value, total.value


def stream_priorities() -> tuple[int, int]:
    """The lowest and the highest stream priority."""
    least, greatest = ctypes.c_int(), ctypes.c_int()
    library = load()
    check(library, library.cuCtxGetStreamPriorityRange(ctypes.byref(least), ctypes.byref(greatest)))
    return least.value, greatest.value


class StreamHandle:
    """A driver stream, destroyed with its last user."""

    def __init__(self, priority: int = 0):
        self._library, handle = load(), ctypes.c_void_p()
        non_blocking = 1
        check(self._library, self._library.cuStreamCreateWithPriority(
            ctypes.byref(handle), non_blocking, priority))
        self.value = handle.value

    def __del__(self):
        if value := getattr(self, "value", None):
            self._library.cuStreamDestroy_v2(ctypes.c_void_p(value))


def is_capturing(stream: int) -> bool:
    """Whether the stream is being captured. Does not load the library: without it there are no
    captures."""
    if not is_loaded():
        return False
    library, status = load(), ctypes.c_int()
    check(library, library.cuStreamIsCapturing(ctypes.c_void_p(stream), ctypes.byref(status)))
    return status.value == 1


class EventHandle:
    """A driver event, destroyed with its last user."""

    def __init__(self):
        self._library, self._handle = load(), ctypes.c_void_p()
        disable_timing = 2
        check(self._library, self._library.cuEventCreate(ctypes.byref(self._handle), disable_timing))

    def record(self, stream: int) -> None:
        check(self._library, self._library.cuEventRecord(self._handle, ctypes.c_void_p(stream)))

    def let_wait(self, stream: int) -> None:
        check(self._library, self._library.cuStreamWaitEvent(ctypes.c_void_p(stream), self._handle, 0))

    def __del__(self):
        if self._handle.value:
            self._library.cuEventDestroy_v2(self._handle)


# --- DLPack -------------------------------------------------------------------------------------

CPU, CUDA = 1, 2  # kDLCPU, kDLCUDA


def dlpack_device(capsule) -> int | None:
    """The device type in a DLPack capsule that has not been consumed; None for anything else."""
    address = _dlpack_address(capsule)
    return None if address is None else ctypes.c_int32.from_address(address).value


def set_dlpack_device(capsule, device: int):
    """Sets the device type in an unconsumed DLPack capsule. Returns the capsule."""
    if (address := _dlpack_address(capsule)) is None:
        raise BufferError("expected a capsule of DLPack that nobody has taken")
    ctypes.c_int32.from_address(address).value = device
    ctypes.c_int32.from_address(address + 4).value = 0
    return capsule


def _dlpack_address(capsule) -> int | None:
    """The address of the device type in a capsule."""
    # DLManagedTensor begins with a DLTensor: data pointer, then device. The versioned struct has
    # four 8-byte fields in front of it: version, context, deleter, flags.
    for name, offset in ((b"dltensor", 8), (b"dltensor_versioned", 32 + 8)):
        if _is_valid(capsule, name):
            return _pointer(capsule, name) + offset
    return None


_is_valid = ctypes.pythonapi.PyCapsule_IsValid
_is_valid.restype, _is_valid.argtypes = ctypes.c_int, [ctypes.py_object, ctypes.c_char_p]
_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_pointer.restype, _pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
