# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ctrl-c.py FOLDER READY COMMAND...: succeeds if Ctrl-C leaves nothing in FOLDER.

As from a terminal, the signal is sent to the command and all processes that it has started, once there
is a file READY and something in FOLDER."""

import os
import signal
import subprocess
import sys
import time

folder, ready, *command = sys.argv[1:]
signal.signal(signal.SIGINT, signal.SIG_DFL)  # the parent may ignore it
process = subprocess.Popen(command, start_new_session=True)
for _ in range(600):
    if os.path.exists(ready) or process.poll() is not None:
        break
    time.sleep(0.1)
if not os.path.exists(ready) or not os.listdir(folder):
    process.kill()
    sys.exit(f"expected {ready} and something in {folder}, but got status {process.wait()}")
os.killpg(process.pid, signal.SIGINT)
status = process.wait()
if status != -signal.SIGINT or os.listdir(folder):
    sys.exit(f"expected SIGINT and nothing in {folder}, but got status {status} and "
             f"{os.listdir(folder)}")
