# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles our kernels, which come from two kinds of files in bench/kernels: Tile IR in *.mlir, in which
`$name` stands for parameters of a case (types, tile extents), and cuTile in *.py, which PyPI's cuda-tile
exports as bytecode for the types and ranks of given arrays. `tilewright compile` makes shared libraries of
both on first use, and again if the text or the compiler has
changed.
"""

import functools
import hashlib
import importlib.util
import os
import pathlib
import string
import subprocess
from dataclasses import dataclass

import numpy as np

from .case import OURS, Contestant
from .libraries import BUILT, PROGRAMS, ROOT

SOURCES = ROOT / "bench/kernels"
# Options for all kernels, from kernel_speed.py --option; the processes that it starts get them here.
OPTIONS = [option for option in os.environ.get("BENCH_OPTIONS", "").split("\n") if option]


def ours(name: str, template: str, entry: str, grid, arguments: list, **values) -> Contestant:
    """Launches a Tile IR kernel; `arguments` are names of arrays, and integers."""
    def prepare(library, arrays):
        given = [arrays[a] if isinstance(a, str) else int(a) for a in arguments]
        return library.kernel(compiled(template, **values), entry, grid, given)
    return Contestant(name, "Tilewright", prepare, OURS)


@dataclass(frozen=True)
class Const:
    """An argument that is known at compile time."""
    value: object


@dataclass(frozen=True)
class Flat:
    """The name of an array that is passed as one-dimensional."""
    name: str


@dataclass
class Launch:
    """A cuTile kernel `file.function`; `arguments` are names of arrays, integers, Const, Flat."""
    kernel: str
    grid: tuple[int, ...]
    arguments: list


def cutile(name: str, *launches: Launch) -> Contestant:
    """Runs launches one after the other."""
    def prepare(library, arrays):
        calls = [prepare_launch(library, arrays, launch) for launch in launches]
        if len(calls) == 1:
            return calls[0]

        def all_calls():
            for call in calls:
                call()
        return all_calls
    return Contestant(name, "Tilewright", prepare, OURS)


def prepare_launch(library, arrays, launch: Launch):
    given = [resolved(a, arrays) for a in launch.arguments]
    slots = []
    for argument in given:
        if isinstance(argument, np.ndarray):  # address, extents, and strides in elements
            strides = [s // argument.itemsize for s in argument.strides]
            slots += [argument, *argument.shape, *strides]
        elif not isinstance(argument, Const):
            slots.append(argument)
    return library.kernel(compiled_cutile(launch.kernel, given), launch.kernel.split(".")[1],
                          launch.grid, slots)


def resolved(argument, arrays):
    if isinstance(argument, Flat):
        return arrays[argument.name].reshape(-1)
    return arrays[argument] if isinstance(argument, str) else argument


# --- Compiling ----------------------------------------------------------------------------

def compiled(template: str, **values) -> pathlib.Path:
    source = substituted(template, **values)
    described = "-".join([template, *(str(v) for v in values.values() if str(v).isalnum())])
    return build(described, source, ".mlir", lambda file: file.write_text(source))


def substituted(template: str, **values) -> str:
    text = string.Template((SOURCES / f"{template}.mlir").read_text())
    return text.substitute({name: str(value) for name, value in values.items()})


def compiled_cutile(kernel: str, arguments: list) -> pathlib.Path:
    module, function = kernel.split(".")
    signature = [described_argument(a) for a in arguments]
    constants = [str(a.value) for a in arguments if isinstance(a, Const)]
    source = repr(((SOURCES / f"{module}.py").read_text(), function, signature))

    def export(file: pathlib.Path) -> None:
        from cuda.tile import compilation
        kernels = load_module(module)
        convention = compilation.CallingConvention.cutile_python_v1()
        compilation.export_kernel(
            getattr(kernels, function),
            [compilation.KernelSignature([constraint(a) for a in arguments], convention, function)],
            str(file), output_format="tileir_bytecode", bytecode_version="13.3")
    described = "-".join([function, *(c for c in constants if c.isalnum())])
    return build(described, source, ".tileirbc", export)


def build(described: str, source: str, ending: str, write) -> pathlib.Path:
    compiler = PROGRAMS / "tilewright"
    state = compiler.stat()
    key = hashlib.sha256(repr((source, OPTIONS, str(compiler), state.st_mtime_ns)).encode())
    folder = BUILT / "kernels"
    target = folder / f"{described}-{key.hexdigest()[:16]}.so"
    if target.exists():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob(f"{described}-{'?' * 16}.*"):
        old.unlink(missing_ok=True)
    file = target.with_suffix(ending)
    write(file)
    unfinished = target.with_suffix(".part.so")
    result = subprocess.run([compiler, "compile", file, "-o", unfinished, *OPTIONS],
                            capture_output=True, text=True)
    if result.returncode != 0:
        raise RuntimeError(f"tilewright compile {file}: status {result.returncode}: "
                           f"{result.stderr.strip()}")
    unfinished.rename(target)
    return target


@functools.cache
def load_module(name: str):
    specification = importlib.util.spec_from_file_location(f"kernels_{name}", SOURCES / f"{name}.py")
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def described_argument(argument) -> tuple:
    if isinstance(argument, np.ndarray):
        return (str(argument.dtype), argument.ndim, divisors(argument))
    return ("const", argument.value) if isinstance(argument, Const) else ("i32",)


def divisors(array: np.ndarray) -> list[int]:
    """Assumes that strides are multiples of 16 bytes where they are, as cuTile itself does when it
    compiles for the arrays of a launch."""
    unit = max(1, 16 // array.itemsize)
    return [unit if s % (unit * array.itemsize) == 0 else 1 for s in array.strides[:-1]] + [1]


def constraint(argument):
    import cuda.tile as ct
    from cuda.tile import compilation
    if isinstance(argument, Const):
        return argument.value
    if not isinstance(argument, np.ndarray):
        return compilation.ScalarConstraint(ct.int32)
    outer = argument.ndim - 1
    return compilation.ArrayConstraint(
        getattr(ct, str(argument.dtype)), argument.ndim, index_dtype=ct.int32, stride_lower_bound_incl=0,
        alias_groups=(), may_alias_internally=False, stride_constant=[None] * outer + [1],
        stride_divisible_by=divisors(argument), base_addr_divisible_by=16)


# --- For the cases ------------------------------------------------------------------------

def blocks(extent: int, tile: int) -> int:
    return -(-extent // tile)


def power_of_two(extent: int) -> int:
    return 1 << (extent - 1).bit_length()


def as_f64(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float64)
