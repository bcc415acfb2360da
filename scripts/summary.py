# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the passed and failed test cases of all kinds that ./dev test runs.

Each kind leaves a result file: GoogleTest programs one XML file each, lit one for all
its tests, and a report its exit status. The counts are read from these files. A missing
file, or a program that crashed before it wrote its file, is a failure. The last line is
"N passed, N failed"; the exit status is 1 if a case failed.
"""

import argparse
import pathlib
import sys
import xml.etree.ElementTree as xml
from dataclasses import dataclass, field


@dataclass
class Count:
    passed: int = 0
    skipped: int = 0
    failed: list[str] = field(default_factory=list)

    def add(self, name: str, failed: bool, skipped: bool = False) -> None:
        if failed:
            self.failed.append(name)
        elif skipped:
            self.skipped += 1
        else:
            self.passed += 1

    def __iadd__(self, other: "Count") -> "Count":
        self.passed += other.passed
        self.skipped += other.skipped
        self.failed += other.failed
        return self


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--unit", type=pathlib.Path, action="append", default=[],
                        metavar="FOLDER", help="ctest.xml and one XML per GoogleTest program")
    parser.add_argument("--lit", type=pathlib.Path, action="append", default=[],
                        metavar="FILE", help="what lit --xunit-xml-output wrote")
    parser.add_argument("--check", action="append", default=[], metavar="NAME=STATUS")
    arguments = parser.parse_args()

    counts = {}
    for folder in arguments.unit:
        counts[folder.name] = count_unit_tests(folder)
    for file in arguments.lit:
        counts[file.stem] = count_cases(file)
    for check in arguments.check:
        name, status = check.rsplit("=", 1)
        counts[name] = Count()
        counts[name].add(name, failed=status != "0")

    total = Count()
    print()
    for kind, count in counts.items():
        skipped = f", {count.skipped} skipped" if count.skipped else ""
        print(f"{kind + ':':14} {count.passed} passed, {len(count.failed)} failed{skipped}")
        total += count
    if total.failed:
        print("\nFailed:")
        for name in total.failed:
            print(f"  {name}")
    if total.passed + len(total.failed) == 0:
        print("no test has this name")
    print(f"\n{total.passed} passed, {len(total.failed)} failed")
    return 1 if total.failed or total.passed == 0 else 0


def count_unit_tests(folder: pathlib.Path) -> Count:
    """Counts GoogleTest cases; a ctest entry of another kind counts as one case.

    ctest calls the program ROOM_tests by the name ROOM (cmake/TilewrightRooms.cmake).
    """
    count = Count()
    entries = read_xml(folder / "ctest.xml")
    if entries is None:
        count.add(f"{folder.name}: ctest did not finish", failed=True)
        return count
    for entry in entries.iter("testcase"):
        name = entry.get("name")
        status = entry.get("status")  # "notrun": the program does not exist
        entry_failed = status not in ("run", "disabled")
        file = folder / f"{name}_tests.xml"
        if not file.exists():
            count.add(name, entry_failed, skipped=status == "disabled")
            continue
        cases = count_cases(file)
        if entry_failed and not cases.failed:
            cases.add(f"{name}: ended badly after its last case", failed=True)
        count += cases
    return count


def count_cases(file: pathlib.Path) -> Count:
    """Counts the cases of a JUnit file, as written by GoogleTest and lit."""
    count = Count()
    suites = read_xml(file)
    if suites is None:
        count.add(f"{file.name}: no results were written", failed=True)
        return count
    for case in suites.iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name')}"
        failed = case.find("failure") is not None or case.find("error") is not None
        skipped = case.find("skipped") is not None or case.get("status") == "notrun"
        count.add(name, failed, skipped)
    return count


def read_xml(file: pathlib.Path) -> xml.Element | None:
    try:
        return xml.parse(file).getroot()
    except (OSError, xml.ParseError):
        return None


if __name__ == "__main__":
    sys.exit(main())
