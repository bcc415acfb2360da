# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that docs/cuda-functions.md matches the tables in python/tilewright/_cuda."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_page_is_that_of_the_tables():
    made = subprocess.run([sys.executable, ROOT / "scripts/cuda_page.py"], capture_output=True, text=True, check=True)
    assert made.stdout == (ROOT / "docs/cuda-functions.md").read_text(), \
        "scripts/cuda_page.py > docs/cuda-functions.md updates the page"
