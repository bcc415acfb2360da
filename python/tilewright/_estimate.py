# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What launches cost on GPUs, without a GPU, and which variants of a kernel are worth trying (docs/tuning.md)."""

from __future__ import annotations

import dataclasses
import functools
import json
import os
import pathlib
from collections.abc import Callable, Sequence

from tilewright import _explore, _native
from tilewright._benchmark import _readable
from tilewright._public import public


@public
@dataclasses.dataclass(frozen=True)
class CostChange:
    """A cost of a launch that differs from that of an earlier version."""

    what: str
    """A name from `Estimate.costs`."""
    before: int
    """The cost of the earlier version."""
    after: int
    """That of this one."""
    lines: tuple[tuple[str, int, int, int], ...]
    """The source lines that cost more than before, those that gained most first: file, line, before and
    after. Lines are the same if the file's name, without its folder, and the number are: a line that moved
    counts as a new one."""

    def __str__(self) -> str:
        rows = [f"{self.what}: {self.before:,.0f} -> {self.after:,.0f}"]
        rows += [f"  {file}:{line}: {before:,} -> {after:,}" for file, line, before, after in self.lines]
        return "\n".join(rows)


@public
class Estimate:
    """What a launch costs on a GPU. Latencies are not modelled."""

    def __init__(self, text: str):
        self.json = text
        """The document as text."""

    @functools.cached_property
    def data(self) -> dict:
        """The document."""
        return json.loads(self.json)

    def on(self, gpu: str | None = None) -> dict:
        """The document's row of a GPU, by its name; None: the first GPU with this target. Raises ValueError
        if there is none."""
        rows = self.data["gpus"]
        for row in rows:
            if gpu is None or row["name"] == gpu:
                return row
        if not rows:
            raise ValueError(f"there are no published figures of a GPU with the target {self.data['target']}")
        known = ", ".join(repr(row["name"]) for row in rows)
        raise ValueError(f"expected a GPU with the target {self.data['target']} ({known}), but got {gpu!r}")

    @property
    def costs(self) -> dict[str, int]:
        """What the sampled blocks cost together: `instructions`, `sectors`, `bank_cycles`, `barriers`; what a
        block needs in all of its CTAs: `shared_bytes`; with ptxas also what a thread needs: `registers` and
        `spill_bytes`."""
        counters = self.data["counters"]
        costs = {"instructions": counters["instructions"], "sectors": counters["global"]["sectors"],
                 "bank_cycles": counters["shared"]["bank_cycles"], "barriers": counters["barriers"],
                 "shared_bytes": self.data["shared_bytes"] * self.data["ctas"]}
        for member in ("registers", "spill_bytes"):
            if self.data[member] is not None:
                costs[member] = self.data[member]
        return costs

    def increases(self, before: Estimate, tolerance: float = 0.0) -> list[CostChange]:
        """The costs that are higher than `before` by more than the fraction `tolerance`, for a test that
        guards a kernel. A cost that only one of the two has is left out.

        Raises ValueError if the two are not comparable: another kernel, target, grid or number of blocks; or if
        the tolerance is negative."""
        rows = json.loads(_native.estimate_increases(before.json, self.json, tolerance))
        return [CostChange(row["what"], row["before"], row["after"],
                           tuple((line["file"], line["line"], line["before"], line["after"]) for line in row["lines"]))
                for row in rows]

    def save(self, path: str | os.PathLike) -> None:
        """Writes the document to a file."""
        pathlib.Path(path).write_text(self.json, encoding="utf-8")

    @classmethod
    def load(cls, path: str | os.PathLike) -> Estimate:
        """Reads a document that `save` wrote. Raises ValueError for another file."""
        text = pathlib.Path(path).read_text(encoding="utf-8")
        try:
            document = json.loads(text)
            is_estimate = document["version"] == 1 and "occupancy" in document and "counters" in document
        except (ValueError, TypeError, KeyError, RecursionError):
            is_estimate = False
        if not is_estimate:
            raise ValueError(f"{os.fspath(path)}: expected an estimate of version 1")
        return cls(text)

    def __repr__(self) -> str:
        rows = [f"{_readable(row['seconds'])} on {row['name']} ({row['limiter']})" for row in self.data["gpus"]]
        return f"<tilewright.Estimate of @{self.data['kernel']}: {', '.join(rows) or self.data['target']}>"


@public
def estimate(kernel, args, grid, *, target: str | None = None, blocks: int | None = 4,
             max_steps: int = 0) -> Estimate:
    """Estimates what a launch costs on GPUs, without one: compiles the kernel, runs some of its blocks on the
    PTX machine, which counts, and divides by what each GPU can do. The arrays keep their contents.

    `kernel`: an `Entry`, with `args` as a launch takes them, or a cuTile kernel, with `args` as
    `cutile.launch` takes them. `grid`: an int or a tuple of one to three. `target`: a GPU; None:
    "sm_90a". `blocks`: how many blocks to run, spread over the grid; None: all. A kernel whose blocks
    wait for one another, or take work from a common counter, needs all. `max_steps`: as in `compile`.

    Ctrl-C stops it. Raises TypeError or ValueError for arguments that do not fit or an unknown target, and
    for a kernel that the target cannot run or whose blocks do not run to their end.
    """
    if blocks is not None and blocks < 1:
        raise ValueError(f"expected a number of blocks from 1, or None, but got {blocks}")
    native, name, names, values, _ = _explore._explorable(kernel, args)
    return Estimate(native.estimate(name, grid, *values, target=target or "", blocks=blocks, names=names,
                                    max_steps=max_steps))


@public
@dataclasses.dataclass(frozen=True)
class Candidate:
    """A variant of a kernel, and its estimate."""

    config: object
    """One of the search space."""
    estimate: Estimate
    """What its launch costs."""
    gpu: str
    """The GPU whose figures apply."""

    @property
    def seconds(self) -> float:
        """For so long the launch needs the resource that limits it."""
        return self.estimate.on(self.gpu)["seconds"]

    @property
    def limiter(self) -> str:
        """That resource: `instructions`, `products`, `shared`, `caches` or `memory`."""
        return self.estimate.on(self.gpu)["limiter"]

    @property
    def _rank(self) -> tuple:
        """Products of unknown speed come last. Counters do not show what spills cost. Resources are not used at the same time all the time: of
        times with the same two digits, the one whose bounds have the smaller sum is better."""
        spills = self.estimate.data["spill_bytes"] or 0
        bounds = self.estimate.on(self.gpu)["bounds"]
        return (bounds["products"] is None, spills > 0, float(f"{self.seconds:.1e}"),
                sum(seconds or 0 for seconds in bounds.values()))


@public
class Tuning:
    """The variants of a kernel, the most promising first."""

    def __init__(self, candidates: list[Candidate], failures: list[tuple[object, type[BaseException], str]]):
        self.candidates = candidates
        """At least one."""
        self.failures = failures
        """The configurations that cannot run, each with the class and the text of the exception."""

    def shortlist(self, count: int = 5) -> list:
        """The configurations of the most promising candidates, for `cuda.tile.tune.exhaustive_search` on a GPU."""
        return [candidate.config for candidate in self.candidates[:count]]

    @property
    def best(self) -> Candidate:
        """The most promising one."""
        return self.candidates[0]

    def __str__(self) -> str:
        rows = [("time", "limited by", "registers", "spills", "shared", "occupancy", "configuration")]
        for candidate in self.candidates:
            data = candidate.estimate.data
            rows.append((_readable(candidate.seconds), candidate.limiter, _known(data["registers"]),
                         _known(data["spill_bytes"]), str(data["shared_bytes"]),
                         f"{data['occupancy']['share']:.0%}", str(candidate.config)))
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]) - 1)]
        lines = ["  ".join([*(cell.rjust(width) for cell, width in zip(row, widths)), row[-1]]) for row in rows]
        lines += [f"cannot run: {config}: {message}" for config, _, message in self.failures]
        return "\n".join(lines)


def _known(figure: int | None) -> str:
    return "?" if figure is None else str(figure)


@public
def tune(search_space: Sequence, grid_fn: Callable, kernel, args_fn: Callable, hints_fn: Callable | None = None, *,
         target: str | None = None, gpu: str | None = None, blocks: int | None = 4,
         max_steps: int = 0) -> Tuning:
    """Ranks the variants of a cuTile kernel by what they cost on a GPU, without one. It takes the
    functions that `cuda.tile.tune.exhaustive_search` takes.

    `search_space`: configurations. `grid_fn`, `args_fn`: from a configuration to the grid and the
    arguments of a launch. `kernel`: the kernel, or a function from a configuration to it. `hints_fn`: from a
    configuration to hints of the compiler. `target`, `blocks`, `max_steps`: as for `estimate`. `gpu`: the
    name of a GPU with code for `target`; None: the first one.

    The order is a proposal: it does not know latencies. Measure the first few on a GPU
    (`Tuning.shortlist`).

    A configuration that cannot run is one of `Tuning.failures`; if none can, raises what the first one raises.
    Raises ValueError for an empty search space, an unknown GPU, and a target without published figures.
    """
    if not search_space:
        raise ValueError("expected configurations, but the search space is empty")
    candidates, failures, first = [], [], None
    for config in search_space:
        variant = _variant(kernel, config, hints_fn)
        grid, args = grid_fn(config), args_fn(config)
        try:
            estimated = estimate(variant, args, grid, target=target, blocks=blocks, max_steps=max_steps)
        except Exception as error:
            failures.append((config, type(error), str(error)))
            first = first or error
        else:
            candidates.append(Candidate(config, estimated, estimated.on(gpu)["name"]))
    if not candidates:
        raise first
    return Tuning(sorted(candidates, key=lambda candidate: candidate._rank), failures)


def _variant(kernel, config, hints_fn):
    # A kernel is callable as well, but only to say that it must be launched.
    variant = kernel if hasattr(kernel, "_annotated_function") else kernel(config)
    return variant.replace_hints(**hints_fn(config)) if hints_fn else variant
