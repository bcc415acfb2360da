# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Limits the memory of "cuda" arrays.

The driver library counts its allocations, up to a limit ($TILEWRIGHT_MEMORY). Array libraries
allocate by themselves; their "cuda" memory is added to the same counter, from the creation of an
array until its memory is freed. An array beyond the limit is refused, as on a GPU.

Functions also allocate temporary memory, which is not counted. `protect_process` limits the memory of
the whole process, so that the system does not kill it because of these.
"""

from __future__ import annotations

import ctypes
import functools
import pathlib
import resource

from . import _driver


@functools.cache
def _library() -> ctypes.CDLL:
    """Not initialised: a process that only has arrays needs no kernels."""
    library = ctypes.CDLL(_driver.NAME)
    library.twCudaReserveMemory.argtypes = library.twCudaReleaseMemory.argtypes = [ctypes.c_size_t]
    library.twCudaReleaseMemory.restype = None
    return library


class Taken:
    """Memory that is counted while this object lives; initially zero bytes."""

    def __init__(self):
        self.bytes = 0
        self._release = _library().twCudaReleaseMemory  # at exit, the module may be destroyed first

    def grow(self, bytes: int) -> bool:
        """Grows to this many bytes. Returns False, without a change, if not enough is left."""
        if bytes > self.bytes:
            if _library().twCudaReserveMemory(bytes - self.bytes):
                return False
            self.bytes = bytes
        return True

    def __del__(self):
        self._release(self.bytes)


def _state() -> tuple[int, int, int]:
    """In bytes: the device memory, the part in use, and the limit that applies if the environment
    variable is unset."""
    numbers = ctypes.c_size_t(), ctypes.c_size_t(), ctypes.c_size_t()
    _library().twCudaMemory(*map(ctypes.byref, numbers))
    return tuple(number.value for number in numbers)


def message(bytes: int | None = None) -> str:
    """PyTorch's message for a GPU, and how to raise the limit."""
    limit, used, _ = _state()
    tried = "" if bytes is None else f" Tried to allocate {_size(bytes)}."
    return (f"CUDA out of memory.{tried} GPU 0 has a total capacity of {_size(limit)} of which "
            f"{_size(max(0, limit - used))} is free. The device is memory of this machine "
            "(Tilewright runs this script without a GPU); TILEWRIGHT_MEMORY sets its capacity")


def _size(bytes: int) -> str:
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")):
        if bytes >= unit:
            return f"{bytes / unit:.2f} {name}"
    return f"{bytes} bytes"


@functools.cache
def protect_process() -> None:
    """Makes allocations fail when the machine has no memory for them: the private memory of the process
    may grow by four fifths of the machine's memory, or by the device memory if that is larger. A
    lower existing limit is kept."""
    limit, _, usual = _state()
    most = _private_memory() + max(limit, usual)
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    for other in (soft, hard):
        if other != resource.RLIM_INFINITY:
            most = min(most, other)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


def _private_memory() -> int:
    """What RLIMIT_DATA counts, in bytes."""
    for line in pathlib.Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmData:"):
            return int(line.split()[1]) << 10
    return 0
