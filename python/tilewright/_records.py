# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is wrong with a program, and what a kernel did wrong: records and exceptions."""

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
    """A place in a source or in bytecode."""

    file: str
    """Empty if nothing is known."""
    line: int
    """From 1; 0 if there is no line."""
    column: int
    byte: int
    """The offset in a bytecode file; -1 if there is none."""

    def __str__(self) -> str:
        if self.line:
            return f"{self.file}:{self.line}:{self.column}"
        return self.file if self.byte < 0 else f"{self.file}: byte {self.byte:#x}"


@public
@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """What is wrong with a program."""

    severity: str
    """`error`, `warning` or `remark`."""
    message: str
    """One line, without place and severity."""
    place: Place

    def __str__(self) -> str:
        return f"{self.place}: {self.severity}: {self.message}"


@public
@dataclasses.dataclass(frozen=True)
class Finding:
    """What a kernel did wrong."""

    kind: str
    """`failed assert`, `misbehaviour`, `unspecified value`, `unsupported`, `step limit` or `deadlock`."""
    severity: str
    """`error` or `warning`."""
    message: str
    """One line."""
    text: str
    """The message with its place, and a line for each related operation."""
    place: Place
    rule: str
    """The check that it comes from: `race`, `bounds` and so on."""
    section: str
    """Of the specification, which requires it."""
    help: str
    """How to correct the kernel."""
    kernel: str
    block: tuple[int, int, int]
    """The tile block: x, y, z."""
    operation: str
    element: str
    """Which element of the tile: `[3]`."""
    array: str
    """`array x (4x8xf32)` or `arrays[1] (16xf32)` in a kernel of cuTile, otherwise `parameter 2
    (4x8xf32)`; of an access outside of all arrays, the nearest one; empty if it is about none."""
    array_element: int
    """The number of the element in the array's memory; -1 if it is in none."""

    def __str__(self) -> str:
        return _cells.named(self.text)


class ElementType(enum.IntEnum):
    """What an element is: twElementType of the C API."""

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
    """It takes an array; otherwise a number."""
    is_written: bool
    """The kernel may write to the array."""
    element: str
    """Of the array, or of the number: `f32`."""
    type: str
    """As Tile IR writes it: `!cuda_tile.tile<ptr<f32>>`."""
    name: str = ""
    """Of a kernel of cuTile: `x`, `x.shape[0]`, `x.strides[0]`. Otherwise empty."""

    def __str__(self) -> str:
        return self.type


def parameter(is_pointer: bool, is_written: bool, element: int, type: str,
              name: str) -> Parameter:
    return Parameter(is_pointer, is_written, ElementType(element).name, type, name)


# --- Exceptions ---------------------------------------------------------------------------------


@public
class TilewrightError(Exception):
    """What the exceptions of this package have in common: the message comes first. What else an
    exception holds is an argument, too, so that it can be pickled."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


@public
class InvalidProgramError(TilewrightError):
    """A program is malformed, breaks a rule of Tile IR, or does not fit a version."""

    def __init__(self, message: str, diagnostics: list[Diagnostic]):
        super().__init__(message, diagnostics)
        self.diagnostics = diagnostics


@public
class CompileError(TilewrightError):
    """A kernel cannot be compiled, or cannot run: too little memory, for instance."""


@public
class KernelError(TilewrightError):
    """A kernel did something wrong. `findings` says what, where and in which tile block."""

    def __init__(self, message: str, findings: list[Finding]):
        super().__init__(message, findings)
        self.findings = findings


@public
class KernelAssertionError(KernelError, AssertionError):
    """An assertion of a kernel does not hold."""


@public
class LaunchCancelled(TilewrightError):
    """A launch ended before all of its tile blocks had run."""


@public
class TilewrightWarning(UserWarning):
    """A warning about a program or a launch."""


# The C API says which of its functions was called wrongly.
_FUNCTION_OF_C = re.compile(r"^tw[A-Z]\w*: ")
_SUCCESS, _INVALID, _USAGE, _MISBEHAVED, _FAILED, _CANCELLED, _FILE = range(7)


watchers = []
"""Called with the findings of each launch that went wrong, before the exception."""


def report(status: int, text: str, diagnostics: list[Diagnostic],
           findings: list[Finding] | None) -> None:
    """Raises what a twStatus stands for; warns of what a success reports."""
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
    elif not findings:
        raise CompileError(text)
    else:
        for watch in watchers:
            watch(findings)
        is_assertion = any(finding.kind == "failed assert" for finding in findings)
        kind = KernelAssertionError if is_assertion else KernelError
        raise kind(_with_help(text, findings), findings)


def _with_help(text: str, findings: list[Finding] | None) -> str:
    """And a line for each check that found something: what to do about it. Of an assertion, its
    own message has to say that."""
    help = {finding.rule: finding.help for finding in findings or []
            if finding.help and finding.kind != "failed assert"}
    return "\n".join([text, *(f"help: {rule}: {advice}" for rule, advice in help.items())])
