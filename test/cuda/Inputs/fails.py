# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a script that must end with a Python exception: `fails.py SCRIPT ARGUMENTS`."""

import subprocess
import sys

sys.exit(subprocess.run([sys.executable, *sys.argv[1:]]).returncode != 1)
