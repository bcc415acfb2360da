# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests which process compiles for a tileiras that a process with the driver library starts:
`service.py TILEIRAS PROGRAM INVALID OUTPUT`. The loader lists the files that tileiras opens."""

import contextlib
import os
import pathlib
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time

from calls import call

tileiras, program, invalid, output = sys.argv[1:]


def start(file, *options):
    with tempfile.TemporaryFile("w+") as log:
        ended = subprocess.run([tileiras, file, "-o", output, "--gpu-name", "sm_100", *options],
                               env={**os.environ, "LD_DEBUG": "files"}, stderr=log, timeout=120)
        log.seek(0)
        return ended.returncode, log.read()


def compiles_itself(file):
    pathlib.Path(output).unlink(missing_ok=True)
    status, log = start(file)
    assert status == 0 and pathlib.Path(output).read_bytes().endswith(pathlib.Path(file).read_bytes())
    return "libLLVM" in log


def test_a_process_without_a_driver_serves_nobody():
    assert compiles_itself(program)


def test_nobody_waits_for_who_does_not_answer():
    name = f"\0tilewright/tileiras/{os.getuid()}/{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as listening, contextlib.ExitStack() as waiting:
        listening.bind(name)
        listening.listen(0)
        with contextlib.suppress(BlockingIOError):
            while True:
                one = waiting.enter_context(socket.socket(socket.AF_UNIX))
                one.setblocking(False)
                one.connect(name)
        assert compiles_itself(program)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(name)
        listening.listen(1)
        hangs_up = threading.Thread(target=lambda: listening.accept()[0].close())
        hangs_up.start()
        assert compiles_itself(program)
        hangs_up.join()


def test_a_process_with_one_serves_what_it_starts():
    assert call("cuInit", 0) == 0
    assert not compiles_itself(program)
    # With a process in between, the parent is another process, which does not serve.
    assert "libLLVM" in subprocess.run(
        ["sh", "-c", '"$@"; exit', "sh", tileiras, program, "-o", output, "--gpu-name", "sm_100"],
        env={**os.environ, "LD_DEBUG": "files"}, stderr=subprocess.PIPE, text=True).stderr


def test_errors_are_the_same():
    status, log = start(invalid)
    assert status == 3 and f"{invalid}:2:" in log and "powers of two" in log and "libLLVM" not in log


def test_several_at_a_time():
    found = []
    threads = [threading.Thread(target=lambda level=level: found.append(start(program, f"-O{level % 4}")))
               for level in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 and all(status == 0 for status, _ in found)


client = """
import os, socket, struct, sys
connection = socket.socket(socket.AF_UNIX)
connection.settimeout(60)
connection.connect("\\0tilewright/tileiras/%d/%d" % (os.getuid(), os.getppid()))
"""


def test_who_asks_for_too_much_memory_is_left_alone():
    pages = int(pathlib.Path("/proc/self/statm").read_text().split()[0])
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + (1 << 30), before[1]))
    asks = client + "connection.sendall(struct.pack('Q', 1 << 31)); print(connection.recv(1))"
    said = subprocess.run([sys.executable, "-c", asks], stdout=subprocess.PIPE, text=True).stdout
    resource.setrlimit(resource.RLIMIT_AS, before)
    assert said == "b''\n", said
    assert not compiles_itself(program)


def test_a_fork_serves_nobody():
    child = os.fork()
    if child == 0:
        os._exit(0 if compiles_itself(program) else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert not compiles_itself(program)


def test_a_fork_keeps_no_connection_open():
    asks = client + """
connection.sendall(bytes(4))
print("half a number", flush=True)
input()
connection.sendall(b"\\xff" * 4)
print(connection.recv(1))
"""
    child = subprocess.Popen([sys.executable, "-c", asks], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "half a number\n"
    time.sleep(0.2)  # until it has been accepted
    reads, writes = os.pipe()
    fork = os.fork()
    if fork == 0:
        os.close(writes)
        os.read(reads, 1)  # until the parent has checked the result
        os._exit(0)
    said = child.communicate("go on\n")[0]
    os.close(writes)
    assert os.waitpid(fork, 0)[1] == 0
    assert said == "b''\n", said


for name, test in list(globals().items()):
    if name.startswith("test_"):
        test()
        print("passed", name)
