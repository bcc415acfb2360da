# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the pictures of docs/plan.md from the plans that the page shows, or checks that they are current.

Extents, counts and offsets in the pictures are read from the console blocks of the page, which tour.py
compares with what the compilers print. After a change of the compilers: `tour.py --update`, then
`plan_pictures.py --update`. The functions that draw, one per picture, are in plan_pictures_loops.py,
plan_pictures_memory.py (both for the CPU compiler) and plan_pictures_gpu.py. Pictures of layouts are
drawn by commands of the page itself.
"""

import argparse
import pathlib
import re
import sys

import plan_pictures_gpu
import plan_pictures_loops
import plan_pictures_memory

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "plan.md"
FOLDER = ROOT / "docs" / "images" / "plan"
PICTURES = plan_pictures_loops.PICTURES | plan_pictures_memory.PICTURES | plan_pictures_gpu.PICTURES


class Page:
    """What the page shows under its headings."""

    def __init__(self, text: str):
        parts = re.split(r"^### (.*)\n", text, flags=re.MULTILINE)
        self.sections = dict(zip(parts[1::2], parts[2::2]))

    def find(self, section: str, pattern: str) -> tuple[str, ...]:
        """The groups of the first match in a section."""
        found = re.search(pattern, self.sections[section])
        if not found:
            sys.exit(f"{PAGE}: '{section}' shows nothing that matches {pattern}: has the plan changed?")
        return found.groups()

    def numbers(self, section: str, pattern: str) -> list[int]:
        return [int(group) for group in self.find(section, pattern)]

    def all(self, section: str, pattern: str) -> list[tuple[str, ...]]:
        found = [match.groups() for match in re.finditer(pattern, self.sections[section])]
        if not found:
            sys.exit(f"{PAGE}: '{section}' shows nothing that matches {pattern}: has the plan changed?")
        return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", help="write the pictures")
    arguments = parser.parse_args()

    text = PAGE.read_text()
    page, errors = Page(text), []
    for name, draw in PICTURES.items():
        file, drawn = FOLDER / f"{name}.svg", draw(page).svg()
        if arguments.update:
            file.write_text(drawn)
        elif not file.exists() or file.read_text() != drawn:
            errors.append(f"{file.relative_to(ROOT)}: outdated: run scripts/plan_pictures.py --update")
    shown = set(re.findall(r"\(images/plan/(\S+)\.svg\)", text))
    errors += [f"{PAGE.relative_to(ROOT)}: does not show {name}.svg" for name in PICTURES.keys() - shown]
    errors += [f"{PAGE.relative_to(ROOT)}: there is no {name}.svg" for name in shown
               if not (FOLDER / f"{name}.svg").exists()]
    print("\n".join(sorted(errors)) or f"{len(PICTURES)} pictures are current")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
