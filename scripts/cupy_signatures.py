#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints CuPy's public functions with their parameter names, one per line, for
python/tests/cupy_signatures.txt. Needs CuPy (14.2.0 was used), but no GPU:
`pip install --no-deps cupy-cuda12x cuda-pathfinder fastrlock numpy`.

`name: parameters`; `name: ufunc` for a ufunc, with its standard arguments; `name:` if they are unknown.
"""

import importlib
import inspect
import re
import types
import warnings

MODULES = ("cupy", "cupy.random", "cupy.linalg", "cupy.fft")
CLASSES = ("cupy.ndarray", "cupy.random.RandomState", "cupy.random.Generator")


def parameters(function) -> str:
    try:
        names = [{inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(found.kind, "") + name
                 for name, found in inspect.signature(function).parameters.items()]
    except (TypeError, ValueError):  # compiled: use the first line of its documentation
        found = re.match(r"[\w.]+\((.*)\)", (function.__doc__ or "").strip().split("\n")[0])
        names = [name.split("=")[0].split()[-1] for name in re.sub(r"\[.*?\]|\(.*?\)", "", found[1]).split(",")
                 if name.strip()] if found else []
    return " ".join(name for name in names if name != "self")


def members():
    for name in MODULES:
        module = importlib.import_module(name)
        for member, value in sorted(vars(module).items()):
            if callable(value) and not isinstance(value, (type, types.ModuleType)):
                yield f"{name}.{member}", value
    for name in CLASSES:
        kind = getattr(importlib.import_module(name.rpartition(".")[0]), name.rpartition(".")[2])
        for member in dir(kind):
            if callable(value := getattr(kind, member)):
                yield f"{name}.{member}", value


def main():
    warnings.simplefilter("ignore")
    ufunc = importlib.import_module("cupy").ufunc
    for name, value in members():
        if not name.rpartition(".")[2].startswith("_"):
            print(f"{name}: {'ufunc' if isinstance(value, ufunc) else parameters(value)}".rstrip())


if __name__ == "__main__":
    main()
