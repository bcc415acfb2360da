# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The process in which one library runs. It reads requests as lines of JSON and answers each with a line:
prepare a case, time a contestant, drop the case.

While other libraries are timed, a signal stops the process (`race.py`), including threads that spin.
"""

import gc
import json
import os
import sys
import time

import numpy as np

from . import kernels
from .case import Unsupported


def main() -> None:
    library_name, threads = sys.argv[1], int(sys.argv[2])
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # keeps output of libraries out of the answers
    processors = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, processors[-threads:])
    gc.disable()

    from . import cases
    from .libraries import LIBRARIES
    worker = Worker(cases.find, LIBRARIES[library_name])
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = getattr(worker, request.pop("do"))(**request)
        except Exception as error:  # any exception becomes this contestant's answer
            answer = {"unsupported" if isinstance(error, Unsupported) else "error":
                      f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


class Worker:
    def __init__(self, find_case, library):
        self.find_case = find_case
        self.make_library, self.library = library, None
        self.case, self.arrays, self.calls = None, None, {}

    def prepare(self, case: str, contestant: str, options: list[str] | None = None) -> dict:
        """Prepares the contestant, runs it once, and returns the error of its result. With `options` for
        'tilewright compile', one contestant can be prepared several times."""
        self.library = self.library or self.make_library()
        if self.case is None or self.case.name != case:
            self.drop()
            self.case = self.find_case(case)
            self.arrays = self.case.make()
        found = next(c for c in self.case.contestants if c.name == contestant)
        if options is not None:
            kernels.OPTIONS[:] = options
        call = found.prepare(self.library, self.arrays)
        for name in self.case.clear:
            self.arrays[name].fill(0)
        call()
        if hasattr(call, "collect"):
            call.collect()
        self.calls[named(contestant, options)] = call
        if not found.checked:
            return {"error_size": 0.0, "tolerance": 1.0}
        computed, expected, tolerance = self.case.check(self.arrays)
        difference = np.abs(computed.astype(np.float64) - expected)
        largest = max(np.max(np.abs(expected)), 1e-30)
        return {"error_size": float(np.max(difference) / largest), "tolerance": tolerance}

    def time(self, contestant: str, seconds: float, options: list[str] | None = None,
             ours_alone: bool = False) -> dict:
        """Seconds per call, averaged over as many calls as fit into the time; after a warm-up call, if more
        than one fits. With `ours_alone`, processor time of this process, which other programs on the
        machine affect less; it means something with one thread."""
        call = self.calls[named(contestant, options)]
        clock = time.process_time if ours_alone else time.perf_counter
        start = clock()
        call()
        first = clock() - start
        if first > seconds:
            return {"seconds": first}
        count = max(1, int(seconds / max(first, 1e-7)))
        start = clock()
        for _ in range(count):
            call()
        spent = clock() - start
        if spent < seconds / 2:  # the first call was unusually slow
            count = int(count * seconds / spent)
            start = clock()
            for _ in range(count):
                call()
            spent = clock() - start
        return {"seconds": spent / count}

    def drop(self) -> dict:
        self.case, self.arrays, self.calls = None, None, {}
        gc.collect()
        return {}


def named(contestant: str, options: list[str] | None) -> tuple:
    return (contestant, *(options or ()))


if __name__ == "__main__":
    main()
