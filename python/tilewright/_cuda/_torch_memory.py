# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Accounts for the memory of PyTorch's "cuda" tensors (_memory.py), per storage, as tensors may share
one. Allocations beyond the limit raise OutOfMemoryError, as in PyTorch on a GPU."""

from __future__ import annotations

import torch

from . import _memory

_TAKEN = "_tilewright_taken"
_CPU = torch.device("cpu")
# Messages of PyTorch and the C++ library when memory is exhausted.
_NO_MEMORY = ("can't allocate memory", "not enough memory", "bad_alloc", "bad allocation")

_device_of = torch.UntypedStorage.device.__get__
current = peak = 0
"""Bytes of all storages."""


class _Taken(_memory.Taken):
    def grow(self, bytes: int) -> bool:
        global current, peak
        before = self.bytes
        if not super().grow(bytes):
            return False
        current += self.bytes - before
        peak = max(peak, current)
        return True

    def __del__(self):
        global current
        current -= self.bytes
        super().__del__()


def reset_peak() -> None:
    global peak
    peak = current


def count(tensor) -> None:
    """Counts a "cuda" tensor. Raises OutOfMemoryError beyond the limit."""
    with torch._C.DisableTorchFunction():
        try:
            storage = tensor.untyped_storage()
        except (NotImplementedError, RuntimeError):
            return  # no storage: the tensor is sparse, or wraps another
    # Storages that another library owns cannot be resized; that library counts them.
    if not storage.resizable() or _device_of(storage) != _CPU:
        return
    taken = getattr(storage, _TAKEN, None)
    if taken is None:
        taken = _Taken()
        setattr(storage, _TAKEN, taken)
    if not taken.grow(bytes := storage.nbytes()):
        raise torch.OutOfMemoryError(_memory.message(bytes))


def refused(error: BaseException):
    """Converts a host out-of-memory error to the GPU's; returns None for any other error."""
    if isinstance(error, torch.OutOfMemoryError) or not any(text in str(error) for text in _NO_MEMORY):
        return None
    return torch.OutOfMemoryError(_memory.message(_asked_for(str(error))))


def _asked_for(text: str) -> int | None:
    _, _, behind = text.partition("you tried to allocate ")
    number = behind.partition(" ")[0]
    return int(number) if number.isdigit() else None
