# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`pytest -p tilewright.cutile`: a suite that calls `ct.launch` on "cuda" arrays, as it is."""

import subprocess
import sys

import pytest

CONFTEST = "import cuda.tile\n"  # before the tests, as suites do
TESTS = """
import ctypes
import cuda.tile as ct
import cupy as cp
import pytest

@ct.kernel
def increment(x, y):
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), (16,)) + 1)

@ct.kernel
def refuse(x):
    ct.assert_(ct.load(x, (0,), (16,)) > 0, "not positive")

def run(blocks):
    x = cp.arange(64, dtype=cp.float32)
    y = cp.zeros_like(x)
    ct.launch(cp.cuda.get_current_stream(), (blocks,), increment, (x, y))
    return x, y

def test_right():
    x, y = run(4)
    cp.testing.assert_array_equal(y, x + 1)

def test_too_many_blocks_and_no_synchronisation():
    run(5)

def test_expected_error():
    ct.launch(0, (1,), refuse, (cp.zeros(16, dtype=cp.int32),))
    with pytest.raises(RuntimeError, match="device-side assert"):
        cp.cuda.Device().synchronize()

def test_after_an_error():
    test_right()

def test_symbols_of_the_driver_and_of_llvm_are_not_for_everybody():
    # Triton brings an LLVM of its own, which would find those of another version.
    everybody = ctypes.CDLL(None)
    assert not hasattr(everybody, "cuInit") and not hasattr(everybody, "LLVMContextCreate")
"""


def run(tmp_path, *options):
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_kernels.py").write_text(TESTS)
    return subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                           "-p", "tilewright.pytest_plugin", "-p", "tilewright.cutile", *options,
                           "test_kernels.py"], cwd=tmp_path, capture_output=True, text=True)


def test_a_suite_runs_as_it_is(tmp_path):
    ended = run(tmp_path)
    assert ended.returncode == 0 and "5 passed" in ended.stdout, ended.stdout


def test_a_checked_suite(tmp_path):
    ended = run(tmp_path, "--tile-check")
    assert "1 failed, 4 passed" in ended.stdout, ended.stdout
    assert "FAILED test_kernels.py::test_too_many_blocks_and_no_synchronisation" in ended.stdout
    assert "test_kernels.py:10:" in ended.stdout and "[index-space]" in ended.stdout
    summary = ended.stdout[ended.stdout.index("= kernels ="):]
    assert "test_too_many_blocks_and_no_synchronisation\n  CUDA error: " in summary


def test_wrong_libraries(tmp_path, monkeypatch):
    monkeypatch.setenv("TILEWRIGHT_ARRAYS", "jax")
    ended = run(tmp_path)
    assert ended.returncode == pytest.ExitCode.USAGE_ERROR
    assert "TILEWRIGHT_ARRAYS: expected none or a list of torch, cupy, but got 'jax'" in ended.stderr
