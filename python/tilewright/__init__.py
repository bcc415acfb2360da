# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tilewright: check, compile and run Tile IR kernels on any machine.

    import numpy as np, tilewright

    add = tilewright.load("vector_add.mlir")["vector_add"].compile()
    add[grid](a, n, 1, b, n, 1, c, n, 1)        # on NumPy arrays, without copies

`tilewright.cutile` runs cuTile kernels (`@ct.kernel`); docs/python.md is the guide. `tilewright.jax` and
`tilewright.torch` call them from JAX and PyTorch programs (docs/frameworks.md).
"""

from __future__ import annotations

import importlib

# Each public name and the module that defines it. Modules are loaded on first use, so that importing
# the package costs next to nothing.
_PLACES = {
    "load": "_module",
    "Module": "_module",
    "Entry": "_module",
    "Kernel": "_module",
    "Multicast": "_module",
    "Code": "_code",
    "draw": "_draw",
    "Picture": "_draw",
    "inspect": "_inspect",
    "Inspection": "_inspect",
    "explore": "_explore",
    "Explored": "_explore",
    "estimate": "_estimate",
    "Estimate": "_estimate",
    "CostChange": "_estimate",
    "tune": "_estimate",
    "Tuning": "_estimate",
    "Candidate": "_estimate",
    "advise": "_advise",
    "Advice": "_advise",
    "prove": "_prove",
    "Proof": "_prove",
    "ProvedOperation": "_prove",
    "Counterexample": "_prove",
    "diff": "_diff",
    "Diff": "_diff",
    "benchmark": "_benchmark",
    "Benchmark": "_benchmark",
    "float4_e2m1fn_x2": "_arrays",
    "float8_e5m3fnu": "_arrays",
    "pack_f4": "_arrays",
    "unpack_f4": "_arrays",
    "ChangedElement": "_records",
    "CompiledKernel": "_records",
    "Diagnostic": "_records",
    "Exploration": "_records",
    "Finding": "_records",
    "Parameter": "_records",
    "Place": "_records",
    "TraceRecord": "_records",
    "TilewrightError": "_records",
    "InvalidProgramError": "_records",
    "CompileError": "_records",
    "KernelError": "_records",
    "KernelAssertionError": "_records",
    "IncompleteExplorationError": "_records",
    "LaunchCancelled": "_records",
    "TilewrightWarning": "_records",
}
_MODULES = ("cutile",)
# These need the framework, so `from tilewright import *` leaves them out.
_FRAMEWORKS = ("jax", "torch")

__all__ = [*_PLACES, *_MODULES, "__version__"]


def __getattr__(name: str):
    if name in _PLACES:
        value = getattr(importlib.import_module(f"tilewright.{_PLACES[name]}"), name)
    elif name in (*_MODULES, *_FRAMEWORKS):
        value = importlib.import_module(f"tilewright.{name}")
    elif name == "__version__":
        from tilewright._version import __version__ as value
    else:
        raise AttributeError(f"module 'tilewright' has no attribute '{name}'")
    globals()[name] = value
    return value


def __dir__():
    return sorted(__all__)
