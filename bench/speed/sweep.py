# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the code that a value of a threshold gives with that of the default, and the speed of both.

Only kernels whose code differs are timed, in one process and on the same arrays: both variants alternately,
in processor time, because other programs on the machine affect it less than wall time.
"""

import functools
import hashlib
import pathlib
import queue
import statistics
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from .figures import quartiles
from .libraries import PROGRAMS, ROOT
from .race import Process

sys.path.append(str(ROOT / "test/robustness"))

from server import Server  # noqa: E402

SECONDS = 120  # per compilation


# --- Compiling ----------------------------------------------------------------------------

class Compiler:
    """Compiles kernels in `folder`, with several servers, which load LLVM once. Remembers a hash of the code
    with the default values."""

    def __init__(self, folder: pathlib.Path, jobs: int):
        self.folder, self.pool, self.servers = folder, ThreadPoolExecutor(jobs), queue.SimpleQueue()
        self.all_servers = []
        for number in range(jobs):
            (output := folder / f"server{number}").mkdir()
            self.all_servers.append(Server(PROGRAMS / "command_server", output, sanitized=False))
            self.servers.put(self.all_servers[-1])
        self.usual = functools.cache(self.code)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.pool.shutdown(cancel_futures=True)
        for server in self.all_servers:
            server.close()

    def changed(self, kernels: list[str], target: str, options: list[str]) -> tuple[list[str], list[str]]:
        """The kernels whose code differs from that without `options`, and those that fail only with them."""
        ways = list(self.pool.map(lambda kernel: self.way(kernel, target, tuple(options)), kernels))
        return tuple([kernel for kernel, way in zip(kernels, ways) if way == wanted]
                     for wanted in ("differs", "fails"))

    def way(self, kernel: str, target: str, options: tuple[str, ...]) -> str:
        # Thresholds are used until loops or threads are emitted: equal ones give equal code.
        early, late = ("threads", "ptx") if target.startswith("sm_") else ("loops", "asm")
        usual = self.usual(kernel, target, early)
        if usual is None or self.code(kernel, target, early, options) == usual:
            return "same"
        code = self.code(kernel, target, late, options)
        return "fails" if code is None else "same" if code == self.usual(kernel, target, late) else "differs"

    def code(self, kernel: str, target: str, stage: str, options: tuple[str, ...] = ()) -> bytes | None:
        """A hash of the code; None if it does not compile."""
        server = self.servers.get()
        try:
            ended = server.run("compile", self.folder / kernel, "--target", target, "--emit", stage, "-o", "-",
                               *options, seconds=SECONDS)
        finally:
            self.servers.put(server)
        return hashlib.sha256(ended.out.encode()).digest() if ended.is_exit(0) else None


# --- Timing -------------------------------------------------------------------------------

@dataclass
class Duel:
    """The speed with the option, relative to the default: of the fastest turns, and of the rounds."""
    case: str
    contestant: str
    target: str
    fastest: float
    low: float
    median: float
    high: float

    def is_clear(self) -> bool:
        """Whether the spread of the rounds contains the ratio of the fastest turns."""
        return self.low <= self.fastest <= self.high

    def __str__(self) -> str:
        return (f"{self.case}, {self.contestant} ({self.target}): {self.fastest:.3f} "
                f"[{self.low:.3f}-{self.high:.3f}]{'' if self.is_clear() else ' noisy'}")


class Track:
    """One process with one thread, which runs both variants of a contestant in turns."""

    def __init__(self, rounds: int, seconds: float):
        self.rounds, self.seconds = rounds, seconds
        self.process = Process("Tilewright", threads=1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.end()

    def duel(self, case: str, contestant: str, target: str, options: list[str]) -> Duel | str:
        """The reason, if one of both does not run."""
        usual = ["--target", target]
        variants = (usual, [*usual, *options])
        for variant in variants:
            answer = self.ask(do="prepare", case=case, contestant=contestant, options=variant)
            if "error_size" not in answer:
                return answer.get("error") or answer["unsupported"]
            if not answer["error_size"] <= answer["tolerance"]:
                return f"WRONG: off by {answer['error_size']:.1e} of the largest result"
        times = ([], [])
        for number in range(self.rounds):
            for variant in (0, 1) if number % 2 else (1, 0):
                answer = self.ask(do="time", contestant=contestant, seconds=self.seconds,
                                  options=variants[variant], ours_alone=True)
                if "seconds" not in answer:
                    return answer["error"]
                times[variant].append(answer["seconds"])
        self.ask(do="drop")
        low, _, high = quartiles(ratios := [a / b for a, b in zip(*times)])
        return Duel(case, contestant, target, min(times[0]) / min(times[1]), low,
                    statistics.median(ratios), high)

    def ask(self, **request) -> dict:
        if not self.process.alive:
            self.process = Process("Tilewright", threads=1)
        return self.process.ask(**request)
