# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs `pytest --tile-check` on a file with a correct and a wrong kernel."""

import subprocess
import sys

import pytest

TESTS = """
import cuda.tile as ct
import numpy as np
from tilewright import cutile

@ct.kernel
def right(x, y):
    ct.store(y, (ct.bid(0),), ct.load(x, (ct.bid(0),), (16,)))

@ct.kernel
def wrong(x, y):
    ct.store(y, (0,), ct.load(x, (ct.bid(0),), (16,)))

def run(kernel):
    x, y = np.ones((2, 32), np.float32)
    cutile.launch(2, kernel, (x, y))

def test_right(): run(right)
def test_wrong(): run(wrong)
"""
EXPECTS = TESTS.replace("def test_wrong(): run(wrong)", """
def test_wrong():
    try:
        run(wrong)
    except AssertionError:
        raise
    except Exception as error:
        assert "race" in str(error)
""")


@pytest.mark.parametrize("options, failed, text", [
    ([], 0, ""), (["--tile-check"], 1, "test_kernels.py:12:5: error: block (1, 0, 0): store_view_tko"),
    (["--tile-checks=no-race"], 0, "checked (no-race): nothing found"),
    (["--tile-checks", "bounds"], 0, "checked (bounds): nothing found")], ids=str)
def test_tile_check(options, failed, text, tmp_path):
    (tmp_path / "test_kernels.py").write_text(TESTS)
    ended = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p",
                            "tilewright.pytest_plugin", *options, "test_kernels.py"],
                           cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode == failed, ended.stdout
    assert text in ended.stdout
    assert ("1 failed, 1 passed" if failed else "2 passed") in ended.stdout


def test_the_report_shows_the_test_and_the_kernel_only(tmp_path):
    (tmp_path / "test_kernels.py").write_text(TESTS)
    ended = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p",
                            "tilewright.pytest_plugin", "--tile-check", "test_kernels.py"],
                           cwd=tmp_path, capture_output=True, text=True)
    failure, kernels = ended.stdout.split("= kernels =")
    assert "cutile.launch(2, kernel, (x, y))" in failure and "_records.py" not in failure
    # The notes of a finding are indented like the finding.
    first, *findings = kernels.split("=\n", 1)[1].splitlines()[:3]
    assert first == "test_kernels.py::test_wrong"
    assert all(line.startswith(f"  {tmp_path}/test_kernels.py:12:5: ") for line in findings), kernels


@pytest.mark.parametrize("options", [[], ["-n1"]], ids=str)
def test_findings_that_a_test_expects(options, tmp_path):
    (tmp_path / "test_kernels.py").write_text(EXPECTS)
    ended = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p",
                            "tilewright.pytest_plugin", "--tile-check", *options, "test_kernels.py"],
                           cwd=tmp_path, capture_output=True, text=True)
    assert "2 passed" in ended.stdout, ended.stdout
    test, finding = ended.stdout.split("= kernels =")[1].split("=\n", 1)[1].splitlines()[:2]
    assert test == "test_kernels.py::test_wrong (expected: the test passed)"
    assert "[race]" in finding and "nothing found" not in ended.stdout
