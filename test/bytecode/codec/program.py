# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The contents of a bytecode file, independent of their encoding. Types, attributes and debug
information are immutable and compared by value; values are objects, so that a use refers to its
definition, and numbers exist only in files. Strings are bytes, enum values are names.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

DYNAMIC = -(1 << 63)  # an extent or stride of a tensor_view (bytecode format, 4)


# --- Types (bytecode format, 4) -----------------------------------------------------------


class Type:
    """Base class of all types."""


@dataclass(frozen=True)
class Scalar(Type):
    """An element type, or `token`."""

    name: str


@dataclass(frozen=True)
class Pointer(Type):
    pointee: Type
    attribute: str | None = None


@dataclass(frozen=True)
class Tile(Type):
    element: Type
    shape: tuple[int, ...] = ()


@dataclass(frozen=True)
class TensorView(Type):
    element: Type
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    attribute: str | None = None


@dataclass(frozen=True)
class PartitionView(Type):
    tile_shape: tuple[int, ...]
    view: TensorView
    dim_map: tuple[int, ...]
    padding: str | None


@dataclass(frozen=True)
class GatherScatterView(Type):
    tile_shape: tuple[int, ...]
    view: TensorView
    sparse_dim: int
    padding: str | None


@dataclass(frozen=True)
class StridedView(Type):
    tile_shape: tuple[int, ...]
    traversal_strides: tuple[int, ...]
    view: TensorView
    dim_map: tuple[int, ...]
    padding: str | None


@dataclass(frozen=True)
class Function(Type):
    inputs: tuple[Type, ...]
    results: tuple[Type, ...]


# Tag, name, minor version. tf32 has 19 bits (bytecode format, 1.3).
SCALARS = ((0, "i1", 1), (1, "i8", 1), (2, "i16", 1), (3, "i32", 1), (4, "i64", 1),
           (5, "f16", 1), (6, "bf16", 1), (7, "f32", 1), (8, "tf32", 1), (9, "f64", 1),
           (10, "f8E4M3FN", 1), (11, "f8E5M2", 1), (17, "token", 1), (18, "f8E8M0FNU", 2),
           (19, "f4E2M1FN", 3), (22, "i4", 3), (130, "f8E5M3FNU", 4))
BITS = {"i1": 1, "i4": 4, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "f16": 16, "bf16": 16,
        "f32": 32, "tf32": 19, "f64": 64, "f8E4M3FN": 8, "f8E5M2": 8, "f8E8M0FNU": 8,
        "f4E2M1FN": 4, "f8E5M3FNU": 8}
I1 = Scalar("i1")
TOKEN = Scalar("token")


def components(type_: Type) -> Iterator[Type]:
    """The types inside a type, in encoding order."""
    match type_:
        case Pointer(pointee):
            yield pointee
        case Tile(element) | TensorView(element):
            yield element
        case PartitionView() | GatherScatterView() | StridedView():
            yield type_.view
        case Function(inputs, results):
            yield from inputs
            yield from results


# --- Attributes (bytecode format, 10.2) ---------------------------------------------------


class Attribute:
    """Base class of all attributes."""


@dataclass(frozen=True)
class Integer(Attribute):
    type: Type
    value: int  # zero-extended from its width


@dataclass(frozen=True)
class Float(Attribute):
    type: Type
    bits: int


@dataclass(frozen=True)
class Bool(Attribute):
    """Tag 3. Equivalent to an Integer of type i1."""

    value: bool


@dataclass(frozen=True)
class TypeAttribute(Attribute):
    type: Type


@dataclass(frozen=True)
class String(Attribute):
    value: bytes


@dataclass(frozen=True)
class Array(Attribute):
    elements: tuple[Attribute, ...]


@dataclass(frozen=True)
class Dictionary(Attribute):
    entries: tuple[tuple[bytes, Attribute], ...]


@dataclass(frozen=True)
class OptimizationHints(Attribute):
    """Tag 11, inside another attribute. As optimization hints, they are a Dictionary here."""

    entries: tuple[tuple[bytes, Dictionary], ...]


@dataclass(frozen=True)
class DivBy(Attribute):
    divisor: int
    every: int | None = None
    along: int | None = None


@dataclass(frozen=True)
class SameElements(Attribute):
    values: tuple[int, ...]


@dataclass(frozen=True)
class Bounded(Attribute):
    lower: int | None = None
    upper: int | None = None


@dataclass(frozen=True)
class Constant:
    """The data of a tile in the form that the reference writer prefers: a single element if all are
    equal; packed booleans (bytecode format, 5)."""

    type: Tile
    raw: bytes


# --- Debug information (bytecode format, 13) ----------------------------------------------


@dataclass(frozen=True)
class File:
    name: bytes
    directory: bytes


@dataclass(frozen=True)
class CompileUnit:
    file: File


@dataclass(frozen=True)
class Subprogram:
    file: File
    line: int
    name: bytes
    linkage: bytes
    unit: CompileUnit
    scope_line: int


@dataclass(frozen=True)
class LexicalBlock:
    scope: "Subprogram | LexicalBlock"
    file: File
    line: int
    column: int


@dataclass(frozen=True)
class Location:
    scope: Subprogram | LexicalBlock
    file: bytes
    line: int
    column: int


@dataclass(frozen=True)
class CallSite:
    callee: "Location | CallSite | None"
    caller: "Location | CallSite | None"


# --- Operations ---------------------------------------------------------------------------


@dataclass(eq=False)
class Value:
    type: Type


@dataclass
class Block:
    arguments: list[Value]
    operations: list["Operation"] = field(default_factory=list)


@dataclass
class Operation:
    name: str
    results: list[Value] = field(default_factory=list)
    attributes: dict = field(default_factory=dict)  # absent optional ones are left out
    units: frozenset[str] = frozenset()
    operands: dict[str, list[Value]] = field(default_factory=dict)  # by group
    regions: list[list[Block]] = field(default_factory=list)
    location: Location | CallSite | None = None


@dataclass
class Entry:
    name: bytes
    signature: Function
    body: Block
    hints: Dictionary | None = None
    location: Location | None = None


@dataclass
class Global:
    name: bytes
    value: Constant
    alignment: int = 0
    private: bool = False
    constant: bool = False


@dataclass
class Module:
    entries: list[Entry] = field(default_factory=list)
    globals: list[Global] = field(default_factory=list)
    producer: bytes | None = None


def walk(block: Block) -> Iterator[Operation]:
    """The operations in file order: each operation before those in its regions."""
    for operation in block.operations:
        yield operation
        for region in operation.regions:
            for inner in region:
                yield from walk(inner)


# --- Constants (bytecode format, 5) -------------------------------------------------------


class BadConstant(Exception):
    pass


def count_elements(tile: Tile) -> int:
    count = 1
    for extent in tile.shape:
        count *= extent
    return count


def element_size(tile: Tile) -> int:
    """The bytes of one element in the constant section; 1 for booleans, which are encoded differently."""
    return (BITS[tile.element.name] + 7) // 8


def make_constant(tile: Tile, raw: bytes) -> Constant:
    """Decodes any of the legal forms."""
    if tile.element == I1:
        return pack_booleans(tile, read_booleans(count_elements(tile), raw))
    size, count = element_size(tile), count_elements(tile)
    if len(raw) not in (size, size * count):
        raise BadConstant(f"{len(raw)} bytes for {tile}")
    return Constant(tile, raw[:size] if raw == raw[:size] * (len(raw) // size) else raw)


def read_booleans(count: int, raw: bytes) -> list[bool]:
    """The reader rule of bytecode format, 5.1."""
    if len(raw) == 1:
        if raw[0] in (0x00, 0xFF) or count == 1:
            return [raw[0] != 0] * count
        if count > 8:
            if raw[0] != 1:
                raise BadConstant(f"byte {raw[0]:#x} for {count} booleans")
            return [True] * count
    if len(raw) == count:
        return [byte != 0 for byte in raw]
    if len(raw) == (count + 7) // 8:
        return [bool(raw[k // 8] >> k % 8 & 1) for k in range(count)]
    raise BadConstant(f"{len(raw)} bytes for {count} booleans")


def pack_booleans(tile: Tile, values: list[bool]) -> Constant:
    if len(set(values)) == 1:
        return Constant(tile, b"\xff" if values[0] else b"\x00")
    packed = bytearray((len(values) + 7) // 8)
    for k, value in enumerate(values):
        packed[k // 8] |= value << k % 8
    return Constant(tile, bytes(packed))
