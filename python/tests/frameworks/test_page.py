# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the examples in docs/frameworks.md, and compares their output with the comments."""

import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
INTRODUCTION, *SECTIONS = (ROOT / "docs/frameworks.md").read_text().split("\n## ")
JAX, TORCH, DASK, *_ = SECTIONS


def examples(section: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", section, re.DOTALL)


def run(script, folder):
    ended = subprocess.run([sys.executable, script], cwd=folder, capture_output=True, text=True,
                           timeout=240)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.splitlines()


@pytest.mark.parametrize("section, module", [(JAX, "jax"), (TORCH, "torch")], ids=["jax", "torch"])
def test_the_examples_print_what_their_comments_say(section, module, tmp_path):
    pytest.importorskip(module, reason=f"needs {module} (./dev test frameworks installs it)")
    script = "\n".join(examples(INTRODUCTION) + examples(section))
    (tmp_path / "example.py").write_text(script)
    printed = run("example.py", tmp_path)
    comments = re.findall(r"^ *print\(.*\)  +# (.*)$", script, re.MULTILINE)
    assert comments and set(comments) <= set(printed)


def test_the_recipe_for_dask(tmp_path):
    pytest.importorskip("distributed", reason="Dask's distributed is not installed")
    import dask.array as da
    for example in examples(DASK):
        (tmp_path / re.match(r"# (\w+\.py)", example)[1]).write_text(example)
    x = np.arange(12 * 1024, dtype=np.float32).reshape(12, 1024)
    da.to_npy_stack(tmp_path / "source", da.from_array(x, chunks=(5, 1024)))
    (tmp_path / "target").mkdir()
    assert run("script.py", tmp_path) == [f"{x.nbytes} bytes"]
    parts = [np.load(tmp_path / f"target/{number}.npy") for number in range(3)]
    np.testing.assert_array_equal(np.concatenate(parts), 2 * x)
