# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a script that is to end with an error of Python: `fails.py SCRIPT ARGUMENTS`."""

import subprocess
import sys

sys.exit(subprocess.run([sys.executable, *sys.argv[1:]]).returncode != 1)
