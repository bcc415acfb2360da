# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints all values that the sweep of a room's thresholds tries, and sets all of them in a compilation.

usage: thresholds_sweep.py ROOM COMPILE...
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "bench"))

from speed.thresholds import thresholds_of  # noqa: E402

room, *command = sys.argv[1:]
for threshold in thresholds_of(ROOT / "tilewright" / room):
    for value in (*threshold.values(), threshold.default):  # the last one counts
        print(f"{threshold.name}={value}")
        command += ["--tuning", f"{threshold.name}={value}"]
sys.exit(subprocess.run(command, stdout=subprocess.DEVNULL).returncode)
