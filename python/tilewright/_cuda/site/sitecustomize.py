# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs when an interpreter starts that `tilewright exec` has put this folder in front of.

Serves array libraries from host memory ($TILEWRIGHT_ARRAYS) and cuda-tile with our compiler (see
../__init__.py), and then does what another `sitecustomize` would have done.
"""

import importlib.machinery
import importlib.util
import os
import pathlib
import sys


def _serve() -> None:
    # By its place: this Python may have no Tilewright, or another one.
    folder = pathlib.Path(__file__).resolve().parents[1]
    spec = importlib.util.spec_from_file_location("_tilewright_cuda", folder / "__init__.py",
                                                  submodule_search_locations=[str(folder)])
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
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
