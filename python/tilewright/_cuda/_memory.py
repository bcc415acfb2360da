# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How much memory arrays on "cuda" may take.

The driver library counts what it allocates, up to a limit ($TILEWRIGHT_MEMORY). Array libraries
allocate by themselves; what they have on "cuda" is added to the same counter, from when an array is
made until its memory is freed. An array beyond the limit is refused as on a GPU.

Functions also allocate temporary memory, which nobody counts. So that the system does not kill the
process for it, `protect_process` limits the memory of the process as a whole.
"""

from __future__ import annotations

import ctypes
import functools
import pathlib
import resource

from . import _driver


@functools.cache
def _library() -> ctypes.CDLL:
    """Not initialised: whoever only has arrays needs no kernels."""
    library = ctypes.CDLL(_driver.NAME)
    library.twCudaTakeMemory.argtypes = library.twCudaGiveMemory.argtypes = [ctypes.c_size_t]
    library.twCudaGiveMemory.restype = None
    return library


class Taken:
    """Memory that counts as long as this object lives: at first, none."""

    def __init__(self):
        self.bytes = 0
        self._give = _library().twCudaGiveMemory  # the module may go first

    def grow(self, bytes: int) -> bool:
        """Grows to this many bytes. Returns False, without a change, if less is left."""
        if bytes > self.bytes:
            if _library().twCudaTakeMemory(bytes - self.bytes):
                return False
            self.bytes = bytes
        return True

    def __del__(self):
        self._give(self.bytes)


def _state() -> tuple[int, int, int]:
    """Bytes of the device, those that are taken, and the limit that there would be without the
    variable."""
    numbers = ctypes.c_size_t(), ctypes.c_size_t(), ctypes.c_size_t()
    _library().twCudaMemory(*map(ctypes.byref, numbers))
    return tuple(number.value for number in numbers)


def message(bytes: int | None = None) -> str:
    """What PyTorch says for a GPU, and how to change it."""
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
    """From now on the process gets an error instead of memory that the machine does not have: its
    private memory may grow by four fifths of that, or by what the device has if that is more. A
    lower limit stays."""
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
