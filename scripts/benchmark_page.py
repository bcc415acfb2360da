#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables of docs/benchmarks.md and README.md from the measurements in bench/results/.

    scripts/benchmark_page.py            reports tables that differ from the data, as ./dev lint does
    scripts/benchmark_page.py --update   rewrites them

A table is on the lines between `<!-- generated from bench/results/NAME.json -->` and `<!-- end -->`; the text around
it is written by hand. A marker that ends in `.json, view VIEW -->` shows a selection. bench/README.md describes the
files. Figures that follow from others, such as ratios and exponents, are computed here and not stored.
"""

import argparse
import json
import math
import pathlib
import re
import statistics
import string
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench"))

from speed import figures  # noqa: E402

RESULTS = "bench/results"
START = re.compile(rf"<!-- generated from {RESULTS}/([\w-]+\.json)(?:, view ([\w-]+))? -->")
END = "<!-- end -->"
WIDTH = 120


class Malformed(Exception):
    """Says what is wrong with a file of results."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=ROOT,
                        help="the folder with bench/results and the pages (%(default)s)")
    parser.add_argument("--update", action="store_true", help="rewrite the tables")
    arguments = parser.parse_args()
    errors = check(arguments.root, arguments.update)
    print(*errors, f"benchmark_page: {len(errors)} errors", sep="\n")
    return 1 if errors else 0


def check(root: pathlib.Path, update: bool = False) -> list[str]:
    """Compares the tables on all pages with the data, or rewrites them. Returns errors."""
    errors, shown = [], set()
    for page in [*sorted(root.glob("*.md")), *sorted(root.glob("docs/**/*.md"))]:
        before = page.read_text()
        if "<!-- generated from " not in before:
            continue
        lines, problems, stale = generate(before.splitlines(), root, shown)
        if update:
            page.write_text("\n".join(lines) + "\n")
        else:
            problems += [(line, f"the table differs from {name}: scripts/benchmark_page.py --update rewrites it")
                         for line, name in stale]
        errors += [f"{page.relative_to(root)}:{line}: {problem}" for line, problem in sorted(problems)]
    return errors + [f"{file.relative_to(root)}: no page has a table for this file"
                     for file in sorted((root / RESULTS).glob("*.json")) if file.name not in shown]


def generate(lines: list[str], root: pathlib.Path, shown: set[str]) -> tuple[list, list, list]:
    """The page with current tables; errors with their lines; and the lines and files of tables that differ. A
    table with an error stays as it is. Adds the names of the files to `shown`."""
    found, problems, stale, at = [], [], [], 0
    while at < len(lines):
        found.append(lines[at])
        at += 1
        if not (marker := START.fullmatch(lines[at - 1])):
            continue
        name, view = f"{RESULTS}/{marker[1]}", marker[2]
        shown.add(marker[1])
        end = next((number for number, line in enumerate(lines[at:], start=at)
                    if line == END or START.fullmatch(line)), len(lines))
        if end == len(lines) or lines[end] != END:
            problems.append((at, f"the table of {name} has no line '{END}'"))
            continue
        try:
            current = block(json.loads((root / name).read_text()), view)
        except KeyError as error:
            problems.append((at, f"{name}: there is no {error}"))
        except (OSError, ValueError, TypeError, Malformed) as error:
            problems.append((at, f"{name}: {error}"))
        else:
            if current != lines[at:end]:
                stale.append((at, name))
            found += current
            at = end
    return found, problems, stale


# --- A table ------------------------------------------------------------------------------

def block(data: dict, view: str | None) -> list[str]:
    """The lines of one table. The main table of a file also shows its processor, date, command and notes."""
    rows = rows_of(data)
    if view is None:
        return [*origin(data), "", *table(data["columns"], rows), "", *remarks(data, rows)]
    selection = data["views"][view]
    by_name = {row["kernel"]: row for row in rows}
    return ["", *table(selection["columns"], [by_name[name] for name in selection["kernels"]]), ""]


def rows_of(data: dict) -> list[dict]:
    """Maps names to values for each row: of the rounds of a run of kernel_speed.py (`cases`), or of stored figures
    (`rows`, whose values are called `fields`)."""
    if "cases" in data:
        races = [figures.race_from(case) for case in data["cases"]]
        return figures.rows_of(races, data.get("only_fastest", False))
    rows = []
    for number, values in enumerate(data["rows"], start=1):
        if len(values) != len(data["fields"]):
            raise Malformed(f"row {number} has {len(values)} values, but there are "
                            f"{len(data['fields'])} fields")
        row = data.get("constants", {}) | dict(zip(data["fields"], values))
        # A stored figure has precedence: it was computed from more digits than the row has.
        for name, (function, *names) in data.get("computed", {}).items():
            if row.get(name) is None and all(row[operand] is not None for operand in names):
                row[name] = FUNCTIONS[function](row, names)
        rows.append(row)
    return rows


def quotient(row: dict, names: list[str]) -> float:
    dividend, divisor = names
    return row[dividend] / row[divisor]


def exponent(row: dict, names: list[str]) -> float:
    """The slope in a log-log plot. The values are called x1, x2, x4 ... after their sizes."""
    sizes = [math.log(int(name[1:])) for name in names]
    return statistics.linear_regression(sizes, [math.log(max(row[name], 1e-3)) for name in names]).slope


FUNCTIONS = {"quotient": quotient, "exponent": exponent}


def table(columns: list, rows: list[dict]) -> list[str]:
    cells = [[title for title, _ in columns], ["---"] * len(columns)]
    cells += [[cell(text, row) for _, text in columns] for row in rows]
    return ["|" + "|".join(line) + "|" if line[0] == "---" else
            "| " + " | ".join(line) + " |" for line in cells]


def cell(text: str, row: dict) -> str:
    """Formats `text`, such as "{low:.2f}-{high:.2f}"; "-" if a value was not measured."""
    names = [name for _, name, _, _ in string.Formatter().parse(text) if name]
    if any(row.get(name) is None for name in names):
        return "-"
    return text.format(**row)


def origin(data: dict) -> list[str]:
    """The sentence above a table: where, when and how it was measured, as far as that was recorded."""
    command = f"`{data['command']}`" if "command" in data else None
    parts = [data["processor"], data.get("date"), data.get("conditions"), command]
    return wrapped("; ".join(filter(None, parts)) + ".")


def remarks(data: dict, rows: list[dict]) -> list[str]:
    """What follows a table: a summary, and notes that rows refer to by number."""
    lines = []
    if summary := data.get("summary"):
        below = sum(round(row["ratio"], 2) < 1 for row in rows if row.get("ratio") is not None)
        constants = data.get("constants", {})
        lines += [*wrapped(summary.format(rows=len(rows), below=below, **constants)), ""]
    for number, note in enumerate(data.get("notes", []), start=1):
        lines += wrapped(f"{number}. {note}", "   ")
    return [*lines, ""] if data.get("notes") else lines


def wrapped(text: str, indent: str = "") -> list[str]:
    """The lines of a paragraph. Code stays on one line."""
    text = re.sub(r"`[^`]*`", lambda code: code[0].replace(" ", "\0"), text)
    lines = textwrap.wrap(text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


if __name__ == "__main__":
    sys.exit(main())
