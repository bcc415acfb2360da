# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs at interpreter start, because `tilewright exec` has put this folder at the front of PYTHONPATH.

Keeps "cuda" arrays in host memory ($TILEWRIGHT_ARRAYS), unless kernels run on a GPU ($TILEWRIGHT_DEVICE), and makes
cuda-tile use Tilewright's compiler (see ../__init__.py), then runs any other `sitecustomize`, which this one hides.
"""

import importlib.machinery
import importlib.util
import os
import pathlib
import sys


def _serve() -> None:
    # Loaded by path: this Python may have no Tilewright, or another one.
    folder = pathlib.Path(__file__).resolve().parents[1]
    spec = importlib.util.spec_from_file_location("_tilewright_cuda", folder / "__init__.py",
                                                  submodule_search_locations=[str(folder)])
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if os.environ.get("TILEWRIGHT_DEVICE") == "gpu":
        module.serve_compiler()
    else:
        module.serve(module.libraries_of(os.environ.get("TILEWRIGHT_ARRAYS", "torch,cupy")))


def _run_the_other() -> None:
    here = pathlib.Path(__file__).parent
    others = [entry for entry in sys.path if pathlib.Path(entry).absolute() != here.absolute()]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", others)
    if spec is not None:
        module = sys.modules["sitecustomize"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)


_serve()
_run_the_other()
