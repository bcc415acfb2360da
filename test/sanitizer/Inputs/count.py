# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the bugs in a folder, by kind.

    tilewright run --help | count.py FOLDER AT-LEAST

Counts the files with an entry @bug and its counterpart @fixed, and for each check the files that
expect it in a report. Fails if there are fewer pairs than AT-LEAST, a check that no file expects, or a
malformed file.
"""

import pathlib
import re
import sys

# A failed assertion has its own message.
ASSERTION = "assertion failed: "
# Findings without a check that can be switched off.
ALWAYS = ["deadlock"]


def main() -> None:
    folder, at_least = pathlib.Path(sys.argv[1]), int(sys.argv[2])
    files_of = {check: [] for check in checks_of(sys.stdin.read()) + ALWAYS}
    files = sorted(folder.glob("*.mlir"))
    for file in files:
        expected = checks_in(file)
        for check in expected:
            if check not in files_of:
                sys.exit(f"{file.name}: expects [{check}], but there is no such check")
            files_of[check].append(file.name)
    for check, names in files_of.items():
        print(f"{check}: {len(names)}")
    print(f"{len(files)} pairs")
    if missing := [check for check, names in files_of.items() if not names]:
        sys.exit(f"no bug for: {', '.join(missing)}")
    if len(files) < at_least:
        sys.exit(f"there must be at least {at_least}")


def checks_of(help_text: str) -> list[str]:
    """The names in the list of checks, which ends with an empty line."""
    _, _, rest = help_text.partition("The checks of --check:\n")
    names = [line.split()[0] for line in rest.split("\n\n")[0].splitlines()]
    return names or sys.exit("found no list of checks in the help")


def checks_in(file: pathlib.Path) -> set[str]:
    text = file.read_text()
    for part in ("RUN: %pair ", "entry @bug(", "entry @fixed("):
        if text.count(part) != 1:
            sys.exit(f"{file.name}: expected one '{part}', found {text.count(part)}")
    report = text[:text.index("CHECK: fixed:")]
    checks = set()
    for line in re.findall(r"// CHECK.*", report):
        # At the end of a report: [race], or \[race\] in a regular expression.
        checks |= set(re.findall(r" \\?\[([a-z-]+)\\?\]", line))
    if ASSERTION in report:
        checks.add("assert")
    if not checks:
        sys.exit(f"{file.name}: expects no finding")
    return checks


if __name__ == "__main__":
    main()
