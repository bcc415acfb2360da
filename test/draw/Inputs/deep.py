# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""deep.py TILEWRIGHT OPTION BEFORE OPEN MIDDLE CLOSE AFTER: draws a text for OPTION: BEFORE, OPEN 9000
times, MIDDLE, CLOSE 9000 times, AFTER."""

import subprocess
import sys

program, option, before, opening, middle, closing, after = sys.argv[1:]
value = before + 9000 * opening + middle + 9000 * closing + after
sys.exit(subprocess.run([program, "draw", option, value], check=False).returncode)
