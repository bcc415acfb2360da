# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Diagnostics, findings and parameters, and the exceptions that report them."""

from __future__ import annotations

import dataclasses
import enum
import re
import warnings

from tilewright import _cells
from tilewright._public import public


@public
@dataclasses.dataclass(frozen=True)
class Place:
    """A position in a source file or in bytecode."""

    file: str
    """Empty if unknown."""
    line: int
    """Counted from 1; 0 if unknown."""
    column: int
    """Counted from 1; 0 if unknown."""
    byte: int
    """The offset in a bytecode file; -1 if unknown."""

    def __str__(self) -> str:
        if self.line:
            return f"{self.file}:{self.line}:{self.column}"
        return self.file if self.byte < 0 else f"{self.file}: byte {self.byte:#x}"


@public
@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """An error, warning or remark about a program."""

    severity: str
    """`error`, `warning` or `remark`."""
    message: str
    """One line, without position and severity."""
    place: Place
    """Where in the program."""

    def __str__(self) -> str:
        return f"{self.place}: {self.severity}: {self.message}"


@public
@dataclasses.dataclass(frozen=True)
class Finding:
    """An error that a kernel made during a launch."""

    kind: str
    """`failed assert`, `misbehaviour`, `unspecified value`, `suspicious value`, `unsupported`, `step limit` or
    `deadlock`."""
    severity: str
    """`error` or `warning`."""
    message: str
    """One line."""
    text: str
    """The message with its position, and a line for each related operation."""
    place: Place
    """The operation's source line."""
    rule: str
    """The check that reported it: `race`, `bounds` and so on."""
    section: str
    """The section of the specification that was violated."""
    help: str
    """How to correct the kernel."""
    kernel: str
    """The name of the entry."""
    block: tuple[int, int, int]
    """The tile block: (x, y, z)."""
    operation: str
    """Its mnemonic: `load_view_tko`."""
    element: str
    """The element of the tile: `[3]`."""
    array: str
    """`array x (4x8xf32)` or `arrays[1] (16xf32)` in a cuTile kernel, otherwise `parameter 2
    (4x8xf32)`. For an access outside all arrays, the nearest one; empty if no array is involved."""
    array_element: int
    """The index of the element in the array's memory; -1 if there is none."""
    schedule: str
    """If it happened in another schedule than that of the launch: `replay:1:3,0`, which the option
    `schedule` of `Entry.compile` repeats. Empty otherwise."""

    def __str__(self) -> str:
        return _cells.named(self.text)


class ElementType(enum.IntEnum):
    """An element type: twElementType of the C API."""

    none = 0
    i1 = 1
    i8 = 2
    i16 = 3
    i32 = 4
    i64 = 5
    f16 = 6
    bf16 = 7
    tf32 = 8
    f32 = 9
    f64 = 10
    f8E4M3FN = 11
    f8E5M2 = 12
    f8E8M0FNU = 13
    f4E2M1FN = 14
    f8E5M3FNU = 16


@public
@dataclasses.dataclass(frozen=True)
class Parameter:
    """A parameter of an entry."""

    is_pointer: bool
    """True for an array, False for a number."""
    is_written: bool
    """Whether the kernel may write to the array."""
    element: str
    """The element type of the array, or the type of the number: `f32`."""
    type: str
    """In Tile IR's syntax: `!cuda_tile.tile<ptr<f32>>`."""
    name: str = ""
    """In a cuTile kernel: `x`, `x.shape[0]`, `x.strides[0]`. Otherwise empty."""

    def __str__(self) -> str:
        return self.type


def parameter(is_pointer: bool, is_written: bool, element: int, type: str,
              name: str) -> Parameter:
    return Parameter(is_pointer, is_written, ElementType(element).name, type, name)


@public
@dataclasses.dataclass(frozen=True)
class CompiledKernel:
    """What a launch of a compiled kernel must know."""

    name: str
    """The name of the entry."""
    threads: int
    """Of a CTA on a GPU. 0 on CPUs, and at the stage `tile`."""
    shared_bytes: int
    """Static shared memory of a CTA on a GPU; otherwise 0."""


@public
@dataclasses.dataclass(frozen=True)
class ChangedElement:
    """An element of an array or global variable, and its value at the end of an execution."""

    array: str
    """As in a `Finding`: `parameter 1 (1xi32)`."""
    element: int
    """The index of the element in the array's memory."""
    type: str
    """Its element type: `i32`; `none` for a pointer."""
    value: int | float | bool | None
    """Integers are signed, and a pointer is an address. None if the value is undefined."""

    def __str__(self) -> str:
        return f"{self.array}[{self.element}] = {self.value}"


@public
@dataclasses.dataclass(frozen=True)
class Exploration:
    """All executions of a kernel that the memory model allows: what a launch returns if the kernel was
    compiled with `exhaustive`."""

    executions: int
    """How many executions run to their end without a race."""
    outcomes: list[list[ChangedElement]]
    """The distinct outcomes. Each lists the elements whose values have changed, ordered by array and
    element."""
    limit: str | None
    """Why not all executions were explored; None if they were."""

    def __str__(self) -> str:
        lines = [f"{self.executions} executions, {len(self.outcomes)} outcomes"]
        for number, outcome in enumerate(self.outcomes, 1):
            lines.append(f"outcome {number}: " + ("; ".join(map(str, outcome)) or "nothing has changed"))
        return "\n".join(lines)


def changed_element(array: str, element: int, type: int, is_undefined: bool,
                    bits: int) -> ChangedElement:
    """Converts a twChangedElement of the C API."""
    from tilewright import _arrays
    value = None if is_undefined else _arrays.number_of(bits, type)
    return ChangedElement(array, element, ElementType(type).name, value)


@public
@dataclasses.dataclass(frozen=True)
class TraceRecord:
    """An operation that a tile block executed, or on the PTX machine, an instruction that a thread
    executed."""

    place: Place
    """The source line; on the PTX machine, a place in the PTX text."""
    block: tuple[int, int, int]
    """The tile block: (x, y, z)."""
    thread: int
    """On the PTX machine: the number of the thread in its block; otherwise -1."""
    operation: str
    """`addf`, or `ld.global.f32` on the PTX machine; `entry` when a tile block starts or ends."""
    text: str
    """The line that `tilewright run --trace` prints: place, operands, results, and accessed elements."""

    def __str__(self) -> str:
        return _cells.named(self.text)


# --- Exceptions ---------------------------------------------------------------------------------


@public
class TilewrightError(Exception):
    """The base class of this package's exceptions. The message is the first of `args`; the remaining
    ones hold the exception's other data, so that it can be pickled."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


@public
class InvalidProgramError(TilewrightError):
    """A program is malformed, violates a rule of Tile IR, or cannot be represented in a version."""

    def __init__(self, message: str, diagnostics: list[Diagnostic]):
        super().__init__(message, diagnostics)
        self.diagnostics = diagnostics
        """What is wrong with the program."""


@public
class CompileError(TilewrightError):
    """A kernel cannot be compiled or cannot run, for example because memory is exhausted."""


@public
class KernelError(TilewrightError):
    """A kernel made an error. `findings` says what happened, where, and in which tile block."""

    def __init__(self, message: str, findings: list[Finding]):
        super().__init__(message, findings)
        self.findings = findings
        """What the kernel did wrong."""


@public
class KernelAssertionError(KernelError, AssertionError):
    """An assertion in a kernel failed."""


@public
class IncompleteExplorationError(TilewrightError):
    """A limit ended the exploration of a kernel's executions. `exploration` holds what was found."""

    def __init__(self, message: str, exploration: Exploration):
        super().__init__(message, exploration)
        self.exploration = exploration
        """The executions that were explored; its `limit` says what ended the exploration."""


@public
class LaunchCancelled(TilewrightError):
    """A launch ended before all of its tile blocks had run."""


@public
class TilewrightWarning(UserWarning):
    """A warning about a program or a launch."""


# The C API prefixes messages about wrong usage with the name of the function.
_FUNCTION_OF_C = re.compile(r"^tw[A-Z]\w*: ")
_SUCCESS, _INVALID, _USAGE, _MISBEHAVED, _FAILED, _CANCELLED, _FILE = range(7)


watchers = []
"""Called with the findings of each failed launch, before the exception is raised."""


def report(status: int, text: str, diagnostics: list[Diagnostic], findings: list[Finding] | None,
           exploration: Exploration | None) -> None:
    """Raises the exception for a twStatus; issues a warning if a success has a report."""
    __tracebackhide__ = True  # pytest shows the test that launched
    from tilewright import _help
    text, findings = text.rstrip("\n"), _help.in_words_of_cutile(findings)
    if status == _SUCCESS:
        if text:
            from tilewright.cutile import _source
            text = _source.with_lines(_with_help(text, findings), only_scripts=True)
            warnings.warn(_cells.named(text), TilewrightWarning, stacklevel=3)
    elif status == _INVALID:
        raise InvalidProgramError(text, diagnostics)
    elif status == _USAGE:
        raise ValueError(_FUNCTION_OF_C.sub("", text))
    elif status == _FILE:
        raise OSError(text)
    elif status == _CANCELLED:
        raise LaunchCancelled(text)
    elif exploration and exploration.limit and all(found.severity == "warning" for found in findings):
        raise IncompleteExplorationError(text, exploration)
    elif not findings:
        raise CompileError(text)
    else:
        for watch in watchers:
            watch(findings)
        is_assertion = any(finding.kind == "failed assert" for finding in findings)
        kind = KernelAssertionError if is_assertion else KernelError
        raise kind(_with_help(text, findings), findings)


def _with_help(text: str, findings: list[Finding] | None) -> str:
    """Appends the help text of each check that reported something. Failed assertions have none: their own
    message must explain them."""
    help = {finding.rule: finding.help for finding in findings or []
            if finding.help and finding.kind != "failed assert"}
    return "\n".join([text, *(f"help: {rule}: {advice}" for rule, advice in help.items())])
