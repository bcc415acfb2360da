# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""many_entries.py TILEWRIGHT: does the time to emit loops grow with the number of entries, not with its square?

Times are those of the processor, so that other programs do not matter. 8 times as many entries take at most 20
times as long; with its square it would be 64 times. The time of a program with no entry is left out.
"""

import resource
import subprocess
import sys


def seconds(count):
    entries = "\n".join(f"entry @k{number}(%n: tile<i32>) {{ }}" for number in range(count))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.argv[1], "compile", "-", "--emit", "loops", "-o", "/dev/null"], check=True, text=True,
                   input=f"cuda_tile.module @m {{\n{entries}\n}}\n")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime


nothing = min(seconds(0) for _ in range(3))
few, many = (min(seconds(count) for _ in range(2)) - nothing for count in (500, 4000))
print(f"500 entries: {few:.2f} s, 4000 entries: {many:.2f} s, {many / few:.1f} times as long")
sys.exit(many > 20 * few)
