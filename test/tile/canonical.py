# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that `tilewright print` reproduces a Tile IR file.

The file is its own expectation: printing it gives the same lines, except for comments and empty lines.
Indentation counts; runs of spaces inside a line do not (textual format, 12.1). The generic form must be
equivalent: printed in custom form it gives the file again, printed in generic form it gives itself. With
--fixpoint the file may have any spelling; then the printed text is checked in the same way.
"""

import argparse
import difflib
import re
import subprocess
import sys


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tilewright", help="the program")
    parser.add_argument("file", help="a file of Tile IR")
    parser.add_argument("--fixpoint", action="store_true", help="the file need not be canonical")
    options = parser.parse_args()

    def printed(text: str, *flags: str) -> str:
        command = [options.tilewright, "print", *flags, "-"]
        ended = subprocess.run(command, input=text, capture_output=True, text=True)
        if ended.returncode != 0:
            sys.exit(f"{' '.join(command)}: exit {ended.returncode}\n{ended.stderr}")
        return ended.stdout

    with open(options.file, encoding="utf-8") as file:
        source = file.read()
    custom = printed(source)
    wanted = custom if options.fixpoint else source
    generic = printed(custom, "--generic")
    comparisons = {
        "custom form": (wanted, custom),
        "custom form, printed again": (wanted, printed(custom)),
        "custom form of the file's generic form": (wanted, printed(printed(source, "--generic"))),
        "generic form of the generic form": (generic, printed(generic, "--generic")),
    }
    different = [name for name, (want, have) in comparisons.items() if lines(want) != lines(have)]
    for name in different:
        want, have = comparisons[name]
        print("\n".join(difflib.unified_diff(lines(want), lines(have), "expected", name, n=2,
                                             lineterm="")))
    return 1 if different else 0


def lines(text: str) -> list[str]:
    """Without comments and empty lines; runs of spaces are replaced by one."""
    kept = [line for line in text.splitlines() if not re.match(r"\s*(//|$)", line)]
    return [re.sub(r"(?<=\S)\s+", " ", line).rstrip() for line in kept]


if __name__ == "__main__":
    sys.exit(main())
