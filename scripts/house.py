#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the structure of the product code, tilewright/ and tools/ without tests:

members    member functions that a class declares (nested classes are counted separately)
files      .cpp files that define functions of a class or of its nested classes
folder     units in a folder: Name.h, Name.cpp, Name_test.cpp and Name.td are one unit
rings      units of a room that include each other in a cycle
lists      places in a room that handle three or more operation classes alike, other than
           dispatch tables; see op_lists.py
operation  for each family, the number of files that name its least-mentioned operation: a new
           operation of the family must be added to as many files

    house.py                prints the numbers
    house.py --op LoadViewOp    prints the files that name this operation
    house.py --check        compares the numbers with house_limits.txt, as ./dev lint does
    house.py --lower        lowers the numbers in that file where the code has improved

Values that exceeded a limit when it was introduced are listed there as exceptions with their own number.
"""

import argparse
import pathlib
import re
import sys
from collections import defaultdict
from dataclasses import dataclass

from cpp import Source
from op_lists import is_ours, lists_in, read_operations

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIMITS = "scripts/house_limits.txt"
SOURCES = {".h", ".cpp", ".td", ".py"}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare with the limits")
    parser.add_argument("--lower", action="store_true", help="take out what is better now")
    parser.add_argument("--op", metavar="CLASS", help="the files that name this operation")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="of the tree (%(default)s)")
    arguments = parser.parse_args()
    house = House(arguments.root)
    if arguments.op:
        if arguments.op not in house.operations:
            parser.error(f"no record in tile/ops is called Tile_{arguments.op}")
        print("\n".join(sorted(house.naming[arguments.op])))
        return 0
    if arguments.lower:
        lower(house, arguments.root / LIMITS)
    if arguments.check or arguments.lower:
        errors = check(house, arguments.root)
        print("\n".join(errors + [f"house: {len(errors)} errors"]))
        return 1 if errors else 0
    print_tables(house)
    return 0


# --- Numbers ------------------------------------------------------------------------------


class House:
    def __init__(self, root: pathlib.Path):
        files = [f.relative_to(root) for top in ("tilewright", "tools")
                 for f in sorted((root / top).rglob("*")) if f.suffix in SOURCES and f.is_file()]
        self.folders = count_units(files)
        product = [f for f in files if not f.stem.endswith("_test")]
        self.sources = {f: Source(root / f) for f in product if f.suffix in (".h", ".cpp")}
        self.members, self.definitions = self.read_classes()
        self.rings = self.find_rings()
        records = {f: (root / f).read_text() for f in product if f.suffix == ".td"}
        self.operations, self.families = read_operations(records)
        self.naming = self.find_naming(records)
        self.lists = [found for file, source in self.sources.items()
                      for found in lists_in(file, source, self.operations)]

    def numbers(self) -> dict[tuple[str, str], int]:
        """Maps (measure, name) to a number."""
        found = {("members", name): count for name, count in self.members.items()}
        found |= {("files", name): len(files) for name, files in self.definitions.items()}
        found |= {("folder", name): units for name, (units, _) in self.folders.items()}
        for room, rings in self.rings.items():
            found["rings", room] = sum(map(len, rings))
        for entry in self.lists:
            room = room_of(entry.file)
            found["lists", room] = found.get(("lists", room), 0) + 1
        for family, members in self.families.items():
            if members:
                found["operation", family] = min(len(self.naming[op]) for op in members)
        return found

    def read_classes(self) -> tuple[dict[str, int], dict[str, set[str]]]:
        """By room/Class, or by path:Class for classes that are local to a .cpp file."""
        members: dict[str, int] = defaultdict(int)
        definitions: dict[str, set[str]] = defaultdict(set)
        rooms = {room_of(file) for file in self.sources}
        for file, source in self.sources.items():
            own = file.suffix == ".cpp"
            for found in source.classes:
                name = f"{file}:{found.name}" if own else f"{room_of(file)}/{found.name}"
                members[name] = max(members[name], len(found.functions))
            if own:
                local = {found.name for found in source.classes}
                for name in local:
                    definitions[f"{file}:{name}"].add(str(file))
                for namespace, name in source.defined:
                    room = namespace if namespace in rooms else room_of(file)
                    parts = name.split("::")
                    if parts[0] not in local:
                        for count in range(1, len(parts) + 1):
                            definitions[f"{room}/{'::'.join(parts[:count])}"].add(str(file))
        return members, definitions

    def find_rings(self) -> dict[str, list[list[str]]]:
        """Cycles of units, by the room of their first unit."""
        includes: dict[str, set[str]] = defaultdict(set)
        for file, source in self.sources.items():
            unit = str(file.with_suffix(""))
            includes[unit] |= {i.rsplit(".", 1)[0] for i in source.includes} - {unit}
        reached = reachable(includes)
        rings: dict[str, list[list[str]]] = defaultdict(list)
        seen: set[str] = set()
        for unit in sorted(includes):
            if unit in reached[unit] and unit not in seen:
                ring = sorted(u for u in reached[unit] if unit in reached.get(u, ()))
                seen.update(ring)
                rings[room_of(pathlib.Path(unit))].append(ring)
        return rings

    def find_naming(self, records: dict[pathlib.Path, str]) -> dict[str, set[str]]:
        """Maps each operation to the files that name it. Rooms that do not include tile/ mean others."""
        rooms = {room_of(file) for file, source in self.sources.items()
                 if any(i.startswith("tilewright/tile/") for i in source.includes)} | {"tile"}
        naming = {op: set() for op in self.operations}
        for file, source in self.sources.items():
            if room_of(file) in rooms:
                for at, token in enumerate(source.tokens):
                    if token in naming and is_ours(source.tokens, at):
                        naming[token].add(str(file))
        for file, text in records.items():
            for name in re.findall(r"\bTile_(\w+Op)\b", text):
                if name in naming:
                    naming[name].add(str(file))
        return naming


def room_of(file: pathlib.Path) -> str:
    return file.parts[1] if file.parts[0] == "tilewright" else file.parts[0]


def count_units(files: list[pathlib.Path]) -> dict[str, tuple[int, int]]:
    """Maps each folder to its numbers of units and files."""
    units, count = defaultdict(set), defaultdict(int)
    for file in files:
        units[str(file.parent)].add(file.stem.removesuffix("_test"))
        count[str(file.parent)] += 1
    return {folder: (len(names), count[folder]) for folder, names in units.items()}


def reachable(table: dict[str, set[str]]) -> dict[str, set[str]]:
    """The transitive closure of the table."""
    closed = {}
    for start in list(table):
        seen, waiting = set(), [start]
        while waiting:
            for used in table.get(waiting.pop(), ()):
                if used not in seen:
                    seen.add(used)
                    waiting.append(used)
        closed[start] = seen
    return closed


# --- Limits -------------------------------------------------------------------------------


@dataclass
class Limits:
    """Each measure has a line `measure limit`, or `measure limit name`, which takes precedence for that
    name. Indented lines below it are exceptions: a number and a name."""
    limits: dict[tuple[str, str | None], int]
    exceptions: dict[tuple[str, str], int]

    def of(self, measure: str, name: str) -> int:
        return self.limits.get((measure, name), self.limits.get((measure, None), sys.maxsize))


def read_limits(file: pathlib.Path) -> Limits:
    limits, exceptions, measure = {}, {}, ""
    for number, line in enumerate(file.read_text().splitlines(), start=1):
        words = line.split("#")[0].split()
        if not words:
            continue
        try:
            if line[0].isspace():
                exceptions[measure, words[1]] = int(words[0])
            else:
                measure = words[0]
                limits[measure, words[2] if words[2:] else None] = int(words[1])
        except (IndexError, ValueError):
            sys.exit(f"{file}:{number}: expected 'measure limit' or '  number name', found '{line}'")
    return Limits(limits, exceptions)


def check(house: House, root: pathlib.Path) -> list[str]:
    limits, numbers = read_limits(root / LIMITS), house.numbers()
    errors = []
    for (measure, name), number in sorted(numbers.items()):
        limit = limits.of(measure, name)
        allowed = limits.exceptions.get((measure, name), limit)
        if number > max(allowed, limit):
            exception = f" (an exception; the limit is {limit})" if allowed > limit else ""
            errors.append(f"{describe(house, measure, name, number)}, but at most {allowed} are "
                          f"allowed{exception}")
    for (measure, name), allowed in sorted(limits.exceptions.items()):
        number = numbers.get((measure, name), 0)
        if number <= limits.of(measure, name):
            errors.append(f"{LIMITS}: {measure} of {name}: {number} is within the limit: delete the "
                          f"line (house.py --lower does)")
        elif number < allowed:
            errors.append(f"{LIMITS}: {measure} of {name}: write {number} in place of {allowed} "
                          f"(house.py --lower does)")
    return errors


def describe(house: House, measure: str, name: str, number: int) -> str:
    if measure == "lists":
        places = [f"{entry.file}:{entry.line} ({', '.join(entry.operations[:3])} ...)"
                  for entry in house.lists if room_of(entry.file) == name]
        return f"{name}/: {number} lists of operations, at {', '.join(places)}"
    if measure == "rings":
        rings = "; ".join(" ".join(short(u) for u in ring) for ring in house.rings[name])
        return f"{name}/: {number} units include each other in rings: {rings}"
    what = {"members": "member functions", "files": "files define its functions",
            "folder": "units in the folder",
            "operation": "files name even the operation of this family that is named least"}
    return f"{name}: {number} {what[measure]}"


def short(unit: str) -> str:
    return unit.removeprefix("tilewright/")


def lower(house: House, file: pathlib.Path) -> None:
    limits, numbers, measure, lines = read_limits(file), house.numbers(), "", []
    for line in file.read_text().splitlines():
        words = line.split()
        if words and not line[0].isspace() and words[0] != "#":
            measure = words[0]
        elif words and words[0].isdigit():
            number = numbers.get((measure, words[1]), 0)
            if number <= limits.of(measure, words[1]):
                continue
            if number < int(words[0]):
                line = line.replace(words[0], str(number).rjust(len(words[0])), 1)
        lines.append(line)
    file.write_text("\n".join(lines) + "\n")


# --- Tables -------------------------------------------------------------------------------


def print_tables(house: House) -> None:
    print(f"{'members':>8}{'files':>7}  class (the largest)")
    classes = set(house.members) | set(house.definitions)
    ranked = sorted(classes, key=lambda c: (-house.members.get(c, 0), c))
    wide = [c for c in ranked[15:] if len(house.definitions.get(c, ())) > 3]
    for name in ranked[:15] + wide:
        members = house.members.get(name, "-")  # tablegen declares the classes of records
        print(f"{members:>8}{len(house.definitions.get(name, ())):>7}  {name}")
    print(f"\n{'units':>8}{'files':>7}  folder")
    for folder, (units, files) in sorted(house.folders.items(), key=lambda f: (-f[1][0], f[0])):
        print(f"{units:>8}{files:>7}  {folder}")
    print(f"\n{'units':>8}  ring")
    for ring in (ring for rings in house.rings.values() for ring in rings):
        print(f"{len(ring):>8}  {' '.join(short(unit) for unit in ring)}")
    print(f"\n{'ops':>8}  list of operations ({len(house.lists)} in all)")
    for entry in house.lists:
        print(f"{len(entry.operations):>8}  {entry.file}:{entry.line}  {', '.join(entry.operations[:4])}")
    print(f"\n{'files':>8}  name even this operation, the least of its family")
    for family, operations in house.families.items():
        if operations:
            least = min(operations, key=lambda op: (len(house.naming[op]), op))
            files = sorted(short(f) for f in house.naming[least])
            print(f"{len(files):>8}  {least} ({family}): {', '.join(files)}")


if __name__ == "__main__":
    sys.exit(main())
