# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes cuda-tile find Tilewright's compiler.

cuda-tile prefers the `tileiras` of the installed package nvidia-cuda-tileiras to the one on `PATH`.
But that compiler's output is for a GPU, and Tilewright's driver library cannot load it. So this
process does not see the package; the installation stays as it is.
"""

from __future__ import annotations

import functools
import importlib.metadata
import re

_PACKAGE = "nvidia-cuda-tileiras"


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
