# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Defines what is compared. A case is one computation on given arrays; its contestants compute it, each
with a library. Contestants are our kernels, peers, and optionally the limit: the machine's peak rate,
measured by a plain copy of as many bytes, or a loop that contains only
multiply-adds.

Contestants are created in the process of their library, given only the name of the case, so a case
is described by functions.
"""

import mmap
from dataclasses import dataclass, field
from typing import Callable

import numpy as np

from .figures import LIMIT, OURS, PEER  # noqa: F401  (other modules take them from here)

Arrays = dict[str, np.ndarray]


class Unsupported(Exception):
    """The library has no such function on this machine, or none worth timing."""


@dataclass
class Contestant:
    name: str
    library: str  # the name of a class in libraries.py
    # (library, arrays) -> a function without arguments that runs the computation once.
    prepare: Callable
    role: str = PEER
    # Times per call are divided by this: a limit may do another amount of work than the case.
    work: float | None = None
    # Whether the result is compared. Limits compute something else.
    checked: bool = True


@dataclass
class Case:
    group: str
    name: str  # unique; filters match it
    arrays: Callable[[np.random.Generator], Arrays]
    # (arrays) -> (result, expected result, tolerance relative to the largest element).
    check: Callable[[Arrays], tuple[np.ndarray, np.ndarray, float]]
    contestants: list[Contestant]
    work: float  # per call, in `unit`
    unit: str  # "flop", "op" or "B": rates are printed in 1e9 units per second
    clear: list[str] = field(default_factory=list)  # results, cleared between contestants
    slow: bool = False  # one call takes long, so run fewer rounds

    def make(self) -> Arrays:
        return {name: aligned(array)
                for name, array in self.arrays(np.random.default_rng(seed=2026)).items()}


HUGE_PAGE = 1 << 21


def aligned(array: np.ndarray) -> np.ndarray:
    """Copies an array to the beginning of its own huge pages, where the system has them: the comparison
    must not depend on where an allocator happens to place an array, or which pages a process happens
    to get."""
    pages = -(-array.nbytes // HUGE_PAGE) + 1
    memory = mmap.mmap(-1, pages * HUGE_PAGE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    raw = np.frombuffer(memory, np.uint8)
    start = -raw.ctypes.data % HUGE_PAGE
    copy = raw[start:start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy
