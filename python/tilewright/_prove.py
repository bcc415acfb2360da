# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the accesses of a kernel stay inside of memory for all sizes (docs/prove.md)."""

from __future__ import annotations

import dataclasses
import functools
import json

from tilewright import _arrays, _explore, _module
from tilewright._public import public
from tilewright._records import Finding, KernelError, Place


@public
@dataclasses.dataclass(frozen=True)
class Counterexample:
    """A launch of which the reference machine reports that an operation leaves its memory."""

    grid: tuple[int, int, int]
    """The extents of the grid."""
    arguments: tuple[str, ...]
    """One for each parameter, as the command line takes them: `zeros(32xf32)`, or a number."""
    finding: str
    """What the reference machine reports of the operation, as one line."""
    _entry: tuple = dataclasses.field(repr=False, compare=False)
    """The native module, the name of the entry, and the names of its parameters."""
    _operation: tuple[Place, str] = dataclasses.field(repr=False, compare=False)
    """The operation that leaves its memory: its source line and its mnemonic."""

    def values(self) -> list:
        """The arguments as a launch of the entry takes them: new NumPy arrays of zeros, and numbers."""
        return [_value(text) for text in self.arguments]

    def replay(self, *, max_steps: int = 0) -> list[Finding]:
        """Runs the launch on the reference machine with all checks, and returns its findings: `finding` first,
        then others of the same operation. `max_steps`: as in `Entry.compile`; the search for counterexamples
        runs 200,000 steps of each launch."""
        native, name, names = self._entry
        settings = _module.compile_settings("reference", True, max_steps=max_steps)
        try:
            native.compile(name, settings, names)[self.grid](*self.values())
        except KernelError as error:
            return sorted(error.findings, key=self._distance)
        return []

    def _distance(self, other: Finding) -> tuple[bool, bool]:
        return (f"{other.message} [{other.rule}]" != self.finding,
                (other.place, other.operation) != self._operation)


def _value(text: str):
    if not text.startswith("zeros("):
        return int(text)
    count, element = text.removeprefix("zeros(").removesuffix(")").split("x", 1)
    return _arrays.zeros(element, int(count))


@public
@dataclasses.dataclass(frozen=True)
class ProvedOperation:
    """What is known about a memory access or an assumption for all launches."""

    place: Place
    """Its source line."""
    operation: str
    """Its mnemonic: `load_view_tko`."""
    kind: str
    """`access`, or `assumption`."""
    verdict: str
    """`holds`; `holds-if`: for all launches that satisfy the conditions; `counterexample`: for no launch
    that is known, and one that fails is given; or `unknown`."""
    conditions: tuple[str, ...]
    """All must hold: `grid.x <= ceil(n / 256)`. ` or ` separates alternatives."""
    stopped_by: str
    """If the verdict is `unknown`: the operation that the proof does not get past. Otherwise empty."""
    stopped_at: Place | None
    """The source line of that operation."""
    counterexample: Counterexample | None
    """A launch that violates the conditions and fails, if one was found."""


@public
class Proof:
    """What is known about all launches of a kernel: true if every operation holds, if the conditions do."""

    def __init__(self, document: str, text: str, entry: tuple):
        self.json = document
        """The document as text."""
        self.text = text
        """The answers, as the command line prints them."""
        self._entry = entry

    @functools.cached_property
    def data(self) -> dict:
        """The document (docs/prove.md)."""
        return json.loads(self.json)

    @property
    def parameters(self) -> list[str]:
        """The names of the parameters in conditions."""
        return self.data["parameters"]

    @property
    def conditions(self) -> list[str]:
        """All must hold, so that every operation holds that is not unknown and does not fail."""
        return self.data["conditions"]

    @functools.cached_property
    def operations(self) -> list[ProvedOperation]:
        """The accesses and assumptions, in the order of the program."""
        return [self._operation(row) for row in self.data["operations"]]

    def _operation(self, row: dict) -> ProvedOperation:
        stop, launch, place = row["stopped_by"], row["counterexample"], _place(row["place"])
        return ProvedOperation(
            place, row["operation"], row["kind"], row["verdict"], tuple(row["conditions"]),
            stop["operation"] if stop else "", _place(stop["place"]) if stop else None,
            launch and Counterexample(tuple(launch["grid"]), tuple(launch["arguments"]), launch["finding"],
                                      self._entry, (place, row["operation"])))

    def __bool__(self) -> bool:
        return all(row["verdict"] in ("holds", "holds-if") for row in self.data["operations"])

    def __str__(self) -> str:
        return self.text.rstrip()

    def __repr__(self) -> str:
        verdicts = [row["verdict"] for row in self.data["operations"]]
        counts = ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in dict.fromkeys(verdicts))
        return f"<tilewright.Proof of @{self.data['entry']}: {counts or 'no operations'}>"


def _place(document: dict) -> Place:
    return Place(document["file"], document.get("line", 0), document.get("column", 0), document.get("byte", -1))


@public
def prove(kernel, args=None, *, counterexamples: bool = True) -> Proof:
    """Proves for all launches of a kernel that its accesses stay inside of memory, or finds the condition
    under which they do (docs/prove.md).

    `kernel`: an `Entry`, or a cuTile kernel with `args` as `cutile.launch` takes them. These decide only
    which code is proved: their values, extents and strides do not matter, but for constants and the
    properties on which cuTile's code relies (`cutile.launch`), which become conditions.
    `counterexamples`: search for launches that fail, which takes most of the time; `Counterexample.replay`
    runs them again.

    Ctrl-C stops the search. Raises TypeError for an `Entry` with arguments, a cuTile kernel without, and
    arguments that do not fit.
    """
    if isinstance(kernel, _module.Entry) != (args is None):
        raise TypeError("a proof is for all launches: an Entry takes no arguments" if args is not None else
                        "a cuTile kernel needs arguments, whose types decide its code")
    native, name, names, *_ = _explore._explorable(kernel, () if args is None else args)
    document, text = native.prove(name, names=names, proof_only=not counterexamples)
    return Proof(document, text, (native, name, names))
