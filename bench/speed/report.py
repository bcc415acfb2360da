# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the results: a line per kernel, all figures as JSON, and a plot."""

import json
import pathlib
import statistics

from .case import OURS, PEER
from .race import Race, Result

HEADER = (f"{'kernel':<27}{'ours':<21}{'threads':>8}{'rate':>9}  {'':<5}{'of limit':>9}"
          f"{'ratio':>8}  {'quartiles':<13}{'best peer'}")


def quartiles(values: list[float]) -> tuple[float, float, float]:
    if len(values) < 2:
        return (values[0],) * 3
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high


def lines_of(race: Race) -> list[str]:
    peer, limit = race.best_peer(), race.limit()
    lines = []
    for ours in (r for r in race.results if r.contestant.role == OURS):
        start = f"{race.case.name:<27}{ours.contestant.name:<21}{race.threads:>8}"
        if ours.problem:
            lines.append(f"{start}  {first_line(ours.problem)}")
            continue
        line = f"{start}{race.rate(ours) / 1e9:>9.1f}  G{race.case.unit + '/s':<4}"
        share = f"{statistics.median(race.ratios(ours, limit)):.0%}" if limit else "-"
        line += f"{share:>9}"
        if peer:
            low, middle, high = quartiles(race.ratios(ours, peer))
            line += f"{middle:>8.2f}  {f'{low:.2f}-{high:.2f}':<13}{peer.contestant.name}"
        lines.append(line)
    return lines


def peer_lines(race: Race) -> list[str]:
    """The results of peers and limits, and comparisons that were not possible."""
    others = [r for r in race.results if r.contestant.role != OURS]
    shown = [f"{r.contestant.name} {race.rate(r) / 1e9:.1f}" for r in others if r.seconds]
    lines = [f"    {'; '.join(shown)}"] if shown else []
    return lines + [f"    {r.contestant.name}: {first_line(r.problem)}" for r in others if r.problem]


def first_line(text: str) -> str:
    return text.split("\n")[0][:100]


def scaling_lines(races: list[Race]) -> list[str]:
    """The speed-up of each kernel from one thread to all threads, next to its best peer's."""
    lines = []
    by_case = {}
    for race in races:
        by_case.setdefault(race.case.name, []).append(race)
    for name, both in by_case.items():
        if len(both) != 2:
            continue
        few, many = sorted(both, key=lambda race: race.threads)

        def speedup(pick) -> float | None:
            first, second = pick(few), pick(many)
            return first.median / second.median if first and second else None
        fastest = lambda race: min(race.of(OURS), key=lambda r: r.median, default=None)
        ours, peer = speedup(fastest), speedup(Race.best_peer)
        if ours:
            lines.append(f"{name:<27}{ours:>8.2f}{f'{peer:.2f}' if peer else '-':>8}")
    return lines


def as_json(races: list[Race]) -> str:
    def result(r: Result, race: Race) -> dict:
        return {"name": r.contestant.name, "library": r.contestant.library,
                "role": r.contestant.role, "problem": r.problem,
                "work": r.contestant.work or race.case.work, "seconds": r.seconds}
    return json.dumps([{"case": race.case.name, "group": race.case.group, "threads": race.threads,
                        "unit": race.case.unit,
                        "results": [result(r, race) for r in race.results]} for race in races],
                      indent=1)


def plot(races: list[Race], file: pathlib.Path) -> None:
    """Plots every kernel's ratio to its best peer, for its best tile, with quartiles, and its fraction
    of the limit."""
    import matplotlib
    matplotlib.use("svg")
    from matplotlib import pyplot

    shown = [race for race in races if race.of(OURS)]
    names = list(dict.fromkeys(race.case.name for race in shown))
    figure, (left, right) = pyplot.subplots(1, 2, sharey=True,
                                            figsize=(11, 1.2 + 0.22 * len(names)))
    thread_counts = sorted({race.threads for race in shown})
    for number, threads in enumerate(thread_counts):
        shift = 0.16 * (2 * number - len(thread_counts) + 1)
        label = f"{threads} thread{'s' if threads > 1 else ''}"
        ratios, shares = [], []
        for race in (r for r in shown if r.threads == threads):
            position = names.index(race.case.name) + shift
            ours = min(race.of(OURS), key=lambda r: r.median)
            if peer := race.best_peer():
                ratios.append((position, *quartiles(race.ratios(ours, peer))))
            if limit := race.limit():
                shares.append((position, statistics.median(race.ratios(ours, limit))))
        if ratios:
            where, low, middle, high = zip(*ratios)
            spread = [[m - l for m, l in zip(middle, low)], [h - m for m, h in zip(middle, high)]]
            left.errorbar(middle, where, xerr=spread, fmt="o", markersize=4, label=label)
        if shares:
            where, share = zip(*shares)
            right.plot(share, where, "o", markersize=4, label=label)
    left.axvline(1, color="grey", linewidth=0.8)
    left.set_xscale("log", base=2)
    left.set_xlabel("speed relative to the best peer (quartiles)")
    right.set_xlabel("share of the machine's limit")
    right.set_xlim(left=0)
    left.set_yticks(range(len(names)), names, fontsize=7)
    left.invert_yaxis()
    if left.get_legend_handles_labels()[0]:
        left.legend()
    for axes in (left, right):
        axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(file)
    pyplot.close(figure)
