# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Times contestants alternately, round after round, so that other load on the machine and clock drift
affect all of them; the result is the ratio within a round.

Every library has its own process; all but the one being timed are stopped.
"""

import json
import os
import selectors
import signal
import subprocess
import sys

from .case import OURS, Case, Contestant
from .figures import Race, Result
from .libraries import LIBRARIES, ROOT

TIMEOUT = 120  # seconds per request


class Process:
    """The process of one library, started on first use."""

    def __init__(self, library: str, threads: int):
        environment = os.environ | LIBRARIES[library].environment_for(threads)
        self.child = subprocess.Popen(
            [sys.executable, "-m", "speed.worker", library, str(threads)], cwd=ROOT / "bench",
            env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.pause()

    def pause(self) -> None:
        os.kill(self.child.pid, signal.SIGSTOP)

    def ask(self, **request) -> dict:
        os.kill(self.child.pid, signal.SIGCONT)
        try:
            self.child.stdin.write(json.dumps(request) + "\n")
            self.child.stdin.flush()
            with selectors.DefaultSelector() as ready:
                ready.register(self.child.stdout, selectors.EVENT_READ)
                if not ready.select(TIMEOUT):
                    self.end()
                    return {"error": f"no answer within {TIMEOUT} s"}
            line = self.child.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            return {"error": f"the process ended with status {self.child.wait()}"}
        self.pause()
        return json.loads(line)

    @property
    def alive(self) -> bool:
        return self.child.poll() is None

    def end(self) -> None:
        if self.alive:
            self.child.kill()
            os.kill(self.child.pid, signal.SIGCONT)
            self.child.wait()


class Stadium:
    """The processes of all libraries, with one number of threads."""

    def __init__(self, threads: int):
        self.threads = threads
        self.processes: dict[str, Process] = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self.processes.values():
            process.end()

    def process(self, library: str) -> Process:
        process = self.processes.get(library)
        if process is None or not process.alive:
            process = self.processes[library] = Process(library, self.threads)
        return process

    def race(self, case: Case, rounds: int, seconds: float) -> Race:
        results = [self.prepare(case, contestant) for contestant in case.contestants]
        running = [r for r in results if not r.problem]
        for number in range(rounds):
            # Rotate the order, because each contestant affects the next one's caches.
            turn = number % max(len(running), 1)
            for result in running[turn:] + running[:turn]:
                self.time(result, seconds)
        for result in results:
            if result.problem:
                result.seconds = []
        for library in {c.library for c in case.contestants}:
            if self.process(library).alive:
                self.process(library).ask(do="drop")
        return Race(case, self.threads, results)

    def prepare(self, case: Case, contestant: Contestant) -> Result:
        result = Result(contestant)
        answer = self.process(contestant.library).ask(do="prepare", case=case.name,
                                                      contestant=contestant.name)
        if "error_size" not in answer:
            result.problem = answer.get("unsupported") or answer["error"]
            result.wrong = "error" in answer and contestant.role == OURS
        elif not answer["error_size"] <= answer["tolerance"]:
            result.problem = (f"WRONG: off by {answer['error_size']:.1e} of the largest result, "
                              f"tolerance {answer['tolerance']:.1e}")
            result.wrong = True
        return result

    def time(self, result: Result, seconds: float) -> None:
        if result.problem:
            return
        answer = self.process(result.contestant.library).ask(
            do="time", contestant=result.contestant.name, seconds=seconds)
        if "seconds" in answer:
            result.seconds.append(answer["seconds"])
        else:
            result.problem = answer["error"]
            result.wrong = result.contestant.role == OURS
