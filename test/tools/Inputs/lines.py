# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lines.py TILEWRIGHT FILE: checks that each line is refused as an attribute. Prints `LINE: COLUMN: MESSAGE`
to standard error; the attribute starts in column 1 of a separate line."""

import re
import subprocess
import sys

program, file = sys.argv[1:]
for line in open(file, encoding="utf-8").read().splitlines():
    text = f"cuda_tile.module @m attributes {{x =\n{line}\n-2)>}} {{}}\n" if "//" in line else \
        f"cuda_tile.module @m attributes {{x =\n{line}}} {{}}\n"
    result = subprocess.run([program, "check", "-"], input=text, text=True, capture_output=True,
                            check=False)
    found = re.match(r"<stdin>:\d+:(\d+): error: (.*)", result.stderr)
    if result.returncode != 1 or not found:
        sys.exit(f"{line}: status {result.returncode}: {result.stderr}")
    print(f"{line}: {found[1]}: {found[2]}", file=sys.stderr)
