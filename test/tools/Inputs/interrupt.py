# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""interrupt.py FOLDER COMMAND...: succeeds if signals that end the command leave nothing in FOLDER.

The command prints more than fits into a pipe that is not read, so it blocks while its temporary files are
in FOLDER; then it is terminated. In a second run, the pipe is closed instead."""

import fcntl
import os
import signal
import subprocess
import sys
import time

folder, *command = sys.argv[1:]


def wait_for_files(process):
    for _ in range(600):
        if os.listdir(folder):
            return
        if process.poll() is not None:
            sys.exit(f"the command has ended with status {process.returncode}")
        time.sleep(0.1)
    sys.exit(f"nothing comes into {folder}")


for expected in (signal.SIGTERM, signal.SIGPIPE):
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    process = subprocess.Popen(command, stdout=writer)
    os.close(writer)
    wait_for_files(process)
    if expected == signal.SIGTERM:
        process.terminate()
    else:
        os.close(reader)
    status = process.wait()
    if status != -expected or os.listdir(folder):
        sys.exit(f"expected {expected!r} and nothing in {folder}, but got status {status} and "
                 f"{os.listdir(folder)}")
