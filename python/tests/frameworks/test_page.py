# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/frameworks.md: its examples run, and print what their comments say."""

import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
INTRODUCTION, *SECTIONS = (ROOT / "docs/frameworks.md").read_text().split("\n## ")


def examples(section: str) -> str:
    return "\n".join(re.findall(r"```python\n(.*?)```", section, re.DOTALL))


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.split("\n")[0])
def test_the_examples_of(section, tmp_path):
    script = examples(section)
    for module in re.findall(r"^import (\w+)", script, re.MULTILINE):
        pytest.importorskip(module, reason=f"needs {module} (./dev test frameworks installs it)")
    (tmp_path / "example.py").write_text(examples(INTRODUCTION) + script)
    ended = subprocess.run([sys.executable, "example.py"], cwd=tmp_path, capture_output=True,
                           text=True, timeout=240)
    assert ended.returncode == 0, ended.stderr
    printed = ended.stdout.splitlines()
    for expected in re.findall(r"^ *print\(.*\)  +# (.*)$", script, re.MULTILINE):
        assert expected in printed
