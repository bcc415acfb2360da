# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs and their entries."""

from __future__ import annotations

import collections.abc
import os

from tilewright import _code, _native
from tilewright._native import Kernel
from tilewright._public import public
from tilewright._records import InvalidProgramError, Parameter

Version = tuple[int, int]


@public
def load(source: str | bytes | os.PathLike, *, name: str | None = None, strict: bool = False,
         cache: str | os.PathLike | None = None) -> Module:
    """Reads and verifies a program.

    `source`: a path, the bytes of a file (text or bytecode), or a text: a str that contains a line break
    or a `{`. `name`: the name in diagnostics of a program that is not a file. `strict`: also check the
    rules that only the specification's prose states. `cache`: the folder for compiled kernels; an
    empty name disables the cache; by default $TILEWRIGHT_CACHE_DIR, $XDG_CACHE_HOME/tilewright or
    ~/.cache/tilewright.

    Raises InvalidProgramError with diagnostics, or OSError.
    """
    cache = None if cache is None else os.fspath(cache)
    if isinstance(source, str) and ("\n" in source or "{" in source):
        source = source.encode()
    if isinstance(source, (bytes, bytearray, memoryview)):
        return Module(_native.Module.read(bytes(source), name or "<memory>", strict, cache))
    path = os.fspath(source)
    if not os.path.exists(path):
        raise FileNotFoundError(f"{path or repr(path)} does not exist")
    return Module(_native.Module.read_file(path, strict, cache))


@public
class Module(collections.abc.Mapping):
    """A verified program: an immutable mapping from entry names to `Entry`."""

    def __init__(self, native: _native.Module):
        self._native = native
        self._entries = {name: Entry(native, name, tuple(parameters))
                         for name, parameters in native.entries()}

    def __getitem__(self, name: str) -> Entry:
        entry = self._entries.get(name.removeprefix("@")) if isinstance(name, str) else None
        if entry is None:
            there = ", ".join(self._entries) or "none"
            raise KeyError(f"the module has no entry {name}; its entries are: {there}")
        return entry

    def __iter__(self):
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def text(self) -> str:
        """The program as text that `load` can read."""
        return self._native.text(False, False)

    @property
    def file_version(self) -> Version | None:
        """The version stated in the bytecode that the module was read from; None for text."""
        return self._native.file_version

    @property
    def lowest_version(self) -> Version:
        """The oldest Tile IR version that can represent the module."""
        return self._native.lowest_version

    def to_text(self, *, generic: bool = False, locations: bool = False) -> str:
        """The program as text, optionally with the generic form of every operation, or with locations."""
        return self._native.text(generic, locations)

    def bytecode(self, version: Version | None = None) -> bytes:
        """The program as bytecode of this version, such as (13, 3). By default, the version of the file,
        or the lowest possible one. Raises InvalidProgramError if the version cannot represent it."""
        return self._native.bytecode(_checked(version))

    def verify(self, *, strict: bool = True, version: Version | None = None) -> None:
        """Checks what reading does not check: the rules that only the specification's prose states, and
        that `version` can represent the module. Raises InvalidProgramError with a diagnostic for each."""
        self._native.verify(strict, _checked(version))

    def compile(self, stage: str | None = None, *, target: str = "native", optimization: int = 2,
                debug_info: bool = False) -> _code.Code:
        """Compiles the module to text or bytes.

        `target`: a processor, such as "x86-64-v3", or a GPU, such as "sm_90a". `stage`: as
        `tilewright compile --emit`: "tile", "plan", "llvm"; for CPUs also "loops", "asm", "obj", "so";
        for GPUs also "threads", "ptx", and "cubin", which needs NVIDIA's ptxas. None: "asm" or "ptx".
        `optimization`: 0 to 3. `debug_info`: for debuggers, only on CPUs.

        Raises CompileError, or ValueError for invalid options.
        """
        return _code.compile_module(self._native, stage, target, optimization, debug_info)

    def __repr__(self) -> str:
        return f"<tilewright.Module with {', '.join(map(repr, self._entries.values())) or 'no entry'}>"


def _checked(version) -> Version | None:
    if version is not None and not (isinstance(version, tuple) and len(version) == 2
                                    and all(isinstance(part, int) for part in version)):
        raise TypeError(f"a version must be a pair such as (13, 3), but is {version!r}")
    return version


@public
class Entry:
    """An entry of a module, which can be compiled and launched, and its parameters."""

    def __init__(self, module: _native.Module, name: str, parameters: tuple[Parameter, ...]):
        self._module = module
        self.name = name
        """Without the `@`."""
        self.parameters = parameters
        """What a launch passes, in order."""

    def compile(self, device: str | None = None, *, check: str | bool | None = None,
                threads: int = 0, target: str | None = None, optimization: int = 2,
                debug_info: bool = False, seed: int | None = None, max_steps: int = 0,
                reverse: bool = False, counters: bool = False, exhaustive: bool = False,
                exact_mma: bool = False, schedule: str | None = None) -> Kernel:
        """Prepares the entry for a device: compiles it (or loads it from the compile cache), or prepares it
        for a checking machine.

        `device`: "cpu"; "reference", the machine that executes the specification and reports errors
        of the kernel; "ptx", the machine that executes and checks code for a GPU; or "gpu", the
        NVIDIA GPU of this machine, where arrays in its memory are used in place, and others are
        copied there, and back if the launch succeeds. By default "reference" if anything is checked, or
        with `seed`, `exhaustive`, `exact_mma` or `schedule`, else "cpu". `check`: the checks of the machine: True or
        "all", False or "none", or a list such as "race,bounds" or "no-race".
        `seed`: makes a machine run unordered operations in a random legal order; None: in the order
        of the blocks or threads. `max_steps`: the limit of operations or PTX instructions that it
        executes; 0: $TILEWRIGHT_MAX_STEPS, or 1,000,000,000.
        `threads`: the threads of compiled code and of the PTX machine, at most 1024;
        0: $TILEWRIGHT_THREADS, or all. `target`: a processor, or for "ptx" and "gpu" a GPU such as
        "sm_90a"; None: this processor, sm_90a, or the GPU of this machine. `optimization` (0 to 3),
        `debug_info`: see `tilewright compile --help`.
        `reverse`: the PTX machine runs threads from the last one to the first. `counters`: a launch
        on it returns its memory and instruction counts as a dict (docs/nvidia-costs.md); the kernel's
        assumptions are not checked then.
        `exhaustive`: a launch on the reference machine explores all executions that the memory model
        allows, of a small kernel, and returns an `Exploration`. It leaves the arrays as they are, and
        raises IncompleteExplorationError if a limit ends it. `exact_mma`: the reference machine sums
        matrix products exactly and rounds once, instead of after each fused multiply-add. `schedule`:
        the reference machine repeats the schedule of a `Finding`.

        Raises CompileError, or ValueError for invalid options.
        """
        settings = compile_settings(device, check, threads, target, optimization, debug_info, seed,
                                    max_steps, reverse, counters, exhaustive, exact_mma, schedule)
        return self._module.compile(self.name, settings)

    def __repr__(self) -> str:
        return f"@{self.name}({', '.join(map(str, self.parameters))})"


@public
class Multicast:
    """An argument for a pointer: one address that stands for several arrays of one dtype and size, which
    the kernel's multimem operations read and write together. Other operations must not use the address.
    Only for kernels on "cpu" and "reference". Each array may also be an argument of its own."""

    def __init__(self, arrays):
        self.arrays = list(arrays)
        """The arrays, in the order in which reductions combine them."""
        if not self.arrays:
            raise ValueError("multicast memory stands for at least one array, but there is none")

    def __repr__(self) -> str:
        return f"Multicast({self.arrays!r})"


DEVICES = ("cpu", "reference", "ptx", "gpu")
"""In the order of twDevice."""


def compile_settings(device, check, threads=0, target=None, optimization=2, debug_info=False,
                     seed=None, max_steps=0, reverse=False, counters=False,
                     exhaustive=False, exact_mma=False, schedule=None) -> _native.CompileSettings:
    """Checks the options of `Entry.compile`."""
    if device is None:
        is_plain = check in (None, False, "none") and seed is None and not (
            exhaustive or exact_mma or schedule)
        device = "cpu" if is_plain else "reference"
    if device not in DEVICES:
        raise ValueError(f"device must be 'cpu', 'reference', 'ptx' or 'gpu', but is {device!r}")
    if device != "ptx" and (reverse or counters):
        name = "reverse" if reverse else "counters"
        raise ValueError(f"{name} needs device='ptx'")
    if reverse and seed is not None:
        raise ValueError("reverse and seed exclude each other")
    if device != "reference" and (exhaustive or exact_mma or schedule):
        name = "exhaustive" if exhaustive else "exact_mma" if exact_mma else "schedule"
        raise ValueError(f"{name} needs device='reference'")
    if exhaustive and seed is not None:
        raise ValueError("exhaustive and seed exclude each other")
    if schedule and (exhaustive or seed is not None):
        raise ValueError("schedule excludes exhaustive and seed")
    if not isinstance(check, (str, bool, type(None))):
        raise TypeError(f"check must be a bool, or a str such as 'race,bounds', but is {check!r}")
    if seed is not None and not 0 <= seed < 1 << 64:
        raise ValueError(f"seed must be in 0..2**64-1, but is {seed}")
    if device in ("cpu", "gpu") and check not in (None, False, "none"):
        raise ValueError("compiled code is not checked: check needs device='reference' or 'ptx'")
    if max_steps < 0:
        raise ValueError(f"max_steps must not be negative, but is {max_steps}")
    if device == "gpu" and seed is not None:
        raise ValueError("a GPU has no seed: seed needs device='reference' or 'ptx'")
    if device in ("cpu", "gpu") and max_steps:
        raise ValueError("compiled code counts no steps: max_steps needs device='reference' or 'ptx'")
    if not 0 <= optimization <= 3:
        raise ValueError(f"optimization must be in 0..3, but is {optimization}")
    if not 0 <= threads <= 1024:
        raise ValueError(f"threads must be in 0..1024, but is {threads}")
    checks = {None: "all", True: "all", False: "none"}.get(check, check)
    return _native.CompileSettings(device, target or "", optimization, debug_info, checks, seed,
                                   max_steps, threads, reverse, counters, exhaustive,
                                   exact_mma, schedule or "")


__all__ = ["load", "Module", "Entry", "Kernel", "Multicast", "InvalidProgramError"]
