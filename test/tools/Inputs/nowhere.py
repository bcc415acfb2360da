# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nowhere.py COMMAND...: tests that the command reports when its standard output cannot be written.

For a full device and a closed standard output, that means status 2 and one line on standard error. If the
pipe's reader is gone, the signal ends the command without a message, unless it is ignored."""

import os
import signal
import subprocess
import sys

command = sys.argv[1:]


def expect(what, run, status, message):
    if run.returncode != status or run.stderr.count("\n") != bool(message) or (
            message not in run.stderr):
        sys.exit(f"{what}: expected status {status} and '{message}', but got {run.returncode} and\n"
                 f"{run.stderr}")


def redirected(where):
    return subprocess.run(["sh", "-c", f'exec "$@" {where}', "sh", *command], check=False,
                          stderr=subprocess.PIPE, text=True)


def into_unread_pipe(ignored):
    reader, writer = os.pipe()
    os.close(reader)
    # Python ignores the signal, but restores the default for children unless told otherwise.
    run = subprocess.run(command, check=False, stdout=writer, stderr=subprocess.PIPE, text=True,
                         restore_signals=not ignored)
    os.close(writer)
    return run


reason = "standard output: cannot write: "
expect("full", redirected("> /dev/full"), 2, reason + "No space left on device")
expect("closed", redirected(">&-"), 2, reason + "Bad file descriptor")
expect("unread", into_unread_pipe(ignored=False), -signal.SIGPIPE, "")
expect("ignored", into_unread_pipe(ignored=True), 2, reason + "Broken pipe")
