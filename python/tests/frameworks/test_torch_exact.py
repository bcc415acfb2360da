# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch under `tilewright exec` is as exact on "cuda" as on a GPU."""

import importlib.util
import pathlib
import re
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(importlib.util.find_spec("torch") is None,
                                reason="needs PyTorch (./dev test frameworks installs it)")
PROGRAMS = pathlib.Path(__file__).parent / "programs"


def run(program):
    """Runs a program that prints the name of each of its checks."""
    ended = subprocess.run([sys.executable, "-W", "error::UserWarning", "-m", "tilewright", str(PROGRAMS / program)],
                           capture_output=True, text=True, timeout=1200)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    checks = re.findall(r"^def (\w+)\(\):", (PROGRAMS / program).read_text(), re.MULTILINE)
    assert ended.stdout.split() == checks and checks


def test_functions_are_as_exact_as_on_a_gpu():
    run("torch_exact.py")


def test_kernels_compare_with_pytorch_as_samples_do():
    run("torch_samples.py")
