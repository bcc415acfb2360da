# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs and their entries."""

from __future__ import annotations

import collections.abc
import os

from tilewright import _native
from tilewright._native import Kernel
from tilewright._public import public
from tilewright._records import InvalidProgramError, Parameter

Version = tuple[int, int]


@public
def load(source: str | bytes | os.PathLike, *, name: str | None = None, strict: bool = False,
         cache: str | os.PathLike | None = None) -> Module:
    """Reads and verifies a program.

    `source`: a path, the bytes of a file (text or bytecode), or a text: a str with a line break or
    a `{` in it. `name`: what diagnostics call a program that is no file. `strict`: it must also
    keep the rules that only the prose of the specification states. `cache`: the folder for compiled
    kernels; an empty one keeps none; without one $TILEWRIGHT_CACHE_DIR, $XDG_CACHE_HOME/tilewright
    or ~/.cache/tilewright.

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
    """A verified program: a mapping from the names of its entries to `Entry`. It never changes."""

    def __init__(self, native: _native.Module):
        self._native = native
        self._entries = {name: Entry(native, name, tuple(parameters))
                         for name, parameters in native.entries()}

    def __getitem__(self, name: str) -> Entry:
        entry = self._entries.get(name.removeprefix("@")) if isinstance(name, str) else None
        if entry is None:
            there = ", ".join(self._entries) or "none"
            raise KeyError(f"the module has no entry {name}; there is: {there}")
        return entry

    def __iter__(self):
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    @property
    def text(self) -> str:
        """The program as text, which `load` reads."""
        return self._native.text(False, False)

    @property
    def file_version(self) -> Version | None:
        """The version that the bytecode states which the module was read from; None for text."""
        return self._native.file_version

    @property
    def lowest_version(self) -> Version:
        """The oldest version of Tile IR that can hold the module."""
        return self._native.lowest_version

    def to_text(self, *, generic: bool = False, locations: bool = False) -> str:
        """The program as text: with the generic form of every operation, with locations."""
        return self._native.text(generic, locations)

    def bytecode(self, version: Version | None = None) -> bytes:
        """The program as bytecode of this version, as (13, 3); without one, of the file's, or the
        lowest that can hold it. Raises InvalidProgramError if the version cannot."""
        return self._native.bytecode(_checked(version))

    def verify(self, *, strict: bool = True, version: Version | None = None) -> None:
        """Checks what reading did not: the rules of the prose, and that `version` can hold the
        module. Raises InvalidProgramError with a diagnostic for each place."""
        self._native.verify(strict, _checked(version))

    def __repr__(self) -> str:
        return f"<tilewright.Module with {', '.join(map(repr, self._entries.values())) or 'no entry'}>"


def _checked(version) -> Version | None:
    if version is not None and not (isinstance(version, tuple) and len(version) == 2
                                    and all(isinstance(part, int) for part in version)):
        raise TypeError(f"a version is a pair as (13, 3), but is {version!r}")
    return version


@public
class Entry:
    """What can be launched, with its parameters."""

    def __init__(self, module: _native.Module, name: str, parameters: tuple[Parameter, ...]):
        self._module = module
        self.name = name
        self.parameters = parameters

    def compile(self, device: str | None = None, *, check: str | bool | None = None,
                threads: int = 0, target: str | None = None, optimization: int = 2,
                debug_info: bool = False, seed: int | None = None, max_steps: int = 0,
                reverse: bool = False, counters: bool = False) -> Kernel:
        """Compiles it, or takes it from the cache, or prepares it for a machine that checks it.

        `device`: "cpu"; "reference": the machine that executes what the specification says and
        reports what a kernel does wrong; or "ptx": the machine that executes code for a GPU and
        checks it. Without one: "reference" if anything is checked or there is a seed. `check`: of
        the machines; True or "all", False or "none", or a list as "race,bounds" or "no-race".
        `seed`: of a random order of what nothing orders, on a machine; None: the order of the
        blocks or threads. `max_steps`: operations or PTX instructions that a launch may execute;
        0: $TILEWRIGHT_MAX_STEPS, or 1,000,000,000.
        `threads`: of compiled code and the PTX machine, at most 1024; 0: $TILEWRIGHT_THREADS, or
        all. `target`: a processor, or a GPU as "sm_90a" for "ptx"; None: this processor, or
        sm_90a. `optimization` (0 to 3), `debug_info`: as `tilewright compile --help` says.
        `reverse`: threads of the PTX machine run from the last one to the first. `counters`: a
        launch on it returns what costs time on a GPU, a dict (docs/nvidia-costs.md); the
        assumptions of the kernel are not checked then.

        Raises CompileError, or ValueError for options.
        """
        settings = compile_settings(device, check, threads, target, optimization, debug_info, seed,
                                    max_steps, reverse, counters)
        return self._module.compile(self.name, settings)

    def __repr__(self) -> str:
        return f"@{self.name}({', '.join(map(str, self.parameters))})"


DEVICES = ("cpu", "reference", "ptx")
"""In the order of twDevice."""


def compile_settings(device, check, threads=0, target=None, optimization=2, debug_info=False,
                     seed=None, max_steps=0, reverse=False, counters=False) -> _native.CompileSettings:
    """Checks the options of `Entry.compile`."""
    if device is None:
        device = "cpu" if check in (None, False, "none") and seed is None else "reference"
    if device not in DEVICES:
        raise ValueError(f"device must be 'cpu', 'reference' or 'ptx', but is {device!r}")
    if device != "ptx" and (reverse or counters):
        name = "reverse" if reverse else "counters"
        raise ValueError(f"only the PTX machine has {name}: it needs device='ptx'")
    if reverse and seed is not None:
        raise ValueError("reverse and seed exclude each other")
    if not isinstance(check, (str, bool, type(None))):
        raise TypeError(f"check must be a bool, or a str as 'race,bounds', but is {check!r}")
    if seed is not None and not 0 <= seed < 1 << 64:
        raise ValueError(f"seed must be in 0..2**64-1, but is {seed}")
    if device == "cpu" and check not in (None, False, "none"):
        raise ValueError("compiled code is not checked: check needs device='reference' or 'ptx'")
    if max_steps < 0:
        raise ValueError(f"max_steps must not be negative, but is {max_steps}")
    if device == "cpu" and max_steps:
        raise ValueError("compiled code counts no steps: max_steps needs device='reference' or 'ptx'")
    if not 0 <= optimization <= 3:
        raise ValueError(f"optimization must be in 0..3, but is {optimization}")
    if not 0 <= threads <= 1024:
        raise ValueError(f"threads must be in 0..1024, but are {threads}")
    checks = {None: "all", True: "all", False: "none"}.get(check, check)
    return _native.CompileSettings(device, target or "", optimization, debug_info, checks, seed,
                                   max_steps, threads, reverse, counters)


__all__ = ["load", "Module", "Entry", "Kernel", "InvalidProgramError"]
