# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the operations, element types and modifiers that the programs have used.

Modifiers are the words of an operation besides its operands, and the properties of a view's type.
`tilewright ops` lists the existing operations and element types.
"""

import json
import pathlib
import re
import subprocess
from collections import Counter, defaultdict

from tileir import Op, Program, Region, Tensor, Tile, View

ALWAYS = ("module", "entry")
WORD = re.compile(r"\b[a-z]\w*(?:<\w+>)?")
# Words without a meaning of their own, and value names in texts.
PLAIN = re.compile(r"dim|shape|strides|identities|alignment|num_elem|in|to|step|default|reverse|"
                   r"x[0-9a-f]+|[atru]\d+|g\d+")


class Coverage:
    """Counts (operation, what), where `what` is an enclosing region, an element type of a value, or a
    modifier."""

    def __init__(self) -> None:
        self.operations: Counter[str] = Counter()
        self.elements: Counter[tuple[str, str]] = Counter()
        self.modifiers: Counter[tuple[str, str]] = Counter()
        self.places: Counter[tuple[str, str]] = Counter()

    def add(self, program: Program) -> None:
        self.operations["global"] += len(program.globals)
        for text in program.globals:
            element = re.search(r"<(\w+):", text)[1]
            self.elements["global", element] += 1
            self.modifiers.update(("global", word) for word in ("private", "constant")
                                  if f" {word} " in text)
        self._region(program.body, "entry")

    def _region(self, region: Region, place: str) -> None:
        for op in region.ops:
            name = op.mnemonic
            self.operations[name] += 1
            self.places[name, place] += 1
            for value in (*op.operands, *op.results):
                if isinstance(value.type, (Tile, Tensor, View)):
                    self.elements[name, element_of(value.type)] += 1
            self.modifiers.update((name, word) for word in modifiers(op))
            for inner in op.regions:
                self._region(inner, name)

    def merge(self, other: "Coverage") -> None:
        self.operations += other.operations
        self.elements += other.elements
        self.modifiers += other.modifiers
        self.places += other.places

    # --- Telling ------------------------------------------------------------------------------

    def missing(self, tilewright: pathlib.Path) -> list[str]:
        """Operations that no program has used."""
        return sorted(known(tilewright).keys() - self.operations.keys() - set(ALWAYS))

    def summary(self) -> str:
        kinds = len([n for n in self.operations.values() if n]) + len(ALWAYS)
        return f"{self.operations.total():,} operations of {kinds} kinds"

    def table(self, tilewright: pathlib.Path) -> str:
        """Prints a paragraph for each operation."""
        lines = []
        for name, elements in sorted(known(tilewright).items()):
            lines.append(f"{name}: {self.operations[name]:,}")
            for title, counts in (("on", self.elements), ("with", self.modifiers),
                                  ("in", self.places)):
                found = {what: n for (op, what), n in counts.items() if op == name and n}
                if found:
                    listed = ", ".join(f"{what} {n:,}" for what, n in
                                       sorted(found.items(), key=lambda pair: -pair[1]))
                    lines.append(f"  {title} {listed}")
            lacking = sorted(elements - {e for op, e in self.elements if op == name})
            if lacking:
                lines.append(f"  not on {', '.join(lacking)}")
        return "\n".join(lines)


def element_of(type_: Tile | Tensor | View) -> str:
    element = type_.tensor.element if isinstance(type_, View) else type_.element
    return element.split("<")[0]


def modifiers(op: Op) -> set[str]:
    text = re.sub(r'"[^"]*"', "", op.text).split(" ", 1)[-1].split(" : ")[0]
    if op.mnemonic in ("constant", "get_global"):
        return set()
    words = {word for word in WORD.findall(text) if not PLAIN.fullmatch(word)}
    for result in op.results:
        if isinstance(result.type, View):
            words |= view_words(result.type)
    if op.mnemonic in ("reduce", "scan"):
        words.add(f"operands<{len(op.operands)}>")
    return words


def view_words(view: View) -> set[str]:
    words = {f"padding<{view.padding}>"} if view.padding else set()
    if view.dim_map and list(view.dim_map) != sorted(view.dim_map):
        words.add("transposed")
    if None in view.tensor.extents:
        words.add("dynamic_extents")
    if None in view.tensor.strides:
        words.add("dynamic_strides")
    return words


def known(tilewright: pathlib.Path) -> dict[str, set[str]]:
    """The element types of each operation, where the verifier determines them from the operands alone."""
    listing = subprocess.run([tilewright, "ops", "--json"], capture_output=True, check=True)
    made = defaultdict(set)
    for operation in json.loads(listing.stdout):
        made[operation["mnemonic"]] |= set()
        for field in operation["fields"]:
            of = re.search(r"\bof (.*) values$", field["constraint"])
            if of and field["kind"] in ("operand", "result"):
                made[operation["mnemonic"]].update(of[1].replace("Pointer type", "ptr")
                                                   .split(" or "))
    return made
