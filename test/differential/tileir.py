# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generated programs, and their text.

A program is a tree of operations. An operation is a line of text with placeholders: `$0` is the name of
its first operand, `$t0` that operand's type, `$r0` the type of its first result, `$a0` and `$u0` name
and type of the first argument of its regions, `$P` the program's prefix. The meaning of operations is
not needed here, so that the shrinker can remove any of them, and several programs can follow one another
in one entry.
"""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Union

import numpy as np

from checks import Check

# --- Types ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tile:
    element: str  # of a number, `i4`, or `ptr<E>`
    shape: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"tile<{'x'.join([*map(str, self.shape), self.element])}>"

    @property
    def count(self) -> int:
        return math.prod(self.shape)

    @property
    def pointee(self) -> str | None:
        return self.element[4:-1] if self.element.startswith("ptr<") else None

    def of(self, element: str) -> "Tile":
        return Tile(element, self.shape)

    def shaped(self, *shape: int) -> "Tile":
        return Tile(self.element, shape)

    def with_extent(self, old: int, new: int) -> "Tile":
        return Tile(self.element, tuple(new if e == old else e for e in self.shape))


@dataclass(frozen=True)
class Tensor:
    """A tensor view; None stands for extents and strides that are known only at launch."""

    element: str
    extents: tuple[int | None, ...]
    strides: tuple[int | None, ...]
    is_multicast: bool = False

    def __str__(self) -> str:
        extents = "x".join([*("?" if e is None else str(e) for e in self.extents), self.element])
        memory = ", #cuda_tile.ptr_attr<multicast>" if self.is_multicast else ""
        if not self.extents:
            return f"tensor_view<{extents}{memory}>"
        strides = ",".join("?" if s is None else str(s) for s in self.strides)
        return f"tensor_view<{extents}, strides=[{strides}]{memory}>"

    def with_extent(self, old: int, new: int) -> "Tensor":
        return self


@dataclass(frozen=True)
class View:
    """One of the three kinds of tile views."""

    kind: str
    shape: tuple[int, ...]
    tensor: Tensor
    steps: tuple[int, ...] = ()  # for a strided view
    padding: str | None = None
    dim_map: tuple[int, ...] | None = None
    sparse: int = 0  # for a gather/scatter view

    def __str__(self) -> str:
        fields = [f"tile=({'x'.join(map(str, self.shape))})"]
        if self.kind == "strided_view":
            fields.append(f"traversal_strides=[{','.join(map(str, self.steps))}]")
        if self.padding:
            fields.append(f"padding_value = {self.padding}")
        fields.append(str(self.tensor))
        if self.kind == "gather_scatter_view":
            fields.append(f"sparse_dim={self.sparse}")
        elif self.dim_map is not None:
            fields.append(f"dim_map={list(self.dim_map)}")
        return f"{self.kind}<{', '.join(fields)}>"

    @property
    def tile(self) -> Tile:
        return Tile(self.tensor.element, self.shape)

    def with_extent(self, old: int, new: int) -> "View":
        return replace(self, shape=tuple(new if e == old else e for e in self.shape))


class Token:
    def __str__(self) -> str:
        return "token"

    def with_extent(self, old: int, new: int) -> "Token":
        return self


TOKEN = Token()
Type = Union[Tile, Tensor, View, Token]

# --- Values and operations ----------------------------------------------------------------------


@dataclass(eq=False)
class Value:
    type: Type
    any_nan: bool = False  # NaNs may have any bits
    holed: bool = False  # elements outside of a ragged tensor are undefined
    # For a view: the dimensions in which no index moves a tile outside the tensor.
    inside: tuple[bool, ...] = ()

    @property
    def element(self) -> str:
        return self.type.element

    @property
    def shape(self) -> tuple[int, ...]:
        return self.type.shape


@dataclass(eq=False)
class Region:
    arguments: list[Value] = field(default_factory=list)
    ops: list["Op"] = field(default_factory=list)


@dataclass(eq=False)
class Op:
    text: str
    operands: list[Value] = field(default_factory=list)
    results: list[Value] = field(default_factory=list)
    regions: list[Region] = field(default_factory=list)
    literal: np.ndarray | None = None  # elements of a constant that is not a splat, `$L`
    settled: bool = False  # the shrinker must not change it

    @property
    def mnemonic(self) -> str:
        return self.text.split(" ", 1)[0]


@dataclass(eq=False)
class Parameter:
    """A parameter of the entry: a scalar, or a pointer to an array."""

    value: Value
    element: str
    content: np.ndarray  # initial patterns
    check: Check | None = None  # compares the final contents of an array
    scalar: bool = False


@dataclass(eq=False)
class Program:
    seed: str
    number: int
    grid: tuple[int, ...]
    parameters: list[Parameter] = field(default_factory=list)
    globals: list[str] = field(default_factory=list)  # text with $P
    body: Region = field(default_factory=Region)

    @property
    def name(self) -> str:
        return f"{self.seed}:{self.number}"

    @property
    def outputs(self) -> list[Parameter]:
        return [p for p in self.parameters if p.check]


def walk(region: Region) -> Iterator[Op]:
    """All operations, outer ones before those in their regions."""
    for op in region.ops:
        yield op
        for inner in op.regions:
            yield from walk(inner)


# --- Writing ------------------------------------------------------------------------------------


def module_text(programs: list[Program], entries: bool = False) -> str:
    """A module with one entry that contains all programs one after the other, or with one entry
    per program."""
    writers = [Writer(program, f"p{k}_" if len(programs) > 1 else "")
               for k, program in enumerate(programs)]
    lines = ["cuda_tile.module @differential {"]
    for w in writers:
        lines += [f"  {text.replace('$P', w.prefix)}" for text in w.program.globals]
    groups = [[w] for w in writers] if entries else [writers]
    for number, group in enumerate(groups):
        parameters = ", ".join(text for w in group for text in w.parameters())
        lines.append(f"  entry @{entry_name(number)}({parameters}) {{")
        for w in group:
            if len(programs) > 1:
                lines.append(f"    // program {w.program.name}")
            w.region(w.program.body, "    ", lines)
        lines.append("  }")
    return "\n".join([*lines, "}", ""])


def entry_name(number: int) -> str:
    return f"k{number}"


class Writer:
    GAP = re.compile(r"\$([truaPL])?(\d*)")

    def __init__(self, program: Program, prefix: str) -> None:
        self.program = program
        self.prefix = prefix
        self.names: dict[Value, str] = {}

    def name(self, value: Value) -> str:
        known = self.names.get(value)
        if known is None:
            known = self.names[value] = f"%{self.prefix}{len(self.names)}"
        return known

    def parameters(self) -> list[str]:
        for index, p in enumerate(self.program.parameters):
            self.names[p.value] = f"%{self.prefix}a{index}"
        return [f"{self.names[p.value]}: {p.value.type}" for p in self.program.parameters]

    def region(self, region: Region, indent: str, lines: list[str]) -> None:
        for op in region.ops:
            head = self.fill(op)
            if op.results:
                head = f"{', '.join(map(self.name, op.results))} = {head}"
            for index, inner in enumerate(op.regions):
                lines.append(f"{indent}{head if index == 0 else '} else'} {{")
                self.region(inner, indent + "  ", lines)
            lines.append(f"{indent}}}" if op.regions else f"{indent}{head}")

    def fill(self, op: Op) -> str:
        arguments = [a for region in op.regions[:1] for a in region.arguments]

        def gap(match: re.Match) -> str:
            kind, index = match[1], int(match[2] or 0)
            if kind is None:
                return self.name(op.operands[index])
            if kind == "t":
                return str(op.operands[index].type)
            if kind == "r":
                return str(op.results[index].type)
            if kind == "a":
                return self.name(arguments[index])
            if kind == "u":
                return str(arguments[index].type)
            return self.prefix if kind == "P" else literal_text(op)
        return self.GAP.sub(gap, op.text)


def literal_text(op: Op) -> str:
    """Nested brackets, cut to the current extents of the result."""
    kept = op.literal[tuple(slice(0, e) for e in op.results[0].shape)]

    def nest(part) -> str:
        return f"[{', '.join(map(nest, part))}]" if isinstance(part, list) else part
    return nest(kept.tolist())
