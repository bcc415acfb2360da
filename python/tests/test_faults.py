# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests the message when a compiled kernel crashes the process."""

import os
import signal
import subprocess
import sys
import textwrap

import pytest

pytest.importorskip("cuda.tile")

SCRIPT = """
import sys
import cuda.tile as ct
import numpy as np
from tilewright import cutile

@ct.kernel
def pick(x, indices, y):
    i = ct.load(indices, (0,), (4,))
    ct.store(y, (0,), ct.gather(x, i, check_bounds=False))

def launch(indices, **options):
    y = np.zeros(4, np.float32)
    cutile.launch(1, pick, (np.arange(16, dtype=np.float32), np.array(indices, np.int32), y), **options)
    return y.tolist()

far = [0, 1, 2, 2**31 - 1]
"""
LINE = ("tilewright: error: kernel @pick: SIGSEGV: an access to 0x", " outside of its arrays, which compiled code "
        "does not check; launch it with check=True, or in a process with TILEWRIGHT_CHECK=all, to see where that is\n")


@pytest.fixture
def run(tmp_path):
    def run(script, **environment):
        path = tmp_path / "script.py"
        path.write_text(SCRIPT + textwrap.dedent(script))
        return subprocess.run([sys.executable, str(path)], text=True, capture_output=True, timeout=120,
                              env={**os.environ, **environment})
    return run


# 8 GB after x there may be readable memory, for instance of the loader or the allocator, so that the
# access would not crash. So the array is placed in front of inaccessible memory.
GUARDED = """
import ctypes, mmap
size = 1 << 35
memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)  # MAP_NORESERVE
address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(address + 4096), ctypes.c_size_t(size - 4096), 0) == 0
x = np.frombuffer(memory, np.float32, 16)
def launch_guarded():
    cutile.launch(1, pick, (x, np.array(far, np.int32), np.zeros(4, np.float32)))
"""


def test_a_gather_far_outside_names_the_kernel(run):
    ended = run(GUARDED + "launch_guarded()")
    assert ended.returncode == -signal.SIGSEGV
    assert ended.stderr.startswith(LINE[0]) and ended.stderr.endswith(LINE[1])
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize("when", ["before", "after"])
def test_faulthandler_has_its_say(when, run):
    enable = "import faulthandler; faulthandler.enable()\n"
    script = enable + GUARDED if when == "before" else (
        GUARDED + "assert launch([3, 2, 1, 0]) == [3, 2, 1, 0]\n" + enable)
    ended = run(script + "launch_guarded()")
    assert ended.returncode == -signal.SIGSEGV
    assert ended.stderr.count("tilewright: error: kernel @pick: SIGSEGV") == 1
    assert "Fatal Python error: Segmentation fault" in ended.stderr
    assert "in launch_guarded" in ended.stderr


def test_it_can_be_switched_off(run):
    ended = run(GUARDED + "launch_guarded()", TILEWRIGHT_FAULTS="0")
    assert (ended.returncode, ended.stderr) == (-signal.SIGSEGV, "")


def test_faults_of_others_are_not_of_a_kernel(run):
    ended = run("launch([3, 2, 1, 0]); import ctypes; ctypes.string_at(8)")
    assert (ended.returncode, ended.stderr) == (-signal.SIGSEGV, "")


def test_the_advice_names_the_access(run):
    ended = run("launch(far)", TILEWRIGHT_CHECK="all")
    assert ended.returncode == 1 and "KernelError" in ended.stderr
    assert "element [3]" in ended.stderr and "array x (16xf32)" in ended.stderr
