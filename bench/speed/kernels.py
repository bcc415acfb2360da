# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where do our kernels come from? From bench/kernels/*.mlir, in which `$name` stands for what a
case chooses (types, extents of tiles), compiled to shared libraries by `tilewright compile`. One is
compiled when first asked for, and again when its text or the compiler has changed.
"""

import hashlib
import os
import pathlib
import string
import subprocess

import numpy as np

from .case import OURS, Contestant
from .libraries import BUILT, PROGRAMS, ROOT

# For all kernels: kernel_speed.py --option; processes that it starts learn them this way.
OPTIONS = os.environ.get("BENCH_OPTIONS", "").split("\n") if os.environ.get("BENCH_OPTIONS") else []


def ours(name: str, template: str, entry: str, grid, arguments: list, **values) -> Contestant:
    """`grid` and `arguments` name arrays, or are integers."""
    def prepare(library, arrays):
        given = [arrays[a] if isinstance(a, str) else int(a) for a in arguments]
        return library.kernel(compiled(template, **values), entry, grid, given)
    return Contestant(name, "Tilewright", prepare, OURS)


def compiled(template: str, **values) -> pathlib.Path:
    text = string.Template((ROOT / "bench/kernels" / f"{template}.mlir").read_text())
    source = text.substitute({name: str(value) for name, value in values.items()})
    compiler = PROGRAMS / "tilewright"
    described = "-".join([template, *(str(v) for v in values.values() if str(v).isalnum())])
    state = compiler.stat()
    key = hashlib.sha256(repr((source, OPTIONS, str(compiler), state.st_mtime_ns)).encode())
    folder = BUILT / "kernels"
    file = folder / f"{described}-{key.hexdigest()[:16]}.so"
    if file.exists():
        return file
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(f"{described}-{'?' * 16}.*"):
        old.unlink(missing_ok=True)
    readable = file.with_suffix(".mlir")
    readable.write_text(source)
    unfinished = file.with_suffix(".part.so")
    result = subprocess.run([compiler, "compile", readable, "-o", unfinished, *OPTIONS],
                            capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(f"tilewright compile {readable}: {result.stderr.strip()}")
    unfinished.rename(file)
    return file


def blocks(extent: int, tile: int) -> int:
    return -(-extent // tile)


def power_of_two(extent: int) -> int:
    return 1 << (extent - 1).bit_length()


def as_f64(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float64)
