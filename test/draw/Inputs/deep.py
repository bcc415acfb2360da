# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""deep.py TILEWRIGHT OPTION BEFORE OPEN MIDDLE CLOSE AFTER: draws what OPTION says, BEFORE and AFTER
around 9000 times OPEN and CLOSE around MIDDLE."""

import subprocess
import sys

program, option, before, opening, middle, closing, after = sys.argv[1:]
value = before + 9000 * opening + middle + 9000 * closing + after
sys.exit(subprocess.run([program, "draw", option, value], check=False).returncode)
