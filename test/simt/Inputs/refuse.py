# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""refuse.py TILEWRIGHT FILE...: executes the function @f of each file with 32 threads, which must end with
status 1, and prints its standard error."""

import subprocess
import sys

program, *files = sys.argv[1:]
for file in files:
    command = [program, "simt", file, "--threads=32", "--random=1", "--function=f"]
    result = subprocess.run(command, check=False, capture_output=True, text=True)
    if result.returncode != 1:
        sys.exit(f"{file}: expected exit status 1, but got {result.returncode}\n{result.stderr}")
    print(result.stderr, end="")
