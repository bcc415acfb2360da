# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the results: a line per kernel, and a plot."""

import pathlib
import statistics

from .figures import OURS, Race, by_kernel, figures_of, quartiles, speedups

HEADER = (f"{'kernel':<27}{'ours':<21}{'threads':>8}{'rate':>9}  {'':<5}{'of limit':>9}"
          f"{'ratio':>8}  {'quartiles':<13}{'best peer'}")


def lines_of(race: Race) -> list[str]:
    lines = []
    for ours in (r for r in race.results if r.contestant.role == OURS):
        start = f"{race.case.name:<27}{ours.contestant.name:<21}{race.threads:>8}"
        if ours.problem:
            lines.append(f"{start}  {first_line(ours.problem)}")
            continue
        found = figures_of(race, ours)
        share = f"{found['of_limit']:.0%}" if "of_limit" in found else "-"
        line = f"{start}{found['rate']:>9.1f}  {found['unit']:<5}{share:>9}"
        if "peer" in found:
            spread = f"{found['low']:.2f}-{found['high']:.2f}"
            line += f"{found['ratio']:>8.2f}  {spread:<13}{found['peer']}"
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
    for both in by_kernel(races):
        if len(both) != 2:
            continue
        ours, peer = speedups(*both)
        if ours:
            lines.append(f"{both[0].case.name:<27}{ours:>8.2f}{f'{peer:.2f}' if peer else '-':>8}")
    return lines


def table_of(threads: list[int]) -> dict:
    """Describes the table of a run for scripts/benchmark_page.py: with one number of threads, it has a row for each
    tile size; with several, one for the fastest, with the figures for the most threads."""
    ratio = [["ratio", "{ratio:.2f}"], ["quartiles", "{low:.2f}-{high:.2f}"], ["best peer", "{peer}"],
             ["of limit", "{of_limit:.0%}"]]
    names = [["kernel", "{kernel}"], ["ours", "{ours}"]]
    if len(threads) == 1:
        return {"columns": [*names, ["rate", "{rate:.1f} {unit}"], *ratio],
                "summary": "{below} of the {rows} rows are below 1.00."}
    return {"columns": [*names, *ratio, [f"{threads[-1]} threads: ratio", "{many_ratio:.2f}"],
                        ["quartiles", "{many_low:.2f}-{many_high:.2f}"],
                        ["over one thread", "{speedup:.2f}"], ["best peer", "{peer_speedup:.2f}"]],
            "only_fastest": True, "summary": "{below} of the {rows} rows are below 1.00 with one thread."}


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
            ours = race.fastest()
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
