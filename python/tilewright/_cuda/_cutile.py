# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes cuda-tile find Tilewright's compiler.

cuda-tile prefers the `tileiras` of the installed package nvidia-cuda-tileiras to the one on `PATH`.
So this process does not see the package; the installation stays as it is.
"""

from __future__ import annotations

import functools
import importlib.metadata
import importlib.util
import os
import pathlib
import re
import shutil

_PACKAGE = "nvidia-cuda-tileiras"
_ASSEMBLER = "ptxas"


@functools.cache
def serve() -> None:
    """To be called once, before cuda-tile looks for a compiler."""
    find = importlib.metadata.Distribution.from_name

    @functools.wraps(find)
    def find_but_the_compiler(name):
        # Package names are compared without case, and runs of "-", "_" and "." are equal.
        if isinstance(name, str) and re.sub(r"[-_.]+", "-", name).lower() == _PACKAGE:
            raise importlib.metadata.PackageNotFoundError(name)
        return find(name)

    importlib.metadata.Distribution.from_name = staticmethod(find_but_the_compiler)


@functools.cache
def serve_assembler() -> None:
    """Puts the folder of the assembler in an installed package nvidia-cuda-nvcc on `PATH`, unless Tilewright's compiler
    finds an assembler anyway."""
    home = os.environ.get("CUDA_HOME") or "/usr/local/cuda"
    path = os.environ.get("PATH", "")
    if shutil.which(_ASSEMBLER, path=path) or shutil.which(_ASSEMBLER, path=home + "/bin"):
        return
    package = importlib.util.find_spec("nvidia")
    for folder in (package and package.submodule_search_locations) or ():
        # nvidia/cu13/bin; before CUDA 13, nvidia/cuda_nvcc/bin.
        for program in sorted(pathlib.Path(folder).glob(f"*/bin/{_ASSEMBLER}")):
            os.environ["PATH"] = os.pathsep.join(filter(None, [path, str(program.parent)]))
            return
