# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Keeps the "cuda" arrays of PyTorch and CuPy in the memory of this process.

Tilewright's `libcuda.so.1` runs kernels on the CPU, on host memory. PyTorch and CuPy cannot compute
through it, because they bring their own GPU kernels. After `serve`, they allocate "cuda" arrays in
host memory and compute on them there: PyTorch with its CPU kernels (_torch.py), CuPy with NumPy's
functions (_cupy.py). cuda-tile finds Tilewright's compiler even if another one is installed
(_cutile.py). With a GPU, `serve_compiler` does only the last.

This folder imports nothing from the rest of the package, so that processes whose Python lacks
Tilewright can use it (site/sitecustomize.py).
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys

LIBRARIES = ("torch", "cupy")


def libraries_of(text: str) -> tuple[str, ...]:
    """Parses a list such as `torch,cupy`, or `none`. Raises ValueError."""
    names = [name.strip() for name in text.split(",")]
    if names == ["none"]:
        return ()
    for name in names:
        if name not in LIBRARIES:
            raise ValueError(f"expected none or a list of {', '.join(LIBRARIES)}, "
                             f"but got '{name}'")
    return tuple(names)


def serve(names: tuple[str, ...] = LIBRARIES) -> None:
    """Makes these libraries keep their "cuda" arrays in host memory, and cuda-tile find Tilewright's
    compiler. This also applies to libraries that a script imports later. A library that is not
    installed stays missing, except for CuPy, whose module is provided here."""
    if "cuda.tile" in sys.modules:
        _serve_cutile()
    for name in _SERVED_BY:
        if name in sys.modules and _is_served(name, names):
            _serve(sys.modules[name])
    if "cupy" in names and "cupy" in sys.modules and not hasattr(sys.modules["cupy"], "_tilewright"):
        raise RuntimeError("cupy was imported before Tilewright could take its place")
    sys.meta_path.insert(0, _Finder(names))


def serve_compiler() -> None:
    """Makes cuda-tile find Tilewright's compiler, and this compiler find the assembler for GPUs."""
    if "cuda.tile" in sys.modules:
        _serve_compiler()
    sys.meta_path.insert(0, _CompilerFinder())


_SERVED_BY = {"torch": "_torch", "torch.distributed.distributed_c10d": "_torch_distributed",
              "cuda.tile.jax": "_cutile_jax", "triton.runtime.jit": "_triton"}
"""Modules that are patched when loaded: each by the module of this folder named here, with its `serve`."""


def _is_served(name: str, libraries: tuple[str, ...]) -> bool:
    library = name.partition(".")[0]
    return name in _SERVED_BY and (library in libraries or library not in LIBRARIES)


def _serve(module) -> None:
    importlib.import_module("." + _SERVED_BY[module.__name__], __name__).serve(module)


def _serve_cutile() -> None:
    importlib.import_module("._cutile", __name__).serve()


def _serve_compiler() -> None:
    _serve_cutile()
    importlib.import_module("._cutile", __name__).serve_assembler()


class _CompilerFinder(importlib.abc.MetaPathFinder):
    """Finds nothing, but is notified before cuda-tile is loaded."""

    def find_spec(self, name, path, target=None):
        if name == "cuda.tile":
            _serve_compiler()
        return None


class _Finder(importlib.abc.MetaPathFinder):
    """Delegates to the other finders, but patches some modules after they are loaded, provides `cupy`,
    and patches the compiler lookup before cuda-tile is loaded."""

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
    """Loads with another loader, then patches the module."""

    def __init__(self, loader):
        self.loader = loader

    def __getattr__(self, name):
        return getattr(self.loader, name)

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        # The module must see its original loader from now on.
        module.__spec__.loader = module.__loader__ = self.loader
        self.loader.exec_module(module)
        _serve(module)
