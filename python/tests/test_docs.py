# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the examples in docs/python.md, and compares their reports with the page."""

import doctest
import pathlib
import re
import subprocess
import sys

import numpy as np
import tilewright

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/python.md").read_text()
CUTILE, PROGRAM, EXPLORED, INSIDE = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


def test_the_kernel_of_cutile_runs_and_its_bug_is_named(tmp_path):
    script = tmp_path / "double.py"
    script.write_text(CUTILE)
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True)
    expected = re.search(r"^double\.py:.*?(?=```)", PAGE, re.DOTALL | re.MULTILINE)[0]
    assert ended.returncode == 1
    assert ended.stderr.replace(f"{tmp_path}/", "").endswith("KernelError: " + expected)


def test_the_example_of_the_readme(tmp_path):
    page = (ROOT / "README.md").read_text()
    script = tmp_path / "double.py"
    script.write_text(re.search(r"```python\n(.*?)```", page, re.DOTALL)[1])
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True)
    expected = re.search(r"^(KernelError: double\.py:.*?)```", page, re.DOTALL | re.MULTILINE)[1]
    assert ended.stderr.replace(f"{tmp_path}/", "").endswith(expected)


def test_the_other_examples(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    n = 2500
    a, b, c = np.arange(n, dtype=np.float32), np.ones(n, np.float32), np.zeros(n, np.float32)
    exec(PROGRAM, {"a": a, "b": b, "c": c, "n": n})
    assert (c == a + b).all()
    explored = doctest.DocTestParser().get_doctest(
        EXPLORED, {"np": np, "tilewright": tilewright}, "docs/python.md", None, None)
    assert doctest.DocTestRunner().run(explored) == doctest.TestResults(failed=0, attempted=3)
    script = tmp_path / "double.py"
    script.write_text("\n".join(CUTILE.splitlines()[:-1]) + "\nimport tilewright\n" + INSIDE)
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert "GB/s" in ended.stdout and "entry @double" in ended.stdout
    assert (tmp_path / "double.html").read_text().startswith("<!doctype html>")
