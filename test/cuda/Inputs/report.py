# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches a kernel, and ends in a requested way: `report.py race|assert|fine [WAY ...]`.

child        runs the same in a child process first
synchronise  synchronises, which returns the error
fork         then forks: the child launches once more, and does not synchronise
status       runs the same in a process that ends with status 7, then synchronises
seven        ends with status 7"""

import os
import subprocess
import sys

import cuda.tile as ct
import numpy as np
from arrays import Array, synchronise


@ct.kernel
def store(x, limit: int):
    ct.assert_(ct.bid(0) < limit, "there is one block too many")
    ct.store(x, (0,), ct.full((4,), ct.bid(0), dtype=ct.int32))


x = np.zeros(4, np.int32)
what, *ways = sys.argv[1:]


def launch():
    ct.launch(0, (2,) if what == "race" else (1,), store, (Array(x), 0 if what == "assert" else 2))


if "child" in ways:
    subprocess.run([sys.executable, sys.argv[0], what])
for _ in range(3 if what == "race" else 1):
    launch()
if "synchronise" in ways:
    assert synchronise() != 0
if "fork" in ways:
    if os.fork() == 0:
        launch()
        sys.exit()
    print("child ended with", os.waitstatus_to_exitcode(os.wait()[1]), flush=True)
    print("parent ends")
if "status" in ways:
    print("child ended with", subprocess.run([sys.executable, sys.argv[0], what, "seven"]).returncode)
    synchronise()
if "seven" in ways:
    sys.exit(7)
