# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in multi-process programs: JAX and PyTorch communicate, and kernels run in each process."""

import importlib.util
import re

import numpy as np
import pytest

from processes import Processes, check_files, expected

ENGINES = pytest.mark.parametrize("program, error", [
    pytest.param("jax_steps.py", "Gloo .* failed|JAX distributed service detected fatal errors", id="jax",
                 marks=pytest.mark.skipif(importlib.util.find_spec("jax") is None,
                                          reason="JAX is not installed")),
    pytest.param("torch_steps.py", "[Cc]onnection (closed|reset) by peer", id="torch",
                 marks=pytest.mark.skipif(
                     importlib.util.find_spec("torch") is None,
                     reason="PyTorch is not installed (./dev test frameworks installs it)")),
])


@ENGINES
@pytest.mark.parametrize("count", [2, 4])
def test_all_parts_are_right(program, error, count, tmp_path):
    with Processes(program, count, tmp_path, steps=5) as processes:
        assert processes.wait(120) == [0] * count, processes.said()
    assert check_files(tmp_path, count) == 4
    parts = [np.load(tmp_path / f"4-{number}.npy") for number in range(count)]
    np.testing.assert_array_equal(parts, expected(count, 4))


@ENGINES
@pytest.mark.parametrize("count, killed", [(2, 1), (4, 2), (2, 0)])
def test_one_process_is_killed(program, error, count, killed, tmp_path):
    """The other processes end with the framework's error, and every existing file is complete."""
    with Processes(program, count, tmp_path, steps=10 ** 9) as processes:
        processes.wait_for_step(3, 120)
        processes.kill(killed)
        statuses = processes.wait(120)
        for number, status in enumerate(statuses):
            assert status != 0
            assert number == killed or re.search(error, processes.said(number))
    assert check_files(tmp_path, count) >= 3
