# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs several processes of one program, and may kill one of them.

A program in `programs/` is started with the port of a coordinator, the number of processes, its own
index, a folder and a number of steps. After each step it writes its part of the result to the folder,
`STEP-NUMBER.npy`, first under another name. The processes run in lockstep, because each step
computes a sum over all of them.
"""

import pathlib
import signal
import socket
import subprocess
import sys
import time

import numpy as np

PROGRAMS = pathlib.Path(__file__).parent / "programs"
EXTENT = 40
"""The extent of each process's part."""


class Processes:
    """A context manager that ends all processes on exit."""

    def __init__(self, program: str, count: int, folder: pathlib.Path, steps: int):
        self.folder = folder
        with socket.socket() as free:
            free.bind(("localhost", 0))
            port = free.getsockname()[1]
        self.logs = [folder / f"log-{number}" for number in range(count)]
        self.running = [self._start(program, log, port, count, number, folder, steps)
                        for number, log in enumerate(self.logs)]

    @staticmethod
    def _start(program, log, *arguments) -> subprocess.Popen:
        with log.open("w") as output:
            return subprocess.Popen([sys.executable, PROGRAMS / program, *map(str, arguments)],
                                    stdout=output, stderr=subprocess.STDOUT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.running:
            process.kill()
            process.wait()

    def wait(self, seconds: float) -> list[int]:
        """Waits for all processes, and returns their exit statuses."""
        end = time.monotonic() + seconds
        return [process.wait(max(0.1, end - time.monotonic())) for process in self.running]

    def wait_for_step(self, step: int, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not all((self.folder / f"{step}-{number}.npy").exists()
                      for number in range(len(self.running))):
            assert time.monotonic() < end, self.said()
            assert all(process.poll() is None for process in self.running), self.said()
            time.sleep(0.01)

    def kill(self, number: int) -> None:
        self.running[number].send_signal(signal.SIGKILL)

    def said(self, number: int | None = None) -> str:
        logs = self.logs if number is None else [self.logs[number]]
        return "\n".join(log.read_text() for log in logs)


def expected(count: int, step: int) -> np.ndarray:
    """All parts after a step. Each step subtracts 1 for every process."""
    x = np.arange(count * EXTENT, dtype=np.float64) - count * (step + 1)
    return x.reshape(count, EXTENT)


def check_files(folder: pathlib.Path, count: int) -> int:
    """Checks that every file that a process has written is complete and correct. Returns the last step
    for which all files exist."""
    last = -1
    for path in folder.glob("*.npy"):
        step, number = map(int, path.stem.split("-"))
        np.testing.assert_array_equal(np.load(path), expected(count, step)[number], err_msg=path.name)
    while all((folder / f"{last + 1}-{number}.npy").exists() for number in range(count)):
        last += 1
    return last
