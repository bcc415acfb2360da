# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""many_entries.py TILEWRIGHT: checks that the time to emit loops is linear in the number of entries.

Measures CPU time, which other programs do not affect. 8 times as many entries may take at most 20
times as long; quadratic growth would be 64 times. The time for a program without entries is subtracted.
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
