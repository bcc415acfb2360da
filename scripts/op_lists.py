# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where does code keep a list of operations? A new operation has to be added to each, and nobody
says so: what an operation is should be asked of it, by an interface or trait.

A list gives one answer for three or more classes of operations of tile/:

    isa<A, B, C>(op)              isa<A>(op) || isa<B, C>(op)
    .Case<A, B, C>(...)           anyTemplate<A, B, C>

Three places that look so are none:
- a dispatch table, which is where an operation gets the code for it: a TypeSwitch of which at least
  one case hands the operation itself on to a function, as in `.Case([](A a) { return emit(a); })`
  (one whose cases are constants, or all ask for the same property, is a list);
- the templates in DISPATCHERS, which are such tables, too;
- a row for each class with a value of its own.
"""

import pathlib
import re
from dataclasses import dataclass

from cpp import Source, end_of_angles

DISPATCHERS = {"firstOf"}  # reference/: the function that executes an operation
TYPE_TESTS = {"isa", "isa_and_present", "isa_and_nonnull"}
FAMILIES = {"memory": ["LoadPtrOp", "StorePtrOp", "LoadViewOp", "StoreViewOp", "AtomicRMWOp",
                       "AtomicCASOp", "AtomicRedViewOp"],
            "rearrangement": ["ReshapeOp", "BroadcastOp", "PermuteOp", "ExtractOp", "CatOp"],
            "elementwise": []}  # read from the records: what derives from Tile_ElementwiseOp


@dataclass
class List:
    file: pathlib.Path
    line: int
    operations: list[str]


def read_operations(records: dict[pathlib.Path, str]) -> tuple[set[str], dict[str, list[str]]]:
    """The classes of operations that have a record, and those of each family."""
    text = "\n".join(records.values())
    base = dict(re.findall(r"^class\s+(Tile_\w+)\s*<[^{;]*?>\s*:\s*(\w+)", text, re.MULTILINE))
    ops = dict(re.findall(r"^def\s+Tile_(\w+Op)\s*:\s*(\w+)", text, re.MULTILINE))

    def is_elementwise(kind: str | None) -> bool:
        return kind == "Tile_ElementwiseOp" or kind in base and is_elementwise(base[kind])
    families = {family: [op for op in names if op in ops] for family, names in FAMILIES.items()}
    families["elementwise"] = sorted(op for op, kind in ops.items() if is_elementwise(kind))
    return set(ops), families


def is_ours(tokens: list[str], at: int) -> bool:
    """`AddIOp` and `tile::AddIOp`, not `arith::AddIOp`."""
    return tokens[at - 1] != "::" or tokens[at - 2] == "tile"


def lists_in(file: pathlib.Path, source: Source, operations: set[str]) -> list[List]:
    tokens, found, at = source.tokens, [], 0
    tables = dispatch_tables(source)
    while at < len(tokens) - 1:
        names, end = template_arguments(source, at, operations)
        in_table = tokens[at] == "Case" and any(at in table for table in tables)
        if tokens[at] in TYPE_TESTS:  # with all that `||` and `&&` join to it
            while end and (more := joined_test(source, end)):
                others, end = template_arguments(source, more, operations)
                names += others
        if len(names) >= 3 and not in_table and tokens[at] not in DISPATCHERS:
            found.append(List(file, source.lines[at], names))
        at = max(end or 0, at) + 1
    return found


def template_arguments(source: Source, at: int, operations: set[str]) -> tuple[list[str], int | None]:
    """The operations among the template arguments of the name at this place, and where they end."""
    tokens = source.tokens
    if not re.match(r"[A-Za-z_]", tokens[at]) or tokens[at + 1:at + 2] != ["<"]:
        return [], None
    end = end_of_angles(tokens, at + 1)
    if end is None or any(t == "<" for t in tokens[at + 2:end]):
        return [], None
    return [tokens[i] for i in range(at + 2, end)
            if tokens[i] in operations and is_ours(tokens, i)], end


def joined_test(source: Source, end: int) -> int | None:
    """Behind `isa<...>`: where the next test of the same is, if it is joined with this one."""
    tokens, asked = source.tokens, asked_of(source, end + 1)
    at = end + 1 + len(asked)
    if not asked or tokens[at:at + 1] not in (["||"], ["&&"]):
        return None
    at += 1
    while tokens[at] in ("!", "llvm", "mlir", "::"):
        at += 1
    angles = end_of_angles(tokens, at + 1) if tokens[at] in TYPE_TESTS else None
    return at if angles and asked_of(source, angles + 1) == asked else None


def asked_of(source: Source, at: int) -> list[str]:
    """`(op)`."""
    return source.tokens[at:source.pairs.get(at, at - 1) + 1]


def dispatch_tables(source: Source) -> list[range]:
    """Where TypeSwitches are of which a case hands its operation on to a function."""
    tables = []
    for at, token in enumerate(source.tokens):
        if token == "TypeSwitch":
            end = at
            while end < len(source.tokens) and source.tokens[end] not in (";", "}"):
                end = source.pairs.get(end, end) + 1
            if any(hands_on(source, i) for i in range(at, end) if source.tokens[i] == "Case"):
                tables.append(range(at, end))
    return tables


def hands_on(source: Source, case: int) -> bool:
    """`.Case(...)`: is it given a function, or a lambda that calls one with its own parameter?"""
    tokens, at = source.tokens, case + 1
    if tokens[at] == "<":
        at = (end_of_angles(tokens, at) or at) + 1
    if tokens[at] != "(" or at not in source.pairs:
        return False
    end, at = source.pairs[at], at + 1
    if tokens[at] != "[":
        return True
    parameters = source.pairs[at] + 1
    if tokens[parameters] != "(":
        return False
    close = source.pairs[parameters]
    name = tokens[close - 1]
    if close - parameters < 3 or not re.match(r"[a-z]", name) or tokens[close - 2] == "::":
        return False  # `(auto)`: it has no name
    return any(tokens[i] == name and tokens[i - 1] in ("(", ",") and tokens[i + 1] in (")", ",")
               for i in range(close + 1, end))
