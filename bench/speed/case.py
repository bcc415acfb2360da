# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is compared with what? A case is one computation on given arrays; its contestants
compute it, each with a library. Some are our kernels, some are peers, and one may be the limit:
what the machine does at most, a plain copy of as many bytes or a loop of nothing but
multiply-adds.

Contestants are built in the process of their library, from the name of the case alone, so a case
is described by functions.
"""

import mmap
from dataclasses import dataclass, field
from typing import Callable

import numpy as np

Arrays = dict[str, np.ndarray]

OURS, PEER, LIMIT = "ours", "peer", "limit"


class Unsupported(Exception):
    """The library has no such function, or none worth timing, on this machine."""


@dataclass
class Contestant:
    name: str
    library: str  # a class of libraries.py
    # (library, arrays) -> a function without arguments that computes the case once.
    prepare: Callable
    role: str = PEER
    # Times per call are divided by this: the limit of arithmetic does other work than the case.
    work: float | None = None
    # Where the result is not `Case.result` of the arrays, or not comparable: None skips the check.
    checked: bool = True


@dataclass
class Case:
    group: str
    name: str  # unique; what a filter looks at
    arrays: Callable[[np.random.Generator], Arrays]
    # (arrays) -> (what was computed, what should have been, tolerance relative to the largest).
    check: Callable[[Arrays], tuple[np.ndarray, np.ndarray, float]]
    contestants: list[Contestant]
    work: float  # per call, in `unit`
    unit: str  # "flop", "op" or "B": rates are printed in 1e9 of it per second
    clear: list[str] = field(default_factory=list)  # results, cleared between contestants
    slow: bool = False  # one call takes long: fewer rounds

    def make(self) -> Arrays:
        return {name: aligned(array)
                for name, array in self.arrays(np.random.default_rng(seed=2026)).items()}


HUGE_PAGE = 1 << 21


def aligned(array: np.ndarray) -> np.ndarray:
    """A copy at the beginning of huge pages of its own, where the system has them: where an
    allocator happens to put an array, or which pages of memory a process happens to get, should
    not decide a comparison."""
    pages = -(-array.nbytes // HUGE_PAGE) + 1
    memory = mmap.mmap(-1, pages * HUGE_PAGE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        memory.madvise(mmap.MADV_HUGEPAGE)
    raw = np.frombuffer(memory, np.uint8)
    start = -raw.ctypes.data % HUGE_PAGE
    copy = raw[start:start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy
