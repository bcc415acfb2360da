# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Records a comparison as kernel_speed.py does, with seconds for which a person can compute the figures.

    record_race.py KERNEL --json FILE [OPTION...]
"""

import pathlib
import sys
from types import SimpleNamespace

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "bench"))

from speed import figures, record, report  # noqa: E402


def result(name: str, role: str, seconds: list[float], problem: str = "", work: float = 8e9) -> figures.Result:
    return figures.Result(SimpleNamespace(name=name, library="L", role=role, work=work), seconds, problem)


at = next(number for number, word in enumerate(sys.argv) if word.startswith("--json"))
file = sys.argv[at].removeprefix("--json").removeprefix("=") or sys.argv[at + 1]
case = SimpleNamespace(name=sys.argv[1], group="products", unit="flop", work=8e9)
race = figures.Race(case, 1, [
    result("tile 64", figures.OURS, [1.0, 2.0, 4.0]), result("tile 128", figures.OURS, [], "out of\nmemory"),
    result("A", figures.PEER, [], "not installed"), result("B", figures.PEER, [2.0, 2.0, 4.0]),
    result("limit", figures.LIMIT, [2.0, 2.0, 2.0], work=16e9)])
print(*report.lines_of(race), *report.peer_lines(race), sep="\n")
record.write(pathlib.Path(file), report.table_of([1]) | {"cases": [figures.recorded(race)]})
