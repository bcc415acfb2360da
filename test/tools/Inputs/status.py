# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""status.py STATUS COMMAND...: succeeds if the command exits with that status."""

import subprocess
import sys

expected, *command = sys.argv[1:]
status = subprocess.run(command, check=False).returncode
if status != int(expected):
    sys.exit(f"expected exit status {expected}, but got {status}")
