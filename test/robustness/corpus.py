# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of the repository: Tile IR in canonical text, and functions with layouts in their original
text."""

import re

from server import ROOT, Server

FOLDERS = ("examples", "test", "bench/kernels")
SPLIT = re.compile(r"^(?:// -----.*|#--- .*|//--- .*)$", re.MULTILINE)
ALLOW = "--allow-unregistered-dialect"


def texts_of_files() -> list[str]:
    """Every program in a file, including parts of a split test. Files are sorted, so that a seed means the
    same on each machine."""
    texts = []
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).rglob("*")):
            if file.suffix in (".mlir", ".test"):
                texts += SPLIT.split(file.read_text(errors="replace"))
    return texts


def tile_programs(server: Server) -> list[str]:
    """The accepted programs, in the form of `print` and in generic form."""
    programs, file = {}, server.output.with_name("original.mlir")
    for text in texts_of_files():
        if "cuda_tile" not in text:
            continue
        file.write_text(text)
        for form in ([], ["--generic"]):
            printed = server.run("print", file, ALLOW, *form, seconds=60)
            if printed.is_exit(0):
                programs[printed.out] = None
    return list(programs)


def layout_programs() -> list[str]:
    return [text for text in texts_of_files()
            if "func.func" in text and ("vector" in text or "gpu." in text)]
