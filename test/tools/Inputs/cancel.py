# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cancel.py COMMAND...: succeeds if the command ends by itself with status 1 after Ctrl-C.

The signal is sent when the command has used two seconds of CPU time, long after it has parsed its
options."""

import os
import signal
import subprocess
import sys
import time

signal.signal(signal.SIGINT, signal.SIG_DFL)  # the parent may ignore it
process = subprocess.Popen(sys.argv[1:])


def seconds_used() -> float:
    fields = open(f"/proc/{process.pid}/stat").read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


while process.poll() is None and seconds_used() < 2:
    time.sleep(0.05)
if process.poll() is None:
    process.send_signal(signal.SIGINT)
status = process.wait()
if status != 1:
    sys.exit(f"expected status 1, but got {status}")
