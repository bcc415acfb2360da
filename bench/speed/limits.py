# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The machine's peak rates as contestants (bench/peers/limits.cpp)."""

import ctypes

from .case import LIMIT, Contestant, Unsupported

# The kinds of multiply-add that can compute a product of this type; the fastest available one counts.
# Types without their own instruction are computed in f32.
KINDS = {"f32": ["f32"], "f16": ["f32", "f16"], "bf16": ["f32", "bf16", "amx_bf16"],
         "i8": ["i8", "amx_i8"], "f8E4M3FN": ["f32", "f16", "bf16", "amx_bf16"]}


def peak(of: str) -> list[Contestant]:
    return [multiply_adds(kind) for kind in KINDS[of]]


def multiply_adds(kind: str) -> Contestant:
    def prepare(library, _):
        per_step = operations(library, kind)
        if not per_step:
            raise Unsupported("this machine has no such instruction")
        # The total work is independent of the number of threads.
        return library.call(f"steps_{kind}", int(WORK / per_step / library.threads()))
    return Contestant(f"peak {kind}", "Limits", prepare, LIMIT, work=WORK, checked=False)


WORK = 2e9  # about 10 ms


def operations(library, kind: str) -> int:
    function = getattr(library.library, f"operations_{kind}")
    function.restype = ctypes.c_int64
    return function()


def copies(source: str, target: str, size: int) -> list[Contestant]:
    """Copies this many bytes between two named arrays."""
    def copy(function):
        return lambda library, arrays: library.call(function, arrays[source], arrays[target], size)
    return [Contestant(name, "Limits", copy(function), LIMIT, work=2 * size, checked=False)
            for name, function in (("copy", "copy_plain"),
                                   ("copy around caches", "copy_around_caches"))]
