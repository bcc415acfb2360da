# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the advice on litmus tests with the memory model in Python (../litmus/model.py).

    litmus.py --tilewright PROGRAM TABLE

For each test of the table that is defined, without loops: is an ordering, a scope or a token of an operation advised as
needed exactly if the model says that the test without it has a race, or an outcome that the test does not have?
"""

import argparse
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "litmus"))
# pylint: disable=wrong-import-position
import check
import kernel
import model
import notation

WEAKER = {"a/r": ["acq", "rel"], "acq": ["rlx"], "rel": ["rlx"], "rlx": ["wk"], "wk": []}
SMALLER = {"sys": "device", "device": "blk"}
SPELLED = {"blk": "tl_blk"}


def operations(nodes: list) -> list[notation.Op]:
    """In the order of the text."""
    found = []
    for node in nodes:
        if isinstance(node, notation.Op):
            found.append(node)
        else:
            for body in notation.parts_of(node):
                found += operations(body)
    return found


def all_operations(test) -> list[notation.Op]:
    return [op for body in test.blocks for op in operations(body)]


def is_atomic(op: notation.Op) -> bool:
    return op.kind not in "WSR"


class Comparison:
    def __init__(self, name: str, test):
        self.name, self.test = name, test
        self.before = model.outcomes(test)

    def holds(self, number: int, **changes) -> bool:
        """Whether the test with these changes to an operation has no race and no new outcome."""
        weaker = copy.deepcopy(self.test)
        for field, value in changes.items():
            setattr(all_operations(weaker)[number], field, value)
        after = model.outcomes(weaker)
        return after is not None and after <= self.before

    def tried(self, number: int, op: notation.Op) -> list[tuple[str, str, bool]]:
        """Part, form and verdict of everything that is tried, in the order of the rows."""
        rows, open_ = [], [op.ordering]
        scope = SPELLED.get(op.scope, op.scope)
        for ordering in open_:
            for weaker in WEAKER[ordering]:
                form = kernel.ORDERINGS[weaker] + (f" {scope}" if weaker != "wk" else "")
                if (weaker == "wk" and is_atomic(op)) or any(row[1] == form for row in rows):
                    continue
                holds = self.holds(number, ordering=weaker, **({"scope": None} if weaker == "wk" else {}))
                rows.append(("ordering", form, holds))
                if holds:
                    open_.append(weaker)
        smaller = op.scope
        while op.ordering != "wk" and smaller in SMALLER:
            smaller = SMALLER[smaller]
            holds = self.holds(number, scope=smaller)
            rows.append(("scope", f"{kernel.ORDERINGS[op.ordering]} {SPELLED.get(smaller, smaller)}", holds))
            if not holds:
                break
        return rows

    def token(self, number: int, op: notation.Op) -> list[tuple[str, str, bool]]:
        return [] if op.join == ";" else [("token", "no token", self.holds(number, join=";"))]


def advised(tilewright: str, test) -> list[tuple[str, str, bool]]:
    """The same by the program. Stores to the registers are weak and have no token."""
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write(str(kernel.Kernel(test)))
        file.flush()
        arguments = check.Runner(tilewright, "reference", 0).arguments(test)
        done = subprocess.run([tilewright, "advise", "--json", file.name, *arguments],
                              capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        raise SystemExit(f"status {done.returncode}: {done.stdout}{done.stderr}")
    advice = json.loads(done.stdout)
    assert advice["exhaustive"], advice
    return [(row["part"], form["form"], form["verdict"] == "holds")
            for row in advice["operations"] if row["operation"] != "join_tokens"
            for form in row["tried"] if "," not in form["form"]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tilewright", required=True)
    parser.add_argument("table", type=pathlib.Path)
    arguments = parser.parse_args()
    forms, failures = 0, []
    for name, test, _ in check.table(arguments.table):
        comparison = Comparison(name, test)
        if comparison.before is None or any(op.until is not None for op in all_operations(test)):
            continue
        expected = [row for number, op in enumerate(all_operations(test))
                    for row in comparison.tried(number, op) + comparison.token(number, op)]
        found = advised(arguments.tilewright, test)
        forms += len(expected)
        if expected != found:
            failures.append(f"{name}:\n  model  {expected}\n  advice {found}")
    if failures or forms == 0:
        sys.exit("\n".join(failures) or "there is nothing to compare")
    print(f"{forms} weaker forms agree with the model")


if __name__ == "__main__":
    main()
