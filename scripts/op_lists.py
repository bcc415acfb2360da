# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds lists of operations in C++ code. A new operation must be added to each such list, and no compiler
error says so: code should ask the operation itself, through an interface or trait.

A list treats three or more operation classes of tile/ alike:

    isa<A, B, C>(op)              isa<A>(op) || isa<B, C>(op)
    .Case<A, B, C>(...)           anyTemplate<A, B, C>

Cases of one TypeSwitch treat operations alike if their code is the same, except for the name of the
operation.

These are not lists:
- a dispatch table, which selects the code for an operation: TypeSwitch cases that pass the operation itself
  on to a function, as in `.Case([](A a) { return emit(a); })`. Other cases of the same TypeSwitch
  (that return constants, or query the same property) do form a list;
- the templates in DISPATCHERS, which are also dispatch tables;
- a table with a row and a different value for each class.
"""

import pathlib
import re
from dataclasses import dataclass

from cpp import Source, end_of_angles

DISPATCHERS = {"firstOf"}  # reference/: finds the function that executes an operation
TYPE_TESTS = {"isa", "isa_and_present", "isa_and_nonnull"}
FAMILIES = {"memory": ["LoadPtrOp", "StorePtrOp", "LoadViewOp", "StoreViewOp", "AtomicRMWOp",
                       "AtomicCASOp", "AtomicRedViewOp"],
            "rearrangement": ["ReshapeOp", "BroadcastOp", "PermuteOp", "ExtractOp", "CatOp"],
            "elementwise": []}  # filled from the records that derive from Tile_ElementwiseOp


@dataclass
class List:
    file: pathlib.Path
    line: int
    operations: list[str]


def read_operations(records: dict[pathlib.Path, str]) -> tuple[set[str], dict[str, list[str]]]:
    """The operation classes that have a record, and the members of each family."""
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
    tokens, at = source.tokens, 0
    switches = [cases_of(source, i) for i, token in enumerate(tokens) if token == "TypeSwitch"]
    in_switch = {case for cases in switches for case in cases}
    found = [List(file, line, names) for cases in switches
             for line, names in answers(source, cases, operations) if len(names) >= 3]
    while at < len(tokens) - 1:
        names, end = template_arguments(source, at, operations)
        if tokens[at] in TYPE_TESTS:  # including tests that are joined by `||` and `&&`
            while end and (more := joined_test(source, end)):
                others, end = template_arguments(source, more, operations)
                names += others
        if len(names) >= 3 and at not in in_switch and tokens[at] not in DISPATCHERS:
            found.append(List(file, source.lines[at], names))
        at = max(end or 0, at) + 1
    return sorted(found, key=lambda one: one.line)


def template_arguments(source: Source, at: int, operations: set[str]) -> tuple[list[str], int | None]:
    """The operations among the template arguments of the name at this index, and the end index."""
    tokens = source.tokens
    if not re.match(r"[A-Za-z_]", tokens[at]) or tokens[at + 1:at + 2] != ["<"]:
        return [], None
    end = end_of_angles(tokens, at + 1)
    if end is None or any(t == "<" for t in tokens[at + 2:end]):
        return [], None
    return [tokens[i] for i in range(at + 2, end)
            if tokens[i] in operations and is_ours(tokens, i)], end


def joined_test(source: Source, end: int) -> int | None:
    """After `isa<...>`: the index of the next test of the same value, if it is joined with this one."""
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


def cases_of(source: Source, switch: int) -> list[int]:
    """The cases of a TypeSwitch, without those of nested ones."""
    cases, at = [], switch
    while at < len(source.tokens) and source.tokens[at] not in (";", "}"):
        if source.tokens[at] == "Case":
            cases.append(at)
        at = source.pairs.get(at, at) + 1
    return cases


def answers(source: Source, cases: list[int],
            operations: set[str]) -> list[tuple[int, list[str]]]:
    """For each result that is returned without passing the operation on: the first line, and the operations
    that return it."""
    found: dict[str, tuple[int, list[str]]] = {}
    for case in cases:
        names, _ = template_arguments(source, case, operations)
        function = function_of(source, case)
        if not function or hands_on(source, function):
            continue
        names += [source.tokens[i] for i in function.parameters
                  if source.tokens[i] in operations and is_ours(source.tokens, i)
                  and source.tokens[i] not in names]
        body = " ".join("_" if source.tokens[i] == function.name else source.tokens[i]
                        for i in function.body)
        found.setdefault(body, (source.lines[case], []))[1].extend(names)
    return list(found.values())


@dataclass
class Function:
    """A lambda: the tokens in its parentheses and braces, and the name of its operation (empty for
    `(auto)`)."""
    parameters: range
    body: range
    name: str | None


def function_of(source: Source, case: int) -> Function | None:
    """The lambda that is passed to `.Case(...)`; None if a function name is passed."""
    tokens, at = source.tokens, case + 1
    if tokens[at] == "<":
        at = (end_of_angles(tokens, at) or at) + 1
    if tokens[at] != "(" or at not in source.pairs or tokens[at + 1] != "[":
        return None
    end, parameters = source.pairs[at], source.pairs[at + 1] + 1
    if tokens[parameters] != "(":
        return Function(range(0), range(parameters, end), None)
    close = source.pairs[parameters]
    name = tokens[close - 1]
    if close - parameters < 3 or not re.match(r"[a-z]", name) or tokens[close - 2] == "::":
        name = None
    return Function(range(parameters + 1, close), range(close + 1, end), name)


def hands_on(source: Source, function: Function) -> bool:
    """Whether it calls a function with its operation as an argument."""
    tokens = source.tokens
    return any(tokens[i] == function.name and tokens[i - 1] in ("(", ",")
               and tokens[i + 1] in (")", ",") for i in function.body)
