# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`pytest -p tilewright.cutile`: runs an unmodified suite that calls `ct.launch` on "cuda" arrays."""

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


SYNCHRONISES = """
import cupy as cp
import pytest
from test_kernels import run

def test_synchronises_itself():
    run(5)
    cp.cuda.Device().synchronize()

@pytest.fixture
def leaves_something_behind():
    yield
    run(6)
    with pytest.raises(RuntimeError):
        cp.cuda.Device().synchronize()

def test_and_its_fixture(leaves_something_behind):
    run(4)
"""


def run(tmp_path, *options, tests=TESTS, file="test_kernels.py"):
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_kernels.py").write_text(TESTS)
    (tmp_path / file).write_text(tests)
    return subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                           "-p", "tilewright.pytest_plugin", "-p", "tilewright.cutile", *options,
                           file], cwd=tmp_path, capture_output=True, text=True)


def test_a_suite_runs_as_it_is(tmp_path):
    ended = run(tmp_path)
    assert ended.returncode == 0 and "5 passed" in ended.stdout, ended.stdout


def test_a_checked_suite(tmp_path):
    ended = run(tmp_path, "--tile-check")
    assert "1 failed, 4 passed" in ended.stdout, ended.stdout
    assert "FAILED test_kernels.py::test_too_many_blocks_and_no_synchronisation" in ended.stdout
    assert "test_kernels.py:10:" in ended.stdout and "[index-space]" in ended.stdout
    found = findings_of(ended.stdout)
    assert list(found) == ["test_kernels.py::test_too_many_blocks_and_no_synchronisation",
                           "test_kernels.py::test_expected_error (expected: the test passed)"]
    wrong, expected = found.values()
    assert wrong[0].startswith(f"  {tmp_path}/test_kernels.py:10:") and wrong[0].endswith("[index-space]")
    assert "assertion failed: not positive" in expected[0]


def findings_of(output: str) -> dict[str, list[str]]:
    """Maps each test in the summary to the lines below it."""
    found = {}
    for line in output.split("= kernels =")[1].split("=\n", 1)[1].split("\n=")[0].splitlines():
        if line.startswith(" "):
            found[test].append(line)
        else:
            found[test := line] = []
    return found


@pytest.mark.parametrize("options", [[], ["-n1"]], ids=str)
def test_findings_of_tests_that_synchronise_themselves(options, tmp_path):
    """Includes findings in fixtures; also with the workers of pytest-xdist."""
    ended = run(tmp_path, "--tile-check", *options, tests=SYNCHRONISES, file="test_synchronised.py")
    assert "1 failed, 1 passed" in ended.stdout, ended.stdout
    found = findings_of(ended.stdout)
    assert list(found) == ["test_synchronised.py::test_synchronises_itself",
                           "test_synchronised.py::test_and_its_fixture (expected: the test passed)"]
    assert all("block (4, 0, 0)" in lines[0] for lines in found.values()), found


def test_wrong_libraries(tmp_path, monkeypatch):
    monkeypatch.setenv("TILEWRIGHT_ARRAYS", "jax")
    ended = run(tmp_path)
    assert ended.returncode == pytest.ExitCode.USAGE_ERROR
    assert "TILEWRIGHT_ARRAYS: expected none or a list of torch, cupy, but got 'jax'" in ended.stderr
