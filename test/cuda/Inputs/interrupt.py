# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that Ctrl-C ends a launch that would take minutes, and that other Python threads run meanwhile."""

import os
import signal
import threading
import time

import cuda.tile as ct
import numpy as np
from arrays import Array, synchronise


@ct.kernel
def count(x, steps: int):
    for _ in range(steps):
        ct.store(x, (0,), ct.load(x, (0,), (1,)) + 1)


x = np.zeros(1, np.int32)
ct.launch(0, (1,), count, (Array(x), 3))
assert synchronise() == 0 and x[0] == 3

# If the process that starts the tests ignores the signal, Python inherits that.
signal.signal(signal.SIGINT, signal.default_int_handler)
seen = []


def interrupt():
    while x[0] < 10:  # the kernel writes it
        time.sleep(0.01)
    seen.append(int(x[0]))
    os.kill(os.getpid(), signal.SIGINT)


threading.Thread(target=interrupt).start()
try:
    ct.launch(0, (1,), count, (Array(x), 1000000))
    assert False, "the launch has ended by itself"
except KeyboardInterrupt:
    assert seen and synchronise() == 719
ct.launch(0, (1,), count, (Array(x), 3))  # later launches work
assert synchronise() == 0
print("passed interrupt")
