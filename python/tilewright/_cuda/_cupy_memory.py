# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Accounts for the memory of CuPy arrays (_memory.py), per owning NumPy array. Allocations beyond the
limit raise OutOfMemoryError, as in CuPy on a GPU."""

from __future__ import annotations

import contextlib
import weakref

import numpy as np

from . import _memory


class OutOfMemoryError(MemoryError):
    """`cupy.cuda.memory.OutOfMemoryError`."""


OutOfMemoryError.__module__ = "cupy.cuda.memory"

_owners: dict[int, tuple[weakref.ref, _memory.Taken]] = {}
"""The arrays whose memory is counted, by `id`."""


def count(array: np.ndarray) -> None:
    """Counts the memory of a "cuda" array or view. Raises OutOfMemoryError beyond the limit."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    # Memory that another library owns is counted by that library.
    if array.base is not None or not array.flags.owndata or id(array) in _owners:
        return
    taken = _memory.Taken()
    if not taken.grow(array.nbytes):
        raise OutOfMemoryError(_memory.message(array.nbytes))
    identity = id(array)
    _owners[identity] = weakref.ref(array, lambda _: _owners.pop(identity)), taken


@contextlib.contextmanager
def refusing():
    """Raises OutOfMemoryError where NumPy reports that the machine is out of memory."""
    try:
        yield
    except OutOfMemoryError:
        raise
    except MemoryError as error:
        raise OutOfMemoryError(f"{_memory.message()} ({error})") from None
