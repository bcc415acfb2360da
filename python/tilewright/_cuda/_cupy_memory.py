# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The memory of CuPy's arrays: counted (_memory.py) by the NumPy array that owns it, and refused as
CuPy does on a GPU."""

from __future__ import annotations

import contextlib
import weakref

import numpy as np

from . import _memory


class OutOfMemoryError(MemoryError):
    """`cupy.cuda.memory.OutOfMemoryError`."""


OutOfMemoryError.__module__ = "cupy.cuda.memory"

_owners: dict[int, tuple[weakref.ref, _memory.Taken]] = {}
"""Arrays whose memory counts, by identity."""


def count(array: np.ndarray) -> None:
    """For an array on "cuda", or a view of one. Raises OutOfMemoryError beyond the limit."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    # Memory of others counts elsewhere.
    if array.base is not None or not array.flags.owndata or id(array) in _owners:
        return
    taken = _memory.Taken()
    if not taken.grow(array.nbytes):
        raise OutOfMemoryError(_memory.message(array.nbytes))
    identity = id(array)
    _owners[identity] = weakref.ref(array, lambda _: _owners.pop(identity)), taken


@contextlib.contextmanager
def refusing():
    """Raises OutOfMemoryError where NumPy says that the machine has no memory."""
    try:
        yield
    except OutOfMemoryError:
        raise
    except MemoryError as error:
        raise OutOfMemoryError(f"{_memory.message()} ({error})") from None
