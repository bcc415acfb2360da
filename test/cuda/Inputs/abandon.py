# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compilations whose tileiras was killed: `abandon.py TILEIRAS PROGRAM FOLDER`. An entry of the compile
cache is replaced by a pipe, on which the compilation blocks until somebody writes."""

import os
import pathlib
import signal
import subprocess
import sys
import time

from calls import call

tileiras, program, folder = sys.argv[1:]
os.environ["TILEWRIGHT_CACHE_DIR"] = folder
command = [tileiras, program, "-o", "/dev/null", "--gpu-name", "sm_100"]


def sockets():
    found = 0
    for name in os.listdir("/proc/self/fd"):
        try:
            found += os.readlink(f"/proc/self/fd/{name}").startswith("socket:")
        except FileNotFoundError:
            pass
    return found


def compile_at_pipe():
    entry.unlink()
    os.mkfifo(entry)
    while sockets() != idle:  # the previous connection may still exist
        time.sleep(0.01)
    client = subprocess.Popen(command)
    while sockets() == idle:
        time.sleep(0.01)
    time.sleep(0.5)  # until it is compiled
    return client


def time_of_fork():
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    return time.monotonic() - start


signal.alarm(100)  # kills this process if it hangs
assert call("cuInit", 0) == 0
idle = sockets()
subprocess.run(command, check=True)
entry, = (path for path in pathlib.Path(folder).rglob("*") if path.is_file())
# A fork waits for a compilation with a connected client.
client = compile_at_pipe()
writer = subprocess.Popen(["sh", "-c", 'sleep 1; : > "$0"', entry])
assert time_of_fork() > 0.5
assert client.wait() == writer.wait() == 0
# Neither a fork nor the process's end waits for one without.
client = compile_at_pipe()
client.kill()
client.wait()
time_of_fork()
print("passed abandoned")
