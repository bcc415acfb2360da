# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes the figures of a comparison from the seconds that each contestant took in each round: rates,
ratios to the best peer with quartiles, shares of the limit, and speed-ups from threads.

The report, the plot and the tables of docs/benchmarks.md all use these functions. They need only the standard
library, because the check of that page runs without NumPy.
"""

import statistics
import types
from dataclasses import dataclass, field

OURS, PEER, LIMIT = "ours", "peer", "limit"  # the roles of contestants


@dataclass
class Result:
    """The result of one contestant: seconds per call in each round, or why there are none."""
    contestant: "Contestant"  # of case.py
    seconds: list[float] = field(default_factory=list)
    problem: str = ""
    wrong: bool = False  # the result was wrong, as opposed to not supported

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)


@dataclass
class Race:
    case: "Case"  # of case.py
    threads: int
    results: list[Result]

    def of(self, role: str) -> list[Result]:
        return [r for r in self.results if r.contestant.role == role and r.seconds]

    def fastest(self) -> Result | None:
        """Our fastest kernel."""
        return min(self.of(OURS), key=lambda r: r.median, default=None)

    def best_peer(self) -> Result | None:
        return min(self.of(PEER), key=lambda r: r.median, default=None)

    def limit(self) -> Result | None:
        """The highest of several limits (such as two ways to copy)."""
        return max(self.of(LIMIT), key=self.rate, default=None)

    def rate(self, result: Result) -> float:
        return (result.contestant.work or self.case.work) / result.median

    def ratios(self, ours: Result, other: Result) -> list[float]:
        """The speed relative to the other contestant per round, sorted."""
        scale = ((ours.contestant.work or self.case.work) /
                 (other.contestant.work or self.case.work))
        return sorted(scale * b / a for a, b in zip(ours.seconds, other.seconds))


def quartiles(values: list[float]) -> tuple[float, float, float]:
    if len(values) < 2:
        return (values[0],) * 3
    low, middle, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, middle, high


def figures_of(race: Race, ours: Result) -> dict:
    """The figures of one of our kernels. Those that were not measured are absent."""
    peer, limit = race.best_peer(), race.limit()
    found = {"kernel": race.case.name, "ours": ours.contestant.name, "threads": race.threads}
    if not ours.seconds:
        return found
    found |= {"rate": race.rate(ours) / 1e9, "unit": f"G{race.case.unit}/s"}
    if limit:
        found["of_limit"] = statistics.median(race.ratios(ours, limit))
    if peer:
        low, middle, high = quartiles(race.ratios(ours, peer))
        found |= {"ratio": middle, "low": low, "high": high, "peer": peer.contestant.name}
    return found


def speedups(few: Race, many: Race) -> tuple[float | None, float | None]:
    """The speed on many threads over the speed on few: our fastest kernel's, and the best peer's."""
    def speedup(first: Result | None, second: Result | None) -> float | None:
        return first.median / second.median if first and second else None
    return speedup(few.fastest(), many.fastest()), speedup(few.best_peer(), many.best_peer())


def by_kernel(races: list[Race]) -> list[list[Race]]:
    """The races of each kernel, with few threads first."""
    found = {}
    for race in races:
        found.setdefault(race.case.name, []).append(race)
    return [sorted(same, key=lambda race: race.threads) for same in found.values()]


def rows_of(races: list[Race], only_fastest: bool) -> list[dict]:
    """A row for each of our kernels, or only the fastest for a computation. If the kernels ran with two numbers
    of threads, a row also has the figures with more threads (`many_ratio` and so on) and the speed-ups."""
    rows = []
    for few, *more in by_kernel(races):
        all_ours = [r for r in few.results if r.contestant.role == OURS]
        if only_fastest and few.fastest():
            all_ours = [few.fastest()]
        for ours in all_ours:
            row = figures_of(few, ours)
            for many in more[-1:]:
                same = many.fastest() if only_fastest else next(
                    (r for r in many.results if r.contestant.name == ours.contestant.name), None)
                if same:
                    row |= {f"many_{name}": value for name, value in figures_of(many, same).items()}
                row["speedup"], row["peer_speedup"] = speedups(few, many)
            rows.append(row)
    return rows


# --- Recorded races -------------------------------------------------------------------------

def recorded(race: Race) -> dict:
    """The race as data for JSON; five digits are more than a clock has."""
    return {"case": race.case.name, "group": race.case.group, "threads": race.threads,
            "unit": race.case.unit,
            "results": [{"name": r.contestant.name, "library": r.contestant.library,
                         "role": r.contestant.role, "problem": r.problem.split("\n")[0],
                         "work": r.contestant.work or race.case.work,
                         "seconds": [float(f"{s:.5g}") for s in r.seconds]} for r in race.results]}


def race_from(data: dict) -> Race:
    """What `recorded` was called with, as far as figures need it."""
    case = types.SimpleNamespace(name=data["case"], group=data["group"], unit=data["unit"], work=None)
    return Race(case, data["threads"], [
        Result(types.SimpleNamespace(name=r["name"], library=r["library"], role=r["role"], work=r["work"]),
               r["seconds"], r["problem"]) for r in data["results"]])
