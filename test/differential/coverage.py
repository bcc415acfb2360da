# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which operations did the programs have, and on which element types?"""

import json
import pathlib
import subprocess
from collections import Counter

from tileir import Program, Tile, View, walk

ALWAYS = ("module", "entry")


class Coverage:
    def __init__(self) -> None:
        self.pairs: Counter[tuple[str, str]] = Counter()  # operation, element type

    def add(self, program: Program) -> None:
        if program.globals:
            self.pairs["global", ""] += len(program.globals)
        for op in walk(program.body):
            for value in (*op.operands[:1], *op.results[:1]):
                if isinstance(value.type, (Tile, View)):
                    element = value.type.tile.element if isinstance(value.type, View) else \
                        value.element
                    self.pairs[op.mnemonic, element.split("<")[0]] += 1
            self.pairs[op.mnemonic, ""] += 1

    def merge(self, other: "Coverage") -> None:
        self.pairs += other.pairs

    def missing(self, tilewright: pathlib.Path) -> list[str]:
        """Operations that tilewright knows and no program had."""
        listing = subprocess.run([tilewright, "ops", "--json"], capture_output=True, check=True)
        known = {operation["mnemonic"] for operation in json.loads(listing.stdout)}
        return sorted(known - {op for op, _ in self.pairs} - set(ALWAYS))

    def summary(self) -> str:
        ops = {op for op, _ in self.pairs}
        total = sum(n for (_, element), n in self.pairs.items() if not element)
        return f"{total:,} operations of {len(ops) + len(ALWAYS)} kinds"
