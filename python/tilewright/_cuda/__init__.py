# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Array libraries whose arrays on "cuda" lie in the memory of this process.

Tilewright's `libcuda.so.1` runs kernels on the processor, on memory of the process. PyTorch and CuPy
cannot compute through it, because they bring kernels of their own, for GPUs. `serve` makes them
put what a script asks to be on "cuda" into host memory, and compute there: PyTorch with its own
functions for the CPU (_torch.py), CuPy with those of NumPy (_cupy.py). cuda-tile finds Tilewright's
compiler, whatever other compiler is installed (_cutile.py).

This folder imports nothing of the rest of the package, so that a process can use it whose Python
has no Tilewright (site/sitecustomize.py).
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys

LIBRARIES = ("torch", "cupy")


def libraries_of(text: str) -> tuple[str, ...]:
    """Reads a list as `torch,cupy`, or `none`. Raises ValueError."""
    names = [name.strip() for name in text.split(",")]
    if names == ["none"]:
        return ()
    for name in names:
        if name not in LIBRARIES:
            raise ValueError(f"expected none or a list of {', '.join(LIBRARIES)}, "
                             f"but got '{name}'")
    return tuple(names)


def serve(names: tuple[str, ...] = LIBRARIES) -> None:
    """From now on, these libraries have their "cuda" arrays in host memory, and cuda-tile finds
    Tilewright's compiler. Those that a script imports later, too; a library that is not installed
    stays so, except for CuPy, of which nothing is needed."""
    if "cuda.tile" in sys.modules:
        _serve_cutile()
    for name in _SERVED_BY:
        if name in sys.modules and _is_served(name, names):
            _serve(sys.modules[name])
    if "cupy" in names and "cupy" in sys.modules and not hasattr(sys.modules["cupy"], "_tilewright"):
        raise RuntimeError("cupy was imported before Tilewright could take its place")
    sys.meta_path.insert(0, _Finder(names))


_SERVED_BY = {"torch": "_torch", "torch.distributed.distributed_c10d": "_torch_distributed",
              "cuda.tile.jax": "_cutile_jax", "triton.runtime.jit": "_triton"}
"""What changes a module when it is loaded: a module of this folder, with a function `serve`."""


def _is_served(name: str, libraries: tuple[str, ...]) -> bool:
    library = name.partition(".")[0]
    return name in _SERVED_BY and (library in libraries or library not in LIBRARIES)


def _serve(module) -> None:
    importlib.import_module("." + _SERVED_BY[module.__name__], __name__).serve(module)


def _serve_cutile() -> None:
    importlib.import_module("._cutile", __name__).serve()


class _Finder(importlib.abc.MetaPathFinder):
    """Finds modules as everybody does, and serves some when they are loaded; finds our `cupy`; sees
    cuda-tile coming."""

    def __init__(self, names: tuple[str, ...]):
        self.names = names

    def find_spec(self, name, path, target=None):
        if name == "cuda.tile":
            _serve_cutile()
        if name == "cupy" and name in self.names:
            return importlib.machinery.ModuleSpec("cupy", _Loader(), is_package=True)
        if not _is_served(name, self.names):
            return None
        for finder in sys.meta_path:
            if finder is not self and (spec := finder.find_spec(name, path, target)) is not None:
                if spec.loader is not None:
                    spec.loader = _ThenServed(spec.loader)
                return spec
        return None


class _Loader(importlib.abc.Loader):
    def create_module(self, spec):
        return importlib.import_module("._cupy", __name__).make_module()

    def exec_module(self, module):
        pass


class _ThenServed(importlib.abc.Loader):
    """Loads as another loader does, and serves the module."""

    def __init__(self, loader):
        self.loader = loader

    def __getattr__(self, name):
        return getattr(self.loader, name)

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        # What the module asks of its loader later is answered as if we had not been here.
        module.__spec__.loader = module.__loader__ = self.loader
        self.loader.exec_module(module)
        _serve(module)
